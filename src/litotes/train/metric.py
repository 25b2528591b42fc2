"""The metric's recipe: a small cross-encoder learns how much of a reference a candidate keeps."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from litotes.errors import InputError, require
from litotes.models.loading import device_of, fingerprint
from litotes.models.scorer import Scorer, grow_scorer, load_scorer, save_scorer
from litotes.models.scorer.build import SHORTEST
from litotes.models.scorer.scorer import Tokens, framing, padded, pair_tokens
from litotes.models.tower.build import Base, find_base
from litotes.train.batches import drawn
from litotes.train.checkpoints import Curves, restore, save
from litotes.train.config import check_settings
from litotes.train.examples import Example
from litotes.train.rankers import Learner
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
)
from litotes.train.surprise import surprise_loss

if TYPE_CHECKING:
    from torch import Tensor

PIECES = 2
"""a batch is run in so many pieces of like length: little of it is padding"""
NOTHING = np.zeros((0, 2), dtype=np.float16)
EAR = "surprise."
KEPT, DENIED = 1.0, 0.0
"""what a positive and a negative are worth where a file has no scores"""
UNRATED = math.nan
"""of a pair that is there to be heard alone, not judged"""


@dataclass(frozen=True, slots=True)
class MetricTraining:
    """One run's settings; the same settings and pairs give the same metric on a CPU."""

    base: str = "minilm"
    start: str = ""
    """a metric to go on from, by its folder or name; none begins with the base's own layers"""
    shared_layers: int = 3
    """the base's lower layers, which stay as they are"""
    own_layers: int = 3
    lr: float = 3e-4
    warmup: float = 0.1
    """the share of the steps over which the learning rate rises; then it falls to 0"""
    weight_decay: float = 0.01
    clip: float = 1.0
    """the longest gradient; longer ones are shortened"""
    epochs: int = 2
    batch: int = 64
    max_tokens: int = 256
    """of a pair; longer ones are cut while the metric trains, and windowed when it is used"""
    shuffle: bool = True
    surprise_weight: float = 0.0
    """how much it counts to guess what a language model says of each token; that has to be given (surprise.py)"""
    seed: int = 0
    order: int = 0
    """another order of the pairs from the same start: such runs can be averaged (averaging.py)"""

    max_general_loss: ClassVar[None] = None

    def __post_init__(self) -> None:
        if self.max_tokens < SHORTEST:
            raise InputError(f"max_tokens is {self.max_tokens}; expected {SHORTEST} or more: two texts share them")
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
        return asdict(self)


