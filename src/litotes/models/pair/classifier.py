"""A pair model as a sequence classifier of transformers, so that plain `CrossEncoder(path)` loads a saved one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import SequenceClassifierOutput

from litotes.models.encoder_layers import masked_mean
from litotes.models.pair.model import new_head

if TYPE_CHECKING:
    from litotes.models.pair.scorer import PairScorer


class PairClassifierConfig(PretrainedConfig):  # type: ignore[no-untyped-call]
    """The configuration of a saved classifier. `base` is that of the encoder."""

    # transformers prints an unknown model type, so the name is the only place for a hint.
    model_type = "litotes_pair (import litotes.models first)"

    def __init__(self, base: dict[str, Any] | None = None, **kwargs: Any) -> None:
        self.base = dict(base or {})
        if base:
            # sentence-transformers takes the maximum length from this.
            kwargs["max_position_embeddings"] = base["max_position_embeddings"]
        super().__init__(**{"num_labels": 1, **kwargs})


class PairForSequenceClassification(PreTrainedModel):  # type: ignore[no-untyped-call]
    """The encoder with its updates merged, and the head of relevance."""

    config_class = PairClassifierConfig
    main_input_name = "input_ids"
    _supports_sdpa = True

    def __init__(self, config: PairClassifierConfig) -> None:
        super().__init__(config)
        self.base: Any = AutoModel.from_config(AutoConfig.for_model(**config.base))  # type: ignore[no-untyped-call]
        self.base.pooler = None
        self.head: Any = new_head(config.base["hidden_size"])
        self.post_init()  # type: ignore[no-untyped-call]

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        token_type_ids: Tensor | None = None,
        return_dict: bool | None = None,
    ) -> SequenceClassifierOutput:
        """Return one logit per pair."""
        features = {"input_ids": input_ids, "attention_mask": attention_mask}
        if token_type_ids is not None and self.config.base.get("type_vocab_size", 1) > 1:
            features["token_type_ids"] = token_type_ids
        pooled = masked_mean(self.base(**features).last_hidden_state.float(), attention_mask)
        logits: Any = self.head(pooled.to(self.head[0].weight.dtype))
        return SequenceClassifierOutput(logits=logits)

    def get_input_embeddings(self) -> nn.Module:
        """Return the encoder's token embeddings."""
        words: nn.Module = self.base.get_input_embeddings()
        return words


def save_classifier(scorer: PairScorer, folder: Path, *, head: str) -> Path:
    """Save a loaded pair model, whose updates are merged, with its base and one of its heads."""
    config = PairClassifierConfig(base=scorer.model.base.config.to_dict())
    model = PairForSequenceClassification(config)
    model.base.load_state_dict(scorer.model.base.state_dict())
    model.head.load_state_dict(scorer.model.heads[head].state_dict())
    model.save_pretrained(folder)
    tokenizer = scorer.tokenizer
    tokenizer.model_max_length = scorer.longest
    tokenizer.save_pretrained(folder)
    return folder
