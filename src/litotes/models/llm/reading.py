"""What an answer in words says: a number, a document, yes or no. NaN rather than a guess."""

from __future__ import annotations

import re

_NAN = float("nan")
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
# A number that stands alone: no part of S1 or 0,5; no "8/10", "80%" or "8 out of 10".
_NUMBER = re.compile(r"(?<![\w.,/-])[-−+]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w/%]|[.,]\d|\s*(?:/|%|out of\b))")
# "0.5 to 0.7", "1 or 2"
_SEVERAL = re.compile(rf"{_NUMBER.pattern}\s*(?:to|or|and|&|–|-)\s*(?:document\s*)?{_NUMBER.pattern}", re.IGNORECASE)
_PREAMBLE = re.compile(r"(?:(?:the\s+)?(?:score|similarity|answer)\b(?:\s+is)?|[\s:=*_#\"'“`(])*", re.IGNORECASE)
# "Document 2 is more relevant, unlike document 1"
_CHOSEN = re.compile(r"document\s+([12])\b\W*(?:$|is\s+(?:the\s+)?(?:more|most)\s+relevant)", re.IGNORECASE)
# The word by itself, or before its reason: no "No passage says so", "No doubt", "Yes and no".
_VERDICT = re.compile(
    r"(yes|no)\b(?!\W*(?:(?:and|or)\b\W*)?(?:yes|no)\b)(?:\W*$|\s*[^\w\s'’-]|\s+-|\s*\n|\s+(?:because|since|as|it|this|the)\b)",
    re.IGNORECASE,
)


def without_thinking(answer: str) -> str:
    """An answer without what the model thought aloud before it."""
    return _THOUGHT.sub("", answer).strip()


def read_similarity(answer: str) -> float:
    """The number from −1 to 1 an answer opens with, or the only one it holds; NaN rather than a guess."""
    found = _stated(_said(answer))
    number = float(found.replace("−", "-")) if found is not None else _NAN
    return number if -1 <= number <= 1 else _NAN


def read_choice(answer: str) -> float:
    """1 for the first document, −1 for the second, NaN where an answer names neither or both."""
    said = _said(answer)
    chosen = _CHOSEN.match(said)
    label = chosen[1] if chosen else _stated(said)
    return {"1": 1.0, "2": -1.0}.get(label or "", _NAN)


def read_verdict(answer: str) -> float:
    """1 for an answer that opens with yes, −1 for no, NaN for anything else."""
    found = _VERDICT.match(_said(answer))
    return {"yes": 1.0, "no": -1.0}[found[1].lower()] if found else _NAN


def _said(answer: str) -> str:
    """An answer without the model's thinking and without what leads up to it."""
    text = without_thinking(answer)
    preamble = _PREAMBLE.match(text)
    return text[preamble.end() :] if preamble else text


def _stated(said: str) -> str | None:
    """The number an answer opens with; else the only one in it."""
    opening = _NUMBER.match(said)
    if opening and not _SEVERAL.match(said):
        return opening[0]
    named = set(_NUMBER.findall(said))
    return named.pop() if len(named) == 1 else None
