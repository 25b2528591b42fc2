"""A "not" that rules out one thing: "and it's not the toilet", "but not in Britain", "not Y but other Xs"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from litotes.detection.exclusion.request_words import (
    BE,
    FINITE,
    MARKS,
    WEIGHING,
    Trigger,
    nominal,
    noun_at_the_end,
    past_fillers,
    tells,
)
from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

STATED = frozenset({"it", "its", "it's", "that", "thats", "they", "this", "theyre"})


def contrasted(sentence: Sentence, negator: Token) -> Iterator[Trigger]:
    """Find what "not" excludes by its position in the query. Each rule looks at other words before and after it."""
    following = sentence.after(negator)
    if following is None or negator.lower == "never" or following.lower in word_set("not_adding"):
        return
    yield from _stated(sentence, negator, following)
    yield from _placed(sentence, negator, following)
    yield from _opening_not(sentence, negator, following)


def _stated(sentence: Sentence, negator: Token, following: Token) -> Iterator[Trigger]:
    """Example: …, and it isn't the toilet; as long as it is not Y; provided they are not Ys."""
    tokens = sentence.tokens
    first = negator.i
    if following.lower == "be" and first > 1 and tokens[first - 1].tag == "MD" and following.i + 1 < len(tokens):
        # but it should not be Y
        first, following = first - 1, tokens[following.i + 1]
    while first > 0 and (tokens[first - 1].lower in BE or tokens[first - 1].tag == "RB"):
        first -= 1
    if first < 1 or tokens[first - 1].lower not in STATED:
        return
    first -= 1
    if first == 0:
        # why is my wifi slow? it isn't the router
        if sentence.start > 0 and nominal(following) and tokens[0].lower != "that":
            yield Trigger(0, past_fillers(sentence, following.i), "not", "what it is said not to be is excluded")
        return
    opened = _condition(sentence, first)
    joined = tokens[first - 1].lower in MARKS | {"and", "but", "so"}
    referring = [token.lower for token in tokens[following.i : following.i + 3]] == ["in", "reference", "to"]
    topical = following.lower in word_set("not_by") or referring
    named = nominal(following) or noun_at_the_end(sentence, following)
    if (opened < first or joined) and (named or topical):
        step = 3 if referring else int(topical)
        after = past_fillers(sentence, following.i + step)
        yield Trigger(opened, after, "not", "what it is said not to be is excluded")


def _condition(sentence: Sentence, first: int) -> int:
    """Example: [as long as] it is not Y, [provided (that)] it isn't Y."""
    words = [token.lower for token in sentence.tokens[:first]]
    for opening in (["as", "long", "as"], ["so", "long", "as"], ["provided", "that"], ["provided"], ["providing"]):
        if words[-len(opening) :] == opening:
            return first - len(opening)
    return first


def _placed(sentence: Sentence, negator: Token, following: Token) -> Iterator[Trigger]:
    """Example: famous canals but not in Britain; my accounts, not with a manager; and not because of the cold."""
    tokens, before = sentence.tokens, sentence.before(negator)
    if before is not None and before.lower in {"just", "only", "though", "specifically"}:
        before = sentence.before(before)
    if before is None or following.i + 1 >= len(tokens) or before.lower not in MARKS | {"but", "and", "though"}:
        return
    first = before.i if before.lower not in MARKS else before.i + 1
    pair = f"{following.lower} {tokens[following.i + 1].lower}"
    if pair in {"because of", "due to", "caused by"}:
        if tokens[0].lower not in {"is", "was", "are", "were", "did"}:
            yield Trigger(first, past_fillers(sentence, following.i + 2), "not", "a cause is ruled out")
        return
    if following.lower not in word_set("not_placed") or not _names(sentence, before, following.lower):
        return
    thing = tokens[following.i + 1]
    if following.lower == "as" and not nominal(thing):
        # not as good as it looks
        return
    if following.tag in {"IN", "TO", "RP", "RB"} and (nominal(thing) or thing.tag in {"JJ", "VBG"}):
        again = following.lower in {token.lower for token in tokens[: before.i]}
        timed = any(token.lower in word_set("time_nouns") for token in tokens[following.i + 1 : following.i + 4])
        named = thing.tag in {"NNP", "NNPS"} or any(token.tag == "NNP" for token in tokens[1 : before.i])
        if timed or (again and not named):
            # a rash on the arms but not on the legs, at night but not during the day: two are told apart
            return
        after = past_fillers(sentence, following.i + 1)
        yield Trigger(first, after, f"not {following.lower}", "“not” sets one place, means or time apart")


def _names(sentence: Sentence, joint: Token, preposition: str) -> bool:
    """Return whether the words before it are a topic or a request: not "legal in France but not in Spain"."""
    before = sentence.tokens[: joint.i]
    if sentence.tokens[0].lower in WEIGHING and not tells(sentence):
        # how do tides work, but not in rivers
        marked = joint.lower in MARKS or (joint.i > 0 and sentence.tokens[joint.i - 1].lower in MARKS)
        return sentence.tokens[0].lower == "how" and (marked or sentence.tokens[1].lower != "to")
    if tells(sentence) or sentence.tokens[0].lower in {"i", "we", "what", "which", "who", "where"}:
        return True
    pairs = pairwise(before)
    fit = any(one.tag == "JJ" and other.lower == preposition for one, other in pairs)
    stated = any(token.tag in FINITE or token.tag == "VBN" for token in before[1:]) or before[0].tag in {"VBN", "VBD"}
    return not fit and not stated and any(token.tag[:1] == "N" or token.tag == "VBG" for token in before)


def _opening_not(sentence: Sentence, negator: Token, following: Token) -> Iterator[Trigger]:
    """Example: not crazing but other reasons why pots crack; not the singer but the footballer."""
    if following.lower in word_set("not_meant"):
        # not being funny but why …
        return
    if negator.i > 0 or not (nominal(following) or following.tag in {"VBG", "JJ", "VBN"}):
        return
    joint = next((token.i for token in sentence.tokens[2:] if token.lower == "but"), 0)
    if joint and not any(token.tag in FINITE for token in sentence.tokens[:joint]):
        stop = joint - 1 if sentence.tokens[joint - 1].lower == "," else joint
        yield Trigger(0, following.i, "not", "“not … but” excludes one thing", stop, joint + 1)
