"""The metric's recipe: scored pairs from files, a small run that learns, a run that resumes, and the command."""

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
from litotes.models.scorer import load_scorer
from litotes.reporting.report_data import read_folders
from litotes.training import Example, TowerTraining, read_examples, train_tower
from litotes.training.examples import digest
from litotes.training.metric import MetricTraining, scored_pairs, train_metric
from litotes.training.recipes import recipe_of
from litotes.training.run import Trained
from litotes.training.sets import read_sets
from litotes.training.sweeps import sweep_points
from litotes.workflows.evaluator import Evaluator, tasks_to_measure
from tests.family_models import quiet
from tests.small_base import assert_same, small_base, tiny_base, weights, without_seconds

THINGS = ("bridge", "library", "pool", "museum", "market", "chapel", "harbour", "garden")
STATES = ("open", "crowded", "famous")
NEW_THINGS, NEW_STATES = ("airport", "bakery", "castle", "station"), ("clean", "expensive")


def lesson(thing: str, state: str) -> list[Example]:
    """No word of a candidate decides its score; it depends on whether the reference has the same negation."""
    claim, denial = f"The {thing} is {state}.", f"The {thing} is not {state}."
    said, denied = f"People say the {thing} is {state}.", f"People say the {thing} is not {state}."
    return [Example(claim, said, (denied,)), Example(denial, denied, (said,))]


LESSONS = [example for thing in THINGS for state in STATES for example in lesson(thing, state)]
HELD_OUT = [example for thing in NEW_THINGS for state in NEW_STATES for example in lesson(thing, state)]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.getbasetemp() / "tiny-base")


def settings_on(base: str, **changes: Any) -> MetricTraining:
    small = {"shared_layers": 0, "own_layers": 1, "max_tokens": 24, "batch": 4, "epochs": 2, "lr": 2e-3, "seed": 1}
    return MetricTraining(base=base, **small | changes)


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


def test_a_metric_starts_from_another(tiny: str, tmp_path: Path) -> None:
    with quiet():
        train_metric(settings_on(tiny), LESSONS[:8], out=tmp_path / "first", device="cpu")
        start = str(tmp_path / "first" / "model")
        # With a learning rate of almost 0 the result is the start, up to the half precision it was saved in.
        again = train_metric(settings_on(tiny, start=start, epochs=1, lr=1e-12), LESSONS[:4], device="cpu").model
        before = load_scorer(start, base=tiny, device="cpu")
        pairs = ["The barn is not open.", "The barn is not closed."], ["The barn is open."] * 2
        assert np.abs(again.score(*pairs) - before.score(*pairs)).max() < 1e-5
        with pytest.raises(InputError, match="is not a metric"):
            train_metric(settings_on(tiny, start=str(tmp_path)), LESSONS[:4], device="cpu")


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


def test_what_each_pair_is_worth_by_hand() -> None:
    assert list(scored_pairs(Example("a", "b", score=0.4))) == [("a", "b", 0.4)]
    assert list(scored_pairs(Example("a", "b", ("c", "d")))) == [("a", "b", 1.0), ("a", "c", 0.0), ("a", "d", 0.0)]
    assert digest([Example("a", "b", score=0.4)]) != digest([Example("a", "b", score=0.5)])
    assert digest([Example("a", "b", score=0.4)]) != digest([Example("a", "b")])


def test_only_the_metric_learns_from_scores() -> None:
    pairs = [Example("The mill runs.", "The mill does not run.", score=0.0)]
    with pytest.raises(InputError, match="only metric and pair learn from scores"):
        train_tower(TowerTraining(), pairs)
    with pytest.raises(InputError, match="only metric and pair learn from scores"):
        train_tower(TowerTraining(), LESSONS, replay=pairs)


@pytest.fixture(scope="module")
def learned(base: str) -> tuple[Trained, list[str]]:
    """A run on the lessons, and what its evaluator was handed."""
    handed: list[str] = []

    def evaluate(model: Any) -> dict[str, float]:
        handed.append(type(model).__name__)
        right = model.score(["The mill is old."], ["People say the mill is old."])
        return {"negation.made up": float(right[0])}

    with quiet():
        config = settings_on(base, batch=16, epochs=3)
        return train_metric(config, LESSONS, evaluate=evaluate, device="cpu"), handed


