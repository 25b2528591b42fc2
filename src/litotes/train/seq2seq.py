"""The papers' recipe for sequence-to-sequence rankers: asked whether a document is relevant, say true or false."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from litotes.errors import require
from litotes.models.loading import Settings
from litotes.models.seq2seq import Seq2Seq
from litotes.models.tower.build import Base
from litotes.train.batches import Plan
from litotes.train.examples import Example
from litotes.train.rankers import (
    RankerTraining,
    parts_of,
    places_of,
    plan_of,
    refuse_without_negatives,
    train_ranker,
    with_strangers,
)
from litotes.train.runs import Evaluate, Trained, Watch
from litotes.train.trainer import Run

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Seq2SeqTraining(RankerTraining):
    """One run's settings. The defaults are those of the NevIR paper and of PyGaggle's code, which it trained with.

    That is: 20 epochs, every pair of query and document with its one word as the target, Adafactor at 3e-4 with a
    weight decay of 5e-5, 128 pairs at once, which is 64 triplets. PyGaggle's 1,000 steps of warming up are longer than
    a run on NevIR; here they are a share of it.
    """

    base: str = "castorini/monot5-base-msmarco"
    yes: str = "true"
    """the answer that means relevant: one token"""
    no: str = "false"
    lr: float = 3e-4
    weight_decay: float = 5e-5
    batch: int = 64
    max_tokens: int = 512

    in_batch: ClassVar[bool] = False


def train_seq2seq(
    config: Seq2SeqTraining,
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
    """Trains a monoT5 on transformers' Seq2SeqTrainer, by the loss NevIR used: how surprising the right answer is.

    As `train_finetune`; a replayed pair is set against another's passage. `evaluate` is called with a ranker (`score`),
    which is also the result's model, and the folder's `model` is what `load("seq2seq:…")` reads.
    """
    refuse_without_negatives(examples)
    return train_ranker(
        config,
        Seq2SeqPupil,
        examples,
        family="seq2seq",
        replay=replay,
        out=out,
        manifest=manifest,
        evaluate=evaluate,
        watch=watch,
        device=device,
        checkpoint_every=checkpoint_every,
    )


class Seq2SeqPupil:
    """A model of true and false that learns."""

    def __init__(self, config: Seq2SeqTraining, base: Base, device: str) -> None:
        self._config = config
        settings = Settings(device=device, max_tokens=config.max_tokens)
        answers = config.yes, config.no
        self.ranker = Seq2Seq(f"seq2seq:{base.name}", base.source, settings, answers=answers)

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, Plan]:
        """transformers' trainer with the batches of the plan."""
        library = require("transformers", extra="train", why="seq2seq models")
        strangers = with_strangers(replay, seed=self._config.seed)
        plan = plan_of(self._config, examples, strangers)
        trainer = _planned(library.Seq2SeqTrainer, plan)(
            model=self.ranker.model,
            args=run.arguments(
                # Each process's loss is a mean already: it is not to be divided by how many answers all of them have.
                library.Seq2SeqTrainingArguments,
                optim="adafactor",
                average_tokens_across_devices=False,
            ),
            train_dataset=places_of(examples, strangers),
            data_collator=QuestionBatches(self.ranker, examples, strangers),
            compute_loss_func=Surprise(self._config.replay_weight),
        )
        return trainer, plan

    def leave(self, folder: Path | None) -> None:
        """The model and its tokenizer, saved where there is a folder."""
        if folder:
            self.ranker.model.save_pretrained(folder)
            self.ranker.tokenizer.save_pretrained(folder)


class QuestionBatches:
    """Examples as the prompts the adapter scores, each with the answer it should get."""

    def __init__(self, ranker: Seq2Seq, examples: Sequence[Example], replay: Sequence[Example]) -> None:
        self._ranker, self._examples, self._replay = ranker, examples, replay

    def __call__(self, rows: Sequence[Mapping[str, int]]) -> dict[str, Any]:
        """The model's input; a label is the answer's token and whether its pair is replayed."""
        import torch

        ranker = self._ranker
        yes, no = ranker.answer_ids
        queries: list[str] = []
        documents: list[str] = []
        labels: list[tuple[int, int]] = []
        for name, examples in parts_of(rows, self._examples, self._replay).items():
            for example in examples:
                queries += [example.query] * (1 + len(example.negatives))
                documents += [example.positive, *example.negatives]
                labels += [(answer, int(name == "replay")) for answer in (yes, *[no] * len(example.negatives))]
        padded = ranker.tokenizer.pad({"input_ids": ranker.prompts(queries, documents)}, return_tensors="pt")
        start = torch.full((len(queries), 1), ranker.model.config.decoder_start_token_id)
        features = {name: padded[name] for name in ("input_ids", "attention_mask")}
        return features | {"decoder_input_ids": start, "labels": torch.tensor(labels)}


@dataclass(frozen=True, slots=True)
class Surprise:
    """The loss: the mean surprise at the right answers, among all the model's words, and so much of the replayed."""

    replay_weight: float

    def __call__(self, outputs: Any, labels: Tensor, num_items_in_batch: Any = None) -> Tensor:
        """`labels` have an answer's token and whether it is replayed."""
        from torch.nn.functional import cross_entropy

        each = cross_entropy(outputs["logits"][:, 0].float(), labels[:, 0], reduction="none")
        replayed = labels[:, 1].bool()
        loss = each[~replayed].mean()
        return loss + self.replay_weight * each[replayed].mean() if replayed.any() else loss


def _planned(kind: Any, plan: Plan) -> Any:
    """A trainer class that draws its batches by the plan, as those of sentence-transformers can be told to."""

    def get_train_dataloader(self: Any) -> Any:
        from torch.utils.data import DataLoader

        # As those trainers do: no place is shown twice to even out the batches of several processes; the odd ones are
        # left out, for a process without a batch would keep the others waiting.
        self.accelerator.even_batches = False
        sampler = plan.for_trainer(self.train_dataset, drop_last=self.args.world_size > 1)
        loader = DataLoader(
            self.train_dataset,
            batch_sampler=sampler,
            collate_fn=self.data_collator,
            pin_memory=self.args.dataloader_pin_memory,
        )
        return self.accelerator.prepare(loader)

    return type(kind.__name__, (kind,), {"get_train_dataloader": get_train_dataloader})
