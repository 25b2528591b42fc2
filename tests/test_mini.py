"""Test litotes-mini as shipped: its files, its dial, its sense of negation and its general similarity."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.data.benchmarks.general_mini import general_pairs
from litotes.data.benchmarks.taxonomy import taxonomy_benchmark
from litotes.errors import InputError
from litotes.models import load as load_model
from litotes.models.bases import MINI, SHIPPED, shipped
from litotes.models.loading import sha256
from litotes.stats import point, spearman
from tests.family_models import dense_minilm, quiet

PAIRS = [
    (
        "The drug is safe for children.",
        "Children can take the drug without danger.",
        "The drug is not safe for children.",
    ),
    ("The shop is open on Sundays.", "The shop isn't closed on Sundays.", "The shop is closed on Sundays."),
    ("Everyone survived the crash.", "Nobody died in the crash.", "Not everyone survived the crash."),
    ("The bridge was finished in 1911.", "They completed the bridge in 1911.", "The bridge was never finished."),
    ("The soup contains nuts.", "There are nuts in the soup.", "There are no nuts in the soup."),
]


@pytest.fixture(scope="module")
def model() -> Any:
    with quiet():
        return litotes.load("litotes-mini", device="cpu")


def test_the_files_are_small_and_pinned() -> None:
    folder = shipped(MINI).folder
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert sum(sizes.values()) < 12_000_000
    assert set(sizes) == {"README.md", "tower.json", *SHIPPED[MINI]}
    card = json.loads((folder / "tower.json").read_text(encoding="utf-8"))
    assert card["width"] <= 128
    for name, pinned in SHIPPED[MINI].items():
        assert sha256(folder / name) == pinned == card["files"][name]


def test_it_is_a_sentence_transformer_with_a_dial(model: Any) -> None:
    from sentence_transformers import SentenceTransformer

    assert isinstance(model, SentenceTransformer)
    assert model.encode(["A text."]).shape == (1, 512)
    assert model.encode_query("A text.", dial=0.5) @ model.encode_document("A text.") == pytest.approx(1, abs=1e-5)


def test_dial_zero_is_the_base(model: Any) -> None:
    texts = [text for pair in PAIRS for text in pair]
    base: np.ndarray = dense_minilm().encode(texts)
    scores = model.encode_query(texts, dial=0.0) @ model.encode_document(texts).T
    assert scores == pytest.approx(base @ base.T, abs=1e-5)


def test_it_prefers_paraphrases_to_negations_and_its_base_does_not(model: Any) -> None:
    right = {0.5: 0, 0.0: 0}
    for text, paraphrase, negation in PAIRS:
        documents = model.encode_document([paraphrase, negation])
        for w in right:
            first, second = model.encode_query(text, dial=w) @ documents.T
            right[w] += first > second
    assert right[0.5] >= 4
    assert right[0.0] <= 2


def test_a_name_can_contain_the_dial() -> None:
    with quiet():
        default, dialled = (load_model(f"dense:litotes-mini{dial}", device="cpu") for dial in ("", "@0.4"))
    texts = ["It rains.", "It does not rain."]
    rows = dialled.encode(texts)  # type: ignore[union-attr]
    assert np.linalg.norm(rows[0][-128:]) ** 2 == pytest.approx(0.4, abs=1e-5)
    assert rows == pytest.approx(dialled.rescale_to_dial(default.encode(texts)), abs=1e-6)  # type: ignore[union-attr]
    assert dialled.fingerprint != default.fingerprint  # type: ignore[union-attr]
    with pytest.raises(InputError, match=r"the dial is 1\.5"):
        load_model("dense:litotes-mini@1.5")


@pytest.mark.slow
def test_it_beats_its_base_on_contrasts_and_keeps_general_similarity(model: Any) -> None:
    """It gains 20 points on a third of the taxonomy's contrasts, and loses at most 1 on general-mini's pairs."""
    contrasts = taxonomy_benchmark("test")[::3]
    texts = [text for item in contrasts for text in (item.q1, item.q2, item.doc1, item.doc2) if text is not None]
    pairs = general_pairs()[::2]
    texts += [text for pair in pairs for text in (pair.first, pair.second)]
    rows = dict(zip(texts, model.encode(texts), strict=True))

    def accuracy(w: float) -> float:
        right = []
        for item in contrasts:
            q1, q2 = (litotes.dial(model, rows[text or ""], w) for text in (item.q1, item.q2))
            margin = rows[item.doc1] - rows[item.doc2]
            right.append(q1 @ margin > 0 > q2 @ margin)
        return 100 * float(np.mean(right))

    def correlation(w: float) -> float:
        scores = [litotes.dial(model, rows[pair.first], w) @ rows[pair.second] for pair in pairs]
        return 100 * point(spearman(scores, [pair.grade for pair in pairs]), len(pairs))

    default = model.transformers_model.config.default_w
    assert accuracy(default) >= accuracy(0.0) + 20
    assert correlation(default) >= correlation(0.0) - 1
