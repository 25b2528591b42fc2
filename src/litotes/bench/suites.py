"""The suites: which tasks belong together, and the one figure that stands for general ability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

import numpy as np

from litotes.bench.catalogue import Where, build
from litotes.bench.rows import ALL, About, Figure
from litotes.bench.tasks import Task, harness
from litotes.bench.tasks.mteb import LITE, PREFIX
from litotes.errors import InputError
from litotes.stats import ROUNDS, draws, percentiles, point
from litotes.types import Result

SUITES = {
    "negation": ("nevir", "excluir", "cannot-wmt", "m3-counterfactual", "taxonomy", "cue-traps"),
    "sensitivity": ("demetr", "series", "ladder", "cannot-wmt-unseen"),
    "lists": ("contrast-lists",),
    "yes-no": ("opposites", "cannot-opposites"),
    "general": ("stsb", "sick", "scifact", "cranfield", "banking77"),
    "general-mini": ("mini-sts", "mini-retrieval", "mini-intents"),
    "mteb-lite": tuple(f"{PREFIX}{name}" for names in LITE.values() for name in names),
    "llm-general": tuple(f"{harness.PREFIX}{name}" for name in harness.GENERAL),
}
GENERAL = SUITES["general"]
GENERAL_MEAN = "general mean"
MTEB_LITE = SUITES["mteb-lite"]
MTEB_LITE_MEAN = "mteb-lite mean"


def suite(names: Sequence[str], where: Where) -> list[Task]:
    """The tasks of some suites, each once, built on the data."""
    return [build(name, where) for name in members(names)]


def members(names: Sequence[str]) -> list[str]:
    """The names of the tasks of some suites, each once; the name of a task stands for itself."""
    found: dict[str, None] = {}
    for name in names:
        if not name:
            raise InputError(f"an empty name among the suites; expected any of {', '.join(SUITES)}")
        found |= dict.fromkeys(SUITES.get(name, (name,)))
    return list(found)


def general_mean(
    headlines: Mapping[str, Figure], about: About, *, seed: int = 0, rounds: int = ROUNDS
) -> Result | None:
    """The plain mean of the five headlines (Spearman, nDCG@10, nearest-centroid accuracy); None where one is missing.

    For the interval each task's items are drawn on their own, and the five figures of a draw averaged.
    """
    if not set(GENERAL) <= set(headlines):
        return None
    five = [headlines[name] for name in GENERAL]
    value = float(np.mean([figure.scale * point(figure.statistic, figure.items) for figure in five]))
    drawn = [
        figure.scale * draws(figure.statistic, figure.items, seed=seed + number, rounds=rounds)
        for number, figure in enumerate(five)
    ]
    low, high = percentiles(np.mean(drawn, axis=0))
    return Result(about.model, GENERAL_MEAN, about.split, ALL, "mean", value, low, high, len(five), about.signature)


def mteb_lite_mean(headlines: Mapping[str, Figure], about: About) -> Result | None:
    """HedgeTriple's average of its 16 tasks, the mean of the means of mteb's seven sorts; None where one is missing."""
    if not set(MTEB_LITE) <= set(headlines):
        return None
    values = {name: headlines[name].scale * point(headlines[name].statistic, 1) for name in MTEB_LITE}
    value = float(np.mean([np.mean([values[f"{PREFIX}{name}"] for name in names]) for names in LITE.values()]))
    return Result(about.model, MTEB_LITE_MEAN, about.split, ALL, "mean", value, nan, nan, len(values), about.signature)
