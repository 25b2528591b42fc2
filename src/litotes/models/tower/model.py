"""The encoder with two blocks: the unit vector f of the frozen base, and the unit vector g of the tower."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPooling

from litotes.errors import InputError
from litotes.models.encoder_layers import last_layers, masked_mean, run_layers
from litotes.models.tower.config import TowerConfig
from litotes.models.tower.scaling import block_weights
from litotes.models.updates import OWN, merge_updates


class TowerModel(PreTrainedModel):  # type: ignore[no-untyped-call]
    """The tower model. The base's lower layers run once; its upper layers compute f, and the tower's own compute g.

    The base is frozen: it stays in evaluation mode and gets no gradients.
    """

    config_class = TowerConfig
    main_input_name = "input_ids"
    _supports_sdpa = True

    def __init__(self, config: TowerConfig) -> None:
        super().__init__(config)
        empty = AutoConfig.for_model(**config.base)
        self.base: Any = AutoModel.from_config(empty)  # type: ignore[no-untyped-call]
        self.base.pooler = None
        hidden = config.base["hidden_size"]
        self.own = nn.ModuleList(copy.deepcopy(layer) for layer in last_layers(self.base, config.own_layers))
        self.projection = nn.Linear(hidden, config.width, bias=False) if config.width else None
        self.post_init()  # type: ignore[no-untyped-call]

    def start_from_base(self, *, seed: int = 0) -> None:
        """Copy the base's last layers into the tower's, and set a random projection with orthonormal rows."""
        for own, layer in zip(self.own, last_layers(self.base, len(self.own)), strict=True):
            own.load_state_dict(layer.state_dict())
        if self.projection is not None:
            shape = self.projection.weight.shape
            drawn = torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
            rows = torch.linalg.qr(drawn.T).Q.T
            with torch.no_grad():
                self.projection.weight.copy_(rows)

    def train(self, mode: bool = True) -> TowerModel:
        """Set the mode of the tower; the base stays in evaluation mode, without dropout."""
        super().train(mode)
        self.base.eval()
        return self

    def own_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Return the trained parameters by name: the own layers, or their updates, and the projection."""
        own = [(name, value) for name, value in self.named_parameters() if not name.startswith("base.")]
        updates = [(name, value) for name, value in own if name.endswith(OWN) or name.startswith("projection.")]
        return iter(updates if any(name.endswith(OWN) for name, _ in updates) else own)

    def merge(self) -> None:
        """Merge updates of the own layers into them, if there are any."""
        merge_updates(self.own)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        dial: float | None = None,
        task: str | None = None,
        return_dict: bool | None = None,
    ) -> BaseModelOutputWithPooling:
        """Return [√(1-w₀)·f ; √w₀·g], or the vector of a query at `dial`. `token_type_ids` are not used.

        The vector is returned twice: on its own, and as the only "token", which standard CLS pooling selects.
        """
        if dial is not None and task == "document":
            raise InputError("documents have no dial; only queries do. Use encode_query(…, dial=…)")
        base_weight, tower_weight = block_weights(dial, self.config.default_w)
        f, g = self.blocks(input_ids, attention_mask)
        rows: Any = torch.cat([base_weight * f, tower_weight * g], dim=-1)
        return BaseModelOutputWithPooling(last_hidden_state=rows.unsqueeze(1), pooler_output=rows)

    def blocks(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the unit vectors f and g."""
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        hidden = self.at_fork(input_ids, attention_mask)
        return self.base_block(hidden, attention_mask), self.tower_block(hidden, attention_mask)

    @torch.no_grad()
    def at_fork(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the token vectors after the shared layers, where the tower branches off."""
        hidden = self.base.embeddings(input_ids=input_ids)
        return self._run(self.base.encoder.layer[: self.config.shared_layers], hidden, attention_mask)

    @torch.no_grad()
    def base_tokens(self, hidden: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the token vectors of the base's last layer."""
        return self._run(self.base.encoder.layer[self.config.shared_layers :], hidden, attention_mask)

    @torch.no_grad()
    def base_block(self, hidden: Tensor, attention_mask: Tensor) -> Tensor:
        """Return f, exactly as the base alone computes it."""
        return self.pooled(self.base_tokens(hidden, attention_mask), attention_mask)

    def pooled(self, tokens: Tensor, attention_mask: Tensor) -> Tensor:
        """Pool the base's token vectors into one unit vector per text, as the base does."""
        pooled = tokens[:, 0] if self.config.pooling == "cls" else masked_mean(tokens, attention_mask)
        return nn.functional.normalize(pooled, dim=-1)

    def tower_block(self, hidden: Tensor, attention_mask: Tensor) -> Tensor:
        """Return g: the own layers, the mean over the tokens, and the projection."""
        pooled = masked_mean(self._run(self.own, hidden, attention_mask), attention_mask)
        projected = pooled if self.projection is None else self.projection(pooled)
        return nn.functional.normalize(projected, dim=-1)

    def get_input_embeddings(self) -> nn.Module:
        """Return the base's token embeddings."""
        words: nn.Module = self.base.get_input_embeddings()
        return words

    def _run(self, layers: Iterable[nn.Module], hidden: Tensor, attention_mask: Tensor) -> Tensor:
        return run_layers(self.base, layers, hidden, attention_mask)
