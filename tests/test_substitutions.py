"""Test substitutions: words replaced by synonyms next to a word replaced by its opposite."""

from __future__ import annotations

import pytest

from litotes.parse import load_parser
from litotes.synthesis.by_rule.omissions import reversible_words
from litotes.synthesis.by_rule.substitutions import Substitution, substitutions


def first(text: str, seed: int = 0) -> Substitution | None:
    (document,) = load_parser().pipe([text])
    return next(substitutions(document, seed=seed), None)


def seeds(text: str) -> set[Substitution]:
    """Return the substitutions of many seeds."""
    return {result for seed in range(20) if (result := first(text, seed)) is not None}


def test_one_word_gets_a_synonym_and_another_its_opposite() -> None:
    text = "At first the price of the sofa was low."
    assert seeds(text) == {
        Substitution(
            text,
            "At first the price of the couch was low.",
            "At first the price of the sofa was high.",
            "At first the price of the couch was high.",
        )
    }


def test_the_reversed_word_gets_no_synonym() -> None:
    # "large" could become "big", and "small".
    results = seeds("The large family bought a sofa.")
    assert {result.reversed for result in results} == {"The small family bought a sofa."}
    assert all("large" in result.restated for result in results)
    assert any(result.restated_reversed == "The small family purchased a sofa." for result in results)


def test_the_article_fits_the_new_word() -> None:
    results = seeds("An uprising in the north began early.")
    assert all(result.restated.startswith(("A revolt", "An uprising")) for result in results)
    assert any(result.restated_reversed == "A revolt in the south started early." for result in results)


@pytest.mark.parametrize(
    "text",
    [
        # No synonym, no opposite, a negation, two sentences.
        "The old ferry vanished before the storm.",
        "The sofa is in the attic.",
        "The sofa was not cheap.",
        "The sofa was cheap. The attic was warm.",
        # The word occurs twice, or its synonym occurs already.
        "The old sofa is in the barn and the other sofa is in the hall.",
        "The old legislator met a lawmaker.",
        "The old blaze was a fire.",
        "",
    ],
)
def test_no_substitution_without_both_words(text: str) -> None:
    assert first(text) is None


def test_quotations_are_not_changed() -> None:
    results = seeds('The cheap sofa was called "an early uprising" by the lawmaker.')
    assert results
    assert all('"an early uprising"' in result.restated_reversed for result in results)
    assert any("legislator" in result.restated for result in results)


@pytest.mark.parametrize(
    ("text", "reversible"),
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
def test_ambiguous_words_are_not_reversed(text: str, reversible: set[str]) -> None:
    (document,) = load_parser().pipe([text])
    (sentence,) = document.sentences
    assert reversible <= {token.lower for token, _ in reversible_words(sentence)}
    ambiguous = {"up", "down", "under", "until", "at", "last", "same", "after", "more"}
    assert not ambiguous & {token.lower for token, _ in reversible_words(sentence)}
    if text.startswith("At first"):
        assert "first" not in {token.lower for token, _ in reversible_words(sentence)}


def test_text_and_seed_determine_the_substitution() -> None:
    text = "The young doctor bought a sofa."
    assert first(text, 3) == first(text, 3)
