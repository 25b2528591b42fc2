"""Batches of rows of similar length, by tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield the indices of rows of similar length: as many as fit into `batch_tokens` when padded, at least one."""
    rows: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (lengths[row], row)):
        if rows and (len(rows) + 1) * lengths[row] > batch_tokens:
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows
