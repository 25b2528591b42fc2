"""Statistics of contrast files: lengths and differing words, as in NevIR's Table 1 and Figure 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from litotes.data.writing_rule import lower_words
from litotes.types import Contrast


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """The lengths and differing words of one contrast; the figures of a missing second query are None."""

    id: str
    q1: int
    q2: int | None
    doc1: int
    doc2: int
    query_words: int | None
    """The number of distinct words that only one of the two queries contains."""
    document_words: int
    """The number of distinct words that only one of the two documents contains."""


def measure_contrasts(contrasts: Iterable[Contrast]) -> list[PairStatistics]:
    """Return the statistics of each contrast; lengths are in words separated by white space."""
    rows = []
    for contrast in contrasts:
        query_words = len(lower_words(contrast.q1) ^ lower_words(contrast.q2)) if contrast.q2 else None
        rows.append(
            PairStatistics(
                contrast.id,
                len(contrast.q1.split()),
                len(contrast.q2.split()) if contrast.q2 else None,
                len(contrast.doc1.split()),
                len(contrast.doc2.split()),
                query_words,
                len(lower_words(contrast.doc1) ^ lower_words(contrast.doc2)),
            )
        )
    return rows


def summary(rows: Iterable[PairStatistics]) -> dict[str, Any]:
    """Return the means of NevIR's Table 1, and of the differing words."""
    rows = list(rows)
    both = [row for row in rows if row.q2 is not None]
    return {
        "pairs": len(rows),
        "question 1 length": _mean(row.q1 for row in rows),
        "question 2 length": _mean(row.q2 or 0 for row in both),
        "question length difference": _mean(abs(row.q1 - (row.q2 or 0)) for row in both),
        "document 1 length": _mean(row.doc1 for row in rows),
        "document 2 length": _mean(row.doc2 for row in rows),
        "document length difference": _mean(abs(row.doc1 - row.doc2) for row in rows),
        "words in one question only": _mean(row.query_words or 0 for row in both),
        "words in one document only": _mean(row.document_words for row in rows),
    }


def histogram_values(rows: Iterable[PairStatistics]) -> dict[str, list[int]]:
    """Return the values for histograms by their labels; differences of queries only if the file has second queries."""
    rows = list(rows)
    both = [(row.q1, row.q2, row.query_words) for row in rows if row.q2 is not None and row.query_words is not None]
    values: dict[str, list[int]] = {"words per query": [n for row in rows for n in (row.q1, row.q2) if n is not None]}
    if both:
        values["difference in query length"] = [abs(first - second) for first, second, _ in both]
        values["words in one query only"] = [differing for _, _, differing in both]
    values["words per document"] = [n for row in rows for n in (row.doc1, row.doc2)]
    values["difference in document length"] = [abs(row.doc1 - row.doc2) for row in rows]
    values["words in one document only"] = [row.document_words for row in rows]
    return values


def _mean(values: Iterable[int]) -> float | None:
    numbers = list(values)
    return round(fmean(numbers), 2) if numbers else None
