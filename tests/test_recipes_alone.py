"""Recipes that train in one process say so when several are started."""

from __future__ import annotations

import pytest

from litotes.errors import InputError
from litotes.train import Example, TowerTraining, train_tower
from litotes.train.metric import MetricTraining, train_metric

EXAMPLES = [Example("It is open.", "It is not shut.", ("It is shut.",))]


def test_several_processes_are_refused_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(InputError, match="the recipe tower trains in one process, and 2 were started"):
        train_tower(TowerTraining(), EXAMPLES)
    with pytest.raises(InputError, match="the recipe metric trains in one process"):
        train_metric(MetricTraining(), EXAMPLES)
