"""Training rankers: losses by hand, batches against the adapters' own scores, real small runs of all three families."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models import load
from litotes.models.loading import Settings, Source
from litotes.models.seq2seq import Seq2Seq
from litotes.train import (
    CrossTraining,
    Example,
    LateTraining,
    Seq2SeqTraining,
    train_cross,
    train_late,
    train_seq2seq,
    twin_margin,
)
from litotes.train.cross import TextBatches
from litotes.train.late import RoleBatches
from litotes.train.rankers import with_strangers
from litotes.train.ranking import CrossObjective, LateObjective, judged_alone, judged_together, log_odds
from litotes.train.seq2seq import QuestionBatches, Surprise
from tests.conftest import REPOSITORY
from tests.model_shelf import make_cross, make_late, quiet
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
    # probabilities 1/4, 1/2, 1/4: the middle one is as likely as both others
    logits = torch.log(torch.tensor([[1.0, 2.0, 1.0]]))
    assert log_odds(logits, 1).item() == pytest.approx(0, abs=1e-6)
    assert log_odds(logits, 0).item() == pytest.approx(-math.log(3))


def test_the_losses_of_pairs_by_hand() -> None:
    rows = [torch.tensor([0.0, 0.0]), torch.tensor([math.log(3), 0.0, -math.log(3)])]
    # positives at odds 1 and 3; negatives at 1, and at 1 and 1/3: −log of 1/2, 3/4 and 1/2, 1/2, 3/4
    half, three = math.log(2), math.log(4 / 3)
    assert judged_alone(rows).tolist() == pytest.approx([half, (three + (half + three) / 2) / 2])
    # softmax of the first: 1 of 2; and 3 of 3 + 1 + 1/3
    assert judged_together(rows).tolist() == pytest.approx([half, math.log(13 / 9)])


def test_the_surprise_at_answers_by_hand() -> None:
    logits = torch.log(torch.tensor([[[1.0, 2.0, 1.0]], [[1.0, 1.0, 2.0]], [[2.0, 1.0, 1.0]]]))
    labels = torch.tensor([[1, 0], [0, 0], [0, 1]])
    # −log of 2/4 and 1/4 are the examples', of 2/4 the replayed one's
    half = math.log(2)
    assert Surprise(2.0)({"logits": logits}, labels).item() == pytest.approx(1.5 * half + 2 * half)
    assert Surprise(2.0)({"logits": logits[:2]}, labels[:2]).item() == pytest.approx(1.5 * half)


class Lengths:
    """A ranker that likes long documents."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([float(len(document)) for document in documents])


def test_the_twin_margin_by_hand() -> None:
    # "It is not." has four letters more than "It is."; the second query takes the shorter
    pair = [Example("a", "It is not.", ("It is.",)), Example("b", "It is.", ("It is not.", "It isn't."))]
    assert twin_margin(Lengths(), pair) == pytest.approx((4 - 4 - 3) / 3)
    with pytest.raises(InputError, match="no example has a negative"):
        twin_margin(Lengths(), REPLAY)


def test_a_replayed_pair_gets_a_passage_of_another_query() -> None:
    same = [Example("q", "one"), Example("q", "two"), Example("r", "three", ("four",))]
    assert [example.negatives for example in with_strangers(same, seed=3)] == [("three",), ("three",), ("four",)]
    found = with_strangers(REPLAY, seed=0)
    assert found == with_strangers(REPLAY, seed=0)
    assert all(example.negatives[0] not in (example.positive, example.query) for example in found)
    assert {example.negatives[0] for example in found} <= {example.positive for example in REPLAY}
    with pytest.raises(InputError, match="no passage but the one for 'q'"):
        with_strangers(same[:2], seed=0)


def features_of(batch: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in batch.items() if name.startswith(prefix)}


def test_the_late_loss_is_that_of_the_adapters_scores(bases: dict[str, Path]) -> None:
    ranker: Any = load(f"late:{bases['late']}", device="cpu")
    lessons = LESSONS[:3]
    batch = RoleBatches(ranker.model, lessons, ())([{"at": 0}, {"at": 1}, {"at": 2}])
    features = [features_of(batch, f"examples_{role}_") for role in ("query", "document")]
    documents = [lessons[0].positive, lessons[1].positive, lessons[2].positive, lessons[2].negatives[0]]
    scores = ranker.matrix([one.query for one in lessons], documents)
    hard = [(0, 0, 1), (1, 1, 0), (2, 2, 3)]
    pairwise = np.mean([math.log1p(math.exp(scores[row, wrong] - scores[row, right])) for row, right, wrong in hard])
    everything = np.mean([np.log(np.exp(scores[row]).sum()) - scores[row, right] for row, right, _ in hard])
    with torch.no_grad():
        alone = LateObjective(ranker.model, LateTraining())(features, batch["label"])
        in_batch = LateObjective(ranker.model, LateTraining(in_batch=True))(features, batch["label"])
    assert alone.item() == pytest.approx(pairwise, rel=1e-5)
    assert in_batch.item() == pytest.approx(everything, rel=1e-5)


