"""Fine-tuning a bi-encoder: batches and loss by hand, small runs, a run that resumes, the choice of an epoch."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.training import (
    Example,
    FinetuneTraining,
    TowerTraining,
    Trained,
    minimal_pair_cosine,
    train_finetune,
    train_tower,
)
from litotes.training.batches import EpochSampler, TextCollator, full_batch_indices
from litotes.training.recipes import recipe_of
from litotes.training.run import LOADER_PROCESSES, MARK, loader_processes
from tests.family_models import quiet
from tests.small_base import assert_same, tiny_base, weights, without_seconds

torch = require("torch")

THINGS = ["kettle", "ferry", "lantern", "orchard", "violin", "castle", "bakery", "tractor"]
STATES = ["clean", "cheap", "ready"]
NEW_THINGS = ["island", "printer", "canal"]


def contrast(thing: str, state: str) -> list[Example]:
    """A claim and a denial; the paraphrase shares fewer words with each than the opposite does."""
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
    return tiny_base(tmp_path_factory.getbasetemp() / "tiny-base")


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


def test_every_epoch_has_each_example_once_and_full_batches_of_replay() -> None:
    sampler = EpochSampler(7, 3, replay=4, replay_batch=3, seed=5, shuffle=True)
    replayed: list[int] = []
    orders = []
    for epoch in (0, 1):
        sampler.set_epoch(epoch)
        batches = list(sampler)
        assert [len(batch) for batch in batches] == [6, 6, 4]
        assert sampler.batch_size == 6
        examples = [place for batch in batches for place in batch if place < 7]
        assert sorted(examples) == list(range(7))
        replayed += [place for batch in batches for place in batch if place >= 7]
        orders.append(examples)
    assert orders[0] != orders[1]
    # 18 indices are four rounds of the four replayed examples, and two more.
    assert [sorted(replayed[start : start + 4]) for start in (0, 4, 8, 12)] == [[7, 8, 9, 10]] * 4


def test_a_sampler_without_replay_or_shuffling_and_one_for_several_processes() -> None:
    sampler = EpochSampler(5, 2, seed=0, shuffle=False)
    assert list(sampler) == [[0, 1], [2, 3], [4]]
    assert list(sampler.for_trainer(None, batch_size=2, drop_last=True, seed=3)) == [[0, 1], [2, 3]]
    assert len(sampler) == 2
    assert full_batch_indices(0, 0, 4, seed=0) == []


def test_a_batch_is_encoded_in_pieces_of_similar_length_and_keeps_its_order(base: str) -> None:
    from litotes.training.finetune_loss import PIECES, FinetuneLoss

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
        found = FinetuneLoss(model, FinetuneTraining(base=base))._vectors(features)
        alone = torch.cat([whole(model.preprocess([text]))["sentence_embedding"] for text in texts])
    assert torch.allclose(found, torch.nn.functional.normalize(alone, dim=-1), atol=1e-5)
    # Nine texts in four pieces, each as wide as its longest text: one token per word and two special ones.
    assert PIECES == 4
    assert seen == [(3, 4), (2, 11), (2, 27), (2, 42)]
    # A few texts are encoded together.
    few = model.preprocess(texts[:3])
    seen.clear()
    with torch.no_grad():
        FinetuneLoss(model, FinetuneTraining(base=base))._vectors(few)
    assert seen == [(3, 42)]


def test_a_batch_by_hand() -> None:
    examples = [Example("a", "b", ("c", "d")), Example("c", "b")]
    batches = TextCollator(lambda texts: {"input_ids": texts}, examples, [Example("x", "y")], prompts=("Q ", ""))
    batches.base_vectors = {"Q x": torch.tensor([1.0, 0.0]), "y": torch.tensor([0.0, 1.0])}
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
    assert "replay" not in TextCollator(lambda texts: {"input_ids": texts}, examples)([{"at": 0}])["label"]


class Rows(torch.nn.Module):  # type: ignore[misc,name-defined]
    """A model whose vectors are its input."""

    def __init__(self, similarity: str = "cosine") -> None:
        super().__init__()
        self.similarity_fn_name = similarity

    def forward(self, features: dict[str, Any]) -> dict[str, Any]:
        return {"sentence_embedding": features["rows"]}


def loss_of(config: FinetuneTraining, rows: list[list[float]], similarity: str = "cosine", **more: Any) -> float:
    """Two examples: query 0 with positive 1 and hard negative 2, query 3 with positive 4."""
    from litotes.training.finetune_loss import FinetuneLoss

    related = {
        "queries": torch.tensor([0, 3]),
        "positives": torch.tensor([1, 4]),
        "hard": torch.tensor([[0, 2]]),
    }
    features = [{"rows": torch.tensor(rows)}, *more.pop("features", [])]
    return float(FinetuneLoss(Rows(similarity), config)(features, {"examples": related} | more))


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


def test_the_papers_settings_have_names() -> None:
    recipe = recipe_of("finetune")
    assert FinetuneTraining(**recipe.preset("negmpnet")) == FinetuneTraining(base="mpnet", lr=2e-5, batch=64, epochs=1)
    assert recipe.preset("hedge")["in_batch"] is False
    assert FinetuneTraining(**recipe.preset("nevir") | {"base": "minilm", "epochs": 3}).epochs == 3
    with pytest.raises(InputError, match="there is no preset 'bert'; expected hedge, negmpnet, nevir"):
        recipe.preset("bert")
    with pytest.raises(InputError, match="the recipe tower has no presets"):
        recipe_of("tower").preset("hedge")


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
        ({"max_general_loss": 1.0}, {}, "max_general_loss is set but there is no evaluator"),
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
        return {"negation.held out": accuracy(model), "twin cosine": minimal_pair_cosine(model, HELD_OUT)}

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


RESUMED: dict[str, Any] = {"replay": REPLAY, "device": "cpu", "checkpoint_every": 1}


def resumed_settings(base: str) -> FinetuneTraining:
    return FinetuneTraining(base=base, lr=1e-3, replay_batch=3, **SMALL)


@pytest.fixture(scope="module")
def finished(base: str, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A finished run of six steps in two epochs."""
    with quiet():
        return train_finetune(resumed_settings(base), LESSONS[:12], out=tmp_path_factory.mktemp("finished"), **RESUMED)


