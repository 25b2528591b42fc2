"""What a contrast file holds: lengths and differing words, as in NevIR's Table 1 and Figure 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from litotes.data.writing_rule import words
from litotes.types import Contrast


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """One contrast in numbers; of a missing second query the figures are None."""

    id: str
    q1: int
    q2: int | None
    doc1: int
    doc2: int
    query_words: int | None
    """how many different words only one of the two queries has"""
    document_words: int


def statistics(contrasts: Iterable[Contrast]) -> list[PairStatistics]:
    """The numbers of each contrast; length is in words between white space."""
    found = []
    for contrast in contrasts:
        query_words = len(words(contrast.q1) ^ words(contrast.q2)) if contrast.q2 else None
        found.append(
            PairStatistics(
                contrast.id,
                len(contrast.q1.split()),
                len(contrast.q2.split()) if contrast.q2 else None,
                len(contrast.doc1.split()),
                len(contrast.doc2.split()),
                query_words,
                len(words(contrast.doc1) ^ words(contrast.doc2)),
            )
        )
    return found


def summary(rows: Iterable[PairStatistics]) -> dict[str, Any]:
    """The means of NevIR's Table 1, and of the differing words."""
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


def series(rows: Iterable[PairStatistics]) -> dict[str, list[int]]:
    """What is worth a histogram, by its label; queries first, without those of a file that has no second ones."""
    rows = list(rows)
    both = [(row.q1, row.q2, row.query_words) for row in rows if row.q2 is not None and row.query_words is not None]
    found: dict[str, list[int]] = {"words a query": [n for row in rows for n in (row.q1, row.q2) if n is not None]}
    if both:
        found["difference of the queries' lengths"] = [abs(first - second) for first, second, _ in both]
        found["words in one query only"] = [differing for _, _, differing in both]
    found["words a document"] = [n for row in rows for n in (row.doc1, row.doc2)]
    found["difference of the documents' lengths"] = [abs(row.doc1 - row.doc2) for row in rows]
    found["words in one document only"] = [row.document_words for row in rows]
    return found


def _mean(values: Iterable[int]) -> float | None:
    found = list(values)
    return round(fmean(found), 2) if found else None
