"""Which words negate and hedge, how far they reach, and which kind of negation sets two texts apart."""

from litotes.detection.classification import classify, classify_all
from litotes.detection.clauses import Clause, NoClause, clause_at, main_clause
from litotes.detection.cues import (
    SENTENTIAL,
    PlainWord,
    Word,
    find_cues,
    find_text_cues,
    is_affixal,
    is_implicit,
    match_cues,
    negating_words,
    sentential_cues,
    split_words,
)
from litotes.detection.detector import detect, detect_all
from litotes.detection.exclusion import has_cue_word, linear_splitter, split_query, split_query_all
from litotes.detection.language import non_english_reason, non_english_text_reason
from litotes.detection.mending import mended
from litotes.detection.sentences import sentence_spans, split_sentences

__all__ = [
    "SENTENTIAL",
    "Clause",
    "NoClause",
    "PlainWord",
    "Word",
    "classify",
    "classify_all",
    "clause_at",
    "detect",
    "detect_all",
    "find_cues",
    "find_text_cues",
    "has_cue_word",
    "is_affixal",
    "is_implicit",
    "linear_splitter",
    "main_clause",
    "match_cues",
    "mended",
    "negating_words",
    "non_english_reason",
    "non_english_text_reason",
    "sentence_spans",
    "sentential_cues",
    "split_query",
    "split_query_all",
    "split_sentences",
    "split_words",
]
