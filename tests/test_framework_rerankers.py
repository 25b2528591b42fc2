"""The rerankers for LangChain, LlamaIndex and Haystack, inside the real libraries if they are installed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.models.pair.build import new_pair_scorer, save_pair_scorer
from litotes.query import Reranked, Reranker
from tests.family_models import quiet
from tests.small_base import tiny_base

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

QUERY = "Is the bridge open?"
MUSEUM, DENIAL, ANSWER, SOUP = TEXTS = [
    "The museum is closed.",
    "The bridge is not open.",
    "The bridge is open.",
    "Borscht is a soup of beetroot.",
]
LOGITS = dict(zip(TEXTS, (-2.0, -1.0, 3.0, -4.0), strict=True))
BY_LOGIT = [(ANSWER, 3.0), (DENIAL, -1.0), (MUSEUM, -2.0), (SOUP, -4.0)]
FIRST = [1.0, 9.0, 4.0, 0.5]
"""Scores of a first stage. Its sums with the logits are −1, 8, 7 and −3.5."""
BY_SUM = [(DENIAL, 8.0), (ANSWER, 7.0), (MUSEUM, -1.0), (SOUP, -3.5)]
CLASSES = {"langchain_core": "LangChainReranker", "llama_index": "LlamaIndexReranker", "haystack": "HaystackRanker"}


@dataclass
class FixedReranker(Reranker):
    """A reranker whose score is that of the first stage plus the logit in `LOGITS` times `scale`."""

    is_pair: bool = True
    scale: float = 1.0
    calls: list[list[float] | None] = field(default_factory=list)
    """the scores of the first stage, per call"""

    def __post_init__(self) -> None:
        self._pair: Any = object() if self.is_pair else None

    def rerank(self, query: str, texts: Sequence[str], k: int | None = None, **options: Any) -> Any:
        assert query == QUERY
        scores = options.pop("scores")
        assert not options
        self.calls.append(scores)
        first = [0.0] * len(texts) if scores is None else scores
        sums = [one + self.scale * LOGITS[text] for one, text in zip(first, texts, strict=True)]
        order = sorted(range(len(texts)), key=lambda at: -sums[at])
        return [Reranked(at, texts[at], sums[at], rank, rank, first[at]) for rank, at in enumerate(order[:k], 1)]


def adapter(library: str) -> Any:
    """Return the reranker for a library; skip the test without the library."""
    pytest.importorskip("llama_index.core" if library == "llama_index" else library)
    return getattr(import_module("litotes.query"), CLASSES[library])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An untrained pair model on an untrained base: its logits are arbitrary but fixed."""
    home = tmp_path_factory.mktemp("pair")
    base = tiny_base(home / "base")
    with quiet():
        scorer = new_pair_scorer(base, rank=2, longest=80, device="cpu")
        shape = {"rank": 2, "scale": 2.0, "layers": 0}
        return str(save_pair_scorer(scorer, home / "model", base=base, shape=shape))


def expected(folder: str, scores: Sequence[float] | None) -> list[tuple[str, Any]]:
    """Return the texts and scores as the Reranker itself returns them."""
    with quiet():
        rows = Reranker(folder).rank(QUERY, TEXTS, scores=scores)
    return [(TEXTS[row["corpus_id"]], pytest.approx(row["score"], abs=1e-5)) for row in rows]


@pytest.mark.parametrize("library", CLASSES)
def test_a_missing_library_is_reported_with_its_install_command(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = "langchain" if library == "langchain_core" else library
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"litotes.query.adapters.{module}", raising=False)
    with pytest.raises(
        MissingError, match=rf"needs {library}.*\. Install it with: pip install 'litotes\[frameworks\]'"
    ):
        getattr(import_module("litotes.query"), CLASSES[library])


def test_importing_litotes_query_loads_no_framework() -> None:
    code = "import sys, litotes.query.adapters; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(CLASSES) & {name.split(".")[0] for name in done.stdout.splitlines()}


