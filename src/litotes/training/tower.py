"""The tower's recipe: the base is frozen, and the loss is computed on the similarity of both blocks together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from litotes.errors import InputError
from litotes.models.base_encoder import find_base
from litotes.models.tower.build import new_tower, tower_of
from litotes.models.tower.delta import save_delta
from litotes.training.batches import EpochSampler
from litotes.training.config import TowerTraining
from litotes.training.examples import Example
from litotes.training.loop import fit, open_run
from litotes.training.run import Run, RunOptions, Trained, run_facts, select_examples
from litotes.training.tower_texts import TowerTexts

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_BASE_ALONE = 1e-6
"""A dial at which a tower encodes as its base does."""
_SHAPE = ("shared_layers", "own_layers", "width", "default_w", "rank", "seed")


def train_tower(
    config: TowerTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a tower on a CPU, a GPU or, under torchrun, several; return it and its curves.

    `replay` are ordinary pairs of a query and its passage; every batch of examples comes with a batch of them.
    `RunOptions` lists the other options. The evaluator is called with the model after every epoch; with
    `max_general_loss` also with the base, before the first epoch, and its scores decide which epoch is kept
    (choosing.py). The tower is saved in the folder `tower` of the run.
    """
    selected = select_examples(config, examples, replay)
    base = find_base(config.base)
    with open_run(config, run_facts(config, base, selected, replay), **options) as run:
        model = new_tower(base, **{name: getattr(config, name) for name in _SHAPE}, device=run.device)
        _evaluate_model(run, model, options.get("evaluate"))
        trainer, sampler = _trainer(run, config, model, selected, replay)
        trained = fit(run, trainer, sampler=sampler)
        if config.max_general_loss is not None and not trained.epoch:
            raise InputError(
                f"every epoch lost more than {config.max_general_loss} of the base's general ability, or heard "
                f"negation no better. Lower default_w (it is {config.default_w}) or lr (it is {config.lr}), or allow "
                "more loss"
            )
        model.eval()
        if run.folder and run.saves:
            save_delta(model, run.folder / "tower", base=base)
        tower_of(model).merge()
    return replace(trained, model=model)


def _evaluate_model(run: Run, model: SentenceTransformer, evaluate: Any) -> None:
    """Let the run evaluate the model; the start, if an epoch is chosen, is the base."""
    if evaluate is None:
        return

    def evaluate_base(_: Any) -> Mapping[str, float]:
        with _dial(model, _BASE_ALONE):
            scores: Mapping[str, float] = evaluate(model)
            return scores

    run.evaluate = lambda _: evaluate(model)
    run.evaluate_start = evaluate_base if run.config.max_general_loss is not None else None


@contextmanager
def _dial(model: SentenceTransformer, w: float) -> Iterator[None]:
    """Encode with another default dial."""
    shape = tower_of(model).config
    default, shape.default_w = shape.default_w, w
    try:
        yield
    finally:
        shape.default_w = default


def _trainer(
    run: Run,
    config: TowerTraining,
    model: SentenceTransformer,
    examples: Sequence[Example],
    replay: Sequence[Example],
) -> tuple[Any, EpochSampler]:
    from litotes.training.frozen_base import frozen_base_trainer
    from litotes.training.tower_loss import TowerLoss

    tower, everything = tower_of(model), [*examples, *replay]
    options: Any = {"max_tokens": config.max_tokens, "remember": config.remember}
    module = TowerLoss(config, tower, TowerTexts(everything, tower, model.tokenizer, **options), examples, replay)
    sampler = EpochSampler(
        len(examples),
        config.batch * run.processes,
        replay=len(replay),
        replay_batch=config.replay_batch * run.processes,
        replay_together=config.replay_together,
        seed=config.seed + config.order,
        shuffle=config.shuffle,
    )
    return frozen_base_trainer(run, module, sampler, items=len(everything), seed=config.seed + config.order), sampler
