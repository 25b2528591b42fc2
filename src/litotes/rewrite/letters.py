"""Capitals: which word gets one when the front of a sentence changes, and which keeps its own."""

from __future__ import annotations

import re

from litotes.lexicon import word_set
from litotes.lexicon.morphology import known
from litotes.parse import Sentence, Token

PROPER = frozenset({"NNP", "NNPS"})
DEMONYMS = word_set("demonyms")
NAMES = word_set("given_names")
MINOR = frozenset({"IN", "DT", "CC", "TO", "RP"})
"""The tags of words that may stay small in a title."""


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def capitalised(token: Token) -> bool:
    return token.text[:1].isupper()


def lowered(sentence: Sentence, token: Token) -> str:
    """Return the token's text as written inside a sentence."""
    return token.text if keeps_capital(sentence, token) else token.text[:1].lower() + token.text[1:]


def keeps_capital(sentence: Sentence, token: Token) -> bool:
    """Return whether a word keeps its capital inside a sentence: names, "I", acronyms and titles."""
    if token.lower == "i" or token.lower.startswith("i'"):
        return True
    if token.lower in DEMONYMS and token.tag[:1] != "V":
        # not "Polish the lens"
        return True
    if len(token.text) > 1 and not token.text[1:].islower() and any(c.isalnum() for c in token.text[1:]):
        return True
    if token.tag in {"DT", "PRP$", "IN", "EX", "PRP", "CD"}:
        return token.tag == "CD" and _begins_title(sentence, token)
    if token.tag in PROPER and not _common(sentence, token):
        return True
    if token.tag[:1] == "N" and not any(known(token.lower, tag) for tag in "NJVR"):
        # "Hakomi is a method …": the dictionary does not have the word
        return True
    if _begins_title(sentence, token) or _begins_name(sentence, token):
        return True
    # "Bond … Charles R. Bond": a word with a capital elsewhere in the text is a name
    return token.tag == "NN" and bool(re.search(rf"[^.!?\s\"“] {re.escape(token.text)}\b", sentence.text))


def _begins_name(sentence: Sentence, token: Token) -> bool:
    """Match "Dynamic Host Configuration" and "Clive and Vanessa", but not "Young Tom"."""
    later = sentence.tokens[token.i + 1 : token.i + 3]
    joined = any(capitalised(t) and t.tag in PROPER for t in sentence.children(token, "conj"))
    return joined or (len(later) == 2 and all(capitalised(t) and t.tag in PROPER for t in later))


def _begins_title(sentence: Sentence, token: Token) -> bool:
    """Match "Thirteen Years Later", but not "Three African men"."""
    following = sentence.after(token)
    if following is None or not capitalised(following) or following.tag in PROPER:
        return False
    return following.lower != "i" and following.lower not in DEMONYMS


def _common(sentence: Sentence, token: Token) -> bool:
    """Match a capital that is only due to the start of the sentence: "Coral reefs …"."""
    if token.lower in NAMES or not token.text[1:].islower() or not known(token.lower, "N"):
        return False
    return token.dep in {"compound", "amod", "det"} and sentence.tokens[token.head].text.islower()


def opens_sentence(sentence: Sentence, token: Token) -> bool:
    """Return whether only quotation marks, brackets and numbers precede the token."""
    return not any(c.isalpha() for t in sentence.tokens[: token.i] for c in t.text)


def all_capitals(sentence: Sentence) -> bool:
    """Return whether the whole sentence is in capitals."""
    words = [t.text for t in sentence.tokens if t.text.isalpha()]
    return len(words) > 2 and all(word.isupper() for word in words)


def in_title_case(sentence: Sentence) -> bool:
    """Return whether the words of a sentence have capitals: "A Beginner's Guide to Growing Garlic"."""
    words = [t for t in sentence.tokens if t.text.isalpha() and t.tag not in MINOR]
    common = [t for t in words[1:] if t.tag not in PROPER and t.lower != "i"]
    lower = sum(t.text[0].islower() for t in words)
    return len(words) > 2 * lower + 1 and any(map(capitalised, common)) and not all_capitals(sentence)
