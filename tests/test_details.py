"""A detail left out and a word turned: what goes, what must stay, and where nothing follows from the whole."""

from __future__ import annotations

import pytest

from litotes.detection.sentences import changed_sentence
from litotes.parse import parser
from litotes.synth.by_rule.details import Detail, details, is_whole


def of(text: str, seed: int = 0) -> Detail | None:
    (document,) = parser().pipe([text])
    return next(details(document, seed=seed), None)


def seeds(text: str) -> list[Detail]:
    """What is found with any of many seeds."""
    return [found for seed in range(20) if (found := of(text, seed)) is not None]


def test_a_phrase_goes_and_a_word_that_stays_is_turned_in_both() -> None:
    found = of("The shop closed early on a Friday in March.")
    assert found is not None
    assert found.text == "The shop closed early on a Friday in March."
    assert found.shorter in {"The shop closed early.", "The shop closed early on a Friday."}
    assert found.turned in {
        "The shop closed late on a Friday in March.",
        "The shop opened early on a Friday in March.",
    }
    turned = {"closed": "opened", "early": "late"}
    (word,) = [word for word in turned if turned[word] in found.turned.split()]
    assert found.shorter_turned == found.shorter.replace(word, turned[word])


def test_what_opens_the_sentence_goes_with_its_comma_and_the_rest_gets_a_capital() -> None:
    found = [one for one in seeds("In the spring of 1950, the old mill burned.") if one.shorter.startswith("The")]
    assert {one.shorter for one in found} == {"The old mill burned."}


def test_the_word_that_is_turned_is_never_in_what_goes() -> None:
    found = seeds("The old ferry sank in the bay after the storm.")
    assert {(one.shorter, one.shorter_turned) for one in found} == {
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
        # too little would be left
        "It sank early in May.",
        "",
    ],
)
def test_where_a_part_does_not_follow_from_the_whole_nothing_is_made(text: str) -> None:
    assert of(text) is None


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("Some of the houses in the valley burned late in the night.", "of"),
        ("The young teacher moved to the town in the spring of 1950.", "to"),
    ],
)
def test_what_the_sentence_needs_stays(text: str, needed: str) -> None:
    found = seeds(text)
    assert found
    assert all(needed in one.shorter.split() for one in found)


def test_what_stands_in_brackets_goes_with_them() -> None:
    found = seeds("Anna Lind Berg (born 2 May 1950) is an old painter and teacher from Norway.")
    assert {one.shorter for one in found} == {
        "Anna Lind Berg is an old painter and teacher from Norway.",
        "Anna Lind Berg (born 2 May 1950) is an old painter and teacher.",
    }


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The old hall burned early.", True),
        ("The old hall ) burned early.", False),
        ("The old hall (of a brewer burned early.", False),
        ('The song, " was old and slow.', False),
        ("A strong wish for peace, and.", False),
        ("The hall burned.", False),
    ],
)
def test_a_shortening_that_leaves_something_torn_is_none(text: str, whole: bool) -> None:
    assert is_whole(text) is whole


def test_the_article_goes_with_the_word() -> None:
    found = seeds("She keeps an old lamp on the shelf.")
    assert found
    assert all(one.turned == "She keeps a new lamp on the shelf." for one in found)
    assert all(one.shorter_turned == "She keeps a new lamp." for one in found)


def test_names_are_not_turned() -> None:
    assert not any("Western" in one.turned for one in seeds("The Eastern Railway opened in March."))


def test_the_same_text_and_seed_give_the_same() -> None:
    text = "The old shop by the river closed early on a Friday in March."
    assert of(text, 3) == of(text, 3)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("It rained. We left.", "It rained. We stayed.", ("We left.", "We stayed.")),
        ("It rained. We left.", "It snowed. We stayed.", None),
        ("It rained. We left.", "It rained. We left.", None),
        ("It rained. We left.", "It rained.", None),
    ],
)
def test_the_one_sentence_in_which_two_passages_differ(one: str, other: str, expected: tuple[str, str] | None) -> None:
    assert changed_sentence(one, other) == expected
