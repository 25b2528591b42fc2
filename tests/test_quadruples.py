"""Test quadruples by rule: what a sentence gives, that counting cues fails on all, and that training reads them."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from litotes.data.quadruples import Quadruple
from litotes.errors import InputError
from litotes.lexicon import table
from litotes.synthesis import SynthesisConfig, synthesise
from litotes.synthesis.by_rule.rewritten_quadruples import Statement, _squares, quadruples
from litotes.synthesis.cue_counting import cue_bag
from litotes.synthesis.sources import Anchor
from litotes.training import Example, read_examples

ANCHORS = [
    Anchor("1", "The museum is open on Mondays."),
    Anchor("2", "Prices rose in the spring."),
    Anchor("3", "The choir met in the town hall."),
    Anchor("4", "Is the museum open on Mondays?"),
    Anchor("5", "Some of the guests were happy."),
    Anchor("6", "The letter never arrived."),
    Anchor("7", "The road to the farm may be dry."),
    Anchor("8", "Her answer was possible."),
]


def _made(seed: int) -> list[Quadruple]:
    return list(quadruples(ANCHORS, seed=seed, counts=Counter()))


@pytest.fixture(scope="module")
def made() -> list[Quadruple]:
    """Return the quadruples of several seeds, because openings are drawn at random."""
    return [quadruple for seed in range(12) for quadruple in _made(seed)]


def test_an_antonym_and_a_negated_verb_give_a_quadruple(made: list[Quadruple]) -> None:
    squares = [
        {frozenset((quadruple.a1, quadruple.a2)), frozenset((quadruple.b1, quadruple.b2))}
        for quadruple in made
        if quadruple.id.startswith("2/")
    ]
    rose = frozenset(("Prices rose in the spring.", "Prices did not fall in the spring."))
    fell = frozenset(("Prices fell in the spring.", "Prices did not rise in the spring."))
    plain = [
        {frozenset(text.replace("didn't", "did not") for text in pair) for pair in quadruple} for quadruple in squares
    ]
    assert {rose, fell} in plain


def test_counting_cues_misleads_in_every_quadruple(made: list[Quadruple]) -> None:
    """If two cues cancel out, the count groups the two denials, and nothing else."""
    assert made
    for quadruple in made:
        a1, a2, b1, b2 = (len(cue_bag(text)) for text in (quadruple.a1, quadruple.a2, quadruple.b1, quadruple.b2))
        assert quadruple.cues == (a1, a2, b1, b2)
        assert a1 != a2 or b1 != b2
        assert a1 == b1 or a2 == b2 or abs(a1 - a2) == 2


def test_questions_some_may_and_negated_sentences_give_no_quadruple(made: list[Quadruple]) -> None:
    assert {quadruple.id.partition("/")[0] for quadruple in made}.isdisjoint({"4", "5", "6", "7"})


@pytest.mark.parametrize(
    "text",
    [
        "Every room has a window.",
        "All tenants have a key.",
        "Both of the museums are open on Mondays.",
        "The rooms all have a window.",
        "They all agreed.",
        "The door is always open.",
        "Everyone is happy with the decision.",
        "The whole team agreed.",
        "The teacher accepted all the answers.",
        "The club has many members.",
    ],
)
def test_a_universal_statement_gets_no_opposite_word(text: str) -> None:
    """ "Not every room has a window" is not "every room lacks a window"."""
    made = [
        quadruple for seed in range(12) for quadruple in quadruples([Anchor("1", text)], seed=seed, counts=Counter())
    ]
    assert made
    texts = {text for quadruple in made for text in (quadruple.a1, quadruple.a2, quadruple.b1, quadruple.b2)}
    opposites = ("lack", "closed", "disagree", "refused", "rejected all", "unhappy", "sad")
    assert not [text for text in texts if any(word in text for word in opposites)]


def test_openings_reverse_or_keep_the_meaning(made: list[Quadruple]) -> None:
    """It is false that the choir did not meet: it met."""
    opened = [quadruple for quadruple in made if quadruple.id.startswith("3/")]
    assert (
        len(
            {
                text.partition(" that ")[0]
                for quadruple in opened
                for text in (quadruple.a1, quadruple.a2, quadruple.b1, quadruple.b2)
            }
        )
        > 4
    )
    for quadruple in opened:
        assert _met(quadruple.a1) == _met(quadruple.a2) != _met(quadruple.b1) == _met(quadruple.b2)


def _met(text: str) -> bool:
    """Return what a text says about the choir, from its opening and from the clause after it."""
    asserted = True
    for row in table("reports"):
        for template, declares_true in ((row["asserts"], True), (row["denies"], False)):
            opening = template.removesuffix("{clause}")
            if text.startswith(opening):
                asserted, text = declares_true, text.removeprefix(opening)
    denied = any(words in text for words in ("did not meet", "didn't meet", "failed to meet"))
    return asserted != denied


def test_the_seed_determines_the_quadruples() -> None:
    assert _made(3) == _made(3)


def test_a_quadruple_has_texts_of_one_world_only() -> None:
    statements = [
        Statement("The shop is open.", True, "anchor"),
        Statement("The shop is not open.", False, "verbal"),
        Statement("She said that the shop is open.", True, "opening", "she"),
        Statement("She denied that the shop is open.", False, "opening", "she"),
        Statement("She said that the shop is not open.", False, "opening", "she"),
        Statement("She denied that the shop is not open.", True, "opening", "she"),
    ]
    (square,) = _squares(statements, random.Random(0))
    assert {statement.world for statement in square} == {"she"}


def test_a_text_that_agrees_and_denies_is_left_out() -> None:
    statements = [
        Statement("It is open.", True, "anchor"),
        Statement("It is not shut.", True, "verbal lexical"),
        Statement("It is not open.", False, "verbal"),
        Statement("It is shut.", False, "lexical"),
    ]
    assert len(_squares(statements, random.Random(0))) == 1
    assert not _squares([*statements, Statement("It is shut.", True, "opening")], random.Random(0))


def test_a_run_writes_quadruples_and_training_reads_them(tmp_path: Path) -> None:
    source = tmp_path / "anchors.txt"
    source.write_text("The museum is open on Mondays.\nPrices rose in the spring.\n", encoding="utf-8")
    synthesise(SynthesisConfig((str(source),), types=("quadruples",)), tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    lines = (tmp_path / "out" / "quadruples.jsonl").read_text(encoding="utf-8").splitlines()
    assert manifest["made"]["quadruples"]["kept"] == len(lines) >= 2
    reading = read_examples(tmp_path / "out" / "quadruples.jsonl")
    assert len(reading.examples) == 4 * len(lines)


def test_a_quadruple_gives_an_example_for_each_text_with_both_opposites(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(
        '{"a1": "open", "a2": "not shut", "b1": "not open", "b2": "shut", "mechanism": "antonym"}\n', encoding="utf-8"
    )
    notes = ("equivalent", "antonym")
    assert read_examples(file).examples == (
        Example("open", "not shut", ("not open", "shut"), *notes),
        Example("not shut", "open", ("shut", "not open"), *notes),
        Example("not open", "shut", ("open", "not shut"), *notes),
        Example("shut", "not open", ("not shut", "open"), *notes),
    )


def test_a_language_model_makes_no_quadruples() -> None:
    with pytest.raises(InputError, match="quadruples are made by rule"):
        SynthesisConfig(("seed:sentences",), types=("quadruples",), generator="a model")
