"""A minute of real training on a CPU raises accuracy on held-out contrasts and keeps general ability."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.data.selection import DataSelection
from litotes.evaluation.catalogue import suite
from litotes.evaluation.run import bench
from litotes.models.dense import Dense
from litotes.synthesis import SynthesisConfig, synthesise
from litotes.training import TowerTraining, train_tower
from litotes.training.sets import read_sets

SETTINGS = TowerTraining(
    replay_weight=0.0, distance_weight=3.0, replay_batch=32, replay_together=8, lr=3e-4, max_tokens=40
)
GENERAL = ("mini-retrieval", "mini-sts", "mini-intents")


@pytest.mark.slow
def test_a_minute_of_training_raises_negation_and_keeps_general_ability(tmp_path: Path) -> None:
    synthesise(SynthesisConfig(("seed:sentences",), draw=120, seed=0), tmp_path / "made", workers=1)
    (made,) = read_sets([str(tmp_path / "made")])
    (replay,) = read_sets(["written:utterances=0.25"], role="replay")
    model = train_tower(SETTINGS, made.examples, replay=replay.examples, device="cpu").model
    # At dial 0 a tower encodes as its base does (test_tower.py), so one encoding serves both.
    both = Dense(model, name="before", dial=0.0), Dense(model, name="after")
    results = bench(both, suite(("taxonomy", *GENERAL), DataSelection(half="select")), tmp_path / "bench", rounds=100)
    headlines: dict[tuple[str, str], float] = {}
    for one in results:
        headlines.setdefault((one.model, one.task), one.value)
    before, after = ({task: headlines[name, task] for task in ("taxonomy", *GENERAL)} for name in ("before", "after"))
    # With 352 contrasts, 8 points are more than two standard errors of the difference.
    assert after["taxonomy"] >= before["taxonomy"] + 8, (before, after)
    assert sum(after[name] for name in GENERAL) >= sum(before[name] for name in GENERAL), (before, after)
