"""Words exchanged for synonyms beside a word that is turned: what says the same, what does not, where none is made."""

from __future__ import annotations

import pytest

from litotes.parse import parser
from litotes.synth.by_rule.details import turnings
from litotes.synth.by_rule.exchanged import Exchanged, exchanged


def of(text: str, seed: int = 0) -> Exchanged | None:
    (document,) = parser().pipe([text])
    return next(exchanged(document, seed=seed), None)


def seeds(text: str) -> set[Exchanged]:
    """What is found with any of many seeds."""
    return {found for seed in range(20) if (found := of(text, seed)) is not None}


def test_a_word_is_exchanged_and_another_one_turned() -> None:
    text = "At first the price of the sofa was low."
    assert seeds(text) == {
        Exchanged(
            text,
            "At first the price of the couch was low.",
            "At first the price of the sofa was high.",
            "At first the price of the couch was high.",
        )
    }


def test_the_word_that_is_turned_is_not_exchanged() -> None:
    # "bought" could become "purchased", and "sold"
    found = seeds("The young doctor bought a sofa.")
    assert {one.turned for one in found} == {"The old doctor bought a sofa.", "The young doctor sold a sofa."}
    assert all("sold" not in one.turned or "bought" in one.restated for one in found)
    assert any("old doctor purchased" in one.restated_turned for one in found)


def test_the_article_goes_with_the_word() -> None:
    found = seeds("An uprising in the north began early.")
    assert all(one.restated.startswith(("A revolt", "An uprising")) for one in found)
    assert any(one.restated_turned == "A revolt in the south started early." for one in found)


@pytest.mark.parametrize(
    "text",
    [
        # nothing to exchange, nothing to turn, a negation, two sentences
        "The old ferry vanished before the storm.",
        "The sofa is in the attic.",
        "The sofa was not cheap.",
        "The sofa was cheap. The attic was warm.",
        # the word stands there twice, or its synonym does already
        "The old sofa is in the barn and the other sofa is in the hall.",
        "The old legislator met a lawmaker.",
        "The old blaze was a fire.",
        "",
    ],
)
def test_where_one_of_them_is_missing_nothing_is_made(text: str) -> None:
    assert of(text) is None


def test_what_somebody_said_stays_as_it_was_said() -> None:
    found = seeds('The cheap sofa was called "an early uprising" by the lawmaker.')
    assert found
    assert all('"an early uprising"' in one.restated_turned for one in found)
    assert any("legislator" in one.restated for one in found)


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Prices went up and then down under the new mayor until March.", {"new"}),
        ("At first they stayed in the cheap hotel.", {"cheap"}),
        ("Last year the hotel was cheap.", {"cheap"}),
        ("She was the first to reply.", {"first"}),
        ("He got the same answer before the war.", {"before"}),
        ("The cheap hotel was named after the war hero.", {"cheap"}),
        ("The cheap hotel was, after all, the first and the last.", {"cheap"}),
        ("More people than ever came to the cheap hotel.", {"cheap"}),
    ],
)
def test_words_of_many_senses_are_not_turned(text: str, turned: set[str]) -> None:
    (document,) = parser().pipe([text])
    (sentence,) = document.sentences
    assert turned <= {token.lower for token, _ in turnings(sentence)}
    many = {"up", "down", "under", "until", "at", "last", "same", "after", "more"}
    assert not many & {token.lower for token, _ in turnings(sentence)}
    if text.startswith("At first"):
        assert "first" not in {token.lower for token, _ in turnings(sentence)}


def test_the_same_text_and_seed_give_the_same() -> None:
    text = "The young doctor bought a sofa."
    assert of(text, 3) == of(text, 3)
