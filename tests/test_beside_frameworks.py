"""Test a polarity block beside the embeddings of LangChain, LlamaIndex and Haystack, with the real libraries."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.models import Polarity
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