def test_a_small_run_learns_what_turns_a_text(learned: tuple[Trained, list[str]]) -> None:
    trained, handed = learned
    # 48 lessons of a positive and a negative are 96 pairs: 6 batches an epoch
    assert trained.steps == 18
    assert trained.epoch == 3
    losses = [line["loss"] for line in trained.curves if "loss" in line]
    # a head that knows nothing says one half to all, which costs log 2
    assert losses[0] == pytest.approx(math.log(2), abs=0.1)
    assert losses[-1] < losses[0] / 2
    references = [example.query for example in HELD_OUT]
    right = trained.model.score([example.positive for example in HELD_OUT], references)
    wrong = trained.model.score([example.negatives[0] for example in HELD_OUT], references)
    assert np.all(right > wrong)
    assert handed == ["RankerInTraining"] * 3
    assert [line["epoch"] for line in trained.curves if "scores" in line] == [1, 2, 3]
    # to a ranker the query comes first, which is the metric's reference
    (score,) = trained.model.score(["People say the mill is old."], ["The mill is old."])
    assert trained.curves[-1]["scores"]["negation.made up"] == pytest.approx(score, abs=1e-6)


def test_the_same_run_again_ends_in_the_same_weights(tiny: str) -> None:
    with quiet():
        one, same, other = (
            train_metric(settings_on(tiny, epochs=1, seed=seed), LESSONS[:4], device="cpu") for seed in (1, 1, 2)
        )
    assert_same(weights(one.model.model), weights(same.model.model))
    assert not np.array_equal(weights(one.model.model)["outer.weight"], weights(other.model.model)["outer.weight"])


def test_a_resumed_run_ends_like_an_uninterrupted_one(tiny: str, tmp_path: Path) -> None:
    config = settings_on(tiny)
    options: dict[str, Any] = {"device": "cpu", "checkpoint_every": 2}

    def interrupt(line: Any) -> None:
        if line["step"] == 3:
            raise KeyboardInterrupt

    with quiet():
        whole = train_metric(config, LESSONS[:6], out=tmp_path / "whole", **options)
        with pytest.raises(KeyboardInterrupt):
            train_metric(config, LESSONS[:6], out=tmp_path / "resumed", progress=interrupt, **options)
        # The line of step 3 comes before its checkpoint: the run resumes from step 2, in the middle of an epoch.
        resumed = train_metric(config, LESSONS[:6], out=tmp_path / "resumed", **options)
        again = train_metric(config, LESSONS[:6], out=tmp_path / "resumed", **options)
    assert whole.steps == 6
    for run in (resumed, again):
        assert without_seconds(run.curves) == without_seconds(whole.curves)
        assert_same(weights(run.model.model), weights(whole.model.model))
    described = (tmp_path / "resumed" / "run.json").read_bytes()
    with quiet(), pytest.raises(InputError, match="holds a run with other settings, examples or base"):
        train_metric(config, LESSONS[:5], out=tmp_path / "resumed", device="cpu")
    assert (tmp_path / "resumed" / "run.json").read_bytes() == described
    with quiet():
        saved = load_scorer(tmp_path / "resumed" / "model", device="cpu")
    asked = ["The mill is not old."], ["The mill is old."]
    assert saved.score(*asked) == pytest.approx(whole.model.score(*asked), abs=1e-3)


