"""How long texts are, in words between white space, as the papers count them. Lengths are kept, texts are not.

NevIR (Table 1) and the taxonomy paper (Table 3) give mean lengths of queries and documents, HedgeTriple the share of
its anchors below 15 words (about half) and above 30 (about a tenth).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from litotes.types import Triple

SIMPLE, COMPLEX = 15, 30
ROLES = ("anchor", "positive", "negative")
QUANTILES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}


@dataclass(slots=True)
class Lengths:
    """A running histogram: how many texts have how many words."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, text: str) -> int:
        """Count a text; its length comes back."""
        words = len(text.split())
        self.counts[words] += 1
        return words

    @property
    def texts(self) -> int:
        return self.counts.total()

    def mean(self) -> float:
        return sum(words * times for words, times in self.counts.items()) / max(1, self.texts)

    def quantile(self, share: float) -> int:
        """The smallest length that at least this share of the texts does not exceed."""
        below = 0
        for words in sorted(self.counts):
            below += self.counts[words]
            if below >= share * self.texts:
                return words
        return max(self.counts, default=0)

    def line(self) -> dict[str, Any]:
        """The figures; of no texts, only that there are none."""
        if not self.texts:
            return {"texts": 0}
        under = sum(times for words, times in self.counts.items() if words < SIMPLE)
        over = sum(times for words, times in self.counts.items() if words > COMPLEX)
        return {
            "texts": self.texts,
            "mean": round(self.mean(), 2),
            **{name: self.quantile(share) for name, share in QUANTILES.items()},
            "longest": max(self.counts),
            f"under {SIMPLE} words, %": round(100 * under / self.texts, 1),
            f"over {COMPLEX} words, %": round(100 * over / self.texts, 1),
        }


def text_lengths(texts: Iterable[str]) -> Lengths:
    """The lengths of some texts, as anchors are."""
    found = Lengths()
    for text in texts:
        found.add(text)
    return found


@dataclass(slots=True)
class TripleLengths:
    """The lengths in a file of triples; a text counts as often as it stands there: so often it is trained on."""

    triples: int = 0
    roles: dict[str, Lengths] = field(default_factory=lambda: {role: Lengths() for role in ROLES})
    kinds: dict[str, dict[str, Lengths]] = field(default_factory=lambda: {role: {} for role in ROLES[1:]})
    differences: Counter[str] = field(default_factory=Counter)
    """by how many words the positives and the negatives differ in length from their anchors, summed"""

    def add(self, triple: Triple) -> None:
        """Count a triple."""
        self.triples += 1
        words = self.roles["anchor"].add(triple.anchor)
        made = (
            ("positive", triple.positive, triple.positive_kind),
            ("negative", triple.negative, triple.negative_kind),
        )
        for role, text, kind in made:
            self.differences[role] += abs(self.roles[role].add(text) - words)
            self.kinds[role].setdefault(kind or "(none)", Lengths()).add(text)

    def line(self) -> dict[str, Any]:
        """The figures by role, and by kind the most frequent first."""
        found: dict[str, Any] = {"triples": self.triples}
        for role, lengths in self.roles.items():
            found[role] = lengths.line()
            if role in self.kinds and self.triples:
                found[role]["length difference"] = round(self.differences[role] / self.triples, 2)
        for role, kinds in self.kinds.items():
            ranked = sorted(kinds.items(), key=lambda item: (-item[1].texts, item[0]))
            found[f"by {role} kind"] = {kind: lengths.line() for kind, lengths in ranked}
        return found

    def series(self) -> dict[str, list[int]]:
        """What is worth a histogram, by its label."""
        return {f"words of {role}s": sorted(lengths.counts.elements()) for role, lengths in self.roles.items()}


def triple_lengths(triples: Iterable[Triple]) -> TripleLengths:
    """The lengths of anchors, positives and negatives, altogether and by kind."""
    found = TripleLengths()
    for triple in triples:
        found.add(triple)
    return found
