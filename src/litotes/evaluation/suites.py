"""The means over suites: the one figure that represents general ability, and the average of mteb-lite."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np

from litotes.data.benchmarks.mteb import LITE, PREFIX
from litotes.data.catalogue import suite_mean, suites
from litotes.data.result_files import Provenance
from litotes.evaluation.figures import ALL, Figure
from litotes.stats import ROUNDS, draws, percentiles, point
from litotes.types import Result

GENERAL, MTEB_LITE = "general", "mteb-lite"
"""The suites that have a mean."""


def general_mean(
    headlines: Mapping[str, Figure], source: Provenance, *, seed: int = 0, rounds: int = ROUNDS
) -> Result | None:
    """Return the mean of the headlines of the suite `general`; None if one is missing.

    For the interval the items of each task are drawn independently, and the figures of a draw are averaged.
    """
    names = suites()[GENERAL]
    if not set(names) <= set(headlines):
        return None
    figures = [headlines[name] for name in names]
    value = float(np.mean([figure.scale * point(figure.statistic, figure.items) for figure in figures]))
    drawn = [
        figure.scale * draws(figure.statistic, figure.items, seed=seed + number, rounds=rounds)
        for number, figure in enumerate(figures)
    ]
    low, high = percentiles(np.mean(drawn, axis=0))
    return _mean(GENERAL, source, value, low, high, len(figures))


def mteb_lite_mean(headlines: Mapping[str, Figure], source: Provenance) -> Result | None:
    """Return HedgeTriple's average of its 16 tasks, the mean of the means of their types; None if one is missing."""
    names = suites()[MTEB_LITE]
    if not set(names) <= set(headlines):
        return None
    values = {name: headlines[name].scale * point(headlines[name].statistic, 1) for name in names}
    by_type = [np.mean([values[f"{PREFIX}{name}"] for name in own]) for own in LITE.values()]
    return _mean(MTEB_LITE, source, float(np.mean(by_type)), nan, nan, len(values))


def _mean(suite: str, source: Provenance, value: float, low: float, high: float, n: int) -> Result:
    return Result(source.model, suite_mean(suite), source.split, ALL, "mean", value, low, high, n, source.signature)