def test_what_cannot_be_trained_is_refused(tiny: str) -> None:
    with pytest.raises(
        InputError, match="the recipe metric has no replay; pass ordinary pairs as data, each with a score"
    ):
        train_metric(settings_on(tiny), LESSONS[:2], replay=LESSONS[:1])
    with pytest.raises(InputError, match="there are no examples; expected at least one"):
        train_metric(settings_on(tiny), [])
    with pytest.raises(InputError, match="epochs is 0; expected 1 or more"):
        settings_on(tiny, epochs=0)
    with pytest.raises(InputError, match="max_tokens is 12; expected 16 or more"):
        settings_on(tiny, max_tokens=12)
    with quiet(), pytest.raises(InputError, match=r"the loss is nan at step 2 of 6.*Try a lower lr \(it is 1e\+30\)"):
        train_metric(settings_on(tiny, lr=1e30, warmup=0.0), LESSONS[:6], device="cpu")
    with quiet(), pytest.raises(InputError, match="shared_layers is 3; expected 0 to 2"):
        train_metric(settings_on(tiny, shared_layers=3), LESSONS[:2], device="cpu")


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


def test_the_metric_is_a_recipe_whose_base_is_measured_by_its_cosine() -> None:
    recipe = recipe_of("metric")
    assert (recipe.family, recipe.folder, recipe.base_family) == ("score", "model", "dense")
    assert recipe.config() is MetricTraining
    assert recipe.train() is train_metric
    assert {recipe_of(name).base_family for name in ("tower", "finetune", "late", "cross", "seq2seq")} == {""}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 scored pairs of two sources, and four contrasts on things they do not name."""
    folder = tmp_path_factory.mktemp("data")
    rows: list[dict[str, Any]] = []
    for example in LESSONS[:24]:
        for candidate, score in ((example.positive, 0.95), (example.negatives[0], 0.05)):
            source = "claims" if "not" not in example.query else "denials"
            rows.append({"reference": example.query, "candidate": candidate, "score": score, "source": source})
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
    quick = ("shared_layers=0", "own_layers=1", "batch=16", "max_tokens=24", "lr=2e-3")
    settings = [part for setting in quick for part in ("--set", setting)]
    measured = ["--measure", f"contrasts:{data / 'held.jsonl'}", "--device", "cpu"]
    start = ["train", str(data / "scored.jsonl"), "--recipe", "metric", "--base", base, "--out", str(out)]
    return [*start, *settings, *measured, *more]


def test_the_command_trains_measures_and_describes_a_metric(data: Path, base: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    found = litotes(*arguments(data, out, base, "--set", "epochs=2"))
    assert found.exit_code == 0, (found.output, found.exception)
    said = json.loads(found.stdout)
    assert said["model"] == f"score:{out / 'model'}"
    # 48 pairs in batches of 16, twice
    assert (said["examples"], said["steps"]) == (48, 6)
    assert set(said["before"]) == set(said["scores"]) == {"negation.held", "minimal-pair margin"}
    evidence = read_folders([out])
    assert evidence.models == (f"dense:{base}", f"score:{out / 'model'}")
    assert set(evidence.curves[0].lines) == {"loss", "lr", "negation.held", "minimal-pair margin"}
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "Trained by `litotes train --recipe metric` on 48 examples" in card
    assert 'litotes.Metric("PATH/model")' in card
    with quiet():
        assert load_scorer(out / "model", device="cpu").longest == 24
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


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--replay", "{data}/held.jsonl"), "the recipe metric has no replay"),
        (("--sweep", "kind"), "these kinds of negatives: none"),
        (("--set", "scale=3"), "there is no setting 'scale'"),
        (("--max-general-loss", "1"), "there is no setting 'max_general_loss'"),
    ],
)
def test_what_the_metric_does_not_know_is_refused(
    data: Path, base: str, tmp_path: Path, more: tuple[str, str], said: str
) -> None:
    given = [part.format(data=data) for part in more]
    found = litotes(*arguments(data, tmp_path / "run", base, *given))
    assert isinstance(found.exception, InputError)
    assert said in str(found.exception)
    assert not (tmp_path / "run" / "model").exists()


def test_a_bad_score_ends_the_command_with_its_line(data: Path, base: str, tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.jsonl", [*SCORED, SCORED[0] | {"score": 7}])
    found = litotes("train", str(bad), "--recipe", "metric", "--base", base, "--out", str(tmp_path / "run"))
    assert isinstance(found.exception, InputError)
    assert f"{bad}, line 4: the score is 7; expected a number from 0 to 1" in str(found.exception)
