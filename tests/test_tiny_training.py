"""A real training in small, of a minute on a CPU: it must hear more negation on held-out contrasts and lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.bench.catalogue import Where
from litotes.bench.run import bench
from litotes.bench.suites import suite
from litotes.models.dense import Dense
from litotes.synth import Config, synthesise
from litotes.train import TowerTraining, train_tower
from litotes.train.sets import read_sets

SETTINGS = TowerTraining(
    replay_weight=0.0, distance_weight=3.0, replay_batch=32, replay_together=8, lr=3e-4, max_tokens=40
)
GENERAL = ("mini-retrieval", "mini-sts", "mini-intents")


@pytest.mark.slow
def test_a_minute_of_training_raises_negation_and_keeps_general_ability(tmp_path: Path) -> None:
    synthesise(Config(("seed:sentences",), draw=80, seed=0), tmp_path / "made", workers=1)
    (made,) = read_sets([str(tmp_path / "made")])
    (replay,) = read_sets(["written:utterances=0.25"], role="replay")
    model = train_tower(SETTINGS, made.examples, replay=replay.examples, device="cpu").model
    # at dial 0 a tower is its base, which test_tower.py holds to 1e-5: one encoding serves both
    both = Dense(model, name="before", dial=0.0), Dense(model, name="after")
    results = bench(both, suite(("taxonomy", *GENERAL), Where()), tmp_path / "bench", rounds=100)
    headlines: dict[tuple[str, str], float] = {}
    for one in results:
        headlines.setdefault((one.model, one.task), one.value)
    before, after = ({task: headlines[name, task] for task in ("taxonomy", *GENERAL)} for name in ("before", "after"))
    # 352 contrasts: 8 points are more than two standard errors of the difference
    assert after["taxonomy"] >= before["taxonomy"] + 8, (before, after)
    assert sum(after[name] for name in GENERAL) >= sum(before[name] for name in GENERAL), (before, after)
