"""The model that declines bad rewrites."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from scripts.train_doubt import Row, Weights, save

from litotes import negate
from litotes.rewrite import Options, rewrite_texts, task
from litotes.rewrite.doubt import EVERYWHERE, DoubtModel, doubt_model, is_doubtful, load_doubt_model
from tests.conftest import rows

HEADLINE = "Bakery thief returns cake with apology note"


def test_chances_are_the_sums_of_weights_for_all_rules_and_for_one() -> None:
    weights = {(EVERYWHERE, "a"): (1.0, 0.0), ("never", "a"): (0.0, 3.0), (EVERYWHERE, "b"): (0.0, -2.0)}
    model = DoubtModel.of({**weights, ("let-us", "c"): (0.25, 0.0)}, (0.5, -1.0))
    odd, bad = model.chances("never", model.places(["a", "b", "unknown"]))
    # odd: 0.5 + 1 = 1.5; bad: -1 - 2 + 3 = 0
    assert odd == pytest.approx(1 / (1 + math.exp(-1.5)))
    assert bad == pytest.approx(0.5)
    # no weights of its own for "a": odd is 0.5 + 1 = 1.5, bad is -1
    assert model.chances("let-us", model.places(["a"])) == pytest.approx(
        (1 / (1 + math.exp(-1.5)), 1 / (1 + math.exp(1.0)))
    )


@pytest.mark.parametrize(
    ("kind", "odd", "bad", "expected"),
    [
        ("absolute", 0.0, 0.16, True),
        ("absolute", 0.2, 0.06, True),
        ("absolute", 0.2, 0.04, False),
        ("lexical", 0.0, 0.11, True),
        ("verbal", 0.9, 0.19, False),
        ("verbal", 0.0, 0.21, True),
    ],
)
def test_an_odd_rewrite_counts_as_half_a_bad_one(kind: str, odd: float, bad: float, expected: bool) -> None:
    assert is_doubtful(kind, odd, bad) is expected


def test_a_rewrite_that_is_declined_can_be_asked_for() -> None:
    checked, unchecked = (
        next(rewrite_texts([HEADLINE], [task("negate", "verbal", Options(unchecked=unchecked))]))[0]
        for unchecked in (False, True)
    )
    assert unchecked
    assert not checked
    assert "readers" in checked.reason


def test_natural_tries_the_next_kind_if_the_first_is_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    assert negate("The bridge is open.").kind == "verbal"
    monkeypatch.setattr(
        "litotes.rewrite.check.doubt_about", lambda sentence, clause, kind, rule, edits: "no" * (kind == "verbal")
    )
    result = negate("The bridge is open.")
    assert result.rewrite
    assert result.kind == "absolute"


def test_few_accepted_rewrites_are_declined() -> None:
    """The model was trained on these rewrites, too: this only shows that it does not get in the way of the tables."""
    accepted = declined = 0
    for row in rows():
        options = Options(cue=row.get("cue", ""), unchecked=True)
        tasks = [task(row["op"], row["kind"], each) for each in (options, replace(options, unchecked=False))]
        as_made, checked = next(rewrite_texts([row["text"]], tasks))
        if str(as_made) in row["accept"]:
            accepted += 1
            declined += not checked
    assert accepted > 900
    assert declined <= 0.03 * accepted


def test_the_model_knows_the_rules_and_is_not_empty() -> None:
    model = doubt_model()
    assert {"operator", "do-support", "never", "antonym", "hedge-frame"} <= model.rules.keys()
    assert model.bias[1] < 0  # most rewrites are good


def test_weights_learn_what_is_bad_and_are_loaded_as_they_were_saved(tmp_path: Path) -> None:
    good = [Row(f"text {n}", "verbal", "operator", "good", ("length=1", "finite verbs=1"), False) for n in range(40)]
    bad = [Row(f"note {n}", "verbal", "operator", "wrong", ("length=1", "no clause"), True) for n in range(20)]
    odd = replace(good[0], label="odd", features=("length=1", "several sentences"))
    save(Weights([*good, *bad, odd, odd]), tmp_path / "model.safetensors")
    model = load_doubt_model(tmp_path / "model.safetensors")
    note, text = (model.chances("operator", model.places(row.features))[1] for row in (bad[0], good[0]))
    assert note > 2 * text
