"""Sentences impaired step by step: words swapped, words dropped, the end repeated; and the sentence negated.

The series are those of Koch, Aßenmacher and Heumann's comparison of metrics (2022), on sentences of our own and with
our own negator. A model that hears meaning should fall a little with each step, and fall far at the negation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from litotes.bench.measures import preference
from litotes.bench.rows import Figure, Row, average, slices
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base

STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
PHRASE = 4
"""how many words at the end are said again"""
NEGATION = "negation"
ENDS = ".!?"


@dataclass(frozen=True, slots=True)
class Impaired:
    """A sentence and an impaired form of it."""

    id: str
    series: str
    degree: str
    text: str
    impaired: str


@dataclass(frozen=True, slots=True)
class Series(Base):
    """Impaired sentences as a task."""

    family = "series"

    name: str
    split: str
    items: tuple[Impaired, ...]

    def content(self) -> Sequence[object]:
        return self.items

    def texts(self) -> dict[str, list[str]]:
        return {"": [text for item in self.items for text in (item.text, item.impaired)]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a sentence: how far its similarity with itself is above that with its impaired form."""
        texts = [item.text for item in self.items]
        same = scorer.pairs(texts, texts)
        other = scorer.pairs(texts, [item.impaired for item in self.items])
        return [
            Row(
                f"{item.series}/{item.degree}/{item.id}",
                preference(float(one), float(two)),
                {"series": item.series, "degree": f"{item.series} {item.degree}".strip()},
                {"itself": float(one), "impaired": float(two)},
            )
            for item, one, two in zip(self.items, same, other, strict=True)
        ]


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The mean drop of each series at each degree; the negation first."""
    parts = slices(rows, "degree")
    ordered = sorted(parts, key=lambda name: (not name.endswith(NEGATION), name))
    return [
        average("drop", [row.value for row in parts[name] if row.value is not None], slice=name) for name in ordered
    ]


def impaired(texts: Sequence[str], negated: Sequence[str | None], *, seed: int = 0) -> tuple[Impaired, ...]:
    """Every series of every sentence; a sentence without a negation has no negated form, one too short no other."""
    found = []
    for number, (text, turned) in enumerate(zip(texts, negated, strict=True)):
        for series, impair in SERIES.items():
            # a draw of its own for each series, so that adding one changes no other
            draw = random.Random(f"{seed} {series} {text}")
            for step in STEPS:
                changed = _joined(impair(_words(text), step, draw), text)
                if changed not in {text, ""}:
                    found.append(Impaired(str(number), series, f"{step:g}", text, changed))
        if turned is not None:
            found.append(Impaired(str(number), NEGATION, "", text, turned))
    return tuple(found)


def swapped(words: list[str], share: float, draw: random.Random) -> list[str]:
    """A share of the words exchanged in pairs."""
    places = draw.sample(range(len(words)), 2 * (int(share * len(words)) // 2))
    found = list(words)
    for one, other in zip(places[::2], places[1::2], strict=True):
        found[one], found[other] = found[other], found[one]
    return found


def dropped(words: list[str], share: float, draw: random.Random) -> list[str]:
    """A share of the words left out; one always stays."""
    gone = set(draw.sample(range(len(words)), min(int(share * len(words)), max(0, len(words) - 1))))
    return [word for place, word in enumerate(words) if place not in gone]


def repeated(words: list[str], share: float, draw: random.Random) -> list[str]:
    """The last words said again, the more often the longer the sentence."""
    return words + words[-PHRASE:] * max(0, int(share * len(words)) - 1)


SERIES: dict[str, Callable[[list[str], float, random.Random], list[str]]] = {
    "word swap": swapped,
    "word drop": dropped,
    "repetition": repeated,
}


def _words(text: str) -> list[str]:
    return text.rstrip(ENDS).split()


def _joined(words: list[str], text: str) -> str:
    return " ".join(words) + text[len(text.rstrip(ENDS)) :]
