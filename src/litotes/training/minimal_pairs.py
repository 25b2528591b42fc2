"""How close a model places a text and its negation: the curve that the papers show beside accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.training.examples import Example

if TYPE_CHECKING:
    import numpy as np


def minimal_pair_cosine(model: Any, examples: Sequence[Example]) -> float:
    """Return the mean cosine of every negative with the text it was made from; the model is a SentenceTransformer."""
    pairs = minimal_pairs(examples)
    if not pairs:
        raise InputError(f"none of {len(examples)} examples has a negative; expected at least one")
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    index = {text: row for row, text in enumerate(texts)}
    vectors: np.ndarray = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    left, right = ([index[pair[side]] for pair in pairs] for side in (0, 1))
    return float((vectors[left] * vectors[right]).sum(axis=1).mean())


def minimal_pairs(examples: Sequence[Example]) -> list[tuple[str, str]]:
    """Return every negative with the text it negates: a triple's anchor or a contrast's other document.

    An example does not say which text that is; the one that shares more words with the negative is taken.
    """
    pairs = []
    for example in examples:
        for negative in example.negatives:
            nearest = max((example.query, example.positive), key=lambda text: _shared_words(text, negative))
            pairs.append((nearest, negative))
    return pairs


def _shared_words(text: str, other: str) -> float:
    """Return the share of the words of both texts that occur in both."""
    words, other_words = set(text.lower().split()), set(other.lower().split())
    return len(words & other_words) / max(1, len(words | other_words))
