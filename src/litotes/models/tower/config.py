"""The configuration of a saved tower: its base, its layers, its width and its default dial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.encoder_layers import BASE_TYPES
from litotes.models.tower.scaling import DEFAULT_W, WIDTH, check_default_dial

if TYPE_CHECKING:
    from transformers import PretrainedConfig
else:
    # Every model of litotes imports this module first, so a missing library is reported here.
    PretrainedConfig = require("transformers", extra="models", why="a model of litotes").PretrainedConfig

POOLINGS = ("mean", "cls")


class TowerConfig(PretrainedConfig):  # type: ignore[no-untyped-call]
    """The configuration of a tower. `base` is that of the base encoder; a `width` of 0 means the width of the base."""

    # transformers prints an unknown model type, so the name is the only place for a hint.
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
        # transformers also builds one without arguments, which cannot be checked.
        if base:
            self._check()
            # sentence-transformers takes the size of the embedding and the maximum length from these two.
            kwargs["hidden_size"] = base["hidden_size"] + self.tower_width
            kwargs["max_position_embeddings"] = base["max_position_embeddings"]
        super().__init__(**kwargs)

    @property
    def tower_width(self) -> int:
        """Return the number of columns of the tower's block."""
        return int(self.width or self.base["hidden_size"])

    def _check(self) -> None:
        kind = self.base.get("model_type")
        if kind not in BASE_TYPES:
            raise InputError(f"the base is a {kind} model; expected one of {', '.join(BASE_TYPES)}")
        layers, hidden = self.base["num_hidden_layers"], self.base["hidden_size"]
        if not 0 <= self.shared_layers <= layers:
            raise InputError(f"shared_layers is {self.shared_layers}; expected 0 to {layers}, the layers of the base")
        if not 1 <= self.own_layers <= layers:
            raise InputError(f"own_layers is {self.own_layers}; expected 1 to {layers}, the layers of the base")
        if not 0 <= self.width <= hidden:
            raise InputError(f"width is {self.width}; expected 1 to {hidden}, or 0 for no projection")
        if self.pooling not in POOLINGS:
            raise InputError(f"the base has {self.pooling} pooling; expected {' or '.join(POOLINGS)}")
        check_default_dial(self.default_w)
