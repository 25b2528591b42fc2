"""Train the linear splitter on written:queries: python -m scripts.train_linear_splitter [--hold e]

It writes src/litotes/detection/exclusion/linear.safetensors. Training takes about two minutes on one core: an averaged
perceptron over the tags of whole queries. With --hold, the queries of some writers, or a share of them, are held out
and measured at several cautions, and nothing is written.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from litotes.data.marked_queries import EITHER, MarkedQuery, read_queries
from litotes.data.written import written_file
from litotes.detection.exclusion.linear import START, LinearTagger, feature_number
from litotes.detection.exclusion.words import CONNECTIVES, QueryWord, features, words_of
from litotes.errors import LitotesError, require
from litotes.query_marks import CUE, INSIDE, ITEM, KEPT, TAGS, Marks
from scripts.train_splitter import ORDINARY, is_held, measured, ordinary

FILE = Path(__file__).parents[1] / "src" / "litotes" / "detection" / "exclusion" / "linear.safetensors"
EPOCHS = 14
CAUTION = 4.0
"""What is added to the score of a word that is kept; chosen on held-out writers, for 98% of silence."""
CAUTIONS = (0.0, 2.0, 4.0, 6.0, 8.0)
OFTEN, WORTH = 2, 0.5
"""A cue word adds at least so many exclusions, and so many for each thousandth of the other texts that has it."""
SMALL = 0.04
"""Weights below this share of the largest are left out."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hold", default="", metavar="WRITERS", help="such as e or s3,s5: measure on their queries")
    parser.add_argument("--share", type=float, default=1.0, help="hold out this share of their queries (default: all)")
    options = parser.parse_args()
    try:
        queries = [query for query in read_queries(written_file("written:queries")) if query.kind != EITHER]
        writers = options.hold.split(",")
        held = [query for query in queries if is_held(query, writers, options.share)]
        kept = [query for query in queries if not is_held(query, writers, options.share)]
        examples = [*kept, *ordinary(ORDINARY)]
        print(f"{len(examples)} queries, {len(held)} held out", flush=True)
        trained = Perceptron(examples)
        if not held:
            trained.save(FILE, CAUTION)
            return 0
        for caution in CAUTIONS:
            print(caution, measured(Many(trained.tagger(caution)), held), flush=True)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


class Many:
    """A tagger for lists of queries."""

    def __init__(self, tagger: LinearTagger) -> None:
        self._tagger = tagger

    def marks(self, queries: Sequence[str]) -> list[Marks]:
        """Return the marks on each query."""
        return [self._tagger.marks(query) for query in queries]


