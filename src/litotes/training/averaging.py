"""The mean of the weights of runs with the same start.

Towers of one seed, trained on other orders or shares of the examples, end close to each other: their mean
is about as good as an ensemble of them, at the cost of one. Runs of different seeds start from different projections,
so their mean is useless.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.data.result_files import RUN
from litotes.errors import InputError, require
from litotes.files import write_atomically
from litotes.models.loading import configuration
from litotes.models.tower.shape import TOWER_CARD
from litotes.models.weight_files import SHARD_BYTES, read_weights, write_weights

if TYPE_CHECKING:
    from torch import Tensor

TOWER = "tower"
"""The folder of the tower in a run, and the prefix of its weight files."""
RECORD = "mean.json"
SHAPE = ("shared_layers", "own_layers", "width")


@dataclass(frozen=True, slots=True)
class Member:
    """A saved tower: its folder, its card and, if its run is there, its seed."""

    folder: Path
    card: dict[str, Any]
    seed: int | None

    @property
    def start(self) -> dict[str, Any]:
        """What members must have in common."""
        base = self.card.get("base")
        sha256 = base.get("sha256") if isinstance(base, dict) else None
        return {"base": sha256, **{name: self.card.get(name) for name in SHAPE}}


def average(members: Sequence[Path | str], out: Path | str) -> Path:
    """Write the mean of towers to OUT/tower, and list its members in OUT/mean.json.

    Members are runs, or the towers in them; all must have the same start. Everything except the weights, such as the
    dial, is taken from the first.
    """
    torch = require("torch", extra="train", why="averaging")
    saved = [_member(Path(member)) for member in members]
    _refuse_different(saved, Path(out))
    total: dict[str, Tensor] = {}
    for member in saved:
        for name, value in read_weights(member.folder, member.card["files"]).items():
            total[name] = total.get(name, torch.zeros(())) + value.float()
    target = Path(out) / TOWER
    target.mkdir(parents=True, exist_ok=True)
    mean = {name: (value / len(saved)).half() for name, value in total.items()}
    card = dict(saved[0].card) | {"files": write_weights(mean, target, prefix=TOWER, shard_bytes=SHARD_BYTES)}
    write_atomically(target / TOWER_CARD, json.dumps(card, indent=2) + "\n")
    record = [{"folder": str(member.folder), "seed": member.seed, "files": member.card["files"]} for member in saved]
    write_atomically(Path(out) / RECORD, json.dumps({"mean of": record}, indent=2) + "\n")
    return target


def _member(path: Path) -> Member:
    for folder in (path, path / TOWER):
        card = configuration(folder, TOWER_CARD)
        if isinstance(card.get("files"), dict):
            settings = configuration(folder.parent, RUN).get("settings")
            seed = settings.get("seed") if isinstance(settings, dict) else None
            return Member(folder, card, seed)
    raise InputError(f"{path} has no tower; expected the folder of a run")


def _refuse_different(members: Sequence[Member], out: Path) -> None:
    """Raise InputError for members without a useful mean, and for an output folder with other content."""
    if len(members) < 2:
        raise InputError(f"there are {len(members)} members; expected at least two")
    folders = [member.folder.resolve() for member in members]
    if len(set(folders)) < len(folders):
        raise InputError(f"{members[0].folder} or another member is named twice; expected each once")
    if (out / RUN).exists() or (out / TOWER).resolve() in folders:
        raise InputError(f"{out} holds a run; expected another folder for the mean")
    first = members[0]
    for member in members[1:]:
        different = next((name for name, value in first.start.items() if member.start[name] != value), "")
        if different:
            raise InputError(
                f"{member.folder} has {different} {member.start[different]} and {first.folder} "
                f"{first.start[different]}; expected runs with the same start"
            )
        if None not in (first.seed, member.seed) and first.seed != member.seed:
            raise InputError(
                f"{member.folder} has the seed {member.seed} and {first.folder} {first.seed}; expected runs with the "
                "same seed, and other orders (order=1) or shares of the examples"
            )
