"""A training run: its settings, its options, its result, and the checkpoints in its folder.

The folder of a run has run.json, curves.jsonl, `checkpoints/` (the trainer's own, which it loads with weights_only, so
that nothing in them is executed) and `epochs/` (the weights of the epoch that is kept, in safetensors).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypedDict

from litotes.errors import InputError, require
from litotes.models.base_encoder import Base
from litotes.models.loading import device_of
from litotes.training.examples import Example, digest

Evaluate = Callable[[Any], Mapping[str, float]]
"""Returns a model's scores by name; "negation.…" and "general.…" decide which epoch is kept (choosing.py)."""
Progress = Callable[[Mapping[str, Any]], None]
"""Called with each line of the curves."""
MARK = "litotes.json"
"""The last file of a checkpoint; a checkpoint without it is incomplete."""
CHECKPOINT_EVERY = 500
LOADER_PROCESSES = 6
"""The most processes that prepare batches for a GPU."""


class RunSettings(Protocol):
    """The settings that every recipe has."""

    @property
    def lr(self) -> float: ...
    @property
    def warmup(self) -> float: ...
    @property
    def weight_decay(self) -> float: ...
    @property
    def clip(self) -> float: ...
    @property
    def epochs(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def max_general_loss(self) -> float | None: ...
    def plain(self) -> dict[str, Any]: ...


class RunOptions(TypedDict, total=False):
    """The options of every recipe's train function; all are optional."""

    out: Path | str | None
    """The folder of the run. If it holds a checkpoint of the same run, training resumes from it."""
    manifest: Sequence[Mapping[str, Any]]
    """`Reading.line()` of every data file; written into run.json."""
    evaluate: Evaluate | None
    """Called after every epoch, and in most recipes before the first; its scores go into the curves."""
    progress: Progress | None
    """Called with each line of the curves."""
    device: str | None
    """cpu, cuda or mps; the default is the best one available."""
    checkpoint_every: int
    """Steps between two checkpoints within an epoch; the default is 500. Every epoch ends with one."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model and the curves of its run."""

    model: Any
    curves: tuple[dict[str, Any], ...]
    steps: int
    folder: Path | None = None
    """The folder of the run; its folder `tower`, `model` or `adapter` has the model."""
    epoch: int = 0
    """The epoch whose weights were kept: the last or the chosen one; 0 if the start was kept."""


def refuse_labels(examples: Iterable[Example]) -> None:
    """Refuse labelled pairs: for most recipes, a pair of opposites would be a query with its right answer."""
    if any(example.label for example in examples):
        raise InputError("there are labelled messages among the examples; only the recipe pair learns from labels")


def select_examples(config: Any, examples: Sequence[Example], replay: Sequence[Example] = ()) -> list[Example]:
    """Return the examples whose positives are of the configured kinds; raise InputError if none can be learned from."""
    scored = any(example.score is not None for example in (*examples, *replay))
    if scored and not getattr(config, "learns_scores", False):
        raise InputError("there are scored pairs among the examples; only the recipe pair learns from scores")
    if not getattr(config, "learns_labels", False):
        refuse_labels((*examples, *replay))
    kinds = config.positive_kinds
    selected = [example for example in examples if not kinds or example.kind in kinds]
    if not selected:
        condition = f" with positives of kind {', '.join(kinds)}" if kinds else ""
        raise InputError(f"there are no examples{condition}; expected at least one")
    if not config.in_batch and not all(example.negatives for example in selected):
        raise InputError("an example has no negatives and in_batch is off, so it teaches nothing. Turn in_batch on")
    if config.distance_weight and not replay:
        raise InputError("distance_weight needs replay: the distance is computed on ordinary text only")
    return selected


def run_facts(
    config: RunSettings, base: Base, examples: Sequence[Example], replay: Sequence[Example] = ()
) -> dict[str, Any]:
    """Return what decides the outcome of a run; its fingerprint identifies the run."""
    return {
        "settings": config.plain() | {"base": base.name},
        "base": {"name": base.name, "sha256": base.sha256},
        "examples": {"count": len(examples), "sha256": digest(examples)},
        "replay": {"count": len(replay), "sha256": digest(replay)},
    }


def scores_of(model: Any, evaluate: Evaluate) -> dict[str, float]:
    """Return the evaluator's scores of a model; random numbers that it draws do not affect the run."""
    torch = require("torch", extra="train", why="training")
    model.eval()
    with torch.random.fork_rng(), torch.no_grad():
        return {name: float(value) for name, value in evaluate(model).items()}


class Run:
    """One run on a trainer. `loop.open_run` makes it; a recipe may change how it evaluates and saves weights."""

    def __init__(self, config: RunSettings, name: str, workspace: Path, options: RunOptions) -> None:
        """`workspace` is the folder of the run or, without one, a temporary folder."""
        self.config, self.name, self.workspace = config, name, workspace
        out = options.get("out")
        self.folder = None if out is None else Path(out)
        self.evaluate = options.get("evaluate")
        # What measures the model before the first step; None if the start is not measured.
        self.evaluate_start = self.evaluate
        self.progress = options.get("progress")
        self.checkpoint_every = options.get("checkpoint_every", CHECKPOINT_EVERY)
        self.device = _device(options.get("device"))
        # How the weights of an epoch are written and read; a recipe may save fewer than all.
        self.save_weights: Callable[[Any, str], None] = _save_model
        self.load_weights: Callable[[Any, str, str], None] = _load_model
        # torchrun and accelerate number their processes; the first one writes.
        self.main = int(os.environ.get("RANK", "0")) == 0
        self.processes = int(os.environ.get("WORLD_SIZE", "1"))

    @property
    def saves(self) -> bool:
        """Whether this process writes the model into the folder of the run."""
        return self.folder is not None and self.main

    def arguments(self, kind: Any, **changes: Any) -> Any:
        """Return training arguments of the class that a trainer expects, with a recipe's changes."""
        config = self.config
        precision = self._precision()
        options = {
            "output_dir": str(self.workspace / "checkpoints"),
            "num_train_epochs": config.epochs,
            "per_device_train_batch_size": config.batch,
            "learning_rate": config.lr,
            "warmup_steps": config.warmup,
            "weight_decay": config.weight_decay,
            "max_grad_norm": config.clip,
            "lr_scheduler_type": "linear",
            "seed": config.seed,
            "use_cpu": self.device == "cpu",
            "bf16": precision == "bfloat16",
            "fp16": precision == "float16",
            # The run's own callback sees every loss, because a NaN ends the run; it also decides when to save.
            "logging_steps": 1,
            "logging_nan_inf_filter": False,
            "save_strategy": "no",
            "save_total_limit": 2,
            "eval_strategy": "no",
            "report_to": "none",
            "disable_tqdm": True,
            "remove_unused_columns": False,
            "dataloader_pin_memory": self.device == "cuda",
            "dataloader_num_workers": loader_processes(self.device),
            # The other processes wait while the first one evaluates.
            "ddp_timeout": 36_000,
        }
        arguments = kind(**options | changes)
        # Several GPUs are used through torchrun only; without it the library would split every batch between them.
        arguments._n_gpu = min(arguments.n_gpu, 1)
        return arguments

    def last_checkpoint(self) -> tuple[Path | None, dict[str, Any]]:
        """Return the last complete checkpoint and its mark: the step, the epoch and whether the run is finished."""
        marks = [] if self.folder is None else list(checkpoint_marks(self.workspace))
        if not marks:
            return None, {"step": 0, "epoch": 0, "finished": False}
        return max(marks, key=lambda checkpoint: checkpoint[1]["step"])

    def remove_checkpoints(self) -> None:
        """Remove the checkpoints of a finished run, except for the mark of the last one."""
        last, _ = self.last_checkpoint()
        for checkpoint in sorted(self.workspace.glob("checkpoints/checkpoint-*")):
            for path in checkpoint.iterdir() if checkpoint == last else [checkpoint]:
                if path.is_dir():
                    shutil.rmtree(path)
                elif path.name != MARK:
                    path.unlink()

    def _precision(self) -> str:
        """Return the configured precision; "auto" is bfloat16 on a GPU that supports it, else float32."""
        torch = require("torch", extra="train", why="training")
        precision = str(getattr(self.config, "precision", "auto"))
        if precision != "auto":
            return precision
        return "bfloat16" if self.device == "cuda" and torch.cuda.is_bf16_supported() else "float32"


def checkpoint_marks(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each complete checkpoint in a folder with its mark."""
    for mark in sorted(folder.glob(f"checkpoints/checkpoint-*/{MARK}")):
        yield mark.parent, json.loads(mark.read_text(encoding="utf-8"))


def loader_processes(device: str) -> int:
    """Return how many processes prepare batches: several for a GPU where processes can be forked, else none."""
    if device != "cuda" or multiprocessing.get_start_method() != "fork":
        return 0
    return min(LOADER_PROCESSES, os.cpu_count() or 1)


def _save_model(model: Any, path: str) -> None:
    require("safetensors.torch", extra="train", why="training").save_model(model, path)


def _load_model(model: Any, path: str, device: str) -> None:
    require("safetensors.torch", extra="train", why="training").load_model(model, path, device=device)


def _device(requested: str | None) -> str:
    """Return cpu, cuda or mps; a trainer does not choose between several GPUs."""
    torch = require("torch", extra="train", why="training")
    if requested and ":" in requested:
        raise InputError(
            f"device is {requested!r}; expected cpu, cuda or mps. To train on one of several GPUs, set "
            "CUDA_VISIBLE_DEVICES"
        )
    device = device_of(requested, torch)
    if device:
        return device
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
