"""Perturbations of a sentence: the errors that translation systems make besides negation, each with a quality.

A metric that was trained on negations only ignores all other errors. So a sentence is perturbed in one way at a time (a
name, a number or a word is lost or replaced, words are out of order, a word is misspelt), and each perturbation has the
quality that is left: 1 is the quality of the original, 0 is worthless. The scale is ours. Errors that reverse the
message are below 0.25, a wrong name or number below 0.5, a loss is about 0.65, and what only reads badly is near 1.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from litotes.detection import negating_words
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Document, Sentence, Token

NAMES = ("NNP", "NNPS")
NOUNS = ("NN", "NNS")
MODIFIERS = ("JJ", "RB")
SUBJECTS = ("nsubj", "nsubjpass")
# Characters that join a token to its neighbour: it's, Tom's, well-known.
JOINED = re.compile(r"[\w'’-]")
GENDERS = {"he": "she", "she": "he", "him": "her", "his": "her", "himself": "herself", "herself": "himself"}
GENDERS |= {"man": "woman", "woman": "man", "mother": "father", "father": "mother", "son": "daughter"}
GENDERS |= {"daughter": "son", "brother": "sister", "sister": "brother", "wife": "husband", "husband": "wife"}
# Words that put two things in an order, and the words for the opposite order.
OPPOSITE_ORDERS: tuple[tuple[str, str], ...] = (
    ("before", "after"),
    ("from", "to"),
    ("above", "below"),
    ("inside", "outside"),
    ("more", "less"),
)
OPPOSITE_ORDERS += (("most", "least"), ("first", "last"), ("over", "under"), ("into", "out of"), ("until", "since"))
OPPOSITE_ORDERS += (("early", "late"), ("up", "down"), ("higher", "lower"), ("older", "younger"), ("larger", "smaller"))
FUNCTION_WORDS = ("the", "a", "of", "in", "on", "to", "for", "with", "at", "by")


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A perturbed text, the kind of the perturbation, and the quality that is left (1 is the original's)."""

    kind: str
    text: str
    quality: float


@dataclass(frozen=True, slots=True)
class ReplacementPool:
    """Replacements from other sentences: words by tag, and whole texts."""

    words: Mapping[str, Sequence[str]]
    texts: Sequence[str]


def collect_replacements(documents: Iterable[Document]) -> ReplacementPool:
    """Return the names, nouns and texts of the documents."""
    words: dict[str, set[str]] = defaultdict(set)
    texts = []
    for document in documents:
        texts.append(document.text)
        for sentence in document.sentences:
            for token in sentence.tokens:
                if token.tag in (*NAMES, *NOUNS) and token.text.isalpha() and len(token.text) > 2:
                    words[token.tag].add(token.text)
    return ReplacementPool({tag: sorted(by_tag) for tag, by_tag in words.items()}, texts)


def perturbations(document: Document, pool: ReplacementPool, *, seed: int) -> Iterator[Perturbation]:
    """Yield one perturbation of each kind that the text allows. Text, pool and seed determine them.

    A perturbation that would add or remove a negation is skipped: a reversed meaning is a different kind of error.
    """
    if not re.search(r"\w", document.text):
        return
    rng = random.Random(f"{seed}{document.text}")
    cues = sorted(negating_words(document.text))
    for kind, (quality, perturb) in PERTURBATIONS.items():
        text = perturb(document, pool, rng).strip()
        if not re.search(r"\w", text) or text == document.text.strip():
            continue
        if kind == UNRELATED or sorted(negating_words(text)) == cues:
            yield Perturbation(kind, text, quality)


Perturb = Callable[[Document, ReplacementPool, random.Random], str]
"""Returns the perturbed text, or an empty one if the text does not allow this perturbation."""


def _without(document: Document, chosen: Sequence[Token]) -> str:
    """Return the text without these tokens; "" if that would split a word."""
    start, end = chosen[0].start, chosen[-1].end
    if _joined(document.text, start, end):
        return ""
    return re.sub(r"\s+([,.;!?])", r"\1", f"{document.text[:start].rstrip()} {document.text[end:].lstrip()}").strip()


def _joined(text: str, start: int, end: int) -> bool:
    """Whether the span begins or ends inside a longer word."""
    return bool((start and JOINED.match(text, start - 1)) or JOINED.match(text, end))


def _with(document: Document, token: Token, word: str) -> str:
    return document.text[: token.start] + word + document.text[token.end :]


def _tokens(document: Document, *tags: str) -> list[tuple[Sentence, Token]]:
    return [(sentence, token) for sentence in document.sentences for token in sentence.tokens if token.tag in tags]


