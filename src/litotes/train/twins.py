"""How far apart a model holds a text and its negation: the papers' curve beside accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.train.examples import Example

if TYPE_CHECKING:
    import numpy as np


def twin_cosine(model: Any, examples: Sequence[Example]) -> float:
    """The mean cosine of every negative with the text it was made from, as a SentenceTransformer encodes them."""
    pairs = twins(examples)
    if not pairs:
        raise InputError(f"{len(examples)} examples without a negative; expected one with a negative at least")
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    place = {text: row for row, text in enumerate(texts)}
    rows: np.ndarray = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    one, other = ([place[pair[side]] for pair in pairs] for side in (0, 1))
    return float((rows[one] * rows[other]).sum(axis=1).mean())


def twins(examples: Sequence[Example]) -> list[tuple[str, str]]:
    """A text and its negation, for every negative: a triple's anchor, a contrast's other document.

    An example does not say which it was; the text that shares more words with the negative is its twin.
    """
    found = []
    for example in examples:
        for negative in example.negatives:
            nearest = max((example.query, example.positive), key=lambda text: _shared(text, negative))
            found.append((nearest, negative))
    return found


def _shared(one: str, other: str) -> float:
    """The share of the words of both texts that are in both."""
    first, second = set(one.lower().split()), set(other.lower().split())
    return len(first & second) / max(1, len(first | second))
