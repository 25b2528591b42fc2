"""Requests by other words: other than Y, leave out Y, without mentioning Y, no Y please."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from litotes.detection.leaving_out.words import (
    ASKED,
    FINITE,
    POLITE,
    PRONOUNS,
    RELATIVE,
    WEIGHING,
    Trigger,
    past_fillers,
)
from litotes.detection.lexical import exceptor_entries, exceptors
from litotes.lexicon import table, word_set
from litotes.parse import Sentence, Token


def excepting(sentence: Sentence) -> Iterator[Trigger]:
    """other than Y, apart from Y, rather than Y"""
    for tokens, name, sort in _exceptors(sentence):
        first, last = sentence.tokens[tokens[0]], sentence.tokens[tokens[-1]]
        before, following = sentence.before(first), sentence.after(last)
        if following is None or following.tag in {",", ".", ":", "CC"} or _closes(sentence, following):
            continue
        if following.lower in {"vs", "versus", "after", "when", "if", "before"} or _of_words(sentence):
            continue
        if before is not None and before.lower in {"none", "between", "everywhere", "anywhere", "nowhere"}:
            continue
        if sort == "joins" and (following.tag == "VB" or not _requests_or_names(sentence, first)):
            continue
        if sort == "quantified" and not (following.tag in {"NNP", "NNPS"} or following.lower == "the"):
            continue
        if _of_a_task(sentence, first):
            continue
        yield Trigger(first.i, past_fillers(sentence, following.i), name, f"“{name}” takes out what follows")


def _exceptors(sentence: Sentence) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Those the parser agrees to, and one at the front whatever it says."""
    found = [(match.tokens, match.entry.name, match.entry.note) for match in exceptors(sentence, set())]
    known = {tokens[0] for tokens, _, _ in found}
    for entry in exceptor_entries().get(sentence.tokens[0].lower, ()):
        words = [token.lower for token in sentence.tokens[1 : 1 + len(entry.rest)]]
        if tuple(words) == entry.rest and 0 not in known and any(t.lower in ASKED for t in sentence.tokens):
            found.append((tuple(range(1 + len(entry.rest))), entry.name, entry.note))
            break
    for one in found:
        before = sentence.tokens[one[0][0] - 1] if one[0][0] else None
        # nobody but you, all but one: said of a pronoun, these leave out no topic
        if one[2] == "quantified" and (before is None or before.tag[:1] != "N" or before.lower in PRONOUNS):
            continue
        yield one


def _requests_or_names(sentence: Sentence, cue: Token) -> bool:
    """Show me X instead of Y; X rather than Y: no question of which is better, and nothing that happened"""
    first = sentence.tokens[0]
    if first.lower in WEIGHING | ASKED:
        return False
    asks = first.lower in {"i", "we", "please"} or first.tag in {"VB", "VBP"} or first.lower in word_set("telling")
    return asks or not any(token.tag in FINITE for token in sentence.tokens[: cue.i])


def _of_words(sentence: Sentence) -> bool:
    """what does "excluding VAT" mean: the words are asked about"""
    return any(
        token.lower in {"mean", "means", "meaning", "grammar", "synonym", "exceptions"} for token in sentence.tokens
    )


def _of_a_task(sentence: Sentence, cue: Token) -> bool:
    """delete all rows except the header; open every day except Monday: the exception is what is wanted"""
    before = [token.lower for token in sentence.tokens[: cue.i]]
    every = any(word in {"all", "every", "everything", "each", "everyone"} for word in before[-6:])
    said = (
        before[:1]
        and before[0] not in ASKED
        and any(t.tag in {"VBZ", "VBP", "VBD"} for t in sentence.tokens[1 : cue.i])
    )
    wished = before[:1] and (before[0] in {"i", "we"} or before[0] in word_set("telling"))
    return every and (not word_set("task_words").isdisjoint(before) or bool(said and not wished))


def _closes(sentence: Sentence, token: Token) -> bool:
    """other than that, … ; besides the point"""
    following = sentence.after(token)
    if token.lower == "the":
        return following is not None and following.lower == "point"
    return token.lower in {"that", "usual"} or (token.lower == "this" and (following is None or following.tag in ",."))


