"""The papers' recipe for late interaction: ColBERT's own loss, on a query's positive and its hard negatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.errors import require
from litotes.models.late import Late
from litotes.models.loading import Settings
from litotes.models.tower.build import Base
from litotes.train.batches import Batches, Plan
from litotes.train.examples import Example
from litotes.train.rankers import NO_LIMIT, RankerTraining, parts_of, places_of, plan_of, train_ranker
from litotes.train.runs import Evaluate, Trained, Watch
from litotes.train.trainer import Run, without_card

_DOCUMENT_PROMPTS = ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class LateTraining(RankerTraining):
    """One run's settings. The defaults are those of the NevIR paper and of ColBERTv1's code, which it trained with.

    That is: 20 epochs of triplets, a softmax over the two documents' scores, rate 3e-6 and never lower, batch 32,
    gradients cut at 2. Its base was a ColBERTv1 of their own; ColBERTv2 is the one the hub has.
    """

    base: str = "colbert-ir/colbertv2.0"
    scale: float = 1.0
    """scores are multiplied by this before the softmax; they are sums over the query's tokens, so 1 is much"""
    hard_weight: float = 1.0
    """how much a hard negative counts beside one of the batch"""
    in_batch: bool = False
    """the other examples' documents are negatives too"""
    lr: float = 3e-6
    warmup: float = 0.0
    """the share of the steps over which the learning rate rises; then it stays"""
    weight_decay: float = 0.0
    clip: float = 2.0


def train_late(
    config: LateTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    out: Path | str | None = None,
    manifest: Sequence[Mapping[str, Any]] = (),
    evaluate: Evaluate | None = None,
    watch: Watch | None = None,
    device: str | None = None,
    checkpoint_every: int = 500,
) -> Trained:
    """Trains a late-interaction model on the library's MultiVectorEncoderTrainer, by the loss NevIR used for ColBERT.

    As `train_finetune`; `evaluate` is called with a ranker (`score`, `matrix`), which is also the result's model, and
    the folder's `model` is what `load("late:…")` reads.
    """
    return train_ranker(
        config,
        LatePupil,
        examples,
        family="late",
        replay=replay,
        out=out,
        manifest=manifest,
        evaluate=evaluate,
        watch=watch,
        device=device,
        checkpoint_every=checkpoint_every,
    )


class LatePupil:
    """A MultiVectorEncoder that learns."""

    def __init__(self, config: LateTraining, base: Base, device: str) -> None:
        self._config = config
        self.ranker = Late(f"late:{base.name}", base.source, Settings(device=device, max_tokens=NO_LIMIT))
        self._model = self.ranker.model
        self._longest = self._model.max_seq_length
        self._model.max_seq_length = min(self._longest, config.max_tokens)

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, Plan]:
        """The library's trainer with ColBERT's loss."""
        from litotes.train.ranking import LateObjective

        library = require("sentence_transformers", extra="train", why="late models")
        plan = plan_of(self._config, examples, replay)
        trainer = without_card(library.MultiVectorEncoderTrainer)(
            model=self._model,
            args=run.arguments(
                library.MultiVectorEncoderTrainingArguments,
                batch_sampler=plan.for_trainer,
                lr_scheduler_type="constant_with_warmup",
            ),
            train_dataset=places_of(examples, replay),
            loss=LateObjective(self._model, self._config),
            data_collator=RoleBatches(self._model, examples, replay),
        )
        return trainer, plan

    def leave(self, folder: Path | None) -> None:
        """With its own length again, saved where there is a folder."""
        self._model.max_seq_length = self._longest
        if folder:
            self._model.save_pretrained(str(folder), create_model_card=False)


class RoleBatches(Batches):
    """Makes tensors of examples for a model that reads a query and a document each in its own way."""

    def __init__(self, model: Any, examples: Sequence[Example], replay: Sequence[Example]) -> None:
        super().__init__(model.preprocess, examples, replay)
        self._read = model.preprocess
        offered = next((model.prompts[name] for name in _DOCUMENT_PROMPTS if name in model.prompts), None)
        self._role_prompts = {"query": model.prompts.get("query") or None, "document": offered or None}

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """Queries and distinct documents of the examples and of the replayed ones, by prefix; the rest as its label."""
        import torch

        batch: dict[str, Any] = {}
        label: dict[str, Any] = {}
        for name, examples in parts_of(rows, self._examples, self._replay).items():
            texts, related = self._related(examples)
            documents = torch.unique(torch.cat([related["positives"], related["hard"][:, 1]]))
            label[name] = related | {"documents": documents}
            for role, numbers in (("query", related["queries"]), ("document", documents)):
                those = [texts[number] for number in numbers.tolist()]
                features = self._read(those, prompt=self._role_prompts[role], task=role)
                batch |= {f"{name}_{role}_{key}": value for key, value in features.items()}
        return batch | {"label": label}
