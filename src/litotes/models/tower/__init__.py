"""The polarity tower: a frozen base encoder, and a trained block beside it that encodes negation.

The functions need torch, transformers and sentence-transformers, which are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litotes.models.tower.build import new_tower
    from litotes.models.tower.delta import load_tower, save_delta

__all__ = ["load_tower", "new_tower", "save_delta"]

_LAZY = {
    "load_tower": "litotes.models.tower.delta",
    "new_tower": "litotes.models.tower.build",
    "save_delta": "litotes.models.tower.delta",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.models.tower' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
