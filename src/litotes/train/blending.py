"""Between the base and its fine-tuned self: weights interpolated (WiSE-FT), and what each share is worth."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.tower.build import find_base
from litotes.train.choosing import Point, point_of
from litotes.train.finetune import opened
from litotes.train.runs import Evaluate, measured

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Blended:
    """What a blend scored."""

    share: float
    """how much of the weights is the fine-tuned model's"""
    scores: Mapping[str, float]

    def point(self) -> Point:
        """Where it stands between negation and general ability: what `choose` takes, the share of 0 first."""
        return point_of(self.share, self.scores)

    def line(self) -> dict[str, Any]:
        """The JSON object of a sweep."""
        return {"share": self.share, "scores": dict(self.scores)}


def blend(base: str | SentenceTransformer, tuned: str | SentenceTransformer, share: float) -> SentenceTransformer:
    """A new model whose weights are (1-share) of the base's and `share` of the fine-tuned one's; 0 is the base itself.

    Both may be models, short names or folders. They must be of one shape and one vocabulary.
    """
    if not 0 <= share <= 1:
        raise InputError(f"share is {share}; expected a number from 0 (the base) to 1 (the fine-tuned model)")
    one, other = _model(base), _model(tuned)
    _refuse_strangers(one, other)
    mixed: SentenceTransformer = copy.deepcopy(other)
    mixed.load_state_dict(_mixed(one.state_dict(), other.state_dict(), share))
    mixed.eval()
    return mixed


def sweep_blend(
    base: str | SentenceTransformer, tuned: str | SentenceTransformer, shares: Iterable[float], evaluate: Evaluate
) -> list[Blended]:
    """The scores at every share, in the order given; the models are read once."""
    one, other = _model(base), _model(tuned)
    found = []
    for share in shares:
        found.append(Blended(share, measured(blend(one, other, share), evaluate)))
    return found


def _model(model: str | SentenceTransformer) -> SentenceTransformer:
    return opened(find_base(model), "cpu") if isinstance(model, str) else model


def _mixed(base: Mapping[str, Tensor], tuned: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """Every weight between the two; what is no weight, such as a count of positions, is the same in both."""
    torch = require("torch", extra="train", why="blend")
    mixed = {}
    for name, value in tuned.items():
        start = base[name].to(value)
        mixed[name] = torch.lerp(start, value, share) if value.is_floating_point() else value
    return mixed


def _refuse_strangers(base: SentenceTransformer, tuned: SentenceTransformer) -> None:
    """Weights of the same place can be mixed only between a model and what it was tuned into."""
    shapes = [{name: tuple(value.shape) for name, value in model.state_dict().items()} for model in (base, tuned)]
    if shapes[0] != shapes[1]:
        different = sorted(
            name for name in shapes[0].keys() | shapes[1].keys() if shapes[0].get(name) != shapes[1].get(name)
        )
        raise InputError(
            f"the two models have different weights, {different[0]} among them; expected a base and a model fine-tuned "
            "from it"
        )
    if base.tokenizer.get_vocab() != tuned.tokenizer.get_vocab():
        raise InputError("the two models have different vocabularies; expected a base and a model fine-tuned from it")
