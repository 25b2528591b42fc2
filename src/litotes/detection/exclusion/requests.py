"""Requests in other words: "leave out Y", "without mentioning Y", "nothing about Y", "no Y please"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from litotes.detection.exclusion.request_words import (
    ASKED,
    BE,
    FINITE,
    MARKS,
    OF_SOMEONE,
    POLITE,
    RELATIVE,
    WEIGHING,
    WH,
    Trigger,
    name_like,
    nominal,
    past_fillers,
    past_told,
    says_more,
    set_off,
    tells,
)
from litotes.detection.exclusion.statements import stated
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token


def asking(sentence: Sentence) -> Iterator[Trigger]:
    """Example: leave out Y; with no mention of Y; nothing about Y; unrelated to Y."""
    for words, sort in _requests():
        for at in range(len(sentence.tokens) - len(words)):
            if all(sentence.tokens[at + step].lower == word for step, word in enumerate(words)):
                first, following = sentence.tokens[at], sentence.tokens[at + len(words)]
                if sort == "told" and not told(sentence, first, following):
                    continue
                if sort == "noun" and not (_named(sentence, following, words) and _after_noun(sentence, first)):
                    continue
                if sort == "any" and (
                    not _of_the_answer(sentence, at) or _claimed(sentence, at) or _told(sentence, at)
                ):
                    continue
                cue = " ".join(words)
                after = past_fillers(sentence, at + len(words))
                if following.lower in word_set("telling_gerunds") and sort == "told":
                    # avoid mentioning Y
                    after = past_told(sentence, at + len(words) + 1)
                if sort == "topic" and after == at + len(words):
                    continue
                yield Trigger(request_from(sentence, at), after, cue, f"“{cue}” excludes what follows")
    yield from _without(sentence)
    yield from _no_need(sentence)


def _told(sentence: Sentence, at: int) -> bool:
    """Example: my job has nothing to do with law; nothing from the chemist works: a fact, and no request."""
    token = sentence.tokens[at]
    acts = (
        token.lower == "nothing"
        and token.dep.startswith("nsubj")
        and token.head > at
        and sentence.tokens[token.head].tag in FINITE
    )
    return acts or (at > 0 and sentence.tokens[at - 1].lower not in MARKS and stated(sentence, at))


def _claimed(sentence: Sentence, at: int) -> bool:
    """Example: smoking is unrelated to anxiety: a claim about the two, and no request."""
    before = sentence.before(sentence.tokens[at])
    opens = sentence.tokens[0].lower
    return before is not None and before.lower in {"is", "are", "was", "were"} and opens not in ASKED


def _no_need(sentence: Sentence) -> Iterator[Trigger]:
    """Example: volcanoes in italy no need to cover Y; not: no need to argue."""
    words = [token.lower for token in sentence.tokens]
    for at in range(len(words) - 4):
        if words[at : at + 3] != ["no", "need", "to"] or (
            at and words[at - 1] in {"have", "see", "feel", "has", "had"}
        ):
            continue
        into = words[at + 3] == "go" and words[at + 4] in {"into", "over", "through"}
        if into or words[at + 3] in word_set("exclusion_verbs") - {"use", "go", "come"}:
            after = past_told(sentence, at + 4 + into)
            if after >= len(words) or sentence.tokens[after].tag == "PRP":
                continue
            cue = f"no need to {words[at + 3]}"
            yield Trigger(request_from(sentence, at), after, cue, f"“{cue}” excludes what follows")


def _without(sentence: Sentence) -> Iterator[Trigger]:
    """Example: without mentioning Y, without any reference to Y: the verb or the noun is one of telling."""
    tokens = sentence.tokens
    for token in tokens[:-2]:
        # i don't want to break up without talking
        told_of_oneself = tokens[0].lower in {"i", "we"} and any(t.lower in {"n't", "nt", "not"} for t in tokens[:4])
        if token.lower != "without" or told_of_oneself:
            continue
        at = token.i + 1
        while at + 1 < len(tokens) and (tokens[at].tag == "RB" or tokens[at].lower == "any"):
            at += 1
        word = tokens[at].lower
        if word == "using" and not word_set("spoken_words").isdisjoint(t.lower for t in tokens[at + 1 : at + 4]):
            # without using the word Y
            after = at + 1
        elif word in word_set("telling_gerunds") and not _moves(tokens[at : at + 2]):
            after = past_told(sentence, at + 1)
        elif tokens[at].tag == "VBG" and says_more(sentence, at + 1):
            # without providing any details about Y
            after = past_fillers(sentence, at + 1)
        elif word in word_set("telling_nouns"):
            after = past_fillers(sentence, at)
            if tokens[after - 1].lower not in word_set("exclusion_joints"):
                continue
        else:
            continue
        if after < len(tokens) and (says_more(sentence, at + 1) or _of_the_answer(sentence, token.i)):
            cue = f"without {word}"
            yield Trigger(token.i, after, cue, f"“{cue}” excludes what follows")


def _moves(tokens: Sequence[Token]) -> bool:
    """Example: without going to the gym, without touching the nest: not going into Y, not touching on Y."""
    following = tokens[1].lower if len(tokens) > 1 else ""
    if tokens[0].lower in {"going", "getting", "diving"}:
        return following not in {"into", "over", "through", "on", "in"}
    return tokens[0].lower == "touching" and following not in {"on", "upon"}


def _of_the_answer(sentence: Sentence, at: int) -> bool:
    """Return whether the request is about the answer, unlike "can I write a letter without mentioning Y"."""
    tokens = sentence.tokens
    if tokens[at].lower == "nothing" and at > 0 and tokens[at - 1].lower in word_set("said_or_known"):
        # the lease says nothing about pets; not: and say nothing about Y, films that say nothing about Y
        related = at > 1 and tokens[at - 2].lower in RELATIVE
        return related or (tokens[at - 1].lower == "say" and _ordered(sentence, at - 1))
    if tokens[at].lower == "say":
        return _ordered(sentence, at)
    if tokens[at].lower == "nothing" and at == 0 and sentence.start == 0:
        return any(token.lower in {",", ":", ";"} for token in tokens)
    done = not word_set("telling_by_doing").isdisjoint(token.lower for token in tokens[at + 1 : at + 3])
    if (tokens[0].lower == "how" and tokens[1].lower == "to") or (done and _of_the_doing(tokens[:at])):
        return set_off(sentence, at)
    if tokens[0].lower not in WEIGHING or set_off(sentence, at) or tells(sentence):
        return True
    # how does a heat pump work without going into Y: no one is asked to do it
    acting = {"i", "you", "we", "one", "it", "someone", "people", "to", "there"}
    return tokens[0].lower in {"how", "why"} and acting.isdisjoint(token.lower for token in tokens[1:4])


def _of_the_doing(before: Sequence[Token]) -> bool:
    """Example: lose weight without …, ways to lose weight without …: how a thing is done, and not how it is told."""
    if not before or before[0].lower in word_set("telling"):
        return False
    ways = any(
        one.lower in word_set("ways") and other.tag == "TO" and third.lower not in word_set("telling")
        for one, other, third in zip(before, before[1:], before[2:], strict=False)
    )
    return ways or (before[0].tag == "VB" and known(before[0].lower, "V"))


def _named(sentence: Sentence, token: Token, words: tuple[str, ...]) -> bool:
    """Example: anything but 1984; not: 7 minus 3, anything but easy, anywhere but his own basket."""
    following = sentence.after(token)
    if token.lower in OF_SOMEONE:
        return False
    if words[-1] == "but" and token.tag == "JJ" and known(token.lower, "J"):
        return following is not None and (following.tag[:1] in "NJ" or following.lower in {"and", "or"})
    return token.tag[:1] in "NDPJ" or (token.tag == "CD" and words[-1] == "but")


def _after_noun(sentence: Sentence, first: Token) -> bool:
    before = sentence.before(first)
    if before is None:
        # Recommend a thriller. Anything but Dan Brown.
        return sentence.start > 0
    if first.lower == "anywhere":
        return True
    # bond films ranked minus Y
    ranked = (
        before.tag in {"VBD", "VBN", "VBG"}
        and before.lower not in BE
        and before.i > 1
        and sentence.tokens[0].lower not in ASKED | WEIGHING
    )
    return before.tag[:1] == "N" or before.tag == "CD" or before.lower in MARKS or ranked


def _ordered(sentence: Sentence, verb: int) -> bool:
    """Example: and [say] nothing of Y: a verb that opens a request."""
    return verb == 0 or sentence.tokens[verb - 1].lower in MARKS | {"and", "but", "please", "then"}


def request_from(sentence: Sentence, at: int) -> int:
    """Example: [that make] no mention of; [that have] nothing to do with."""
    words = [token.lower for token in sentence.tokens[max(0, at - 2) : at]]
    if (
        len(words) == 2
        and words[0] in RELATIVE
        and words[1] in {"make", "makes", "have", "has", "had", "made", "with", "say", "says"}
    ):
        return at - 2
    if words in (["there", "is"], ["there", "'s"], ["if", "we"], ["if", "you"]) or words[:1] == ["let"]:
        return at - 2
    if words[-1:] == ["lets"]:
        return at - 1
    if words[:1] == ["you"] and sentence.tokens[at - 1].tag == "MD":
        # [you can] skip Y
        return at - 2
    if words[-1:] and words[-1] in {"say", "make", "give"} and _ordered(sentence, at - 1):
        # and [say] nothing about Y
        return at - 1
    return at - 1 if words and words[-1] in {"with", "having", "making", *RELATIVE} and at > 1 else at


@lru_cache(maxsize=1)
def _requests() -> list[tuple[tuple[str, ...], str]]:
    """Return the table of requests, longest first."""
    rows = [(tuple(row["words"].split()), row["type"]) for row in table("exclusion_requests")]
    return sorted(rows, key=lambda row: -len(row[0]))


def told(sentence: Sentence, verb: Token, following: Token) -> bool:
    """Example: Skip Y; …, ignoring Y: a request, not a topic ("how to exclude Y", "can I ignore Y")."""
    before = sentence.before(verb)
    if following.lower == "of" or following.lower in {"me", "him", "her", "it", "them", "us", "you"}:
        return False
    if before is None:
        # a sentence of its own, after the one that asks
        asked = verb.tag == "VBG" and any(token.lower in WH and token.i > 1 for token in sentence.tokens)
        # Leave out Y: who else …
        opens = ASKED | WEIGHING | word_set("telling")
        asked = asked or any(a.lower in {":", "-", "—", "–"} and b.lower in opens for a, b in pairwise(sentence.tokens))
        # Forget Y. What should I see in Paris?
        further = sentence.text[sentence.end :].lower().split()[:1]
        asked = asked or any(word in opens for word in further)
        return asked or sentence.start > 0 or any(token.lower in {",", "and", "but", ";"} for token in sentence.tokens)
    if [token.lower for token in sentence.tokens[max(0, verb.i - 2) : verb.i]] in (["if", "we"], ["if", "you"]):
        # if we leave out Y: of the answer, and not "what happens if you skip a dose"
        return before.lower == "we"
    if sentence.tokens[0].lower in {"let", "lets"} and verb.i <= 2:
        # Let's skip Y. How …
        return before.lower in {"'s", "s", "us", "lets"}
    if before.tag == "MD" and sentence.tokens[max(0, verb.i - 2)].lower == "you":
        # … you can skip Y; you may leave out Y, but what …; not: you can skip breakfast, is that bad
        own = verb.i == 2 or _ordered(sentence, verb.i - 2)
        asks = any(a.lower in {",", ";"} and b.lower in WH | {"but"} for a, b in pairwise(sentence.tokens[verb.i :]))
        return own and following.lower not in {"a", "an"} and (asks or verb.i > 2 or sentence.start > 0)
    if before.lower in {"please", "kindly", "just"} or before.lower in MARKS or set_off(sentence, verb.i):
        return True
    if before.lower in {"but", "and", "then"}:
        subject = sentence.child(verb, "nsubj", "nsubjpass", "aux")
        return subject is None or subject.i > verb.i
    sorted_so = before.tag == "JJ" and sentence.tokens[0].lower not in ASKED | WEIGHING
    gerund = (
        verb.lower.endswith("ing") and (before.tag[:1] in "NC" or sorted_so) and before.lower not in {"of", "by", "for"}
    )
    # landlord ignoring repairs: said of someone
    gerund = gerund and (before.lower not in word_set("who_acts") or sentence.tokens[0].lower in word_set("telling"))
    named = verb.i > 2 and before.tag[:1] in "NCJ" and sentence.tokens[0].lower not in ASKED | WEIGHING
    phrase = named and verb.lower in {"leave", "exclude"}
    return gerund or phrase


def neither(sentence: Sentence) -> Iterator[Trigger]:
    """Example: a whisky, neither Scotch nor bourbon."""
    words = [token.lower for token in sentence.tokens]
    for at in range(1, len(words) - 3):
        if words[at] == "neither" and "nor" in words[at + 2 : at + 8] and words[at - 1] == ",":
            yield Trigger(at, at + 1, "neither", "“neither … nor” sets both apart")


def no_thanks(sentence: Sentence) -> Iterator[Trigger]:
    """Example: No cacti please. … but please no Poirot."""
    for token in sentence.tokens[:-1]:
        before, following = sentence.before(token), sentence.tokens[token.i + 1]
        made = following.tag in {"VBN", "VBG"} and token.i + 2 < len(sentence.tokens)
        if token.lower != "no" or not (following.tag[:1] in "NJ" or nominal(following) or made):
            continue
        asked = any(t.lower == "please" for t in sentence.tokens[max(0, token.i - 2) : token.i])
        closing = _politely_closed(sentence.tokens[token.i + 2 :])
        polite = asked or _ruled_out(sentence, token) or closing > 0
        # dinner ideas for two no pasta please
        typed = before is not None and before.i > 0 and (before.tag[:1] == "N" or before.tag in {"CD", "VBG"})
        if polite and (before is None or typed or before.lower in {"but", "please", "and"} | MARKS):
            more = following.lower == "more" and token.i + 2 < len(sentence.tokens)
            after = past_fillers(sentence, token.i + 1 + more)
            # no custard tarts please: all that stands before the please
            stop = token.i + 1 + closing if closing and after < token.i + 1 + closing else 0
            yield Trigger(token.i, after, "no", "“no” excludes what follows", stop)


def _ruled_out(sentence: Sentence, token: Token) -> bool:
    """Example: Give me three games for a class; [no] musical chairs. Not: no deposit, no pets."""
    before = sentence.text[: token.start].rstrip()
    opens = before.lower().replace(",", " ").split()[:3]
    asked = bool(opens) and not word_set("telling").isdisjoint(opens[: 2 if opens[0] in {"i", "we"} else 1])
    rest = sentence.tokens[token.i + 1 :]
    closed = before.endswith((";", ".", "—", "–", " -")) or (before.endswith((",", " but")) and name_like(rest[0]))
    closed = closed and not any(t.tag in FINITE for t in rest)
    return asked and closed and word_set("not_had").isdisjoint(t.lower for t in rest[:3])


def _politely_closed(rest: Sequence[Token]) -> int:
    """Return how many words precede a closing "please", or 0: "no custard tarts [please]"."""
    at = next((at for at, token in enumerate(rest) if token.lower in POLITE), None)
    closing = {*MARKS, *POLITE, *WH, "!", ")", "you", "i", "we"}
    closed = at is not None and (at + 1 == len(rest) or rest[at + 1].lower in closing)
    return at + 1 if at is not None and closed else 0
