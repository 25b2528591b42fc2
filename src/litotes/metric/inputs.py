"""Check and normalise the texts that are passed to the metric."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from litotes.errors import InputError

NORM = "nfc.ws.yesno"

References = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class MetricInput:
    """A candidate and its references, as they were passed in."""

    candidate: str
    references: tuple[str, ...]


def normalise(text: str) -> str:
    """Return the text in Unicode's composed form (NFC) with single spaces. Letter case stays the same."""
    # Half of a surrogate pair cannot be encoded, and tokenizers refuse it.
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(unicodedata.normalize("NFC", encodable).split())


def check_inputs(candidates: Sequence[str], references: Sequence[References]) -> list[MetricInput]:
    """Return one row per candidate; raise an InputError that names the row if a text is missing or misplaced."""
    for name, texts in (("candidates", candidates), ("references", references)):
        if isinstance(texts, str):
            raise InputError(f"{name} is a single text ({texts[:40]!r}); expected a list of texts")
    left, right = list(candidates), list(references)
    for number, candidate in enumerate(left, start=1):
        _refuse_candidate(number, candidate)
    if len(left) != len(right):
        raise InputError(_unequal(left, right))
    return [_row(number, *pair) for number, pair in enumerate(zip(left, right, strict=True), start=1)]


def _refuse_candidate(number: int, candidate: object) -> None:
    if isinstance(candidate, str):
        return
    what = type(candidate).__name__
    swapped = isinstance(candidate, Sequence) and not isinstance(candidate, bytes)
    hint = ". Only references can be lists, and they come second: score(candidates, references)" if swapped else ""
    raise InputError(f"row {number}: the candidate is {what}; expected text{hint}")


def _unequal(candidates: Sequence[object], references: Sequence[object]) -> str:
    """Describe a difference in length; references in sacrebleu's layout are recognised."""
    counts = f"{len(candidates)} candidates and {len(references)} references"
    lists = [entry for entry in references if isinstance(entry, list | tuple) and len(entry) == len(candidates)]
    if references and len(lists) == len(references):
        each = f"each of the {len(references)} references is a list of {len(candidates)} texts, as in sacrebleu"
        return f"{counts}; {each}. Expected one entry per candidate: list(zip(*references))"
    return f"{counts}; expected one entry in references per candidate"


def _row(number: int, candidate: str, references: object) -> MetricInput:
    if isinstance(references, str):
        return MetricInput(candidate, (references,))
    if not isinstance(references, Sequence):
        what = type(references).__name__
        raise InputError(f"row {number}: the reference is {what}; expected text, or a list of texts")
    if not references:
        raise InputError(f"row {number}: the list of references is empty; expected one text or more")
    for place, text in enumerate(references, start=1):
        if not isinstance(text, str):
            raise InputError(f"row {number}: reference {place} is {type(text).__name__}; expected text")
    return MetricInput(candidate, tuple(references))
