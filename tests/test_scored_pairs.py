"""A metric from scored pairs: reading them from files, a small run that learns, sweeps, and the command."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app
from litotes.errors import InputError
from litotes.models.pair.metric import PairMetric, load_metric
from litotes.reporting.report_data import read_folders
from litotes.training import Example, TowerTraining, read_examples, train_tower
from litotes.training.examples import digest
from litotes.training.pair import PairTraining, train_pair
from litotes.training.sets import read_sets
from litotes.training.sweeps import sweep_points
from litotes.workflows.evaluator import Evaluator, tasks_to_measure
from tests.family_models import quiet
from tests.small_base import small_base

THINGS = ("bridge", "library", "pool", "museum", "market", "chapel", "harbour", "garden")
STATES = ("open", "crowded", "famous")
NEW_THINGS, NEW_STATES = ("airport", "bakery", "castle", "station"), ("clean", "expensive")


def lesson(thing: str, state: str) -> list[Example]:
    """No word of a candidate decides its score; it depends on whether the reference has the same negation."""
    claim, denial = f"The {thing} is {state}.", f"The {thing} is not {state}."
    said, denied = f"People say the {thing} is {state}.", f"People say the {thing} is not {state}."
    scores = ((claim, said, 0.95), (claim, denied, 0.05), (denial, denied, 0.95), (denial, said, 0.05))
    return [
        Example(reference, candidate, kind="denials" if "not" in reference else "claims", score=score)
        for reference, candidate, score in scores
    ]


LESSONS = [example for thing in THINGS for state in STATES for example in lesson(thing, state)]
HELD_OUT = [example for thing in NEW_THINGS for state in NEW_STATES for example in lesson(thing, state)]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


SCORED = [
    {"reference": "The mill runs.", "candidate": "The mill works.", "score": 0.9, "source": "restated"},
    {"reference": "The mill runs.", "candidate": "The mill does not run.", "score": 0, "source": "denied"},
    {"reference": "The mill runs.", "candidate": "The mill runs.", "score": 1},
]


def test_scored_pairs_are_read_with_their_sources(tmp_path: Path) -> None:
    found = read_examples(write(tmp_path / "scored.jsonl", SCORED))
    assert found.examples == (
        Example("The mill runs.", "The mill works.", kind="restated", score=0.9),
        Example("The mill runs.", "The mill does not run.", kind="denied", score=0.0),
        # a text that is its own candidate teaches a metric what whole is; elsewhere it teaches nothing
        Example("The mill runs.", "The mill runs.", score=1.0),
    )
    several = {"reference": "The mill runs.", "candidates": [["The mill works.", 0.9], ["", 0.5], ["No mill runs.", 0]]}
    found = read_examples(write(tmp_path / "several.jsonl", [several]))
    assert [(one.positive, one.score) for one in found.examples] == [("The mill works.", 0.9), ("No mill runs.", 0.0)]
    assert found.dropped == {"no positive": 1}


def test_ordinary_text_is_read_as_pairs_that_belong_together(tmp_path: Path) -> None:
    text = "The mill was built in 1840 and burned down in 1902."
    row = {"text": text, "claims": ["It burned.", "It was built."]}
    found = read_examples(write(tmp_path / "claims.jsonl", [row]))
    assert found.examples == (Example("It burned.", text), Example("It was built.", text))
    rows = [{"intent": "opening hours", "texts": ["when open", "hours?", "open now?"]}, {"intent": "x", "texts": ["a"]}]
    found = read_examples(write(tmp_path / "intents.jsonl", rows))
    # half of three, rounded down, is one: each text goes with the next, the last with the first
    assert [(one.query, one.positive) for one in found.examples] == [
        ("when open", "hours?"),
        ("hours?", "open now?"),
        ("open now?", "when open"),
    ]
    assert found.dropped == {"the query is its own positive": 1}
    four = {"intent": "opening hours", "texts": ["a", "b", "c", "d"]}
    found = read_examples(write(tmp_path / "four.jsonl", [four]))
    assert [one.query + one.positive for one in found.examples] == ["ac", "bd", "ca", "db"]


@pytest.mark.parametrize("name", ["graded", "abstracts", "utterances"])
def test_the_shipped_sets_of_these_shapes_are_read(name: str) -> None:
    (found,) = read_sets([f"written:{name}"])
    assert len(found.examples) > 100
    assert all((one.score is not None) == (name == "graded") for one in found.examples)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"reference": "a", "candidate": "b"}, "the score is None; expected a number from 0 to 1"),
        ({"reference": "a", "candidate": "b", "score": 1.2}, r"the score is 1\.2; expected a number from 0"),
        ({"reference": "a", "candidate": "b", "score": -0.1}, r"the score is -0\.1"),
        ({"reference": "a", "candidate": "b", "score": True}, "the score is True"),
        ({"reference": "a", "candidate": "b", "score": math.nan}, "the score is nan"),
        ({"reference": "a", "candidate": "b", "score": "1"}, "the score is '1'"),
        ({"reference": 7, "candidate": "b", "score": 1}, "expected the texts reference and candidate"),
        ({"reference": "a", "score": 1}, "expected the texts reference and candidate"),
        (
            {"reference": "a", "candidates": [["b", 1], ["c"]]},
            "expected candidates as a list of pairs",
        ),
        ({"reference": "a", "candidates": "b"}, "expected candidates as a list of pairs"),
    ],
)
def test_a_malformed_scored_line_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    file = write(tmp_path / "bad.jsonl", [*SCORED, row])
    with pytest.raises(InputError, match=rf"bad\.jsonl, line 4: {said}"):
        read_examples(file)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "a", "claims": "b"}, "expected texts and claims as lists"),
        ({"texts": [], "claims": ["b"]}, "expected texts and claims as lists, with at least one text"),
        ({"text": "a", "claims": [7]}, "a text or a claim is not a string"),
        ({"claims": ["b"]}, "a text or a claim is not a string"),
    ],
)
def test_a_malformed_ordinary_line_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    file = write(tmp_path / "bad.jsonl", [{"text": "a", "claims": ["b"]}, row])
    with pytest.raises(InputError, match=rf"bad\.jsonl, line 2: {said}"):
        read_examples(file)


def test_the_score_of_a_pair_identifies_its_run() -> None:
    assert digest([Example("a", "b", score=0.4)]) != digest([Example("a", "b", score=0.5)])
    assert digest([Example("a", "b", score=0.4)]) != digest([Example("a", "b")])


@pytest.mark.slow
def test_a_small_run_learns_what_changes_the_meaning(base: str) -> None:
    config = PairTraining(base=base, rank=0, max_tokens=24, batch=16, epochs=10, lr=3e-4, seed=1)
    with quiet():
        trained = train_pair(config, LESSONS, device="cpu")
    # 96 pairs are 6 batches per epoch.
    assert trained.steps == 60
    losses = [line["loss"] for line in trained.curves if "loss" in line]
    # An untrained head gives about one half to every pair, which costs log 2.
    assert losses[0] == pytest.approx(math.log(2), abs=0.1)
    assert losses[-1] < losses[0] - 0.15
    metric = PairMetric(trained.model)
    scores = metric.score([example.positive for example in HELD_OUT], [example.query for example in HELD_OUT])
    kept = np.array([example.score == 0.95 for example in HELD_OUT])
    assert scores[kept].min() > scores[~kept].max()


def test_only_the_recipe_pair_learns_from_scores() -> None:
    pairs = [Example("The mill runs.", "The mill does not run.", score=0.0)]
    with pytest.raises(InputError, match="only the recipe pair learns from scores"):
        train_tower(TowerTraining(), pairs)
    with pytest.raises(InputError, match="only the recipe pair learns from scores"):
        train_tower(TowerTraining(), [Example("a", "b", ("c",))], replay=pairs)


def test_sources_are_left_out_once_and_alone_once() -> None:
    pairs = [Example(f"r{at}", "c", kind="wmt" if at < 3 else "faults", score=0.5) for at in range(5)]
    nameless = Example("r", "c", score=1.0)
    triple = Example("r", "c", ("d",), kind="word")
    points = {point.name: point for point in sweep_points("sources", [pairs, [nameless, triple]])}
    assert {name: len(point.examples) for name, point in points.items()} == {
        "all": 7,
        "without-faults": 5,
        "without-wmt": 4,
        "only-faults": 2,
        "only-wmt": 3,
    }
    assert points["without-wmt"].at == "without wmt"
    assert {nameless, triple} <= set(points["without-wmt"].examples)
    with pytest.raises(InputError, match="the scored pairs have these sources: wmt; expected at least two"):
        sweep_points("sources", [pairs[:3], [triple]])
    with pytest.raises(InputError, match="these sources: none"):
        sweep_points("sources", [[triple]])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 scored pairs of two sources, and four contrasts on things they do not name."""
    folder = tmp_path_factory.mktemp("data")
    rows: list[dict[str, Any]] = []
    for example in LESSONS[:48]:
        texts = {"reference": example.query, "candidate": example.positive}
        rows.append({**texts, "score": example.score, "source": example.kind})
    write(folder / "scored.jsonl", rows)
    held = [
        {
            "id": thing,
            "q1": f"The {thing} is clean.",
            "q2": f"The {thing} is not clean.",
            "doc1": f"People say the {thing} is clean.",
            "doc2": f"People say the {thing} is not clean.",
        }
        for thing in NEW_THINGS
    ]
    write(folder / "held.jsonl", held)
    return folder


