"""Cue traps: four texts that whoever understands negation sorts by meaning, and whoever counts cues sorts wrongly.

a1 and a2 mean the same, b1 and b2 mean the same, and every a denies every b: as people read them, they cannot both be
true. a1 holds as many negation cues as b1, a2 as many as b2, and a1 more or fewer than a2: so the count of cues joins
the wrong pairs. Never more than six quadruples share a frame.

The measure asks of each of the four texts whether it is more similar to its equivalent than to its trap, the opposite
with as many cues. A tie is wrong; where the order matters to a model, the text that is asked about comes first:

    s(a1, a2) > s(a1, b1)    s(a2, a1) > s(a2, b2)    s(b1, b2) > s(b1, a1)    s(b2, b1) > s(b2, a2)

- accuracy: the share of these four comparisons that are right, over all quadruples (chance 1/2, a counter of cues 0);
- strict: the share of quadruples with all four right (chance 1/6, of a symmetric similarity);
- full: the share of quadruples in which each text is more similar to its equivalent than to either opposite, eight
  comparisons (chance 1/15). A model that prefers texts with *other* counts of cues has accuracy 1 and full 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files

from litotes.data.quadruples import Quadruple, quadruples
from litotes.errors import InputError

NOTES = ("mechanism", "frame", "domain")


def cue_traps() -> tuple[Quadruple, ...]:
    """Our own quadruples; they are for measuring, never for training."""
    home = files("litotes.data").joinpath("cue_traps.jsonl")
    return tuple(checked(quadruples(home.read_text(encoding="utf-8").split("\n"), "cue traps")))


def checked(found: Iterable[Quadruple]) -> Iterator[Quadruple]:
    """The quadruples, if each is a trap for counters of cues and says what kind; an error names one that is none."""
    for one in found:
        missing = [note for note in NOTES if not getattr(one, note)]
        if missing:
            raise InputError(f"the cue trap {one.id} lacks {', '.join(missing)}")
        a1, a2, b1, b2 = one.cues or (0, 0, 0, 0)
        if not a1 == b1 != a2 == b2:
            raise InputError(
                f"the cue trap {one.id}: a1 must hold as many cues as b1, a2 as many as b2, and a1 not as a2; "
                f"got {one.cues}"
            )
        yield one
