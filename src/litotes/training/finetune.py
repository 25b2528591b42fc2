"""The papers' recipe for bi-encoders: all weights are trained against explicit hard negatives (HedgeTriple's Eq. 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from litotes.errors import require
from litotes.models.base_encoder import Base, find_base
from litotes.models.loading import loading
from litotes.training.batches import EpochSampler, TextCollator
from litotes.training.config import FinetuneTraining
from litotes.training.examples import Example
from litotes.training.loop import fit, open_run, without_model_card
from litotes.training.run import Run, RunOptions, Trained, run_facts, select_examples

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def train_finetune(
    config: FinetuneTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Fine-tune a bi-encoder on a CPU, a GPU or, under torchrun, several; return it and its curves.

    `replay` are ordinary pairs of a query and its passage; every batch of examples comes with a batch of them. `mix`
    combines several sets of examples. `RunOptions` lists the other options. The evaluator is called with the model
    before the first epoch and after each; with `max_general_loss` its scores decide which epoch is kept (choosing.py).
    The model is saved in the folder `model` of the run.
    """
    selected = select_examples(config, examples, replay)
    base = find_base(config.base)
    with open_run(config, run_facts(config, base, selected, replay), **options) as run:
        model = load_base(base, run.device)
        longest = model.max_seq_length
        model.max_seq_length = min(longest or config.max_tokens, config.max_tokens)
        trainer, sampler = _trainer(run, config, model, selected, replay)
        trained = fit(run, trainer, sampler=sampler)
        model.max_seq_length = longest
        if run.folder and run.saves:
            model.save_pretrained(str(run.folder / "model"), create_model_card=False)
    return trained


def load_base(base: Base, device: str) -> SentenceTransformer:
    """Load a base as a SentenceTransformer in full precision, whatever precision it was saved in."""
    library = require("sentence_transformers", extra="train", why="finetune")
    full = {"dtype": require("torch", extra="train", why="finetune").float32}
    with loading(base.source, "dense"):
        model: SentenceTransformer = library.SentenceTransformer(
            str(base.source.folder), device=device, local_files_only=True, model_kwargs=full
        )
    return model


def _trainer(
    run: Run,
    config: FinetuneTraining,
    model: SentenceTransformer,
    examples: Sequence[Example],
    replay: Sequence[Example],
) -> tuple[Any, EpochSampler]:
    from litotes.training.finetune_loss import FinetuneLoss

    library = require("sentence_transformers", extra="train", why="finetune")
    datasets = require("datasets", extra="train", why="finetune")
    prompts = model.prompts.get("query") or "", model.prompts.get("document") or ""
    collator = TextCollator(model.preprocess, examples, replay, prompts=prompts)
    if config.distance_weight:
        collator.base_vectors = _base_vectors(model, collator.replayed_texts())
    sampler = EpochSampler(
        len(examples),
        config.batch,
        replay=len(replay),
        replay_batch=config.replay_batch,
        seed=config.seed,
        shuffle=config.shuffle,
    )
    arguments = run.arguments(library.SentenceTransformerTrainingArguments, batch_sampler=sampler.for_trainer)
    trainer = without_model_card(library.SentenceTransformerTrainer)(
        model=model,
        args=arguments,
        train_dataset=datasets.Dataset.from_dict({"at": range(len(examples) + len(replay))}),
        loss=FinetuneLoss(model, config),
        data_collator=collator,
    )
    return trainer, sampler


def _base_vectors(model: SentenceTransformer, texts: Sequence[str]) -> dict[str, Any]:
    """Return the base's vectors of the replayed texts, before the first step."""
    rows = model.encode(
        list(texts), prompt="", convert_to_tensor=True, normalize_embeddings=True, show_progress_bar=False
    )
    return dict(zip(texts, rows.float().cpu(), strict=True))
