"""Exclusion as an operation on the query's vector.

The query "films with X, excluding Y" names Y, so an encoder prefers documents about Y. Therefore the query is split
before it is encoded: (1−m)·f(kept) + m·f(whole) − β·f(excluded). This works with any encoder, and nothing has to be
indexed again. Leaving Y out of the text gives most of the gain. β is small, because subtracting more pushes away
documents that merely mention Y. A small m restores what a wrong split loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from litotes.errors import InputError
from litotes.query.splitting import splitter as splitter_named
from litotes.types import Exclusion

BETA = 0.15
"""β: how much of the excluded part is subtracted."""
EXCLUSION_DIAL_SHARE = 0.5
"""Share of the default dial for a query that excludes something: its negation is no longer in the encoded words."""
WHOLE_QUERY_WEIGHT = 0.0
"""m: the weight of the whole query beside the kept part."""
Encode = Callable[[list[str]], np.ndarray]
Split = Callable[[Sequence[str]], Iterable[Exclusion]]
"""Splits queries: one result per query, in order."""
Exclude = str | bool | Sequence[str]
"""What `exclude` can be: "auto" or True, False, or a list of what is excluded."""


def exclude(text: str, *, splitter: str = "") -> Exclusion:
    """Split a query into what it keeps and what it excludes.

    The result can be changed and handed to `encode_query` instead of the query. `splitter` is "litotes-splitter", the
    default if its packages are installed, "linear", or the folder of a trained splitter.
    """
    if not isinstance(text, str):
        raise InputError(f"the query is {type(text).__name__}; expected a text")
    return next(iter(splitter_named(splitter)([text])))


def check_exclude(exclude: object) -> tuple[str, ...] | None:
    """Return the exclusions that are stated; None if queries are to be read as they are."""
    if exclude == "auto" or isinstance(exclude, bool):
        return () if exclude else None
    if isinstance(exclude, str) or not isinstance(exclude, Sequence):
        hint = f". For something to exclude, pass a list: [{exclude!r}]" if isinstance(exclude, str) else ""
        raise InputError(f"exclude is {exclude!r}; expected “auto”, False or a list of texts{hint}")
    for item in exclude:
        if not isinstance(item, str) or not item.strip():
            raise InputError(f"exclude has {item!r}; expected texts that are not empty")
    return tuple(exclude)


def described_split(split: Split) -> str:
    """Return what a fingerprint says about a splitter."""
    fingerprint = getattr(split, "fingerprint", "")
    return f" splits {fingerprint}" if fingerprint else ""


@dataclass(frozen=True, slots=True)
class QueryParts:
    """Queries that were split: the distinct texts to encode, and the indices of the texts of each query."""

    texts: list[str]
    whole: list[int]
    """the index of each whole query; of its kept part if the whole is not needed"""
    kept: list[int]
    """the index of the kept part of each query"""
    excluded: list[tuple[int, ...]]
    """the indices of the excluded parts of each query"""


def split_queries(
    queries: Sequence[str | Exclusion],
    *,
    exclude: Exclude = "auto",
    whole: bool = WHOLE_QUERY_WEIGHT > 0,
    split: Split | None = None,
) -> QueryParts:
    """Split queries, and collect the distinct texts to encode. A query that excludes nothing needs only itself.

    A query that is split already stays as it is. `exclude` can state what every query excludes, beside what its own
    words exclude; with False, queries are read as they are. `split` is another splitter.
    """
    if isinstance(queries, str):
        raise InputError("got a single text; expected a list of queries")
    stated = check_exclude(exclude)
    indices: dict[str, int] = {}
    parts = QueryParts([], [], [], [])
    for query in _exclusions(queries, stated, split):
        parts.whole.append(indices.setdefault(query.text if whole else query.kept, len(indices)))
        parts.kept.append(indices.setdefault(query.kept, len(indices)))
        parts.excluded.append(tuple(indices.setdefault(text, len(indices)) for text in query.excluded))
    parts.texts.extend(indices)
    return parts


def _exclusions(
    queries: Sequence[str | Exclusion], stated: tuple[str, ...] | None, split: Split | None
) -> Iterator[Exclusion]:
    texts = [query for query in queries if isinstance(query, str)]
    if stated is None:
        yield from (Exclusion(text, text) for text in map(text_of, queries))
        return
    found = iter((split or splitter_named())(texts)) if texts else iter(())
    for query in queries:
        own = next(found) if isinstance(query, str) else query
        yield replace(own, excluded=tuple(dict.fromkeys((*own.excluded, *stated)))) if stated else own


def text_of(query: str | Exclusion) -> str:
    """Return the text of a query, split or not."""
    return query.text if isinstance(query, Exclusion) else query


def combine_parts(
    parts: QueryParts, vectors: np.ndarray, *, beta: float = BETA, whole: float = WHOLE_QUERY_WEIGHT
) -> np.ndarray:
    """Return one row per query from the vectors of its parts, with the length of the row of its kept part.

    The row of a query that excludes nothing stays the same, bit for bit.
    """
    for name, value in (("beta", beta), ("whole", whole)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} is {value}; expected a number from 0 to 1")
    rows = np.array(vectors[parts.kept])
    for number, excluded in enumerate(parts.excluded):
        if excluded:
            kept = rows[number]
            mixed = (1 - whole) * kept.astype(np.float64) + whole * vectors[parts.whole[number]]
            combined = mixed - beta * np.mean(vectors[list(excluded)], axis=0, dtype=np.float64)
            length = float(np.linalg.norm(combined))
            # The difference is 0 if the kept and the excluded part have the same vector and beta is 1.
            rows[number] = combined * (np.linalg.norm(kept) / length) if length > 0 else kept
    return rows


def encode(
    queries: Sequence[str], encoder: Encode, *, beta: float = BETA, whole: float = WHOLE_QUERY_WEIGHT
) -> np.ndarray:
    """Encode queries with any function from a list of texts to vectors, and apply their exclusions."""
    parts = split_queries(queries, whole=whole > 0)
    return (
        combine_parts(parts, np.asarray(encoder(parts.texts)), beta=beta, whole=whole)
        if parts.texts
        else np.zeros((0, 0))
    )
