"""The lengths of texts, in words separated by white space, as the papers count them. The texts are not stored.

NevIR (Table 1) and the taxonomy paper (Table 3) report the mean lengths of queries and documents. HedgeTriple reports
the share of its anchors below 15 words (about half) and above 30 words (about a tenth).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from litotes.types import Triple

SHORT, LONG = 15, 30
"""HedgeTriple counts the texts with fewer words than SHORT, and with more words than LONG."""
ROLES = ("anchor", "positive", "negative")
QUANTILES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}


@dataclass(slots=True)
class Lengths:
    """A running histogram of text lengths."""

    counts: Counter[int] = field(default_factory=Counter)
    """The number of texts per number of words."""

    def add(self, text: str) -> int:
        """Count a text and return its length."""
        words = len(text.split())
        self.counts[words] += 1
        return words

    @property
    def texts(self) -> int:
        """The number of texts."""
        return self.counts.total()

    def mean(self) -> float:
        """Return the mean length, or 0 if there are no texts."""
        return sum(words * times for words, times in self.counts.items()) / max(1, self.texts)

    def quantile(self, share: float) -> int:
        """Return the smallest length that at least this share of the texts does not exceed."""
        below = 0
        for words in sorted(self.counts):
            below += self.counts[words]
            if below >= share * self.texts:
                return words
        return max(self.counts, default=0)

    def line(self) -> dict[str, Any]:
        """Return the figures as a JSON object; without texts, only their number."""
        if not self.texts:
            return {"texts": 0}
        under = sum(times for words, times in self.counts.items() if words < SHORT)
        over = sum(times for words, times in self.counts.items() if words > LONG)
        return {
            "texts": self.texts,
            "mean": round(self.mean(), 2),
            **{name: self.quantile(share) for name, share in QUANTILES.items()},
            "longest": max(self.counts),
            f"under {SHORT} words, %": round(100 * under / self.texts, 1),
            f"over {LONG} words, %": round(100 * over / self.texts, 1),
        }


def text_lengths(texts: Iterable[str]) -> Lengths:
    """Return the lengths of some texts."""
    lengths = Lengths()
    for text in texts:
        lengths.add(text)
    return lengths


@dataclass(slots=True)
class TripleLengths:
    """The lengths in a file of triples. A repeated text counts every time, because it is trained on every time."""

    triples: int = 0
    roles: dict[str, Lengths] = field(default_factory=lambda: {role: Lengths() for role in ROLES})
    kinds: dict[str, dict[str, Lengths]] = field(default_factory=lambda: {role: {} for role in ROLES[1:]})
    differences: Counter[str] = field(default_factory=Counter)
    """The summed differences in length between the anchors and their positives, and their negatives."""

    def add(self, triple: Triple) -> None:
        """Count a triple."""
        self.triples += 1
        words = self.roles["anchor"].add(triple.anchor)
        rewrites = (
            ("positive", triple.positive, triple.positive_kind),
            ("negative", triple.negative, triple.negative_kind),
        )
        for role, text, kind in rewrites:
            self.differences[role] += abs(self.roles[role].add(text) - words)
            self.kinds[role].setdefault(kind or "(none)", Lengths()).add(text)

    def line(self) -> dict[str, Any]:
        """Return the figures by role and by kind as a JSON object, with the most frequent kinds first."""
        figures: dict[str, Any] = {"triples": self.triples}
        for role, lengths in self.roles.items():
            figures[role] = lengths.line()
            if role in self.kinds and self.triples:
                figures[role]["length difference"] = round(self.differences[role] / self.triples, 2)
        for role, kinds in self.kinds.items():
            ranked = sorted(kinds.items(), key=lambda item: (-item[1].texts, item[0]))
            figures[f"by {role} kind"] = {kind: lengths.line() for kind, lengths in ranked}
        return figures

    def histogram_values(self) -> dict[str, list[int]]:
        """Return the values for histograms by their labels."""
        return {f"words of {role}s": sorted(lengths.counts.elements()) for role, lengths in self.roles.items()}


def triple_lengths(triples: Iterable[Triple]) -> TripleLengths:
    """Return the lengths of anchors, positives and negatives, in total and by kind."""
    lengths = TripleLengths()
    for triple in triples:
        lengths.add(triple)
    return lengths