class Perceptron:
    """An averaged perceptron: weights change only where the best tags of a query are wrong."""

    def __init__(self, queries: Sequence[MarkedQuery], *, seed: int = 0) -> None:
        self.cue_words = _cue_words(queries)
        self._weights: dict[int, np.ndarray] = {}
        self._totals: dict[int, np.ndarray] = {}
        self._steps, self._step_totals = np.zeros((START + 1, START)), np.zeros((START + 1, START))
        self._count = 1
        lessons = [self._lesson(query) for query in queries]
        # A query without a cue word is never read.
        lessons = [(rows, tags) for rows, tags in lessons if rows]
        rng = random.Random(seed)
        for epoch in range(EPOCHS):
            rng.shuffle(lessons)
            wrong = sum(self._learn(rows, tags) for rows, tags in lessons)
            print(f"epoch {epoch + 1}: {wrong} of {len(lessons)} were wrong", flush=True)

    def tagger(self, caution: float) -> LinearTagger:
        """Return the tagger with the mean weights of all steps."""
        weights, steps = self._mean()
        return LinearTagger(weights, steps, self.cue_words, caution=caution)

    def save(self, path: Path, caution: float) -> None:
        """Write the mean weights in eight bits."""
        weights, steps = self._mean()
        largest = max(float(np.abs(row).max()) for row in weights.values())
        kept = {name: row for name, row in sorted(weights.items()) if np.abs(row).max() >= SMALL * largest}
        step = largest / 127
        rows = np.array([np.round(row / step) for row in kept.values()], dtype=np.int8)
        library = require("safetensors.numpy", extra="train", why="saving the splitter")
        library.save_file(
            {
                "features": np.array(list(kept), dtype=np.uint32),
                "weights": rows,
                "step": np.array([step], dtype=np.float32),
                "steps": steps.astype(np.float32),
                "caution": np.array([caution], dtype=np.float32),
                "cue_words": np.frombuffer("\n".join(sorted(self.cue_words)).encode("utf-8"), dtype=np.uint8),
            },
            path,
        )
        print(f"{path}: {len(kept)} features, {path.stat().st_size} bytes")

    def _lesson(self, query: MarkedQuery) -> tuple[list[list[str]], list[int]]:
        words = words_of(query.text)
        if not any(word.form in self.cue_words for word in words):
            return [], []
        return features(query.text, words, self.cue_words), _tags(query, words)

    def _learn(self, rows: Sequence[Sequence[str]], right: Sequence[int]) -> bool:
        self._count += 1
        found = LinearTagger(self._weights, self._steps, self.cue_words).tags(rows)
        if found == list(right):
            return False
        before = (START, START)
        for names, wanted, got in zip(rows, right, found, strict=True):
            if wanted != got:
                change = np.zeros(START)
                change[wanted], change[got] = 1, -1
                for number in map(feature_number, names):
                    self._weights[number] = self._weights.get(number, 0.0) + change
                    self._totals[number] = self._totals.get(number, 0.0) + self._count * change
            if (before[0], wanted) != (before[1], got):
                for sign, origin, tag in ((1, before[0], wanted), (-1, before[1], got)):
                    self._steps[origin, tag] += sign
                    self._step_totals[origin, tag] += sign * self._count
            before = (wanted, got)
        return True

    def _mean(self) -> tuple[Mapping[int, np.ndarray], np.ndarray]:
        weights = {name: row - self._totals[name] / self._count for name, row in self._weights.items()}
        return weights, self._steps - self._step_totals / self._count


def _cue_words(queries: Sequence[MarkedQuery]) -> frozenset[str]:
    """Return words of which almost every exclusion has one, and other texts seldom, the most useful first."""
    others = [query for query in queries if not query.items]
    seen = Counter(form for query in others for form in {word.form for word in words_of(query.text)})
    cues = [forms for forms in map(_cue_forms, queries) if forms]
    chosen: set[str] = set()
    while cues:
        added = Counter(form for forms in cues for form in forms)
        worth = {form: count / (1 + 1000 * seen[form] / len(others)) for form, count in added.items()}
        best = max(sorted(worth), key=worth.__getitem__)
        if added[best] < OFTEN or worth[best] < WORTH:
            break
        chosen.add(best)
        cues = [forms for forms in cues if best not in forms]
    return frozenset(chosen)


def _cue_forms(query: MarkedQuery) -> set[str]:
    forms = (
        word.form for word in words_of(query.text) if any(start <= word.span[0] < end for start, end in query.cues)
    )
    return set(forms) - CONNECTIVES


def _tags(query: MarkedQuery, words: Sequence[QueryWord]) -> list[int]:
    tags: list[int] = []
    for word in words:
        at = word.span[0]
        item = next((span for span in query.items if span[0] <= at < span[1]), None)
        if item:
            begins = not tags or tags[-1] not in (ITEM, INSIDE) or at == item[0]
            tags.append(ITEM if begins else INSIDE)
        else:
            excluding = any(start <= at < end for start, end in (*query.cues, *query.connectives))
            tags.append(CUE if excluding else KEPT)
    return tags


if __name__ == "__main__":
    assert len(TAGS) == START
    raise SystemExit(main())