@pytest.mark.parametrize("interrupted_at", [2, 4])
def test_a_resumed_run_ends_like_an_uninterrupted_one(
    base: str, finished: Trained, tmp_path: Path, interrupted_at: int
) -> None:
    def interrupt(line: Mapping[str, Any]) -> None:
        if line["step"] == interrupted_at:
            raise KeyboardInterrupt

    with quiet():
        with pytest.raises(KeyboardInterrupt):
            train_finetune(resumed_settings(base), LESSONS[:12], out=tmp_path, progress=interrupt, **RESUMED)
        # The line of a step comes before its checkpoint, so the run resumes from the step before.
        marks = (tmp_path / "checkpoints").glob(f"*/{MARK}")
        assert max(json.loads(mark.read_text(encoding="utf-8"))["step"] for mark in marks) == interrupted_at - 1
        resumed = train_finetune(resumed_settings(base), LESSONS[:12], out=tmp_path, **RESUMED)
    assert resumed.steps == finished.steps == 6
    assert_same(weights(resumed.model), weights(finished.model))
    assert without_seconds(resumed.curves) == without_seconds(finished.curves)


def test_a_finished_run_is_not_trained_again_and_no_other_run_overwrites_it(base: str, finished: Trained) -> None:
    def fail(line: Mapping[str, Any]) -> None:
        raise AssertionError(f"a step was taken: {line}")

    with quiet():
        again = train_finetune(resumed_settings(base), LESSONS[:12], out=finished.folder, progress=fail, **RESUMED)
        with pytest.raises(InputError, match="holds a run with other settings, examples or base"):
            train_finetune(resumed_settings(base), LESSONS[:11], out=finished.folder, device="cpu")
    assert_same(weights(again.model), weights(finished.model))
    assert without_seconds(again.curves) == without_seconds(finished.curves)


def test_a_run_without_a_folder_ends_with_the_same_weights(base: str, finished: Trained) -> None:
    with quiet():
        trained = train_finetune(resumed_settings(base), LESSONS[:12], replay=REPLAY, device="cpu")
    assert_same(weights(trained.model), weights(finished.model))


