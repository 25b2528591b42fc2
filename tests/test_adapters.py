"""litotes in the shapes of other libraries: the contract of each, and the real libraries where they are installed."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from litotes.errors import InputError
from litotes.models.tower import grow
from litotes.query import BETA, LangChainEmbeddings, LlamaIndexEmbedding, Reranker, rerank
from litotes.query.encoder import Encoder
from tests.model_shelf import quiet

TEXTS = [
    "The ferry runs on Sundays.",
    "Borscht is a soup of beetroot.",
    "Miso soup is made from fermented soybeans. It is served hot.",
]
LEAVING = "soups other than borscht"
DIAL = 0.6


@pytest.fixture(scope="module")
def model() -> Encoder:
    with quiet():
        return Encoder.of(grow("minilm", shared_layers=5, own_layers=1, default_w=0.2, seed=7, device="cpu"))


@pytest.fixture(scope="module")
def stored(model: Encoder) -> np.ndarray:
    rows: np.ndarray = model.encode_document(TEXTS)
    return rows


def _langchain(model: Any, **options: Any) -> tuple[Any, ...]:
    found = LangChainEmbeddings(model, **options)
    return found.embed_documents, found.embed_query, found.aembed_documents, found.aembed_query


def _llama_index(model: Any, **options: Any) -> tuple[Any, ...]:
    found = LlamaIndexEmbedding(model, **options)
    waiting = found.aget_text_embedding_batch, found.aget_query_embedding
    return found.get_text_embedding_batch, found.get_query_embedding, *waiting


def _true_llama_index(model: Any, **options: Any) -> tuple[Any, ...]:
    pytest.importorskip("llama_index.core")
    from litotes.query.llama_index import LitotesEmbedding

    found = LitotesEmbedding(model, **options)
    waiting = found.aget_text_embedding_batch, found.aget_query_embedding
    return found.get_text_embedding_batch, found.get_query_embedding, *waiting


EMBEDDERS = pytest.mark.parametrize("methods", [_langchain, _llama_index, _true_llama_index])


@EMBEDDERS
def test_documents_are_stored_at_the_models_own_dial(methods: Any, model: Encoder, stored: np.ndarray) -> None:
    documents, _, documents_later, _ = methods(model, dial=DIAL)
    rows = documents(TEXTS)
    assert isinstance(rows, list)
    assert isinstance(rows[0][0], float)
    assert np.array(rows) == pytest.approx(stored, abs=1e-6)
    assert np.array(asyncio.run(documents_later(TEXTS))) == pytest.approx(stored, abs=1e-6)
    assert documents([]) == []


@EMBEDDERS
def test_dial_and_exclusion_act_on_the_query(methods: Any, model: Encoder) -> None:
    wishes: list[dict[str, Any]] = [{}, {"dial": DIAL}, {"dial": 0.0, "exclude": False}]
    for options in wishes:
        _, query, _, query_later = methods(model, **options)
        row = query(LEAVING)
        assert isinstance(row[0], float)
        assert row == pytest.approx(model.encode_query(LEAVING, **options).tolist(), abs=1e-6)
        assert asyncio.run(query_later(LEAVING)) == row


@EMBEDDERS
def test_many_queries_may_wait_at_once(methods: Any, model: Encoder) -> None:
    async def together() -> Any:
        return await asyncio.gather(*map(methods(model)[3], [LEAVING, "a longer question about soups"] * 4))

    rows = asyncio.run(together())
    assert np.array(rows[6:]) == pytest.approx(np.array(rows[:2]), abs=1e-6)


def test_one_text_alone(model: Encoder, stored: np.ndarray) -> None:
    found = LlamaIndexEmbedding(model)
    assert found.get_text_embedding(TEXTS[1]) == pytest.approx(stored[1].tolist(), abs=1e-6)
    assert asyncio.run(found.aget_text_embedding(TEXTS[1])) == pytest.approx(stored[1].tolist(), abs=1e-6)


def test_any_sentence_transformer_serves_and_then_without_a_dial() -> None:
    from sentence_transformers import SentenceTransformer

    from tests.model_shelf import minilm

    with quiet():
        plain = SentenceTransformer(minilm(), device="cpu")
    assert LangChainEmbeddings(plain).embed_documents(TEXTS[:1]) == pytest.approx(plain.encode(TEXTS[:1]), abs=1e-6)
    kept, thing = plain.encode(["soups", "borscht"])
    turned = kept - BETA * thing
    assert LangChainEmbeddings(plain).embed_query(LEAVING) == pytest.approx(
        (turned / np.linalg.norm(turned)).tolist(), abs=1e-5
    )
    for adapter in (LangChainEmbeddings, LlamaIndexEmbedding, Reranker):
        with pytest.raises(InputError, match="expected a tower"):
            adapter(plain, dial=DIAL)


@pytest.mark.parametrize("adapter", [LangChainEmbeddings, LlamaIndexEmbedding, Reranker])
def test_bad_wishes_are_refused_before_the_first_query(adapter: Any, model: Encoder) -> None:
    with pytest.raises(InputError, match="the dial is 2; expected a number from 0"):
        adapter(model, dial=2)
    with pytest.raises(InputError, match="exclude is 'never'; expected “auto”, or False"):
        adapter(model, exclude="never")
    with pytest.raises(InputError, match="the model is int; expected a name, a folder or a SentenceTransformer"):
        adapter(7)


def test_texts_that_are_none_are_refused(model: Encoder) -> None:
    with pytest.raises(InputError, match="expected a list of texts"):
        LangChainEmbeddings(model).embed_documents("one text")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the query is list; expected a text"):
        LangChainEmbeddings(model).embed_query(["one"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="pair 1 is 'soups'; expected a query and a document"):
        Reranker(model).predict([("soups", TEXTS[1]), "soups", "more"])


def test_ranks_are_those_of_rerank(model: Encoder) -> None:
    expected = rerank(LEAVING, TEXTS, model=model, dial=DIAL)
    found = Reranker(model, dial=DIAL).rank(LEAVING, TEXTS)
    assert [set(row) for row in found] == [{"corpus_id", "score"}] * 3
    assert [row["corpus_id"] for row in found] == [one.place for one in expected]
    assert [row["score"] for row in found] == pytest.approx([one.score for one in expected], abs=1e-6)
    (best,) = Reranker(model, dial=DIAL).rank(LEAVING, TEXTS, top_k=1, return_documents=True)
    assert best["text"] == expected[0].text == TEXTS[best["corpus_id"]]
    assert Reranker(model).rank(LEAVING, []) == []


def test_pairs_of_several_queries_keep_their_places(model: Encoder) -> None:
    import torch

    ranker = Reranker(model)
    pairs = [(LEAVING, TEXTS[1]), ("boats", TEXTS[0]), (LEAVING, TEXTS[2]), ("boats", TEXTS[2])]
    expected = [
        next(row["score"] for row in ranker.rank(query, TEXTS, return_documents=True) if row["text"] == text)
        for query, text in pairs
    ]
    scores = ranker.predict(pairs, batch_size=2, show_progress_bar=False)
    assert (scores.shape, scores.dtype) == ((4,), np.float32)
    assert scores == pytest.approx(np.array(expected), abs=1e-5)
    assert float(ranker.predict(pairs[0])) == pytest.approx(expected[0], abs=1e-5)
    assert ranker.predict(pairs, convert_to_tensor=True).tolist() == pytest.approx(expected, abs=1e-5)
    assert all(isinstance(one, torch.Tensor) for one in ranker.predict(pairs, convert_to_numpy=False))
    assert ranker.predict([]).shape == (0,)


def test_the_rerankers_options_are_the_librarys() -> None:
    from inspect import signature

    from sentence_transformers import CrossEncoder

    for name in ("predict", "rank"):
        ours, theirs = (signature(getattr(one, name)).parameters for one in (Reranker, CrossEncoder))
        assert set(ours) <= set(theirs)


def test_langchain_takes_ours_for_one_of_its_own(model: Encoder) -> None:
    core = pytest.importorskip("langchain_core")
    from importlib import import_module

    embeddings = LangChainEmbeddings(model, dial=0.0)
    assert isinstance(embeddings, import_module(f"{core.__name__}.embeddings").Embeddings)
    store = import_module(f"{core.__name__}.vectorstores").InMemoryVectorStore(embeddings)
    store.add_texts(TEXTS)
    whole = import_module(f"{core.__name__}.vectorstores").InMemoryVectorStore.from_texts(
        TEXTS, LangChainEmbeddings(model, dial=0.0, exclude=False)
    )
    assert [one.page_content for one in whole.similarity_search(LEAVING, k=1)] == [TEXTS[1]]
    assert [one.page_content for one in store.similarity_search(LEAVING, k=1)] == [TEXTS[2]]
    assert [one.page_content for one in store.as_retriever(search_kwargs={"k": 1}).invoke(LEAVING)] == [TEXTS[2]]


def test_llama_index_builds_an_index_with_ours(model: Encoder) -> None:
    core = pytest.importorskip("llama_index.core")
    from litotes.query.llama_index import LitotesEmbedding

    nodes = [core.schema.TextNode(text=text) for text in TEXTS]
    for exclude, best in ((False, TEXTS[1]), ("auto", TEXTS[2])):
        embedding = LitotesEmbedding(model, dial=0.0, exclude=exclude)
        index = core.VectorStoreIndex(nodes, embed_model=embedding)
        (found,) = index.as_retriever(similarity_top_k=1).retrieve(LEAVING)
        assert found.node.get_content() == best
    described = embedding.to_dict()
    assert (described["class_name"], described["dial"], described["exclude"]) == ("LitotesEmbedding", 0.0, "auto")


def test_llama_indexs_own_form_keeps_model_and_dial() -> None:
    pytest.importorskip("llama_index.core")
    from litotes.query.llama_index import LitotesEmbedding

    with quiet():
        again = LitotesEmbedding.from_dict(LitotesEmbedding("minilm", exclude=False, embed_batch_size=3).to_dict())
    assert (again.model_name, again.exclude, again.embed_batch_size) == ("minilm", False, 3)


def test_without_llama_index_the_error_names_the_install() -> None:
    from importlib.util import find_spec

    from litotes.errors import MissingError

    if find_spec("llama_index") is not None:
        pytest.skip("llama_index is installed")
    with pytest.raises(MissingError, match=r"pip install 'litotes\[frameworks\]'"):
        import litotes.query.llama_index  # noqa: F401
