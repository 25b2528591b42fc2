"""An encoder's vectors, kept: each text of a role is encoded once, whatever tasks, runs and processes ask for it."""

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
"""texts encoded and kept at a time: what an interruption costs at most"""
ASKED = 500
WAIT_S = 120.0

Watch = Callable[[int, int], None]
"""texts encoded so far, and in all"""


class Vectors:
    """One SQLite file of float32 rows by the hash of role and text; without a path, in memory.

    Several processes may share the file. What is written stands there whole or not at all, so that a run that was
    killed goes on where it stopped.
    """

    def __init__(self, encoder: Encoder, path: Path | None = None) -> None:
        self._encoder = encoder
        self._where = str(path) if path else "memory"
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._base = sqlite3.connect(path or ":memory:", timeout=WAIT_S, isolation_level=None)
            self._base.execute("pragma journal_mode = wal")
            self._base.execute("pragma synchronous = normal")
            self._base.execute(
                "create table if not exists vectors (key blob primary key, vector blob not null) without rowid"
            )
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self._where} holds no vectors ({error}). Remove the file; it will be made anew"
            ) from error

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def fill(self, texts: Iterable[str], role: str, watch: Watch | None = None) -> int:
        """Encode what is not kept yet, longest first so that batches hold like lengths; how many texts that were."""
        wanted = {_key(text, role): text for text in texts}
        for known, _ in self._kept(wanted):
            del wanted[known]
        missing = sorted(wanted.items(), key=lambda item: (-len(item[1]), item[1]))
        for start in range(0, len(missing), BLOCK):
            block = missing[start : start + BLOCK]
            rows = self._encode([text for _, text in block], role)
            with closing(self._base.cursor()) as cursor:
                cursor.execute("begin immediate")
                cells = ((key, row.tobytes()) for (key, _), row in zip(block, rows, strict=True))
                cursor.executemany("insert or ignore into vectors values (?, ?)", cells)
                cursor.execute("commit")
            if watch:
                watch(start + len(block), len(missing))
        return len(missing)

    def get(self, texts: Sequence[str], role: str) -> np.ndarray:
        """One row a text, in order; encoded where need be."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        keys = [_key(text, role) for text in texts]
        self.fill(texts, role)
        places: dict[bytes, int] = {}
        rows: list[np.ndarray] = []
        for key, row in self._kept(dict.fromkeys(keys)):
            places[key] = len(rows)
            rows.append(row)
        if len({len(row) for row in rows}) != 1:
            raise InputError(f"{self._where} holds vectors of several lengths. Remove the file; it will be made anew")
        found: np.ndarray = np.stack(rows)[[places[key] for key in keys]]
        return found

    def _kept(self, keys: Iterable[bytes]) -> Iterator[tuple[bytes, np.ndarray]]:
        """The keys that are there, with their rows."""
        waiting = iter(list(keys))
        while asked := list(islice(waiting, ASKED)):
            marks = ",".join("?" * len(asked))
            found = self._base.execute(f"select key, vector from vectors where key in ({marks})", asked).fetchall()
            for key, vector in found:
                yield key, np.frombuffer(vector, dtype=np.float32)

    def _encode(self, texts: list[str], role: str) -> np.ndarray:
        rows = np.ascontiguousarray(self._encoder.encode(texts, role=role), dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(texts):
            raise InputError(
                f"encode gave an array of shape {rows.shape} for {len(texts)} texts; expected a row a text"
            )
        if not np.isfinite(rows).all():
            bad = texts[int(np.argmin(np.isfinite(rows).all(axis=1)))]
            raise InputError(f"encode gave no finite vector for {bad[:60]!r}; try another dtype")
        return rows


def _key(text: str, role: str) -> bytes:
    return hashlib.sha256(f"{role}\0{text}".encode("utf-8", "surrogatepass")).digest()
