"""Quadruples by rule: what is made of a sentence, that counting cues fails on all, and that training reads them."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from litotes.data.quadruples import Quadruple
from litotes.errors import InputError
from litotes.lexicon import table
from litotes.synth import Config, synthesise
from litotes.synth.by_rule.quadruples import Side, _squares, quadruples
from litotes.synth.cue_counting import bag
from litotes.synth.sources import Anchor
from litotes.train import Example, read_examples

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
    """Of several seeds, since openings come by lot."""
    return [one for seed in range(12) for one in _made(seed)]


def test_an_antonym_and_a_negated_verb_make_a_square(made: list[Quadruple]) -> None:
    squares = [{frozenset((one.a1, one.a2)), frozenset((one.b1, one.b2))} for one in made if one.id.startswith("2/")]
    rose = frozenset(("Prices rose in the spring.", "Prices did not fall in the spring."))
    fell = frozenset(("Prices fell in the spring.", "Prices did not rise in the spring."))
    plain = [{frozenset(text.replace("didn't", "did not") for text in pair) for pair in one} for one in squares]
    assert {rose, fell} in plain


def test_the_count_of_cues_misleads_in_every_one(made: list[Quadruple]) -> None:
    """Where two cues cancel out, the count joins the two denials, and nothing else."""
    assert made
    for one in made:
        a1, a2, b1, b2 = (len(bag(text)) for text in (one.a1, one.a2, one.b1, one.b2))
        assert one.cues == (a1, a2, b1, b2)
        assert a1 != a2 or b1 != b2
        assert a1 == b1 or a2 == b2 or abs(a1 - a2) == 2


def test_questions_some_may_and_what_is_denied_already_make_none(made: list[Quadruple]) -> None:
    assert {one.id.partition("/")[0] for one in made}.isdisjoint({"4", "5", "6", "7"})


@pytest.mark.parametrize(
    "text",
    [
        "Every room has a window.",
        "All tenants have a key.",
        "Both museums are open on Mondays.",
        "The rooms all have a window.",
        "They all agreed.",
        "The door is always open.",
        "Everyone is happy with the decision.",
        "The whole team agreed.",
        "The teacher accepted all the answers.",
        "The club has many members.",
    ],
)
def test_what_is_said_of_all_has_no_opposite_word(text: str) -> None:
    """That not every room has a window leaves some that have: "every room lacks one" is another matter."""
    found = [one for seed in range(20) for one in quadruples([Anchor("1", text)], seed=seed, counts=Counter())]
    assert found
    texts = {side for one in found for side in (one.a1, one.a2, one.b1, one.b2)}
    opposite = ("lack", "closed", "disagree", "refused", "rejected all", "unhappy", "sad")
    assert not [side for side in texts if any(word in side for word in opposite)]


def test_openings_turn_and_keep(made: list[Quadruple]) -> None:
    """It is false that the choir did not meet: it met."""
    opened = [one for one in made if one.id.startswith("3/")]
    assert len({text.partition(" that ")[0] for one in opened for text in (one.a1, one.a2, one.b1, one.b2)}) > 4
    for one in opened:
        assert _met(one.a1) == _met(one.a2) != _met(one.b1) == _met(one.b2)


def _met(text: str) -> bool:
    """What a text says of the choir, from its opening and from the clause behind it."""
    asserted = True
    for row in table("reports"):
        for template, holds in ((row["asserts"], True), (row["denies"], False)):
            opening = template.removesuffix("{clause}")
            if text.startswith(opening):
                asserted, text = holds, text.removeprefix(opening)
    denied = any(words in text for words in ("did not meet", "didn't meet", "failed to meet"))
    return asserted != denied


def test_the_same_seed_gives_the_same() -> None:
    assert _made(3) == _made(3)


def test_only_texts_of_one_world_meet() -> None:
    sides = [
        Side("The shop is open.", True, "anchor"),
        Side("The shop is not open.", False, "verbal"),
        Side("She said that the shop is open.", True, "opening", "she"),
        Side("She denied that the shop is open.", False, "opening", "she"),
        Side("She said that the shop is not open.", False, "opening", "she"),
        Side("She denied that the shop is not open.", True, "opening", "she"),
    ]
    (square,) = _squares(sides, random.Random(0))
    assert {side.world for side in square} == {"she"}


def test_a_text_on_both_sides_is_left_out() -> None:
    sides = [
        Side("It is open.", True, "anchor"),
        Side("It is not shut.", True, "verbal lexical"),
        Side("It is not open.", False, "verbal"),
        Side("It is shut.", False, "lexical"),
    ]
    assert len(_squares(sides, random.Random(0))) == 1
    assert not _squares([*sides, Side("It is shut.", True, "opening")], random.Random(0))


def test_a_run_writes_them_and_training_reads_them(tmp_path: Path) -> None:
    source = tmp_path / "anchors.txt"
    source.write_text("The museum is open on Mondays.\nPrices rose in the spring.\n", encoding="utf-8")
    synthesise(Config((str(source),), make=("quadruples",)), tmp_path / "out")
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


def test_a_language_model_makes_none() -> None:
    with pytest.raises(InputError, match="quadruples are made by rule"):
        Config(("seed:sentences",), make=("quadruples",), generator="a model")
