"""maxsim.json: which token answers which, of chosen pairs; what the report draws before and after tuning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from textwrap import shorten

from litotes.bench.rows import write_whole
from litotes.errors import InputError
from litotes.types import MALFORMED, Maxsim

MAXSIM = "maxsim.json"
LONGEST = 60
"""letters of a text that stand in a pair's name"""


def pair_name(query: str, document: str) -> str:
    """What a pair is called, whichever model reads it: its texts.

    Of long ones the beginnings, and a hash: twins often differ only near their end.
    """
    texts = [" ".join(text.split()) for text in (query, document)]
    if all(len(text) <= LONGEST for text in texts):
        return " / ".join(texts)
    key = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{' / '.join(shorten(text, LONGEST, placeholder='…') for text in texts)} ({key})"


def save_maxsims(out: Path, found: Sequence[Maxsim]) -> None:
    """Put matrices into OUT/maxsim.json beside those of other models and pairs.

    What stood there of the same model and pair is replaced; of a model that has changed since, nothing is kept.
    """
    mine = {(one.model, one.pair) for one in found}
    now = {one.model: one.fingerprint for one in found}
    others = [
        one
        for one in read_maxsims(out)
        if (one.model, one.pair) not in mine and now.get(one.model, one.fingerprint) == one.fingerprint
    ]
    lines = [json.dumps(one.line(), ensure_ascii=False) for one in (*others, *found)]
    write_whole(out / MAXSIM, "[\n" + ",\n".join(lines) + "\n]\n")


def read_maxsims(out: Path) -> list[Maxsim]:
    """The matrices of a run's folder; none where there are none yet."""
    path = out / MAXSIM
    if not path.exists():
        return []
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [Maxsim.from_line(row) for row in ([rows] if isinstance(rows, dict) else rows)]
    except (*MALFORMED, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path} is no file of token matrices ({error}). Remove it, and it will be made anew"
        ) from error
