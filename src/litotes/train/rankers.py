"""What the recipes of rankers share: their settings, the run, the ranker as an evaluator sees it, its twin margin."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from litotes.errors import InputError, require
from litotes.models.loading import digest, find
from litotes.models.tower.build import Base
from litotes.train.batches import Plan
from litotes.train.config import check_settings
from litotes.train.examples import Example
from litotes.train.runs import Evaluate, Trained, Watch, facts_of, usable
from litotes.train.trainer import Run, running

if TYPE_CHECKING:
    import numpy as np

    from litotes.types import Ranker

NO_LIMIT = 1_000_000
"""tokens: a model that is opened with it keeps the length it was saved with"""


@dataclass(frozen=True, slots=True)
class RankerTraining:
    """The settings every ranker's recipe has."""

    base: str = ""
    """a folder or a hub name"""
    replay_weight: float = 1.0
    positive_kinds: tuple[str, ...] = ()
    """the kinds of positives to keep; none named keeps all"""

    lr: float = 2e-5
    warmup: float = 0.1
    """the share of the steps over which the learning rate rises; then it falls to 0"""
    weight_decay: float = 0.01
    clip: float = 1.0
    """the longest gradient; longer ones are shortened"""
    epochs: int = 20
    batch: int = 32
    """examples at once, on each device: a query with its positive and its negatives is one"""
    replay_batch: int = 32
    max_tokens: int = 256
    """longer texts are cut while the model trains; the saved model keeps its own limit"""
    shuffle: bool = True
    precision: str = "auto"
    """auto is bfloat16 on a GPU that has it and float32 elsewhere"""
    max_general_loss: float | None = None
    """stops when general ability falls by more, and keeps the best epoch that lost no more; None keeps the last one"""
    seed: int = 0

    distance_weight: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


class Pupil(Protocol):
    """A family's ranker with what it takes to train it."""

    ranker: Any
    """the family's adapter around the model that learns"""

    def trainer(self, run: Run, examples: Sequence[Example], replay: Sequence[Example]) -> tuple[Any, Plan]:
        """The family's own trainer, and which examples go together."""
        ...

    def leave(self, folder: Path | None) -> None:
        """After the last step: the model as it is used, saved where there is a folder."""
        ...


@dataclass(frozen=True, slots=True)
class Learner:
    """A ranker whose weights change: it scores as its family's adapter does, and no fingerprint vouches for it."""

    name: str
    model: Any = field(repr=False)
    """the library's own model"""
    score: Callable[[Sequence[str], Sequence[str]], np.ndarray] = field(repr=False)
    """queries and the documents beside them → how well each answers"""


@dataclass(frozen=True, slots=True)
class Searcher(Learner):
    """One that can score every query with every document at once."""

    matrix: Callable[[Sequence[str], Sequence[str]], np.ndarray] = field(repr=False)


def learner(ranker: Any) -> Learner:
    """An adapter as an evaluator is to see it while its model learns."""
    if hasattr(ranker, "matrix"):
        return Searcher(ranker.name, ranker.model, ranker.score, ranker.matrix)
    return Learner(ranker.name, ranker.model, ranker.score)


def train_ranker(
    config: RankerTraining,
    pupil: Callable[[Any, Base, str], Pupil],
    examples: Sequence[Example],
    *,
    family: str,
    organisation: str = "",
    replay: Sequence[Example] = (),
    out: Path | str | None = None,
    manifest: Sequence[Mapping[str, Any]] = (),
    evaluate: Evaluate | None = None,
    watch: Watch | None = None,
    device: str | None = None,
    checkpoint_every: int = 500,
) -> Trained:
    """A run of any family: `pupil` opens its ranker from the settings, the base and the device."""
    kept = usable(config, examples, replay)
    source = find(config.base, family=family, organisation=organisation)
    base = Base(config.base, digest(source.folder), source)
    with running(
        config,
        facts_of(config, base, kept, replay),
        out=out,
        manifest=manifest,
        evaluate=evaluate,
        watch=watch,
        device=device,
        checkpoint_every=checkpoint_every,
    ) as run:
        opened = pupil(config, base, run.device)
        seen = learner(opened.ranker)
        run.evaluate = evaluate and (lambda _: evaluate(seen))
        trainer, plan = opened.trainer(run, kept, replay)
        trained = run.fit(trainer, plan=plan)
        opened.leave(run.folder / "model" if run.folder and run.saves else None)
    return replace(trained, model=seen)


def plan_of(config: RankerTraining, examples: Sequence[Example], replay: Sequence[Example]) -> Plan:
    """Which examples go together at which step."""
    return Plan(
        len(examples),
        config.batch,
        replay=len(replay),
        replay_batch=config.replay_batch,
        seed=config.seed,
        shuffle=config.shuffle,
    )


def places_of(examples: Sequence[Example], replay: Sequence[Example]) -> Any:
    """The data set a trainer draws from: the examples' places, and the replayed ones' after them."""
    return require("datasets", extra="train", why="training").Dataset.from_dict(
        {"at": range(len(examples) + len(replay))}
    )


def parts_of(
    rows: Sequence[Mapping[str, int]], examples: Sequence[Example], replay: Sequence[Example]
) -> dict[str, list[Example]]:
    """The examples and the replayed ones of a batch; a part that is empty is left out."""
    count = len(examples)
    places = [row["at"] for row in rows]
    parts = {
        "examples": [examples[at] for at in places if at < count],
        "replay": [replay[at - count] for at in places if at >= count],
    }
    return {name: found for name, found in parts.items() if found}


def refuse_without_negatives(examples: Sequence[Example]) -> None:
    """A ranker that reads query and document together learns from what does not answer, too."""
    for place, example in enumerate(examples):
        if not example.negatives:
            raise InputError(
                f"example {place + 1} of {len(examples)} has no negatives ({example.query[:40]!r}); expected one at "
                "least. Ordinary pairs of a query and its passage belong into replay"
            )


def with_strangers(replay: Sequence[Example], *, seed: int) -> list[Example]:
    """Replayed pairs that have no negatives, each with a passage of another query as its one negative."""
    order = list(range(len(replay)))
    random.Random(seed).shuffle(order)
    place = {at: row for row, at in enumerate(order)}
    found = []
    for at, example in enumerate(replay):
        if example.negatives:
            found.append(example)
            continue
        others = (replay[order[(place[at] + step) % len(order)]] for step in range(1, len(order)))
        strangers = (other.positive for other in others if _strange(example, other))
        stranger = next(strangers, None)
        if stranger is None:
            raise InputError(
                f"replay has no passage but the one for {example.query[:40]!r}; expected pairs of several queries"
            )
        found.append(replace(example, negatives=(stranger,)))
    return found


def _strange(example: Example, other: Example) -> bool:
    return other.query != example.query and other.positive not in (example.positive, example.query)


def twin_margin(ranker: Ranker, examples: Sequence[Example]) -> float:
    """By how much, on average, a query's own document comes before its twin, which denies it.

    To a ranker what the twin cosine is to an encoder: near 0 where the two are the same to it, and below where it takes
    the wrong one. The unit is the ranker's own score.
    """
    pairs = [(example, negative) for example in examples for negative in example.negatives]
    if not pairs:
        raise InputError("no example has a negative; a twin margin needs a text and its negation")
    queries = [example.query for example, _ in pairs]
    scores = ranker.score([*queries, *queries], [*(each.positive for each, _ in pairs), *(twin for _, twin in pairs)])
    return float((scores[: len(pairs)] - scores[len(pairs) :]).mean())
