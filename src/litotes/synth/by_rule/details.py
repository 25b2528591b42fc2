"""A sentence with a detail left out, beside the same sentence with a word turned.

What is shortened still says the same as far as it goes ("The bridge was rebuilt in 1950 by the council" → "The bridge
was rebuilt by the council"); what has one word turned ("… before the war" → "… after the war") looks nearer and is
not. An encoder that has seen negated predicates alone takes them the other way round.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.lexicon import antonym_pairs, other_word
from litotes.lexicon.morphology import article, lemma
from litotes.lexicon.words import same_case
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.affixal import exchangeable
from litotes.synth.by_rule.faults import NEGATING, TURNED

HANGS_ON = ("prep", "advcl", "relcl", "acl", "appos", "npadvmod")
"""what can go from a sentence; the parser's relations"""
# "some of the money" is not "some", and a condition is no detail
NEEDED = frozenset({"of", "to", "as", "than", "like", "if", "unless", "without", "except", "but", "only", "whether"})
# where these stand, a part does not follow from the whole
LOWERING = re.compile(r"(?i)\b(?:only|if|unless|any|every|each|all|most|less|fewer|whether|or)\b|\?\s*$")
HANGING = re.compile(r"(?i)\b(?:and|or|the|a|an|of|in|on|at|by|that)\s*[.,;!?]|,\s*[.,;]|\(\s*[.,)]")
ARTICLE = re.compile(r"\b[Aa]n?(?= $)")
SHORTEST = 4
"""words that must be left"""
# words of many senses, and so are their opposites: "to" and "from" belong to their verbs, "over" to a number
UNSAFE = frozenset({"to", "up", "over", "until"})
PLACES = (("north", "south"), ("east", "west"), ("northern", "southern"), ("eastern", "western"))
AFTER_THESE = frozenset({"name", "call", "look", "take", "be", "ask", "inquire", "go", "run"})
"""verbs whose "after" is no time"""
FREQUENCY = (("always", "rarely"), ("often", "seldom"), ("many", "few"))
OTHERS = {
    one: other
    for pair in (*TURNED, *PLACES, *FREQUENCY)
    for one, other in (pair, pair[::-1])
    if UNSAFE.isdisjoint(pair)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Detail:
    """A text, one that says less of it, and each of them with the same word turned."""

    text: str
    shorter: str
    turned: str
    shorter_turned: str


def details(document: Document, *, seed: int) -> Iterator[Detail]:
    """One of a text of one sentence without a negation, or none; the same for the same text and seed."""
    text = document.text
    if len(document.sentences) != 1 or NEGATING.search(text) or LOWERING.search(text):
        return
    (sentence,) = document.sentences
    rng = random.Random(f"{seed}{text}")
    changes = list(turnings(sentence))
    phrases = [sentence.phrase(token) for token in sentence.tokens if token.dep in HANGS_ON]
    phrases = [phrase for phrase in phrases if _can_go(sentence, phrase) and not sentence.quoted(phrase[0])]
    rng.shuffle(phrases)
    for phrase in phrases:
        start, end = phrase[0].start, phrase[-1].end
        kept = [change for change in changes if not start <= change[0].start < end]
        shorter = _without(text, start, end)
        if kept and is_whole(shorter):
            token, other = rng.choice(kept)
            turned = with_word(text, token, other)
            moved = len(turned) - len(text) if token.start < start else 0
            yield Detail(text, shorter, turned, _without(turned, start + moved, end + moved))
            return


def _can_go(sentence: Sentence, phrase: Sequence[Token]) -> bool:
    """Whether the phrase is one piece, says something, and nothing needs it."""
    places = {token.i for token in phrase}
    top = next(token for token in phrase if token.head not in places or token.head == token.i)
    head = sentence.tokens[top.head]
    # "close to the sea", "known for its bridges"
    bound = head.tag in {"JJ", "VBN", "IN"} and head.dep != "ROOT" and phrase[0].lower != "which"
    whole = all(sentence.inside(token, top) for token in phrase)
    return whole and len(phrase) > 1 and not bound and phrase[0].lower not in NEEDED and sentence.root not in phrase


def is_whole(text: str) -> bool:
    """Whether enough is left and nothing hangs in the air."""
    paired = text.count("(") == text.count(")") and text.count('"') % 2 == 0
    return paired and len(text.split()) >= SHORTEST and not HANGING.search(text)


def with_word(text: str, token: Token, word: str) -> str:
    """The text with another word in the token's place, and its article."""
    before = ARTICLE.sub(lambda match: same_case(article(word), match.group()), text[: token.start])
    return before + word + text[token.end :]


def _without(text: str, start: int, end: int) -> str:
    """The text without what stands there, nor the commas around it."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if not before:
        after = after.lstrip(", ")
        return after[:1].upper() + after[1:]
    if before.endswith(",") and (not after or after[0] in ",.;!?"):
        before, after = before[:-1].rstrip(), after.removeprefix(",").lstrip()
    return re.sub(r"\s+([,.;!?])", r"\1", f"{before} {after}").strip()


def turnings(sentence: Sentence) -> Iterator[tuple[Token, str]]:
    """Every word whose opposite fits in its place, with that; none in somebody's own words."""
    words = {token.lower for token in sentence.tokens}
    for token in sentence.tokens:
        if token.tag.startswith("NNP") or sentence.quoted(token):
            continue
        other = OTHERS.get(token.lower)
        if other is not None:
            if other not in words and not _in_a_phrase(sentence, token):
                yield token, same_case(other, token.text)
            continue
        tag = "JJ" if token.tag in {"VBN", "VBG"} and token.dep in {"amod", "acomp"} else token.tag
        for pair in antonym_pairs().get((token.lower, tag), ())[:1]:
            if exchangeable(sentence, token, pair, "antonyms") and pair.other not in words:
                yield token, same_case(other_word(pair, tag), token.text)


def _in_a_phrase(sentence: Sentence, token: Token) -> bool:
    """Whether it is the "first" of "at first", the "last" of "last year", the "after" of "named after"."""
    before, after = sentence.before(token), sentence.after(token)
    word, following = (one.lower if one else "" for one in (before, after))
    if token.lower in {"before", "after"}:
        called = lemma(sentence.tokens[token.head].lower, "V") in AFTER_THESE
        return called or token.dep == "prt" or following in {"all", word}
    if token.lower in {"more", "less", "most", "least"}:
        return word == "at" or (after is not None and after.tag in {"NNS", "RB"})
    return (token.lower == "first" and word == "at") or (token.lower == "last" and word != "the")
