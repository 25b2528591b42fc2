"""Recipes that teach an encoder to hear "not". Each is handed its examples and, where wanted, an evaluator.

Needs torch, transformers, sentence-transformers and numpy alone; they are read on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.train.choosing import Point, choose, pareto
from litotes.train.config import FinetuneTraining, TowerTraining
from litotes.train.examples import Example, Reading, mix, read_examples
from litotes.train.twins import twin_cosine

if TYPE_CHECKING:
    from litotes.train.blending import Blended, blend, sweep_blend
    from litotes.train.cross import CrossTraining, train_cross
    from litotes.train.finetune import train_finetune
    from litotes.train.late import LateTraining, train_late
    from litotes.train.rankers import twin_margin
    from litotes.train.runs import Trained
    from litotes.train.seq2seq import Seq2SeqTraining, train_seq2seq
    from litotes.train.tower import train_tower

__all__ = [
    "Blended",
    "CrossTraining",
    "Example",
    "FinetuneTraining",
    "LateTraining",
    "Point",
    "Reading",
    "Seq2SeqTraining",
    "TowerTraining",
    "Trained",
    "blend",
    "choose",
    "mix",
    "pareto",
    "read_examples",
    "sweep_blend",
    "train_cross",
    "train_finetune",
    "train_late",
    "train_seq2seq",
    "train_tower",
    "twin_cosine",
    "twin_margin",
]

_LAZY = {
    "Blended": "litotes.train.blending",
    "CrossTraining": "litotes.train.cross",
    "LateTraining": "litotes.train.late",
    "Seq2SeqTraining": "litotes.train.seq2seq",
    "Trained": "litotes.train.runs",
    "blend": "litotes.train.blending",
    "sweep_blend": "litotes.train.blending",
    "train_cross": "litotes.train.cross",
    "train_finetune": "litotes.train.finetune",
    "train_late": "litotes.train.late",
    "train_seq2seq": "litotes.train.seq2seq",
    "train_tower": "litotes.train.tower",
    "twin_margin": "litotes.train.rankers",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.train' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