def litotes(*given: str) -> Result:
    with quiet():
        return CliRunner().invoke(app, given)


def arguments(data: Path, out: Path, base: str, *more: str) -> list[str]:
    quick = ("rank=8", "batch=16", "max_tokens=24", "lr=2e-3")
    settings = [part for setting in quick for part in ("--set", setting)]
    measured = ["--measure", f"contrasts:{data / 'held.jsonl'}", "--device", "cpu"]
    start = ["train", str(data / "scored.jsonl"), "--recipe", "pair", "--base", base, "--out", str(out)]
    return [*start, *settings, *measured, *more]


def test_the_command_trains_measures_and_describes_a_metric(data: Path, base: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    found = litotes(*arguments(data, out, base, "--set", "epochs=2"))
    assert found.exit_code == 0, (found.output, found.exception)
    said = json.loads(found.stdout)
    assert said["model"] == f"cross:{out / 'model'}"
    # 48 pairs in batches of 16, twice
    assert (said["examples"], said["steps"]) == (48, 6)
    assert set(said["before"]) == set(said["scores"]) == {"negation.held", "minimal-pair margin"}
    evidence = read_folders([out])
    assert evidence.models == (f"dense:{base}", f"cross:{out / 'model'}")
    assert set(evidence.curves[0].lines) == {"loss", "lr", "negation.held", "minimal-pair margin"}
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "Trained by `litotes train --recipe pair` on 48 examples" in card
    assert 'litotes.Metric("PATH/model")' in card
    with quiet():
        assert load_metric(out / "model", device="cpu").longest == 24
    kept = (out / "curves.jsonl").read_bytes()
    again = litotes(*arguments(data, out, base, "--set", "epochs=2"))
    assert again.stdout == found.stdout
    assert (out / "curves.jsonl").read_bytes() == kept


def test_a_base_is_measured_as_another_family(data: Path, base: str) -> None:
    (task,) = tasks_to_measure([f"contrasts:{data / 'held.jsonl'}"], None)
    with quiet():
        before = Evaluator([task], "score", "mine", device="cpu", base_family="dense").measure_base(base)
    assert before.model == f"dense:{base}"
    assert len(before.minimal_pairs) == 4
    assert Evaluator([task], "score", "mine").minimal_pair_measure == "minimal-pair margin"


@pytest.mark.slow
def test_a_sweep_over_sources_is_a_run_a_point(data: Path, base: str, tmp_path: Path) -> None:
    out = tmp_path / "sources"
    found = litotes(*arguments(data, out, base, "--set", "epochs=1", "--sweep", "sources"))
    assert found.exit_code == 0, (found.output, found.exception)
    points = [json.loads(line) for line in found.stdout.splitlines()]
    assert [(point["name"], point["examples"], point["steps"]) for point in points] == [
        ("all", 48, 3),
        ("without-claims", 24, 2),
        ("without-denials", 24, 2),
        ("only-claims", 24, 2),
        ("only-denials", 24, 2),
    ]
    evidence = read_folders([out])
    assert evidence.models == (f"dense:{base}", *(point["name"] for point in points))
    assert [at for at, _ in evidence.sweeps[0].lines["minimal-pair margin"]][:2] == ["all", "without claims"]
    again = litotes(*arguments(data, out, base, "--set", "epochs=1", "--sweep", "sources"))
    assert again.stdout == found.stdout


def test_a_bad_score_ends_the_command_with_its_line(data: Path, base: str, tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.jsonl", [*SCORED, SCORED[0] | {"score": 7}])
    found = litotes("train", str(bad), "--recipe", "pair", "--base", base, "--out", str(tmp_path / "run"))
    assert isinstance(found.exception, InputError)
    assert f"{bad}, line 4: the score is 7; expected a number from 0 to 1" in str(found.exception)
