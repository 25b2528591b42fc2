"""The table of recipes. A recipe is one module here, with its settings and its train function, and one row below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from litotes.errors import InputError, did_you_mean
from litotes.training.config import PRESETS


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to train a model; its module, `litotes.training.NAME`, is imported when it is used."""

    name: str
    help: str
    """What it trains, in a few words."""
    settings: str
    """The class of its settings, as module.Class in this package."""
    family: str
    """The family of the models that it trains."""
    folder: str = "model"
    """The folder of the model, in the folder of a run."""
    base_family: str = ""
    """The family as which its base is measured, if it is another one."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The settings of papers by name."""
    counts: bool = False
    """Whether its module has a function `count`, because a batch does not consist of examples."""

    def train(self) -> Callable[..., Any]:
        """Return its function: (settings, examples, *, replay, **RunOptions) -> Trained."""
        function: Callable[..., Any] = getattr(import_module(f"litotes.training.{self.name}"), f"train_{self.name}")
        return function

    def config(self) -> type[Any]:
        """Return the class of its settings."""
        module, _, name = self.settings.rpartition(".")
        config: type[Any] = getattr(import_module(f"litotes.training.{module}"), name)
        return config

    def count(self, config: Any, examples: Sequence[Any], replay: Sequence[Any] = ()) -> int:
        """Return how many items of its batches an epoch has."""
        if not self.counts:
            return len(examples)
        count: int = import_module(f"litotes.training.{self.name}").count(config, examples, replay)
        return count

    def loader_options(self, config: Any) -> dict[str, Any]:
        """Return the options with which its family's loader reads a model as the recipe does."""
        options: dict[str, Any] = getattr(config, "loader_options", dict)()
        return options

    def preset(self, name: str) -> dict[str, Any]:
        """Return the settings of a paper."""
        if not self.presets:
            raise InputError(f"the recipe {self.name} has no presets; expected no preset")
        if name not in self.presets:
            raise InputError(f"there is no preset {name!r}; expected {', '.join(self.presets)}")
        return dict(self.presets[name])


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("tower", "a polarity tower beside a frozen encoder", "config.TowerTraining", "dense", "tower"),
        Recipe("finetune", "all weights of an encoder", "config.FinetuneTraining", "dense", presets=PRESETS),
        Recipe("late", "a late-interaction model (ColBERT)", "late.LateTraining", "late"),
        Recipe("cross", "a cross-encoder", "cross.CrossTraining", "cross"),
        Recipe(
            "pair",
            "a pair model: an adapter that reads two texts together; from scored pairs, a metric",
            "pair.PairTraining",
            "cross",
            base_family="dense",
            counts=True,
        ),
        Recipe("seq2seq", "a sequence-to-sequence ranker (monoT5)", "seq2seq.Seq2SeqTraining", "seq2seq"),
        Recipe("llm", "a language model, with LoRA", "llm.LlmTraining", "llm", "adapter", counts=True),
    )
}


def recipe_of(name: str) -> Recipe:
    """Return the recipe of a name."""
    if name not in RECIPES:
        raise InputError(f"unknown recipe {name!r}.{did_you_mean(name, RECIPES)} Expected {', '.join(RECIPES)}")
    return RECIPES[name]
