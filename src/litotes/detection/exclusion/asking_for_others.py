"""Questions for others than the named one: "in addition to Y, what other …", "any other X than Y"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litotes.detection.exclusion.already_known import find_already_known
from litotes.detection.exclusion.request_words import (
    BE,
    FINITE,
    MARKS,
    RELATIVE,
    WEIGHING,
    WH,
    Trigger,
    nominal,
    past_fillers,
    says_more,
    tells,
)
from litotes.detection.exclusion.tired_of import find_tired_of
from litotes.lexicon import table, word_set
from litotes.parse import Sentence, Token


def asking_for_others(sentence: Sentence) -> Iterator[Trigger]:
    yield from _added(sentence)
    yield from _than(sentence)
    yield from _known(sentence)
    yield from find_already_known(sentence)
    yield from find_tired_of(sentence)
    for token in sentence.tokens[1:-1]:
        following = sentence.tokens[token.i + 1]
        if token.lower in {"different", "distinct"} and following.lower in {"from", "than", "to"}:
            yield from _different(sentence, token)
        elif token.lower in {"regardless", "irrespective"} and following.lower == "of":
            yield from _regardless(sentence, token)
    yield from _unlike(sentence)


def _added(sentence: Sentence) -> Iterator[Trigger]:
    """Example: In addition to Y, what other …; what else did she write in addition to Y."""
    tokens = sentence.tokens
    for row in table("exclusion_additions"):
        words = row["words"].split()
        for at in range(len(tokens) - len(words)):
            if [token.lower for token in tokens[at : at + len(words)]] != words:
                continue
            end = at + len(words)
            others = any(token.lower in word_set("others") for token in (*tokens[:at], *tokens[end:]))
            if words == ["beyond"] and _more_of_the_kind(tokens[:at], tokens[end]):
                yield Trigger(at, past_fillers(sentence, end), "beyond", "more is asked for than what follows “beyond”")
                continue
            asked = any(token.lower in {"what", "which", "who"} and token.i > end for token in tokens)
            fronted = at == 0 and asked and (others or row["needs"] == "question")
            others = others or (row["needs"] == "question" and tokens[0].lower == "which")
            if fronted or (at > 0 and others and tokens[0].lower in WH | {"can", "could", "are", "is"}):
                cue = " ".join(words)
                yield Trigger(
                    at, past_fillers(sentence, end), cue, f"what is asked for comes on top of what follows “{cue}”"
                )


def _more_of_the_kind(before: Sequence[Token], following: Token) -> bool:
    """Example: uses for vinegar beyond Y; what can you do with it beyond Y; not: planets beyond Y."""
    words = [token.lower for token in before]
    if following.tag in {"CD", "JJ", "PRP"} or not word_set("of_distance").isdisjoint(words):
        return False
    helped = (
        words[:1] == ["what"]
        and len(words) > 3
        and (before[1].tag == "MD" or words[1] in {"did", "does", "is", "has", "have"})
    )
    return helped or not word_set("asked_in_plural").isdisjoint(words[:2])


def _than(sentence: Sentence) -> Iterator[Trigger]:
    """Example: any other colour than red; a different place than Y."""
    tokens = sentence.tokens
    for at, token in enumerate(tokens[2:-1], start=2):
        before = [other.lower for other in tokens[max(0, at - 5) : at - 1]]
        if token.lower != "than" or tokens[at - 1].tag[:1] != "N":
            continue
        other = "other" in before and "each" not in before and "no" not in before
        word = "other" if other else "different"
        if word not in before or (not other and "a" not in before):
            continue
        between = tokens[at - 1 - len(before) + before.index(word) : at]
        weighed = tokens[0].lower in WEIGHING and not tells(sentence)
        if not weighed and not _compared(sentence, at) and not any(t.tag in FINITE for t in between):
            cue = f"{word} … than"
            yield Trigger(at, past_fillers(sentence, at + 1), cue, f"“{cue}” excludes what follows")


def _compared(sentence: Sentence, than: int) -> bool:
    """Example: taller than, more … than: a comparison has its own than."""
    return any(t.tag in {"JJR", "RBR"} or t.lower in {"more", "less"} for t in sentence.tokens[max(0, than - 6) : than])


def _known(sentence: Sentence) -> Iterator[Trigger]:
    """Example: The members include Y, what else?; I've already seen Y, what other films …"""
    tokens = sentence.tokens
    ask = next(
        (t.i for t in tokens[3:] if t.lower in {"what", "who", "which", "where", "any"} and _others_next(sentence, t)),
        0,
    )
    if not ask or tokens[ask - 1].lower not in {",", ";", "-", "and", "so", ":"}:
        return
    for token in tokens[1 : ask - 1]:
        listed = token.lower in {"include", "includes", "included"} and token.tag in FINITE
        had = token.lower in word_set("already_had") and tokens[0].lower in {"i", "we", "already", "i've"}
        if not listed and not had:
            continue
        stop = ask
        while tokens[stop - 1].lower in {",", ";", "-", "and", "so", ":", "already"}:
            stop -= 1
        first = token.i if listed else 0
        after = token.i + 1
        while after < stop and tokens[after].lower in {"already", "about", "to", "all"}:
            after += 1
        if after < stop and not any(t.tag in FINITE for t in tokens[after:stop]):
            cut = stop if listed else ask
            yield Trigger(first, after, "what else", "others are asked for than the one that is named", stop, cut)
        return


