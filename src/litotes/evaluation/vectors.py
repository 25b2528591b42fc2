"""A cache of an encoder's vectors: each text of a role is encoded once for all tasks, runs and processes."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np

from litotes.errors import InputError
from litotes.types import Encoder

BLOCK = 512
"""How many texts are encoded and stored at a time: an interruption loses at most these."""
KEYS_PER_QUERY = 500
TIMEOUT_S = 120.0

EncodingProgress = Callable[[int, int], None]
"""Called with the number of texts encoded so far, and the total."""


class VectorCache:
    """One SQLite file of float32 rows, by a hash of role and text; without a path, in memory.

    Several processes can share the file. Blocks are written in transactions, so an interrupted run resumes where it
    stopped.
    """

    def __init__(self, encoder: Encoder, path: Path | None = None) -> None:
        self._encoder = encoder
        self._name = str(path) if path else "memory"
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._database = sqlite3.connect(path or ":memory:", timeout=TIMEOUT_S, isolation_level=None)
            self._database.execute("pragma journal_mode = wal")
            self._database.execute("pragma synchronous = normal")
            self._database.execute(
                "create table if not exists vectors (key blob primary key, vector blob not null) without rowid"
            )
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self._name} is not a cache of vectors ({error}). Remove the file to have it written again"
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def fill(self, texts: Iterable[str], role: str, progress: EncodingProgress | None = None) -> int:
        """Encode the texts that are not cached, longest first so that batches have like lengths; return how many."""
        wanted = {_key(text, role): text for text in texts}
        for cached, _ in self._cached(wanted):
            del wanted[cached]
        missing = sorted(wanted.items(), key=lambda item: (-len(item[1]), item[1]))
        for start in range(0, len(missing), BLOCK):
            block = missing[start : start + BLOCK]
            rows = self._encode([text for _, text in block], role)
            with closing(self._database.cursor()) as cursor:
                cursor.execute("begin immediate")
                cells = ((key, row.tobytes()) for (key, _), row in zip(block, rows, strict=True))
                cursor.executemany("insert or ignore into vectors values (?, ?)", cells)
                cursor.execute("commit")
            if progress:
                progress(start + len(block), len(missing))
        return len(missing)

    def get(self, texts: Sequence[str], role: str) -> np.ndarray:
        """Return one row per text, in order; texts that are not cached are encoded."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        keys = [_key(text, role) for text in texts]
        self.fill(texts, role)
        places: dict[bytes, int] = {}
        rows: list[np.ndarray] = []
        for key, row in self._cached(dict.fromkeys(keys)):
            places[key] = len(rows)
            rows.append(row)
        if len({len(row) for row in rows}) != 1:
            raise InputError(f"{self._name} has vectors of several lengths. Remove the file to have it written again")
        ordered: np.ndarray = np.stack(rows)[[places[key] for key in keys]]
        return ordered

    def _cached(self, keys: Iterable[bytes]) -> Iterator[tuple[bytes, np.ndarray]]:
        """Yield the keys that are cached, with their rows."""
        waiting = iter(list(keys))
        while some := list(islice(waiting, KEYS_PER_QUERY)):
            marks = ",".join("?" * len(some))
            found = self._database.execute(f"select key, vector from vectors where key in ({marks})", some).fetchall()
            for key, vector in found:
                yield key, np.frombuffer(vector, dtype=np.float32)

    def _encode(self, texts: list[str], role: str) -> np.ndarray:
        rows = np.ascontiguousarray(self._encoder.encode(texts, role=role), dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(texts):
            raise InputError(
                f"encode returned an array of shape {rows.shape} for {len(texts)} texts; expected one row per text"
            )
        if not np.isfinite(rows).all():
            bad = texts[int(np.argmin(np.isfinite(rows).all(axis=1)))]
            raise InputError(f"encode returned a vector that is not finite for {bad[:60]!r}; try another dtype")
        return rows


def _key(text: str, role: str) -> bytes:
    return hashlib.sha256(f"{role}\0{text}".encode("utf-8", "surrogatepass")).digest()
