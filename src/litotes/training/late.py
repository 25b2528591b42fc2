"""The papers' recipe for late interaction: ColBERT's own loss, on a query's positive and its hard negatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from litotes.errors import require
from litotes.models.base_encoder import Base
from litotes.models.late import Late
from litotes.models.loading import Settings
from litotes.training.batches import EpochSampler, TextCollator, named_parts
from litotes.training.examples import Example
from litotes.training.loop import without_model_card
from litotes.training.rankers import NO_LIMIT, RankerTraining, index_dataset, ranker_sampler, train_ranker
from litotes.training.run import Run, RunOptions, Trained

_DOCUMENT_PROMPTS = ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class LateTraining(RankerTraining):
    """The settings of one run. The defaults are those of the NevIR paper and of ColBERTv1's code, which it used.

    That is: 20 epochs of triplets, a softmax over the two documents' scores, a constant learning rate of 3e-6, batch
    32, gradients clipped at 2. The paper's base was its own ColBERTv1; the hub has ColBERTv2.
    """

    base: str = "colbert-ir/colbertv2.0"
    scale: float = 1.0
    """Scores are multiplied by this before the softmax. They are sums over the query's tokens, so 1 is already much."""
    hard_weight: float = 1.0
    """The weight of a hard negative relative to an in-batch negative."""
    in_batch: bool = False
    """Whether the documents of the other examples are negatives too."""
    lr: float = 3e-6
    warmup: float = 0.0
    """The share of the steps over which the learning rate rises; then it stays constant."""
    weight_decay: float = 0.0
    clip: float = 2.0


def train_late(
    config: LateTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a late-interaction model on the library's MultiVectorEncoderTrainer, with the loss NevIR used for ColBERT.

    The arguments are those of `train_finetune`. The evaluator is called with a ranker (`score`, `matrix`), which is
    also the result's model. `load("late:…")` loads the folder `model` of the run.
    """
    return train_ranker(config, TrainableLate, examples, family="late", replay=replay, **options)


class TrainableLate:
    """A MultiVectorEncoder with its trainer."""

    def __init__(self, config: LateTraining, base: Base, device: str) -> None:
        self._config = config
        self.ranker = Late(f"late:{base.name}", base.source, Settings(device=device, max_tokens=NO_LIMIT))
        self._model = self.ranker.model
        self._longest = self._model.max_seq_length
        self._model.max_seq_length = min(self._longest, config.max_tokens)

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, EpochSampler]:
        """Return the library's trainer with ColBERT's loss, and its sampler."""
        from litotes.training.ranker_losses import LateLoss

        library = require("sentence_transformers", extra="train", why="late models")
        config, sampler = self._config, ranker_sampler(self._config, examples, replay)
        trainer = without_model_card(library.MultiVectorEncoderTrainer)(
            model=self._model,
            args=run.arguments(
                library.MultiVectorEncoderTrainingArguments,
                batch_sampler=sampler.for_trainer,
                lr_scheduler_type="constant_with_warmup",
            ),
            train_dataset=index_dataset(examples, replay),
            loss=LateLoss(
                self._model,
                scale=config.scale,
                hard_weight=config.hard_weight,
                in_batch=config.in_batch,
                replay_weight=config.replay_weight,
            ),
            data_collator=RoleCollator(self._model, examples, replay),
        )
        return trainer, sampler

    def finish(self, folder: Path | None) -> None:
        """Restore the model's own length and, if there is a folder, save it there."""
        self._model.max_seq_length = self._longest
        if folder:
            self._model.save_pretrained(str(folder), create_model_card=False)


class RoleCollator(TextCollator):
    """Collator for a model that reads queries and documents differently."""

    def __init__(self, model: Any, examples: Sequence[Example], replay: Sequence[Example]) -> None:
        super().__init__(model.preprocess, examples, replay)
        self._read = model.preprocess
        document = next((model.prompts[name] for name in _DOCUMENT_PROMPTS if name in model.prompts), None)
        self._role_prompts = {"query": model.prompts.get("query") or None, "document": document or None}

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """Return queries and distinct documents by prefix, of examples and replay; relations are the label."""
        import torch

        batch: dict[str, Any] = {}
        label: dict[str, Any] = {}
        for name, examples in named_parts(rows, self._examples, self._replay).items():
            texts, relations = self._relations(examples)
            documents = torch.unique(torch.cat([relations["positives"], relations["hard"][:, 1]]))
            label[name] = relations | {"documents": documents}
            for role, indices in (("query", relations["queries"]), ("document", documents)):
                selected = [texts[index] for index in indices.tolist()]
                features = self._read(selected, prompt=self._role_prompts[role], task=role)
                batch |= {f"{name}_{role}_{key}": value for key, value in features.items()}
        return batch | {"label": label}
