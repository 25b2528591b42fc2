"""Token similarities of chosen pairs (maxsim.json), which the report draws before and after training."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from textwrap import shorten

from litotes.data.result_files import read_maxsims, write_maxsims
from litotes.types import Maxsim

LONGEST = 60
"""The most characters of a text in the name of a pair."""


def pair_name(query: str, document: str) -> str:
    """Return the name of a pair, made from its texts.

    Long texts are shortened and a hash is added, because minimal pairs often differ only near their end.
    """
    texts = [" ".join(text.split()) for text in (query, document)]
    if all(len(text) <= LONGEST for text in texts):
        return " / ".join(texts)
    key = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{' / '.join(shorten(text, LONGEST, placeholder='…') for text in texts)} ({key})"


def save_maxsims(folder: Path, maxsims: Sequence[Maxsim]) -> None:
    """Add matrices to FOLDER/maxsim.json.

    They replace matrices of the same model and pair, and all matrices of a model whose fingerprint has changed.
    """
    replaced = {(maxsim.model, maxsim.pair) for maxsim in maxsims}
    fingerprints = {maxsim.model: maxsim.fingerprint for maxsim in maxsims}
    kept = [
        maxsim
        for maxsim in read_maxsims(folder)
        if (maxsim.model, maxsim.pair) not in replaced
        and fingerprints.get(maxsim.model, maxsim.fingerprint) == maxsim.fingerprint
    ]
    write_maxsims(folder, (*kept, *maxsims))
