"""Exclude what the user is tired of: "podcasts for a drive, I'm sick of Y", "She is tired of Y. Which ideas …"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litotes.detection.exclusion.already_known import asked_for_more
from litotes.detection.exclusion.request_words import FINITE, MARKS, WH, Trigger
from litotes.detection.exclusion.search_box import names_things
from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

WEARY = (
    *(("sick", "of"), ("sick", "to", "death", "of"), ("tired", "of"), ("bored", "of"), ("bored", "with")),
    *(
        ("fed", "up", "with"),
        ("fed", "up", "of"),
        ("weary", "of"),
        ("enough", "of"),
        ("enough", "with"),
        ("so", "over"),
    ),
    *(("done", "with"), ("my", "fill", "of"), ("too", "much"), ("too", "many")),
)
# only after had: we've had too much Y
HAD = frozenset({"enough", "my", "too"})
# everyone recommends Y. What else …
OTHERS = frozenset({"everyone", "everybody", "people", "friends", "they", "every", "all", "forums", "blogs", "guides"})
OPENS_AFTER = MARKS | {"because", "since", "as", "and", "but", "so"}
WORKED_AGAINST = frozenset(
    {"stop", "block", "rid", "remove", "avoid", "prevent", "help", "cure", "cope", "deal", "fix"}
)


def find_tired_of(sentence: Sentence) -> Iterator[Trigger]:
    """Example: Sick of Y, what other …; enough with Y."""
    tokens = sentence.tokens
    for token in tokens[:-2]:
        words = _weary(tokens, token)
        if not words:
            continue
        after = token.i + len(words)
        first = _clause_from(tokens, token.i)
        gate = next((t.i for t in tokens[after + 1 :] if _asks(tokens, t)), len(tokens))
        stop = gate
        while stop > after and (tokens[stop - 1].lower in MARKS | {"!", "so", "and", "please", ")"}):
            stop -= 1
        if first is None or not _a_thing(tokens[after:stop]):
            continue
        asks_next = sentence.text[tokens[gate - 1].end :].strip()
        if asks_next:
            found = _asks_for_others(asks_next, tokens[after:stop])
        elif len(words) > 1:
            found = _asked_for_things(sentence, first, tokens[after:stop])
        else:
            found = False
        if found:
            cut = stop if first > 0 and gate == len(tokens) else gate
            yield Trigger(first, after, " ".join(words), "what one is tired of is excluded", stop, cut)
            return


def _weary(tokens: Sequence[Token], token: Token) -> tuple[str, ...]:
    if token.lower in word_set("recommended") and any(t.lower in OTHERS for t in tokens[max(0, token.i - 3) : token.i]):
        # everyone keeps recommending Y
        return (token.lower,)
    for words in WEARY:
        if tuple(t.lower for t in tokens[token.i : token.i + len(words)]) == words:
            had = token.i > 0 and tokens[token.i - 1].lower in {"had", "have", "got"}
            marked = words == ("enough", "with") and token.i > 0 and tokens[token.i - 1].lower in MARKS
            return words if had or marked or words[0] not in HAD else ()
    return ()


def _clause_from(tokens: Sequence[Token], at: int) -> int | None:
    """Return where the clause begins: "[She is really] tired of". None if more than its subject precedes."""
    first = at
    while first > 0 and tokens[first - 1].lower not in OPENS_AFTER and at - first < 6:
        first -= 1
    if first > 0 and tokens[first - 1].lower not in OPENS_AFTER:
        # recipes for two tired of lasagne
        return at if tokens[at - 1].tag[:1] in "NC" and names_things(tokens[:at]) else None
    return first


def _asks(tokens: Sequence[Token], token: Token) -> bool:
    """Example: sick of pad thai [what] other …; bored of Y, [any] ideas; … , [suggest] some."""
    marked = tokens[token.i - 1].lower in MARKS | {"so"}
    return token.lower in {"what", "which"} or (
        marked and token.lower in WH | word_set("telling") | {"any", "is", "are"}
    )


def _a_thing(named: Sequence[Token]) -> bool:
    """Example: puns on bread, Hidden Brain; not: waking up, my job, it, the noise."""
    if not named or named[0].tag in {"VBG", "PRP", "PRP$", "IN", "TO"} or named[0].lower in {"this", "that", "these"}:
        return False
    return not any(token.tag in FINITE or token.lower in word_set("plagues") for token in named)


def _proper(named: Sequence[Token]) -> bool:
    return any(token.text[:1].isupper() for token in named)


def _asks_for_others(text: str, named: Sequence[Token]) -> bool:
    """Example: What else …, what ideas …; of a name also: which podcasts …. Not: sick of mice, which traps …"""
    words = set(text.lower().replace("?", " ").replace(",", " ").split())
    others = word_set("others") - {"more", "also"} | {"ideas", "alternatives", "alternative", "instead", "different"}
    return not words.isdisjoint(others) or (_proper(named) and asked_for_more(text, named))


def _asked_for_things(sentence: Sentence, first: int, named: Sequence[Token]) -> bool:
    """Example: lunchbox ideas, …; Suggest a reading, …; not: how to stop spam, …; apps to block calls, …"""
    before = sentence.tokens[:first]
    while before and before[-1].lower in OPENS_AFTER:
        before = before[:-1]
    words = [t.lower for t in before] or sentence.text[: sentence.start].lower().split()
    if not words or words[0] in {"how", "why", "can", "should", "is", "do", "does", "i", "we", "my"}:
        return False
    if not WORKED_AGAINST.isdisjoint(words):
        return False
    return _proper(named) or not before or words[0] in WH | word_set("telling") or names_things(before)
