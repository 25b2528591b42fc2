"""The polarity tower: a frozen base encoder and a trained block beside it that hears "not".

`dial` is plain arithmetic; the rest needs torch, transformers and sentence-transformers and is read on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.models.tower.dial import dial
from litotes.models.tower.shards import join, split

if TYPE_CHECKING:
    from litotes.models.tower.build import grow
    from litotes.models.tower.delta import load_tower, save_delta

__all__ = ["dial", "grow", "join", "load_tower", "save_delta", "split"]

_LAZY = {
    "grow": "litotes.models.tower.build",
    "load_tower": "litotes.models.tower.delta",
    "save_delta": "litotes.models.tower.delta",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.models.tower' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