@pytest.mark.parametrize("library", CLASSES)
def test_invalid_options_are_refused_at_once(library: str) -> None:
    kind, top = adapter(library), "top_k" if library == "haystack" else "top_n"
    with pytest.raises(InputError, match=f"{top} is 0; expected 1 or more, or None for all"):
        kind(FixedReranker(), **{top: 0})
    with pytest.raises(InputError, match="the model is int; expected a name, a folder or a litotes Reranker"):
        kind(7)
    with pytest.raises(TypeError, match="unexpected keyword argument 'threshold'"):
        kind(FixedReranker(), threshold=0.5)


@pytest.mark.parametrize("library", CLASSES)
def test_the_default_model_is_that_of_the_reranker(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = adapter(library)
    given: list[tuple[Any, ...]] = []
    monkeypatch.setattr(Reranker, "__init__", lambda self, *arguments: given.append(arguments))
    for made in (kind(), kind("a name")):
        if library == "haystack":
            made.warm_up()
            made.warm_up()
    assert given == [(), ("a name",)]


def langchain_documents(scores: Sequence[Any] = FIRST) -> list[Any]:
    kind = import_module("langchain_core.documents").Document
    return [
        kind(text, id=f"d{number}", metadata={"source": "guide", "first": score})
        for number, (text, score) in enumerate(zip(TEXTS, scores, strict=True))
    ]


def langchain_rows(documents: Sequence[Any]) -> list[tuple[str, Any]]:
    return [(document.page_content, document.metadata["relevance_score"]) for document in documents]


def test_langchain_documents_are_copied_with_their_relevance() -> None:
    reranker = adapter("langchain_core")(FixedReranker())
    documents = langchain_documents()
    ranked = reranker.compress_documents(documents, QUERY)
    assert langchain_rows(ranked) == BY_LOGIT
    assert ranked[0].id == "d2"
    assert ranked[0].metadata == {"source": "guide", "first": 4.0, "relevance_score": 3.0}
    assert documents == langchain_documents()
    assert langchain_rows(asyncio.run(reranker.acompress_documents(documents, QUERY))) == BY_LOGIT
    assert reranker.compress_documents([], QUERY) == []
    assert asyncio.run(reranker.acompress_documents([], QUERY)) == []


def test_langchain_metadata_can_have_the_scores_of_the_first_stage() -> None:
    model = FixedReranker()
    reranker = adapter("langchain_core")(model, top_n=3, score_key="first")
    assert langchain_rows(reranker.compress_documents(langchain_documents(), QUERY)) == BY_SUM[:3]
    assert model.calls == [FIRST]
    documents = langchain_documents()
    del documents[1].metadata["first"]
    with pytest.raises(InputError, match=r"document 1 \('The bridge is not open.'\) has no 'first' in its metadata"):
        reranker.compress_documents(documents, QUERY)
    with pytest.raises(InputError, match=r"'first' in the metadata of document 0 .* is 'high'; expected a number"):
        reranker.compress_documents(langchain_documents(["high", *FIRST[1:]]), QUERY)


def test_langchain_scores_are_refused_for_an_encoder(tmp_path: Path) -> None:
    with quiet(), pytest.raises(InputError, match="score_key is for a pair model, and this model is an encoder"):
        adapter("langchain_core")(tiny_base(tmp_path), score_key="first")


def test_langchain_options_cannot_change_after_the_model_is_loaded() -> None:
    reranker = adapter("langchain_core")(FixedReranker())
    with pytest.raises(ValueError, match="frozen"):
        reranker.model = "another"


def test_a_langchain_compression_retriever_returns_the_best_documents() -> None:
    kind = adapter("langchain_core")
    classic = pytest.importorskip("langchain_classic.retrievers")
    embeddings = import_module("langchain_core.embeddings").DeterministicFakeEmbedding(size=8)
    store = import_module("langchain_core.vectorstores").InMemoryVectorStore.from_texts(TEXTS, embeddings)
    retriever = classic.ContextualCompressionRetriever(
        base_compressor=kind(FixedReranker(), top_n=2), base_retriever=store.as_retriever(search_kwargs={"k": 4})
    )
    assert langchain_rows(retriever.invoke(QUERY)) == BY_LOGIT[:2]
    assert langchain_rows(asyncio.run(retriever.ainvoke(QUERY))) == BY_LOGIT[:2]


def test_langchain_loads_a_pair_model(folder: str) -> None:
    with quiet():
        reranker = adapter("langchain_core")(folder, score_key="first")
        ranked = reranker.compress_documents(langchain_documents(), QUERY)
    assert langchain_rows(ranked) == expected(folder, FIRST)


def nodes(scores: Sequence[float | None] = FIRST) -> list[Any]:
    schema = import_module("llama_index.core.schema")
    return [
        schema.NodeWithScore(node=schema.TextNode(text=text), score=score)
        for text, score in zip(TEXTS, scores, strict=True)
    ]


def node_rows(found: Sequence[Any]) -> list[tuple[str, Any]]:
    return [(node.node.text, node.score) for node in found]


def test_llama_index_scores_are_the_first_stage_if_every_node_has_one() -> None:
    model = FixedReranker()
    reranker = adapter("llama_index")(model)
    given = nodes()
    assert node_rows(reranker.postprocess_nodes(given, query_str=QUERY)) == BY_SUM
    assert node_rows(given) == list(zip(TEXTS, FIRST, strict=True))
    assert node_rows(reranker.postprocess_nodes(nodes([*FIRST[:3], None]), query_str=QUERY)) == BY_LOGIT
    assert node_rows(asyncio.run(reranker.apostprocess_nodes(nodes(), query_str=QUERY))) == BY_SUM
    assert model.calls == [FIRST, None, FIRST]
    assert reranker.postprocess_nodes([], query_str=QUERY) == []


def test_llama_index_scores_can_be_left_out_and_an_encoder_has_no_use_for_them() -> None:
    kind = adapter("llama_index")
    for reranker in (kind(FixedReranker(), top_n=2, use_scores=False), kind(FixedReranker(is_pair=False), top_n=2)):
        assert node_rows(reranker.postprocess_nodes(nodes(), query_str=QUERY)) == BY_LOGIT[:2]


def test_llama_index_needs_a_query() -> None:
    with pytest.raises(InputError, match="there is no query; expected query_bundle or query_str"):
        adapter("llama_index")(FixedReranker()).postprocess_nodes(nodes())


def test_llama_index_reads_the_metadata_that_is_meant_for_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = adapter("llama_index")(FixedReranker())
    schema = import_module("llama_index.core.schema")
    node = schema.TextNode(text=ANSWER, metadata={"town": "Graz", "page": 7}, excluded_embed_metadata_keys=["page"])
    monkeypatch.setitem(LOGITS, f"town: Graz\n\n{ANSWER}", 5.0)
    (found,) = reranker.postprocess_nodes([schema.NodeWithScore(node=node)], query_str=QUERY)
    assert found.score == 5.0


def test_a_llama_index_query_engine_returns_the_best_nodes_and_reports_the_event() -> None:
    kind = adapter("llama_index")
    core, callbacks = import_module("llama_index.core"), import_module("llama_index.core.callbacks")
    handler = callbacks.LlamaDebugHandler(print_trace_on_end=False)
    manager = callbacks.CallbackManager([handler])
    index = core.VectorStoreIndex(
        [core.schema.TextNode(text=text) for text in TEXTS],
        embed_model=core.MockEmbedding(embed_dim=3, callback_manager=manager),
        callback_manager=manager,
    )
    engine = core.query_engine.RetrieverQueryEngine(
        index.as_retriever(similarity_top_k=4),
        import_module("llama_index.core.response_synthesizers.no_text").NoText(llm=core.llms.MockLLM()),
        node_postprocessors=[kind(FixedReranker(), top_n=3)],
        callback_manager=manager,
    )
    # The mock gives all texts the same vector, so that all cosines are 1.
    found = engine.query(QUERY).source_nodes
    assert node_rows(found) == [(ANSWER, pytest.approx(4.0)), (DENIAL, pytest.approx(0.0)), (MUSEUM, pytest.approx(-1))]
    ((start, end),) = handler.get_event_pairs(callbacks.CBEventType.RERANKING)
    keys = callbacks.EventPayload
    assert (start.payload[keys.QUERY_STR], start.payload[keys.TOP_K]) == (QUERY, 3)
    assert len(start.payload[keys.NODES]) == 4
    assert node_rows(end.payload[keys.NODES]) == node_rows(found)


def test_a_llama_index_reranker_is_restored_from_a_file(folder: str) -> None:
    kind = adapter("llama_index")
    with quiet():
        restored = kind.from_json(kind(folder, top_n=4, use_scores=False).to_json())
        ranked = restored.postprocess_nodes(nodes(), query_str=QUERY)
    assert (restored.model, restored.top_n, restored.use_scores) == (folder, 4, False)
    assert node_rows(ranked) == expected(folder, None)


def haystack_documents(scores: Sequence[float | None] = FIRST) -> list[Any]:
    kind = import_module("haystack").Document
    return [
        kind(content=text, score=score, id=f"d{number}", meta={"source": "guide"})
        for number, (text, score) in enumerate(zip(TEXTS, scores, strict=True))
    ]


def haystack_rows(result: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(document.content, document.score) for document in result["documents"]]


def haystack_pipeline(ranker: Any) -> Any:
    """A keyword retriever and the ranker; the store is named, so that a loaded pipeline finds the same documents."""
    memory = import_module("haystack.document_stores.in_memory")
    store = memory.InMemoryDocumentStore(index="framework-rerankers")
    policy = import_module("haystack.document_stores.types").DuplicatePolicy.OVERWRITE
    store.write_documents(haystack_documents([None] * 4), policy=policy)
    pipeline = import_module("haystack").Pipeline()
    retrievers = import_module("haystack.components.retrievers.in_memory")
    pipeline.add_component("retriever", retrievers.InMemoryBM25Retriever(store))
    pipeline.add_component("ranker", ranker)
    pipeline.connect("retriever.documents", "ranker.documents")
    return pipeline


def run_pipeline(pipeline: Any, **options: Any) -> Any:
    """Run it; return what the retriever and the ranker found."""
    data = {"retriever": {"query": QUERY}, "ranker": {"query": QUERY, **options}}
    return pipeline.run(data, include_outputs_from={"retriever"})


def test_haystack_scores_are_the_first_stage_if_every_document_has_one() -> None:
    model = FixedReranker()
    ranker = adapter("haystack")(model, top_k=3)
    given = haystack_documents()
    result = ranker.run(query=QUERY, documents=given)
    assert haystack_rows(result) == BY_SUM[:3]
    assert (result["documents"][0].id, result["documents"][0].meta) == ("d1", {"source": "guide"})
    assert given == haystack_documents()
    assert haystack_rows(ranker.run(query=QUERY, documents=haystack_documents([None, *FIRST[1:]]))) == BY_LOGIT[:3]
    assert haystack_rows(ranker.run(query=QUERY, documents=given, top_k=1)) == BY_SUM[:1]
    assert model.calls == [FIRST, None, FIRST]
    assert ranker.run(query=QUERY, documents=[]) == {"documents": []}
    with pytest.raises(InputError, match="top_k is 0; expected 1 or more"):
        ranker.run(query=QUERY, documents=given, top_k=0)


def test_haystack_scores_can_be_left_out_and_an_encoder_has_no_use_for_them() -> None:
    kind = adapter("haystack")
    for ranker in (kind(FixedReranker(), use_scores=False), kind(FixedReranker(is_pair=False))):
        assert haystack_rows(ranker.run(query=QUERY, documents=haystack_documents())) == BY_LOGIT


def test_haystack_scores_can_be_scaled() -> None:
    kind = adapter("haystack")
    documents = haystack_documents([None] * 4)
    # 1 / (1 + e^−x) for 3, −1, −2 and −4
    logistic = [(ANSWER, 0.952574), (DENIAL, 0.268941), (MUSEUM, 0.119203), (SOUP, 0.017986)]
    expected_rows = [(text, pytest.approx(score, abs=1e-6)) for text, score in logistic]
    scaled = kind(FixedReranker(), scale_score=True)
    assert haystack_rows(scaled.run(query=QUERY, documents=documents)) == expected_rows
    assert haystack_rows(scaled.run(query=QUERY, documents=documents, scale_score=False)) == BY_LOGIT
    unscaled = kind(FixedReranker())
    assert haystack_rows(unscaled.run(query=QUERY, documents=documents, scale_score=True)) == expected_rows
    huge = kind(FixedReranker(scale=1000.0), scale_score=True).run(query=QUERY, documents=documents)
    assert haystack_rows(huge) == [(ANSWER, 1.0), (DENIAL, 0.0), (MUSEUM, 0.0), (SOUP, 0.0)]


def test_of_haystack_documents_with_the_same_id_the_best_is_kept() -> None:
    model = FixedReranker()
    first, second, *_ = haystack_documents()
    again = replace(first, score=2.0)
    result = adapter("haystack")(model).run(query=QUERY, documents=[first, second, again, second])
    # The museum has 2 − 2 = 0, and the denial 9 − 1 = 8.
    assert haystack_rows(result) == [(DENIAL, 8.0), (MUSEUM, 0.0)]
    assert model.calls == [[2.0, 9.0]]


def test_a_haystack_document_without_text_is_refused() -> None:
    ranker = adapter("haystack")(FixedReranker())
    image = import_module("haystack").Document(content=None, id="photo")
    with pytest.raises(InputError, match="document photo has no content; expected a text"):
        ranker.run(query=QUERY, documents=[*haystack_documents(), image])


def test_a_haystack_pipeline_ranks_what_a_keyword_retriever_finds() -> None:
    # Logits of hundreds: the keyword scores of four short texts are below 10 and cannot change the order.
    model = FixedReranker(scale=100.0)
    pipeline = haystack_pipeline(adapter("haystack")(model))
    result = run_pipeline(pipeline, top_k=2)
    assert [text for text, _ in haystack_rows(result["ranker"])] == [ANSWER, DENIAL]
    assert model.calls == [[document.score for document in result["retriever"]["documents"]]]


def test_a_haystack_pipeline_can_be_saved_and_loaded(folder: str) -> None:
    kind = adapter("haystack")
    haystack = import_module("haystack")
    pipeline = haystack_pipeline(kind(folder, top_k=3, scale_score=True, use_scores=False))
    text = pipeline.dumps()
    # Haystack 3 loads classes of other packages only if it is told to; Haystack 2 has no such option.
    known = signature(haystack.Pipeline.loads).parameters
    loaded = haystack.Pipeline.loads(text, **{"allowed_modules": ["litotes.*"]} if "allowed_modules" in known else {})
    assert loaded.dumps() == text
    ranker = loaded.get_component("ranker")
    assert (ranker.model, ranker.top_k, ranker.scale_score, ranker.use_scores) == (folder, 3, True, False)
    with quiet():
        before, after = run_pipeline(pipeline, scale_score=False), run_pipeline(loaded, scale_score=False)
    assert haystack_rows(after["ranker"]) == haystack_rows(before["ranker"])
    assert haystack_rows(after["ranker"]) == expected(folder, None)[:3]
    with pytest.raises(InputError, match="the model is a loaded Reranker, which cannot be saved"):
        haystack_pipeline(kind(FixedReranker())).dumps()


def test_a_saved_haystack_ranker_with_an_unknown_option_is_refused() -> None:
    kind = adapter("haystack")
    saved = kind().to_dict()
    assert saved["type"] == "litotes.query.adapters.haystack.HaystackRanker"
    saved["init_parameters"]["threshold"] = 0.5
    with pytest.raises(TypeError, match="unexpected keyword argument 'threshold'"):
        kind.from_dict(saved)
