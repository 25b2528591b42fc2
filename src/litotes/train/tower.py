"""The tower's recipe: the base frozen, the loss on the similarity of both blocks together."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.loading import device_of
from litotes.models.tower.build import find_base, grow, tower_of
from litotes.models.tower.delta import save_delta
from litotes.train.checkpoints import Curves, restore, save
from litotes.train.config import TowerTraining
from litotes.train.examples import Example
from litotes.train.losses import combined_similarity, contrastive_loss, distance_to_base, negatives
from litotes.train.runs import describe, facts_of, plain_errors
from litotes.train.texts import Texts

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

Evaluate = Callable[["SentenceTransformer"], Mapping[str, float]]
Watch = Callable[[Mapping[str, Any]], None]
NOTE_EVERY = 20
_SHAPE = ("shared_layers", "own_layers", "width", "default_w", "seed")


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained tower as a SentenceTransformer, and the curves of its run."""

    model: SentenceTransformer
    curves: tuple[dict[str, Any], ...]
    steps: int
    folder: Path | None = None
    """where the run is kept; its folder `tower` is what `load_tower` reads"""


def train_tower(
    config: TowerTraining,
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
    """Trains a tower, on a CPU or a GPU; in a folder, a run that was cut short goes on where its checkpoint stands.

    `replay` are ordinary pairs of a query and its passage, a batch of them beside every batch of examples. `evaluate`
    is called with the model after every epoch and its scores go into the curves; `watch` sees every line of them.
    `manifest` is written into run.json: `Reading.line()` of every file that was read.
    """
    torch = require("torch", extra="train", why="training")
    kept = [example for example in examples if not config.positive_kinds or example.kind in config.positive_kinds]
    _check(config, kept, replay)
    base = find_base(config.base)
    where = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    folder = None if out is None else Path(out)
    run = describe(folder, facts_of(config, base, kept, replay), manifest, where) if folder else ""
    torch.manual_seed(config.seed)
    model = grow(base, **{name: getattr(config, name) for name in _SHAPE}, device=where)
    with plain_errors(config):
        loop = _Loop(config, model, kept, replay, folder, run)
        loop.go(evaluate, watch, checkpoint_every)
    model.eval()
    if folder:
        save_delta(model, folder / "tower", base=base)
    return Trained(model, tuple(loop.curves.lines), loop.steps, folder)


class _Loop:
    """One run: its texts, its optimiser, and where it stands."""

    def __init__(
        self,
        config: TowerTraining,
        model: SentenceTransformer,
        examples: Sequence[Example],
        replay: Sequence[Example],
        folder: Path | None,
        run: str,
    ) -> None:
        torch = require("torch", extra="train", why="training")
        self._config, self._model, self._examples, self._replay = config, model, examples, replay
        self._folder, self._run = folder, run
        self._tower = tower_of(model)
        values = [value for _, value in self._tower.own_parameters()]
        self._optimiser = torch.optim.AdamW(values, lr=config.lr, weight_decay=config.weight_decay)
        self.steps_an_epoch = math.ceil(len(examples) / config.batch)
        self.steps = config.epochs * self.steps_an_epoch
        self._done = restore(folder, self._tower, self._optimiser, run=run) if folder else 0
        self.curves = Curves(folder, until=self._done)
        self._texts = Texts([*examples, *replay], self._tower, model.tokenizer, max_tokens=config.max_tokens)

    def go(self, evaluate: Evaluate | None, watch: Watch | None, checkpoint_every: int) -> None:
        """All the steps that are left."""
        if self._done < self.steps:
            self._texts.prepare(remember=self._config.remember)
        noted: list[float] = []
        started = time.monotonic()
        for step in range(self._done + 1, self.steps + 1):
            self._tower.train()
            noted.append(self._step(step))
            epoch_ends = step % self.steps_an_epoch == 0
            kept = self._folder is not None and (epoch_ends or step % checkpoint_every == 0)
            # A mean never reaches across a checkpoint, so that a run cut short writes the same curves.
            if step % NOTE_EVERY == 0 or epoch_ends or kept:
                mean, seconds = sum(noted) / len(noted), round(time.monotonic() - started, 1)
                noted.clear()
                self._note({"step": step, "loss": mean, "lr": self._rate(step), "seconds": seconds}, watch)
            if epoch_ends and evaluate:
                scores = self._measured(evaluate)
                self._note({"step": step, "epoch": step // self.steps_an_epoch, "scores": scores}, watch)
            if self._folder and kept:
                save(self._folder, self._tower, self._optimiser, step=step, run=self._run)

    def _step(self, step: int) -> float:
        """One update; what the loss was before it."""
        torch = require("torch", extra="train", why="training")
        config = self._config
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate(step)
        chosen = drawn(len(self._examples), config.batch, step - 1, seed=config.seed, shuffle=config.shuffle)
        loss = self._loss([self._examples[at] for at in chosen], in_batch=config.in_batch)[0]
        if self._replay:
            chosen = drawn(len(self._replay), config.replay_batch, step - 1, seed=config.seed, shuffle=True)
            again, base, tower = self._loss([self._replay[at] for at in chosen], in_batch=True)
            loss = loss + config.replay_weight * again
            if config.distance_weight:
                loss = loss + config.distance_weight * distance_to_base(base, tower)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise InputError(
                f"the loss is {value} at step {step} of {self.steps}: the weights ran away. "
                f"Try a lower lr (it is {config.lr}) or a lower scale (it is {config.scale})"
            )
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_([value for _, value in self._tower.own_parameters()], config.clip)
        self._optimiser.step()
        return value

    def _loss(self, batch: Sequence[Example], *, in_batch: bool) -> tuple[Tensor, Tensor, Tensor]:
        """The loss of a batch, and the blocks f and g of its texts."""
        torch = require("torch", extra="train", why="training")
        number = self._texts.number
        queries = [number(example.query) for example in batch]
        positives = [number(example.positive) for example in batch]
        hard_pairs = [(row, number(text)) for row, example in enumerate(batch) for text in example.negatives]
        documents = list(dict.fromkeys([*positives, *(text for _, text in hard_pairs)]))
        everything = list(dict.fromkeys([*queries, *documents]))
        with self._precision():
            f, g = self._texts.blocks(everything)
        at = {text: row for row, text in enumerate(everything)}
        asked, offered = [at[text] for text in queries], [at[text] for text in documents]
        similarity = combined_similarity((f[asked], g[asked]), (f[offered], g[offered]), self._config.train_w)
        as_tensor = {"device": f.device, "dtype": torch.long}
        hard, easy = negatives(
            torch.tensor(queries, **as_tensor),
            torch.tensor(positives, **as_tensor),
            torch.tensor(hard_pairs, **as_tensor).reshape(-1, 2),
            torch.tensor(documents, **as_tensor),
        )
        column = {text: place for place, text in enumerate(documents)}
        loss = contrastive_loss(
            similarity,
            torch.tensor([column[text] for text in positives], **as_tensor),
            hard,
            easy if in_batch else torch.zeros_like(easy),
            scale=self._config.scale,
            hard_weight=self._config.hard_weight,
        )
        return loss, f, g

    def _precision(self) -> AbstractContextManager[Any]:
        """bfloat16 on a GPU; the losses are worked out in float32 everywhere."""
        torch = require("torch", extra="train", why="training")
        on_gpu = self._tower.device.type == "cuda"
        found: AbstractContextManager[Any] = torch.autocast("cuda", dtype=torch.bfloat16) if on_gpu else nullcontext()
        return found

    def _rate(self, step: int) -> float:
        """The learning rate: up in a line, then down in a line to 0 after the last step."""
        rising = max(1, round(self._config.warmup * self.steps))
        share = step / rising if step <= rising else (self.steps + 1 - step) / (self.steps + 1 - rising)
        return self._config.lr * share

    def _measured(self, evaluate: Evaluate) -> dict[str, float]:
        """The evaluator's scores; whatever it draws at random does not touch the run."""
        torch = require("torch", extra="train", why="training")
        self._model.eval()
        with torch.random.fork_rng(), torch.no_grad():
            return {name: float(value) for name, value in evaluate(self._model).items()}

    def _note(self, line: dict[str, Any], watch: Watch | None) -> None:
        self.curves.add(line)
        if watch:
            watch(line)


def drawn(count: int, size: int, step: int, *, seed: int, shuffle: bool) -> list[int]:
    """The places of batch `step`, the first being 0, in an endless row of epochs, each in an order of its own."""
    batches = math.ceil(count / size)
    epoch, place = divmod(step, batches)
    order = _order(count, seed, epoch) if shuffle else np.arange(count)
    return [int(at) for at in order[place * size : (place + 1) * size]]


@lru_cache(maxsize=4)
def _order(count: int, seed: int, epoch: int) -> np.ndarray:
    return np.random.default_rng([seed, epoch]).permutation(count)


def _check(config: TowerTraining, examples: Sequence[Example], replay: Sequence[Example]) -> None:
    if not examples:
        kinds = f" with positives of kind {', '.join(config.positive_kinds)}" if config.positive_kinds else ""
        raise InputError(f"there are no examples{kinds}; expected one at least")
    if not config.in_batch and not all(example.negatives for example in examples):
        raise InputError("an example has no negatives and in_batch is off: it would teach nothing. Turn in_batch on")
    if config.distance_weight and not replay:
        raise InputError("distance_weight needs replay: it is held on ordinary text only, never on negated pairs")
