"""Build a scorer on a base; save and load its own weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, did_you_mean, require
from litotes.models.bases import SCORE, shipped
from litotes.models.loading import configuration, device_of, fingerprint
from litotes.models.pair_tokens import special_tokens
from litotes.models.scorer.likeness import Likeness
from litotes.models.scorer.scorer import MetricScorer
from litotes.models.tower.build import Base, find_base, load_encoder
from litotes.models.weight_files import SHARD_BYTES, load_weights, read_weights, write_weights

if TYPE_CHECKING:
    from litotes.models.scorer.model import PairModel

CARD = "score.json"
SHAPE = ("shared_layers", "own_layers", "longest")
SHORTEST, LONGEST = 16, 256
"""limits on the maximum number of tokens of a pair: the smallest useful one, and the one used in training"""


def new_scorer(
    base: str | Base = "minilm",
    *,
    shared_layers: int = 3,
    own_layers: int = 3,
    longest: int = LONGEST,
    seed: int = 0,
    device: str | None = None,
    name: str = "untrained",
) -> MetricScorer:
    """Build an untrained scorer: the base's lower layers, copies of its last layers, and a random head."""
    torch = require("torch", extra="models", why=SCORE)
    from litotes.models.scorer.model import PairModel

    resolved = base if isinstance(base, Base) else find_base(base)
    encoder, tokenizer = load_encoder(resolved)
    layers = encoder.config.num_hidden_layers
    for option, count, least in (("shared_layers", shared_layers, 0), ("own_layers", own_layers, 1)):
        if not least <= count <= layers:
            raise InputError(f"{option} is {count}; expected {least} to {layers}, the layers of the base")
    limit = min(int(getattr(tokenizer, "model_max_length", 512)), 512)
    if not SHORTEST <= longest <= limit:
        raise InputError(f"longest is {longest}; expected {SHORTEST} to {limit} tokens")
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        special = special_tokens(tokenizer)
        model: PairModel = PairModel(encoder, shared_layers=shared_layers, own_layers=own_layers, framing=special)
    device = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    hashes = {"base": resolved.name, "base sha256": resolved.sha256}
    return MetricScorer(name, model.to(device).eval(), tokenizer, longest=longest, hashes=hashes)


def save_scorer(
    scorer: MetricScorer, folder: Path | str, *, base: str | Base = "minilm", shard_bytes: int = SHARD_BYTES
) -> Path:
    """Write score.json and the scorer's own weights in half precision, without the base."""
    torch = require("torch", extra="models", why=SCORE)
    resolved = base if isinstance(base, Base) else find_base(base)
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    own = scorer.model.own_parameters()
    weights = {name: value.detach().to("cpu", torch.float16).contiguous() for name, value in own}
    card = {
        "base": {"name": resolved.name, "sha256": resolved.sha256},
        "shared_layers": len(scorer.model.base.encoder.layer),
        "own_layers": len(scorer.model.own),
        "longest": scorer.longest,
        **({} if scorer.model.surprise is None else {"surprise": True}),
        **({} if scorer.model.likeness is None else {"likeness": scorer.model.likeness.plain()}),
        "files": write_weights(weights, home, prefix="score", shard_bytes=shard_bytes),
    }
    (home / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def load_scorer(target: str | Path = SCORE, *, base: str | Base = "", device: str | None = None) -> MetricScorer:
    """Load litotes-score, which is in the package litotes-weights, or a folder that training wrote."""
    home = shipped(SCORE).folder if str(target) == SCORE else Path(target)
    card = configuration(home, CARD)
    if not _is_complete(card):
        hint = did_you_mean(str(target), [SCORE])
        raise InputError(f"{target} is not a metric; expected {SCORE}, or a folder with a {CARD} from training.{hint}")
    resolved = base if isinstance(base, Base) else find_base(base or str(card["base"]["name"]))
    if resolved.sha256 != card["base"]["sha256"]:
        raise InputError(
            f"the metric in {home} was trained on {card['base']['name']} with sha256 {card['base']['sha256']}; "
            f"{resolved.source.folder} has {resolved.sha256}. Pass the folder of the right base as base="
        )
    shape = {name: int(card[name]) for name in SHAPE}
    scorer = new_scorer(resolved, **shape, device=device, name=str(target))
    if card.get("surprise"):
        scorer.model.with_surprise()
    load_weights(dict(scorer.model.own_parameters()), read_weights(home, card["files"]), home)
    hashed = card["files"]
    if "likeness" in card:
        scorer.model.likeness = Likeness.of(card["likeness"], numbers=scorer.model.numbers)
        hashed = {"files": hashed, "likeness": scorer.model.likeness.plain()}
    hashes = {"weights sha256": fingerprint(hashed), "base": resolved.name, "base sha256": resolved.sha256}
    return MetricScorer(scorer.name, scorer.model, scorer.tokenizer, longest=scorer.longest, hashes=hashes)


def _is_complete(card: Mapping[str, Any]) -> bool:
    """Return whether a card names a base, files and a shape."""
    base, files = card.get("base"), card.get("files")
    named = isinstance(base, dict) and {"name", "sha256"} <= set(base) and isinstance(files, dict)
    return named and all(isinstance(card.get(name), int) for name in SHAPE)
