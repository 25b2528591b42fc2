"""The trainer's callback: notes the loss, measures each epoch, keeps its weights, stops early, marks checkpoints."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import TrainerCallback

from litotes.errors import require
from litotes.train.checkpoints import Curves
from litotes.train.choosing import Point, choose, lost_too_much, point_of
from litotes.train.runs import NOTE_EVERY, measured, runaway
from litotes.train.trainer import MARK

if TYPE_CHECKING:
    from litotes.train.trainer import Run


class Following(TrainerCallback):
    """Goes beside a trainer from step to step; its own state is in the run's curves alone."""

    def __init__(self, run: Run, curves: Curves, *, epoch: int = 0, plan: Any = None) -> None:
        """`epoch` is the last one a run that goes on has behind it."""
        self._run, self._curves, self._last, self._plan = run, curves, epoch, plan
        self._noted: list[float] = []
        self._started = time.monotonic()
        self._points: list[Point] = []
        if run.config.max_general_loss is not None:
            self._points = [point_of(line["epoch"], line["scores"]) for line in curves.lines if "scores" in line]

    def on_train_begin(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """The start is measured too: it is what general ability is held against."""
        if state.global_step == 0:
            self._measure(model, 0, 0)

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Not every version of the libraries tells a batch sampler its epoch when a run goes on."""
        if self._plan is not None:
            self._plan.set_epoch(state.global_step // _an_epoch(state))

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """The loss of one step; a line of the curves now and then."""
        state.log_history.clear()
        if not logs or "loss" not in logs:
            return
        value, step = float(logs["loss"]), state.global_step
        if not math.isfinite(value):
            raise runaway(value, step, state.max_steps, self._run.config)
        self._noted.append(value)
        # A mean never reaches across a checkpoint, so that a run cut short writes the same curves.
        if step % NOTE_EVERY == 0 or step % _an_epoch(state) == 0 or step % self._run.every == 0:
            seconds = round(time.monotonic() - self._started, 1)
            mean, rate = sum(self._noted) / len(self._noted), logs["learning_rate"]
            self._noted.clear()
            self._note({"step": step, "loss": mean, "lr": rate, "seconds": seconds})

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A checkpoint within an epoch; the one at its end comes after the measuring."""
        step = state.global_step
        if self._run.folder and step % self._run.every == 0 and step % _an_epoch(state):
            control.should_save = True

    def on_epoch_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """The epoch's scores, its weights if they are the ones to keep, and whether to go on."""
        step = state.global_step
        self._last = step // _an_epoch(state)
        self._measure(model, step, self._last)
        limit = self._run.config.max_general_loss
        if limit is not None and lost_too_much(self._points[0], self._points[-1], limit):
            control.should_training_stop = True
        control.should_save = self._run.folder is not None

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """The checkpoint is whole: it is marked, and the weights it no longer needs are removed."""
        if not self._run.main:
            return
        checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        # The trainer pickles its arguments and never reads them again.
        (checkpoint / "training_args.bin").unlink(missing_ok=True)
        finished = bool(control.should_training_stop) or state.global_step >= state.max_steps
        mark = {"run": self._run.name, "step": state.global_step, "epoch": self._last, "finished": finished}
        (checkpoint / MARK).write_text(json.dumps(mark) + "\n", encoding="utf-8")
        kept = self._file(self._kept())
        for path in kept.parent.glob("*.safetensors"):
            if path != kept:
                path.unlink()

    def settle(self, model: Any) -> int:
        """Puts the kept epoch's weights into the model; the epoch."""
        epoch = self._kept()
        if self._file(epoch).is_file():
            self._run.load_weights(model, str(self._file(epoch)), str(model.device))
        return epoch

    def _kept(self) -> int:
        """The epoch whose weights are the run's: the last, where there is no choice to make."""
        limit = self._run.config.max_general_loss
        return self._last if limit is None else int(choose(self._points, limit).at)

    def _measure(self, model: Any, step: int, epoch: int) -> None:
        """Measured by the first process, for all; the weights are kept where they may be wanted."""
        choosing = self._run.config.max_general_loss is not None
        if self._run.evaluate:
            scores = measured(model, self._run.evaluate) if self._run.main else {}
            together = require("accelerate.utils", extra="train", why="training")
            scores = together.broadcast_object_list([scores])[0]
            if choosing:
                self._points.append(point_of(epoch, scores))
            self._note({"step": step, "epoch": epoch, "scores": scores})
        wanted = choosing or (epoch and self._run.folder)
        if wanted and self._run.main and self._kept() == epoch:
            path = self._file(epoch)
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_suffix(".part")
            self._run.save_weights(model, str(written))
            written.replace(path)

    def _file(self, epoch: int) -> Path:
        return self._run.place / "epochs" / f"{epoch}.safetensors"

    def _note(self, line: dict[str, Any]) -> None:
        self._curves.add(line)
        if self._run.watch and self._run.main:
            self._run.watch(line)


def _an_epoch(state: Any) -> int:
    """Steps an epoch has."""
    return max(1, int(state.max_steps) // int(state.num_train_epochs))
