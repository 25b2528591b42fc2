"""The trainer's callback: logs the loss, evaluates each epoch, keeps its weights, stops early, marks checkpoints."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from litotes.errors import InputError, require
from litotes.files import replacing, write_atomically
from litotes.training.choosing import AbilityPoint, choose, lost_too_much, point_of
from litotes.training.run import MARK, Evaluate, Run, RunSettings, scores_of
from litotes.training.run_folder import Curves

LOG_EVERY = 20
"""Steps per line of the curves."""


class RunCallback(TrainerCallback):
    """Follows a trainer from step to step; its only state on disk is the run's curves."""

    def __init__(self, run: Run, curves: Curves, *, epoch: int = 0, sampler: Any = None) -> None:
        """`epoch` is the last completed epoch of a run that resumes."""
        self._run, self._curves, self._epoch, self._sampler = run, curves, epoch, sampler
        self._losses: list[float] = []
        self._started = time.monotonic()
        self._points: list[AbilityPoint] = []
        if run.config.max_general_loss is not None:
            self._points = [point_of(line["epoch"], line["scores"]) for line in curves.lines if "scores" in line]

    def on_train_begin(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """Evaluate the start, to which general ability is compared."""
        if state.global_step == 0:
            self._evaluate(model, self._run.evaluate_start, 0, 0)

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Set the sampler's epoch, because not every version of the library does so when a run resumes."""
        if self._sampler is not None:
            self._sampler.set_epoch(state.global_step // _steps_per_epoch(state))

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """Check the loss of a step; add the mean of the last steps to the curves."""
        state.log_history.clear()
        if not logs or "loss" not in logs:
            return
        loss, step = float(logs["loss"]), state.global_step
        if not math.isfinite(loss):
            raise divergence_error(loss, step, state.max_steps, self._run.config)
        self._losses.append(loss)
        # A mean never spans a checkpoint, so that a resumed run writes the same curves.
        if step % LOG_EVERY == 0 or step % _steps_per_epoch(state) == 0 or step % self._run.checkpoint_every == 0:
            seconds = round(time.monotonic() - self._started, 1)
            mean = sum(self._losses) / len(self._losses)
            self._losses.clear()
            self._add({"step": step, "loss": mean, "lr": logs["learning_rate"], "seconds": seconds})

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Save a checkpoint within an epoch; the one at its end is saved after the evaluation."""
        step = state.global_step
        if self._run.folder and step % self._run.checkpoint_every == 0 and step % _steps_per_epoch(state):
            control.should_save = True

    def on_epoch_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """Evaluate the epoch, keep its weights if they are the best so far, and stop if it lost too much."""
        step = state.global_step
        self._epoch = step // _steps_per_epoch(state)
        self._evaluate(model, self._run.evaluate, step, self._epoch)
        limit = self._run.config.max_general_loss
        if limit is not None and lost_too_much(self._points[0], self._points[-1], limit):
            control.should_training_stop = True
        control.should_save = self._run.folder is not None

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Mark the checkpoint as complete and remove the epoch weights that it no longer needs."""
        if not self._run.main:
            return
        checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        # The trainer pickles its arguments and never reads them again.
        (checkpoint / "training_args.bin").unlink(missing_ok=True)
        finished = bool(control.should_training_stop) or state.global_step >= state.max_steps
        mark = {"run": self._run.name, "step": state.global_step, "epoch": self._epoch, "finished": finished}
        write_atomically(checkpoint / MARK, json.dumps(mark) + "\n")
        kept = self._weights(self._kept_epoch())
        for path in kept.parent.glob("*.safetensors"):
            if path != kept:
                path.unlink()

    def load_kept_epoch(self, model: Any) -> int:
        """Load the weights of the epoch that is kept into the model; return the epoch."""
        epoch = self._kept_epoch()
        if self._weights(epoch).is_file():
            self._run.load_weights(model, str(self._weights(epoch)), str(next(model.parameters()).device))
        return epoch

    def _kept_epoch(self) -> int:
        """Return the chosen epoch or, without a limit on the loss of general ability, the last one."""
        limit = self._run.config.max_general_loss
        return self._epoch if limit is None else int(choose(self._points, limit).at)

    def _evaluate(self, model: Any, evaluate: Evaluate | None, step: int, epoch: int) -> None:
        """Evaluate in the first process, for all of them; save the weights if this epoch may be kept."""
        choosing = self._run.config.max_general_loss is not None
        if evaluate:
            scores = scores_of(model, evaluate) if self._run.main else {}
            scores = require("accelerate.utils", extra="train", why="training").broadcast_object_list([scores])[0]
            if choosing:
                self._points.append(point_of(epoch, scores))
            self._add({"step": step, "epoch": epoch, "scores": scores})
        needed = choosing or (epoch and self._run.folder)
        if needed and self._run.main and self._kept_epoch() == epoch:
            with replacing(self._weights(epoch)) as temporary:
                self._run.save_weights(model, str(temporary))

    def _weights(self, epoch: int) -> Path:
        return self._run.workspace / "epochs" / f"{epoch}.safetensors"

    def _add(self, line: dict[str, Any]) -> None:
        self._curves.add(line)
        if self._run.progress and self._run.main:
            self._run.progress(line)


def divergence_error(loss: float, step: int, steps: int, config: RunSettings) -> InputError:
    """Return the error for a loss that is NaN or infinite."""
    scale = getattr(config, "scale", None)
    or_scale = "" if scale is None else f" or a lower scale (it is {scale})"
    return InputError(
        f"the loss is {loss} at step {step} of {steps}: training diverged. Try a lower lr (it is {config.lr}){or_scale}"
    )


def _steps_per_epoch(state: Any) -> int:
    return max(1, int(state.max_steps) // int(state.num_train_epochs))
