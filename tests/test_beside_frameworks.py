"""Test a polarity block beside the embeddings of LangChain, LlamaIndex and Haystack, with the real libraries."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.models import Polarity, TowerShape
from litotes.models.tower import save_delta
from litotes.query import PolarityEmbeddings
from tests.small_tower import small_tower

TEXTS = ["The ferry runs on Sundays.", "The ferry does not run on Sundays.", "Borscht is a soup of beetroot."]
DIAL = 0.3


def letters(text: str) -> list[float]:
    """Encode a text as counts of its letters, plus 1."""
    return [text.lower().count(chr(97 + at)) + 1.0 for at in range(26)]


@pytest.fixture(scope="module")
def block() -> Polarity:
    return Polarity(small_tower(), name="small")


@pytest.fixture(scope="module")
def encoder(block: Polarity) -> Any:
    return litotes.beside(lambda texts: [letters(text) for text in texts], block=block, dial=DIAL)


def test_langchain(block: Polarity, encoder: Any) -> None:
    embeddings = pytest.importorskip("langchain_core.embeddings")
    vectorstores = pytest.importorskip("langchain_core.vectorstores")

    class Letters(embeddings.Embeddings):  # type: ignore[misc, name-defined]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [letters(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return letters(text)

    wrapped = PolarityEmbeddings(Letters(), dial=DIAL, block=block)
    assert isinstance(wrapped, embeddings.Embeddings)
    assert np.array(wrapped.embed_documents(TEXTS)) == pytest.approx(encoder.encode_document(TEXTS), abs=1e-6)
    assert np.array(asyncio.run(wrapped.aembed_query(TEXTS[0]))) == pytest.approx(
        encoder.encode_query(TEXTS[0]), abs=1e-6
    )
    at_zero = PolarityEmbeddings(Letters(), dial=DIAL, block=block, query_dial=0.0)
    assert np.array(at_zero.embed_query(TEXTS[0])) == pytest.approx(encoder.encode_query(TEXTS[0], dial=0.0), abs=1e-6)
    store = vectorstores.InMemoryVectorStore.from_texts(TEXTS, wrapped)
    assert store.similarity_search(TEXTS[1], k=1)[0].page_content == TEXTS[1]


def test_llama_index(encoder: Any, block: Polarity) -> None:
    core = pytest.importorskip("llama_index.core.embeddings")
    from litotes.query.llama_index import LitotesEmbedding

    class Letters(core.BaseEmbedding):  # type: ignore[misc, name-defined]
        def _get_text_embedding(self, text: str) -> list[float]:
            return letters(text)

        def _get_query_embedding(self, query: str) -> list[float]:
            return letters(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return letters(query)

    wrapped = LitotesEmbedding(litotes.beside(Letters(), block=block, dial=DIAL))
    assert np.array(wrapped.get_text_embedding_batch(TEXTS)) == pytest.approx(encoder.encode_document(TEXTS), abs=1e-6)
    assert np.array(wrapped.get_query_embedding(TEXTS[0])) == pytest.approx(encoder.encode_query(TEXTS[0]), abs=1e-6)


def _haystack_embedders() -> tuple[Any, Any, Any]:
    haystack = pytest.importorskip("haystack")
    from tests.haystack_letters import LettersDocumentEmbedder, LettersTextEmbedder

    return haystack, LettersDocumentEmbedder(), LettersTextEmbedder()


def test_haystack(block: Polarity, encoder: Any) -> None:
    haystack, documents, text = _haystack_embedders()
    from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from litotes.query import PolarityDocumentEmbedder, PolarityTextEmbedder

    embedder = PolarityDocumentEmbedder(documents, dial=DIAL, block=block)
    stored: Sequence[Any] = embedder.run([haystack.Document(content=content) for content in TEXTS])["documents"]
    rows = np.array([document.embedding for document in stored])
    assert rows == pytest.approx(encoder.encode_document(TEXTS), abs=1e-6)
    store = InMemoryDocumentStore(embedding_similarity_function="dot_product")
    store.write_documents(list(stored))
    pipeline = haystack.Pipeline()
    pipeline.add_component("query", PolarityTextEmbedder(text, dial=DIAL, block=block))
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store, top_k=1))
    pipeline.connect("query.embedding", "retriever.query_embedding")
    found = pipeline.run({"query": {"text": TEXTS[1]}})["retriever"]["documents"]
    assert [document.content for document in found] == [TEXTS[1]]
    assert embedder.run([])["documents"] == []
    with pytest.raises(litotes.InputError, match="has no content; expected a text"):
        embedder.run([haystack.Document(content=None)])


def test_haystack_components_can_be_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    _, documents, text = _haystack_embedders()
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "tests.haystack_letters")
    from litotes.query import PolarityDocumentEmbedder, PolarityTextEmbedder

    for embedder in (
        PolarityDocumentEmbedder(documents, dial=DIAL),
        PolarityTextEmbedder(text, dial=DIAL, query_dial=0.1, exclude=False),
    ):
        saved = embedder.to_dict()
        assert type(embedder).from_dict(saved).to_dict() == embedder.to_dict()
        assert saved["init_parameters"]["block"] == "litotes-mini"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_delta(small_tower(), tmp_path_factory.mktemp("haystack") / "tower", dtype="float32"))


def test_a_saved_haystack_component_keeps_the_options_of_its_block(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, documents, text = _haystack_embedders()
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "tests.haystack_letters")
    from litotes.query import PolarityDocumentEmbedder, PolarityTextEmbedder

    short = litotes.polarity(folder, device="cpu", max_tokens=8)
    expected = {"name": folder, "device": "cpu", "max_tokens": 8}
    for embedder in (
        PolarityDocumentEmbedder(documents, dial=DIAL, block=short),
        PolarityTextEmbedder(text, dial=DIAL, block=short),
    ):
        saved = embedder.to_dict()
        assert saved["init_parameters"]["block"] == expected
        restored = type(embedder).from_dict(saved)
        restored.warm_up()
        # The second sentence is beyond the eighth token, so a block that kept its options does not read it.
        long = f"{TEXTS[0]} {TEXTS[1]}"
        assert restored.block.encode(long) == pytest.approx(short.encode(long), abs=1e-6)
        assert restored.to_dict()["init_parameters"]["block"] == expected
    plain = PolarityTextEmbedder(text, dial=DIAL, block=folder)
    plain.warm_up()
    assert plain.to_dict()["init_parameters"]["block"] == folder


def test_a_saved_haystack_component_can_have_no_polarity_model(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, text = _haystack_embedders()
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "tests.haystack_letters")
    from litotes.query import PolarityTextEmbedder

    embedder = PolarityTextEmbedder(text, dial=DIAL, block=TowerShape(DIAL, 16), query_dial=0)
    row = PolarityTextEmbedder.from_dict(embedder.to_dict()).run(TEXTS[0])["embedding"]
    assert row == embedder.run(TEXTS[0])["embedding"]
    assert row[26:] == [0.0] * 16


def test_a_haystack_component_with_a_loaded_tower_cannot_be_saved(block: Polarity) -> None:
    _, documents, text = _haystack_embedders()
    from litotes.query import PolarityDocumentEmbedder, PolarityTextEmbedder

    for kind, embedder in ((PolarityDocumentEmbedder, documents), (PolarityTextEmbedder, text)):
        with pytest.raises(litotes.InputError, match="made from a loaded tower, which cannot be saved with a pipeline"):
            kind(embedder, dial=DIAL, block=block).to_dict()
    with pytest.raises(litotes.InputError, match=r"expected the arguments of litotes\.polarity"):
        PolarityTextEmbedder(text, dial=DIAL, block={"tokens": 8}).warm_up()
    with pytest.raises(litotes.InputError, match="which has no model; documents need litotes-mini"):
        PolarityDocumentEmbedder(documents, dial=DIAL, block=TowerShape(DIAL, 16))  # type: ignore[arg-type]


def test_a_text_embedder_of_haystack_builds_its_encoder_once(block: Polarity, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, text = _haystack_embedders()
    from litotes.query.adapters import haystack_embedders

    built: list[Any] = []

    def counted(*given: Any, **options: Any) -> Any:
        built.append(litotes.beside(*given, **options))
        return built[-1]

    monkeypatch.setattr(haystack_embedders, "beside", counted)
    embedder = haystack_embedders.PolarityTextEmbedder(text, dial=DIAL, block=block)
    rows = [embedder.run(TEXTS[0]), embedder.run(TEXTS[1]), embedder.run(TEXTS[0])]
    assert rows[0] == rows[2] != rows[1]
    assert len(built) == 1
