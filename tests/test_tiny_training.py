"""A real training in small, of a minute on a CPU: it must hear more negation on held-out contrasts and lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.cli.measuring import Evaluator, tasks_of
from litotes.synth import Config, synthesise
from litotes.train import TowerTraining, train_tower
from litotes.train.sets import read_sets

SETTINGS = TowerTraining(
    replay_weight=0.0, distance_weight=3.0, replay_batch=32, replay_together=8, lr=3e-4, max_tokens=40
)


@pytest.mark.slow
def test_a_minute_of_training_raises_negation_and_keeps_general_ability(tmp_path: Path) -> None:
    synthesise(Config(("seed:sentences",), draw=120, seed=0), tmp_path / "made", workers=1)
    (made,) = read_sets([str(tmp_path / "made")])
    (replay,) = read_sets(["written:utterances=0.25"], role="replay")
    evaluator = Evaluator(tasks_of(["taxonomy", "mini-retrieval", "mini-sts", "mini-intents"], None), "dense", "tiny")
    before = evaluator.scores(evaluator.base("minilm"))
    trained = train_tower(SETTINGS, made.examples, replay=replay.examples, device="cpu")
    after = evaluator.scores(evaluator.of(trained.model))
    # 352 contrasts: 8 points are more than two standard errors of the difference
    assert after["negation.taxonomy dev"] >= before["negation.taxonomy dev"] + 8, (before, after)
    general = [name for name in before if name.startswith("general.")]
    assert len(general) == 3
    assert sum(after[name] for name in general) >= sum(before[name] for name in general), (before, after)
