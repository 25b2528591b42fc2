"""The mean of the weights of runs with the same start.

Runs of one seed, trained on other orders or shares of the examples, end close to each other: their mean is about as
good as an ensemble of them, at the cost of one. Towers of different seeds start from different projections, so their
mean is useless.
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
from litotes.models.eight_bits import restored, stored
from litotes.models.loading import configuration
from litotes.models.pair.card import CARD as PAIR_CARD
from litotes.models.tower.shape import TOWER_CARD
from litotes.models.weight_files import SHARD_BYTES, read_weights, write_weights

if TYPE_CHECKING:
    from torch import Tensor

RECORD = "mean.json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model that can be averaged."""

    folder: str
    """of the model in its run"""
    card: str
    prefix: str
    """of its weight files"""
    shape: tuple[str, ...]
    """parts of the card that members must have in common"""


TOWER = Kind("tower", TOWER_CARD, "tower", ("shared_layers", "own_layers", "width", "rank"))
PAIR = Kind("model", PAIR_CARD, "pair", ("rank", "scale", "layers", "longest"))


@dataclass(frozen=True, slots=True)
class Member:
    """A saved model: its folder, its kind, its card and, if its run is there, its seed."""

    folder: Path
    kind: Kind
    card: dict[str, Any]
    seed: int | None

    @property
    def start(self) -> dict[str, Any]:
        """What members must have in common."""
        base = self.card.get("base")
        sha256 = base.get("sha256") if isinstance(base, dict) else None
        return {"kind": self.kind.prefix, "base": sha256, **{name: self.card.get(name) for name in self.kind.shape}}


def average(members: Sequence[Path | str], out: Path | str) -> Path:
    """Write the mean of towers to OUT/tower, or of pair models to OUT/model; list its members in OUT/mean.json.

    Members are runs, or the models in them; all must have the same start. Everything except the weights, such as the
    dial, is taken from the first. The mean of pair models has the heads that all of them have. The mean of updates of
    low rank is exact: its rank, and its size, is the sum of theirs.
    """
    torch = require("torch", extra="train", why="averaging")
    saved = [_member(Path(member)) for member in members]
    _refuse_different(saved, Path(out))
    kind = saved[0].kind
    read = [_weights(member) for member in saved]
    shared = [name for name in read[0] if all(name in weights for weights in read)]
    mean = {name: _mean(name, [weights[name].float() for weights in read], torch) for name in shared}
    target = Path(out) / kind.folder
    target.mkdir(parents=True, exist_ok=True)
    kept = stored(mean) if _in_eight_bits(saved[0]) else {name: value.half() for name, value in mean.items()}
    files = write_weights(kept, target, prefix=kind.prefix, shard_bytes=SHARD_BYTES)
    write_atomically(target / kind.card, json.dumps(_card(saved) | {"files": files}, indent=2) + "\n")
    record = [{"folder": str(member.folder), "seed": member.seed, "files": member.card["files"]} for member in saved]
    write_atomically(Path(out) / RECORD, json.dumps({"mean of": record}, indent=2) + "\n")
    return target


def _member(path: Path) -> Member:
    for kind in (TOWER, PAIR):
        for folder in (path, path / kind.folder):
            card = configuration(folder, kind.card)
            if isinstance(card.get("files"), dict):
                settings = configuration(folder.parent, RUN).get("settings")
                seed = settings.get("seed") if isinstance(settings, dict) else None
                return Member(folder, kind, card, seed)
    raise InputError(f"{path} has no tower and no pair model; expected the folder of a run")


def _weights(member: Member) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = read_weights(member.folder, member.card["files"])
    return restored(weights) if _in_eight_bits(member) else weights


def _in_eight_bits(member: Member) -> bool:
    return member.kind is PAIR or bool(member.card.get("rank"))


def _mean(name: str, values: Sequence[Tensor], torch: Any) -> Tensor:
    """Return the mean of a weight. The mean of updates of low rank has the sum of their ranks.

    up₁·down₁ + up₂·down₂ is the product of the factors side by side.
    """
    found: Tensor
    if name.endswith(".down"):
        found = torch.cat(list(values), dim=0)
    elif name.endswith(".up"):
        found = torch.cat(list(values), dim=1) / len(values)
    else:
        found = torch.stack(list(values)).mean(dim=0)
    return found


def _card(members: Sequence[Member]) -> dict[str, Any]:
    """Return the card of the mean: the first member's, without what was fitted to that member alone."""
    card = dict(members[0].card)
    if card.get("rank"):
        card["rank"] = sum(member.card["rank"] for member in members)
    if members[0].kind is PAIR:
        heads = [member.card["heads"] for member in members]
        card["heads"] = {head: labels for head, labels in heads[0].items() if all(head in other for other in heads)}
        for fitted in ("reranking", "guard"):
            card.pop(fitted, None)
    return card


def _refuse_different(members: Sequence[Member], out: Path) -> None:
    """Raise InputError for members without a useful mean, and for an output folder with other content."""
    if len(members) < 2:
        raise InputError(f"there are {len(members)} members; expected at least two")
    folders = [member.folder.resolve() for member in members]
    if len(set(folders)) < len(folders):
        raise InputError(f"{members[0].folder} or another member is named twice; expected each once")
    if (out / RUN).exists() or (out / members[0].kind.folder).resolve() in folders:
        raise InputError(f"{out} holds a run; expected another folder for the mean")
    first = members[0]
    for member in members[1:]:
        different = next((name for name, value in first.start.items() if member.start.get(name) != value), "")
        if different:
            raise InputError(
                f"{member.folder} has {different} {member.start.get(different)} and {first.folder} "
                f"{first.start[different]}; expected runs with the same start"
            )
        if None not in (first.seed, member.seed) and first.seed != member.seed:
            raise InputError(
                f"{member.folder} has the seed {member.seed} and {first.folder} {first.seed}; expected runs with the "
                "same seed, and other orders (order=1) or shares of the examples"
            )
    if first.kind is PAIR and not _card(members)["heads"]:
        raise InputError(f"{first.folder} and the other members have no head in common")
