"""Exclusion as an operator on the query's vector: what is kept, less a little of what is left out.

An encoder that is asked for "films with X, excluding Y" sees Y named, and prefers Y's document. So the query is taken
apart before it is encoded: (1−m)·f(kept) + m·f(whole) − β·f(excluded). Works with any encoder, and nothing is indexed
anew. Taking Y *out* gives most of the gain; subtracting much of it pushes away documents that merely mention Y, so β is
small; a little of the whole query brings back what a split may lose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from litotes.detection import exclusions
from litotes.errors import InputError
from litotes.types import Exclusion

BETA = 0.1
"""how much of what is left out is subtracted"""
CALM = 0.5
"""the share of a tower's own dial for a query that leaves something out: that negation is no longer in its words"""
WHOLE = 0.0
"""how much of the whole query stays beside what is kept"""
Encode = Callable[[list[str]], np.ndarray]


def exclude(text: str) -> Exclusion:
    """What a query keeps, what it leaves out, and which cue and rule decided."""
    if not isinstance(text, str):
        raise InputError(f"exclude reads a text, got {type(text).__name__}")
    return next(exclusions([text]))


def exclude_checked(exclude: object) -> bool:
    """Whether queries are taken apart; InputError for what is neither “auto” nor a yes or no."""
    if exclude not in ("auto", True, False):
        raise InputError(f"exclude is {exclude!r}; expected “auto”, or False to leave queries whole")
    return exclude is not False


@dataclass(frozen=True, slots=True)
class Parts:
    """Queries taken apart: the distinct texts to encode, and of which of them each query is made."""

    texts: list[str]
    whole: list[int]
    """the place of each query itself; of what it keeps, where the whole is not asked for"""
    kept: list[int]
    """the place of what each query keeps"""
    excluded: list[tuple[int, ...]]
    """the places of what it leaves out"""


def parts_of(queries: Sequence[str], *, whole: bool = WHOLE > 0) -> Parts:
    """All texts that a list of queries needs, each once; a query that leaves out nothing needs itself alone."""
    if isinstance(queries, str):
        raise InputError("got one text; expected a list of queries")
    places: dict[str, int] = {}
    found = Parts([], [], [], [])
    for one in exclusions(queries):
        found.whole.append(places.setdefault(one.text if whole else one.kept, len(places)))
        found.kept.append(places.setdefault(one.kept, len(places)))
        found.excluded.append(tuple(places.setdefault(thing, len(places)) for thing in one.excluded))
    found.texts.extend(places)
    return found


def joined(parts: Parts, vectors: np.ndarray, *, beta: float = BETA, whole: float = WHOLE) -> np.ndarray:
    """One row a query from the vectors of its parts, as long as the row of what it keeps.

    The row of a query that leaves out nothing is untouched, bit for bit.
    """
    for name, value in (("beta", beta), ("whole", whole)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is {value}; expected a number from 0 to 1")
    rows = np.array(vectors[parts.kept])
    for number, things in enumerate(parts.excluded):
        if things:
            kept = rows[number]
            mixed = (1 - whole) * kept.astype(np.float64) + whole * vectors[parts.whole[number]]
            turned = mixed - beta * np.mean(vectors[list(things)], axis=0, dtype=np.float64)
            length = float(np.linalg.norm(turned))
            # what is kept and what is left out may be one thing, and then there is nothing to turn to
            rows[number] = turned * (np.linalg.norm(kept) / length) if length > 0 else kept
    return rows


def encode(queries: Sequence[str], encoder: Encode, *, beta: float = BETA, whole: float = WHOLE) -> np.ndarray:
    """The queries' vectors by any encoder of lists of texts, with what they leave out taken out."""
    parts = parts_of(queries, whole=whole > 0)
    return joined(parts, np.asarray(encoder(parts.texts)), beta=beta, whole=whole) if parts.texts else np.zeros((0, 0))
