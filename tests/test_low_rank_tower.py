"""A tower whose own layers are copies of the base's with trained updates of low rank."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError, require
from litotes.models.tower import load_tower, new_tower, save_delta
from litotes.models.tower.build import tower_of
from litotes.training import Example, TowerTraining, train_tower
from litotes.training.averaging import average
from tests.family_models import quiet
from tests.small_base import tiny_base

torch = require("torch")

TEXTS = ["The bridge is open.", "The bridge is shut.", "Nobody came."]
LESSONS = [Example(f"Room {n} is open.", f"Room {n} is not shut.", (f"Room {n} is shut.",)) for n in range(12)]
SHAPE: dict[str, Any] = {"shared_layers": 0, "own_layers": 1, "width": 8, "rank": 2}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_base(tmp_path_factory.getbasetemp() / "low-rank-base")


def trained(base: str, folder: Path, **settings: Any) -> Any:
    config = TowerTraining(base=base, **SHAPE, batch=4, lr=1e-2, max_tokens=16, **settings)
    with quiet():
        return train_tower(config, LESSONS, out=folder, device="cpu").model


def test_an_untrained_update_changes_nothing(base: str) -> None:
    with quiet():
        plain = new_tower(base, **{**SHAPE, "rank": 0}, device="cpu")
        model = new_tower(base, **SHAPE, device="cpu")
    assert np.allclose(model.encode(TEXTS), plain.encode(TEXTS), atol=1e-6)
    names = [name for name, _ in tower_of(model).own_parameters()]
    assert "projection.weight" in names
    assert {name.rsplit(".", 1)[-1] for name in names if name != "projection.weight"} == {"down", "up"}


def test_training_moves_the_updates_and_saves_only_them(base: str, tmp_path: Path) -> None:
    model = trained(base, tmp_path / "run")
    with quiet():
        start = new_tower(base, **SHAPE, device="cpu")
        again = load_tower(tmp_path / "run" / "tower", base=base, device="cpu")
    width = SHAPE["width"]
    f, g = (slice(None, -width), slice(-width, None))
    assert np.allclose(model.encode(TEXTS)[:, f], start.encode(TEXTS)[:, f], atol=1e-6)
    assert np.abs(model.encode(TEXTS)[:, g] - start.encode(TEXTS)[:, g]).max() > 0.01
    # The updates are stored in eight bits.
    assert np.allclose(again.encode(TEXTS), model.encode(TEXTS), atol=5e-3)
    card = json.loads((tmp_path / "run" / "tower" / "tower.json").read_text(encoding="utf-8"))
    assert card["rank"] == 2
    # A loaded or trained tower is merged: it has the structure of any other, and is saved as one.
    assert not any(name.endswith((".down", ".up")) for name, _ in tower_of(again).named_parameters())
    with quiet():
        save_delta(again, tmp_path / "whole", base=base, dtype="float32")
        whole = load_tower(tmp_path / "whole", base=base, device="cpu")
    assert np.allclose(whole.encode(TEXTS), again.encode(TEXTS), atol=1e-6)


def test_towers_of_low_rank_can_be_averaged(base: str, tmp_path: Path) -> None:
    for order in (0, 1):
        trained(base, tmp_path / str(order), order=order)
    home = average([tmp_path / "0", tmp_path / "1"], tmp_path / "mean")
    name = "own.0.attention.self.query.weight"
    with quiet():
        one, other, mean = (
            dict(tower_of(load_tower(folder, base=base, device="cpu")).named_parameters())[name]
            for folder in (tmp_path / "0" / "tower", tmp_path / "1" / "tower", home)
        )
    assert not torch.equal(one, other)
    assert torch.allclose(mean, (one + other) / 2, atol=1e-4)


def test_a_rank_beyond_the_width_of_the_base_is_refused(base: str) -> None:
    with quiet(), pytest.raises(InputError, match=r"rank is 5000; expected 1 to \d+, the width of the base"):
        new_tower(base, **{**SHAPE, "rank": 5000}, device="cpu")
    with pytest.raises(InputError, match="rank is -1"):
        TowerTraining(rank=-1)
