"""Requests that name the thing first: "…, towels excluded", "leaving annuities aside, …", "leave that part out"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from litotes.detection.exclusion.request_words import BE, FINITE, MARKS, WH, Trigger, past_fillers
from litotes.detection.exclusion.requests import request_from, told
from litotes.detection.exclusion.search_box import names_things
from litotes.lexicon import table, word_set
from litotes.parse import Sentence, Token

LONGEST = 9
# with Y left out, when Y is excluded
# cues that can end a query without a mark before the excluded thing
BARE = frozenset({("excluded",), ("excepted",), ("omitted",), ("left", "out"), ("aside",)})
OPENING = frozenset({"with", "when", "if", "once"})


def postposed(sentence: Sentence) -> Iterator[Trigger]:
    """Example: …, wisdom teeth aside; (towels excluded); Tax aside, how …"""
    tokens = sentence.tokens
    for words, place in _tails():
        for at in range(1, len(tokens) - len(words) + 1):
            if tuple(token.lower for token in tokens[at : at + len(words)]) != words:
                continue
            end = at + len(words)
            first = _named_from(sentence, at)
            whole = first == 0 and sentence.start == 0
            if (first is None or whole) and end == len(tokens) and words in BARE:
                first = _unmarked(tokens[:at])
            left_out = words[-1] == "out" and tokens[end : end + 1] and tokens[end].lower == "of"
            closed = _closed(tokens, end) or (left_out and not _out_of_something(tokens[end : end + 3]))
            if first is None or not closed or not _topic(tokens[first:at], words):
                continue
            fronted = first == 0 and sentence.start == 0
            if fronted and (place == "end" or end == len(tokens)):
                continue
            cue = " ".join(words)
            opener = tokens[first - 1].lower if first else ""
            if words[0] in {"is", "are"} and (opener not in OPENING - {"with"} or not _asks_what(tokens) or first == 1):
                continue
            opened = first - 1 if opener in OPENING else first
            yield Trigger(opened, past_fillers(sentence, first), cue, f"“{cue}” excludes what precedes it", at, end)


def parted(sentence: Sentence) -> Iterator[Trigger]:
    """Example: leave Y out, leaving Y aside, putting Y to one side, keep Y out of it."""
    tokens = sentence.tokens
    for verb in tokens[:-2]:
        for at in range(verb.i + 2, min(len(tokens), verb.i + LONGEST)):
            between = [token.lower for token in tokens[verb.i + 1 : at]]
            closing = _closing(verb, tokens[at : at + 3])
            if "," in between and not {"and", "or"} & set(between):
                break
            if not closing or not told(sentence, verb, tokens[verb.i + 1]):
                continue
            end = at + len(closing)
            if tokens[verb.i + 1].tag == "VBG" or _out_of_something(tokens[end : end + 3]):
                continue
            if end < len(tokens) and tokens[end].lower not in {
                ".",
                ",",
                "please",
                "of",
                "?",
                "!",
                ";",
                "and",
                ")",
                ":",
            }:
                continue
            cue = " ".join((verb.lower, *closing))
            after = past_fillers(sentence, verb.i + 1)
            yield Trigger(
                request_from(sentence, verb.i),
                after,
                cue,
                f"“{verb.lower} … {' '.join(closing)}” excludes what is between",
                at,
                end,
            )
            break


def _out_of_something(following: Sequence[Token]) -> bool:
    """Example: cut meat out [of my diet], take stains out [of wool]; not: keep Y out of it."""
    words = [token.lower for token in following]
    answer = words[1:2] in (["it"], ["this"], ["that"]) or not word_set("of_an_answer").isdisjoint(words[1:])
    return words[:1] == ["of"] and not answer


def _asks_what(tokens: Sequence[Token]) -> bool:
    """Example: how big is it when Y is excluded; not: what to do when a pupil is excluded."""
    return tokens[0].lower in WH - {"when"} and tokens[1].lower != "to"


def _closing(verb: Token, following: Sequence[Token]) -> tuple[str, ...]:
    """Return the words that close what a verb opened: "leave … out"."""
    words = tuple(token.lower for token in following)
    for row in table("exclusion_pairs"):
        closes = tuple(row["closes"].split())
        if verb.lower in row["opens"].split() and words[: len(closes)] == closes:
            return closes
    return ()


@lru_cache(maxsize=1)
def _tails() -> list[tuple[tuple[str, ...], str]]:
    rows = [(tuple(row["words"].split()), row["place"]) for row in table("exclusion_tails")]
    return sorted(rows, key=lambda row: -len(row[0]))


def _named_from(sentence: Sentence, cue: int) -> int | None:
    """Return where the thing before the cue begins: after a mark, after "with", or at the start of the sentence."""
    tokens = sentence.tokens
    first = cue
    while first > 0 and tokens[first - 1].lower not in MARKS | OPENING | {"but"}:
        first -= 1
    # the deposit, the rent and the bills excluded: a list is one thing after another
    joined = any(token.lower in {"and", "or"} for token in tokens[first:cue])
    while joined and first > 1 and tokens[first - 1].lower == ",":
        back = max((t.i + 1 for t in tokens[: first - 1] if t.lower in MARKS), default=None)
        if back is None or first - back > 3 or any(t.tag in FINITE for t in tokens[back : first - 1]):
            break
        first = back
    return first if 0 < cue - first <= LONGEST else None


def _unmarked(before: Sequence[Token]) -> int | None:
    """Example: trains to lyon [overnight services] excluded."""
    if len(before) < 3 or before[-1].lower in word_set("moved_aside"):
        return None
    told = next(
        (t.i + 1 for t in before[1:-1] if t.tag in {"VBN", "VBD"} and before[t.i - 1].tag == "NNS"), len(before)
    )
    if not names_things(before[:told]):
        return None
    plural = max((t.i + 1 for t in before[:-1] if t.tag in {"NNS", "NNPS"}), default=0)
    preposition = max((t.i for t in before[:-2] if t.tag in {"IN", "TO"}), default=None)
    if preposition is None or preposition < plural - 1:
        while plural and plural < len(before) - 1 and before[plural].tag in {"VBN", "VBD"}:
            # spanish tenses explained [subjunctive] aside
            plural += 1
        return plural if plural and before[plural].tag[:1] in "NJCVR" else None
    at = preposition + 1
    while at < len(before) - 2 and before[at].tag in {"DT", "JJ", "PRP$"}:
        at += 1
    return at + 1


def _closed(tokens: Sequence[Token], end: int) -> bool:
    """Return whether nothing of the same clause follows: "Tax aside what …", but not "excluded from school"."""
    return end == len(tokens) or tokens[end].lower in MARKS | {")", "!", "please", "and", "but", "…"} | WH


def _topic(named: Sequence[Token], words: Sequence[str]) -> bool:
    """Match a noun phrase that can be a topic: not "joking aside", "two feet apart" or "batteries not included"."""
    lowers = {token.lower for token in named}
    # aqueducts aside, lead glazes aside: the last word may be taken for a verb
    stated = (
        any(t.tag in FINITE and t.dep != "amod" for t in named[:-1])
        or named[-1].tag in {"VBD", "MD"}
        or named[-1].lower in BE
    )
    asked = any(t.tag in {"WP", "WRB", "WDT"} or (t.tag == "PRP" and t.lower != "it") for t in named)
    if stated or asked or not lowers.isdisjoint(word_set("no_topic_aside")):
        return False
    if (words[0] == "apart" and named[0].tag == "VB") or named[0].lower in {"let", "lets"}:
        # take a clock apart; let's leave Y aside
        return False
    if words[0] == "apart" and (not lowers.isdisjoint(word_set("spans_apart")) or any(t.tag == "CD" for t in named)):
        return False
    if words[0] == "not" and not lowers.isdisjoint(word_set("sold_apart")):
        return False
    return any(token.tag[:1] == "N" or token.tag in {"VBG", "CD"} for token in named) or named[-1].tag[:1] in "VJR"
