"""Cue words that are mentioned rather than used, so that they exclude nothing: “other than”, "sql except"."""

from __future__ import annotations

import re

from litotes.detection.exclusion.request_words import Trigger, name_like
from litotes.lexicon import word_set
from litotes.parse import Sentence

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)['‘][^'‘’]*['’](?!\w)")


def is_mention(sentence: Sentence, one: Trigger) -> bool:
    return _in_quotes(sentence, one) or _of_a_program(sentence, one)


def _in_quotes(sentence: Sentence, one: Trigger) -> bool:
    """Return whether the cue is in quotation marks that do not enclose the whole query."""
    cue = sentence.tokens[one.first]
    for match in _QUOTED.finditer(sentence.text):
        inside = match.start() <= cue.start and cue.end <= match.end()
        if inside and len(match[0]) < len(sentence.text.strip()):
            return True
    return False


def _of_a_program(sentence: Sentence, one: Trigger) -> bool:
    """Example: css not selector, sql except; not: css frameworks not Y, where a kind of thing stands before the cue."""
    tokens = sentence.tokens
    if one.first == 0 or tokens[one.first].lower != one.cue or name_like(tokens[one.after]):
        return False
    computed = not word_set("with_keywords").isdisjoint(token.lower for token in tokens[:2])
    if not computed or tokens[one.after].tag == "DT" or one.cue not in word_set("keywords"):
        return False
    before = tokens[one.first - 1]
    return before.tag not in {"NNS", "NNPS"} or before.lower in word_set("skipped_by_programs")
