"""Sweeps: one thing changed from run to run, all else the same. Only the plan; whoever asks for it trains the points.

- `size=1000,2000`: so many examples; the smaller sets are parts of the larger ones (HedgeTriple's Figure 2).
- `kind`: all examples, then without each kind of negative, then each kind alone (Figure 3).
- `positives`: hedges alone, paraphrases alone, half of each, as many examples in all three (Table 2).
- `diversity`: each kind of negative alone against all of them mixed, as many examples in all; `diversity=500` says
  how many, and leaves out kinds with fewer (Figure 4).
- `sources`: all scored pairs, then without each source, then each source alone (the CANNOT paper's Table 3).
- `shares=0.2,0.5`: the share of the first file beside the second, as many examples in all.
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
from litotes.train.examples import Example, mix

HEDGES = frozenset({"word", "phrase"})
"""the kinds of positives that weaken; all others say the same"""
OF_THE_DATA = ("size", "kind", "sources", "positives", "diversity", "shares")


@dataclass(frozen=True, slots=True)
class Point:
    """One run of a sweep."""

    name: str
    """of its folder"""
    at: float | str
    """where it stands on the axis"""
    examples: tuple[Example, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


def plan(
    sweep: str, sets: Sequence[Sequence[Example]], *, settings: Collection[str] = (), seed: int = 0
) -> list[Point]:
    """The points of a sweep over the examples of some files, in order; `settings` are those the recipe knows."""
    found = _points(sweep, sets, settings, seed)
    names = [point.name for point in found]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"the sweep {sweep!r} has the point {twice[0]} twice; expected each value once")
    return found


def _points(sweep: str, sets: Sequence[Sequence[Example]], settings: Collection[str], seed: int) -> list[Point]:
    name, _, written = sweep.partition("=")
    values = [value.strip() for value in written.split(",") if value.strip()]
    examples = [example for found in sets for example in found]
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
            f"there is no sweep over {name!r}; expected {', '.join(OF_THE_DATA)} or a setting: {', '.join(settings)}"
        )
    if not values:
        raise InputError(f"the sweep over {name} names no values; expected them after a sign, as {name}=1,2")
    at = _axis(values)
    return [
        Point(slug(f"{name}-{value}"), place, tuple(examples), {name: value})
        for value, place in zip(values, at, strict=True)
    ]


def slug(text: str) -> str:
    """A name that can be a folder's."""
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "point"


def _sizes(examples: Sequence[Example], sizes: Sequence[float], seed: int) -> list[Point]:
    if not sizes:
        raise InputError("the sweep over size names no sizes; expected them after a sign, as size=1000,2000")
    if max(sizes) > len(examples) or min(sizes) < 1:
        raise InputError(
            f"the sizes are {', '.join(f'{size:g}' for size in sizes)}; expected 1 to {len(examples)}, which there are"
        )
    order = random.Random(seed).sample(list(examples), len(examples))
    return [Point(f"size-{int(size)}", size, tuple(order[: int(size)])) for size in sizes]


def _with_and_without(
    examples: Sequence[Example], by_kind: Mapping[str, Sequence[Example]], kind_of: Callable[[Example], str]
) -> list[Point]:
    """Examples whose file names no kind stay where kinds are left out, and are in none that is alone."""
    found = [Point("all", "all", tuple(examples))]
    for kind in by_kind:
        rest = tuple(example for example in examples if kind_of(example) != kind)
        found.append(Point(slug(f"without-{kind}"), f"without {kind}", rest))
    found += [Point(slug(f"only-{kind}"), f"only {kind}", tuple(those)) for kind, those in by_kind.items()]
    return found


