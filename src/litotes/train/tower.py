"""The tower's recipe: the base frozen, the loss on the similarity of both blocks together."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.loading import device_of, fingerprint
from litotes.models.tower.build import find_base, grow, tower_of
from litotes.models.tower.delta import save_delta
from litotes.train.batches import drawn
from litotes.train.checkpoints import Curves, restore, save
from litotes.train.choosing import choose, lost_too_much, point_of
from litotes.train.config import TowerTraining
from litotes.train.examples import Example
from litotes.train.losses import combined_similarity, contrastive_loss, distance_to_base, negatives, strangers
from litotes.train.runs import (
    NOTE_EVERY,
    Evaluate,
    Trained,
    Watch,
    alone,
    describe,
    facts_of,
    measured,
    plain_errors,
    rate,
    runaway,
    usable,
)
from litotes.train.texts import Texts

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

_ALMOST_NOTHING = 1e-6
_SHAPE = ("shared_layers", "own_layers", "width", "default_w", "seed")


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
    is called with the model after every epoch and its scores go into the curves; `watch` sees every line of them. With
    `max_general_loss` the base is measured too, before the first epoch, and choosing.py says which epoch is kept.
    `manifest` is written into run.json: `Reading.line()` of every file that was read.
    """
    alone("tower")
    torch = require("torch", extra="train", why="training")
    kept = usable(config, examples, replay)
    if config.max_general_loss is not None and evaluate is None:
        raise InputError("max_general_loss is set and nothing measures the model; give an evaluator, or leave it unset")
    base = find_base(config.base)
    where = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    folder = None if out is None else Path(out)
    facts = facts_of(config, base, kept, replay)
    torch.manual_seed(config.seed + config.order)
    model = grow(base, **{name: getattr(config, name) for name in _SHAPE}, device=where)
    with plain_errors(config):
        loop = _Loop(config, model, kept, replay, folder, fingerprint(facts))
        if folder:
            # only now, when it is known that the folder holds no other run
            describe(folder, facts, manifest, where)
        loop.go(evaluate, watch, checkpoint_every)
        epoch = loop.settle()
    model.eval()
    if folder:
        save_delta(model, folder / "tower", base=base)
    return Trained(model, tuple(loop.curves.lines), loop.done, folder, epoch)


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
        self.done, self._chosen = restore(folder, self._tower, self._optimiser, run=run) if folder else (0, {})
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        self.curves = Curves(folder, until=self.done or -1)
        measured_before = [line for line in self.curves.lines if "scores" in line and self._limit is not None]
        self._points = [point_of(line["epoch"], line["scores"]) for line in measured_before]
        self._texts = Texts([*examples, *replay], self._tower, model.tokenizer, max_tokens=config.max_tokens)

    def go(self, evaluate: Evaluate | None, watch: Watch | None, checkpoint_every: int) -> None:
        """All the steps that are left, or those until general ability has fallen too far."""
        if evaluate and self._limit is not None and not self._points:
            self._measure_base(evaluate, watch)
        if self.done < self.steps and not self._fell():
            self._texts.prepare(remember=self._config.remember)
        noted: list[float] = []
        started = time.monotonic()
        for step in range(self.done + 1, self.steps + 1):
            if self._fell():
                break
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
                self._measure(evaluate, step, watch)
            if self._folder and kept:
                save(self._folder, self._tower, self._optimiser, step=step, run=self._run, chosen=self._chosen)
            self.done = step

    def settle(self) -> int:
        """Puts the chosen epoch's weights into the tower, where there is a choice; the epoch these are of."""
        torch = require("torch", extra="train", why="training")
        if self._limit is None:
            return self.done // self.steps_an_epoch
        epoch = int(choose(self._points, self._limit).at)
        if not epoch:
            raise InputError(
                f"every epoch lost more than {self._limit} of the base's general ability, or heard negation no better. "
                f"Lower default_w (it is {self._config.default_w}) or lr (it is {self._config.lr}), or allow more loss"
            )
        with torch.no_grad():
            for name, value in self._tower.own_parameters():
                value.copy_(self._chosen[name])
        return epoch

    @property
    def _limit(self) -> float | None:
        return self._config.max_general_loss

    def _fell(self) -> bool:
        """Whether the last epoch lost more general ability than was asked."""
        return self._limit is not None and lost_too_much(self._points[0], self._points[-1], self._limit)

    def _measure_base(self, evaluate: Evaluate, watch: Watch | None) -> None:
        """The start, against which loss is counted: the base alone, which a tower is at a dial of almost nothing."""
        shape = self._tower.config
        dial, shape.default_w = shape.default_w, _ALMOST_NOTHING
        try:
            self._measure(evaluate, 0, watch)
        finally:
            shape.default_w = dial

    def _measure(self, evaluate: Evaluate, step: int, watch: Watch | None) -> None:
        """An epoch's scores, and its weights where they are the best so far."""
        epoch, scores = step // self.steps_an_epoch, measured(self._model, evaluate)
        if self._limit is not None:
            self._points.append(point_of(epoch, scores))
            if step and choose(self._points, self._limit) is self._points[-1]:
                self._chosen = {name: value.detach().cpu().clone() for name, value in self._tower.own_parameters()}
        self._note({"step": step, "epoch": epoch, "scores": scores}, watch)

    def _step(self, step: int) -> float:
        """One update; what the loss was before it."""
        torch = require("torch", extra="train", why="training")
        config = self._config
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate(step)
        order = config.seed + config.order
        chosen = drawn(len(self._examples), config.batch, step - 1, seed=order, shuffle=config.shuffle)
        batch = [self._examples[at] for at in chosen]
        loss, base, tower = self._loss(batch, in_batch=config.in_batch)
        if config.strangers_weight:
            apart = self._strangers(batch).to(base.device)
            loss = loss + config.strangers_weight * distance_to_base(base, tower, apart)
        if self._replay:
            options = {"seed": order, "together": config.replay_together}
            chosen = drawn(len(self._replay), config.replay_batch, step - 1, shuffle=True, **options)
            again, base, tower = self._loss([self._replay[at] for at in chosen], in_batch=True)
            loss = loss + config.replay_weight * again
            if config.distance_weight:
                loss = loss + config.distance_weight * distance_to_base(base, tower)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise runaway(value, step, self.steps, config)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_([value for _, value in self._tower.own_parameters()], config.clip)
        self._optimiser.step()
        return value

    def _strangers(self, batch: Sequence[Example]) -> Tensor:
        """Which texts of a batch have no example in common, in the order in which `_loss` gives their blocks."""
        torch = require("torch", extra="train", why="training")
        column = {text: place for place, text in enumerate(self._named(batch))}
        members = torch.zeros(len(batch), len(column))
        for row, example in enumerate(batch):
            for text in (example.query, example.positive, *example.negatives):
                members[row, column[self._texts.number(text)]] = 1
        return strangers(members)

    def _named(self, batch: Sequence[Example]) -> list[int]:
        """The numbers of a batch's texts, each once: the queries, the positives, the negatives."""
        number = self._texts.number
        queries, positives = [example.query for example in batch], [example.positive for example in batch]
        hard = [text for example in batch for text in example.negatives]
        return list(dict.fromkeys(map(number, (*queries, *positives, *hard))))

    def _loss(self, batch: Sequence[Example], *, in_batch: bool) -> tuple[Tensor, Tensor, Tensor]:
        """The loss of a batch, and the blocks f and g of its texts."""
        torch = require("torch", extra="train", why="training")
        number = self._texts.number
        queries = [number(example.query) for example in batch]
        positives = [number(example.positive) for example in batch]
        hard_pairs = [(row, number(text)) for row, example in enumerate(batch) for text in example.negatives]
        documents = list(dict.fromkeys([*positives, *(text for _, text in hard_pairs)]))
        everything = self._named(batch)
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
        return rate(self._config, step, self.steps)

    def _note(self, line: dict[str, Any], watch: Watch | None) -> None:
        self.curves.add(line)
        if watch:
            watch(line)
