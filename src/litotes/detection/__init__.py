"""Which words negate and hedge, how far they reach, and which kind of negation sets two texts apart."""

from litotes.detection.clauses import Clause, Fragment, clause_at, main_clause
from litotes.detection.cues import SENTENTIAL, PlainWord, Word, cues, is_affixal, is_implicit, may_cue, scan, sentential
from litotes.detection.find import detect
from litotes.detection.language import foreign, foreign_text
from litotes.detection.leaving_out import exclusion, exclusions
from litotes.detection.mechanism import classify

__all__ = [
    "SENTENTIAL",
    "Clause",
    "Fragment",
    "PlainWord",
    "Word",
    "classify",
    "clause_at",
    "cues",
    "detect",
    "exclusion",
    "exclusions",
    "foreign",
    "foreign_text",
    "is_affixal",
    "is_implicit",
    "main_clause",
    "may_cue",
    "scan",
    "sentential",
]
