"""Test omissions: which details can be left out, which must stay, and when the shorter text does not follow."""

from __future__ import annotations

import pytest

from litotes.detection.sentences import changed_sentence
from litotes.parse import load_parser
from litotes.synthesis.by_rule.omissions import Omission, is_complete, omissions


def first(text: str, seed: int = 0) -> Omission | None:
    (document,) = load_parser().pipe([text])
    return next(omissions(document, seed=seed), None)


def seeds(text: str) -> list[Omission]:
    """Return the omissions of many seeds."""
    return [omission for seed in range(20) if (omission := first(text, seed)) is not None]


def test_a_phrase_is_left_out_and_another_word_is_reversed_in_both_texts() -> None:
    omission = first("The shop closed early on a Friday in March.")
    assert omission is not None
    assert omission.text == "The shop closed early on a Friday in March."
    assert omission.shorter in {"The shop closed early.", "The shop closed early on a Friday."}
    assert omission.reversed in {
        "The shop closed late on a Friday in March.",
        "The shop opened early on a Friday in March.",
    }
    opposites = {"closed": "opened", "early": "late"}
    (word,) = [word for word in opposites if opposites[word] in omission.reversed.split()]
    assert omission.shorter_reversed == omission.shorter.replace(word, opposites[word])


def test_an_opening_phrase_is_removed_with_its_comma_and_the_rest_gets_a_capital() -> None:
    results = [
        omission
        for omission in seeds("In the spring of 1950, the old mill burned.")
        if omission.shorter.startswith("The")
    ]
    assert {omission.shorter for omission in results} == {"The old mill burned."}


def test_the_reversed_word_is_never_in_the_removed_phrase() -> None:
    results = seeds("The old ferry sank in the bay after the storm.")
    assert {(omission.shorter, omission.shorter_reversed) for omission in results} == {
        ("The old ferry sank after the storm.", "The new ferry sank after the storm."),
        ("The old ferry sank after the storm.", "The old ferry sank before the storm."),
        ("The old ferry sank in the bay.", "The new ferry sank in the bay."),
    }


@pytest.mark.parametrize(
    "text",
    [
        "The ferry did not leave after the storm in May.",
        "Nobody in the old village left early on Friday.",
        "Only the old guard stayed late on Friday.",
        "If it rains early in the day, the fair closes.",
        "Did the fair close early on Friday?",
        "Every old bridge in the valley is closed.",
        "The fair closed early on Friday. It rained late in the evening.",
        "It rained.",
        # Too little would be left.
        "It sank early in May.",
        "",
    ],
)
def test_no_omission_if_the_shorter_text_does_not_follow(text: str) -> None:
    assert first(text) is None


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("Some of the houses in the valley burned late in the night.", "of"),
        ("The young teacher moved to the town in the spring of 1950.", "to"),
    ],
)
def test_a_required_phrase_stays(text: str, needed: str) -> None:
    results = seeds(text)
    assert results
    assert all(needed in omission.shorter.split() for omission in results)


def test_a_phrase_in_brackets_is_removed_with_the_brackets() -> None:
    results = seeds("Anna Lind Berg (born 2 May 1950) is an old painter and teacher from Norway.")
    assert {omission.shorter for omission in results} == {
        "Anna Lind Berg is an old painter and teacher from Norway.",
        "Anna Lind Berg (born 2 May 1950) is an old painter and teacher.",
    }


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("The old hall burned early.", True),
        ("The old hall ) burned early.", False),
        ("The old hall (of a brewer burned early.", False),
        ('The song, " was old and slow.', False),
        ("A strong wish for peace, and.", False),
        ("The hall burned.", False),
    ],
)
def test_a_shortened_text_must_be_complete(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


def test_the_article_fits_the_new_word() -> None:
    results = seeds("She keeps an old lamp on the shelf.")
    assert results
    assert all(omission.reversed == "She keeps a new lamp on the shelf." for omission in results)
    assert all(omission.shorter_reversed == "She keeps a new lamp." for omission in results)


def test_names_are_not_reversed() -> None:
    assert not any("Western" in omission.reversed for omission in seeds("The Eastern Railway opened in March."))


def test_text_and_seed_determine_the_omission() -> None:
    text = "The old shop by the river closed early on a Friday in March."
    assert first(text, 3) == first(text, 3)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("It rained. We left.", "It rained. We stayed.", ("We left.", "We stayed.")),
        ("It rained. We left.", "It snowed. We stayed.", None),
        ("It rained. We left.", "It rained. We left.", None),
        ("It rained. We left.", "It rained.", None),
    ],
)
def test_the_only_sentence_in_which_two_passages_differ(one: str, other: str, expected: tuple[str, str] | None) -> None:
    assert changed_sentence(one, other) == expected
