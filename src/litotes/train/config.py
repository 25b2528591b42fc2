"""Everything that decides what a model becomes, besides its examples: one frozen class a recipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from litotes.errors import InputError

PRECISIONS = ("auto", "float32", "bfloat16", "float16")


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
    replay_together: int = 1
    """replayed pairs that follow each other in their file and come together: neighbours are what the base must rank"""
    distance_weight: float = 0.0
    """pulls the tower's similarities towards the base's, on the replayed texts only"""
    strangers_weight: float = 0.0
    """the same between texts of different examples of a batch, which have nothing to do with one another"""
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
    max_general_loss: float | None = None
    """stops where general ability falls by more, and keeps the best epoch that lost less; None keeps the last epoch"""
    seed: int = 0
    order: int = 0
    """another order of the examples from the same start: such runs can be averaged (averaging.py)"""

    def __post_init__(self) -> None:
        for name in ("train_w", "default_w"):
            if not 0 < getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; expected a number between 0 and 1")
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


@dataclass(frozen=True, slots=True)
class FinetuneTraining:
    """One run's settings for a bi-encoder whose every weight is trained; the papers' own are in `PRESETS`."""

    base: str = "minilm"
    scale: float = 20.0
    """similarities are multiplied by this before the softmax: the inverse temperature"""
    hard_weight: float = 1.0
    """how much a hard negative counts beside one of the batch"""
    in_batch: bool = True
    """the other examples' documents are negatives too"""
    replay_weight: float = 1.0
    distance_weight: float = 0.0
    """pulls the similarities towards those of the untouched base, on the replayed texts only"""
    positive_kinds: tuple[str, ...] = ()
    """the kinds of positives to keep; none named keeps all"""

    lr: float = 2e-5
    warmup: float = 0.1
    """the share of the steps over which the learning rate rises; then it falls to 0"""
    weight_decay: float = 0.01
    clip: float = 1.0
    """the longest gradient; longer ones are shortened"""
    epochs: int = 1
    batch: int = 64
    """examples at once, on each device"""
    replay_batch: int = 64
    max_tokens: int = 128
    shuffle: bool = True
    precision: str = "auto"
    """auto is bfloat16 on a GPU that has it and float32 elsewhere"""
    max_general_loss: float | None = None
    """stops where general ability falls by more, and keeps the best epoch that lost less; None keeps the last epoch"""
    seed: int = 0

    def __post_init__(self) -> None:
        check_settings(self)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> FinetuneTraining:
        """A paper's settings by name, with changes of your own."""
        if name not in PRESETS:
            raise InputError(f"there is no preset {name!r}; expected {', '.join(PRESETS)}")
        return cls(**PRESETS[name] | changes)

    def plain(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


PRESETS: dict[str, dict[str, Any]] = {
    # HedgeTriple, 3.2: Eq. 1, explicit negatives only, on all-mpnet-base-v2. It names no rate, batch, epochs or
    # temperature for the encoder; these are the library's defaults of that loss (Eq. 1 to the letter has scale 1).
    "hedge": {"base": "mpnet", "in_batch": False, "scale": 20.0, "lr": 2e-5, "batch": 64, "epochs": 1},
    # CANNOT, 4.1: one epoch, batch 64, rate 2e-5, AdamW, multiple negatives ranking loss, on all-mpnet-base-v2.
    "negmpnet": {"base": "mpnet", "in_batch": True, "scale": 20.0, "lr": 2e-5, "batch": 64, "epochs": 1},
    # NevIR, 6 and the taxonomy paper, 6.4: 20 epochs of triplets at 2e-5 on this base, which compares by dot product;
    # the batch is not named.
    "nevir": {
        "base": "multi-qa-mpnet-base-dot-v1",
        "in_batch": True,
        "scale": 1.0,
        "lr": 2e-5,
        "batch": 16,
        "epochs": 20,
    },
}


def check_settings(config: Any) -> None:
    """InputError for a number out of range, in whichever of these settings a recipe has."""
    least = {"order": 0, "epochs": 1, "batch": 1, "replay_batch": 1, "replay_together": 1, "max_tokens": 8}
    for name, lowest in least.items():
        if getattr(config, name, lowest) < lowest:
            raise InputError(f"{name} is {getattr(config, name)}; expected {lowest} or more")
    for name in ("scale", "hard_weight", "lr", "clip"):
        if not getattr(config, name, 1) > 0:
            raise InputError(f"{name} is {getattr(config, name)}; expected more than 0")
    weights = ("replay_weight", "distance_weight", "strangers_weight", "surprise_weight")
    for name in (*weights, "weight_decay", "max_general_loss"):
        value = getattr(config, name, None)
        if value is not None and not value >= 0:
            raise InputError(f"{name} is {value}; expected 0 or more")
    if not 0 <= config.warmup < 1:
        raise InputError(f"warmup is {config.warmup}; expected a share from 0 to 1, 1 left out")
    if getattr(config, "precision", "auto") not in PRECISIONS:
        raise InputError(f"precision is {config.precision!r}; expected {', '.join(PRECISIONS)}")
