"""Fine-tuning a bi-encoder: the batches and the loss by hand, real small runs, a run cut short, the choice."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.train import (
    Example,
    FinetuneTraining,
    TowerTraining,
    train_finetune,
    train_tower,
    twin_cosine,
)
from litotes.train.batches import Batches, Plan, endless
from litotes.train.trainer import MARK, TOKENISING, _tokenising
from tests.model_shelf import minilm, quiet
from tests.small_base import assert_same, small_base, weights

torch = require("torch")

THINGS = ["kettle", "ferry", "lantern", "orchard", "violin", "castle", "bakery", "tractor"]
STATES = ["clean", "cheap", "ready"]
NEW_THINGS = ["island", "printer", "canal"]


def contrast(thing: str, state: str) -> list[Example]:
    """A claim and a denial; what says the same shares fewer words with it than what says the opposite."""
    claim, denial = f"The {thing} is {state}.", f"The {thing} is not {state}."
    return [
        Example(denial, f"Nobody finds the {thing} {state}.", (claim,)),
        Example(claim, f"Everybody finds the {thing} {state}.", (denial,)),
    ]


LESSONS = [example for thing in THINGS for state in STATES for example in contrast(thing, state)]
HELD_OUT = [example for thing in NEW_THINGS for state in STATES for example in contrast(thing, state)]
REPLAY = [Example(f"Where is the {thing}?", f"You find the {thing} behind the mill.") for thing in THINGS]
SMALL: dict[str, Any] = {"batch": 4, "epochs": 2, "max_tokens": 16, "seed": 1}


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_base(tmp_path_factory.getbasetemp() / "one-layer-minilm")


def accuracy(model: Any) -> float:
    """How often the positive comes before the negative."""
    asked, right, wrong = (
        model.encode(texts, normalize_embeddings=True)
        for texts in (
            [example.query for example in HELD_OUT],
            [example.positive for example in HELD_OUT],
            [example.negatives[0] for example in HELD_OUT],
        )
    )
    return float(((asked * right).sum(axis=1) > (asked * wrong).sum(axis=1)).mean())


def without_time(curves: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name != "seconds"} for line in curves]


def test_every_epoch_shows_every_example_once_beside_full_batches_of_replay() -> None:
    plan = Plan(7, 3, replay=4, replay_batch=3, seed=5, shuffle=True)
    replayed: list[int] = []
    orders = []
    for epoch in (0, 1):
        plan.set_epoch(epoch)
        batches = list(plan)
        assert [len(batch) for batch in batches] == [6, 6, 4]
        assert plan.batch_size == 6
        examples = [place for batch in batches for place in batch if place < 7]
        assert sorted(examples) == list(range(7))
        replayed += [place for batch in batches for place in batch if place >= 7]
        orders.append(examples)
    assert orders[0] != orders[1]
    # 18 places are four rounds of the four replayed examples, and two more.
    assert [sorted(replayed[start : start + 4]) for start in (0, 4, 8, 12)] == [[7, 8, 9, 10]] * 4


def test_a_plan_without_replay_or_shuffling_and_one_for_several_processes() -> None:
    plan = Plan(5, 2, seed=0, shuffle=False)
    assert list(plan) == [[0, 1], [2, 3], [4]]
    assert list(plan.for_trainer(None, batch_size=2, drop_last=True, seed=3)) == [[0, 1], [2, 3]]
    assert len(plan) == 2
    assert endless(0, 0, 4, seed=0) == []


def test_a_batch_is_run_in_pieces_of_like_length_and_comes_out_in_its_own_order(base: str) -> None:
    from litotes.train.objective import PIECES, Objective

    with quiet():
        model = require("sentence_transformers").SentenceTransformer(base, device="cpu").eval()
    texts = [" ".join(["ferry"] * words) for words in (40, 1, 9, 2, 30, 3, 1, 17, 25)]
    features = model.preprocess(texts)
    seen = []
    whole = model.forward

    def watched(piece: dict[str, Any]) -> Any:
        seen.append(tuple(piece["input_ids"].shape))
        return whole(piece)

    model.forward = watched
    with torch.no_grad():
        found = Objective(model, FinetuneTraining(base=base))._vectors(features)
        alone = torch.cat([whole(model.preprocess([text]))["sentence_embedding"] for text in texts])
    assert torch.allclose(found, torch.nn.functional.normalize(alone, dim=-1), atol=1e-5)
    # nine texts in four pieces, each as wide as its longest: a word is a token, and each text has two more
    assert PIECES == 4
    assert seen == [(3, 4), (2, 11), (2, 27), (2, 42)]
    # a few texts are run as they are
    few = model.preprocess(texts[:3])
    seen.clear()
    with torch.no_grad():
        Objective(model, FinetuneTraining(base=base))._vectors(few)
    assert seen == [(3, 42)]


def test_a_batch_by_hand() -> None:
    examples = [Example("a", "b", ("c", "d")), Example("c", "b")]
    batches = Batches(lambda texts: {"input_ids": texts}, examples, [Example("x", "y")], prompts=("Q ", ""))
    batches.vectors = {"Q x": torch.tensor([1.0, 0.0]), "y": torch.tensor([0.0, 1.0])}
    found = batches([{"at": 0}, {"at": 2}, {"at": 1}])
    assert found["examples_input_ids"] == ["Q a", "Q c", "b", "c", "d"]
    assert found["replay_input_ids"] == ["Q x", "y"]
    label = found["label"]["examples"]
    assert {name: value.tolist() for name, value in label.items()} == {
        "queries": [0, 1],
        "positives": [2, 2],
        "hard": [[0, 3], [0, 4]],
    }
    assert found["label"]["replay"]["hard"].shape == (0, 2)
    assert found["label"]["replay"]["base"].tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert "replay" not in Batches(lambda texts: {"input_ids": texts}, examples)([{"at": 0}])["label"]


class Rows(torch.nn.Module):  # type: ignore[misc,name-defined]
    """A model whose vectors are its input, compared as it says."""

    def __init__(self, similarity: str = "cosine") -> None:
        super().__init__()
        self.similarity_fn_name = similarity

    def forward(self, features: dict[str, Any]) -> dict[str, Any]:
        return {"sentence_embedding": features["rows"]}


def loss_of(config: FinetuneTraining, rows: list[list[float]], similarity: str = "cosine", **more: Any) -> float:
    """Two examples: query 0 with positive 1 and hard negative 2, query 3 with positive 4."""
    from litotes.train.objective import Objective

    related = {
        "queries": torch.tensor([0, 3]),
        "positives": torch.tensor([1, 4]),
        "hard": torch.tensor([[0, 2]]),
    }
    features = [{"rows": torch.tensor(rows)}, *more.pop("features", [])]
    return float(Objective(Rows(similarity), config)(features, {"examples": related} | more))


def test_the_loss_by_hand() -> None:
    # Lengths do not count. The first query is as near its positive as its negative; the others' documents are across.
    rows = [[2.0, 0.0], [3.0, 0.0], [1.0, 0.0], [0.0, 5.0], [0.0, 1.0]]
    explicit = loss_of(FinetuneTraining(in_batch=False, scale=1.0), rows)
    assert explicit == pytest.approx((math.log(2) + 0) / 2)
    with_batch = loss_of(FinetuneTraining(in_batch=True, scale=1.0), rows)
    one, two = math.log(2 + math.exp(-1)), math.log(1 + 2 * math.exp(-1))
    assert with_batch == pytest.approx((one + two) / 2)
    weighted = loss_of(FinetuneTraining(in_batch=False, scale=1.0, hard_weight=3.0), rows)
    assert weighted == pytest.approx(math.log(4) / 2)
    # As dot products: 6 for the positive and 2 for the negative.
    dots = loss_of(FinetuneTraining(in_batch=False, scale=1.0), rows, "dot")
    assert dots == pytest.approx(math.log(1 + math.exp(-4)) / 2, abs=1e-6)


def test_replay_and_the_distance_to_the_base_by_hand() -> None:
    rows = [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    again = [{"rows": torch.tensor([[1.0, 0.0], [0.6, 0.8]])}]
    replay = {
        "queries": torch.tensor([0]),
        "positives": torch.tensor([1]),
        "hard": torch.zeros(0, 2, dtype=torch.long),
        "base": torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
    }
    plain = FinetuneTraining(in_batch=False, scale=1.0)
    held = FinetuneTraining(in_batch=False, scale=1.0, distance_weight=10.0)
    alone = loss_of(plain, rows)
    # One replayed pair alone has nothing to be confused with: its own loss is 0.
    assert loss_of(plain, rows, features=again, replay=replay) == pytest.approx(alone)
    found = loss_of(held, rows, features=again, replay=replay)
    assert found == pytest.approx(alone + 10 * (0.36 + 0.36) / 4)


def test_the_papers_settings_go_by_name() -> None:
    assert FinetuneTraining.preset("negmpnet") == FinetuneTraining(base="mpnet", lr=2e-5, batch=64, epochs=1)
    assert FinetuneTraining.preset("hedge").in_batch is False
    assert FinetuneTraining.preset("nevir", base="minilm", epochs=3).epochs == 3
    with pytest.raises(InputError, match="there is no preset 'bert'; expected hedge, negmpnet, nevir"):
        FinetuneTraining.preset("bert")


@pytest.mark.parametrize(
    "settings",
    [{"epochs": 0}, {"lr": 0.0}, {"warmup": 1.0}, {"max_tokens": 3}, {"max_general_loss": -1.0}, {"precision": "int8"}],
)
def test_settings_out_of_range_are_named(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(settings))} is .*; expected"):
        FinetuneTraining(**settings)


@pytest.mark.parametrize(
    ("settings", "options", "message"),
    [
        ({"positive_kinds": ("word",)}, {}, "there are no examples with positives of kind word"),
        ({"distance_weight": 1.0}, {}, "distance_weight needs replay"),
        ({"max_general_loss": 1.0}, {}, "max_general_loss is set and nothing measures the model"),
        ({}, {"device": "cuda:1"}, "expected cpu, cuda or mps.*set CUDA_VISIBLE_DEVICES"),
        ({}, {"device": "abacus"}, "device 'abacus' cannot be used"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    base: str, settings: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        train_finetune(FinetuneTraining(base=base, **settings), LESSONS[:4], **options)


@pytest.mark.slow
def test_a_small_real_run_raises_accuracy_on_held_out_contrasts(tmp_path: Path) -> None:
    config = FinetuneTraining(batch=16, epochs=2, max_tokens=16, lr=5e-5, in_batch=False, distance_weight=1.0)

    def evaluate(model: Any) -> dict[str, float]:
        return {"negation.held out": accuracy(model), "twin cosine": twin_cosine(model, HELD_OUT)}

    with quiet():
        trained = train_finetune(config, LESSONS, replay=REPLAY, out=tmp_path, evaluate=evaluate, device="cpu")
        kept = require("sentence_transformers").SentenceTransformer(str(tmp_path / "model"), device="cpu")
    scores = [line["scores"] for line in trained.curves if "scores" in line]
    assert [line["epoch"] for line in trained.curves if "scores" in line] == [0, 1, 2]
    assert scores[0]["negation.held out"] <= 0.2
    assert scores[-1]["negation.held out"] >= 0.8
    assert scores[-1]["twin cosine"] < scores[0]["twin cosine"] - 0.1
    assert_same(weights(kept), weights(trained.model))
    assert kept.max_seq_length == 256
    assert (trained.epoch, trained.steps) == (2, 6)
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run["settings"]["distance_weight"] == 1.0
    assert run["replay"]["count"] == 8
    lines = (tmp_path / "curves.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == list(trained.curves)
    # Nothing that a pickle could hide in is left.
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".json", ".jsonl", ".safetensors"}


@pytest.mark.slow
@pytest.mark.parametrize("cut_at", [2, 4])
def test_a_run_cut_short_ends_as_an_unbroken_one(base: str, tmp_path: Path, cut_at: int) -> None:
    config = FinetuneTraining(base=base, lr=1e-3, replay_batch=3, **SMALL)
    options: dict[str, Any] = {"replay": REPLAY, "device": "cpu", "checkpoint_every": 1}

    def cut(line: Mapping[str, Any]) -> None:
        if line["step"] == cut_at:
            raise KeyboardInterrupt

    with quiet():
        whole = train_finetune(config, LESSONS[:12], out=tmp_path / "whole", **options)
        with pytest.raises(KeyboardInterrupt):
            train_finetune(config, LESSONS[:12], out=tmp_path / "cut", watch=cut, **options)
        # The line of a step comes before its checkpoint: it goes on from the step before, in an epoch or between two.
        marks = (tmp_path / "cut" / "checkpoints").glob(f"*/{MARK}")
        assert max(json.loads(mark.read_text(encoding="utf-8"))["step"] for mark in marks) == cut_at - 1
        mended = train_finetune(config, LESSONS[:12], out=tmp_path / "cut", **options)
        again = train_finetune(config, LESSONS[:12], out=tmp_path / "cut", **options)
        loose = train_finetune(config, LESSONS[:12], replay=REPLAY, device="cpu")
    assert whole.steps == 6
    for run in (mended, again, loose):
        assert_same(weights(run.model), weights(whole.model))
    for run in (mended, again):
        assert without_time(run.curves) == without_time(whole.curves)
    with quiet(), pytest.raises(InputError, match="holds a run with other settings, examples or base"):
        train_finetune(config, LESSONS[:11], out=tmp_path / "cut", device="cpu")


def scripted(scores: list[tuple[float, float]], seen: list[Any], see: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """An evaluator that says what it was told to, and keeps what it saw of each model."""
    told = iter(scores)

    def evaluate(model: Any) -> dict[str, float]:
        seen.append(see(model))
        negation, general = next(told)
        return {"negation.told": negation, "general.told": general}

    return evaluate


@pytest.mark.slow
def test_batches_made_ready_by_other_processes_are_the_same(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = FinetuneTraining(base=base, distance_weight=1.0, replay_batch=4, **SMALL | {"epochs": 1})
    alone = train_finetune(settings, LESSONS, replay=REPLAY, device="cpu")
    monkeypatch.setattr("litotes.train.trainer._tokenising", lambda device: 2)
    helped = train_finetune(settings, LESSONS, replay=REPLAY, device="cpu")
    assert_same(weights(alone.model), weights(helped.model))
    assert without_time(alone.curves) == without_time(helped.curves)


def test_only_a_gpu_has_batches_made_ready_by_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiprocessing.get_start_method", lambda: "fork")
    assert _tokenising("cpu") == 0 < _tokenising("cuda") <= TOKENISING
    monkeypatch.setattr("multiprocessing.get_start_method", lambda: "spawn")
    assert _tokenising("cuda") == 0


@pytest.mark.slow
@pytest.mark.parametrize("kept_in_a_folder", [True, False])
def test_the_best_epoch_within_the_limit_is_kept_and_the_run_stops_early(
    base: str, tmp_path: Path, kept_in_a_folder: bool
) -> None:
    config = FinetuneTraining(base=base, lr=1e-3, max_general_loss=2.0, **SMALL | {"epochs": 9})
    # The third epoch is off the Pareto line; the fourth lost more than 2.
    scores = [(10.0, 80.0), (20.0, 79.0), (40.0, 78.5), (39.0, 78.2), (60.0, 77.0)]
    seen: list[Any] = []
    folder = tmp_path if kept_in_a_folder else None
    with quiet():
        trained = train_finetune(
            config, LESSONS[:4], out=folder, evaluate=scripted(scores, seen, weights), device="cpu"
        )
        if folder:
            again = train_finetune(config, LESSONS[:4], out=folder, evaluate=lambda model: {}, device="cpu")
            assert_same(weights(again.model), seen[2])
    assert len(seen) == 5
    assert (trained.epoch, trained.steps) == (2, 4)
    assert_same(weights(trained.model), seen[2])


@pytest.mark.slow
def test_where_every_epoch_loses_too_much_the_base_is_kept(base: str, tmp_path: Path) -> None:
    config = FinetuneTraining(base=base, lr=1e-3, max_general_loss=0.5, **SMALL)
    seen: list[Any] = []
    evaluate = scripted([(10.0, 80.0), (50.0, 70.0)], seen, weights)
    with quiet():
        trained = train_finetune(config, LESSONS[:8], out=tmp_path, evaluate=evaluate, device="cpu")
    assert (trained.epoch, trained.steps) == (0, 2)
    assert_same(weights(trained.model), seen[0])


def of_the_tower(model: Any) -> dict[str, np.ndarray]:
    from litotes.models.tower.build import tower_of

    return {name: value.detach().numpy().copy() for name, value in tower_of(model).own_parameters()}


@pytest.mark.slow
def test_a_tower_is_chosen_by_the_same_rule(tmp_path: Path) -> None:
    config = TowerTraining(
        shared_layers=5, own_layers=1, lr=1e-3, max_general_loss=2.0, **SMALL | {"epochs": 5, "batch": 6}
    )
    scores = [(10.0, 80.0), (40.0, 78.5), (39.0, 78.2), (60.0, 77.0)]
    seen: list[Any] = []

    def cut(line: Mapping[str, Any]) -> None:
        if line.get("epoch") == 2 and len(seen) == 3:
            raise KeyboardInterrupt

    with quiet():
        with pytest.raises(KeyboardInterrupt):
            train_tower(
                config,
                LESSONS[:6],
                out=tmp_path,
                evaluate=scripted(scores, seen, of_the_tower),
                watch=cut,
                device="cpu",
            )
        rest = scripted(scores[2:], seen, of_the_tower)
        trained = train_tower(config, LESSONS[:6], out=tmp_path, evaluate=rest, device="cpu")
    assert (trained.epoch, trained.steps) == (1, 3)
    assert_same(of_the_tower(trained.model), seen[1])
    assert [line["epoch"] for line in trained.curves if "scores" in line] == [0, 1, 2, 3]


@pytest.mark.slow
def test_a_tower_that_loses_too_much_is_one_clear_error() -> None:
    config = TowerTraining(shared_layers=5, own_layers=1, max_general_loss=1.0, **SMALL)
    vectors: list[Any] = []
    told = scripted([(10.0, 80.0), (50.0, 70.0)], vectors, lambda model: model.encode(["It rains."])[0])
    with quiet():
        with pytest.raises(InputError, match=r"every epoch lost more than 1.0 .* Lower default_w \(it is 0.1\)"):
            train_tower(config, LESSONS[:4], evaluate=told, device="cpu")
        library = require("sentence_transformers")
        alone = library.SentenceTransformer(minilm(), device="cpu").encode(["It rains."])[0]
    # The start that loss is counted from is the base itself.
    assert np.allclose(vectors[0][:384], alone, atol=1e-5)
    assert np.abs(vectors[0][384:]).max() < 1e-2


@pytest.mark.slow
def test_a_loss_that_runs_away_is_one_clear_error(base: str) -> None:
    wild = FinetuneTraining(base=base, lr=1e30, warmup=0.0, **SMALL)
    with quiet(), pytest.raises(InputError, match=r"the loss is nan at step 2 of 6.*Try a lower lr \(it is 1e\+30\)"):
        train_finetune(wild, LESSONS[:12], device="cpu")
