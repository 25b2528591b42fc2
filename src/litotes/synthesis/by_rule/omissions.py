"""Sentences without a detail, next to the same sentences with one word replaced by its opposite.

A shortened sentence still agrees with the original ("The bridge was rebuilt in 1950 by the council" → "The bridge was
rebuilt by the council"). A sentence with one opposite word ("… before the war" → "… after the war") looks more similar
but disagrees. An encoder that was trained on negated predicates only ranks the two the wrong way round.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.detection import negating_words
from litotes.lexicon import antonym_pairs, other_word
from litotes.lexicon.morphology import article, lemma
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.affixal import exchangeable
from litotes.synthesis.by_rule.perturbations import OPPOSITE_ORDERS

OPTIONAL = ("prep", "advcl", "relcl", "acl", "appos", "npadvmod")
"""Dependency relations of the phrases that a sentence can lose."""
# "some of the money" is not "some", and a condition is not a detail.
REQUIRED = frozenset({"of", "to", "as", "than", "like", "if", "unless", "without", "except", "but", "only", "whether"})
# With one of these words, the shorter sentence does not follow from the longer one.
NON_MONOTONE = re.compile(r"(?i)\b(?:only|if|unless|any|every|each|all|most|less|fewer|whether|or)\b|\?\s*$")
INCOMPLETE = re.compile(r"(?i)\b(?:and|or|the|a|an|of|in|on|at|by|that)\s*[.,;!?]|,\s*[.,;]|\(\s*[.,)]")
ARTICLE = re.compile(r"\b[Aa]n?(?= $)")
FEWEST_WORDS = 4
"""Words that a shortened sentence must have."""
# Words with many senses: "to" and "from" belong to their verbs, "over" to a number.
AMBIGUOUS = frozenset({"to", "up", "over", "until"})
DIRECTIONS = (("north", "south"), ("east", "west"), ("northern", "southern"), ("eastern", "western"))
FREQUENCIES = (("always", "rarely"), ("often", "seldom"), ("many", "few"))
VERBS_WITH_AFTER = frozenset({"name", "call", "look", "take", "be", "ask", "inquire", "go", "run"})
"""Verbs whose "after" is not a time."""
OPPOSITES = {
    word: other
    for pair in (*OPPOSITE_ORDERS, *DIRECTIONS, *FREQUENCIES)
    for word, other in (pair, pair[::-1])
    if AMBIGUOUS.isdisjoint(pair)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Omission:
    """A text, a shorter one that leaves out a detail, and both with the same word replaced by its opposite."""

    text: str
    shorter: str
    reversed: str
    shorter_reversed: str


def omissions(document: Document, *, seed: int) -> Iterator[Omission]:
    """Yield at most one omission, for a single sentence without negation. The text and the seed determine it."""
    text = document.text
    if len(document.sentences) != 1 or negating_words(text) or NON_MONOTONE.search(text):
        return
    (sentence,) = document.sentences
    rng = random.Random(f"{seed}{text}")
    changes = list(reversible_words(sentence))
    phrases = [sentence.phrase(token) for token in sentence.tokens if token.dep in OPTIONAL]
    phrases = [phrase for phrase in phrases if _removable(sentence, phrase) and not sentence.quoted(phrase[0])]
    rng.shuffle(phrases)
    for phrase in phrases:
        start, end = phrase[0].start, phrase[-1].end
        outside = [change for change in changes if not start <= change[0].start < end]
        shorter = _without(text, start, end)
        if outside and is_complete(shorter):
            token, other = rng.choice(outside)
            reversed_text = with_word(text, token, other)
            shift = len(reversed_text) - len(text) if token.start < start else 0
            yield Omission(text, shorter, reversed_text, _without(reversed_text, start + shift, end + shift))
            return


def _removable(sentence: Sentence, phrase: Sequence[Token]) -> bool:
    """Whether the phrase is contiguous, has more than one word, and no other word requires it."""
    positions = {token.i for token in phrase}
    top = next(token for token in phrase if token.head not in positions or token.head == token.i)
    head = sentence.tokens[top.head]
    # "close to the sea", "known for its bridges"
    bound = head.tag in {"JJ", "VBN", "IN"} and head.dep != "ROOT" and phrase[0].lower != "which"
    whole = all(sentence.inside(token, top) for token in phrase)
    return whole and len(phrase) > 1 and not bound and phrase[0].lower not in REQUIRED and sentence.root not in phrase


def is_complete(text: str) -> bool:
    """Whether a shortened text is long enough and has no dangling word, bracket or quotation mark."""
    paired = text.count("(") == text.count(")") and text.count('"') % 2 == 0
    return paired and len(text.split()) >= FEWEST_WORDS and not INCOMPLETE.search(text)


def with_word(text: str, token: Token, word: str) -> str:
    """Return the text with another word in place of the token, and the right article before it."""
    before = ARTICLE.sub(lambda match: same_case(article(word), match.group()), text[: token.start])
    return before + word + text[token.end :]


def _without(text: str, start: int, end: int) -> str:
    """Return the text without this span and without the commas around it."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if not before:
        after = after.lstrip(", ")
        return after[:1].upper() + after[1:]
    if before.endswith(",") and (not after or after[0] in ",.;!?"):
        before, after = before[:-1].rstrip(), after.removeprefix(",").lstrip()
    return re.sub(r"\s+([,.;!?])", r"\1", f"{before} {after}").strip()


def reversible_words(sentence: Sentence) -> Iterator[tuple[Token, str]]:
    """Yield every word whose opposite fits in its place, with that opposite. Names and quotations are excluded."""
    words = {token.lower for token in sentence.tokens}
    for token in sentence.tokens:
        if token.tag.startswith("NNP") or sentence.quoted(token):
            continue
        other = OPPOSITES.get(token.lower)
        if other is not None:
            if other not in words and not _in_fixed_phrase(sentence, token):
                yield token, same_case(other, token.text)
            continue
        tag = "JJ" if token.tag in {"VBN", "VBG"} and token.dep in {"amod", "acomp"} else token.tag
        for pair in antonym_pairs().get((token.lower, tag), ())[:1]:
            if exchangeable(sentence, token, pair, "antonyms") and pair.other not in words:
                yield token, same_case(other_word(pair, tag), token.text)


def _in_fixed_phrase(sentence: Sentence, token: Token) -> bool:
    """Whether the word is part of a phrase such as "at first", "last year" or "named after"."""
    before, after = sentence.before(token), sentence.after(token)
    preceding, following = (neighbour.lower if neighbour else "" for neighbour in (before, after))
    if token.lower in {"before", "after"}:
        not_a_time = lemma(sentence.tokens[token.head].lower, "V") in VERBS_WITH_AFTER
        return not_a_time or token.dep == "prt" or following in {"all", preceding}
    if token.lower in {"more", "less", "most", "least"}:
        return preceding == "at" or (after is not None and after.tag in {"NNS", "RB"})
    return (token.lower == "first" and preceding == "at") or (token.lower == "last" and preceding != "the")
