"""A run's folder: its settings, its data and what ran it, written down; and the errors that end it, made plain."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from litotes.errors import InputError, require
from litotes.models.adapter import versions
from litotes.models.loading import fingerprint
from litotes.models.tower.build import Base
from litotes.train.examples import Example, digest

Evaluate = Callable[[Any], Mapping[str, float]]
"""the model to its scores by name; "negation.…" and "general.…" decide which epoch is kept (choosing.py)"""
Watch = Callable[[Mapping[str, Any]], None]
NOTE_EVERY = 20
LIBRARIES = ("litotes", "torch", "transformers", "sentence-transformers", "numpy")
_NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


class Settings(Protocol):
    """What the settings of every recipe have."""

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


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model and the curves of its run."""

    model: Any
    curves: tuple[dict[str, Any], ...]
    steps: int
    folder: Path | None = None
    """where the run is kept; its folder `tower` or `model` holds the model"""
    epoch: int = 0
    """whose weights these are: the last, or the chosen one; 0 where training lost too much and the start was kept"""


def alone(recipe: str) -> None:
    """InputError where several processes were started for a recipe that trains in one."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count > 1:
        raise InputError(
            f"the recipe {recipe} trains in one process, and {count} were started; expected no torchrun or accelerate"
        )


def usable(config: Any, examples: Sequence[Example], replay: Sequence[Example] = ()) -> list[Example]:
    """The examples whose positives are of the kinds asked for; InputError where the settings leave nothing to learn."""
    if any(example.score is not None for example in (*examples, *replay)):
        raise InputError("there are scored pairs among the examples: only the recipe metric learns from scores")
    kinds = config.positive_kinds
    kept = [example for example in examples if not kinds or example.kind in kinds]
    if not kept:
        named = f" with positives of kind {', '.join(kinds)}" if kinds else ""
        raise InputError(f"there are no examples{named}; expected one at least")
    if not config.in_batch and not all(example.negatives for example in kept):
        raise InputError("an example has no negatives and in_batch is off: it would teach nothing. Turn in_batch on")
    if config.distance_weight and not replay:
        raise InputError("distance_weight needs replay: it is held on ordinary text only, never on negated pairs")
    return kept


def facts_of(
    config: Settings, base: Base, examples: Sequence[Example], replay: Sequence[Example] = ()
) -> dict[str, Any]:
    """What decides a run's outcome."""
    return {
        "settings": config.plain() | {"base": base.name},
        "base": {"name": base.name, "sha256": base.sha256},
        "examples": {"count": len(examples), "sha256": digest(examples)},
        "replay": {"count": len(replay), "sha256": digest(replay)},
    }


def describe(folder: Path, facts: Mapping[str, Any], manifest: Sequence[Mapping[str, Any]], device: str) -> str:
    """Writes run.json; the run's fingerprint, which a checkpoint carries."""
    run = fingerprint(facts)
    circumstances = {"device": device, "python": platform.python_version(), "libraries": versions(LIBRARIES)}
    written = {"run": run, **facts, "files": list(manifest), **circumstances}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return run


def other_run(folder: Path, kept: Path) -> InputError:
    """The error of a folder that belongs to another run."""
    return InputError(
        f"{folder} holds a run with other settings, examples or base. Give another folder, or remove {kept}"
    )


def runaway(value: float, step: int, steps: int, config: Settings) -> InputError:
    """The error of a loss that is no number any more."""
    scale = getattr(config, "scale", None)
    softer = "" if scale is None else f" or a lower scale (it is {scale})"
    return InputError(
        f"the loss is {value} at step {step} of {steps}: the weights ran away. "
        f"Try a lower lr (it is {config.lr}){softer}"
    )


def rate(config: Settings, step: int, steps: int) -> float:
    """The learning rate at a step: up in a line, then down in a line to 0 after the last one."""
    rising = max(1, round(config.warmup * steps))
    share = step / rising if step <= rising else (steps + 1 - step) / (steps + 1 - rising)
    return config.lr * share


@contextmanager
def plain_errors(config: Settings) -> Iterator[None]:
    """Memory that runs out is one InputError that says what to lower."""
    torch = require("torch", extra="train", why="training")
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, RuntimeError) and not any(sign in reason.lower() for sign in _NO_MEMORY):
            raise
        kept = " or remember=False" if getattr(config, "remember", False) else ""
        raise InputError(
            f"memory ran out ({reason}). This run has batch {config.batch} and max_tokens {config.max_tokens}; "
            f"try half of either{kept}"
        ) from error


def measured(model: Any, evaluate: Evaluate) -> dict[str, float]:
    """The evaluator's scores; whatever it draws at random does not touch the run."""
    torch = require("torch", extra="train", why="training")
    model.eval()
    with torch.random.fork_rng(), torch.no_grad():
        return {name: float(value) for name, value in evaluate(model).items()}
