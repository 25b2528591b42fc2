"""litotes-base as shipped, on all-mpnet-base-v2: its files, its dial and its sense of negation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import litotes
from litotes.models.bases import BASE, SHIPPED, shipped
from litotes.models.loading import sha256
from tests.conftest import run_examples
from tests.family_models import quiet

CONTRASTS = [
    ("The shop is open on Sundays.", "The shop isn't closed on Sundays.", "The shop is closed on Sundays."),
    ("The soup contains nuts.", "There are nuts in the soup.", "There are no nuts in the soup."),
    ("hotels without a pool", "The hotel has no swimming pool.", "The hotel has a swimming pool."),
    ("Was the bridge ever finished?", "The bridge was completed in 1911.", "The bridge was never completed."),
]
"""A query, a document that agrees with it, and one that says the opposite."""


@pytest.fixture(scope="module")
def model(mpnet: None) -> Any:
    with quiet():
        return litotes.load(BASE, device="cpu")


def test_the_files_are_small_and_pinned() -> None:
    folder = shipped(BASE).folder
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert sum(sizes.values()) < 12_000_000
    assert set(sizes) == {"README.md", "tower.json", *SHIPPED[BASE]}
    card = json.loads((folder / "tower.json").read_text(encoding="utf-8"))
    assert card["base"]["name"] == "mpnet"
    for name, pinned in SHIPPED[BASE].items():
        assert sha256(folder / name) == pinned == card["files"][name]


@pytest.mark.slow
def test_dial_zero_is_the_base(model: Any) -> None:
    texts = [text for contrast in CONTRASTS for text in contrast]
    with quiet():
        rows = litotes.load("mpnet", device="cpu").encode(texts)
    scores = model.encode_query(texts, dial=0.0, exclude=False) @ model.encode_document(texts).T
    assert scores == pytest.approx(rows @ rows.T, abs=1e-5)


@pytest.mark.slow
def test_it_prefers_what_agrees(model: Any) -> None:
    for query, agrees, opposite in CONTRASTS:
        first, second = model.encode_query(query, dial=0.4) @ model.encode_document([agrees, opposite]).T
        assert first > second, query


@pytest.mark.slow
def test_the_example_of_its_page(model: Any) -> None:
    run_examples(Path(__file__).parent.parent / "docs" / "litotes-base.md")
