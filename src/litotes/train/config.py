"""Everything that decides what a tower becomes, besides its examples."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from litotes.errors import InputError


@dataclass(frozen=True, slots=True)
class TowerTraining:
    """One run's settings; saved beside its output, and the same settings and examples give the same tower on a CPU."""

    base: str = "minilm"
    shared_layers: int = 3
    """the base's lower layers that run once for both blocks"""
    own_layers: int = 3
    width: int = 128
    """columns of the tower's block; 0 leaves it as wide as the base"""
    default_w: float = 0.1
    """the dial the saved model encodes with"""

    train_w: float = 0.3
    """the dial of the similarity the loss sees"""
    scale: float = 20.0
    """similarities are multiplied by this before the softmax: the inverse temperature"""
    hard_weight: float = 1.0
    """how much a hard negative counts beside one of the batch"""
    in_batch: bool = True
    """the other examples' documents are negatives too"""
    replay_weight: float = 1.0
    distance_weight: float = 0.0
    """pulls the tower's similarities towards the base's, on the replayed texts only"""
    positive_kinds: tuple[str, ...] = ()
    """the kinds of positives to keep; none named keeps all"""

    lr: float = 1e-4
    warmup: float = 0.1
    """the share of the steps over which the learning rate rises; then it falls to 0"""
    weight_decay: float = 0.01
    clip: float = 1.0
    """the longest gradient; longer ones are shortened"""
    epochs: int = 1
    batch: int = 64
    replay_batch: int = 64
    max_tokens: int = 128
    shuffle: bool = True
    remember: bool = False
    """keeps the lower layers' output of every text: quicker past the first epoch, about 770 bytes a token on MiniLM"""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("train_w", "default_w"):
            if not 0 < getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; expected a number between 0 and 1")
        for name in ("epochs", "batch", "replay_batch"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; expected 1 or more")
        for name in ("scale", "hard_weight", "lr", "clip"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} is {getattr(self, name)}; expected more than 0")
        for name in ("replay_weight", "distance_weight", "weight_decay"):
            if not getattr(self, name) >= 0:
                raise InputError(f"{name} is {getattr(self, name)}; expected 0 or more")
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup is {self.warmup}; expected a share from 0 to 1, 1 left out")
        if self.max_tokens < 8:
            raise InputError(f"max_tokens is {self.max_tokens}; expected 8 or more")

    def plain(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}
