"""Which words negate, and what clause they stand in."""

from litotes.detection.clauses import Clause, Fragment, clause_at, main_clause
from litotes.detection.cues import SENTENTIAL, PlainWord, Word, cues, is_affixal, is_implicit, scan, sentential
from litotes.detection.language import foreign

__all__ = [
    "SENTENTIAL",
    "Clause",
    "Fragment",
    "PlainWord",
    "Word",
    "clause_at",
    "cues",
    "foreign",
    "is_affixal",
    "is_implicit",
    "main_clause",
    "scan",
    "sentential",
]
