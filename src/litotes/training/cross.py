"""The papers' recipe for cross-encoders: each pair of a query and a document is right or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Unpack

from litotes.errors import InputError, require
from litotes.models.base_encoder import Base
from litotes.models.cross import Cross
from litotes.models.loading import Settings
from litotes.training.batches import EpochSampler, named_parts
from litotes.training.examples import Example
from litotes.training.loop import without_model_card
from litotes.training.rankers import (
    NO_LIMIT,
    RankerTraining,
    index_dataset,
    ranker_sampler,
    refuse_without_negatives,
    train_ranker,
    with_unrelated_negatives,
)
from litotes.training.run import Run, RunOptions, Trained

LOSSES = ("binary", "listwise")


@dataclass(frozen=True, slots=True)
class CrossTraining(RankerTraining):
    """The settings of one run. The NevIR paper tuned this base for 20 epochs, with the library's defaults of its day.

    Those are binary cross-entropy on one label, learning rate 2e-5 and batch 32; the paper does not name them.
    """

    base: str = "qnli-electra-base"
    label: str = ""
    """The label whose probability is the score, if the head has several; the default is the entailment."""
    loss: str = "binary"
    """binary judges each pair alone; listwise a query's positive against its negatives."""

    in_batch: ClassVar[bool] = False

    def __post_init__(self) -> None:
        RankerTraining.__post_init__(self)
        if self.loss not in LOSSES:
            raise InputError(f"loss is {self.loss!r}; expected {' or '.join(LOSSES)}")

    def loader_options(self) -> dict[str, Any]:
        """Return the options with which a saved model is loaded."""
        return {"label": self.label}


def train_cross(
    config: CrossTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a cross-encoder on the library's CrossEncoderTrainer, with NevIR's binary loss or a listwise one.

    The arguments are those of `train_finetune`; a replayed pair gets the passage of another query as its negative. The
    evaluator is called with a ranker (`score`), which is also the result's model. `load("cross:…")` loads the folder
    `model` of the run.
    """
    refuse_without_negatives(examples)
    return train_ranker(
        config,
        TrainableCross,
        examples,
        family="cross",
        organisation="cross-encoder",
        replay=replay,
        **options,
    )


class TrainableCross:
    """A CrossEncoder with its trainer."""

    def __init__(self, config: CrossTraining, base: Base, device: str) -> None:
        self._config = config
        settings = Settings(device=device, max_tokens=NO_LIMIT)
        self.ranker = Cross(f"cross:{base.name}", base.source, settings, label=config.label)
        self._model = self.ranker.model
        self._longest = self._model.max_seq_length
        self._model.max_seq_length = min(self._longest, config.max_tokens)

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, EpochSampler]:
        """Return the library's trainer with either loss, and its sampler."""
        from litotes.training.ranker_losses import CrossLoss

        library = require("sentence_transformers", extra="train", why="cross models")
        config, model = self._config, self._model
        completed = with_unrelated_negatives(replay, seed=config.seed)
        sampler = ranker_sampler(config, examples, completed)
        trainer = without_model_card(library.CrossEncoderTrainer)(
            model=model,
            args=run.arguments(library.CrossEncoderTrainingArguments, batch_sampler=sampler.for_trainer),
            train_dataset=index_dataset(examples, completed),
            loss=CrossLoss(
                model,
                listwise=config.loss == "listwise",
                label=self.ranker.label,
                prompt=model.prompts.get(model.default_prompt_name) or None,
                replay_weight=config.replay_weight,
            ),
            data_collator=PairCollator(examples, completed),
        )
        return trainer, sampler

    def finish(self, folder: Path | None) -> None:
        """Restore the model's own length and, if there is a folder, save it there."""
        self._model.max_seq_length = self._longest
        if folder:
            self._model.save_pretrained(str(folder), create_model_card=False)


class PairCollator:
    """Collator that leaves examples as texts: the loss tokenizes each query together with each document."""

    # A sentence-transformers trainer reads this from its collator.
    valid_label_columns = ("label",)

    def __init__(self, examples: Sequence[Example], replay: Sequence[Example]) -> None:
        self._examples, self._replay = examples, replay

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """Return queries, the documents of each with the positive first, and which queries are replayed."""
        import torch

        parts = named_parts(rows, self._examples, self._replay)
        batch = [(example, name == "replay") for name, examples in parts.items() for example in examples]
        return {
            "query": [example.query for example, _ in batch],
            "documents": [[example.positive, *example.negatives] for example, _ in batch],
            "label": torch.tensor([replayed for _, replayed in batch]),
        }
