"""Training rankers: losses by hand, batches compared with the adapters' scores, small runs of all three families."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.loading import Settings, Source
from litotes.models.seq2seq import Seq2Seq
from litotes.training import (
    CrossTraining,
    Example,
    LateTraining,
    Seq2SeqTraining,
    minimal_pair_margin,
    train_cross,
    train_late,
    train_seq2seq,
)
from litotes.training.cross import PairCollator
from litotes.training.late import RoleCollator
from litotes.training.ranker_losses import CrossLoss, LateLoss, binary_losses, listwise_losses, log_odds
from litotes.training.rankers import with_unrelated_negatives
from litotes.training.seq2seq import AnswerLoss, PromptCollator
from tests.family_models import make_cross, make_late, quiet
from tests.small_base import without_seconds
from tests.small_rankers import CONTRASTS, HELD_OUT, LESSONS, MAKERS, REPLAY, pairwise_accuracy

torch = require("torch")

SETTINGS: dict[str, Any] = {"late": LateTraining, "cross": CrossTraining, "seq2seq": Seq2SeqTraining}
RECIPES: dict[str, Any] = {"late": train_late, "cross": train_cross, "seq2seq": train_seq2seq}


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One tiny saved model of each family."""
    home = tmp_path_factory.mktemp("bases")
    with quiet():
        return {family: make(home / family) for family, make in MAKERS.items()}


def test_the_odds_of_a_label_by_hand() -> None:
    assert log_odds(torch.tensor([[0.5], [-1.0]]), None).tolist() == [0.5, -1.0]
    # Probabilities 1/4, 1/2, 1/4: the middle one is as likely as both others.
    logits = torch.log(torch.tensor([[1.0, 2.0, 1.0]]))
    assert log_odds(logits, 1).item() == pytest.approx(0, abs=1e-6)
    assert log_odds(logits, 0).item() == pytest.approx(-math.log(3))


def test_the_losses_of_pairs_by_hand() -> None:
    rows = [torch.tensor([0.0, 0.0]), torch.tensor([math.log(3), 0.0, -math.log(3)])]
    # Positives at odds 1 and 3; negatives at 1, and at 1 and 1/3: −log of 1/2, 3/4 and 1/2, 1/2, 3/4.
    half, three = math.log(2), math.log(4 / 3)
    assert binary_losses(rows).tolist() == pytest.approx([half, (three + (half + three) / 2) / 2])
    # The softmax of the first is 1 of 2, and 3 of 3 + 1 + 1/3.
    assert listwise_losses(rows).tolist() == pytest.approx([half, math.log(13 / 9)])


def test_the_loss_of_answers_by_hand() -> None:
    logits = torch.log(torch.tensor([[[1.0, 2.0, 1.0]], [[1.0, 1.0, 2.0]], [[2.0, 1.0, 1.0]]]))
    labels = torch.tensor([[1, 0], [0, 0], [0, 1]])
    # −log of 2/4 and 1/4 for the examples, of 2/4 for the replayed pair.
    half = math.log(2)
    assert AnswerLoss(2.0)({"logits": logits}, labels).item() == pytest.approx(1.5 * half + 2 * half)
    assert AnswerLoss(2.0)({"logits": logits[:2]}, labels[:2]).item() == pytest.approx(1.5 * half)


