"""Training a tower: losses by hand, examples from files, a small run on MiniLM, a run that resumes, and errors."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models.tower.build import tower_of
from litotes.training import Example, TowerTraining, mix, read_examples, train_tower
from litotes.training.batches import batch_indices
from litotes.training.loop import memory_errors
from litotes.training.losses import combined_similarity, contrastive_loss, distance_to_base, negatives, unrelated_pairs
from tests.family_models import quiet
from tests.small_base import assert_same, tiny_base, without_seconds

torch = require("torch")

THINGS = ["bridge", "library", "pool", "museum", "market", "chapel", "harbour", "garden", "theatre", "tunnel"]
STATES = ["open", "crowded", "famous"]
NEW_THINGS = ["airport", "bakery", "castle", "station", "stadium"]
NEW_STATES = ["clean", "expensive"]


def contrast(thing: str, state: str) -> list[Example]:
    """A denial whose paraphrase shares few words with it and whose opposite shares almost all; and a claim likewise."""
    claim, denial = f"The {thing} is {state}.", f"The {thing} is not {state}."
    return [
        Example(denial, f"Nobody would call the {thing} {state}.", (claim,)),
        Example(claim, f"Everybody calls the {thing} {state}.", (denial,)),
    ]


LESSONS = [example for thing in THINGS for state in STATES for example in contrast(thing, state)]
HELD_OUT = [example for thing in NEW_THINGS for state in NEW_STATES for example in contrast(thing, state)]
SMALL = TowerTraining(shared_layers=1, own_layers=1, width=8, batch=4, epochs=2, max_tokens=16, lr=1e-3, seed=1)


def accuracy(model: Any, w: float) -> float:
    """Return how often the positive scores above the negative."""
    queries = model.encode_query([example.query for example in HELD_OUT], dial=w)
    right = model.encode([example.positive for example in HELD_OUT])
    wrong = model.encode([example.negatives[0] for example in HELD_OUT])
    return float(((queries * right).sum(axis=1) > (queries * wrong).sum(axis=1)).mean())


def test_similarity_of_both_blocks_by_hand() -> None:
    queries = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    documents = torch.tensor([[1.0, 0.0], [0.6, 0.8]]), torch.tensor([[0.0, -1.0], [0.8, 0.6]])
    found = combined_similarity(queries, documents, 0.25)
    assert found.tolist()[0] == pytest.approx([0.75 - 0.25, 0.45 + 0.15])


def test_the_loss_by_hand() -> None:
    similarity = torch.tensor([[0.5, 0.5, 0.1]])
    right = torch.tensor([0])
    hard, easy = torch.tensor([[False, True, False]]), torch.tensor([[False, False, True]])
    none = torch.zeros_like(easy)
    assert contrastive_loss(similarity, right, hard, none, scale=1).item() == pytest.approx(math.log(2))
    weighted = contrastive_loss(similarity, right, hard, none, scale=20, hard_weight=3)
    assert weighted.item() == pytest.approx(math.log(4))
    both = contrastive_loss(similarity, right, hard, easy, scale=10)
    assert both.item() == pytest.approx(math.log(2 + math.exp(-4)))


def test_which_documents_are_negatives_by_hand() -> None:
    # Queries 0, 0 and 3 have the positives 1, 2 and 0; text 4 is hard for the first row, 1 and 4 for the last.
    queries, positives = torch.tensor([0, 0, 3]), torch.tensor([1, 2, 0])
    pairs = torch.tensor([[0, 4], [2, 1], [2, 4]])
    hard, easy = negatives(queries, positives, pairs, torch.tensor([1, 2, 0, 4]))
    assert hard.int().tolist() == [[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]]
    assert easy.int().tolist() == [[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]


def test_the_distance_to_the_base_by_hand() -> None:
    one, other = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.6, 0.8]])
    assert distance_to_base(one, one).item() == 0
    assert distance_to_base(one, other).item() == pytest.approx((0.36 + 0.36) / 4)


def test_unrelated_pairs_are_texts_without_a_common_example_by_hand() -> None:
    # The first example has texts 0 and 1, the second 1 and 2: only 0 and 2 are unrelated.
    unrelated = unrelated_pairs(torch.tensor([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]))
    assert unrelated.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    base = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    tower = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    # The similarity of 0 and 2 is 0 to the base and 0.6 to the tower.
    assert distance_to_base(base, tower, unrelated).item() == pytest.approx(0.36)
    assert distance_to_base(base, tower, torch.zeros(3, 3)).item() == 0


def test_every_epoch_has_each_example_once() -> None:
    epochs = [[batch_indices(7, 3, step, seed=5, shuffle=True) for step in range(start, start + 3)] for start in (0, 3)]
    for epoch in epochs:
        assert [len(batch) for batch in epoch] == [3, 3, 1]
        assert sorted(place for batch in epoch for place in batch) == list(range(7))
    assert epochs[0] != epochs[1]
    assert batch_indices(7, 3, 1, seed=5, shuffle=False) == [3, 4, 5]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    text = "\n".join(json.dumps(row) for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_triples_contrasts_and_pairs_are_read(tmp_path: Path) -> None:
    triple = {"anchor": "It rains.", "positive": "It may rain.", "negative": "It does not rain."}
    rows = [
        triple | {"positive_kind": "word"},
        triple | {"positive_kind": "word", "negative": "It may rain."},
    ]
    found = read_examples(write(tmp_path / "triples.jsonl.gz", rows))
    assert found.examples == (Example("It rains.", "It may rain.", ("It does not rain.",), "word"),)
    assert found.dropped == {"the positive is a negative too": 1}
    assert len(found.line()["sha256"]) == 64
    contrasts = [{"q1": "Who came?", "q2": "Who stayed away?", "doc1": "Ann came.", "doc2": "Bo stayed away."}]
    assert read_examples(write(tmp_path / "contrasts.jsonl", contrasts)).examples == (
        Example("Who came?", "Ann came.", ("Bo stayed away.",)),
        Example("Who stayed away?", "Bo stayed away.", ("Ann came.",)),
    )
    pairs = [{"query": "Who came?", "positive": "Ann came."}]
    assert read_examples(write(tmp_path / "pairs.jsonl", pairs)).examples == (Example("Who came?", "Ann came."),)
    assert read_examples(write(tmp_path / "empty.jsonl", [])).examples == ()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"anchor": "a", "positive": "b", "negative": "c"}\n\n{"anchor": "a"', "line 3: not JSON"),
        ('{"anchor": "a", "positive": "b", "negative": "c"}\n{"anchor": "a"}', "line 2: expected the texts anchor"),
        ('{"q1": "a", "doc1": "b", "doc2": "c", "q2": 7}', "line 1: q2 is neither a text nor null"),
        ('{"premise": "a"}', "line 1: expected a triple .* a pair .*; got premise"),
        ('{"query": "a", "positive": "b", "negatives": "c"}', "line 1: negatives is not a list of texts"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_examples(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        read_examples(tmp_path / "nowhere.jsonl")
    (tmp_path / "bad.jsonl.gz").write_bytes(b"not gzip")
    with pytest.raises(InputError, match="cannot be read"):
        read_examples(tmp_path / "bad.jsonl.gz")


def test_sets_are_mixed_by_their_shares() -> None:
    many, few = [Example(f"q{at}", "p") for at in range(30)], [Example(f"r{at}", "p") for at in range(5)]
    mixed = mix([many, few], [3, 1], seed=2)
    assert len(mixed) == 20
    assert sum(example.query.startswith("r") for example in mixed) == 5
    assert len(set(mixed)) == 20
    assert mix([many, few], [3, 1], seed=2) == mixed
    assert len(mix([many, few], [1, 0], size=4)) == 4
    with pytest.raises(InputError, match="expected at most 20"):
        mix([many, few], [3, 1], size=21)
    with pytest.raises(InputError, match="not all of them 0"):
        mix([many, few], [0, 0])
    with pytest.raises(InputError, match="2 sets and 1 shares"):
        mix([many, few], [1])


@pytest.mark.slow
def test_a_small_real_run_raises_accuracy_on_held_out_contrasts(tmp_path: Path) -> None:
    config = TowerTraining(
        shared_layers=4, own_layers=2, batch=20, epochs=4, max_tokens=16, lr=2e-4, default_w=0.2, remember=True
    )
    measured = []

    def evaluate(model: Any) -> dict[str, float]:
        measured.append(accuracy(model, 0.2))
        return {"held out": measured[-1]}

    with quiet():
        trained = train_tower(config, LESSONS, out=tmp_path, evaluate=evaluate, device="cpu")
    before = accuracy(trained.model, 0.0)
    assert len(LESSONS) == 60
    assert before <= 0.2
    assert measured[-1] >= before + 0.4
    assert len(measured) == 4
    scores = [line["scores"]["held out"] for line in trained.curves if "scores" in line]
    assert scores == measured
    losses = [line["loss"] for line in trained.curves if "loss" in line]
    assert losses[-1] < losses[0] / 2
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run["settings"]["train_w"] == 0.3
    assert run["examples"]["count"] == 60
    assert (tmp_path / "tower" / "tower.json").is_file()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.getbasetemp() / "tiny-base")


def tower_weights(model: Any) -> dict[str, np.ndarray]:
    return {name: value.detach().numpy().copy() for name, value in tower_of(model).own_parameters()}


def test_a_resumed_run_ends_like_an_uninterrupted_one(base: str, tmp_path: Path) -> None:
    config = replace(SMALL, base=base)
    replay = [Example(f"Where is the {thing}?", f"The {thing} is by the river.") for thing in NEW_THINGS]
    options: dict[str, Any] = {"replay": replay, "device": "cpu", "checkpoint_every": 2}

    def interrupt(line: Any) -> None:
        if line["step"] == 3:
            raise KeyboardInterrupt

    with quiet():
        whole = train_tower(config, LESSONS[:12], out=tmp_path / "whole", **options)
        with pytest.raises(KeyboardInterrupt):
            train_tower(config, LESSONS[:12], out=tmp_path / "resumed", progress=interrupt, **options)
        # The line of step 3 comes before its checkpoint: the run resumes from step 2, in the middle of an epoch.
        assert [path.name for path in (tmp_path / "resumed" / "checkpoints").iterdir()] == ["checkpoint-2"]
        resumed = train_tower(config, LESSONS[:12], out=tmp_path / "resumed", **options)
        again = train_tower(config, LESSONS[:12], out=tmp_path / "resumed", **options)
    assert whole.steps == 6
    for run in (resumed, again):
        assert without_seconds(run.curves) == without_seconds(whole.curves)
        assert_same(tower_weights(run.model), tower_weights(whole.model))
    # Only the mark of the last checkpoint and the tower's own weights are left.
    left = {str(path.relative_to(tmp_path / "resumed")) for path in (tmp_path / "resumed").rglob("*") if path.is_file()}
    assert left >= {"checkpoints/checkpoint-6/litotes.json", "epochs/2.safetensors", "run.json", "curves.jsonl"}
    assert not any(name.startswith("checkpoints") and not name.endswith("litotes.json") for name in left)
    saved = require("safetensors.torch").load_file(str(tmp_path / "resumed" / "epochs" / "2.safetensors"))
    assert saved.keys() == tower_weights(whole.model).keys()
    described = (tmp_path / "resumed" / "run.json").read_bytes()
    with quiet(), pytest.raises(InputError, match="holds a run with other settings, examples or base"):
        train_tower(config, LESSONS[:11], out=tmp_path / "resumed", device="cpu")
    assert (tmp_path / "resumed" / "run.json").read_bytes() == described


def test_a_loss_that_diverges_is_an_error(base: str) -> None:
    config = replace(SMALL, base=base, lr=1e30, warmup=0.0)
    with quiet(), pytest.raises(InputError, match=r"the loss is nan at step 2 of 6.*Try a lower lr \(it is 1e\+30\)"):
        train_tower(config, LESSONS[:12], device="cpu")


def test_running_out_of_memory_is_an_error_that_names_the_settings() -> None:
    message = r"memory ran out .* batch 64 and max_tokens 128; try half of either"
    with pytest.raises(InputError, match=message), memory_errors(TowerTraining()):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
    with pytest.raises(RuntimeError, match="shapes"), memory_errors(TowerTraining()):
        raise RuntimeError("shapes do not fit")


@pytest.mark.parametrize(
    ("settings", "examples", "message"),
    [
        ({}, [], "there are no examples; expected at least one"),
        ({"positive_kinds": ("word",)}, LESSONS, "there are no examples with positives of kind word"),
        ({"in_batch": False}, [Example("a", "b")], "no negatives and in_batch is off"),
        ({"distance_weight": 1.0}, LESSONS, "distance_weight needs replay"),
    ],
)
def test_examples_without_anything_to_learn_are_refused(
    settings: dict[str, Any], examples: list[Example], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        train_tower(TowerTraining(**settings), examples)


@pytest.mark.parametrize(
    "settings", [{"train_w": 1.0}, {"epochs": 0}, {"lr": 0.0}, {"warmup": 1.0}, {"max_tokens": 3}, {"clip": -1.0}]
)
def test_settings_out_of_range_are_named(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(settings))} is .*; expected"):
        TowerTraining(**settings)