def _others_next(sentence: Sentence, token: Token) -> bool:
    following = sentence.after(token)
    return following is not None and following.lower in {"else", "other", "others"}


def _different(sentence: Sentence, token: Token) -> Iterator[Trigger]:
    """Example: a company (that is) different from Y; not: how is X different from Y."""
    tokens, before = sentence.tokens, sentence.tokens[token.i - 1]
    made = any(t.lower in {"make", "makes", "made", "making", "how"} for t in tokens[: token.i])
    if made or (tokens[0].lower in WEIGHING | {"are", "was", "were"} and not tells(sentence)):
        return
    relative = token.i > 1 and before.lower in BE and tokens[token.i - 2].lower in RELATIVE
    if before.tag[:1] == "N" or relative or (before.lower == "," and token.i > 1):
        first = token.i - 2 if relative else token.i
        cue = f"{token.lower} {tokens[token.i + 1].lower}"
        yield Trigger(first, past_fillers(sentence, token.i + 2), cue, f"“{cue}” excludes what follows")


def _regardless(sentence: Sentence, token: Token) -> Iterator[Trigger]:
    """Example: …, regardless of any information about Y; not: a loan regardless of age."""
    after = token.i + 2
    named = any(t.tag in {"NNP", "NNPS"} for t in sentence.tokens[after:])
    if (
        sentence.tokens[token.i - 1].lower in MARKS
        and after < len(sentence.tokens)
        and (named or says_more(sentence, after))
    ):
        cue = f"{token.lower} of"
        yield Trigger(token.i, past_fillers(sentence, after), cue, f"“{cue}” leaves out what follows")


def _unlike(sentence: Sentence) -> Iterator[Trigger]:
    """Example: …, unlike Y; Unlike Y, which other …; not: why is Venus, unlike Earth, …"""
    tokens = sentence.tokens
    for token in tokens[:-1]:
        if token.lower != "unlike" or tokens[0].lower in WEIGHING or not nominal(tokens[token.i + 1]):
            continue
        others = any(t.lower in word_set("others") for t in tokens)
        closing = (
            token.i > 1 and tokens[token.i - 1].lower in MARKS and not any(t.tag in FINITE for t in tokens[token.i :])
        )
        if closing or (token.i == 0 and others):
            yield Trigger(token.i, past_fillers(sentence, token.i + 1), "unlike", "“unlike” excludes what follows")
