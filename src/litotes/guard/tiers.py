"""The tiers of the guard: by rule without torch, with rules and a small pair model, and with a larger pair model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Protocol

import numpy as np

from litotes.errors import InputError, did_you_mean
from litotes.guard.operating_point import OperatingPoint, point_from
from litotes.models.backends import TORCH, choose_backend, is_installed
from litotes.models.bases import GUARD_MINI, RERANK, has_minilm, has_mpnet
from litotes.models.pair.heads import VERDICT

RULES, MINI, BASE = "rules", "mini", "base"
MODELS = {MINI: GUARD_MINI, BASE: RERANK}
"""tier → its pair model"""
TIERS = (RULES, *MODELS)


class Tier(Protocol):
    """What judges pairs of texts."""

    @property
    def name(self) -> str:
        """What a report calls it."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The verdicts it can give; "same" is one of them."""
        ...

    @property
    def operating_point(self) -> OperatingPoint:
        """The threshold that a guard uses if none is given."""
        ...

    @property
    def model(self) -> str:
        """The fingerprint of the weights, or ""."""
        ...

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        """Return a row of probabilities for each pair, one per label. The order of the two texts does not matter."""
        ...

    def refusal(self, new: str, cached: str) -> str:
        """Return why a pair cannot be read whole, or ""."""
        ...


def load_tier(name: str | None, *, device: str | None = None) -> Tier:
    """Load a tier by its name, or the best that is installed. A folder is that of a pair model of your own."""
    chosen = name or best_tier()
    if chosen == RULES:
        from litotes.guard.rules import RulesTier

        return RulesTier()
    if MODELS.get(chosen, chosen) == GUARD_MINI:
        return MiniTier(chosen, device=device)
    return PairTier(chosen, device=device)


def best_tier() -> str:
    """Return the best tier whose libraries and weights are on this machine."""
    backend = choose_backend()
    if not is_installed(backend) or not find_spec("litotes_weights"):
        return RULES
    if backend == TORCH and has_mpnet() and find_spec("litotes_weights_mpnet"):
        return BASE
    return MINI if has_minilm() else RULES


class PairTier:
    """A pair model with a head that gives verdicts: the shipped one of a tier, or one in a folder."""

    def __init__(self, name: str, *, device: str | None = None) -> None:
        from litotes.models.pair.build import load_pair_scorer
        from litotes.models.pair.card import find_pair_model

        if name not in MODELS and find_pair_model(name) is None:
            raise InputError(
                f"there is no tier {name!r}; expected {', '.join(TIERS)} or the folder of a pair model."
                + did_you_mean(name, TIERS)
            )
        self.name = name
        self._scorer = load_pair_scorer(MODELS.get(name, name), device=device)
        if VERDICT not in self._scorer.heads:
            raise InputError(f"{name} has no head {VERDICT!r}; train it on labelled messages, too")
        self.labels = tuple(self._scorer.heads[VERDICT])
        self.model = str(self._scorer.facts()["weights sha256"])
        self._point = self._scorer.guard

    @property
    def operating_point(self) -> OperatingPoint:
        """The point in the model's card."""
        if not self._point:
            raise InputError(
                f"the card of {self.name} has no threshold; pass one as threshold=, or a file of `litotes guard fit`"
            )
        if (self._point.get("model") or self.model) != self.model:
            raise InputError(
                f"the threshold in the card of {self.name} was fitted to a tier with other weights; pass one as "
                "threshold=, or a file of `litotes guard fit`"
            )
        return point_from({**self._point, "tier": self.name, "model": self.model})

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        """Return a row of probabilities for each pair, one per label."""
        return self._scorer.verdicts(new, cached)

    def refusal(self, new: str, cached: str) -> str:
        """Return why a pair cannot be read whole, or ""."""
        unreadable = [self._scorer.unreadable(text) for text in (new, cached)]
        if all(unreadable) and unreadable[0] != unreadable[1]:
            shown = " and ".join("".join(parts)[:20] for parts in unreadable)
            return f"{self.name} cannot tell {shown} apart"
        room = self._scorer.longest - self._scorer.special_tokens
        # a token has at least one character, so short texts need not be tokenised
        if len(new) + len(cached) <= room:
            return ""
        size = sum(len(self._scorer.offsets(text)) for text in (new, cached))
        return "" if size <= room else f"the texts have {size} tokens together, and {self.name} reads at most {room}"


class MiniTier(PairTier):
    """The product of the probabilities of a small pair model and of the tier rules, which make different mistakes.

    The model overlooks another year or unit, and the rules do not know paraphrases. The model alone judges a pair that
    the rules cannot read.
    """

    def __init__(self, name: str = MINI, *, device: str | None = None) -> None:
        from litotes.guard.rules import RulesTier

        super().__init__(name, device=device)
        self._rules = RulesTier()
        self.model = hashlib.sha256(f"{self.model} {self._rules.model}".encode()).hexdigest()

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        """Return a row of probabilities for each pair: the product, label by label, divided by its sum."""
        rows = super().probabilities(new, cached)
        read = [place for place, pair in enumerate(zip(new, cached, strict=True)) if not self._rules.refusal(*pair)]
        rows[read] *= self._rules.probabilities([new[place] for place in read], [cached[place] for place in read])
        normalised: np.ndarray = rows / rows.sum(axis=1, keepdims=True)
        return normalised