def test_the_cross_loss_is_that_of_the_adapters_scores(bases: dict[str, Path]) -> None:
    ranker: Any = load(f"cross:{bases['cross']}", device="cpu")
    strangers = with_strangers(REPLAY, seed=0)
    batch = TextBatches(LESSONS, strangers)([{"at": 1}, {"at": len(LESSONS)}])
    each = []
    for example in (LESSONS[1], strangers[0]):
        right, wrong = ranker.score([example.query] * 2, [example.positive, example.negatives[0]])
        each.append((math.log1p(math.exp(-right)) + math.log1p(math.exp(wrong))) / 2)
    objective = CrossObjective(ranker.model, CrossTraining(replay_weight=0.5), label=None, prompt=None)
    with torch.no_grad():
        found = objective([batch["query"], batch["documents"]], batch["label"])
    assert found.item() == pytest.approx(each[0] + 0.5 * each[1], rel=1e-5)


def test_a_seq2seq_batch_asks_what_the_adapter_asks(bases: dict[str, Path]) -> None:
    folder = bases["seq2seq"]
    ranker = Seq2Seq("seq2seq:small", Source(folder, "small"), Settings(device="cpu", max_tokens=64))
    example = LESSONS[1]
    batch = QuestionBatches(ranker, LESSONS, ())([{"at": 1}])
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
    assert Surprise(1.0)({"logits": logits.unsqueeze(1)}, labels).item() == pytest.approx(
        -torch.log_softmax(logits, dim=-1)[[0, 1], [yes, no]].mean().item()
    )


def weights(ranker: Any) -> dict[str, np.ndarray]:
    return {name: value.detach().numpy().copy() for name, value in ranker.model.named_parameters()}


def without_time(curves: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name != "seconds"} for line in curves]


@pytest.mark.slow
@pytest.mark.parametrize("family", MAKERS)
def test_a_run_cut_short_ends_as_an_unbroken_one(family: str, bases: dict[str, Path], tmp_path: Path) -> None:
    config = SETTINGS[family](base=str(bases[family]), batch=4, replay_batch=2, epochs=2, lr=1e-3, max_tokens=32)
    seen: list[Any] = []

    def evaluate(ranker: Any) -> dict[str, float]:
        seen.append(ranker)
        return {"negation.pairs": pairwise_accuracy(ranker, HELD_OUT), "twin margin": twin_margin(ranker, HELD_OUT)}

    def cut(line: Any) -> None:
        if line["step"] == 4 and "loss" in line:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"replay": REPLAY, "evaluate": evaluate, "device": "cpu", "checkpoint_every": 2}
    with quiet():
        whole = RECIPES[family](config, LESSONS[:12], out=tmp_path / "whole", **options)
        with pytest.raises(KeyboardInterrupt):
            RECIPES[family](config, LESSONS[:12], out=tmp_path / "cut", watch=cut, **options)
        mended = RECIPES[family](config, LESSONS[:12], out=tmp_path / "cut", **options)
    assert (whole.steps, whole.epoch) == (6, 2)
    assert [line["epoch"] for line in whole.curves if "scores" in line] == [0, 1, 2]
    assert without_time(mended.curves) == without_time(whole.curves)
    started = weights(load(f"{family}:{bases[family]}", device="cpu"))
    for name, value in weights(whole.model).items():
        assert np.array_equal(weights(mended.model)[name], value), name
    assert any(not np.array_equal(value, started[name]) for name, value in weights(whole.model).items())
    # what changes has no fingerprint that a cache could keep it by
    assert not any(hasattr(ranker, "fingerprint") for ranker in seen)
    saved: Any = load(f"{family}:{tmp_path / 'whole' / 'model'}", device="cpu")
    queries, documents = [one.query for one in HELD_OUT], [one.positive for one in HELD_OUT]
    assert saved.score(queries, documents) == pytest.approx(whole.model.score(queries, documents), rel=1e-5)
    assert not list((tmp_path / "whole").rglob("*.bin"))
    run = json.loads((tmp_path / "whole" / "run.json").read_text(encoding="utf-8"))
    assert (run["settings"]["epochs"], run["examples"]["count"], run["replay"]["count"]) == (2, 12, 5)


TWO_PROCESSES = """
import sys
from pathlib import Path
from tests.test_train_rankers import LESSONS, MAKERS, RECIPES, REPLAY, SETTINGS, quiet, weights

home = Path(sys.argv[1])
for family in MAKERS:
    config = SETTINGS[family](base=str(home / family / "model"), batch=4, replay_batch=2, epochs=2, max_tokens=32)
    with quiet():
        found = RECIPES[family](config, LESSONS[:20], replay=REPLAY, out=home / "out" / family, device="cpu")
    total = sum(float(abs(value).sum()) for value in weights(found.model).values())
    print(f"{family} {found.steps} {total}\\n", end="", flush=True)
"""


