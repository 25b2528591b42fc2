"""The papers' recipe for bi-encoders: all weights trained, against explicit hard negatives (HedgeTriple's Eq. 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import require
from litotes.models.loading import reading
from litotes.models.tower.build import Base, find_base
from litotes.train.batches import Batches, Plan
from litotes.train.config import FinetuneTraining
from litotes.train.examples import Example
from litotes.train.runs import Evaluate, Trained, Watch, facts_of, usable
from litotes.train.trainer import Run, running, without_card

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def train_finetune(
    config: FinetuneTraining,
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
    """Fine-tunes a bi-encoder on a CPU, a GPU, or several under torchrun; in a folder, a run cut short goes on.

    `replay` are ordinary pairs of a query and its passage, a batch of them beside every batch of examples; sets are
    mixed by `mix`. `evaluate` is called with the model before the first epoch and after each; its scores go into the
    curves, and with `max_general_loss` they decide which epoch is kept (choosing.py). `watch` sees every line of the
    curves. `manifest` is written into run.json: `Reading.line()` of every file that was read. The model is saved in
    the folder's `model`.
    """
    kept = usable(config, examples, replay)
    base = find_base(config.base)
    with running(
        config,
        facts_of(config, base, kept, replay),
        out=out,
        manifest=manifest,
        evaluate=evaluate,
        watch=watch,
        device=device,
        checkpoint_every=checkpoint_every,
    ) as run:
        model = opened(base, run.device)
        longest = model.max_seq_length
        model.max_seq_length = min(longest or config.max_tokens, config.max_tokens)
        trainer, plan = _trainer(run, config, model, kept, replay)
        trained = run.fit(trainer, plan=plan)
        model.max_seq_length = longest
        if run.folder and run.saves:
            model.save_pretrained(str(run.folder / "model"), create_model_card=False)
    return trained


def opened(base: Base, device: str) -> SentenceTransformer:
    """A base as a SentenceTransformer in full precision, whatever it was saved in."""
    library = require("sentence_transformers", extra="train", why="finetune")
    full = {"dtype": require("torch", extra="train", why="finetune").float32}
    with reading(base.source, "dense"):
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
) -> tuple[Any, Plan]:
    from litotes.train.objective import Objective

    library = require("sentence_transformers", extra="train", why="finetune")
    datasets = require("datasets", extra="train", why="finetune")
    prompts = model.prompts.get("query") or "", model.prompts.get("document") or ""
    batches = Batches(model.preprocess, examples, replay, prompts=prompts)
    if config.distance_weight:
        batches.vectors = _base_vectors(model, batches.replayed())
    plan = Plan(
        len(examples),
        config.batch,
        replay=len(replay),
        replay_batch=config.replay_batch,
        seed=config.seed,
        shuffle=config.shuffle,
    )
    arguments = run.arguments(library.SentenceTransformerTrainingArguments, batch_sampler=plan.for_trainer)
    trainer = without_card(library.SentenceTransformerTrainer)(
        model=model,
        args=arguments,
        train_dataset=datasets.Dataset.from_dict({"at": range(len(examples) + len(replay))}),
        loss=Objective(model, config),
        data_collator=batches,
    )
    return trainer, plan


def _base_vectors(model: SentenceTransformer, texts: Sequence[str]) -> dict[str, Any]:
    """What the base makes of the replayed texts, before the first step."""
    rows = model.encode(
        list(texts), prompt="", convert_to_tensor=True, normalize_embeddings=True, show_progress_bar=False
    )
    return dict(zip(texts, rows.float().cpu(), strict=True))
