"""The recipe for pair models: an encoder learns to read a query and a document together, by low-rank updates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, ClassVar, Unpack

from litotes.errors import InputError
from litotes.models.base_encoder import find_base
from litotes.models.pair.build import SHORTEST, load_pair_scorer, new_pair_scorer, save_pair_scorer
from litotes.models.pair.heads import LABELS, RELEVANCE, SCORE, VERDICT
from litotes.models.pair.scorer import PairScorer
from litotes.training.batches import EpochSampler
from litotes.training.config import check_settings
from litotes.training.examples import Example
from litotes.training.loop import fit, open_run
from litotes.training.rankers import RankerInTraining
from litotes.training.run import Run, RunOptions, Trained, run_facts, select_examples


@dataclass(frozen=True, slots=True)
class PairTraining:
    """The settings of one run; the same settings and examples give the same model on a CPU."""

    base: str = "minilm"
    rank: int = 32
    """The rank of the update of each linear layer; 0 means full rank, which needs a learning rate of about 1e-4."""
    scale: float = 2.0
    """What an update of low rank is multiplied by."""
    layers: int = 0
    """How many of the base's last layers are updated; 0 means all."""
    dropout: bool = False
    """Whether the base's own dropout is on in training."""
    hard_candidates: float = 0.3
    """Documents of other examples that are added to the candidates of a query with negatives, on average."""
    ordinary_candidates: float = 2.0
    """The same for a query without negatives."""
    mirror_weight: float = 0.0
    """The weight of telling the two queries of a contrast apart, given one of its documents."""
    teacher: str = ""
    """The folder of a larger pair model whose scores are learned too; empty for none."""
    teacher_weight: float = 0.5
    """The share of the teacher in the loss, if there is one."""
    replay_weight: ClassVar[float] = 1.0
    positive_kinds: tuple[str, ...] = ()
    """The kinds of positives to use; the default is all."""

    lr: float = 6e-4
    warmup: float = 0.1
    """The share of the steps over which the learning rate rises; then it falls to 0."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient; larger ones are scaled down."""
    epochs: int = 1
    batch: int = 96
    """Examples per step and device; the two examples of a contrast count as one."""
    max_tokens: int = 320
    """Longer pairs are cut in training; the reranker reads longer documents in windows of this size."""
    shuffle: bool = True
    seed: int = 0
    order: int = 0
    """Another order of the examples from the same start."""

    in_batch: ClassVar[bool] = True
    distance_weight: ClassVar[float] = 0.0
    learns_labels: ClassVar[bool] = True
    learns_scores: ClassVar[bool] = True
    max_general_loss: ClassVar[None] = None

    def __post_init__(self) -> None:
        if self.max_tokens < SHORTEST:
            raise InputError(f"max_tokens is {self.max_tokens}; expected {SHORTEST} or more: two texts share them")
        for name in ("hard_candidates", "ordinary_candidates", "mirror_weight"):
            if not getattr(self, name) >= 0:
                raise InputError(f"{name} is {getattr(self, name)}; expected 0 or more")
        if not 0 <= self.teacher_weight <= 1:
            raise InputError(f"teacher_weight is {self.teacher_weight}; expected 0 to 1")
        if not self.scale > 0:
            raise InputError(f"scale is {self.scale}; expected more than 0")
        check_settings(self)

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds)}