def _drop(*tags: str) -> Perturb:
    """Remove one word with one of these tags."""

    def perturb(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
        candidates = _tokens(document, *tags)
        return _without(document, [rng.choice(candidates)[1]]) if candidates else ""

    return perturb


def _drop_phrase(*deps: str) -> Perturb:
    """Remove one phrase with one of these dependency relations."""

    def perturb(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
        heads = [(sentence, token) for sentence in document.sentences for token in sentence.tokens if token.dep in deps]
        if not heads:
            return ""
        sentence, head = rng.choice(heads)
        return _without(document, sentence.phrase(head))

    return perturb


def _drop_verb(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    verbs = [sentence.root for sentence in document.sentences if sentence.root.tag.startswith("VB")]
    return _without(document, [rng.choice(verbs)]) if verbs else ""


def _replace(*tags: str) -> Perturb:
    """Replace a word by one with the same tag from another sentence."""

    def perturb(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
        candidates = [token for _, token in _tokens(document, *tags) if pool.words.get(token.tag)]
        if not candidates:
            return ""
        token = rng.choice(candidates)
        return _with(document, token, rng.choice(pool.words[token.tag]))

    return perturb


def _number(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    numbers = list(re.finditer(r"\d+", document.text))
    if not numbers:
        return ""
    number = rng.choice(numbers)
    digits = [rng.choice("123456789") if at == 0 else rng.choice("0123456789") for at in range(len(number.group()))]
    return document.text[: number.start()] + "".join(digits) + document.text[number.end() :]


def _gender(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    def other(match: re.Match[str]) -> str:
        word = GENDERS[match.group().lower()]
        return word.capitalize() if match.group()[0].isupper() else word

    return re.sub(rf"(?i)\b(?:{'|'.join(GENDERS)})\b", other, document.text)


def _foreign(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Replace a noun by a word in another language."""
    nouns = _tokens(document, *NOUNS)
    return _with(document, rng.choice(nouns)[1], rng.choice(sorted(word_set("foreign_words")))) if nouns else ""


def _addition(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Append words of another sentence."""
    if not pool.texts:
        return ""
    words = rng.choice(pool.texts).rstrip(".!?").split()
    added = [word for word in words[: rng.randint(3, 6)] if not negating_words(word)]
    ending = re.search(r"[.!?]*\s*$", document.text)
    at = ending.start() if ending else len(document.text)
    return f"{document.text[:at]} {' '.join(added)}{document.text[at:]}" if added else ""


def _shuffled(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    words = document.text.split()
    rng.shuffle(words)
    return " ".join(words)


def _swapped(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Swap two neighbouring words."""
    words = document.text.split()
    if len(words) < 4:
        return ""
    at = rng.randrange(1, len(words) - 2)
    return " ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]])


def _repeated(times: int) -> Perturb:
    def perturb(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
        words = document.text.split()
        last = words[-1].rstrip(".!?")
        return " ".join([*words[:-1], *[last] * (times - 1), words[-1]])

    return perturb


def _typo(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Swap two letters of a word, or drop one."""
    words = list(re.finditer(r"[A-Za-z]{5,}", document.text))
    if not words:
        return ""
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word.group()) - 2)
    text = document.text
    return text[:at] + (text[at + 1 :] if rng.random() < 0.5 else text[at + 1] + text[at] + text[at + 2 :])


def _function_word(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    candidates = [t for sentence in document.sentences for t in sentence.tokens if t.lower in FUNCTION_WORDS]
    if not candidates:
        return ""
    token = rng.choice(candidates)
    return _with(document, token, rng.choice([word for word in FUNCTION_WORDS if word != token.lower]))


def _question(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    return re.sub(r"\.\s*$", "?", document.text)


def _tense(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Put the first verb into another tense."""
    other = {"VBD": "VBZ", "VBZ": "VBD", "VBP": "VBD"}
    for _, token in _tokens(document, *other):
        verb = inflect(lemma(token.lower, token.tag), other[token.tag])
        negated = bool(negating_words("".join(document.text[token.end :].split(maxsplit=1)[:1])))
        if verb and verb != token.lower and not negated and not _joined(document.text, token.start, token.end):
            return _with(document, token, verb)
    return ""


def _opposite_order(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Replace a word that puts two things in an order by the word for the opposite order."""
    other = {first: second for pair in OPPOSITE_ORDERS for first, second in (pair, pair[::-1])}
    candidates = [token for sentence in document.sentences for token in sentence.tokens if token.lower in other]
    # The "to" of "to go" has no opposite.
    candidates = [token for token in candidates if token.lower != "to" or token.tag == "IN"]
    return _with(document, (token := rng.choice(candidates)), other[token.lower]) if candidates else ""


def _roles(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    """Swap the subject and the object."""
    for sentence in document.sentences:
        subject, object_ = (sentence.child(sentence.root, *deps) for deps in (SUBJECTS, ("dobj", "pobj", "attr")))
        by = sentence.child(sentence.root, "agent")
        object_ = sentence.child(by, "pobj") if by else object_
        if not subject or not object_ or subject.tag not in (*NAMES, *NOUNS) or object_.tag not in (*NAMES, *NOUNS):
            continue
        first, second = sentence.phrase(subject), sentence.phrase(object_)
        if first[-1].i >= second[0].i:
            continue
        text = document.text
        parts = text[: first[0].start], text[second[0].start : second[-1].end], text[first[-1].end : second[0].start]
        return "".join((*parts, text[first[0].start : first[-1].end], text[second[-1].end :]))
    return ""


def _unrelated(document: Document, pool: ReplacementPool, rng: random.Random) -> str:
    return rng.choice(pool.texts) if pool.texts else ""


UNRELATED = "unrelated"
PERTURBATIONS: dict[str, tuple[float, Perturb]] = {
    UNRELATED: (0.0, _unrelated),
    "opposite order": (0.1, _opposite_order),
    "roles swapped": (0.15, _roles),
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
    "function word": (0.9, _function_word),
    "words swapped": (0.9, _swapped),
    "typo": (0.92, _typo),
    "no final stop": (0.97, lambda document, pool, rng: document.text.rstrip(" .!?")),
}
