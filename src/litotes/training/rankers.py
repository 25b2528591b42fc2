"""What the recipes for rankers share: settings, the run, the ranker in training, and the minimal-pair margin."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Unpack

from litotes.errors import InputError, require
from litotes.models.base_encoder import Base
from litotes.models.loading import digest, find
from litotes.training.batches import EpochSampler
from litotes.training.config import check_settings
from litotes.training.examples import Example
from litotes.training.loop import fit, open_run
from litotes.training.run import Run, RunOptions, Trained, run_facts, select_examples

if TYPE_CHECKING:
    import numpy as np

    from litotes.types import Ranker

NO_LIMIT = 1_000_000
"""Tokens; a model that is loaded with it keeps the length it was saved with."""


@dataclass(frozen=True, slots=True)
class RankerTraining:
    """The settings that every ranker's recipe has."""

    base: str = ""
    """A folder or a hub name."""
    replay_weight: float = 1.0
    positive_kinds: tuple[str, ...] = ()
    """The kinds of positives to use; the default is all."""

    lr: float = 2e-5
    warmup: float = 0.1
    """The share of the steps over which the learning rate rises; then it falls to 0."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient; larger ones are scaled down."""
    epochs: int = 20
    batch: int = 32
    """Examples per step and device; a query with its positive and its negatives is one example."""
    replay_batch: int = 32
    max_tokens: int = 256
    """Longer texts are cut during training; the saved model keeps its own limit."""
    shuffle: bool = True
    precision: str = "auto"
    """auto is bfloat16 on a GPU that supports it, else float32."""
    max_general_loss: float | None = None
    """Stop when general ability falls by more, and keep the best epoch that lost less; None keeps the last epoch."""
    seed: int = 0

    distance_weight: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


class TrainableRanker(Protocol):
    """A family's ranker with its trainer."""

    ranker: Any
    """The family's adapter around the model that is trained."""

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, EpochSampler]:
        """Return the family's trainer and the sampler of its batches."""
        ...

    def finish(self, folder: Path | None) -> None:
        """Restore the model's own settings after the last step and, if there is a folder, save it there."""
        ...


@dataclass(frozen=True, slots=True)
class RankerInTraining:
    """A ranker whose weights still change: it scores like its family's adapter but has no fingerprint."""

    name: str
    model: Any = field(repr=False)
    """The library's own model."""
    score: Callable[[Sequence[str], Sequence[str]], np.ndarray] = field(repr=False)
    """Takes queries and one document for each; returns how well each document answers."""


@dataclass(frozen=True, slots=True)
class MatrixRankerInTraining(RankerInTraining):
    """A ranker in training that can score every query with every document at once."""

    matrix: Callable[[Sequence[str], Sequence[str]], np.ndarray] = field(repr=False)


def ranker_in_training(ranker: Any) -> RankerInTraining:
    """Return an adapter as an evaluator sees it while its model is trained."""
    if hasattr(ranker, "matrix"):
        return MatrixRankerInTraining(ranker.name, ranker.model, ranker.score, ranker.matrix)
    return RankerInTraining(ranker.name, ranker.model, ranker.score)


def train_ranker(
    config: RankerTraining,
    load: Callable[[Any, Base, str], TrainableRanker],
    examples: Sequence[Example],
    *,
    family: str,
    organisation: str = "",
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a ranker of any family; `load` takes the settings, the base and the device."""
    selected = select_examples(config, examples, replay)
    source = find(config.base, family=family, organisation=organisation)
    base = Base(config.base, digest(source.folder), source)
    with open_run(config, run_facts(config, base, selected, replay), **options) as run:
        trainable = load(config, base, run.device)
        ranker = ranker_in_training(trainable.ranker)
        evaluate = options.get("evaluate")
        run.evaluate = run.evaluate_start = evaluate and (lambda _: evaluate(ranker))
        trainer, sampler = trainable.trainer(run, selected, replay)
        trained = fit(run, trainer, sampler=sampler)
        trainable.finish(run.folder / "model" if run.folder and run.saves else None)
    return replace(trained, model=ranker)


def ranker_sampler(config: RankerTraining, examples: Sequence[Example], replay: Sequence[Example]) -> EpochSampler:
    """Return the sampler of a ranker's batches."""
    return EpochSampler(
        len(examples),
        config.batch,
        replay=len(replay),
        replay_batch=config.replay_batch,
        seed=config.seed,
        shuffle=config.shuffle,
    )


def index_dataset(examples: Sequence[Example], replay: Sequence[Example]) -> Any:
    """Return the data set a trainer draws from: the indices of the examples, then those of the replayed ones."""
    return require("datasets", extra="train", why="training").Dataset.from_dict(
        {"at": range(len(examples) + len(replay))}
    )


def refuse_without_negatives(examples: Sequence[Example]) -> None:
    """Raise InputError for an example without negatives: a ranker must also see documents that do not answer."""
    for index, example in enumerate(examples):
        if not example.negatives:
            raise InputError(
                f"example {index + 1} of {len(examples)} has no negatives ({example.query[:40]!r}); expected at least "
                "one. Pass ordinary pairs of a query and its passage as replay"
            )


def with_unrelated_negatives(replay: Sequence[Example], *, seed: int) -> list[Example]:
    """Give each replayed pair without negatives a passage of another query as its negative."""
    order = list(range(len(replay)))
    random.Random(seed).shuffle(order)
    position = {index: row for row, index in enumerate(order)}
    completed = []
    for index, example in enumerate(replay):
        if example.negatives:
            completed.append(example)
            continue
        others = (replay[order[(position[index] + step) % len(order)]] for step in range(1, len(order)))
        unrelated = next((other.positive for other in others if _are_unrelated(example, other)), None)
        if unrelated is None:
            raise InputError(
                f"replay has no passage except for the query {example.query[:40]!r}; expected pairs of several queries"
            )
        completed.append(replace(example, negatives=(unrelated,)))
    return completed


def _are_unrelated(example: Example, other: Example) -> bool:
    return other.query != example.query and other.positive not in (example.positive, example.query)


def minimal_pair_margin(ranker: Ranker, examples: Sequence[Example]) -> float:
    """Return the mean margin by which a query's own document scores above its negation, in the ranker's own unit.

    It is to a ranker what the minimal-pair cosine is to an encoder: near 0 if the ranker does not tell the two apart,
    negative if it prefers the wrong one.
    """
    pairs = [(example, negative) for example in examples for negative in example.negatives]
    if not pairs:
        raise InputError("no example has a negative; a minimal-pair margin needs texts with their negations")
    queries = [example.query for example, _ in pairs]
    positives, negatives = [example.positive for example, _ in pairs], [negative for _, negative in pairs]
    scores = ranker.score([*queries, *queries], [*positives, *negatives])
    return float((scores[: len(pairs)] - scores[len(pairs) :]).mean())