def scripted(scores: list[tuple[float, float]], seen: list[Any], see: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return an evaluator with these scores, which adds `see(model)` to `seen`."""
    script = iter(scores)

    def evaluate(model: Any) -> dict[str, float]:
        seen.append(see(model))
        negation, general = next(script)
        return {"negation.scripted": negation, "general.scripted": general}

    return evaluate


def test_batches_prepared_by_other_processes_are_the_same(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = FinetuneTraining(base=base, distance_weight=1.0, replay_batch=4, **SMALL | {"epochs": 1})
    alone = train_finetune(settings, LESSONS, replay=REPLAY, device="cpu")
    monkeypatch.setattr("litotes.training.run.loader_processes", lambda device: 2)
    prepared = train_finetune(settings, LESSONS, replay=REPLAY, device="cpu")
    assert_same(weights(alone.model), weights(prepared.model))
    assert without_seconds(alone.curves) == without_seconds(prepared.curves)


def test_other_processes_prepare_batches_for_a_gpu_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiprocessing.get_start_method", lambda: "fork")
    assert loader_processes("cpu") == 0 < loader_processes("cuda") <= LOADER_PROCESSES
    monkeypatch.setattr("multiprocessing.get_start_method", lambda: "spawn")
    assert loader_processes("cuda") == 0


@pytest.mark.parametrize("has_folder", [True, False])
def test_the_best_epoch_within_the_limit_is_kept_and_the_run_stops_early(
    base: str, tmp_path: Path, has_folder: bool
) -> None:
    config = FinetuneTraining(base=base, lr=1e-3, max_general_loss=2.0, **SMALL | {"epochs": 9})
    # The third epoch is off the Pareto line; the fourth lost more than 2.
    scores = [(10.0, 80.0), (20.0, 79.0), (40.0, 78.5), (39.0, 78.2), (60.0, 77.0)]
    seen: list[Any] = []
    folder = tmp_path if has_folder else None
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


def test_the_base_is_kept_if_every_epoch_loses_too_much(base: str, tmp_path: Path) -> None:
    config = FinetuneTraining(base=base, lr=1e-3, max_general_loss=0.5, **SMALL)
    seen: list[Any] = []
    evaluate = scripted([(10.0, 80.0), (50.0, 70.0)], seen, weights)
    with quiet():
        trained = train_finetune(config, LESSONS[:8], out=tmp_path, evaluate=evaluate, device="cpu")
    assert (trained.epoch, trained.steps) == (0, 2)
    assert_same(weights(trained.model), seen[0])


def tower_weights(model: Any) -> dict[str, np.ndarray]:
    from litotes.models.tower.build import tower_of

    return {name: value.detach().numpy().copy() for name, value in tower_of(model).own_parameters()}


def test_a_tower_is_chosen_by_the_same_rule(base: str, tmp_path: Path) -> None:
    config = TowerTraining(
        base=base,
        shared_layers=1,
        own_layers=1,
        width=8,
        lr=1e-3,
        max_general_loss=2.0,
        **SMALL | {"epochs": 5, "batch": 6},
    )
    scores = [(10.0, 80.0), (40.0, 78.5), (39.0, 78.2), (60.0, 77.0)]
    seen: list[Any] = []

    def interrupt(line: Mapping[str, Any]) -> None:
        if line.get("epoch") == 2:
            raise KeyboardInterrupt

    with quiet():
        with pytest.raises(KeyboardInterrupt):
            train_tower(
                config,
                LESSONS[:6],
                out=tmp_path,
                evaluate=scripted(scores, seen, tower_weights),
                progress=interrupt,
                device="cpu",
            )
        rest = scripted(scores[2:], seen, tower_weights)
        trained = train_tower(config, LESSONS[:6], out=tmp_path, evaluate=rest, device="cpu")
    assert (trained.epoch, trained.steps) == (1, 3)
    assert_same(tower_weights(trained.model), seen[1])
    assert [line["epoch"] for line in trained.curves if "scores" in line] == [0, 1, 2, 3]


def test_a_tower_that_loses_too_much_is_an_error(base: str) -> None:
    config = TowerTraining(base=base, shared_layers=1, own_layers=1, width=8, max_general_loss=1.0, **SMALL)
    vectors: list[Any] = []
    evaluate = scripted([(10.0, 80.0), (50.0, 70.0)], vectors, lambda model: model.encode(["It rains."])[0])
    with quiet():
        with pytest.raises(InputError, match=r"every epoch lost more than 1.0 .* Lower default_w \(it is 0.1\)"):
            train_tower(config, LESSONS[:4], evaluate=evaluate, device="cpu")
        library = require("sentence_transformers")
        alone = library.SentenceTransformer(base, device="cpu").encode(["It rains."], normalize_embeddings=True)[0]
    # The start, to which general ability is compared, is the base itself.
    assert np.allclose(vectors[0][:32], alone, atol=1e-5)
    assert np.abs(vectors[0][32:]).max() < 1e-2


def test_a_loss_that_diverges_is_an_error(base: str) -> None:
    wild = FinetuneTraining(base=base, lr=1e30, warmup=0.0, **SMALL)
    with quiet(), pytest.raises(InputError, match=r"the loss is nan at step 2 of 6.*Try a lower lr \(it is 1e\+30\)"):
        train_finetune(wild, LESSONS[:12], device="cpu")