@pytest.mark.slow
def test_two_processes_train_one_model(bases: dict[str, Path], tmp_path: Path) -> None:
    for family, folder in bases.items():
        shutil.copytree(folder, tmp_path / family / "model")
    (tmp_path / "script.py").write_text(TWO_PROCESSES, encoding="utf-8")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    surroundings = os.environ | {"PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(tmp_path / "script.py"), str(tmp_path)],
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = sorted(line for line in done.stdout.splitlines() if line.split(" ")[0] in MAKERS)
    # five batches an epoch, two for each process: the odd one is left out; both end with the same weights
    assert [line.split()[:2] for line in lines] == [[family, "4"] for family in sorted([*MAKERS, *MAKERS])]
    assert lines[::2] == lines[1::2]
    for family in MAKERS:
        load(f"{family}:{tmp_path / 'out' / family / 'model'}", device="cpu")


def test_a_saved_model_keeps_its_own_length(bases: dict[str, Path], tmp_path: Path) -> None:
    config = CrossTraining(base=str(bases["cross"]), batch=4, epochs=1, max_tokens=16)
    with quiet():
        found = train_cross(config, LESSONS[:4], out=tmp_path, device="cpu")
    assert found.model.model.max_seq_length == 64
    assert json.loads((tmp_path / "model" / "tokenizer_config.json").read_text())["model_max_length"] == 64


@pytest.mark.parametrize("family", MAKERS)
def test_a_loss_that_runs_away_is_one_clear_error(family: str, bases: dict[str, Path]) -> None:
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
        ("late", {}, [], "there are no examples; expected one at least"),
        ("late", {}, REPLAY, "no negatives and in_batch is off"),
        ("cross", {}, [*LESSONS[:2], REPLAY[0]], r"example 3 of 3 has no negatives \('Where is the airport\?'\)"),
        ("seq2seq", {}, REPLAY, "example 1 of 5 has no negatives"),
        ("cross", {"positive_kinds": ("word",)}, LESSONS, "there are no examples with positives of kind word"),
        ("cross", {"base": "./nowhere"}, LESSONS, "cross:./nowhere is no folder"),
        ("seq2seq", {"yes": "most certainly"}, LESSONS, "writes 'most certainly' in 2 tokens"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(
    family: str, settings: dict[str, Any], examples: list[Example], message: str, bases: dict[str, Path]
) -> None:
    config = SETTINGS[family](**{"base": str(bases[family])} | settings)
    with quiet(), pytest.raises(InputError, match=message):
        RECIPES[family](config, examples, device="cpu")


def test_a_model_of_another_family_is_refused(bases: dict[str, Path]) -> None:
    with quiet(), pytest.raises(InputError, match="is no late-interaction model"):
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
    """A real run: pairwise accuracy on what it never saw, before and after."""
    config = SETTINGS[family](base=str(base), max_tokens=32, **settings)

    def evaluate(ranker: Any) -> dict[str, float]:
        return {
            "negation.held out": pairwise_accuracy(ranker, held_out),
            "twin margin": twin_margin(ranker, held_out),
        }

    with quiet():
        found = RECIPES[family](config, lessons, evaluate=evaluate, device="cpu")
    scores = [line["scores"] for line in found.curves if "scores" in line]
    losses = [line["loss"] for line in found.curves if "loss" in line]
    assert len(scores) == config.epochs + 1
    assert losses[-1] < losses[0] / 2
    assert scores[-1]["twin margin"] > scores[0]["twin margin"] + 0.5
    return scores[0]["negation.held out"], scores[-1]["negation.held out"]


@pytest.mark.slow
def test_late_interaction_learns_to_hear_not(tmp_path: Path) -> None:
    with quiet():
        make_late(tmp_path)
    before, after = learned("late", tmp_path / "model", LESSONS, HELD_OUT, lr=3e-4, batch=10, epochs=2)
    assert after >= max(0.9, before + 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["binary", "listwise"])
def test_a_cross_encoder_learns_to_hear_not(loss: str, tmp_path: Path) -> None:
    with quiet():
        make_cross(tmp_path)
    before, after = learned("cross", tmp_path / "model", LESSONS, HELD_OUT, lr=1e-3, batch=8, epochs=3, loss=loss)
    assert after >= max(0.9, before + 0.3)


@pytest.mark.slow
def test_a_seq2seq_ranker_learns_to_hear_not(bases: dict[str, Path]) -> None:
    # Its words are all it knows: what it never saw are other pairs of them.
    lessons = [example for place, pair in enumerate(CONTRASTS) if place % 4 for example in pair]
    held_out = [example for pair in CONTRASTS[::4] for example in pair]
    before, after = learned("seq2seq", bases["seq2seq"], lessons, held_out, lr=3e-3, batch=8, epochs=15)
    assert after >= max(0.9, before + 0.3)
