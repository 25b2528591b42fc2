"""Requests typed into a search box without punctuation: "films skip Y", "every tragedy bar Y", "X not the band"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from litotes.detection.exclusion.denials import past_wish
from litotes.detection.exclusion.request_words import (
    ASKED,
    BE,
    FINITE,
    MARKS,
    RELATIVE,
    WEIGHING,
    WH,
    Trigger,
    name_like,
    nominal,
    noun_at_the_end,
    past_fillers,
)
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

RULE = "typed without a mark, “{}” excludes what follows"
ALL = frozenset({"all", "every", "each", "any", "best", "top", "good", "other"})
HEARD = frozenset({"hear", "read", "see", "know", "learn", "watch"})


def typed(sentence: Sentence) -> Iterator[Trigger]:
    tokens = sentence.tokens
    for token in tokens[1:-1]:
        following = tokens[token.i + 1]
        words, sort = _cue(tokens, token)
        at = token.i + len(words)
        if sort and at < len(tokens) and _names_one(tokens[at]) and _fits(sentence, token, at, sort):
            cue = " ".join(words)
            yield Trigger(token.i, past_fillers(sentence, at), cue, RULE.format(cue))
        elif token.lower == "nothing" and following.lower == "like":
            yield from _nothing_like(sentence, token)
        elif token.lower in {"not", "n't", "nt"}:
            yield from _unwanted(sentence, token)
            yield from _other_sense(sentence, token)
            yield from _one_of_them(sentence, token)


def names_things(before: Sequence[Token]) -> bool:
    """Example: museums in paris, list every emperor, bond films ranked."""
    first, last = before[0], before[-1]
    lowers = [token.lower for token in before]
    tells = first.lower in word_set("telling")
    to_do = lowers[:2] in (["what", "to"], ["where", "to"])
    if not tells and not to_do and (first.lower in ASKED | WEIGHING or first.tag == "VB"):
        return False
    if any(_says(token) for token in before[1:-1]) or not {"i", "you", "he", "she", "it", "they"}.isdisjoint(lowers):
        return False
    ranked = last.tag in {"VBD", "VBN"} and len(before) > 2
    placed = any(token.tag in {"IN", "TO"} for token in before[1:-1])
    several = len(before) > 1 and any(token.tag in {"NNS", "NNPS"} for token in before[-2:])
    return tells or to_do or ranked or placed or several or not ALL.isdisjoint(lowers)


def _says(token: Token) -> bool:
    """Match a finite verb with a subject, unlike "plays" in "shakespeare plays explained"."""
    if token.lower in BE or token.tag == "MD" or token.lower in {"do", "does", "did", "has", "have", "had"}:
        return token.lower != "do"
    return token.tag in FINITE and known(token.lower, "V") and not known(token.lower, "N")


def _names_one(token: Token) -> bool:
    return token.tag[:2] not in {"IN", "TO", "CC", "RB", "PR", "WP", "WD", "WR", "MD"} and token.lower[:1].isalnum()


@lru_cache(maxsize=1)
def _cues() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return the cues by their first word, longest first."""
    cues: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for row in sorted(table("exclusion_typed"), key=lambda row: -len(row["words"])):
        words = tuple(row["words"].split())
        cues.setdefault(words[0], []).append((words, row["before"]))
    return cues


def _cue(tokens: Sequence[Token], token: Token) -> tuple[tuple[str, ...], str]:
    for words, sort in _cues().get(token.lower, ()):
        if tuple(other.lower for other in tokens[token.i : token.i + len(words)]) == words:
            return words, sort
    return (), ""


def _fits(sentence: Sentence, cue: Token, at: int, sort: str) -> bool:
    tokens = sentence.tokens
    before, rest = tokens[: cue.i], tokens[at:]
    near = {token.lower for token in rest[:4]}
    lowers = {token.lower for token in before}
    if before[-1].tag in {"IN", "TO", "CC", "DT"} or before[-1].lower in MARKS | RELATIVE | {"not", "n't", "nt"}:
        return False
    if cue.lower == "no" and before[-1].tag in {"VBZ", "VBP", "MD"} and _says(before[-1]):
        # someone who speaks no English
        return False
    sure = cue.lower == "never" or _no_common_noun(rest[0])
    if not names_things(before) and not (sure and keywords(before)):
        return False
    if sort == "thing":
        # most teenagers skip breakfast; pandas read_csv skip rows; medicines avoid grapefruit
        acts = before[-1].lower in word_set("who_acts") and before[-2].tag != "IN"
        taken = cue.lower == "avoid" and not lowers.isdisjoint(word_set("taken_with_care"))
        computed = not near.isdisjoint(word_set("skipped_by_programs"))
        return not acts and not taken and not computed and before[-1].tag not in {"MD", "PRP"}
    if sort == "name":
        # dutch painters save vermeer; not: chrome passwords save location
        if cue.lower == "outside" and before[-1].tag not in {"NNS", "NNPS"}:
            return False
        return name_like(rest[0]) or (rest[0].lower == "the" and len(rest) > 1 and name_like(rest[1]))
    if sort == "rest":
        # roman gods all but the sun; not: all but one, all but the last
        last = any(token.tag in {"CD", "JJS"} or token.lower in {"last", "first", "gone", "dead"} for token in rest[:2])
        return not last and lowers.isdisjoint(word_set("task_words")) and rest[0].tag not in {"VBN", "VBD", "JJ"}
    if cue.lower == "bar":
        # every tragedy bar Y; not: every cocktail bar soho
        every = not {"all", "every", "each"}.isdisjoint(token.lower for token in before[:-1])
        every = every and (before[-1].tag[:1] == "N" or not known(before[-1].lower, "J"))
        every = every or (before[-1].tag == "NNS" and name_like(rest[0]))
        return every and before[-1].lower not in word_set("kinds_of_bar") and rest[0].lower not in {"none", "one"}
    fonts = {token.lower for token in tokens} & word_set("of_fonts")
    # recipes sans eggs: an attribute; songs ranked sans Y, the sights of X sans the Y
    return not fonts and (len(before) > 2 or rest[0].tag in {"NNP", "NNPS", "DT"})