def train_pair(
    config: PairTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Train a pair model on a CPU, a GPU or, under torchrun, several; return it and its curves.

    Each query's positive is ranked against its negatives and a few documents of other examples. Ordinary pairs without
    negatives are ranked against those alone; they may be among the examples or in `replay`. `RunOptions` lists the
    other options. The evaluator is called with a ranker after every epoch. The model is saved in the folder `model`.
    Labelled pairs of messages among the examples train a second head, which says whether two texts deserve the same
    answer. Scored pairs train a third one, which says how much of a reference a text keeps; a model that is trained on
    scored pairs alone is a metric.
    """
    selected = [*select_examples(config, examples, replay), *replay]
    heads = _heads(selected)
    teacher = _teacher(config)
    if not config.ordinary_candidates and not all(
        example.negatives or example.label or example.score is not None for example in selected
    ):
        raise InputError("an example has no negatives and ordinary_candidates is 0, so it teaches nothing")
    base = find_base(config.base)
    facts = run_facts(config, base, examples, replay)
    if teacher:
        facts["teacher"] = teacher.scorer.facts()
    with open_run(config, facts, **options) as run:
        shape: dict[str, Any] = {"rank": config.rank, "scale": config.scale, "layers": config.layers}
        scorer = new_pair_scorer(
            base,
            **shape,
            longest=config.max_tokens,
            heads=heads,
            seed=config.seed,
            device=run.device,
            name=str(options.get("out") or "pair"),
        )
        scorer.model.dropout = config.dropout
        ranker = RankerInTraining(scorer.name, scorer.model, partial(scorer.logits, head=heads[0]))
        evaluate = options.get("evaluate")
        run.evaluate, run.evaluate_start = evaluate and (lambda _: evaluate(ranker)), None
        trainer, sampler = _trainer(run, config, scorer, selected, teacher)
        trained = fit(run, trainer, sampler=sampler)
        if run.folder and run.saves:
            save_pair_scorer(scorer, run.folder / "model", base=base, shape=shape)
    return replace(trained, model=scorer)


def _heads(examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the heads that the examples train. The first one ranks."""
    ranked = any(not example.label and example.score is None for example in examples)
    scored = any(example.score is not None for example in examples)
    if not ranked and not scored:
        raise InputError(
            "all examples are labelled messages, so the model would not learn to rank; add contrasts or pairs"
        )
    labelled = any(example.label for example in examples)
    wanted = {RELEVANCE: ranked, SCORE: scored, VERDICT: labelled}
    return tuple(head for head, is_wanted in wanted.items() if is_wanted)


def count(config: PairTraining, examples: Sequence[Example], replay: Sequence[Example] = ()) -> int:
    """Return how many items of its batches an epoch has: examples, where the two of a contrast count as one."""
    from litotes.training.pair_loss import mirrored_units

    return len(mirrored_units([*select_examples(config, examples, replay), *replay]))


def _trainer(
    run: Run, config: PairTraining, scorer: PairScorer, examples: Sequence[Example], teacher: Any
) -> tuple[Any, EpochSampler]:
    from litotes.training.frozen_base import frozen_base_trainer
    from litotes.training.pair_loss import Candidates, PairLoss, mirrored_units

    units = mirrored_units(examples)
    seed = config.seed + config.order
    module = PairLoss(
        scorer,
        units,
        max_tokens=config.max_tokens,
        candidates=Candidates(config.hard_candidates, config.ordinary_candidates),
        mirror_weight=config.mirror_weight,
        teacher=teacher and replace(teacher, scorer=_moved(teacher.scorer, scorer)),
        seed=seed,
    )
    sampler = EpochSampler(len(units), config.batch * run.processes, seed=seed, shuffle=config.shuffle)
    return frozen_base_trainer(run, module, sampler, items=len(units), seed=seed), sampler


def _teacher(config: PairTraining) -> Any:
    """Load the teacher before the run is opened; None if there is none."""
    if not config.teacher:
        return None
    from litotes.training.pair_loss import Teacher

    scorer = load_pair_scorer(config.teacher)
    if scorer.heads.get(VERDICT, LABELS) != LABELS:
        labels = ", ".join(scorer.heads[VERDICT])
        raise InputError(f"the teacher {config.teacher} has the labels {labels}; expected {', '.join(LABELS)}")
    return Teacher(scorer, config.teacher_weight)


def _moved(teacher: PairScorer, student: PairScorer) -> PairScorer:
    """Return the teacher on the student's device."""
    teacher.model.to(student.model.device)
    return teacher
