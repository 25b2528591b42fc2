"""A small untrained tower on MiniLM, built once for all test files of a run."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.family_models import quiet

DEFAULT_DIAL, BASE_WIDTH, TOWER_WIDTH = 0.2, 384, 128


@cache
def small_tower() -> Any:
    """Return the tower as a SentenceTransformer. Its random projection makes g differ from f."""
    from litotes.models.tower import new_tower

    options: dict[str, Any] = {"width": TOWER_WIDTH, "default_w": DEFAULT_DIAL, "seed": 7}
    with quiet():
        return new_tower("minilm", shared_layers=5, own_layers=1, **options, device="cpu")


@cache
def small_encoder() -> Any:
    """Return the same tower as litotes.load returns it."""
    from litotes.query.encoder import Encoder

    return Encoder.of(small_tower())
