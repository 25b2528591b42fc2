"""Recipes that teach an encoder to hear "not". Each is handed its examples and, where wanted, an evaluator.

Needs torch, transformers, sentence-transformers and numpy alone; they are read on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.train.config import TowerTraining
from litotes.train.examples import Example, Reading, mix, read_examples

if TYPE_CHECKING:
    from litotes.train.tower import Trained, train_tower

__all__ = ["Example", "Reading", "TowerTraining", "Trained", "mix", "read_examples", "train_tower"]

_LAZY = {"Trained": "litotes.train.tower", "train_tower": "litotes.train.tower"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.train' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
