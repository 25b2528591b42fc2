"""How well an engine sorts contrasts whose kind is known: rows first, figures folded from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litotes.stats import balanced_accuracy, bootstrap, confusion, f1, macro_f1
from litotes.taxonomy import leaves

UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Sorting:
    """Wanted and found kinds, item by item."""

    wanted: tuple[str, ...]
    found: tuple[str, ...]
    signature: str

    def figures(self, *, seed: int = 0) -> dict[str, Any]:
        """Balanced accuracy and macro F1 with 95% intervals, F1 by kind, and the signature."""
        values: dict[str, Any] = {"n": len(self.wanted)}
        for name, measure in (("balanced accuracy", balanced_accuracy), ("macro F1", macro_f1)):
            low, high = bootstrap(self.wanted, self.found, measure, seed=seed)
            value = measure(self.wanted, self.found)
            values[name] = {"value": _percent(value), "low": _percent(low), "high": _percent(high)}
        values["F1 by kind"] = {kind: _percent(f1(self.wanted, self.found, kind)) for kind in self.kinds()}
        return values | {"signature": self.signature}

    def kinds(self) -> list[str]:
        """The kinds that occur, in the taxonomy's order; answers that could not be read come last."""
        names = [*(kind.name for kind in leaves()), UNREAD]
        return [name for name in names if name in {*self.wanted, *self.found}]

    def confusion(self) -> list[list[int]]:
        return confusion(self.wanted, self.found, self.kinds())


def sorting(wanted: Sequence[str], found: Sequence[str], *, signature: str) -> Sorting:
    """What an engine made of items whose kinds are `wanted`; "" is an answer that could not be read."""
    return Sorting(tuple(wanted), tuple(kind or UNREAD for kind in found), signature)


def _percent(value: float) -> float:
    return round(100 * value, 2)
