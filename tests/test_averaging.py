"""The mean of runs with the same start: by its definition, from the command line, and what cannot be averaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.errors import InputError, require
from litotes.models.pair.build import load_pair_scorer, new_pair_scorer, save_pair_scorer
from litotes.models.tower.build import new_tower, tower_of
from litotes.models.tower.delta import load_tower, save_delta
from litotes.training import Example, TowerTraining, train_tower
from litotes.training.averaging import average
from tests.family_models import quiet
from tests.small_base import tiny_base

torch = require("torch")

Made = Callable[..., Path]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.getbasetemp() / "tiny-base")


@pytest.fixture
def tower(base: str, tmp_path: Path) -> Made:
    def made(name: str, *, moved: float, width: int = 8) -> Path:
        """Save a tower whose weights are those of the same start plus `moved`; return the folder of its run."""
        with quiet():
            model = new_tower(base, shared_layers=0, own_layers=1, width=width, device="cpu")
            with torch.no_grad():
                for _, value in tower_of(model).own_parameters():
                    value.add_(moved)
            save_delta(model, tmp_path / name / "tower", base=base)
        return tmp_path / name

    return made


def weights(folder: Path, base: str) -> dict[str, Any]:
    with quiet():
        return dict(tower_of(load_tower(folder, base=base, device="cpu")).own_parameters())


def test_every_weight_is_the_mean_of_the_members(tower: Made, base: str, tmp_path: Path) -> None:
    start = tower("start", moved=0.0)
    # A run and a model in a run; the mean of 0, 0.25 and 0.75 is a third.
    home = average([start, tower("one", moved=0.25) / "tower", tower("other", moved=0.75)], tmp_path / "mean")
    assert home == tmp_path / "mean" / "tower"
    before, after = weights(start / "tower", base), weights(home, base)
    for name, value in before.items():
        assert torch.allclose(after[name], value + 1 / 3, atol=1e-3, rtol=2e-3), name  # half precision


@pytest.fixture
def pair_model(base: str, tmp_path: Path) -> Made:
    def made(name: str, *, moved: float, rank: int = 0, heads: tuple[str, ...] = ("relevance",)) -> Path:
        """Save a pair model whose weights are those of the same start plus `moved`; return the folder of its run."""
        with quiet():
            scorer = new_pair_scorer(base, rank=rank, longest=32, heads=heads, device="cpu")
            with torch.no_grad():
                for _, value in scorer.model.own_parameters():
                    value.add_(moved)
            shape = {"rank": rank, "scale": 2.0, "layers": 0}
            save_pair_scorer(scorer, tmp_path / name / "model", base=base, shape=shape)
        return tmp_path / name

    return made


def test_the_mean_of_pair_models_has_their_common_heads(pair_model: Made, base: str, tmp_path: Path) -> None:
    one = pair_model("one", moved=0.0, heads=("relevance", "verdict"))
    card = json.loads((one / "model" / "pair.json").read_text(encoding="utf-8"))
    # What was fitted to one member alone does not hold for the mean.
    card |= {"reranking": {"weight": 0.3}, "guard": {"threshold": 0.9}}
    (one / "model" / "pair.json").write_text(json.dumps(card), encoding="utf-8")
    home = average([one, pair_model("other", moved=0.02)], tmp_path / "mean")
    assert home == tmp_path / "mean" / "model"
    kept = json.loads((home / "pair.json").read_text(encoding="utf-8"))
    assert kept["heads"] == {"relevance": []}
    assert not {"reranking", "guard"} & set(kept)
    with quiet():
        start = dict(new_pair_scorer(base, rank=0, longest=32, device="cpu").model.named_parameters())
        mean = dict(load_pair_scorer(home, base=base, device="cpu").model.named_parameters())
    for name in ("heads.relevance.0.weight", "heads.relevance.2.bias"):
        assert torch.allclose(mean[name], start[name] + 0.01, atol=2e-3), name  # eight bits
    # The update of a weight is the mean of 0 and 0.02.
    name = "base.encoder.layer.0.attention.self.query.weight"
    frozen = start[name.replace(".weight", ".linear.weight")]
    assert torch.allclose(mean[name], frozen + 0.01, atol=1e-4)


def test_the_mean_of_low_rank_updates_is_exact(pair_model: Made, base: str, tmp_path: Path) -> None:
    """The factors of the mean are those of the members side by side; the mean of the factors would be another one."""
    members = [pair_model(name, moved=moved, rank=2) for name, moved in (("one", 0.1), ("other", -0.3))]
    home = average(members, tmp_path / "mean")
    assert json.loads((home / "pair.json").read_text(encoding="utf-8"))["rank"] == 4
    name = "base.encoder.layer.0.attention.self.query.weight"
    with quiet():
        one, other, mean = (
            dict(load_pair_scorer(folder, base=base, device="cpu").model.named_parameters())[name]
            for folder in (*(member / "model" for member in members), home)
        )
    assert not torch.allclose(one, other, atol=1e-2)
    assert torch.allclose(mean, (one + other) / 2, atol=1e-3)


def test_pair_models_without_a_useful_mean_are_refused(pair_model: Made, tower: Made, tmp_path: Path) -> None:
    one = pair_model("one", moved=0.0)
    with pytest.raises(InputError, match=r"low/model has rank 2 and .*one/model 0"):
        average([one, pair_model("low", moved=0.0, rank=2)], tmp_path / "mean")
    with pytest.raises(InputError, match=r"tower has kind tower and .*one/model pair"):
        average([one, tower("tower", moved=0.0)], tmp_path / "mean")
    with pytest.raises(InputError, match="have no head in common"):
        average([one, pair_model("judge", moved=0.0, heads=("verdict",))], tmp_path / "mean")
    assert not (tmp_path / "mean").exists()


def test_what_cannot_be_averaged_is_named(tower: Made, tmp_path: Path) -> None:
    one = tower("one", moved=0.0)
    with pytest.raises(InputError, match="there are 1 members; expected at least two"):
        average([one], tmp_path / "mean")
    with pytest.raises(
        InputError, match=r"wide/tower has width 16 and .*one/tower 8; expected runs with the same start"
    ):
        average([one, tower("wide", moved=0.0, width=16)], tmp_path / "mean")
    with pytest.raises(InputError, match="is named twice"):
        average([one, one / "tower"], tmp_path / "mean")
    with pytest.raises(InputError, match="has no tower and no pair model; expected the folder of a run"):
        average([one, tmp_path / "nothing"], tmp_path / "mean")
    file = next((one / "tower").glob("*.safetensors"))
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(InputError, match="is not the file the model was saved with"):
        average([tower("other", moved=0.5), one], tmp_path / "mean")
    assert not (tmp_path / "mean").exists()


def test_runs_of_other_seeds_and_folders_in_use_are_refused(tower: Made, tmp_path: Path) -> None:
    one, other = tower("one", moved=0.0), tower("other", moved=0.5)
    before = {path: path.read_bytes() for path in one.rglob("*") if path.is_file()}
    for out in (one, other):
        with pytest.raises(InputError, match="holds a run; expected another folder for the mean"):
            average([one, other], out)
    (tmp_path / "third").mkdir()
    (tmp_path / "third" / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="holds a run"):
        average([one, other], tmp_path / "third")
    for run, seed in ((one, 0), (other, 1)):
        (run / "run.json").write_text(json.dumps({"settings": {"seed": seed}}), encoding="utf-8")
    with pytest.raises(InputError, match=r"other/tower has the seed 1 and .*one/tower 0"):
        average([one, other], tmp_path / "mean")
    assert all(path.read_bytes() == kept for path, kept in before.items())
    (other / "run.json").write_text(json.dumps({"settings": {"seed": 0}}), encoding="utf-8")
    average([one, other], tmp_path / "mean")
    record = json.loads((tmp_path / "mean" / "mean.json").read_text(encoding="utf-8"))
    named = [(line["folder"], line["seed"]) for line in record["mean of"]]
    assert named == [(str(one / "tower"), 0), (str(other / "tower"), 0)]


def test_another_order_from_the_same_start(base: str, tmp_path: Path) -> None:
    """Runs that differ in `order` have the same start and different ends."""
    lessons = [Example(f"Room {n} is open.", f"Room {n} is not shut.", (f"Room {n} is shut.",)) for n in range(12)]
    shape: dict[str, Any] = {"base": base, "shared_layers": 0, "own_layers": 1, "width": 8, "batch": 4, "lr": 1e-3}
    ends = []
    with quiet():
        for name, order in (("first", 0), ("again", 0), ("second", 1)):
            settings = TowerTraining(**shape, max_tokens=16, order=order)
            train_tower(settings, lessons, out=tmp_path / name, device="cpu")
            ends.append(weights(tmp_path / name / "tower", base)["projection.weight"])
        model = new_tower(base, shared_layers=0, own_layers=1, width=8, device="cpu")
        start = dict(tower_of(model).own_parameters())["projection.weight"]
    with pytest.raises(InputError, match="order is -1; expected 0 or more"):
        TowerTraining(order=-1)
    assert torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[0], ends[2])
    # Another seed would start from another projection; these are still close to it.
    for end in ends:
        assert float((end - start).abs().max().detach()) < 0.02


def test_the_command_averages_runs_and_measures_their_mean(tower: Made, tmp_path: Path) -> None:
    held = tmp_path / "held.jsonl"
    row = {"q1": "open bridge", "q2": "shut bridge", "doc1": "The bridge is open.", "doc2": "The bridge is shut."}
    held.write_text(json.dumps({"id": "1", **row}) + "\n", encoding="utf-8")
    runs = [str(tower(name, moved=moved)) for name, moved in (("one", 0.0), ("other", 0.01))]
    out = tmp_path / "mean"
    called = ["average", *runs, "--out", str(out)]
    with quiet():
        found = CliRunner().invoke(app, [*called, "--measure", f"contrasts:{held}"])
    assert found.exit_code == 0, (found.output, found.exception)
    line = json.loads(found.stdout)
    assert line["name"] == "mean"
    assert line["model"] == f"dense:{out / 'tower'}"
    assert set(line["scores"]) == set(line["before"])
    assert (out / "results.json").is_file()
