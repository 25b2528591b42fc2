"""The points of a sweep, in which one thing changes from run to run; the caller trains them.

- `size=1000,2000`: numbers of examples; the smaller sets are parts of the larger ones (HedgeTriple's Figure 2).
- `kind`: all examples, then without each kind of negative, then each kind alone (Figure 3).
- `positives`: hedges alone, paraphrases alone, half of each; the same number of examples in all three (Table 2).
- `diversity`: each kind of negative alone, then all kinds mixed; the same number of examples in all. `diversity=500`
  sets that number and leaves out kinds with fewer examples (Figure 4).
- `sources`: all scored pairs, then without each source, then each source alone (the CANNOT paper's Table 3).
- `shares=0.2,0.5`: the share of the first file relative to the second; the same number of examples in all.
- `lr=1e-4,3e-4`: any setting of the recipe.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from litotes.errors import InputError
from litotes.training.examples import Example, mix

HEDGES = frozenset({"word", "phrase"})
"""The kinds of positives that weaken a statement; all others are paraphrases."""
DATA_SWEEPS = ("size", "kind", "sources", "positives", "diversity", "shares")


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One run of a sweep."""

    name: str
    """The name of its folder."""
    at: float | str
    """Its position on the axis of the sweep."""
    examples: tuple[Example, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def sweep_points(
    sweep: str, sets: Sequence[Sequence[Example]], *, settings: Collection[str] = (), seed: int = 0
) -> list[SweepPoint]:
    """Return the points of a sweep over some files' examples; `settings` are the names of the recipe's settings."""
    points = _points(sweep, sets, settings, seed)
    names = [point.name for point in points]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise InputError(f"the sweep {sweep!r} has the point {repeated[0]} twice; expected each value once")
    return points


def _points(sweep: str, sets: Sequence[Sequence[Example]], settings: Collection[str], seed: int) -> list[SweepPoint]:
    name, _, text = sweep.partition("=")
    values = [value.strip() for value in text.split(",") if value.strip()]
    examples = [example for part in sets for example in part]
    if name == "size":
        return _sizes(examples, _numbers(name, values, whole=True), seed)
    if name == "kind":
        return _with_and_without(examples, _by_negative_kind(examples), lambda example: example.negative_kind)
    if name == "sources":
        return _with_and_without(examples, _by_source(examples), lambda example: example.kind)
    if name == "positives":
        return _positives(examples, seed)
    if name == "diversity":
        return _diversity(examples, _numbers(name, values, whole=True) if values else [], seed)
    if name == "shares":
        return _shares(sets, _numbers(name, values), seed)
    if name not in settings:
        raise InputError(
            f"there is no sweep over {name!r}; expected {', '.join(DATA_SWEEPS)} or a setting: {', '.join(settings)}"
        )
    if not values:
        raise InputError(f"the sweep over {name} has no values; expected some, such as {name}=1,2")
    return [
        SweepPoint(folder_name(f"{name}-{value}"), at, tuple(examples), {name: value})
        for value, at in zip(values, _axis(values), strict=True)
    ]


def folder_name(text: str) -> str:
    """Turn a text into the name of a folder."""
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "point"


def _sizes(examples: Sequence[Example], sizes: Sequence[float], seed: int) -> list[SweepPoint]:
    if not sizes:
        raise InputError("the sweep over size has no sizes; expected some, such as size=1000,2000")
    if max(sizes) > len(examples) or min(sizes) < 1:
        raise InputError(
            f"the sizes are {', '.join(f'{size:g}' for size in sizes)}; expected 1 to {len(examples)}, the number of "
            "examples"
        )
    order = random.Random(seed).sample(list(examples), len(examples))
    return [SweepPoint(f"size-{int(size)}", size, tuple(order[: int(size)])) for size in sizes]


def _with_and_without(
    examples: Sequence[Example], by_kind: Mapping[str, Sequence[Example]], kind_of: Callable[[Example], str]
) -> list[SweepPoint]:
    """Return all, all without each kind, and each kind alone; examples without a kind are never in the last."""
    points = [SweepPoint("all", "all", tuple(examples))]
    for kind in by_kind:
        rest = tuple(example for example in examples if kind_of(example) != kind)
        points.append(SweepPoint(folder_name(f"without-{kind}"), f"without {kind}", rest))
    points += [SweepPoint(folder_name(f"only-{kind}"), f"only {kind}", tuple(part)) for kind, part in by_kind.items()]
    return points


def _positives(examples: Sequence[Example], seed: int) -> list[SweepPoint]:
    hedges = [example for example in examples if example.kind in HEDGES]
    paraphrases = [example for example in examples if example.kind and example.kind not in HEDGES]
    count = min(len(hedges), len(paraphrases))
    if not count:
        raise InputError(
            f"{len(hedges)} examples have a hedge as their positive and {len(paraphrases)} a paraphrase; expected some "
            "of both, with a positive_kind, as litotes synth writes it"
        )
    draw = random.Random(seed)
    hedges, paraphrases = draw.sample(hedges, count), draw.sample(paraphrases, count)
    both = [*hedges[: count // 2], *paraphrases[: count - count // 2]]
    parts = {"hedges": hedges, "paraphrases": paraphrases, "both": both}
    return [SweepPoint(name, name, tuple(part)) for name, part in parts.items()]


def _diversity(examples: Sequence[Example], sizes: Sequence[float], seed: int) -> list[SweepPoint]:
    if len(sizes) > 1:
        raise InputError(f"diversity has {len(sizes)} sizes; expected one, such as diversity=500")
    by_kind = _by_negative_kind(examples)
    count = int(sizes[0]) if sizes else min(len(part) for part in by_kind.values())
    enough = {kind: part for kind, part in by_kind.items() if len(part) >= count}
    if len(enough) < 2:
        most = sorted(map(len, by_kind.values()))[-2]
        raise InputError(f"{len(enough)} kinds have {count} examples; expected two kinds, so at most diversity={most}")
    draw = random.Random(seed)
    drawn = {kind: draw.sample(part, count) for kind, part in enough.items()}
    each, rest = divmod(count, len(drawn))
    mixed = [example for number, part in enumerate(drawn.values()) for example in part[: each + (number < rest)]]
    alone = [SweepPoint(folder_name(f"only-{kind}"), f"only {kind}", tuple(part)) for kind, part in drawn.items()]
    return [*alone, SweepPoint("all-kinds", "all kinds", tuple(mixed))]


def _shares(sets: Sequence[Sequence[Example]], shares: Sequence[float], seed: int) -> list[SweepPoint]:
    if len(sets) < 2 or not all(sets[:2]):
        raise InputError(f"{sum(map(bool, sets))} files have examples; expected at least two for a sweep over shares")
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise InputError(f"the shares are {list(shares)}; expected numbers from 0 to 1, such as shares=0.2,0.5,0.8")
    pairs = [(share, 1 - share) for share in shares]
    first, second = sets[0], sets[1]
    size = min(
        int(min(len(part) / share for part, share in zip((first, second), pair, strict=True) if share))
        for pair in pairs
    )
    rest = tuple(example for part in sets[2:] for example in part)
    return [
        SweepPoint(f"shares-{pair[0]:g}", pair[0], (*mix((first, second), pair, size=size, seed=seed), *rest))
        for pair in pairs
    ]


def _by_negative_kind(examples: Sequence[Example]) -> dict[str, list[Example]]:
    by_kind: defaultdict[str, list[Example]] = defaultdict(list)
    for example in examples:
        if example.negative_kind:
            by_kind[example.negative_kind].append(example)
    if len(by_kind) < 2:
        raise InputError(
            f"the examples have these kinds of negatives: {', '.join(by_kind) or 'none'}; expected at least two, each "
            "as the negative_kind of a triple or the kind of a contrast, as litotes synth writes them"
        )
    return dict(sorted(by_kind.items()))


def _by_source(examples: Sequence[Example]) -> dict[str, list[Example]]:
    by_source: defaultdict[str, list[Example]] = defaultdict(list)
    for example in examples:
        if example.score is not None and example.kind:
            by_source[example.kind].append(example)
    if len(by_source) < 2:
        raise InputError(
            f"the scored pairs have these sources: {', '.join(by_source) or 'none'}; expected at least two, each as "
            "the source of a line of reference, candidate and score"
        )
    return dict(sorted(by_source.items()))


def _numbers(name: str, values: Sequence[str], *, whole: bool = False) -> list[float]:
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        numbers = []
    fit = all(isfinite(number) and (not whole or number.is_integer()) for number in numbers)
    if len(numbers) != len(values) or not fit:
        kind = "whole numbers" if whole else "numbers"
        raise InputError(f"{name} is {','.join(values)!r}; expected comma-separated {kind}")
    return numbers


def _axis(values: Sequence[str]) -> list[float | str]:
    """Return numbers if all values are numbers, else the texts."""
    try:
        return [float(value) for value in values]
    except ValueError:
        return list(values)
