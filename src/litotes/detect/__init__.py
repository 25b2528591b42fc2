"""Which words negate, and what clause they stand in."""

from litotes.detect.clauses import Clause, Fragment, clause_at, main_clause
from litotes.detect.cues import SENTENTIAL, Word, count, cues, sentential, words_of

__all__ = [
    "SENTENTIAL",
    "Clause",
    "Fragment",
    "Word",
    "clause_at",
    "count",
    "cues",
    "main_clause",
    "sentential",
    "words_of",
]
