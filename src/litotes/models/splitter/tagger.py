"""Mark what queries exclude, with a loaded splitter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any

import numpy as np

from litotes.errors import require
from litotes.models.adapter import check_texts, distinct
from litotes.models.splitter.marks import marks_of
from litotes.query_marks import Marks

CARD = "splitter.json"
BATCH = 64
THRESHOLD = 0.5
"""the least probability that a query excludes anything"""
SHORT_WORDS, SHORT_THRESHOLD = 10, 0.8
"""the most words of a short query, and the threshold of short queries; long ones are often messages"""
LIKELY = 0.5
"""the least probability for a query of which another model says that it excludes something"""


class Tagger:
    """A loaded splitter. Queries of more than `longest` tokens are cut: what follows is kept."""

    def __init__(
        self, model: Any, tokenizer: Any, *, longest: int, threshold: float = THRESHOLD, facts: dict[str, str]
    ) -> None:
        self.model, self.tokenizer = model, tokenizer
        self.longest, self.threshold = longest, threshold
        self.facts = facts
        """what identifies the weights"""
        self._lock = Lock()

    def marks(self, queries: Sequence[str], *, likely: Callable[[str], bool] | None = None) -> list[Marks]:
        """Return the marks on each query; none on a query that excludes nothing.

        `likely` is asked about queries whose probability is below the threshold, but not low: whether another model
        says that they exclude something.
        """
        unique, places = distinct(check_texts(queries))
        order = sorted(range(len(unique)), key=lambda number: len(unique[number]))
        found: list[Marks] = [Marks()] * len(unique)
        for start in range(0, len(order), BATCH):
            numbers = order[start : start + BATCH]
            texts = [unique[number] for number in numbers]
            # Two threads of a server cannot use a tokenizer at once.
            with self._lock:
                read = list(self.read(texts))
            for number, (excludes, offsets, tags) in zip(numbers, read, strict=True):
                threshold = self._threshold(unique[number])
                unsure = LIKELY <= excludes < threshold
                if excludes >= threshold or (unsure and likely is not None and likely(unique[number])):
                    marks = marks_of(unique[number], offsets, tags)
                    found[number] = marks if marks else Marks()
        return [found[place] for place in places]

    def _threshold(self, query: str) -> float:
        return min(self.threshold, SHORT_THRESHOLD) if len(query.split()) <= SHORT_WORDS else self.threshold

    def read(self, texts: Sequence[str]) -> Iterator[tuple[float, list[tuple[int, int]], np.ndarray]]:
        """Yield for each text the probability that it excludes anything, its tokens, and the tags of each token."""
        torch = require("torch", extra="models", why="the splitter")
        encoded = self.tokenizer(
            list(texts), padding=True, truncation=True, max_length=self.longest, return_offsets_mapping=True
        )
        ids, mask = (torch.tensor(encoded[name], device=self.model.device) for name in ("input_ids", "attention_mask"))
        with torch.inference_mode():
            tags, excludes = self.model(ids, mask)
        rows, judged = tags.softmax(dim=-1).cpu().numpy(), excludes.sigmoid().cpu().numpy()
        for excluding, offsets, row in zip(judged, encoded["offset_mapping"], rows, strict=True):
            # special tokens and padding have empty offsets
            real = [number for number, (start, end) in enumerate(offsets) if start < end]
            yield float(excluding), [tuple(offsets[number]) for number in real], row[real]
