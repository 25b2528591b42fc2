""" "Yes," and "No," before a clause: what is removed, what stays, and that the guard and the metric do it."""

from __future__ import annotations

import pytest

from litotes.detection.answer_words import without_answer_words
from litotes.guard import Guard
from litotes.metric import Metric
from tests.test_metric import WordScorer


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Yes, dogs are allowed.", "dogs are allowed."),
        ("No, dogs aren't allowed on the beach.", "dogs aren't allowed on the beach."),
        ("no - we do not ship abroad", "we do not ship abroad"),
        ("Yes: you’re covered", "you're covered"),
        ("Nope, the ticket cannot be changed.", "the ticket cannot be changed."),
        # Without a clause that says it all, the word decides.
        ("No, thank you.", "No, thank you."),
        ("Yes, on Monday.", "Yes, on Monday."),
        ("No, not before noon, when the shop is open.", "No, not before noon, when the shop is open."),
        ("No", "No"),
        ("No, unless you are a member.", "No, unless you are a member."),
        ("Yes, even if you have no ticket.", "Yes, even if you have no ticket."),
        ("Yes, members who are over 18.", "Yes, members who are over 18."),
        ("No, but you can bring a cat.", "No, but you can bring a cat."),
        ("No, is it open?", "No, is it open?"),
        # These are no answers.
        ("No dogs are allowed.", "No dogs are allowed."),
        ("No-one is allowed to enter.", "No-one is allowed to enter."),
        ("no-smoking rooms are available", "no-smoking rooms are available"),
        ("Yesterday, dogs were allowed.", "Yesterday, dogs were allowed."),
        ("Dogs are allowed, yes.", "Dogs are allowed, yes."),
        ("", ""),
    ],
)
def test_an_answer_word_before_a_clause_is_removed(text: str, bare: str) -> None:
    assert without_answer_words(text, "Cats sleep.") == (bare, "Cats sleep.")
    assert without_answer_words("Cats sleep.", text) == ("Cats sleep.", bare)


def test_nothing_is_removed_beside_a_bare_answer_word() -> None:
    assert without_answer_words("Yes.", "No, dogs are not allowed.") == ("Yes.", "No, dogs are not allowed.")


def test_the_guard_compares_the_clauses() -> None:
    guard = Guard("rules")
    assert guard.judge("No, it isn't open.", "It is not open").same
    verdict = guard.judge("No, dogs are not allowed.", "Yes, dogs are allowed.")
    assert (verdict.same, verdict.reason) == (False, "opposite")
    # The verdict has the texts as they were given.
    assert (verdict.new, verdict.cached) == ("No, dogs are not allowed.", "Yes, dogs are allowed.")


def test_the_metric_reads_the_clauses() -> None:
    scorer = WordScorer()
    Metric(scorer).score(["Yes, dogs are allowed."], ["No, dogs are not allowed."])
    assert scorer.scored == [("dogs are not allowed.", "dogs are allowed.")]
