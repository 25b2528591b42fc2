"""Contrasts in lists: the two documents of a contrast among documents of other contrasts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from litotes.types import Contrast

DISTRACTORS = 8


@dataclass(frozen=True, slots=True)
class ListedContrast:
    """A contrast, and the documents among which both of its queries are asked: its own two and others, shuffled."""

    contrast: Contrast
    documents: tuple[str, ...]

    def questions(self) -> list[tuple[str, str, str]]:
        """Return each query with its own document and the other one."""
        first = [(self.contrast.q1, self.contrast.doc1, self.contrast.doc2)]
        second = self.contrast.q2
        return first if second is None else [*first, (second, self.contrast.doc2, self.contrast.doc1)]


def listed(
    contrasts: Sequence[Contrast], *, distractors: int = DISTRACTORS, seed: int = 0
) -> tuple[ListedContrast, ...]:
    """Return each contrast in a list with one document each of other contrasts, from other domains if there are any.

    A contrast of the same domain could answer the query as well. The draw depends on the seed and the contrast's id.
    """
    lists = []
    for item in contrasts:
        draw = random.Random(f"{seed}/{item.id}")
        own = {item.doc1, item.doc2}
        others = [
            other for other in contrasts if other.id != item.id and (not item.domain or other.domain != item.domain)
        ]
        drawn = draw.sample(others, min(2 * distractors, len(others)))
        texts = [draw.choice((other.doc1, other.doc2)) for other in drawn]
        documents = [*own, *[text for text in dict.fromkeys(texts) if text not in own][:distractors]]
        # Sort first: the order of a set differs between runs.
        documents.sort()
        draw.shuffle(documents)
        lists.append(ListedContrast(item, tuple(documents)))
    return tuple(lists)
