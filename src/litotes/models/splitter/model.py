"""The splitter's network: an encoder with updates that tags the tokens of a query and judges the query."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from litotes.models.adapted import AdaptedEncoder
from litotes.query_marks import TAGS


class QueryTagger(AdaptedEncoder):
    """One row of logits per token, and one logit per query: whether it excludes anything."""

    def __init__(self, base: Any, *, rank: int, scale: float) -> None:
        super().__init__(base, rank=rank, scale=scale, layers=base.config.num_hidden_layers)
        width = base.config.hidden_size
        self.heads.update({"tags": nn.Linear(width, len(TAGS)), "excludes": nn.Linear(width, 1)})

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the tags of each token, and the logit of each query. Its first token is special."""
        hidden = self.base(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state.float()
        return self.heads["tags"](hidden), self.heads["excludes"](hidden[:, 0]).squeeze(-1)