class LengthRanker:
    """A ranker whose score is the length of a document."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([float(len(document)) for document in documents])


def test_the_minimal_pair_margin_by_hand() -> None:
    # "It is not." is four letters longer than "It is."; the second query prefers the shorter one.
    pair = [Example("a", "It is not.", ("It is.",)), Example("b", "It is.", ("It is not.", "It isn't."))]
    assert minimal_pair_margin(LengthRanker(), pair) == pytest.approx((4 - 4 - 3) / 3)
    with pytest.raises(InputError, match="no example has a negative"):
        minimal_pair_margin(LengthRanker(), REPLAY)


def test_a_replayed_pair_gets_a_passage_of_another_query() -> None:
    same = [Example("q", "one"), Example("q", "two"), Example("r", "three", ("four",))]
    assert [example.negatives for example in with_unrelated_negatives(same, seed=3)] == [
        ("three",),
        ("three",),
        ("four",),
    ]
    found = with_unrelated_negatives(REPLAY, seed=0)
    assert found == with_unrelated_negatives(REPLAY, seed=0)
    assert all(example.negatives[0] not in (example.positive, example.query) for example in found)
    assert {example.negatives[0] for example in found} <= {example.positive for example in REPLAY}
    with pytest.raises(InputError, match="no passage except for the query 'q'"):
        with_unrelated_negatives(same[:2], seed=0)


def features_of(batch: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in batch.items() if name.startswith(prefix)}


def test_the_late_loss_agrees_with_the_adapters_scores(bases: dict[str, Path]) -> None:
    ranker: Any = load(f"late:{bases['late']}", device="cpu")
    lessons = LESSONS[:3]
    batch = RoleCollator(ranker.model, lessons, ())([{"at": 0}, {"at": 1}, {"at": 2}])
    features = [features_of(batch, f"examples_{role}_") for role in ("query", "document")]
    documents = [lessons[0].positive, lessons[1].positive, lessons[2].positive, lessons[2].negatives[0]]
    scores = ranker.matrix([one.query for one in lessons], documents)
    hard = [(0, 0, 1), (1, 1, 0), (2, 2, 3)]
    pairwise = np.mean([math.log1p(math.exp(scores[row, wrong] - scores[row, right])) for row, right, wrong in hard])
    everything = np.mean([np.log(np.exp(scores[row]).sum()) - scores[row, right] for row, right, _ in hard])
    with torch.no_grad():
        alone = LateLoss(ranker.model, scale=1.0, hard_weight=1.0, in_batch=False)(features, batch["label"])
        in_batch = LateLoss(ranker.model, scale=1.0, hard_weight=1.0, in_batch=True)(features, batch["label"])
    assert alone.item() == pytest.approx(pairwise, rel=1e-5)
    assert in_batch.item() == pytest.approx(everything, rel=1e-5)


def test_the_cross_loss_agrees_with_the_adapters_scores(bases: dict[str, Path]) -> None:
    ranker: Any = load(f"cross:{bases['cross']}", device="cpu")
    replay = with_unrelated_negatives(REPLAY, seed=0)
    batch = PairCollator(LESSONS, replay)([{"at": 1}, {"at": len(LESSONS)}])
    each = []
    for example in (LESSONS[1], replay[0]):
        right, wrong = ranker.score([example.query] * 2, [example.positive, example.negatives[0]])
        each.append((math.log1p(math.exp(-right)) + math.log1p(math.exp(wrong))) / 2)
    loss = CrossLoss(ranker.model, listwise=False, label=None, prompt=None, replay_weight=0.5)
    with torch.no_grad():
        found = loss([batch["query"], batch["documents"]], batch["label"])
    assert found.item() == pytest.approx(each[0] + 0.5 * each[1], rel=1e-5)


def test_a_seq2seq_batch_has_the_adapters_prompts(bases: dict[str, Path]) -> None:
    folder = bases["seq2seq"]
    ranker = Seq2Seq("seq2seq:small", Source(folder, "small"), Settings(device="cpu", max_tokens=64))
    example = LESSONS[1]
    batch = PromptCollator(ranker, LESSONS, ())([{"at": 1}])
    yes, no = ranker.answer_ids
    assert batch["labels"].tolist() == [[yes, 0], [no, 0]]
    assert batch["decoder_input_ids"].tolist() == [[0], [0]]
    documents = [example.positive, example.negatives[0]]
    asked = [
        ranker.tokenizer(f"Query: {example.query} Document: {text} Relevant:", add_special_tokens=False)["input_ids"]
        for text in documents
    ]
    kept = [ids[mask.bool()].tolist() for ids, mask in zip(batch["input_ids"], batch["attention_mask"], strict=True)]
    assert kept == [[*ids, ranker.tokenizer.eos_token_id] for ids in asked]
    with torch.no_grad():
        labels = batch.pop("labels")
        logits = ranker.model(**batch).logits[:, 0]
    odds = torch.log_softmax(logits[:, [yes, no]].double(), dim=-1)[:, 0]
    assert odds.tolist() == pytest.approx(ranker.score([example.query] * 2, documents).tolist(), rel=1e-5)
    assert AnswerLoss(1.0)({"logits": logits.unsqueeze(1)}, labels).item() == pytest.approx(
        -torch.log_softmax(logits, dim=-1)[[0, 1], [yes, no]].mean().item()
    )


def weights(ranker: Any) -> dict[str, np.ndarray]:
    return {name: value.detach().numpy().copy() for name, value in ranker.model.named_parameters()}


@pytest.mark.slow
@pytest.mark.parametrize("family", MAKERS)
def test_a_resumed_run_ends_like_an_uninterrupted_one(family: str, bases: dict[str, Path], tmp_path: Path) -> None:
    config = SETTINGS[family](base=str(bases[family]), batch=4, replay_batch=2, epochs=2, lr=1e-3, max_tokens=32)
    seen: list[Any] = []

    def evaluate(ranker: Any) -> dict[str, float]:
        seen.append(ranker)
        return {
            "negation.pairs": pairwise_accuracy(ranker, HELD_OUT),
            "minimal-pair margin": minimal_pair_margin(ranker, HELD_OUT),
        }

    def interrupt(line: Any) -> None:
        if line["step"] == 4 and "loss" in line:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"replay": REPLAY, "evaluate": evaluate, "device": "cpu", "checkpoint_every": 2}
    with quiet():
        whole = RECIPES[family](config, LESSONS[:12], out=tmp_path / "whole", **options)
        with pytest.raises(KeyboardInterrupt):
            RECIPES[family](config, LESSONS[:12], out=tmp_path / "resumed", progress=interrupt, **options)
        resumed = RECIPES[family](config, LESSONS[:12], out=tmp_path / "resumed", **options)
    assert (whole.steps, whole.epoch) == (6, 2)
    assert [line["epoch"] for line in whole.curves if "scores" in line] == [0, 1, 2]
    assert without_seconds(resumed.curves) == without_seconds(whole.curves)
    started = weights(load(f"{family}:{bases[family]}", device="cpu"))
    for name, value in weights(whole.model).items():
        assert np.array_equal(weights(resumed.model)[name], value), name
    assert any(not np.array_equal(value, started[name]) for name, value in weights(whole.model).items())
    # A model in training has no fingerprint, so no cache keeps its scores.
    assert not any(hasattr(ranker, "fingerprint") for ranker in seen)
    saved: Any = load(f"{family}:{tmp_path / 'whole' / 'model'}", device="cpu")
    queries, documents = [one.query for one in HELD_OUT], [one.positive for one in HELD_OUT]
    assert saved.score(queries, documents) == pytest.approx(whole.model.score(queries, documents), rel=1e-5)
    assert not list((tmp_path / "whole").rglob("*.bin"))
    run = json.loads((tmp_path / "whole" / "run.json").read_text(encoding="utf-8"))
    assert (run["settings"]["epochs"], run["examples"]["count"], run["replay"]["count"]) == (2, 12, 5)


def test_a_saved_model_keeps_its_own_length(bases: dict[str, Path], tmp_path: Path) -> None:
    config = CrossTraining(base=str(bases["cross"]), batch=4, epochs=1, max_tokens=16)
    with quiet():
        found = train_cross(config, LESSONS[:4], out=tmp_path, device="cpu")
    assert found.model.model.max_seq_length == 64
    assert json.loads((tmp_path / "model" / "tokenizer_config.json").read_text())["model_max_length"] == 64


@pytest.mark.parametrize("family", MAKERS)
def test_a_loss_that_diverges_is_an_error(family: str, bases: dict[str, Path]) -> None:
    wild = SETTINGS[family](base=str(bases[family]), batch=4, epochs=8, lr=1e30, warmup=0.0, max_tokens=32)
    with quiet(), pytest.raises(InputError, match=r"the loss is .* of 24: .*Try a lower lr \(it is 1e\+30\)"):
        RECIPES[family](wild, LESSONS[:12], device="cpu")


def test_an_epoch_that_lost_too_much_is_not_kept(bases: dict[str, Path]) -> None:
    general = iter([0.9, 0.85, 0.2])
    config = CrossTraining(base=str(bases["cross"]), batch=4, epochs=5, max_tokens=32, max_general_loss=0.1)

    def evaluate(ranker: Any) -> dict[str, float]:
        score = next(general)
        return {"negation.pairs": 1 - score, "general.search": score}

    with quiet():
        found = train_cross(config, LESSONS[:4], evaluate=evaluate, device="cpu")
    assert (found.epoch, found.steps) == (1, 2)


@pytest.mark.parametrize(
    ("family", "settings", "examples", "message"),
    [
        ("late", {}, [], "there are no examples; expected at least one"),
        ("late", {}, REPLAY, "no negatives and in_batch is off"),
        ("cross", {}, [*LESSONS[:2], REPLAY[0]], r"example 3 of 3 has no negatives \('Where is the airport\?'\)"),
        ("seq2seq", {}, REPLAY, "example 1 of 5 has no negatives"),
        ("cross", {"positive_kinds": ("word",)}, LESSONS, "there are no examples with positives of kind word"),
        ("cross", {"base": "./nowhere"}, LESSONS, "cross:./nowhere is not a folder"),
        ("seq2seq", {"yes": "most certainly"}, LESSONS, "splits 'most certainly' into 2 tokens"),
    ],
)
def test_invalid_examples_and_bases_are_refused(
    family: str, settings: dict[str, Any], examples: list[Example], message: str, bases: dict[str, Path]
) -> None:
    config = SETTINGS[family](**{"base": str(bases[family])} | settings)
    with quiet(), pytest.raises(InputError, match=message):
        RECIPES[family](config, examples, device="cpu")


def test_a_model_of_another_family_is_refused(bases: dict[str, Path]) -> None:
    with quiet(), pytest.raises(InputError, match="is not a late-interaction model"):
        train_late(LateTraining(base=str(bases["cross"])), LESSONS, device="cpu")
    with quiet(), pytest.raises(InputError, match="cannot be read as a seq2seq model"):
        train_seq2seq(Seq2SeqTraining(base=str(bases["cross"])), LESSONS, device="cpu")


@pytest.mark.parametrize(
    ("kind", "settings"),
    [(CrossTraining, {"loss": "hinge"}), (LateTraining, {"scale": 0.0}), (Seq2SeqTraining, {"lr": -1.0})],
)
def test_settings_out_of_range_are_named(kind: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(settings))} is .*; expected"):
        kind(**settings)


def learned(family: str, base: Path, lessons: Sequence[Example], held_out: Sequence[Example], **settings: Any) -> Any:
    """Train and return the pairwise accuracy on held-out examples before and after."""
    config = SETTINGS[family](base=str(base), max_tokens=32, **settings)

    def evaluate(ranker: Any) -> dict[str, float]:
        return {
            "negation.held out": pairwise_accuracy(ranker, held_out),
            "minimal-pair margin": minimal_pair_margin(ranker, held_out),
        }

    with quiet():
        found = RECIPES[family](config, lessons, evaluate=evaluate, device="cpu")
    scores = [line["scores"] for line in found.curves if "scores" in line]
    losses = [line["loss"] for line in found.curves if "loss" in line]
    assert len(scores) == config.epochs + 1
    assert losses[-1] < losses[0] / 2
    assert scores[-1]["minimal-pair margin"] > scores[0]["minimal-pair margin"] + 0.5
    return scores[0]["negation.held out"], scores[-1]["negation.held out"]


@pytest.mark.slow
def test_a_late_interaction_model_learns_negation(tmp_path: Path) -> None:
    with quiet():
        make_late(tmp_path)
    before, after = learned("late", tmp_path / "model", LESSONS, HELD_OUT, lr=3e-4, batch=10, epochs=2)
    assert after >= max(0.9, before + 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["binary", "listwise"])
def test_a_cross_encoder_learns_negation(loss: str, tmp_path: Path) -> None:
    with quiet():
        make_cross(tmp_path)
    before, after = learned("cross", tmp_path / "model", LESSONS, HELD_OUT, lr=1e-3, batch=8, epochs=3, loss=loss)
    assert after >= max(0.9, before + 0.3)


@pytest.mark.slow
def test_a_seq2seq_ranker_learns_negation(bases: dict[str, Path]) -> None:
    # It knows no other words, so the held-out contrasts are other pairs of the same words.
    lessons = [example for place, pair in enumerate(CONTRASTS) if place % 4 for example in pair]
    held_out = [example for pair in CONTRASTS[::4] for example in pair]
    before, after = learned("seq2seq", bases["seq2seq"], lessons, held_out, lr=3e-3, batch=8, epochs=15)
    assert after >= max(0.9, before + 0.3)
