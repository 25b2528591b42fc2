"""The two checks of a rewrite, from its edits and from its parse, on drafts and results written by hand."""

from __future__ import annotations

import pytest

from litotes.detection import find_cues
from litotes.parse import load_parser
from litotes.rewrite.check import failure
from litotes.rewrite.draft import Draft
from litotes.rewrite.verify import clauses_of, structure_failure
from litotes.types import Edit, Rewrite


def _failure(text: str, old: str, new: str, polarity_check: str, flips: int = 0) -> str:
    (sentence,) = load_parser().parse(text).sentences
    draft = Draft(sentence, "by-hand", polarity_check=polarity_check, flips=flips)
    edits = (Edit(text.index(old), old, new),) if old != new else ()
    return failure(draft, edits, find_cues(sentence))


@pytest.mark.parametrize(
    ("text", "old", "new", "polarity_check", "flips", "expected"),
    [
        ("The lamp is on.", "is", "is not", "cue", 0, ""),
        ("The lamp is on.", "is", "was", "cue", 0, "the polarity did not change"),
        ("The lamp is on.", "is", "is", "cue", 0, "the rewrite equals the input"),
        ("Nobody has come.", "has", "hasn't", "cue", 0, "the clause would have two negations"),
        ("The lamp is not on.", "is not", "is", "cue", 0, ""),
        ("The lamp is on.", "is", "is probably", "none", 0, ""),
        ("The lamp is on.", "is", "is never", "none", 0, "the polarity changed"),
        ("It is not possible.", "not possible", "impossible", "same", 0, ""),
        ("It is not open.", "not open", "closed", "same", 1, ""),
        ("It is not open.", "not open", "closed", "same", 0, "the cues do not cancel out"),
    ],
)
def test_a_draft_is_checked_by_its_edits(
    text: str, old: str, new: str, polarity_check: str, flips: int, expected: str
) -> None:
    assert _failure(text, old, new, polarity_check, flips) == expected


@pytest.mark.parametrize(
    ("kind", "text", "made", "expected"),
    [
        ("verbal", "The dog sleeps on the sofa.", "The dog doesn't sleep on the sofa.", ""),
        ("verbal", "The dog sleeps on the sofa.", "The dog slept on the sofa.", "clause does not change in"),
        ("lexical", "The dog is happy.", "The dog is not sad.", "main clause changes in the parsed rewrite"),
        ("lexical", "The dog is happy.", "The dog is sad.", ""),
        ("verbal", "The dog sleeps.", "It doesn't matter. The dog sleeps.", "another number of sentences"),
        ("verbal", "The dog sleeps on the sofa.", "The dog did not slept on the sofa.", "is not a verb form"),
        ("verbal", "The dog sleeps on the sofa.", "No dog on the sofa.", "does not parse as a clause"),
    ],
)  # fmt: skip
def test_a_result_is_verified_by_its_parse(kind: str, text: str, made: str, expected: str) -> None:
    rewrite = Rewrite(text, kind, made, edits=(Edit(0, text, made),))
    found = structure_failure(clauses_of(load_parser().parse(text)), rewrite, load_parser().parse(made))
    assert expected in found if expected else found == ""
