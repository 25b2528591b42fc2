"""Read answers of language models: a number, a document, yes or no. An unclear answer is NaN, never a guess."""

from __future__ import annotations

import re

_NAN = float("nan")
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
# A number on its own: not part of S1 or 0,5, and not "8/10", "80%" or "8 out of 10".
_NUMBER = re.compile(r"(?<![\w.,/-])[-−+]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w/%]|[.,]\d|\s*(?:/|%|out of\b))")
# "0.5 to 0.7", "1 or 2"
_SEVERAL = re.compile(rf"{_NUMBER.pattern}\s*(?:to|or|and|&|–|-)\s*(?:document\s*)?{_NUMBER.pattern}", re.IGNORECASE)
_PREAMBLE = re.compile(r"(?:(?:the\s+)?(?:score|similarity|answer)\b(?:\s+is)?|[\s:=*_#\"'“`(])*", re.IGNORECASE)
# "Document 2 is more relevant, unlike document 1"
_CHOSEN = re.compile(r"document\s+([12])\b\W*(?:$|is\s+(?:the\s+)?(?:more|most)\s+relevant)", re.IGNORECASE)
# The word on its own, or before its reason: not "No passage says so", "No doubt" or "Yes and no".
_VERDICT = re.compile(
    r"(yes|no)\b(?!\W*(?:(?:and|or)\b\W*)?(?:yes|no)\b)(?:\W*$|\s*[^\w\s'’-]|\s+-|\s*\n|\s+(?:because|since|as|it|this|the)\b)",
    re.IGNORECASE,
)


def without_thinking(answer: str) -> str:
    """Return an answer without the reasoning in <think> tags."""
    return _THOUGHT.sub("", answer).strip()


def read_similarity(answer: str) -> float:
    """Return the number from −1 to 1 that an answer begins with, or the only one it has; otherwise NaN."""
    stated = _stated_number(_without_preamble(answer))
    number = float(stated.replace("−", "-")) if stated is not None else _NAN
    return number if -1 <= number <= 1 else _NAN


def read_choice(answer: str) -> float:
    """Return 1 for the first document, −1 for the second, NaN for an answer that names neither or both."""
    text = _without_preamble(answer)
    chosen = _CHOSEN.match(text)
    label = chosen[1] if chosen else _stated_number(text)
    return {"1": 1.0, "2": -1.0}.get(label or "", _NAN)


def read_verdict(answer: str) -> float:
    """Return 1 for an answer that begins with yes, −1 for no, NaN for anything else."""
    verdict = _VERDICT.match(_without_preamble(answer))
    return {"yes": 1.0, "no": -1.0}[verdict[1].lower()] if verdict else _NAN


def _without_preamble(answer: str) -> str:
    """Return an answer without reasoning and without words such as "The answer is"."""
    text = without_thinking(answer)
    preamble = _PREAMBLE.match(text)
    return text[preamble.end() :] if preamble else text


def _stated_number(text: str) -> str | None:
    """Return the number that a text begins with, or the only one in it."""
    opening = _NUMBER.match(text)
    if opening and not _SEVERAL.match(text):
        return opening[0]
    numbers = set(_NUMBER.findall(text))
    return numbers.pop() if len(numbers) == 1 else None
