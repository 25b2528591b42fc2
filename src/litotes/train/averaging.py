"""The mean of the weights of runs that began alike: what they agree on stays, what the order of examples did goes.

Towers, or metrics, of one seed whose `order` differs lie in one basin, and their mean does about as well as asking all
of them, at the cost of one. Runs of different seeds began with different projections, and their mean is worse than any.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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


def average(members: Sequence[Path | str], out: Path | str) -> Path:
    """Writes the mean of towers, or of metrics, into OUT/tower or OUT/model; members are runs, or the models in them.

    All must stand on one base and have one shape; InputError where they do not.
    """
    torch = require("torch", extra="train", why="averaging")
    if len(members) < 2:
        raise InputError(f"a mean is of two members at least; got {len(members)}")
    found = [_member(Path(member)) for member in members]
    kind, first, _ = found[0]
    total: dict[str, Tensor] = {}
    for other, card, folder in found:
        if other != kind or _shape(card) != _shape(first):
            raise InputError(f"{folder} has another base or shape than {found[0][2]}; expected runs of one start")
        for name, value in read_weights(folder, card["files"]).items():
            total[name] = total.get(name, torch.zeros(())) + value.float()
    name, prefix = KINDS[kind]
    home = Path(out) / kind
    home.mkdir(parents=True, exist_ok=True)
    mean = {part: (value / len(found)).half() for part, value in total.items()}
    card = dict(first) | {"files": split_weights(mean, home, prefix=prefix, shard_bytes=SHARD_BYTES)}
    (home / name).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def _member(given: Path) -> tuple[str, dict[str, Any], Path]:
    """What kind a member is, its card, and where its weights lie."""
    for folder in (given, *(given / kind for kind in KINDS)):
        for kind, (name, _) in KINDS.items():
            card = configuration(folder, name)
            if isinstance(card.get("files"), dict):
                return kind, dict(card), folder
    raise InputError(f"{given} holds neither a tower nor a metric; expected the folder of such a run")


def _shape(card: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in card.items() if name != "files"}
