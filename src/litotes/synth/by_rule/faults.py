"""What translation systems do to a sentence besides denying it: faults of every weight, each with what it leaves.

A metric that has seen negations alone takes any other damage for none. So a sentence is damaged in one way at a time
(a name, a number or a word lost or replaced, words in disorder, a typing error) and the fault says how much of the
sentence's worth is left: 1 is all of it, 0 nothing. These worths are a scale of ours: what turns the message comes
under a quarter, a wrong name or number under a half, a loss at about two thirds, what only reads badly nearly whole.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Document, Sentence, Token

NAMES = ("NNP", "NNPS")
NOUNS = ("NN", "NNS")
MODIFIERS = ("JJ", "RB")
SUBJECTS = ("nsubj", "nsubjpass")
NEGATING = re.compile(
    r"(?i)\b(?:no|not|cannot|never|none|nothing|nobody|nowhere|neither|nor|without"
    r"|hardly|barely|scarcely|seldom|rarely|few|little)\b|n['’]t\b"
)
# what holds a token to its neighbour: it's, Tom's, well-known
JOINED = re.compile(r"[\w'’-]")
GENDERS = {"he": "she", "she": "he", "him": "her", "his": "her", "himself": "herself", "herself": "himself"}
GENDERS |= {"man": "woman", "woman": "man", "mother": "father", "father": "mother", "son": "daughter"}
GENDERS |= {"daughter": "son", "brother": "sister", "sister": "brother", "wife": "husband", "husband": "wife"}
# words that set two things in an order; the other one turns it
TURNED: tuple[tuple[str, str], ...] = (
    ("before", "after"),
    ("from", "to"),
    ("above", "below"),
    ("inside", "outside"),
    ("more", "less"),
)
TURNED += (("most", "least"), ("first", "last"), ("over", "under"), ("into", "out of"), ("until", "since"))
TURNED += (("early", "late"), ("up", "down"), ("higher", "lower"), ("older", "younger"), ("larger", "smaller"))
LITTLE = ("the", "a", "of", "in", "on", "to", "for", "with", "at", "by")


@dataclass(frozen=True, slots=True)
class Fault:
    """A damaged text, the name of the damage, and how much of the text's worth it leaves."""

    kind: str
    text: str
    worth: float


@dataclass(frozen=True, slots=True)
class Stock:
    """What other sentences lend: words by tag, and whole texts."""

    words: Mapping[str, Sequence[str]]
    texts: Sequence[str]


def stock_of(documents: Iterable[Document]) -> Stock:
    """The names, nouns and texts of some documents."""
    words: dict[str, set[str]] = defaultdict(set)
    texts = []
    for document in documents:
        texts.append(document.text)
        for sentence in document.sentences:
            for token in sentence.tokens:
                if token.tag in (*NAMES, *NOUNS) and token.text.isalpha() and len(token.text) > 2:
                    words[token.tag].add(token.text)
    return Stock({tag: sorted(found) for tag, found in words.items()}, texts)


def faults(document: Document, stock: Stock, *, seed: int) -> Iterator[Fault]:
    """One fault of each kind that the text has room for; the same for the same text, stock and seed.

    A fault that would take a negation away or bring one is none: what turns a text is not damage.
    """
    if not re.search(r"\w", document.text):
        return
    rng = random.Random(f"{seed}{document.text}")
    cues = _cues(document.text)
    for kind, (worth, damage) in DAMAGES.items():
        found = damage(document, stock, rng).strip()
        if not re.search(r"\w", found) or found == document.text.strip():
            continue
        if kind == UNRELATED or _cues(found) == cues:
            yield Fault(kind, found, worth)


def _cues(text: str) -> list[str]:
    return sorted(cue.lower() for cue in NEGATING.findall(text))


Damage = Callable[[Document, Stock, random.Random], str]


def _without(document: Document, chosen: Sequence[Token]) -> str:
    """The text with these tokens cut out and the gap closed; nothing where that would cut a word in two."""
    start, end = chosen[0].start, chosen[-1].end
    if _joined(document.text, start, end):
        return ""
    return re.sub(r"\s+([,.;!?])", r"\1", f"{document.text[:start].rstrip()} {document.text[end:].lstrip()}").strip()


