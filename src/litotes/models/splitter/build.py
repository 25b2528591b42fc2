"""Build a splitter on a base; save and load its own weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require
from litotes.models.backends import use_onnx
from litotes.models.base_encoder import Base, find_base, load_encoder
from litotes.models.loading import configuration, device_of, fingerprint
from litotes.models.splitter.tagger import CARD, THRESHOLD, Tagger
from litotes.models.weight_files import SHARD_BYTES, load_weights, read_weights, write_weights

LONGEST = 128


def new_splitter(
    base: str | Base = "minilm",
    *,
    rank: int = 32,
    scale: float = 2.0,
    longest: int = LONGEST,
    seed: int = 0,
    device: str | None = None,
) -> Tagger:
    """Build an untrained splitter: its updates are zero, its heads are random. A `rank` of 0 means full rank."""
    torch = require("torch", extra="models", why="the splitter")
    from litotes.models.splitter.model import QueryTagger

    resolved = base if isinstance(base, Base) else find_base(base)
    encoder, tokenizer = load_encoder(resolved)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = QueryTagger(encoder, rank=rank, scale=scale)
    device = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    facts = {"base": resolved.name, "base sha256": resolved.sha256}
    return Tagger(model.to(device).eval(), tokenizer, longest=longest, facts=facts)


def save_splitter(splitter: Tagger, folder: Path | str, *, base: Base, rank: int, scale: float) -> Path:
    """Write splitter.json and the splitter's own weights, without the base."""
    from litotes.models.eight_bits import stored

    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    weights = stored(dict(splitter.model.own_parameters()))
    card = {
        "base": {"name": base.name, "sha256": base.sha256},
        "rank": rank,
        "scale": scale,
        "longest": splitter.longest,
        "threshold": splitter.threshold,
        "files": write_weights(weights, home, prefix="splitter", shard_bytes=SHARD_BYTES),
    }
    (home / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def load_splitter(
    folder: Path | str, *, base: str | Base = "", device: str | None = None, merged: bool = True
) -> Tagger:
    """Load a splitter from a folder that training wrote. Training goes on with updates that are not `merged`."""
    home = Path(folder).expanduser()
    card = configuration(home, CARD)
    shape, own_base = _shape(card, home)
    if merged and use_onnx(device) and not base:
        from litotes.models.onnx.splitter import load_onnx_splitter

        return load_onnx_splitter(home, card)
    require("torch", extra="models", why="the splitter")
    from litotes.models.eight_bits import restored

    resolved = base if isinstance(base, Base) else find_base(base or own_base["name"])
    if resolved.sha256 != own_base["sha256"]:
        raise InputError(
            f"the splitter in {home} was trained on {own_base['name']} with sha256 {own_base['sha256']}; "
            f"{resolved.source.folder} has {resolved.sha256}. Pass the folder of the right base as base="
        )
    splitter = new_splitter(resolved, **shape, device=device)
    load_weights(dict(splitter.model.own_parameters()), restored(read_weights(home, card["files"])), home)
    if merged:
        splitter.model.merge()
    splitter.threshold = float(card.get("threshold", THRESHOLD))
    splitter.facts = {"weights sha256": fingerprint(card["files"]), **splitter.facts}
    return splitter


def _shape(card: dict[str, Any], home: Path) -> tuple[dict[str, Any], dict[str, str]]:
    try:
        shape = {"rank": int(card["rank"]), "scale": float(card["scale"]), "longest": int(card["longest"])}
        return shape, {name: str(card["base"][name]) for name in ("name", "sha256")}
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{home / CARD} is not the card of a splitter ({error!r})") from None
