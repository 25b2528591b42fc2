"""A memory of facts that notices what it knows already, what has changed and what contradicts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from litotes.detection.word_alignment import words
from litotes.errors import InputError
from litotes.guard.adapters.common import differs, guard_of
from litotes.guard.guard import Guard
from litotes.guard.verdict import Verdict

KEPT, KNOWN, UPDATED, CONTRADICTS = "kept", "known", "updated", "contradicts"
CONTRADICTIONS = ("opposite", "direction")
UPDATES = ("number", "name", "modality")
"""Reasons for which a new fact can replace an old one. A fact of another scope or topic is a fact of its own."""
SUBJECT = 3
"""The first words in which a new fact and the one that it replaces must agree."""


@dataclass(frozen=True, slots=True)
class Addition:
    """What became of a fact that was added."""

    fact: str
    outcome: str
    """"kept", "known", "updated" or "contradicts\""""
    stored: str | None = None
    """the stored fact that says the same, was replaced, or is contradicted; None if the fact is simply new"""
    verdict: Verdict | None = None
    """the guard's verdict on the two; None if there are no two, or they are the same text"""


class FactMemory:
    """Facts as texts, each compared with the nearest stored ones before it is stored.

    `guard` is a `Guard` or the name of a tier; None is `Guard()`. `encode` is any function from a list of texts to one
    vector per text, such as an encoder's `encode`. A new fact is compared with at most `nearest` stored facts, those
    with the highest cosine, if it is at least `similarity`.

    A pair that the guard cannot judge, or is not sure of, counts as two different facts. A memory is not thread-safe.
    """

    def __init__(
        self,
        guard: Guard | str | None,
        encode: Callable[[list[str]], Any],
        *,
        nearest: int = 5,
        similarity: float = 0.0,
    ) -> None:
        if nearest < 1:
            raise InputError(f"nearest is {nearest}; expected 1 or more")
        if not -1 <= similarity <= 1:
            raise InputError(f"similarity is {similarity}; expected a cosine, from -1 to 1")
        self._guard, self._encode = guard_of(guard), encode
        self._nearest, self._similarity = nearest, similarity
        self._vectors: dict[str, np.ndarray] = {}
        self._updates: list[Addition] = []
        self._conflicts: list[Addition] = []

    def add(self, fact: str) -> Addition:
        """Store a fact, unless it is known, and say what became of it.

        "kept": it is new. "known": a stored fact says the same, and nothing is stored. "updated": it replaces a fact
        that begins with the same three words and has another number, name or modality; `history()` has the old one.
        "contradicts": a stored fact says the opposite; both are kept, for a person to decide.
        """
        if not isinstance(fact, str) or not fact.strip():
            raise InputError(f"the fact is {fact!r}; expected a text")
        if fact in self._vectors:
            return Addition(fact, KNOWN, fact)
        vector = self._vector(fact)
        near = self._near(vector)
        addition = _decided(fact, self._guard.judge_all([fact] * len(near), near))
        if addition.outcome == KNOWN:
            return addition
        if addition.outcome == UPDATED and addition.stored is not None:
            del self._vectors[addition.stored]
            self._updates.append(addition)
        if addition.outcome == CONTRADICTS:
            self._conflicts.append(addition)
        self._vectors[fact] = vector
        return addition

    def remove(self, fact: str) -> None:
        """Remove a stored fact, such as the wrong one of a conflict."""
        if fact not in self._vectors:
            raise InputError(f"{fact!r} is not stored; expected one of `facts()`")
        del self._vectors[fact]
        self._conflicts = [one for one in self._conflicts if fact not in (one.fact, one.stored)]

    def facts(self) -> list[str]:
        """Return the stored facts, oldest first."""
        return list(self._vectors)

    def history(self) -> list[Addition]:
        """Return every update, oldest first: `stored` is the fact that `fact` replaced."""
        return list(self._updates)

    def conflicts(self) -> list[Addition]:
        """Return the contradictions of which both facts are still stored."""
        return [one for one in self._conflicts if one.fact in self._vectors and one.stored in self._vectors]

    def _vector(self, fact: str) -> np.ndarray:
        """Return the vector of a fact at length 1, for cosines."""
        rows = np.asarray(self._encode([fact]), dtype=float)
        size = next((len(other) for other in self._vectors.values()), rows.shape[-1] if rows.ndim else 0)
        if rows.shape != (1, size) or not np.isfinite(rows).all():
            raise InputError(
                f"encode returned an array of shape {rows.shape} for one text; expected (1, {size}), all finite"
            )
        vector: np.ndarray = rows[0] / (np.linalg.norm(rows[0]) or 1.0)
        return vector

    def _near(self, vector: np.ndarray) -> list[str]:
        """Return the nearest stored facts, nearest first."""
        cosines = {fact: float(stored @ vector) for fact, stored in self._vectors.items()}
        near = [fact for fact, cosine in cosines.items() if cosine >= self._similarity]
        return sorted(near, key=lambda fact: -cosines[fact])[: self._nearest]


def _decided(fact: str, verdicts: Sequence[Verdict]) -> Addition:
    """Decide by the first verdict that says the same, else that contradicts, else that differs in a detail."""
    tests: tuple[tuple[str, Callable[[Verdict], bool]], ...] = (
        (KNOWN, lambda verdict: verdict.same and not verdict.error),
        (CONTRADICTS, lambda verdict: differs(verdict, CONTRADICTIONS) and not _of_another(verdict)),
        (UPDATED, lambda verdict: differs(verdict, UPDATES) and _begin_alike(verdict)),
    )
    for outcome, fits in tests:
        for verdict in verdicts:
            if fits(verdict):
                return Addition(fact, outcome, verdict.cached, verdict)
    return Addition(fact, KEPT)


def _of_another(verdict: Verdict) -> bool:
    """Return whether two facts begin with different names, and so are about different persons or things."""
    first, other = (next(iter(words(text)), None) for text in (verdict.new, verdict.cached))
    return bool(first and other and first.name and other.name and first.bare != other.bare)


def _begin_alike(verdict: Verdict) -> bool:
    """Return whether two facts begin with the same words, and so are about the same thing: not rooms 12 and 14."""
    first, other = ([word.lower for word in words(text)[:SUBJECT]] for text in (verdict.new, verdict.cached))
    return first == other
