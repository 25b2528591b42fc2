"""Scores of documents for a query that excludes something, if the vectors of the documents are at hand.

A single query vector, f(kept) − β·f(excluded), lowers every document a little that names what is excluded. On short
documents that is too little, and passages that merely mention it fall, too. These scores have a threshold instead:

    score(d) = q·d − λ·max(0, maxᵢ vᵢ·d − τ)

q is a mean of f(kept) and f(kept and item): nothing is subtracted from it. vᵢ is a mean of f(item) and of what the item
adds to the kept part, the direction of f(kept and item) that f(kept) does not have. τ grows with the length of the
document. A short document that names the item is about it, so it loses a further share that falls with its length. The
numbers were chosen for litotes-mini (docs/history/exclusion.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError
from litotes.models.tower.scaling import rescale_default_dial
from litotes.models.tower.shape import tower_config
from litotes.query.beside_encoder import BesideEncoder
from litotes.query.exclusion import EXCLUSION_DIAL_SHARE, exclude
from litotes.query.search_filters import filters
from litotes.types import Exclusion

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

BOTH = 0.7
"""The weight of "kept and item" in q, beside the kept part."""
PENALTY = 2.0
"""λ"""
LENGTHS, THRESHOLDS = (10, 40), (0.22, 0.30)
"""Two numbers of words and their τ. It is constant below the first and above the second, and linear between them."""
NAMED = 0.5
"""What a document that names an excluded item loses up to the first number of words; nothing from the second one on."""


def exclusion_scores(
    kept: np.ndarray, items: np.ndarray, both: np.ndarray, documents: np.ndarray, words: Sequence[int]
) -> np.ndarray:
    """Return one score per document, from unit vectors of the kept part, of each excluded item, and of both together.

    `words` are the lengths of the documents, which are unit vectors as well.
    """
    added = both - (both @ kept)[:, None] * kept
    added /= np.maximum(np.linalg.norm(added, axis=1, keepdims=True), 1e-9)
    near = (documents @ ((added + items) / 2).T).max(axis=1)
    threshold = np.interp(words, LENGTHS, THRESHOLDS)
    wished = documents @ ((1 - BOTH) * kept + BOTH * both.mean(axis=0))
    scores: np.ndarray = wished - PENALTY * np.maximum(0, near - threshold)
    return scores


def rescore(
    query: str | Exclusion, vectors: np.ndarray, texts: Sequence[str], *, model: Encoder | BesideEncoder
) -> np.ndarray:
    """Score the first results of a search again, so that what the query excludes falls: one score per result.

    `vectors` are their stored vectors and `texts` their texts. `model` is the encoder that made the vectors. A query
    that excludes nothing gets the scores of the search.
    """
    split = query if isinstance(query, Exclusion) else exclude(query)
    stored = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    if len(stored) != len(texts):
        raise InputError(f"got {len(stored)} vectors and {len(texts)} texts; expected one text per vector")
    encoder: Any = model
    if not split:
        scores: np.ndarray = stored @ np.asarray(encoder.encode_query(split.text, exclude=False), dtype=np.float32)
        return scores
    parts = [split.kept, *split.excluded, *(f"{split.kept} {item}" for item in split.excluded)]
    rows = np.asarray(encoder.encode_query(parts, exclude=False), dtype=np.float32)
    if rows.shape[1] != stored.shape[1]:
        raise InputError(f"the vectors have {stored.shape[1]} columns; those of the model have {rows.shape[1]}")
    rows, stored = (_at_half_dial(one, model) for one in (rows, stored))
    count = 1 + len(split.excluded)
    words = [len(text.split()) for text in texts]
    named = np.array([bool(one) for one in map(_naming(split).search, texts)])
    rescored = exclusion_scores(rows[0], rows[1:count], rows[count:], stored, words)
    return rescored - NAMED * named * np.interp(words, LENGTHS, (1, 0))


def _naming(split: Exclusion) -> re.Pattern[str]:
    """Return a pattern for texts that name an excluded item: not for "nut-free", nor for "without nuts"."""
    terms = filters(split).pattern().removeprefix("(?i)")
    return re.compile(rf"(?<!\bno )(?<!\bnon-)(?<!\bnot )(?<!\bwithout ){terms}(?![- ]free\b)", re.IGNORECASE)


def _at_half_dial(rows: np.ndarray, model: Encoder | BesideEncoder) -> np.ndarray:
    """Rescale vectors of the default dial to the dial of queries that exclude something, if there is a dial."""
    if isinstance(model, BesideEncoder):
        dial, width = model.dial, model.polarity.width
    else:
        config = tower_config(model)
        if config is None:
            return rows
        dial, width = config.default_w, config.tower_width
    return rescale_default_dial(rows, EXCLUSION_DIAL_SHARE * dial, w0=dial, width=width)
