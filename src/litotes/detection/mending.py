"""Mend the parse where the parser is known to be wrong, once, before any rule asks: clitics, subject clauses, verbs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from litotes.detection import mended_clauses, mended_verbs
from litotes.parse import Sentence


@lru_cache(maxsize=1024)
def mended(sentence: Sentence) -> Sentence:
    """Return the sentence with its known errors mended, or the sentence itself if there are none."""
    for repair in REPAIRS:
        sentence = repair(sentence)
    return sentence


REPAIRS: tuple[Callable[[Sentence], Sentence], ...] = (
    mended_verbs.clitics,
    mended_verbs.contracted_be,
    mended_verbs.let_us,
    mended_verbs.auxiliaries,
    mended_verbs.split_groups,
    mended_verbs.clinical_verbs,
    mended_verbs.plural_verbs,
    mended_verbs.swapped_verbs,
    mended_verbs.serial_verbs,
    mended_clauses.subject_clauses,
    mended_clauses.clauses_between_commas,
    mended_clauses.gerund_subjects,
    mended_clauses.inverted_conditions,
    mended_clauses.commands_after_a_clause,
    mended_clauses.commands_after_a_purpose,
    mended_clauses.only_inversions,
    mended_clauses.closing_tags,
)