def train_metric(
    config: MetricTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    out: Path | str | None = None,
    manifest: Sequence[Mapping[str, Any]] = (),
    heard: Mapping[tuple[str, str], np.ndarray] | None = None,
    evaluate: Evaluate | None = None,
    watch: Watch | None = None,
    device: str | None = None,
    checkpoint_every: int = 500,
) -> Trained:
    """Trains a metric on a CPU or a GPU; in a folder, a run that was cut short goes on where its checkpoint stands.

    Scored pairs are taken as they are; of triples, contrasts and quadruples the positive is worth 1 and a negative 0.
    `heard` is what a language model says of pairs (surprise.py): with a `surprise_weight` that is learnt too, also of
    pairs whose score is UNRATED. `evaluate` is called with a ranker after every epoch. The model is saved in the
    folder's `model`.
    """
    alone("metric")
    torch = require("torch", extra="train", why="training")
    if replay:
        raise InputError("the metric has no replay: give ordinary pairs as data, with a score each")
    pairs = [pair for example in examples for pair in scored(example)]
    if not pairs:
        raise InputError("there are no examples; expected one at least")
    if config.surprise_weight and not heard:
        raise InputError(
            f"surprise_weight is {config.surprise_weight}, and nothing was heard; expected `heard` with it"
        )
    base = find_base(config.base)
    where = device_of(device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    folder = None if out is None else Path(out)
    facts = facts_of(config, base, examples)
    torch.manual_seed(config.seed + config.order)
    scorer = _begun(config, base, where, str(out or "metric"))
    with plain_errors(config):
        loop = _Loop(config, scorer, pairs, folder, fingerprint(facts), heard or {})
        if folder:
            describe(folder, facts, manifest, where)
        loop.go(evaluate, watch, checkpoint_every)
    scorer.model.eval()
    if folder:
        save_scorer(scorer, folder / "model", base=base)
    return Trained(scorer, tuple(loop.curves.lines), loop.done, folder, loop.done // loop.steps_an_epoch)


def _begun(config: MetricTraining, base: Base, device: str, name: str) -> Scorer:
    """A metric as its training begins."""
    torch = require("torch", extra="train", why="training")
    shape = {"shared_layers": config.shared_layers, "own_layers": config.own_layers, "longest": config.max_tokens}
    scorer = grow_scorer(base, **shape, seed=config.seed, device=device, name=name)
    if config.surprise_weight:
        with torch.random.fork_rng():
            torch.manual_seed(config.seed)
            scorer.model.with_surprise()
    if config.start:
        _go_on_from(config.start, scorer, base)
    return scorer


def _go_on_from(start: str, scorer: Scorer, base: Base) -> None:
    """The weights of a metric of the same shape, in place of the fresh ones; an ear it has not is left untaught."""
    torch = require("torch", extra="train", why="training")
    found = dict(load_scorer(start, base=base, device="cpu").model.own_parameters())
    own = dict(scorer.model.own_parameters())
    deaf = {name: value.shape for name, value in own.items() if name in found or not name.startswith(EAR)}
    if deaf != {name: value.shape for name, value in found.items() if name in own or not name.startswith(EAR)}:
        raise InputError(f"{start} has other layers than these settings; expected the same own_layers and base")
    with torch.no_grad():
        for name in deaf:
            own[name].copy_(found[name])


def count(config: MetricTraining, examples: Sequence[Example]) -> int:
    """How many scored pairs an epoch has."""
    return sum(len(list(scored(example))) for example in examples)


def scored(example: Example) -> Iterator[tuple[str, str, float]]:
    """The pairs of an example, with what each candidate is worth."""
    if example.score is not None:
        yield example.query, example.positive, example.score
        return
    yield example.query, example.positive, KEPT
    yield from ((example.query, text, DENIED) for text in example.negatives)


class _Loop:
    """One run: its pairs as tokens, its optimiser, and where it stands."""

    def __init__(
        self,
        config: MetricTraining,
        scorer: Scorer,
        pairs: Sequence[tuple[str, str, float]],
        folder: Path | None,
        run: str,
        heard: Mapping[tuple[str, str], np.ndarray],
    ) -> None:
        torch = require("torch", extra="train", why="training")
        self._config, self._scorer, self._folder, self._run = config, scorer, folder, run
        self._model = scorer.model
        texts = [(reference, candidate) for reference, candidate, _ in pairs]
        self._tokens: list[Tokens] = []
        for start in range(0, len(texts), 10_000):
            piece = texts[start : start + 10_000]
            self._tokens += pair_tokens(scorer.tokenizer, piece, longest=config.max_tokens)
        self._worth = [worth for *_, worth in pairs]
        self._heard = self._fitting([heard.get(text, NOTHING) for text in texts])
        values = [value for _, value in self._model.own_parameters()]
        self._optimiser = torch.optim.AdamW(values, lr=config.lr, weight_decay=config.weight_decay)
        self.steps_an_epoch = math.ceil(len(pairs) / config.batch)
        self.steps = config.epochs * self.steps_an_epoch
        self.done, _ = restore(folder, self._model, self._optimiser, run=run) if folder else (0, {})
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        self.curves = Curves(folder, until=self.done or -1)

    def go(self, evaluate: Evaluate | None, watch: Watch | None, checkpoint_every: int) -> None:
        """All the steps that are left."""
        noted: list[float] = []
        started = time.monotonic()
        for step in range(self.done + 1, self.steps + 1):
            self._model.train()
            noted.append(self._step(step))
            epoch_ends = step % self.steps_an_epoch == 0
            kept = self._folder is not None and (epoch_ends or step % checkpoint_every == 0)
            # A mean never reaches across a checkpoint, so that a run cut short writes the same curves.
            if step % NOTE_EVERY == 0 or epoch_ends or kept:
                mean, seconds = sum(noted) / len(noted), round(time.monotonic() - started, 1)
                noted.clear()
                lr = rate(self._config, step, self.steps)
                self._note({"step": step, "loss": mean, "lr": lr, "seconds": seconds}, watch)
            if epoch_ends and evaluate:
                self._note(self._measured(step, evaluate), watch)
            if self._folder and kept:
                save(self._folder, self._model, self._optimiser, step=step, run=self._run)
            self.done = step

    def _measured(self, step: int, evaluate: Evaluate) -> dict[str, Any]:
        """An epoch's scores."""
        learner = Learner(self._scorer.name, self._model, partial(self._scorer.score, cut=True))
        scores = measured(self._model, lambda _: evaluate(learner))
        return {"step": step, "epoch": step // self.steps_an_epoch, "scores": scores}

    def _step(self, step: int) -> float:
        """One update; what the loss was before it."""
        torch = require("torch", extra="train", why="training")
        config = self._config
        for group in self._optimiser.param_groups:
            group["lr"] = rate(config, step, self.steps)
        chosen = drawn(
            len(self._tokens), config.batch, step - 1, seed=config.seed + config.order, shuffle=config.shuffle
        )
        self._optimiser.zero_grad()
        total = 0.0
        for rows in self._pieces(chosen):
            loss = self._loss(rows) / len(chosen)
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        if not math.isfinite(total):
            raise runaway(total, step, self.steps, config)
        torch.nn.utils.clip_grad_norm_([value for _, value in self._model.own_parameters()], config.clip)
        self._optimiser.step()
        return total

    def _pieces(self, chosen: Sequence[int]) -> Iterator[list[int]]:
        ordered = sorted(chosen, key=lambda at: (len(self._tokens[at].ids), at))
        size = math.ceil(len(ordered) / PIECES)
        return (ordered[start : start + size] for start in range(0, len(ordered), size))

    def _loss(self, rows: Sequence[int]) -> Tensor:
        """The cross-entropy of each worth, summed: a worth is taken for the chance that the message is kept."""
        torch = require("torch", extra="train", why="training")
        padding = int(self._scorer.tokenizer.pad_token_id or 0)
        device = self._model.device
        model, weight = self._model, self._config.surprise_weight
        ids, mask, sides = padded([self._tokens[at] for at in rows], padding, device)
        worth = torch.tensor([self._worth[at] for at in rows], device=device)
        with self._precision():
            logits, levels = model.read(ids, mask, sides)
            guessed = None if model.surprise is None else model.surprise(levels, mask)
        known = ~worth.isnan()
        loss: Tensor = torch.nn.functional.binary_cross_entropy_with_logits(
            logits.float()[known], worth[known], reduction="sum"
        )
        if guessed is None:
            return loss
        heard = [self._heard[at] for at in rows]
        return loss + weight * surprise_loss(guessed.float(), heard, model.words(ids, mask), sides).sum()

    def _fitting(self, heard: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What was heard of each pair, where that is a row for each of its words: a long pair is cut."""
        around = framing(self._scorer.tokenizer)
        words = (len(row.ids) - int(np.isin(row.ids, around).sum()) for row in self._tokens)
        return [values if len(values) == count else NOTHING for values, count in zip(heard, words, strict=True)]

    def _precision(self) -> AbstractContextManager[Any]:
        torch = require("torch", extra="train", why="training")
        on_gpu = self._model.device.type == "cuda"
        found: AbstractContextManager[Any] = torch.autocast("cuda", dtype=torch.bfloat16) if on_gpu else nullcontext()
        return found

    def _note(self, line: dict[str, Any], watch: Watch | None) -> None:
        self.curves.add(line)
        if watch:
            watch(line)
