"""The papers' recipe for sequence-to-sequence rankers: the model answers whether a document is relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from litotes.errors import require
from litotes.models.base_encoder import Base
from litotes.models.loading import Settings
from litotes.models.seq2seq import Seq2Seq
from litotes.training.batches import EpochSampler, named_parts
from litotes.training.examples import Example
from litotes.training.loop import with_sampler
from litotes.training.rankers import (
    RankerTraining,
    index_dataset,
    ranker_sampler,
    refuse_without_negatives,
    train_ranker,
    with_unrelated_negatives,
)
from litotes.training.run import Run, RunOptions, Trained

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Seq2SeqTraining(RankerTraining):
    """The settings of one run. The defaults are those of the NevIR paper and of PyGaggle's code, which it used.

    That is: 20 epochs, every pair of query and document with one word as its target, Adafactor at 3e-4 with a weight
    decay of 5e-5, 128 pairs per step, which are 64 triplets. PyGaggle's warm-up of 1,000 steps is longer than a run on
    NevIR; here it is a share of the steps.
    """

    base: str = "castorini/monot5-base-msmarco"
    yes: str = "true"
    """The answer that means relevant: one token."""
    no: str = "false"
    lr: float = 3e-4
    weight_decay: float = 5e-5
    batch: int = 64
    max_tokens: int = 512

    in_batch: ClassVar[bool] = False

    def loader_options(self) -> dict[str, Any]:
        """Return the options with which a saved model is loaded."""
        return {"answers": (self.yes, self.no)}


def train_seq2seq(
    config: Seq2SeqTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a monoT5 on transformers' Seq2SeqTrainer, with NevIR's loss: the cross-entropy of the right answer.

    The arguments are those of `train_finetune`; a replayed pair gets the passage of another query as its negative. The
    evaluator is called with a ranker (`score`), which is also the result's model. `load("seq2seq:…")` loads the folder
    `model` of the run.
    """
    refuse_without_negatives(examples)
    return train_ranker(config, TrainableSeq2Seq, examples, family="seq2seq", replay=replay, **options)


class TrainableSeq2Seq:
    """A model that answers true or false, with its trainer."""

    def __init__(self, config: Seq2SeqTraining, base: Base, device: str) -> None:
        self._config = config
        settings = Settings(device=device, max_tokens=config.max_tokens)
        answers = config.yes, config.no
        self.ranker = Seq2Seq(f"seq2seq:{base.name}", base.source, settings, answers=answers)

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, EpochSampler]:
        """Return transformers' trainer, and its sampler."""
        library = require("transformers", extra="train", why="seq2seq models")
        completed = with_unrelated_negatives(replay, seed=self._config.seed)
        sampler = ranker_sampler(self._config, examples, completed)
        trainer = with_sampler(library.Seq2SeqTrainer, sampler)(
            model=self.ranker.model,
            args=run.arguments(
                library.Seq2SeqTrainingArguments,
                optim="adafactor",
                # The loss of each process is already a mean; it must not be divided by the number of all answers.
                average_tokens_across_devices=False,
            ),
            train_dataset=index_dataset(examples, completed),
            data_collator=PromptCollator(self.ranker, examples, completed),
            compute_loss_func=AnswerLoss(self._config.replay_weight),
        )
        return trainer, sampler

    def finish(self, folder: Path | None) -> None:
        """Save the model and its tokenizer if there is a folder."""
        if folder:
            self.ranker.model.save_pretrained(folder)
            self.ranker.tokenizer.save_pretrained(folder)


class PromptCollator:
    """Collator that turns examples into the prompts the adapter scores, each with its right answer."""

    def __init__(self, ranker: Seq2Seq, examples: Sequence[Example], replay: Sequence[Example]) -> None:
        self._ranker, self._examples, self._replay = ranker, examples, replay

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """Return the model's input; a label is the token of the answer and whether the pair is replayed."""
        import torch

        ranker = self._ranker
        yes, no = ranker.answer_ids
        queries: list[str] = []
        documents: list[str] = []
        labels: list[tuple[int, int]] = []
        for name, examples in named_parts(rows, self._examples, self._replay).items():
            for example in examples:
                queries += [example.query] * (1 + len(example.negatives))
                documents += [example.positive, *example.negatives]
                labels += [(answer, int(name == "replay")) for answer in (yes, *[no] * len(example.negatives))]
        padded = ranker.tokenizer.pad({"input_ids": ranker.prompts(queries, documents)}, return_tensors="pt")
        start = torch.full((len(queries), 1), ranker.model.config.decoder_start_token_id)
        features = {name: padded[name] for name in ("input_ids", "attention_mask")}
        return features | {"decoder_input_ids": start, "labels": torch.tensor(labels)}


@dataclass(frozen=True, slots=True)
class AnswerLoss:
    """The mean cross-entropy of the right answers among all tokens, plus that of the replayed pairs by weight."""

    replay_weight: float

    def __call__(self, outputs: Any, labels: Tensor, num_items_in_batch: Any = None) -> Tensor:
        """`labels` are the token of each answer and whether it is replayed."""
        from torch.nn.functional import cross_entropy

        losses = cross_entropy(outputs["logits"][:, 0].float(), labels[:, 0], reduction="none")
        replayed = labels[:, 1].bool()
        loss = losses[~replayed].mean()
        return loss + self.replay_weight * losses[replayed].mean() if replayed.any() else loss
