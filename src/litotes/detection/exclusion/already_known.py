"""Exclude what the user already knows: "I already know Y. How else …", "I've been to Y already; which …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from litotes.detection.exclusion.request_words import FINITE, WEIGHING, WH, Trigger, name_like, past_told, tells
from litotes.detection.exclusion.search_box import names_things
from litotes.detection.sentences import split_sentences
from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

WHO = frozenset({"i", "we", "i've", "ive", "we've", "weve", "already"})
RESUMED = frozenset({"it", "that", "those", "them", "these", "this", "one", "ones", "either", "there"})
OPENS_AFTER = frozenset({",", ";", ":", "-", "—", "–", ".", "?", "and", "but", "since", "as", "because", "("})
GATES = frozenset({",", ";", ":", "-", "—", "–", "so"})
_WORDS = re.compile(r"[a-z']+")


def find_already_known(sentence: Sentence) -> Iterator[Trigger]:
    tokens = sentence.tokens
    for token in tokens[:-2]:
        if token.lower not in WHO or not _begins(tokens, token):
            continue
        verb = next((t for t in tokens[token.i + 1 : token.i + 5] if _had(t, tokens)), None)
        if verb is None:
            continue
        leading = token.i == 0 and sentence.start == 0
        gate = _gate(tokens, verb.i) if leading else None
        end = gate if gate is not None else len(tokens)
        stop = resumed = _resumed(tokens, verb.i + 2, end)
        while stop > verb.i and tokens[stop - 1].lower in {"already", ",", ".", "!", "?", ";", ")", "thanks", "so"}:
            stop -= 1
        told = verb.lower in {"know", "heard", "been"}
        after = past_told(sentence, verb.i + 1) if told else verb.i + 1 + (verb.lower == "familiar")
        if after >= stop or not (resumed < end or _names(sentence, verb, after, stop)):
            continue
        said = any(t.lower == "already" for t in (*tokens[token.i : verb.i + 1], *tokens[stop:end])) or resumed < end
        # I've read Emma, so which …: names are known of a kind
        said = said or (verb.tag == "VBN" and verb.lower != "been" and all(_a_name(t) for t in tokens[after:stop]))
        # things to do in boston we've done the freedom trail: a place stands before, so no clause hangs on a noun
        said = said or (verb.tag == "VBN" and token.i > 2 and tokens[token.i - 2].tag == "IN")
        rest = sentence.text[tokens[end - 1].end :] if leading else ""
        more = resumed < end or asked_for_more(rest, tokens[after:stop]) if leading else _asked_before(sentence, token)
        if said and more:
            cut = end + 1 if gate is not None and tokens[gate].lower in GATES else end
            yield Trigger(token.i, after, "already", "what is already known is excluded", stop, cut)
            return


def _begins(tokens: Sequence[Token], token: Token) -> bool:
    """Return whether a clause begins here: after a mark, or typed after the words that are searched for."""
    if token.i == 0 or tokens[token.i - 1].lower in OPENS_AFTER:
        return True
    before = tokens[: token.i]
    alone = token.lower != "already" or tokens[token.i + 1].lower in word_set("already_had") - {"know"} | {"been"}
    return alone and before[-1].tag[:1] in "NCJ" and names_things(before)


def _resumed(tokens: Sequence[Token], first: int, end: int) -> int:
    """Return where a resumption begins: "we've played Y [so not those]", "I know Y, [so don't repeat those]"."""
    words = word_set("taken_up_again")
    at = end
    while at > first and tokens[at - 1].lower in words | RESUMED | {",", ".", "!", ";", "-"}:
        at -= 1
    taken_up = any(token.lower in RESUMED for token in tokens[at:end])
    return at if taken_up and end - at > 1 else end


def _a_name(token: Token) -> bool:
    return name_like(token) or token.tag in {"CC", ",", "DT", "IN", "CD"}


def _had(token: Token, tokens: Sequence[Token]) -> bool:
    """Example: know, seen, been to; have and own of what is named without an article."""
    following = tokens[token.i + 1] if token.i + 1 < len(tokens) else None
    if following is None or token.lower in {"have", "got", "own"}:
        bare = following is not None and following.tag[:1] in "NJ"
        return bare and tokens[token.i - 1].lower == "already"
    phrase = (token.lower, following.lower) in {("been", "to"), ("familiar", "with")}
    return phrase or token.lower in word_set("already_had")


def _gate(tokens: Sequence[Token], verb: int) -> int | None:
    """Example: I've been to Y already [;] which …"""
    opens = WH | WEIGHING | word_set("telling") | {"any", "what", "are"}
    # cherry-pick: a hyphen is no gate
    apart = [t for t in tokens[verb + 1 : -1] if t.lower != "-" or tokens[t.i - 1].end < t.start]
    gates = (
        t.i for t in apart if t.lower in GATES and tokens[t.i + 1].lower in opens and not _forbids(tokens, t.i + 1)
    )
    gate = next(gates, None)
    if gate is not None or any(t.lower in GATES | {"?"} for t in tokens[:-1]):
        return gate
    # i already know duolingo [what apps are there]
    asks = (t.i for t in tokens[verb + 2 : -2] if t.lower in {"what", "which", "how", "any"})
    at = next((at for at in asks if tokens[at - 1].tag[:1] in "NJVR" and tokens[at - 1].lower != "about"), None)
    return at


def _forbids(tokens: Sequence[Token], at: int) -> bool:
    """Example: so [don't] repeat those: no question begins."""
    return any(token.lower in {"n't", "nt", "not"} for token in tokens[at + 1 : at + 2])


def _names(sentence: Sentence, verb: Token, first: int, stop: int) -> bool:
    """Return whether the words name a thing: not "i already know how to drive" or "i've been to the doctor already"."""
    named = sentence.tokens[first:stop]
    if any(t.lower in {"how", "that", "to", "what", "why", "if"} or t.tag == "PRP" for t in named):
        return False
    if verb.lower == "been" and named[0].tag in {"DT", "PRP$"}:
        return named[-1].text[:1].isupper()
    # a title may hold a verb where a request came before: …, i already know life is beautiful
    titled = verb.lower in {"know", "read", "seen", "watched", "played"} and tells(sentence)
    return titled or not any(t.tag in FINITE for t in named)


def asked_for_more(rest: str, named: Sequence[Token]) -> bool:
    """Return whether others are asked for ("How else …", "which …"), or more things of a kind of which one is named."""
    words = _WORDS.findall(rest.lower().removeprefix(" so").lstrip())
    if not words:
        return False
    if not word_set("others").isdisjoint(words):
        return True
    if named[0].lower in {"a", "an", "my", "our"}:
        # I've already seen a doctor, what …
        return False
    proper = any(t.text[:1].isupper() for t in named)
    kinds = (
        words[0] == "what" and len(words) > 2 and words[1].endswith("s") and words[1] not in {"is", "was", "does", "s"}
    )
    kind = words[0] in {"what", "where", "who", "any", "recommend", "suggest", "name", "list", "give"}
    return words[0] == "which" or kinds or (proper and kind)


def _asked_before(sentence: Sentence, token: Token) -> bool:
    """Example: words for big, i already know Y; not: books to learn rust, i already know python."""
    before = sentence.tokens[: token.i]
    # a story may come before the question: We run a course in York. Which museums … I already know Y.
    asked = split_sentences(sentence.text[: sentence.start])[-1]
    words = _WORDS.findall(asked.lower()) + [t.lower for t in before]
    if not words or not word_set("learning").isdisjoint(words):
        return False
    if not before:
        return True
    return words[0] not in WEIGHING - {"how"} or tells(sentence)
