"""The mean of the weights of runs that began alike: what they agree on stays, what the order of examples did goes.

Towers, or metrics, of one seed that were taught in other orders or shares lie in one basin, and their mean does about
as well as asking all of them, at the cost of one. Runs of different seeds began with different projections, or heads:
their mean brings nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import configuration
from litotes.models.scorer.build import CARD as METRIC_CARD
from litotes.models.tower.dial import TOWER_CARD
from litotes.models.tower.shards import SHARD_BYTES
from litotes.models.weights import read_weights, split_weights

if TYPE_CHECKING:
    from torch import Tensor

KINDS = {"tower": (TOWER_CARD, "tower"), "model": (METRIC_CARD, "score")}
"""by the folder a run leaves its model in: the card's name, and what its files are called"""
RECORD, RUN = "mean.json", "run.json"
SHAPE = ("shared_layers", "own_layers", "width")


@dataclass(frozen=True, slots=True)
class Member:
    """A saved tower or metric: where its weights lie, its card, and the seed it began with, where its run says so."""

    kind: str
    folder: Path
    card: dict[str, Any]
    seed: int | None

    @property
    def start(self) -> dict[str, Any]:
        """What members must have in common."""
        base = self.card.get("base")
        sha256 = base.get("sha256") if isinstance(base, dict) else None
        return {"kind": self.kind, "base": sha256, **{name: self.card.get(name) for name in SHAPE}}


def average(members: Sequence[Path | str], out: Path | str) -> Path:
    """Writes the mean of towers, or of metrics, into OUT/tower or OUT/model, and its members into OUT/mean.json.

    Members are runs, or the models in them; all must have begun alike. The dial, the longest text and
    what unlike sides cost are the first's.
    """
    torch = require("torch", extra="train", why="averaging")
    found = [_member(Path(member)) for member in members]
    _refuse(found, Path(out))
    total: dict[str, Tensor] = {}
    for one in found:
        for name, value in read_weights(one.folder, one.card["files"]).items():
            total[name] = total.get(name, torch.zeros(())) + value.float()
    card, prefix = KINDS[found[0].kind]
    home = Path(out) / found[0].kind
    home.mkdir(parents=True, exist_ok=True)
    mean = {part: (value / len(found)).half() for part, value in total.items()}
    written = dict(found[0].card) | {"files": split_weights(mean, home, prefix=prefix, shard_bytes=SHARD_BYTES)}
    (home / card).write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    record = {"mean of": [{"folder": str(one.folder), "seed": one.seed, "files": one.card["files"]} for one in found]}
    (Path(out) / RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return home


def _member(given: Path) -> Member:
    for folder in (given, *(given / kind for kind in KINDS)):
        for kind, (name, _) in KINDS.items():
            card = configuration(folder, name)
            if isinstance(card.get("files"), dict):
                settings = configuration(folder.parent, RUN).get("settings")
                seed = settings.get("seed") if isinstance(settings, dict) else None
                return Member(kind, folder, card, seed)
    raise InputError(f"{given} holds neither a tower nor a metric; expected the folder of such a run")


def _refuse(members: Sequence[Member], out: Path) -> None:
    """InputError for members that have no mean, and for a folder that holds something else."""
    if len(members) < 2:
        raise InputError(f"a mean is of two members at least; got {len(members)}")
    folders = [one.folder.resolve() for one in members]
    if len(set(folders)) < len(folders):
        raise InputError(f"{members[0].folder} or another member is named twice; expected each once")
    if (out / RUN).exists() or (out / members[0].kind).resolve() in folders:
        raise InputError(f"{out} holds a run; name a folder of its own for the mean")
    first = members[0]
    for one in members[1:]:
        odd = next((name for name, value in first.start.items() if one.start[name] != value), "")
        if odd:
            there, here = first.start[odd], one.start[odd]
            raise InputError(f"{one.folder} has {odd} {here} and {first.folder} {there}; expected runs of one start")
        if None not in (first.seed, one.seed) and first.seed != one.seed:
            raise InputError(
                f"{one.folder} began with seed {one.seed} and {first.folder} with {first.seed}; expected runs of one "
                "seed, in other orders (order=1) or shares"
            )
