"""Training of the query splitter: an encoder learns to mark what a query excludes, by low-rank updates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Unpack

from litotes.data.marked_queries import EITHER, EXCLUSION, MarkedQuery
from litotes.errors import InputError
from litotes.models.base_encoder import Base, find_base
from litotes.models.loading import configuration, fingerprint
from litotes.models.splitter.build import LONGEST, load_splitter, new_splitter, save_splitter
from litotes.models.splitter.tagger import CARD, Tagger
from litotes.training.batches import EpochSampler
from litotes.training.config import check_settings
from litotes.training.loop import fit, open_run
from litotes.training.run import Run, RunOptions, Trained


@dataclass(frozen=True, slots=True)
class SplitterTraining:
    """The settings of one run; the same settings and queries give the same splitter on a CPU."""

    base: str = "minilm"
    start: str = ""
    """The folder of a splitter whose weights training starts from; `rank`, `scale` and `max_tokens` must be its own."""
    rank: int = 128
    """The rank of the update of each linear layer; 0 means full rank, which needs a learning rate of about 2e-4."""
    scale: float = 2.0
    """What an update of low rank is multiplied by."""
    frozen: int = 0
    """How many of the lowest layers keep the updates that they start with."""
    dropout: bool = True
    """Whether the base's own dropout is on in training."""
    judgement_weight: float = 0.5
    """The weight of judging the whole query beside tagging its tokens."""

    lr: float = 1e-3
    warmup: float = 0.1
    """The share of the steps over which the learning rate rises; then it falls to 0."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient; larger ones are scaled down."""
    epochs: int = 4
    batch: int = 64
    max_tokens: int = LONGEST
    seed: int = 0
    order: int = 0
    """Another order of the queries from the same start."""
    max_general_loss: ClassVar[None] = None

    def __post_init__(self) -> None:
        if not self.judgement_weight >= 0:
            raise InputError(f"judgement_weight is {self.judgement_weight}; expected 0 or more")
        if not self.scale > 0:
            raise InputError(f"scale is {self.scale}; expected more than 0")
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)


def train_splitter(config: SplitterTraining, queries: Sequence[MarkedQuery], **options: Unpack[RunOptions]) -> Trained:
    """Train a splitter on a CPU or a GPU; return it and its curves.

    Queries that can be read either way are not used. The evaluator is called with the splitter after every epoch. The
    splitter is saved in the folder `model` of the run.
    """
    selected = [query for query in queries if query.kind != EITHER]
    if not any(query.items for query in selected):
        raise InputError("no query excludes anything; expected some queries that do, and some that do not")
    base = find_base(config.base)
    with open_run(config, _facts(config, base, selected), **options) as run:
        splitter = _start(config, base, run.device)
        splitter.model.dropout = config.dropout
        evaluate = options.get("evaluate")
        run.evaluate, run.evaluate_start = evaluate and (lambda _: evaluate(splitter)), None
        trainer, sampler = _trainer(run, config, splitter, selected)
        trained = fit(run, trainer, sampler=sampler)
        splitter.model.eval()
        if run.folder and run.saves:
            save_splitter(splitter, run.folder / "model", base=base, rank=config.rank, scale=config.scale)
    return replace(trained, model=splitter)


def _start(config: SplitterTraining, base: Base, device: str) -> Tagger:
    """Return a new splitter, or the one that training starts from."""
    shape: dict[str, Any] = {"rank": config.rank, "scale": config.scale, "longest": config.max_tokens}
    if not config.start:
        return new_splitter(base, **shape, seed=config.seed, device=device)
    card = configuration(Path(config.start), CARD)
    if any(card.get(name) != value for name, value in shape.items()):
        own = {name: card.get(name) for name in shape}
        raise InputError(f"the splitter in {config.start} has {own}; expected {shape}, as in the settings")
    return load_splitter(config.start, base=base, device=device, merged=False)


def _trainer(
    run: Run, config: SplitterTraining, splitter: Tagger, queries: Sequence[MarkedQuery]
) -> tuple[Any, EpochSampler]:
    from litotes.training.frozen_base import frozen_base_trainer
    from litotes.training.splitter_loss import SplitterLoss

    module = SplitterLoss(splitter, queries, judgement_weight=config.judgement_weight)
    for layer in splitter.model.base.encoder.layer[: config.frozen]:
        layer.requires_grad_(False)
    seed = config.seed + config.order
    sampler = EpochSampler(len(queries), config.batch * run.processes, seed=seed, shuffle=True)
    return frozen_base_trainer(run, module, sampler, items=len(queries), seed=seed), sampler


def _facts(config: SplitterTraining, base: Base, queries: Sequence[MarkedQuery]) -> dict[str, Any]:
    """Return what decides the outcome of a run."""
    lines = json.dumps([[query.text, query.kind == EXCLUSION, query.cues, query.items] for query in queries])
    start = fingerprint(configuration(Path(config.start), CARD)["files"]) if config.start else ""
    return {
        "settings": config.plain() | {"base": base.name, "start": start},
        "base": {"name": base.name, "sha256": base.sha256},
        "examples": {"count": len(queries), "sha256": hashlib.sha256(lines.encode()).hexdigest()},
    }