def _joined(text: str, start: int, end: int) -> bool:
    """Whether what stands there begins or ends inside a longer word."""
    return bool((start and JOINED.match(text, start - 1)) or JOINED.match(text, end))


def _with(document: Document, token: Token, word: str) -> str:
    return document.text[: token.start] + word + document.text[token.end :]


def _tokens(document: Document, *tags: str) -> list[tuple[Sentence, Token]]:
    return [(one, token) for one in document.sentences for token in one.tokens if token.tag in tags]


def _drop(*tags: str) -> Damage:
    """One word of these tags goes."""

    def damage(document: Document, stock: Stock, rng: random.Random) -> str:
        found = _tokens(document, *tags)
        return _without(document, [rng.choice(found)[1]]) if found else ""

    return damage


def _drop_phrase(*deps: str) -> Damage:
    """One phrase of these relations goes."""

    def damage(document: Document, stock: Stock, rng: random.Random) -> str:
        found = [(one, token) for one in document.sentences for token in one.tokens if token.dep in deps]
        if not found:
            return ""
        sentence, head = rng.choice(found)
        return _without(document, sentence.phrase(head))

    return damage


def _drop_verb(document: Document, stock: Stock, rng: random.Random) -> str:
    found = [one.root for one in document.sentences if one.root.tag.startswith("VB")]
    return _without(document, [rng.choice(found)]) if found else ""


def _replace(*tags: str) -> Damage:
    """A word becomes another of its tag, from another sentence."""

    def damage(document: Document, stock: Stock, rng: random.Random) -> str:
        found = [token for _, token in _tokens(document, *tags) if stock.words.get(token.tag)]
        if not found:
            return ""
        token = rng.choice(found)
        return _with(document, token, rng.choice(stock.words[token.tag]))

    return damage


def _number(document: Document, stock: Stock, rng: random.Random) -> str:
    found = list(re.finditer(r"\d+", document.text))
    if not found:
        return ""
    one = rng.choice(found)
    digits = [rng.choice("123456789") if at == 0 else rng.choice("0123456789") for at in range(len(one.group()))]
    return document.text[: one.start()] + "".join(digits) + document.text[one.end() :]


def _gender(document: Document, stock: Stock, rng: random.Random) -> str:
    def other(match: re.Match[str]) -> str:
        word = GENDERS[match.group().lower()]
        return word.capitalize() if match.group()[0].isupper() else word

    return re.sub(rf"(?i)\b(?:{'|'.join(GENDERS)})\b", other, document.text)


def _foreign(document: Document, stock: Stock, rng: random.Random) -> str:
    """A noun left in another language."""
    found = _tokens(document, *NOUNS)
    return _with(document, rng.choice(found)[1], rng.choice(sorted(word_set("foreign_words")))) if found else ""


def _addition(document: Document, stock: Stock, rng: random.Random) -> str:
    """Words of another sentence, at the end."""
    if not stock.texts:
        return ""
    words = rng.choice(stock.texts).rstrip(".!?").split()
    taken = [word for word in words[: rng.randint(3, 6)] if not NEGATING.search(word)]
    ending = re.search(r"[.!?]*\s*$", document.text)
    at = ending.start() if ending else len(document.text)
    return f"{document.text[:at]} {' '.join(taken)}{document.text[at:]}" if taken else ""


def _shuffled(document: Document, stock: Stock, rng: random.Random) -> str:
    words = document.text.split()
    rng.shuffle(words)
    return " ".join(words)


def _swapped(document: Document, stock: Stock, rng: random.Random) -> str:
    """Two neighbours in the wrong order."""
    words = document.text.split()
    if len(words) < 4:
        return ""
    at = rng.randrange(1, len(words) - 2)
    return " ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]])


def _repeated(times: int) -> Damage:
    def damage(document: Document, stock: Stock, rng: random.Random) -> str:
        words = document.text.split()
        last = words[-1].rstrip(".!?")
        return " ".join([*words[:-1], *[last] * (times - 1), words[-1]])

    return damage


