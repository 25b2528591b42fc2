"""The one training loop: a Trainer of transformers, with resumption, the choice of an epoch and readable errors.

A recipe opens a run, builds a trainer with the run's arguments, and fits it:

    with open_run(config, run_facts(config, base, examples, replay), **options) as run:
        trainer = SomeTrainer(model=model, args=run.arguments(SomeTrainingArguments), …)
        trained = fit(run, trainer)
        if run.saves:
            model.save_pretrained(run.folder / "model")
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack

from litotes.errors import InputError, require
from litotes.models.loading import fingerprint
from litotes.training.run import Run, RunOptions, RunSettings, Trained, checkpoint_marks
from litotes.training.run_folder import Curves, other_run_error, write_run

_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


@contextmanager
def open_run(config: RunSettings, facts: Mapping[str, Any], **options: Unpack[RunOptions]) -> Iterator[Run]:
    """Yield a run in its folder or, without one, in a temporary folder; running out of memory is an InputError."""
    for library in ("torch", "transformers", "accelerate"):
        require(library, extra="train", why="training")
    if config.max_general_loss is not None and options.get("evaluate") is None:
        raise InputError("max_general_loss is set but there is no evaluator; pass one, or leave max_general_loss unset")
    out = options.get("out")
    with tempfile.TemporaryDirectory() as temporary, memory_errors(config), _without_progress_bars():
        run = Run(config, fingerprint(facts), Path(temporary if out is None else out), options)
        if run.folder and run.main:
            _refuse_other_run(run.folder, run.name)
            write_run(run.folder, facts, options.get("manifest", ()), run.device)
        yield run


def fit(run: Run, trainer: Any, *, sampler: Any = None) -> Trained:
    """Train, resume, or return if the run is complete; the model then has the weights of the epoch that is kept.

    `sampler` is the recipe's own batch sampler, with `set_epoch`.
    """
    from litotes.training.run_callback import RunCallback

    trainer.remove_callback(require("transformers", extra="train", why="training").PrinterCallback)
    checkpoint, mark = run.last_checkpoint()
    curves = Curves(run.folder if run.main else None, until=mark["step"] if checkpoint else -1)
    callback = RunCallback(run, curves, epoch=mark["epoch"], sampler=sampler)
    trainer.add_callback(callback)
    steps = mark["step"]
    if not mark["finished"]:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        steps = trainer.state.global_step
    trainer.accelerator.wait_for_everyone()
    trainer.accelerator.unwrap_model(trainer.model, keep_fp32_wrapper=False)
    epoch = callback.load_kept_epoch(trainer.model)
    if run.saves:
        run.remove_checkpoints()
    trainer.model.eval()
    return Trained(trainer.model, tuple(curves.lines), steps, run.folder, epoch)


@contextmanager
def memory_errors(config: RunSettings) -> Iterator[None]:
    """Turn an out-of-memory error into an InputError that says which settings to lower."""
    torch = require("torch", extra="train", why="training")
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, RuntimeError) and not any(sign in reason.lower() for sign in _OUT_OF_MEMORY):
            raise
        or_forget = " or set remember=False" if getattr(config, "remember", False) else ""
        raise InputError(
            f"memory ran out ({reason}). This run has batch {config.batch} and max_tokens {config.max_tokens}; "
            f"try half of either{or_forget}"
        ) from error


def without_model_card(kind: Any) -> Any:
    """Return a sentence-transformers trainer class that collects no data samples for a model card."""
    return type(kind.__name__, (kind,), {"add_model_card_callback": lambda self, defaults: None})


def with_sampler(kind: Any, sampler: Any, *, split: bool = True) -> Any:
    """Return a trainer class that draws its batches by a sampler.

    With `split`, several processes share the batches between them, and those that do not divide evenly are left out: a
    process without a batch would keep the others waiting. Without it, every process gets every batch.
    """

    def get_train_dataloader(self: Any) -> Any:
        from torch.utils.data import DataLoader

        sampler.for_trainer(self.train_dataset, drop_last=split and self.args.world_size > 1)
        loader = DataLoader(
            self.train_dataset,
            batch_sampler=sampler,
            collate_fn=self.data_collator,
            pin_memory=self.args.dataloader_pin_memory,
        )
        # No batch is repeated to give every process the same number.
        self.accelerator.even_batches = False
        return self.accelerator.prepare(loader) if split else loader

    return type(kind.__name__, (kind,), {"get_train_dataloader": get_train_dataloader})


@contextmanager
def _without_progress_bars() -> Iterator[None]:
    """Hide the library's progress bars, which would break the run's own."""
    logging = require("transformers", extra="train", why="training").utils.logging
    enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if enabled:
            logging.enable_progress_bar()


def _refuse_other_run(folder: Path, name: str) -> None:
    """Raise InputError if the folder has checkpoints of another run."""
    for _, mark in checkpoint_marks(folder):
        if mark["run"] != name:
            raise other_run_error(folder)
