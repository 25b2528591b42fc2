"""A new scorer on a base, saved as the weights it has of its own, and read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.bases import SCORE, score
from litotes.models.loading import configuration, device_of, fingerprint, reading
from litotes.models.scorer.likeness import Likeness
from litotes.models.scorer.scorer import Scorer, framing
from litotes.models.tower.build import Base, find_base
from litotes.models.tower.shards import SHARD_BYTES
from litotes.models.trunk import BASE_TYPES
from litotes.models.weights import join_weights, split_weights

if TYPE_CHECKING:
    from litotes.models.scorer.model import PairModel

CARD = "score.json"
SHAPE = ("shared_layers", "own_layers", "longest")
SHORTEST, LONGEST = 16, 256
"""tokens of a pair: the fewest there is a use for, and as many as it is trained with"""


def grow_scorer(
    base: str | Base = "minilm",
    *,
    shared_layers: int = 3,
    own_layers: int = 3,
    longest: int = LONGEST,
    seed: int = 0,
    device: str | None = None,
    name: str = "untrained",
) -> Scorer:
    """An untrained scorer: the base's lower layers, copies of its topmost ones, and a head the seed draws."""
    torch = require("torch", extra="models", why=SCORE)
    from litotes.models.scorer.model import PairModel

    found = base if isinstance(base, Base) else find_base(base)
    encoder, tokenizer = _encoder(found)
    layers = encoder.config.num_hidden_layers
    for what, count, least in (("shared_layers", shared_layers, 0), ("own_layers", own_layers, 1)):
        if not least <= count <= layers:
            raise InputError(f"{what} is {count}; expected {least} to {layers}, the layers of the base")
    most = int(getattr(tokenizer, "model_max_length", 512))
    if not SHORTEST <= longest <= min(most, 512):
        raise InputError(f"longest is {longest}; expected {SHORTEST} to {min(most, 512)} tokens")
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        around = framing(tokenizer)
        model: PairModel = PairModel(encoder, shared_layers=shared_layers, own_layers=own_layers, framing=around)
    where = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    known_by = {"base": found.name, "base sha256": found.sha256}
    return Scorer(name, model.to(where).eval(), tokenizer, longest=longest, known_by=known_by)


def save_scorer(
    scorer: Scorer, folder: Path | str, *, base: str | Base = "minilm", shard_bytes: int = SHARD_BYTES
) -> Path:
    """Writes score.json and the scorer's own weights in half precision; the base is only named."""
    torch = require("torch", extra="models", why=SCORE)
    found = base if isinstance(base, Base) else find_base(base)
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    own = scorer.model.own_parameters()
    weights = {name: value.detach().to("cpu", torch.float16).contiguous() for name, value in own}
    card = {
        "base": {"name": found.name, "sha256": found.sha256},
        "shared_layers": len(scorer.model.base.encoder.layer),
        "own_layers": len(scorer.model.own),
        "longest": scorer.longest,
        **({} if scorer.model.surprise is None else {"surprise": True}),
        **({} if scorer.model.likeness is None else {"likeness": scorer.model.likeness.plain()}),
        "files": split_weights(weights, home, prefix="score", shard_bytes=shard_bytes),
    }
    (home / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return home


def load_scorer(target: str | Path = SCORE, *, base: str | Base = "", device: str | None = None) -> Scorer:
    """litotes-score, which comes with this package, or a folder that training wrote."""
    home = score().folder if str(target) == SCORE else Path(target)
    card = configuration(home, CARD)
    if not _whole(card):
        raise InputError(f"{target} is no metric: expected {SCORE}, or a folder with a {CARD}, as training writes it")
    found = base if isinstance(base, Base) else find_base(base or str(card["base"]["name"]))
    if found.sha256 != card["base"]["sha256"]:
        raise InputError(
            f"the metric in {home} stands on {card['base']['name']} with sha256 {card['base']['sha256']}; "
            f"{found.source.folder} has {found.sha256}. Name the folder of the right base with base="
        )
    shape = {name: int(card[name]) for name in SHAPE}
    scorer = grow_scorer(found, **shape, device=device, name=str(target))
    if card.get("surprise"):
        scorer.model.with_surprise()
    join_weights(dict(scorer.model.own_parameters()), home, card["files"])
    weighed = card["files"]
    if "likeness" in card:
        scorer.model.likeness = Likeness.of(card["likeness"], numbers=scorer.model.numbers)
        weighed = {"files": weighed, "likeness": scorer.model.likeness.plain()}
    known_by = {"weights sha256": fingerprint(weighed), "base": found.name, "base sha256": found.sha256}
    return Scorer(scorer.name, scorer.model, scorer.tokenizer, longest=scorer.longest, known_by=known_by)


def _whole(card: Mapping[str, Any]) -> bool:
    """Whether a card names a base, files and a shape."""
    base, files = card.get("base"), card.get("files")
    named = isinstance(base, dict) and {"name", "sha256"} <= set(base) and isinstance(files, dict)
    return named and all(isinstance(card.get(name), int) for name in SHAPE)


def _encoder(base: Base) -> tuple[Any, Any]:
    """The base's own encoder in full precision, and its tokenizer."""
    transformers = require("transformers", extra="models", why=SCORE)
    torch = require("torch", extra="models", why=SCORE)
    with reading(base.source, "dense"):
        folder = str(base.source.folder)
        encoder = transformers.AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if encoder.config.model_type not in BASE_TYPES:
        raise InputError(f"{folder} is a {encoder.config.model_type} model; expected {', '.join(BASE_TYPES)}")
    return encoder, tokenizer
