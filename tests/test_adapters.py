"""Test the adapters to other libraries: the interface of each, and the real libraries if they are installed."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError
from litotes.query import BETA, LangChainEmbeddings, LlamaIndexEmbedding, Reranker, rerank
from litotes.query.encoder import Encoder
from tests.family_models import minilm, quiet
from tests.small_tower import small_encoder

TEXTS = [
    "The ferry runs on Sundays.",
    "Borscht is a soup of beetroot.",
    "Miso soup is made from fermented soybeans. It is served hot.",
]
EXCLUDING = "soups other than borscht"
DIAL = 0.6


@pytest.fixture(scope="module")
def model() -> Encoder:
    encoder: Encoder = small_encoder()
    return encoder


@pytest.fixture(scope="module")
def stored(model: Encoder) -> np.ndarray:
    rows: np.ndarray = model.encode_document(TEXTS)
    return rows


def _langchain(model: Any, **options: Any) -> tuple[Any, ...]:
    adapter = LangChainEmbeddings(model, **options)
    return adapter.embed_documents, adapter.embed_query, adapter.aembed_documents, adapter.aembed_query


def _llama_index(model: Any, **options: Any) -> tuple[Any, ...]:
    return _llama_index_methods(LlamaIndexEmbedding(model, **options))


def _llama_index_subclass(model: Any, **options: Any) -> tuple[Any, ...]:
    pytest.importorskip("llama_index.core")
    from litotes.query.llama_index import LitotesEmbedding

    return _llama_index_methods(LitotesEmbedding(model, **options))


def _llama_index_methods(adapter: Any) -> tuple[Any, ...]:
    synchronous = adapter.get_text_embedding_batch, adapter.get_query_embedding
    return *synchronous, adapter.aget_text_embedding_batch, adapter.aget_query_embedding


EMBEDDERS = pytest.mark.parametrize("methods", [_langchain, _llama_index, _llama_index_subclass])


@EMBEDDERS
def test_documents_are_encoded_at_the_default_dial(methods: Any, model: Encoder, stored: np.ndarray) -> None:
    documents, _, documents_async, _ = methods(model, dial=DIAL)
    rows = documents(TEXTS)
    assert isinstance(rows, list)
    assert isinstance(rows[0][0], float)
    assert np.array(rows) == pytest.approx(stored, abs=1e-6)
    assert np.array(asyncio.run(documents_async(TEXTS))) == pytest.approx(stored, abs=1e-6)
    assert documents([]) == []


@EMBEDDERS
def test_dial_and_exclude_affect_queries(methods: Any, model: Encoder) -> None:
    cases: list[dict[str, Any]] = [{}, {"dial": DIAL}, {"dial": 0.0, "exclude": False}]
    for options in cases:
        _, query, _, query_async = methods(model, **options)
        row = query(EXCLUDING)
        assert isinstance(row[0], float)
        assert row == pytest.approx(model.encode_query(EXCLUDING, **options).tolist(), abs=1e-6)
        assert asyncio.run(query_async(EXCLUDING)) == row


@EMBEDDERS
def test_queries_can_be_encoded_concurrently(methods: Any, model: Encoder) -> None:
    async def together() -> Any:
        return await asyncio.gather(*map(methods(model)[3], [EXCLUDING, "a longer question about soups"] * 4))

    rows = asyncio.run(together())
    assert np.array(rows[6:]) == pytest.approx(np.array(rows[:2]), abs=1e-6)


def test_a_single_text_can_be_encoded(model: Encoder, stored: np.ndarray) -> None:
    adapter = LlamaIndexEmbedding(model)
    assert adapter.get_text_embedding(TEXTS[1]) == pytest.approx(stored[1].tolist(), abs=1e-6)
    assert asyncio.run(adapter.aget_text_embedding(TEXTS[1])) == pytest.approx(stored[1].tolist(), abs=1e-6)


def test_any_sentence_transformer_works_without_a_dial() -> None:
    from sentence_transformers import SentenceTransformer

    with quiet():
        plain = SentenceTransformer(minilm(), device="cpu")
    assert LangChainEmbeddings(plain).embed_documents(TEXTS[:1]) == pytest.approx(plain.encode(TEXTS[:1]), abs=1e-6)
    kept, excluded = plain.encode(["soups", "borscht"])
    expected = kept - BETA * excluded
    assert LangChainEmbeddings(plain).embed_query(EXCLUDING) == pytest.approx(
        (expected / np.linalg.norm(expected)).tolist(), abs=1e-5
    )
    for adapter in (LangChainEmbeddings, LlamaIndexEmbedding, Reranker):
        with pytest.raises(InputError, match="expected a tower"):
            adapter(plain, dial=DIAL)


@pytest.mark.parametrize("adapter", [LangChainEmbeddings, LlamaIndexEmbedding, Reranker])
def test_invalid_options_are_refused_before_the_first_query(adapter: Any, model: Encoder) -> None:
    with pytest.raises(InputError, match="the dial is 2; expected a number from 0"):
        adapter(model, dial=2)
    with pytest.raises(InputError, match="exclude is 'never'; expected “auto”, False or a list of texts"):
        adapter(model, exclude="never")
    with pytest.raises(InputError, match="the model is int; expected a name, a folder or a SentenceTransformer"):
        adapter(7)


def test_invalid_texts_are_refused(model: Encoder) -> None:
    with pytest.raises(InputError, match="expected a list of texts"):
        LangChainEmbeddings(model).embed_documents("one text")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the query is list; expected a text"):
        LangChainEmbeddings(model).embed_query(["one"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="pair 1 is 'soups'; expected a query and a document"):
        Reranker(model).predict([("soups", TEXTS[1]), "soups", "more"])


def test_rank_agrees_with_rerank(model: Encoder) -> None:
    expected = rerank(EXCLUDING, TEXTS, model=model, dial=DIAL)
    rows = Reranker(model, dial=DIAL).rank(EXCLUDING, TEXTS)
    assert [set(row) for row in rows] == [{"corpus_id", "score"}] * 3
    assert [row["corpus_id"] for row in rows] == [result.place for result in expected]
    assert [row["score"] for row in rows] == pytest.approx([result.score for result in expected], abs=1e-6)
    (best,) = Reranker(model, dial=DIAL).rank(EXCLUDING, TEXTS, top_k=1, return_documents=True)
    assert best["text"] == expected[0].text == TEXTS[best["corpus_id"]]
    assert Reranker(model).rank(EXCLUDING, []) == []


def test_predict_keeps_the_order_of_pairs(model: Encoder) -> None:
    import torch

    ranker = Reranker(model)
    pairs = [(EXCLUDING, TEXTS[1]), ("boats", TEXTS[0]), (EXCLUDING, TEXTS[2]), ("boats", TEXTS[2])]
    expected = [
        next(row["score"] for row in ranker.rank(query, TEXTS, return_documents=True) if row["text"] == text)
        for query, text in pairs
    ]
    scores = ranker.predict(pairs, batch_size=2, show_progress_bar=False)
    assert (scores.shape, scores.dtype) == ((4,), np.float32)
    assert scores == pytest.approx(np.array(expected), abs=1e-5)
    assert float(ranker.predict(pairs[0])) == pytest.approx(expected[0], abs=1e-5)
    assert ranker.predict(pairs, convert_to_tensor=True).tolist() == pytest.approx(expected, abs=1e-5)
    assert all(isinstance(score, torch.Tensor) for score in ranker.predict(pairs, convert_to_numpy=False))
    assert ranker.predict([]).shape == (0,)


def test_the_reranker_has_the_options_of_cross_encoder() -> None:
    from inspect import signature

    from sentence_transformers import CrossEncoder

    for name in ("predict", "rank"):
        ours, theirs = (signature(getattr(kind, name)).parameters for kind in (Reranker, CrossEncoder))
        assert set(ours) - {"scores", "first_stage", "weight", "calibrated", "explain"} <= set(theirs)


def test_langchain_accepts_the_embeddings(model: Encoder) -> None:
    core = pytest.importorskip("langchain_core")
    from importlib import import_module

    embeddings = LangChainEmbeddings(model, dial=0.0)
    assert isinstance(embeddings, import_module(f"{core.__name__}.embeddings").Embeddings)
    store = import_module(f"{core.__name__}.vectorstores").InMemoryVectorStore(embeddings)
    store.add_texts(TEXTS)
    whole = import_module(f"{core.__name__}.vectorstores").InMemoryVectorStore.from_texts(
        TEXTS, LangChainEmbeddings(model, dial=0.0, exclude=False)
    )
    assert [document.page_content for document in whole.similarity_search(EXCLUDING, k=1)] == [TEXTS[1]]
    assert [document.page_content for document in store.similarity_search(EXCLUDING, k=1)] == [TEXTS[2]]
    retriever = store.as_retriever(search_kwargs={"k": 1})
    assert [document.page_content for document in retriever.invoke(EXCLUDING)] == [TEXTS[2]]


def test_llama_index_builds_an_index(model: Encoder) -> None:
    core = pytest.importorskip("llama_index.core")
    from litotes.query.llama_index import LitotesEmbedding

    nodes = [core.schema.TextNode(text=text) for text in TEXTS]
    for exclude, best in ((False, TEXTS[1]), ("auto", TEXTS[2])):
        embedding = LitotesEmbedding(model, dial=0.0, exclude=exclude)
        index = core.VectorStoreIndex(nodes, embed_model=embedding)
        (result,) = index.as_retriever(similarity_top_k=1).retrieve(EXCLUDING)
        assert result.node.get_content() == best
    described = embedding.to_dict()
    assert (described["class_name"], described["dial"], described["exclude"]) == ("LitotesEmbedding", 0.0, "auto")


def test_llama_index_can_serialise_the_embedding() -> None:
    pytest.importorskip("llama_index.core")
    from litotes.query.llama_index import LitotesEmbedding

    with quiet():
        again = LitotesEmbedding.from_dict(LitotesEmbedding("minilm", exclude=False, embed_batch_size=3).to_dict())
    assert (again.model_name, again.exclude, again.embed_batch_size) == ("minilm", False, 3)


def test_a_missing_llama_index_is_reported_with_its_install_command() -> None:
    from importlib.util import find_spec

    from litotes.errors import MissingError

    if find_spec("llama_index") is not None:
        pytest.skip("llama_index is installed")
    with pytest.raises(MissingError, match=r"pip install 'litotes\[frameworks\]'"):
        import litotes.query.llama_index  # noqa: F401