def _mistyped(document: Document, stock: Stock, rng: random.Random) -> str:
    """Two letters of a word change places, or one is lost."""
    found = list(re.finditer(r"[A-Za-z]{5,}", document.text))
    if not found:
        return ""
    word = rng.choice(found)
    at = word.start() + rng.randrange(1, len(word.group()) - 2)
    text = document.text
    return text[:at] + (text[at + 1 :] if rng.random() < 0.5 else text[at + 1] + text[at] + text[at + 2 :])


def _little_word(document: Document, stock: Stock, rng: random.Random) -> str:
    found = [token for one in document.sentences for token in one.tokens if token.lower in LITTLE]
    if not found:
        return ""
    token = rng.choice(found)
    return _with(document, token, rng.choice([word for word in LITTLE if word != token.lower]))


def _question(document: Document, stock: Stock, rng: random.Random) -> str:
    return re.sub(r"\.\s*$", "?", document.text)


def _tense(document: Document, stock: Stock, rng: random.Random) -> str:
    """The first verb in another tense."""
    other = {"VBD": "VBZ", "VBZ": "VBD", "VBP": "VBD"}
    for _, token in _tokens(document, *other):
        found = inflect(lemma(token.lower, token.tag), other[token.tag])
        negated = NEGATING.match(document.text[token.end :].lstrip())
        if found and found != token.lower and not negated and not _joined(document.text, token.start, token.end):
            return _with(document, token, found)
    return ""


def _turned(document: Document, stock: Stock, rng: random.Random) -> str:
    """A word that orders two things becomes the one that orders them the other way."""
    other = {one: two for pair in TURNED for one, two in (pair, pair[::-1])}
    found = [token for one in document.sentences for token in one.tokens if token.lower in other]
    # "to go" has no "from"
    found = [token for token in found if token.lower != "to" or token.tag == "IN"]
    return _with(document, (token := rng.choice(found)), other[token.lower]) if found else ""


def _roles(document: Document, stock: Stock, rng: random.Random) -> str:
    """Who does it and to whom it is done change places."""
    for sentence in document.sentences:
        subject, object_ = (sentence.child(sentence.root, *deps) for deps in (SUBJECTS, ("dobj", "pobj", "attr")))
        by = sentence.child(sentence.root, "agent")
        object_ = sentence.child(by, "pobj") if by else object_
        if not subject or not object_ or subject.tag not in (*NAMES, *NOUNS) or object_.tag not in (*NAMES, *NOUNS):
            continue
        one, two = sentence.phrase(subject), sentence.phrase(object_)
        if one[-1].i >= two[0].i:
            continue
        text = document.text
        parts = text[: one[0].start], text[two[0].start : two[-1].end], text[one[-1].end : two[0].start]
        return "".join((*parts, text[one[0].start : one[-1].end], text[two[-1].end :]))
    return ""


def _unrelated(document: Document, stock: Stock, rng: random.Random) -> str:
    return rng.choice(stock.texts) if stock.texts else ""


UNRELATED = "unrelated"
DAMAGES: dict[str, tuple[float, Damage]] = {
    UNRELATED: (0.0, _unrelated),
    "turned": (0.1, _turned),
    "roles changed": (0.15, _roles),
    "shuffled": (0.2, _shuffled),
    "name replaced": (0.4, _replace(*NAMES)),
    "number replaced": (0.4, _number),
    "noun replaced": (0.4, _replace(*NOUNS)),
    "gender": (0.55, _gender),
    "foreign word": (0.35, _foreign),
    "name removed": (0.7, _drop(*NAMES)),
    "subject removed": (0.65, _drop_phrase(*SUBJECTS)),
    "verb removed": (0.65, _drop_verb),
    "noun removed": (0.7, _drop(*NOUNS)),
    "addition": (0.65, _addition),
    "phrase removed": (0.75, _drop_phrase("prep")),
    "question": (0.7, _question),
    "modifier removed": (0.8, _drop(*MODIFIERS)),
    "tense": (0.85, _tense),
    "repeated often": (0.8, _repeated(4)),
    "repeated": (0.9, _repeated(2)),
    "little word": (0.9, _little_word),
    "swapped": (0.9, _swapped),
    "mistyped": (0.92, _mistyped),
    "no final stop": (0.97, lambda document, stock, rng: document.text.rstrip(" .!?")),
}
