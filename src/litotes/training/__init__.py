"""Recipes that train a model to respect negation, from examples and an optional evaluator.

They need torch, transformers and sentence-transformers, which are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litotes.training.blending import blend
    from litotes.training.choosing import AbilityPoint, choose
    from litotes.training.config import FinetuneTraining, TowerTraining
    from litotes.training.cross import CrossTraining, train_cross
    from litotes.training.examples import Example, Reading, mix, read_examples
    from litotes.training.finetune import train_finetune
    from litotes.training.late import LateTraining, train_late
    from litotes.training.llm import LlmTraining, train_llm
    from litotes.training.minimal_pairs import minimal_pair_cosine
    from litotes.training.rankers import minimal_pair_margin
    from litotes.training.run import RunOptions, Trained
    from litotes.training.seq2seq import Seq2SeqTraining, train_seq2seq
    from litotes.training.tower import train_tower

_MODULES = {
    "blending": ("blend",),
    "choosing": ("AbilityPoint", "choose"),
    "config": ("FinetuneTraining", "TowerTraining"),
    "cross": ("CrossTraining", "train_cross"),
    "examples": ("Example", "Reading", "mix", "read_examples"),
    "finetune": ("train_finetune",),
    "late": ("LateTraining", "train_late"),
    "llm": ("LlmTraining", "train_llm"),
    "minimal_pairs": ("minimal_pair_cosine",),
    "rankers": ("minimal_pair_margin",),
    "run": ("RunOptions", "Trained"),
    "seq2seq": ("Seq2SeqTraining", "train_seq2seq"),
    "tower": ("train_tower",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "AbilityPoint",
    "CrossTraining",
    "Example",
    "FinetuneTraining",
    "LateTraining",
    "LlmTraining",
    "Reading",
    "RunOptions",
    "Seq2SeqTraining",
    "TowerTraining",
    "Trained",
    "blend",
    "choose",
    "minimal_pair_cosine",
    "minimal_pair_margin",
    "mix",
    "read_examples",
    "train_cross",
    "train_finetune",
    "train_late",
    "train_llm",
    "train_seq2seq",
    "train_tower",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'litotes.training' has no attribute {name!r}")
    return getattr(import_module(f"litotes.training.{_MODULE_OF[name]}"), name)
