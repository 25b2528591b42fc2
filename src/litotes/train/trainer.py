"""What the recipes on a transformers Trainer share: the folder, the arguments, going on after a kill, the choice.

A recipe opens a run, builds its own trainer with the run's arguments, and lets the run fit it:

    with running(config, facts_of(config, base, examples, replay), out=out, evaluate=evaluate, …) as run:
        trainer = SomeTrainer(model=model, args=run.arguments(SomeTrainingArguments), …)
        trained = run.fit(trainer)
        if run.saves:
            model.save_pretrained(run.folder / "model")

The folder then has run.json, curves.jsonl, `checkpoints/` (the trainer's own, which it reads with weights_only, so that
nothing in them is executed) and `epochs/` (the weights of the epoch that is kept, in safetensors).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require
from litotes.models.loading import device_of, fingerprint
from litotes.train.checkpoints import Curves
from litotes.train.runs import Evaluate, Settings, Trained, Watch, describe, other_run, plain_errors

MARK = "litotes.json"
"""the last file of a checkpoint: without it the checkpoint was cut short"""
TOKENISING = 6
"""processes that make batches ready for a GPU, at most"""


@contextmanager
def running(
    config: Settings,
    facts: Mapping[str, Any],
    *,
    out: Path | str | None = None,
    manifest: Sequence[Mapping[str, Any]] = (),
    evaluate: Evaluate | None = None,
    watch: Watch | None = None,
    device: str | None = None,
    checkpoint_every: int = 500,
) -> Iterator[Run]:
    """A run, in its folder or, without one, in a passing place; memory that runs out in it is a plain InputError."""
    for library in ("torch", "transformers", "accelerate", "datasets"):
        require(library, extra="train", why="training")
    if config.max_general_loss is not None and evaluate is None:
        raise InputError("max_general_loss is set and nothing measures the model; give an evaluator, or leave it unset")
    folder = None if out is None else Path(out)
    with tempfile.TemporaryDirectory() as passing, plain_errors(config), _no_bars():
        run = Run(config, folder or Path(passing), evaluate, watch, device)
        run.folder, run.every = folder, checkpoint_every
        run.name = fingerprint(facts)
        if folder and run.main:
            _refuse_another(folder, run.name)
            describe(folder, facts, manifest, run.device)
        yield run


class Run:
    """One run on a Trainer: where it lies, what it runs on, how far it got. Made by `running`."""

    def __init__(
        self,
        config: Settings,
        place: Path,
        evaluate: Evaluate | None = None,
        watch: Watch | None = None,
        device: str | None = None,
    ) -> None:
        self.config, self.place, self.evaluate, self.watch = config, place, evaluate, watch
        self.folder: Path | None = None
        self.every = 500
        self.name = ""
        # how the weights of a kept epoch are written and read: all of them, where the recipe says nothing else
        self.save_weights: Callable[[Any, str], None] = _save_whole
        self.load_weights: Callable[[Any, str, str], None] = _load_whole
        self.device = _device(device)
        # torchrun and accelerate number their processes; the first one writes.
        self.main = int(os.environ.get("RANK", "0")) == 0

    @property
    def saves(self) -> bool:
        """Whether this process is the one that writes the model into the run's folder."""
        return self.folder is not None and self.main

    def arguments(self, kind: Any, **more: Any) -> Any:
        """The training arguments, of the class a trainer wants; `more` is added or takes precedence."""
        config = self.config
        half = self._precision()
        given = {
            "output_dir": str(self.place / "checkpoints"),
            "num_train_epochs": config.epochs,
            "per_device_train_batch_size": config.batch,
            "learning_rate": config.lr,
            "warmup_steps": config.warmup,
            "weight_decay": config.weight_decay,
            "max_grad_norm": config.clip,
            "lr_scheduler_type": "linear",
            "seed": config.seed,
            "use_cpu": self.device == "cpu",
            "bf16": half == "bfloat16",
            "fp16": half == "float16",
            # A loss is looked at after every step, for a NaN ends the run; the run's own callback does the rest.
            "logging_steps": 1,
            "logging_nan_inf_filter": False,
            "save_strategy": "no",
            "save_total_limit": 2,
            "eval_strategy": "no",
            "report_to": "none",
            "disable_tqdm": True,
            "remove_unused_columns": False,
            "dataloader_pin_memory": self.device == "cuda",
            "dataloader_num_workers": _tokenising(self.device),
            # The first process measures alone, and the others wait for it.
            "ddp_timeout": 36_000,
        }
        return kind(**given | more)

    def fit(self, trainer: Any, *, plan: Any = None) -> Trained:
        """Trains, or goes on, or finds all done; the model then has the weights of the last epoch or the chosen one.

        `plan` is a batch sampler with `set_epoch`, where the recipe has one of its own.
        """
        from litotes.train.following import Following

        printer = require("transformers", extra="train", why="training").PrinterCallback
        trainer.remove_callback(printer)
        checkpoint, mark = self._reached()
        curves = Curves(self.folder if self.main else None, until=mark["step"] if checkpoint else -1)
        following = Following(self, curves, epoch=mark["epoch"], plan=plan)
        trainer.add_callback(following)
        steps = mark["step"]
        if not mark["finished"]:
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
            steps = trainer.state.global_step
        trainer.accelerator.wait_for_everyone()
        trainer.accelerator.unwrap_model(trainer.model, keep_fp32_wrapper=False)
        epoch = following.settle(trainer.model)
        if self.saves:
            self._tidy()
        trainer.model.eval()
        return Trained(trainer.model, tuple(curves.lines), steps, self.folder, epoch)

    def _tidy(self) -> None:
        """A finished run needs no optimiser's state: of its checkpoints only the last one's mark stays."""
        last, _ = self._reached()
        for path in sorted(self.place.glob("checkpoints/checkpoint-*")):
            for old in path.iterdir() if path == last else [path]:
                if old.is_dir():
                    shutil.rmtree(old)
                elif old.name != MARK:
                    old.unlink()

    def _precision(self) -> str:
        """bfloat16 on a GPU that has it, unless the settings say otherwise; full precision elsewhere."""
        torch = require("torch", extra="train", why="training")
        wanted = str(getattr(self.config, "precision", "auto"))
        if wanted != "auto":
            return wanted
        return "bfloat16" if self.device == "cuda" and torch.cuda.is_bf16_supported() else "float32"

    def _reached(self) -> tuple[Path | None, dict[str, Any]]:
        """The last whole checkpoint, and what it says of itself."""
        found = [(mark["step"], path, mark) for path, mark in _checkpoints(self.place)]
        if self.folder is None or not found:
            return None, {"step": 0, "epoch": 0, "finished": False}
        _, path, mark = max(found, key=lambda each: each[0])
        return path, mark


