"""The settings of the tower and of fine-tuning, with the papers' presets, and the checks of all recipes' settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from litotes.errors import InputError

PRECISIONS = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True)
class TowerTraining:
    """The settings of one run; on a CPU, the same settings and examples give the same tower."""

    base: str = "minilm"
    shared_layers: int = 3
    """The base's lower layers, which run once for both blocks."""
    own_layers: int = 3
    width: int = 128
    """Columns of the tower's block; with 0 it is as wide as the base."""
    rank: int = 0
    """The rank of the trained updates of the own layers; with 0, the whole layers are trained."""
    default_w: float = 0.1
    """The dial that the saved model encodes with by default."""

    train_w: float = 0.3
    """The dial of the similarity in the loss."""
    scale: float = 20.0
    """Similarities are multiplied by this before the softmax; it is the inverse temperature."""
    hard_weight: float = 1.0
    """The weight of a hard negative relative to an in-batch negative."""
    in_batch: bool = True
    """Whether the documents of the other examples are negatives too."""
    replay_weight: float = 1.0
    replay_together: int = 1
    """How many consecutive replayed pairs stay together in a batch: neighbours in a file are hard to rank."""
    distance_weight: float = 0.0
    """The weight of the distance to the base's similarities, on the replayed texts only."""
    unrelated_weight: float = 0.0
    """The weight of the same distance on unrelated pairs: texts of different examples of a batch."""
    positive_kinds: tuple[str, ...] = ()
    """The kinds of positives to use; the default is all."""

    lr: float = 1e-4
    warmup: float = 0.1
    """The share of the steps over which the learning rate rises; then it falls to 0."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient; larger ones are scaled down."""
    epochs: int = 1
    batch: int = 64
    """Examples per step and device."""
    replay_batch: int = 64
    max_tokens: int = 128
    shuffle: bool = True
    remember: bool = False
    """Whether to store the lower layers' output of every text: faster from the second epoch on, 770 bytes per token."""
    max_general_loss: float | None = None
    """Stop when general ability falls by more, and keep the best epoch that lost less; None keeps the last epoch."""
    seed: int = 0
    order: int = 0
    """Another order of the examples from the same start: such runs can be averaged (averaging.py)."""

    def __post_init__(self) -> None:
        for name in ("train_w", "default_w"):
            if not 0 < getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; expected a number between 0 and 1")
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


@dataclass(frozen=True, slots=True)
class FinetuneTraining:
    """The settings of one run that trains all weights of a bi-encoder; `PRESETS` has the papers'."""

    base: str = "minilm"
    scale: float = 20.0
    """Similarities are multiplied by this before the softmax; it is the inverse temperature."""
    hard_weight: float = 1.0
    """The weight of a hard negative relative to an in-batch negative."""
    in_batch: bool = True
    """Whether the documents of the other examples are negatives too."""
    replay_weight: float = 1.0
    distance_weight: float = 0.0
    """The weight of the distance to the original base's similarities, on the replayed texts only."""
    positive_kinds: tuple[str, ...] = ()
    """The kinds of positives to use; the default is all."""

    lr: float = 2e-5
    warmup: float = 0.1
    """The share of the steps over which the learning rate rises; then it falls to 0."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient; larger ones are scaled down."""
    epochs: int = 1
    batch: int = 64
    """Examples per step and device."""
    replay_batch: int = 64
    max_tokens: int = 128
    shuffle: bool = True
    precision: str = "auto"
    """auto is bfloat16 on a GPU that supports it, else float32."""
    max_general_loss: float | None = None
    """Stop when general ability falls by more, and keep the best epoch that lost less; None keeps the last epoch."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


PRESETS: dict[str, dict[str, Any]] = {
    # HedgeTriple, 3.2: Eq. 1, explicit negatives only, on all-mpnet-base-v2. The paper gives no learning rate, batch,
    # epochs or temperature for the encoder; these are the library's defaults for that loss (Eq. 1 itself has scale 1).
    "hedge": {"base": "mpnet", "in_batch": False, "scale": 20.0, "lr": 2e-5, "batch": 64, "epochs": 1},
    # CANNOT, 4.1: one epoch, batch 64, learning rate 2e-5, AdamW, multiple negatives ranking loss, all-mpnet-base-v2.
    "negmpnet": {"base": "mpnet", "in_batch": True, "scale": 20.0, "lr": 2e-5, "batch": 64, "epochs": 1},
    # NevIR, 6 and the taxonomy paper, 6.4: 20 epochs of triplets at 2e-5 on this base, which uses the dot product; the
    # papers do not give the batch.
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
    """Raise InputError for a number out of range, in those of these settings that a recipe has."""
    least = {"rank": 0, "order": 0, "epochs": 1, "batch": 1, "replay_batch": 1, "replay_together": 1, "max_tokens": 8}
    for name, lowest in least.items():
        if getattr(config, name, lowest) < lowest:
            raise InputError(f"{name} is {getattr(config, name)}; expected {lowest} or more")
    for name in ("scale", "hard_weight", "lr", "clip"):
        if not getattr(config, name, 1) > 0:
            raise InputError(f"{name} is {getattr(config, name)}; expected more than 0")
    weights = ("replay_weight", "distance_weight", "unrelated_weight")
    for name in (*weights, "weight_decay", "max_general_loss"):
        value = getattr(config, name, None)
        if value is not None and not value >= 0:
            raise InputError(f"{name} is {value}; expected 0 or more")
    if not 0 <= config.warmup < 1:
        raise InputError(f"warmup is {config.warmup}; expected a share of at least 0 and less than 1")
    if getattr(config, "precision", "auto") not in PRECISIONS:
        raise InputError(f"precision is {config.precision!r}; expected {', '.join(PRECISIONS)}")
