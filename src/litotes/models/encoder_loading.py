"""Load a SentenceTransformer, or a tower that was saved without its base."""

from __future__ import annotations

from typing import Any

from litotes.errors import require
from litotes.models.adapter import open_model
from litotes.models.loading import Settings, Source
from litotes.models.tower.shape import TOWER_CARD


def load_encoder(source: Source, settings: Settings) -> Any:
    """Return the SentenceTransformer of saved files."""
    if not (source.folder / TOWER_CARD).is_file():
        return open_model("SentenceTransformer", source, settings, family="dense")
    from litotes.models.tower.delta import load_tower

    torch = require("torch", extra="models", why="dense models")
    model = load_tower(source.folder, device=settings.device)
    model.max_seq_length = min(model.max_seq_length or settings.max_tokens, settings.max_tokens)
    return model.to(getattr(torch, settings.dtype))