def _tokenising(device: str) -> int:
    """Processes that make batches ready: a GPU would wait for one. Copies of this process, where there are such."""
    if device != "cuda" or multiprocessing.get_start_method() != "fork":
        return 0
    return min(TOKENISING, os.cpu_count() or 1)


def without_card(kind: Any) -> Any:
    """A sentence-transformers trainer class that gathers no samples of the data for a model card of its own."""
    return type(kind.__name__, (kind,), {"add_model_card_callback": lambda self, defaults: None})


def _save_whole(model: Any, path: str) -> None:
    require("safetensors.torch", extra="train", why="training").save_model(model, path)


def _load_whole(model: Any, path: str, device: str) -> None:
    require("safetensors.torch", extra="train", why="training").load_model(model, path, device=device)


def _checkpoints(place: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for mark in sorted(place.glob(f"checkpoints/checkpoint-*/{MARK}")):
        yield mark.parent, json.loads(mark.read_text(encoding="utf-8"))


@contextmanager
def _no_bars() -> Iterator[None]:
    """A library's bar for every file it writes would tear the run's own."""
    logging = require("transformers", extra="train", why="training").utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _refuse_another(folder: Path, name: str) -> None:
    """A folder with another run's checkpoints is not written over."""
    for _, mark in _checkpoints(folder):
        if mark["run"] != name:
            raise other_run(folder, folder / "checkpoints")


def _device(asked: str | None) -> str:
    """cpu, cuda or mps: which of several GPUs is not a trainer's to choose."""
    torch = require("torch", extra="train", why="training")
    if asked and ":" in asked:
        raise InputError(
            f"device is {asked!r}; expected cpu, cuda or mps. To train on one GPU of several, set CUDA_VISIBLE_DEVICES"
        )
    found = device_of(asked, torch)
    if found:
        return found
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
