"""The metric's recipe: a small cross-encoder learns how much of a reference a candidate keeps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from litotes.errors import InputError, require
from litotes.models.scorer import MetricScorer, load_scorer, new_scorer, save_scorer
from litotes.models.scorer.build import SHORTEST
from litotes.models.tower.build import Base, find_base
from litotes.training.batches import EpochSampler
from litotes.training.config import check_settings
from litotes.training.examples import Example
from litotes.training.loop import fit, open_run
from litotes.training.rankers import RankerInTraining
from litotes.training.run import Run, RunOptions, Trained, refuse_labels, run_facts

if TYPE_CHECKING:
    import numpy as np

SURPRISAL_HEAD = "surprise."
"""How the names of the weights of the surprisal head begin."""
KEPT, DENIED = 1.0, 0.0
"""The scores of a positive and a negative of a file without scores."""
UNRATED = math.nan
"""The score of a pair that is used for its surprisal alone."""


@dataclass(frozen=True, slots=True)
class MetricTraining:
    """The settings of one run; the same settings and pairs give the same metric on a CPU."""

    base: str = "minilm"
    start: str = ""
    """A metric to start from, by its folder or name; the default is to start from the base's own layers."""
    shared_layers: int = 3
    """The base's lower layers, which stay frozen."""
    own_layers: int = 3
    lr: float = 3e-4
    warmup: float = 0.1
    """The share of the steps over which the learning rate rises; then it falls to 0."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient; larger ones are scaled down."""
    epochs: int = 2
    batch: int = 64
    """Pairs per step and device."""
    max_tokens: int = 256
    """Longer pairs are cut during training; in use they are scored in windows."""
    shuffle: bool = True
    surprisal_weight: float = 0.0
    """The weight of predicting a language model's log-probability of each token (surprisal.py)."""
    seed: int = 0
    order: int = 0
    """Another order of the pairs from the same start: such runs can be averaged (averaging.py)."""

    max_general_loss: ClassVar[None] = None

    def __post_init__(self) -> None:
        if self.max_tokens < SHORTEST:
            raise InputError(f"max_tokens is {self.max_tokens}; expected {SHORTEST} or more: two texts share them")
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)


def train_metric(
    config: MetricTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    log_probabilities: Mapping[tuple[str, str], np.ndarray] | None = None,
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a metric on a CPU, a GPU or, under torchrun, several; return it and its curves.

    Scored pairs are used as they are; of triples, contrasts and quadruples the positive scores 1 and a negative 0.
    `log_probabilities` are a language model's of the tokens of pairs (surprisal.py): with a `surprisal_weight` the
    metric learns to predict them, also for pairs whose score is UNRATED. `RunOptions` lists the other options. The
    evaluator is called with a ranker after every epoch. The metric is saved in the folder `model` of the run.
    """
    if replay:
        raise InputError("the recipe metric has no replay; pass ordinary pairs as data, each with a score")
    refuse_labels(examples)
    pairs = [pair for example in examples for pair in scored_pairs(example)]
    if not pairs:
        raise InputError("there are no examples; expected at least one")
    if config.surprisal_weight and not log_probabilities:
        raise InputError(
            f"surprisal_weight is {config.surprisal_weight} but there are no log_probabilities; expected both or none"
        )
    base = find_base(config.base)
    with open_run(config, run_facts(config, base, examples), **options) as run:
        scorer = _start(config, base, run.device, str(options.get("out") or "metric"))
        ranker = RankerInTraining(scorer.name, scorer.model, partial(_score_documents, scorer))
        evaluate = options.get("evaluate")
        run.evaluate, run.evaluate_start = evaluate and (lambda _: evaluate(ranker)), None
        trainer, sampler = _trainer(run, config, scorer, pairs, log_probabilities or {})
        trained = fit(run, trainer, sampler=sampler)
        if run.folder and run.saves:
            save_scorer(scorer, run.folder / "model", base=base)
    return replace(trained, model=scorer)


def _score_documents(scorer: MetricScorer, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
    """Score each document as a candidate for its query, which is the reference."""
    return scorer.score(documents, queries, cut=True)


def _trainer(
    run: Run,
    config: MetricTraining,
    scorer: MetricScorer,
    pairs: Sequence[tuple[str, str, float]],
    log_probabilities: Mapping[tuple[str, str], np.ndarray],
) -> tuple[Any, EpochSampler]:
    from litotes.training.frozen_base import frozen_base_trainer
    from litotes.training.metric_loss import MetricLoss

    module = MetricLoss(
        scorer,
        pairs,
        max_tokens=config.max_tokens,
        surprisal_weight=config.surprisal_weight,
        log_probabilities=log_probabilities,
    )
    seed = config.seed + config.order
    sampler = EpochSampler(len(pairs), config.batch * run.processes, seed=seed, shuffle=config.shuffle)
    return frozen_base_trainer(run, module, sampler, items=len(pairs), seed=seed), sampler


def _start(config: MetricTraining, base: Base, device: str, name: str) -> MetricScorer:
    """Return the metric before its first step."""
    torch = require("torch", extra="train", why="training")
    shape = {"shared_layers": config.shared_layers, "own_layers": config.own_layers, "longest": config.max_tokens}
    scorer = new_scorer(base, **shape, seed=config.seed, device=device, name=name)
    if config.surprisal_weight:
        with torch.random.fork_rng():
            torch.manual_seed(config.seed)
            scorer.model.with_surprise()
    if config.start:
        _load_start(config.start, scorer, base)
    return scorer


def _load_start(start: str, scorer: MetricScorer, base: Base) -> None:
    """Load the weights of a metric of the same shape. A surprisal head that it lacks keeps its initial weights."""
    torch = require("torch", extra="train", why="training")
    saved = dict(load_scorer(start, base=base, device="cpu").model.own_parameters())
    own = dict(scorer.model.own_parameters())
    shapes = {name: value.shape for name, value in own.items() if name in saved or not name.startswith(SURPRISAL_HEAD)}
    if shapes != {
        name: value.shape for name, value in saved.items() if name in own or not name.startswith(SURPRISAL_HEAD)
    }:
        raise InputError(f"{start} has other layers than these settings; expected the same own_layers and base")
    with torch.no_grad():
        for name in shapes:
            own[name].copy_(saved[name])


def count(config: MetricTraining, examples: Sequence[Example], replay: Sequence[Example] = ()) -> int:
    """Return the number of scored pairs per epoch."""
    return sum(len(list(scored_pairs(example))) for example in examples)


def scored_pairs(example: Example) -> Iterator[tuple[str, str, float]]:
    """Yield the pairs of an example: reference, candidate and score."""
    if example.score is not None:
        yield example.query, example.positive, example.score
        return
    yield example.query, example.positive, KEPT
    yield from ((example.query, text, DENIED) for text in example.negatives)