def _no_common_noun(token: Token) -> bool:
    return name_like(token) and (token.text[:1].isupper() or not known(token.lower, "N"))


def keywords(before: Sequence[Token]) -> bool:
    """Example: python web framework: two words or more, none of them a verb that is said of something."""
    if len(before) < 2 or before[0].lower in ASKED | WEIGHING:
        return False
    named = before[-1].tag[:1] in "NC" or name_like(before[-1]) or known(before[-1].lower, "N")
    closed = any(token.tag in {"PRP", "MD", "TO", "EX", "WP", "WDT", "WRB"} for token in before[1:])
    return named and not closed and not any(_says(token) for token in before)


def _nothing_like(sentence: Sentence, token: Token) -> Iterator[Trigger]:
    """Example: a thriller nothing like Y or Z; not: it is nothing like Y."""
    before = sentence.tokens[: token.i]
    if token.i + 2 >= len(sentence.tokens) or sentence.tokens[token.i + 2].tag == "PRP":
        return
    marked = before[-1].lower in MARKS and token.i > 2 and before[0].lower not in {"there", "it"}
    if marked or (before[-1].tag[:1] == "N" and names_things(before)):
        yield Trigger(token.i, past_fillers(sentence, token.i + 2), "nothing like", RULE.format("nothing like"))


def _unwanted(sentence: Sentence, negator: Token) -> Iterator[Trigger]:
    """Example: career of X dont want to hear about Y; quiet places in X not interested in Y."""
    tokens = sentence.tokens
    words = [token.lower for token in tokens[negator.i + 1 : negator.i + 4]]
    first = negator.i - 1 if tokens[negator.i - 1].lower == "do" else negator.i
    if first < 2 or len(words) < 3:
        return
    told = words[:2] == ["want", "to"] and words[2] in HEARD
    wished = words[0] == "want" and nominal(tokens[negator.i + 2])
    bare = first < negator.i and (told or wished)
    if not bare and (first < negator.i or words[:2] != ["interested", "in"]):
        return
    before = tokens[:first]
    # scottish history do n't: no one of whom it could be said
    alone = told and before[-1].tag == "NN" and before[0].lower not in ASKED | WEIGHING
    # how can i fall asleep faster do n't
    alone = alone or (told and before[0].lower in WH and before[-1].tag not in {"NNS", "NNPS"})
    if before[-1].lower in word_set("who_acts") or before[-1].tag[:1] not in "NVJCR":
        return
    if alone or names_things(before):
        yield Trigger(first, past_wish(sentence, negator.i + 2), "not", "what is not wanted is excluded")


def _other_sense(sentence: Sentence, negator: Token) -> Iterator[Trigger]:
    """Example: saturn [not the car] rings: one sense of a name is set apart in the middle of keywords."""
    tokens = sentence.tokens
    before = tokens[: negator.i]
    if negator.lower != "not" or negator.i > 3 or tokens[negator.i + 1].lower not in {"the", "a", "an"}:
        return
    if any(token.lower in ASKED | WEIGHING | BE or token.tag in {"PRP", "MD"} for token in before):
        return
    senses = word_set("senses")
    at = next((t.i for t in tokens[negator.i + 2 : negator.i + 5] if t.lower in senses), 0)
    while at and at + 1 < len(tokens) and tokens[at + 1].lower in senses:
        at += 1
    if at and at + 1 < len(tokens) and not any(t.lower in MARKS | {"but", "and", "or", ")"} for t in tokens[at + 1 :]):
        yield Trigger(negator.i, negator.i + 1, "not", "“not” sets one sense of the name apart", at + 1, at + 1)


def _one_of_them(sentence: Sentence, negator: Token) -> Iterator[Trigger]:
    """Example: italian desserts not tiramisu, python web framework not django; not: files not found."""
    before, rest = sentence.tokens[: negator.i], sentence.tokens[negator.i + 1 :]
    following = rest[0]
    unknown = following.tag[:1] in "VJ" and nominal(following)
    unknown = unknown or (following.tag == "RB" and not known(following.lower, "RB"))
    last = noun_at_the_end(sentence, following) and before[-1].tag == "NNS"
    if negator.lower != "not" or not (
        unknown or following.tag in {"NN", "NNP", "NNPS"} or name_like(following) or last
    ):
        return
    compound = len(rest) == 2 and rest[1].lower.endswith(("ing", "ed", "free")) and not name_like(following)
    if compound or following.lower in word_set("not_adding"):
        return
    kinds = before[-1].tag[:1] == "N" and names_things(before)
    alone = len(rest) == 1 and following.tag[:1] == "N" and not any(known(following.lower, sort) for sort in "VJ")
    if (
        kinds
        or (alone and keywords(before))
        or (_no_common_noun(following) and (keywords(before) or before[0].tag == "NNS" == before[-1].tag))
    ):
        yield Trigger(negator.i, past_fillers(sentence, following.i), "not", RULE.format("not"))