def asking(sentence: Sentence) -> Iterator[Trigger]:
    """leave out Y; without mentioning Y; nothing about Y; unrelated to Y"""
    for words, sort in _requests():
        for at in range(len(sentence.tokens) - len(words)):
            if all(sentence.tokens[at + step].lower == word for step, word in enumerate(words)):
                first, following = sentence.tokens[at], sentence.tokens[at + len(words)]
                if sort == "told" and not _told(sentence, first, following):
                    continue
                if sort == "noun" and (following.tag[:1] not in "NDPJ" or not _after_noun(sentence, first)):
                    continue
                if sort == "any" and sentence.tokens[0].lower in WEIGHING and not _tells(sentence):
                    continue
                cue = " ".join(words)
                after = past_fillers(sentence, at + len(words))
                if sort == "topic" and after == at + len(words):
                    continue
                yield Trigger(_relative(sentence, at), after, cue, f"“{cue}” asks to leave out what follows")
    yield from _parted(sentence)


def _tells(sentence: Sentence) -> bool:
    """Can you explain X without mentioning Y"""
    return any(token.lower in word_set("telling") for token in sentence.tokens)


def _parted(sentence: Sentence) -> Iterator[Trigger]:
    """leave Y out"""
    words = [token.lower for token in sentence.tokens]
    for at, word in enumerate(words):
        if word in {"leave", "leaving", "keep", "keeping"} and "out" in words[at + 2 : at + 8]:
            out = words.index("out", at + 2)
            told = _told(sentence, sentence.tokens[at], sentence.tokens[at + 1])
            if told and (words[out + 1 : out + 2] or ["."])[0] in {".", ",", "please", "of"}:
                yield Trigger(at, at + 1, f"{word} out", f"“{word} … out” asks to leave out what is between")


def _after_noun(sentence: Sentence, first: Token) -> bool:
    before = sentence.before(first)
    return before is not None and (before.tag[:1] == "N" or before.tag == "CD" or before.lower in {",", "("})


def _relative(sentence: Sentence, at: int) -> int:
    """[that make] no mention of; [that have] nothing to do with"""
    words = [token.lower for token in sentence.tokens[max(0, at - 2) : at]]
    if (
        len(words) == 2
        and words[0] in RELATIVE
        and words[1] in {"make", "makes", "have", "has", "had", "made", "with", "say", "says"}
    ):
        return at - 2
    return at - 1 if words and words[-1] in {"with", "having", *RELATIVE} and at > 1 else at


@lru_cache(maxsize=1)
def _requests() -> list[tuple[tuple[str, ...], str]]:
    """The table of requests, longest first."""
    rows = [(tuple(row["words"].split()), row["sort"]) for row in table("exclusion_requests")]
    return sorted(rows, key=lambda row: -len(row[0]))


def _told(sentence: Sentence, verb: Token, following: Token) -> bool:
    """Skip Y; …, ignoring Y: a request, not a topic ("how to exclude Y", "can I ignore Y")."""
    before = sentence.before(verb)
    if following.lower in {"me", "him", "her", "it", "them", "us", "you"}:
        return False
    if before is None:
        # a sentence of its own, after the one that asks
        return sentence.start > 0 or any(token.lower in {",", "and", "but", ";"} for token in sentence.tokens)
    if before.lower in {"please", ",", ";", "—", "–", "kindly", "(", "?", "just"} or before.text == "-":
        return True
    if before.lower in {"but", "and", "then"}:
        subject = sentence.child(verb, "nsubj", "nsubjpass", "aux")
        return subject is None or subject.i > verb.i
    gerund = verb.lower.endswith("ing") and before.tag[:1] in "NC" and before.lower not in {"of", "by", "for"}
    named = verb.i > 2 and before.tag[:1] in "NCJ" and sentence.tokens[0].lower not in ASKED | WEIGHING
    phrase = named and verb.lower in {"leave", "exclude"}
    return gerund or phrase


def neither(sentence: Sentence) -> Iterator[Trigger]:
    """a whisky, neither Scotch nor bourbon"""
    words = [token.lower for token in sentence.tokens]
    for at in range(1, len(words) - 3):
        if words[at] == "neither" and "nor" in words[at + 2 : at + 8] and words[at - 1] == ",":
            yield Trigger(at, at + 1, "neither", "“neither … nor” sets both apart")


def no_thanks(sentence: Sentence) -> Iterator[Trigger]:
    """No cacti please. … but please no Poirot"""
    for token in sentence.tokens[:-1]:
        before, following = sentence.before(token), sentence.tokens[token.i + 1]
        if token.lower != "no" or following.tag[:1] not in "NJ":
            continue
        polite = any(other.lower in POLITE for other in sentence.tokens)
        if polite and (before is None or before.lower in {"but", "please", ","}):
            yield Trigger(token.i, past_fillers(sentence, token.i + 1), "no", "“no” asks to leave out what follows")