def _positives(examples: Sequence[Example], seed: int) -> list[Point]:
    hedges = [example for example in examples if example.kind in HEDGES]
    paraphrases = [example for example in examples if example.kind and example.kind not in HEDGES]
    count = min(len(hedges), len(paraphrases))
    if not count:
        raise InputError(
            f"{len(hedges)} examples have a hedge as their positive and {len(paraphrases)} a paraphrase; expected some "
            "of both, with a positive_kind (litotes synth writes it)"
        )
    draw = random.Random(seed)
    hedges, paraphrases = draw.sample(hedges, count), draw.sample(paraphrases, count)
    both = [*hedges[: count // 2], *paraphrases[: count - count // 2]]
    named = {"hedges": hedges, "paraphrases": paraphrases, "both": both}
    return [Point(name, name, tuple(those)) for name, those in named.items()]


def _diversity(examples: Sequence[Example], sizes: Sequence[float], seed: int) -> list[Point]:
    if len(sizes) > 1:
        raise InputError("diversity takes one size, at which one kind and all kinds are compared; as diversity=500")
    by_kind = _by_negative_kind(examples)
    count = int(sizes[0]) if sizes else min(len(those) for those in by_kind.values())
    enough = {kind: those for kind, those in by_kind.items() if len(those) >= count}
    if len(enough) < 2:
        most = sorted(map(len, by_kind.values()))[-2]
        raise InputError(f"{len(enough)} kinds have {count} examples; expected two at least: {most} is the most to ask")
    draw = random.Random(seed)
    drawn = {kind: draw.sample(those, count) for kind, those in enough.items()}
    base, over = divmod(count, len(drawn))
    mixed = [example for at, those in enumerate(drawn.values()) for example in those[: base + (at < over)]]
    alone = [Point(slug(f"only-{kind}"), f"only {kind}", tuple(those)) for kind, those in drawn.items()]
    return [*alone, Point("all-kinds", "all kinds", tuple(mixed))]


def _shares(sets: Sequence[Sequence[Example]], shares: Sequence[float], seed: int) -> list[Point]:
    if len(sets) < 2 or not all(sets[:2]):
        raise InputError(f"mixing shares needs two files with examples; got {sum(map(bool, sets))}")
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise InputError(f"the shares are {list(shares)}; expected numbers from 0 to 1, as shares=0.2,0.5,0.8")
    pairs = [(share, 1 - share) for share in shares]
    first, second = sets[0], sets[1]
    size = min(
        int(min(len(found) / part for found, part in zip((first, second), pair, strict=True) if part)) for pair in pairs
    )
    rest = tuple(example for found in sets[2:] for example in found)
    return [
        Point(f"shares-{pair[0]:g}", pair[0], (*mix((first, second), pair, size=size, seed=seed), *rest))
        for pair in pairs
    ]


def _by_negative_kind(examples: Sequence[Example]) -> dict[str, list[Example]]:
    found: defaultdict[str, list[Example]] = defaultdict(list)
    for example in examples:
        if example.negative_kind:
            found[example.negative_kind].append(example)
    if len(found) < 2:
        named = ", ".join(found) or "none"
        raise InputError(
            f"the examples have these kinds of negatives: {named}; expected two at least, each named by the "
            "negative_kind of a triple or the kind of a contrast (litotes synth writes them)"
        )
    return dict(sorted(found.items()))


def _by_source(examples: Sequence[Example]) -> dict[str, list[Example]]:
    found: defaultdict[str, list[Example]] = defaultdict(list)
    for example in examples:
        if example.score is not None and example.kind:
            found[example.kind].append(example)
    if len(found) < 2:
        raise InputError(
            f"the scored pairs name these sources: {', '.join(found) or 'none'}; expected two at least, each as the "
            "source of a line of reference, candidate and score"
        )
    return dict(sorted(found.items()))


def _numbers(name: str, values: Sequence[str], *, whole: bool = False) -> list[float]:
    try:
        found = [float(value) for value in values]
    except ValueError:
        found = []
    fit = all(isfinite(number) and (not whole or number.is_integer()) for number in found)
    if len(found) != len(values) or not fit:
        kind = "whole numbers" if whole else "numbers"
        raise InputError(f"{name} is {','.join(values)!r}; expected {kind} with commas between")
    return found


def _axis(values: Sequence[str]) -> list[float | str]:
    """Numbers where all values are numbers: they have a scale, names have not."""
    try:
        return [float(value) for value in values]
    except ValueError:
        return list(values)
