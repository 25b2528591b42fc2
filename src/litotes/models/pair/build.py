"""Build a pair model on a base; save and load its own weights."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require
from litotes.models.backends import use_onnx
from litotes.models.base_encoder import Base, find_base, load_encoder
from litotes.models.loading import device_of
from litotes.models.pair.card import CARD, SHAPE, card_settings, find_pair_model, read_pair_card
from litotes.models.pair.heads import HEADS, RELEVANCE
from litotes.models.pair.scorer import PairScorer
from litotes.models.weight_files import SHARD_BYTES, load_weights, read_weights, write_weights

SHORTEST = 16
"""the smallest useful number of tokens of a pair"""


def new_pair_scorer(
    base: str | Base = "minilm",
    *,
    rank: int = 32,
    scale: float = 2.0,
    layers: int = 0,
    longest: int = 256,
    heads: Sequence[str] = (RELEVANCE,),
    labels: Mapping[str, Sequence[str]] = HEADS,
    seed: int = 0,
    device: str | None = None,
    name: str = "untrained",
) -> PairScorer:
    """Build an untrained pair model. Its updates are zero, its heads are random.

    A `rank` of 0 means updates of full rank; 0 `layers` means all layers of the base. `labels` are those of each head.
    """
    torch = require("torch", extra="models", why="pair models")
    from litotes.models.pair.model import TextPairModel

    resolved = base if isinstance(base, Base) else find_base(base)
    encoder, tokenizer = load_encoder(resolved)
    layers = layers or encoder.config.num_hidden_layers
    _check_shape(encoder, tokenizer, rank=rank, layers=layers, longest=longest)
    own = {head: tuple(labels[head]) for head in heads}
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = TextPairModel(encoder, rank=rank, scale=scale, layers=layers, heads=own)
    device = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    hashes = {"base": resolved.name, "base sha256": resolved.sha256}
    return PairScorer(name, model.to(device).eval(), tokenizer, longest=longest, hashes=hashes, heads=own)


def save_pair_scorer(
    scorer: PairScorer,
    folder: Path | str,
    *,
    base: str | Base,
    shape: Mapping[str, Any],
    shard_bytes: int = SHARD_BYTES,
) -> Path:
    """Write pair.json and the model's own weights, without the base.

    `shape` has the rank, the scale and the layers that the model was built with.
    """
    require("torch", extra="models", why="pair models")
    from litotes.models.eight_bits import stored
    from litotes.models.updates import OWN

    resolved = base if isinstance(base, Base) else find_base(base)
    own = dict(scorer.model.own_parameters())
    if not any(name.endswith(OWN) for name in own):
        raise InputError(f"the updates of {scorer.name} are merged into its base; copy its folder to save it again")
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    card = {
        "base": {"name": resolved.name, "sha256": resolved.sha256},
        **{name: shape[name] for name in ("rank", "scale", "layers")},
        "longest": scorer.longest,
        "heads": {head: list(labels) for head, labels in scorer.heads.items()},
        "files": write_weights(stored(own), home, prefix="pair", shard_bytes=shard_bytes),
    }
    (home / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def load_pair_scorer(
    folder: Path | str, *, name: str = "", base: str | Base = "", device: str | None = None
) -> PairScorer:
    """Load a pair model by its name or from a folder that training wrote, with its updates merged into the base."""
    home = find_pair_model(str(folder)) or Path(folder).expanduser()
    card = read_pair_card(home)
    if use_onnx(device) and not base:
        from litotes.models.onnx.pair import load_onnx_pair_scorer

        return load_onnx_pair_scorer(str(folder), card, home, name=name or str(folder))
    require("torch", extra="models", why="pair models")
    from litotes.models.eight_bits import restored

    resolved = base if isinstance(base, Base) else find_base(base or str(card["base"]["name"]))
    if resolved.sha256 != card["base"]["sha256"]:
        raise InputError(
            f"the model in {home} was trained on {card['base']['name']} with sha256 {card['base']['sha256']}; "
            f"{resolved.source.folder} has {resolved.sha256}. Pass the folder of the right base as base="
        )
    shape: dict[str, Any] = {part: int(card[part]) for part in SHAPE}
    heads = card["heads"]
    scorer = new_pair_scorer(
        resolved, **shape, scale=float(card["scale"]), heads=list(heads), labels=heads, device=device
    )
    load_weights(dict(scorer.model.own_parameters()), restored(read_weights(home, card["files"])), home)
    scorer.model.merge()
    return PairScorer(name or str(folder), scorer.model, scorer.tokenizer, **card_settings(card, home))


def _check_shape(encoder: Any, tokenizer: Any, *, rank: int, layers: int, longest: int) -> None:
    config = encoder.config
    if not 1 <= layers <= config.num_hidden_layers:
        raise InputError(f"layers is {layers}; expected 1 to {config.num_hidden_layers}, the layers of the base")
    if not 0 <= rank <= config.hidden_size:
        raise InputError(
            f"rank is {rank}; expected 1 to {config.hidden_size}, the width of the base, or 0 for full rank"
        )
    limit = min(int(getattr(tokenizer, "model_max_length", 512)), 512)
    if not SHORTEST <= longest <= limit:
        raise InputError(f"longest is {longest}; expected {SHORTEST} to {limit} tokens")
