"""The papers' recipe for cross-encoders: each pair of a query and a document is right or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from litotes.errors import InputError, require
from litotes.models.cross import Cross
from litotes.models.loading import Settings
from litotes.models.tower.build import Base
from litotes.train.batches import Plan
from litotes.train.examples import Example
from litotes.train.rankers import (
    NO_LIMIT,
    RankerTraining,
    parts_of,
    places_of,
    plan_of,
    refuse_without_negatives,
    train_ranker,
    with_strangers,
)
from litotes.train.runs import Evaluate, Trained, Watch
from litotes.train.trainer import Run, without_card

LOSSES = ("binary", "listwise")


@dataclass(frozen=True, slots=True)
class CrossTraining(RankerTraining):
    """One run's settings. The NevIR paper tuned this base for 20 epochs, with the library's defaults of the day.

    Those are binary cross-entropy on one label, rate 2e-5 and batch 32; the paper does not name them.
    """

    base: str = "qnli-electra-base"
    label: str = ""
    """the head's label whose probability is the score, where it has several; none named takes the entailment"""
    loss: str = "binary"
    """binary judges each pair alone; listwise a query's positive against its negatives"""

    in_batch: ClassVar[bool] = False

    def __post_init__(self) -> None:
        RankerTraining.__post_init__(self)
        if self.loss not in LOSSES:
            raise InputError(f"loss is {self.loss!r}; expected {' or '.join(LOSSES)}")


def train_cross(
    config: CrossTraining,
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
    """Trains a cross-encoder on the library's CrossEncoderTrainer, by the binary loss NevIR's run had, or listwise.

    As `train_finetune`; a replayed pair is set against another's passage. `evaluate` is called with a ranker (`score`),
    which is also the result's model, and the folder's `model` is what `load("cross:…")` reads.
    """
    refuse_without_negatives(examples)
    return train_ranker(
        config,
        CrossPupil,
        examples,
        family="cross",
        organisation="cross-encoder",
        replay=replay,
        out=out,
        manifest=manifest,
        evaluate=evaluate,
        watch=watch,
        device=device,
        checkpoint_every=checkpoint_every,
    )


class CrossPupil:
    """A CrossEncoder that learns."""

    def __init__(self, config: CrossTraining, base: Base, device: str) -> None:
        self._config = config
        settings = Settings(device=device, max_tokens=NO_LIMIT)
        self.ranker = Cross(f"cross:{base.name}", base.source, settings, label=config.label)
        self._model = self.ranker.model
        self._longest = self._model.max_seq_length
        self._model.max_seq_length = min(self._longest, config.max_tokens)

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, Plan]:
        """The library's trainer with either loss."""
        from litotes.train.ranking import CrossObjective

        library = require("sentence_transformers", extra="train", why="cross models")
        strangers = with_strangers(replay, seed=self._config.seed)
        plan = plan_of(self._config, examples, strangers)
        model = self._model
        prompt = model.prompts.get(model.default_prompt_name) or None
        trainer = without_card(library.CrossEncoderTrainer)(
            model=model,
            args=run.arguments(library.CrossEncoderTrainingArguments, batch_sampler=plan.for_trainer),
            train_dataset=places_of(examples, strangers),
            loss=CrossObjective(model, self._config, label=self.ranker.label, prompt=prompt),
            data_collator=TextBatches(examples, strangers),
        )
        return trainer, plan

    def leave(self, folder: Path | None) -> None:
        """With its own length again, saved where there is a folder."""
        self._model.max_seq_length = self._longest
        if folder:
            self._model.save_pretrained(str(folder), create_model_card=False)


class TextBatches:
    """Examples as texts: the loss of a cross-encoder cuts them into tokens itself, each query beside each document."""

    # A sentence-transformers trainer asks its collator for this.
    valid_label_columns = ("label",)

    def __init__(self, examples: Sequence[Example], replay: Sequence[Example]) -> None:
        self._examples, self._replay = examples, replay

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """Queries, each one's documents with the positive first, and which are replayed."""
        import torch

        parts = parts_of(rows, self._examples, self._replay)
        found = [(example, name == "replay") for name, those in parts.items() for example in those]
        return {
            "query": [example.query for example, _ in found],
            "documents": [[example.positive, *example.negatives] for example, _ in found],
            "label": torch.tensor([replayed for _, replayed in found]),
        }
