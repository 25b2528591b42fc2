"""The card of a pair model: pair.json, which says what its weights are and how its scores are used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.models.bases import SHIPPED, shipped
from litotes.models.loading import configuration, fingerprint
from litotes.models.pair.scorer import WEIGHT

CARD = "pair.json"
SHAPE = ("rank", "layers", "longest")


def find_pair_model(name: str) -> Path | None:
    """Return the folder of a pair model by its name, with or without "cross:", or its folder; None if it is not one."""
    target = name.removeprefix("cross:")
    folder = shipped(target).folder if target in SHIPPED else Path(target).expanduser()
    return folder if (folder / CARD).is_file() else None


def read_pair_card(home: Path) -> dict[str, Any]:
    """Read the card of a pair model; refuse a folder without a complete one."""
    card = configuration(home, CARD)
    if not _is_complete(card):
        raise InputError(f"{home} is not a pair model; expected a folder with a {CARD} from training")
    return card


def card_settings(card: Mapping[str, Any], home: Path) -> dict[str, Any]:
    """Return what a card says of its scorer, as the arguments of one."""
    hashes = {"weights sha256": fingerprint(card["files"])}
    hashes |= {"base": str(card["base"]["name"]), "base sha256": str(card["base"]["sha256"])}
    return {
        "longest": int(card["longest"]),
        "hashes": hashes,
        "heads": {head: tuple(labels) for head, labels in card["heads"].items()},
        "guard": card.get("guard"),
        **_reranking(card, home),
    }


def _reranking(card: Mapping[str, Any], home: Path) -> dict[str, Any]:
    """Return the weight and the calibration in a card, if it has them."""
    settings = card.get("reranking", {})
    try:
        fitted = settings.get("calibration")
        calibration = None if fitted is None else (float(fitted["slope"]), float(fitted["offset"]))
        return {"weight": float(settings.get("weight", WEIGHT)), "calibration": calibration}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{home / CARD} has {settings!r} for reranking; expected a weight, and a calibration with slope and offset"
        ) from error


def _is_complete(card: Mapping[str, Any]) -> bool:
    """Return whether a card names a base, files, heads and a shape."""
    base, files, heads = card.get("base"), card.get("files"), card.get("heads")
    named = isinstance(base, dict) and {"name", "sha256"} <= set(base) and isinstance(files, dict)
    shaped = all(isinstance(card.get(name), int) for name in SHAPE) and isinstance(card.get("scale"), int | float)
    return named and shaped and isinstance(heads, dict) and bool(heads)
