"""Cue traps: four texts that counting negation cues sorts wrongly. docs/cue-traps.md describes them.

a1 and a2 mean the same, b1 and b2 mean the same, and every a denies every b: as people read them, they cannot both be
true. a1 has as many negation cues as b1, a2 as many as b2, and a1 has more or fewer than a2, so the number of cues
joins the wrong pairs. At most six quadruples share a frame.

For each of the four texts, the measure asks whether the text is more similar to its equivalent than to its trap, the
opposite with as many cues. A tie is wrong. If the order of the texts matters to a model, the text that is asked about
comes first:

    s(a1, a2) > s(a1, b1)    s(a2, a1) > s(a2, b2)    s(b1, b2) > s(b1, a1)    s(b2, b1) > s(b2, a2)

- accuracy: the share of these four comparisons that are right, over all quadruples (chance 1/2, a counter of cues 0);
- strict: the share of quadruples with all four right (chance 1/6 for a symmetric similarity);
- full: the share of quadruples in which each text is more similar to its equivalent than to either opposite: eight
  comparisons (chance 1/15). A model that prefers texts with *other* numbers of cues has accuracy 1 and full 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from litotes.data.judged_pairs import JudgedPair, from_quadruples
from litotes.data.quadruples import Quadruple, parse_quadruples
from litotes.data.records import NEGATION, OURS, PACKAGE, SHIPPED, Benchmark, DataSet
from litotes.data.selection import DataSelection
from litotes.errors import InputError

NOTES = ("mechanism", "frame", "domain")


def cue_traps() -> tuple[Quadruple, ...]:
    """Return our quadruples. They are for measuring, never for training."""
    file = files("litotes.data").joinpath("cue_traps.jsonl")
    return tuple(checked(parse_quadruples(file.read_text(encoding="utf-8").split("\n"), "cue traps")))


def checked(items: Iterable[Quadruple]) -> Iterator[Quadruple]:
    """Yield the quadruples; raise InputError at one that is not a cue trap or lacks a note."""
    for item in items:
        missing = [note for note in NOTES if not getattr(item, note)]
        if missing:
            raise InputError(f"the cue trap {item.id} lacks {', '.join(missing)}")
        a1, a2, b1, b2 = item.cues or (0, 0, 0, 0)
        if not a1 == b1 != a2 == b2:
            raise InputError(
                f"the cue trap {item.id} has {item.cues} cues in a1, a2, b1 and b2; expected as many in a1 as in b1, "
                "as many in a2 as in b2, and another number in a1 than in a2"
            )
        yield item


def load(_: Path, split: str) -> tuple[Quadruple, ...]:
    """Load the quadruples; they are shipped, so the folder does not matter."""
    return cue_traps()


def _items(selection: DataSelection, _: str) -> tuple[Quadruple, ...]:
    return selection.select(cue_traps(), key=lambda item: item.id)


def _opposites(selection: DataSelection, split: str) -> tuple[JudgedPair, ...]:
    return tuple(from_quadruples(_items(selection, split)))


DATA_SET = DataSet(
    name="cue-traps",
    topic=NEGATION,
    description="texts that counting cues sorts wrongly (docs/cue-traps.md)",
    home=PACKAGE,
    licence=OURS,
    load=load,
    benchmarks=(
        Benchmark(
            name="cue-traps",
            family="cue_traps",
            help="texts that counting cues sorts wrongly (shipped)",
            headline="accuracy",
            items=_items,
            suites=("negation",),
            dev=SHIPPED,
            test=SHIPPED,
        ),
        Benchmark(
            name="opposites",
            family="opposites",
            help="are two texts opposites? For language models (shipped)",
            headline="accuracy",
            items=_opposites,
            suites=("yes-no",),
            dev=SHIPPED,
            test=SHIPPED,
        ),
    ),
)
