"""litotes-mini as it comes with the package: its files, how it loads, what it hears and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.data.contrasts import taxonomy_benchmark
from litotes.data.general import general_pairs
from litotes.errors import InputError
from litotes.models import load as load_model
from litotes.models.bases import MINI_PINS, mini
from litotes.models.loading import sha256
from litotes.stats import point, spearman
from tests.model_shelf import quiet

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
    folder = mini().folder
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert sum(sizes.values()) < 12_000_000
    assert set(sizes) == {"README.md", "tower.json", *MINI_PINS}
    card = json.loads((folder / "tower.json").read_text(encoding="utf-8"))
    assert card["width"] <= 128
    for name, wanted in MINI_PINS.items():
        assert sha256(folder / name) == wanted == card["files"][name]


def test_it_is_a_sentence_transformer_with_a_dial(model: Any) -> None:
    from sentence_transformers import SentenceTransformer

    assert isinstance(model, SentenceTransformer)
    assert model.encode(["A text."]).shape == (1, 512)
    assert model.encode_query("A text.", dial=0.5) @ model.encode_document("A text.") == pytest.approx(1, abs=1e-5)


def test_at_dial_zero_it_is_the_base(model: Any) -> None:
    texts = [text for pair in PAIRS for text in pair]
    base: np.ndarray = load_model("dense:minilm", device="cpu").encode(texts)  # type: ignore[union-attr]
    scores = model.encode_query(texts, dial=0.0) @ model.encode_document(texts).T
    assert scores == pytest.approx(base @ base.T, abs=1e-5)


def test_it_hears_what_its_base_does_not(model: Any) -> None:
    """Each of the texts with its paraphrase and its denial, at a dial where the tower counts as much as the base."""
    heard = base = 0
    for text, same, denied in PAIRS:
        ours, plain = (model.encode_query(text, dial=w) @ model.encode_document([same, denied]).T for w in (0.5, 0.0))
        heard += ours[0] > ours[1]
        base += plain[0] > plain[1]
    assert heard >= 4
    assert base <= 2


def test_the_bench_names_it_at_any_dial() -> None:
    with quiet():
        plain, turned = (load_model(f"dense:litotes-mini{at}", device="cpu") for at in ("", "@0.4"))
    texts = ["It rains.", "It does not rain."]
    first, second = turned.encode(texts), plain.encode(texts)  # type: ignore[union-attr]
    assert np.linalg.norm(first[0][-128:]) ** 2 == pytest.approx(0.4, abs=1e-5)
    assert first == pytest.approx(turned.turned(second), abs=1e-6)  # type: ignore[union-attr]
    assert turned.fingerprint != plain.fingerprint  # type: ignore[union-attr]
    with pytest.raises(InputError, match=r"the dial is 1\.5"):
        load_model("dense:litotes-mini@1.5")


@pytest.mark.slow
def test_it_beats_its_base_on_contrasts_and_keeps_general_similarity(model: Any) -> None:
    """Twenty points on every other test contrast of the taxonomy; no point lost on general-mini's graded pairs."""
    contrasts = taxonomy_benchmark("test")[::2]
    texts = [text for one in contrasts for text in (one.q1, one.q2, one.doc1, one.doc2) if text is not None]
    pairs = general_pairs()
    texts += [text for pair in pairs for text in (pair.first, pair.second)]
    rows = dict(zip(texts, model.encode(texts), strict=True))

    def right(w: float) -> float:
        found = []
        for one in contrasts:
            q1, q2 = (litotes.dial(rows[text or ""], w, w0=_w0()) for text in (one.q1, one.q2))
            found.append(q1 @ (rows[one.doc1] - rows[one.doc2]) > 0 and q2 @ (rows[one.doc2] - rows[one.doc1]) > 0)
        return 100 * float(np.mean(found))

    def alike(w: float) -> float:
        scores = [litotes.dial(rows[pair.first], w, w0=_w0()) @ rows[pair.second] for pair in pairs]
        return 100 * point(spearman(scores, [pair.score for pair in pairs]), len(pairs))

    assert right(_w0()) >= right(0.0) + 20
    assert alike(_w0()) >= alike(0.0) - 1


def _w0() -> float:
    card = json.loads(Path(mini().folder / "tower.json").read_text(encoding="utf-8"))
    return float(card["default_w"])
