"""What is given to the metric: checked, and evened out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from litotes.errors import InputError

NORM = "nfc.ws"

References = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate and what it may be like, as they were given."""

    references: tuple[str, ...]
    candidate: str


def normalise(text: str) -> str:
    """Unicode's composed form, white space as single spaces. Case is left to the model."""
    # half a surrogate pair is no text, and no tokenizer takes it
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(unicodedata.normalize("NFC", whole).split())


def rows_of(references: Sequence[References], candidates: Sequence[str]) -> list[Row]:
    """The pairs, one row a candidate; InputError that names the row where they are none."""
    for name, given in (("references", references), ("candidates", candidates)):
        if isinstance(given, str):
            raise InputError(f"{name} is one text ({given[:40]!r}); expected a list. Put it in brackets")
    left, right = list(references), list(candidates)
    if len(left) != len(right):
        raise InputError(f"{len(left)} references and {len(right)} candidates; expected one beside each candidate")
    return [_row(number, *pair) for number, pair in enumerate(zip(left, right, strict=True), start=1)]


def _row(number: int, references: object, candidate: object) -> Row:
    if not isinstance(candidate, str):
        raise InputError(f"row {number}: the candidate is {type(candidate).__name__}; expected text")
    if isinstance(references, str):
        return Row((references,), candidate)
    if not isinstance(references, Sequence):
        what = type(references).__name__
        raise InputError(f"row {number}: the reference is {what}; expected text, or a list of texts")
    if not references:
        raise InputError(f"row {number}: the list of references is empty; expected one text or more")
    for place, text in enumerate(references, start=1):
        if not isinstance(text, str):
            raise InputError(f"row {number}: reference {place} is {type(text).__name__}; expected text")
    return Row(tuple(references), candidate)
