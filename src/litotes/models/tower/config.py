"""What a saved tower says of itself: its base, where it forks, how wide it is, its default dial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.tower.dial import DEFAULT_W, WIDTH, default_checked
from litotes.models.trunk import BASE_TYPES

if TYPE_CHECKING:
    from transformers import PretrainedConfig
else:
    # the first door to torch of every model of ours: here a bare install is told what it lacks
    PretrainedConfig = require("transformers", extra="models", why="a model of litotes").PretrainedConfig

POOLINGS = ("mean", "cls")


class TowerConfig(PretrainedConfig):  # type: ignore[no-untyped-call]
    """`base` is the base encoder's own configuration as plain JSON; `width` 0 leaves the tower as wide as the base."""

    # transformers prints the model type when it does not know it: the name is the only place for a hint.
    model_type = "litotes_tower (import litotes.models first)"

    def __init__(
        self,
        base: dict[str, Any] | None = None,
        shared_layers: int = 3,
        own_layers: int = 3,
        width: int = WIDTH,
        default_w: float = DEFAULT_W,
        pooling: str = "mean",
        **kwargs: Any,
    ) -> None:
        self.base = dict(base or {})
        self.shared_layers = shared_layers
        self.own_layers = own_layers
        self.width = width
        self.default_w = default_w
        self.pooling = pooling
        # transformers builds one without arguments to compare with; only one with a base can be checked.
        if base:
            self._check()
            # sentence-transformers reads the embedding's size and the longest text off these two.
            kwargs["hidden_size"] = base["hidden_size"] + self.tower_width
            kwargs["max_position_embeddings"] = base["max_position_embeddings"]
        super().__init__(**kwargs)

    @property
    def tower_width(self) -> int:
        """The columns of the tower's block."""
        return int(self.width or self.base["hidden_size"])

    def _check(self) -> None:
        kind = self.base.get("model_type")
        if kind not in BASE_TYPES:
            raise InputError(f"a tower cannot stand on a {kind} model; expected one of {', '.join(BASE_TYPES)}")
        layers, hidden = self.base["num_hidden_layers"], self.base["hidden_size"]
        if not 0 <= self.shared_layers <= layers:
            raise InputError(f"shared_layers is {self.shared_layers}; expected 0 to {layers}, the layers of the base")
        if not 1 <= self.own_layers <= layers:
            raise InputError(f"own_layers is {self.own_layers}; expected 1 to {layers}, the layers of the base")
        if not 0 <= self.width <= hidden:
            raise InputError(f"width is {self.width}; expected 1 to {hidden}, or 0 for no projection")
        if self.pooling not in POOLINGS:
            raise InputError(f"the base pools by {self.pooling}; expected {' or '.join(POOLINGS)}")
        default_checked(self.default_w)
