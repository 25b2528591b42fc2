"""Every recipe by its name: its function, its settings, the family of the models it makes and where it leaves them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from litotes.errors import InputError


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to train; what it needs is imported when it is asked for."""

    name: str
    module: str
    settings: str
    family: str
    folder: str
    """of the model, inside the run's"""
    before: str = ""
    """the family its base is measured as, where that is another: a base is no metric, but has a cosine"""
    counts: bool = False
    """whether an example is not one of the batch: the module's `count` says how many there are"""

    def train(self) -> Callable[..., Any]:
        """The function: (config, examples, *, replay, out, manifest, evaluate, watch, device) → what was trained."""
        found: Callable[..., Any] = getattr(import_module(self.module), f"train_{self.name}")
        return found

    def count(self, config: Any, examples: Sequence[Any]) -> int:
        """How many an epoch has of what a batch is made of."""
        found: int = import_module(self.module).count(config, examples) if self.counts else len(examples)
        return found

    def config(self) -> type[Any]:
        """The class of its settings."""
        module, _, name = self.settings.rpartition(".")
        found: type[Any] = getattr(import_module(module), name)
        return found


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("tower", "litotes.train.tower", "litotes.train.config.TowerTraining", "dense", "tower"),
        Recipe(
            "metric",
            "litotes.train.metric",
            "litotes.train.metric.MetricTraining",
            "score",
            "model",
            before="dense",
            counts=True,
        ),
        Recipe("finetune", "litotes.train.finetune", "litotes.train.config.FinetuneTraining", "dense", "model"),
        Recipe("late", "litotes.train.late", "litotes.train.late.LateTraining", "late", "model"),
        Recipe("cross", "litotes.train.cross", "litotes.train.cross.CrossTraining", "cross", "model"),
        Recipe("seq2seq", "litotes.train.seq2seq", "litotes.train.seq2seq.Seq2SeqTraining", "seq2seq", "model"),
        Recipe("llm", "litotes.train.llm", "litotes.train.llm.LlmTraining", "llm", "adapter", counts=True),
    )
}


def recipe_of(name: str) -> Recipe:
    """The recipe of that name."""
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}; expected one of {', '.join(RECIPES)}")
    return RECIPES[name]
