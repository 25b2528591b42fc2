"""The endpoints of the server with real models, its limits, and its errors."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest

import litotes
from litotes.models.tower.scaling import rescale_queries
from litotes.serve import Settings
from tests.serving import Served, gated, served

DIAL, WIDTH = 0.21, 512
TEXTS = ["The drug is safe.", "The drug is not safe.", "Soups other than borscht"]


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def model() -> Any:
    return litotes.load("litotes-mini", device="cpu")


def vectors(server: Served, **body: Any) -> np.ndarray:
    answer = server.post("/v1/embeddings", {"input": TEXTS, **body})
    assert answer.status_code == 200, answer.text
    rows = answer.json()["data"]
    assert [row["index"] for row in rows] == list(range(len(rows)))
    return np.array([row["embedding"] for row in rows], dtype=np.float32)


def test_untyped_texts_are_encoded_as_documents(server: Served, model: Any) -> None:
    expected = model.encode_document(TEXTS)
    assert np.allclose(vectors(server), expected, atol=1e-5)
    assert np.allclose(vectors(server, input_type="document", dimensions=WIDTH), expected, atol=1e-5)


def test_queries_have_a_dial_and_exclusions(server: Served, model: Any) -> None:
    assert np.allclose(vectors(server, input_type="query"), model.encode_query(TEXTS), atol=1e-5)
    for body in (
        {"input_type": "query", "dial": 0.3, "exclude": False},
        {"model": "litotes-mini:query@0.3", "exclude": False},
    ):
        expected = rescale_queries(model.encode(TEXTS), 0.3, w0=DIAL, width=128)
        assert np.allclose(vectors(server, **body), expected, atol=1e-5)
    stated = vectors(server, model="litotes-mini:query", exclude=["beetroot"])
    assert np.allclose(stated, model.encode_query(TEXTS, exclude=["beetroot"]), atol=1e-5)


def test_base64_is_little_endian_float32(server: Served) -> None:
    answer = server.post("/v1/embeddings", {"input": TEXTS[0], "encoding_format": "base64"}).json()
    decoded = np.frombuffer(base64.b64decode(answer["data"][0]["embedding"]), dtype="<f4")
    assert np.array_equal(decoded, vectors(server, input=TEXTS[0])[0])


def test_384_dimensions_are_the_unit_vector_of_the_base(server: Served) -> None:
    base = litotes.load("minilm", device="cpu")
    documents = vectors(server, dimensions=384)
    assert np.allclose(documents, base.encode(TEXTS), atol=1e-4)
    queries = vectors(server, dimensions=384, input_type="query")
    assert np.allclose(np.linalg.norm(queries, axis=1), 1, atol=1e-5)
    assert np.allclose(queries[:2], documents[:2], atol=1e-4)
    assert (
        server.error("/v1/embeddings", {"input": "a", "dimensions": 384, "model": "litotes-mini:query@0.3"})[0] == 400
    )


def test_usage_counts_the_tokens_that_are_read(server: Served) -> None:
    # [CLS] the drug is safe . [SEP], and a text that is cut at 256 tokens
    answer = server.post("/v1/embeddings", {"input": ["The drug is safe.", "safe " * 1000]}).json()
    assert answer["usage"] == {"prompt_tokens": 7 + 256, "total_tokens": 7 + 256}


def test_similarity_has_both_scores_and_the_parts_of_the_query(server: Served, model: Any) -> None:
    documents = ["Borscht is a beet soup.", "Lentil soup."]
    body = {"query": TEXTS[2], "documents": documents}
    found = server.post("/similarity", body).json()
    stored = model.encode_document(documents)
    assert np.allclose(found["scores"], stored @ model.encode_query(TEXTS[2]), atol=1e-5)
    base = litotes.load("minilm", device="cpu")
    assert np.allclose(found["base_scores"], base.encode(documents) @ base.encode(TEXTS[2]), atol=1e-4)
    assert found["query"]["kept"] == "Soups"
    start, end = found["query"]["excluded_spans"][0]
    assert TEXTS[2][start:end] == "borscht"
    assert np.allclose(
        server.post("/similarity", {**body, "dial": 0}).json()["scores"],
        stored @ model.encode_query(TEXTS[2], dial=0),
        atol=1e-5,
    )


def test_reranking_in_both_shapes_is_that_of_the_reranker(server: Served) -> None:
    query, documents = "Which drug is not safe?", ["Aspirin is safe.", "Tea is a drink.", "Thalidomide is not safe."]
    expected = litotes.Reranker("litotes-rerank-mini").rank(query, documents)
    cohere = server.post("/v1/rerank", {"query": query, "documents": documents}).json()["results"]
    tei = server.post("/rerank", {"query": query, "texts": documents}).json()
    assert [row["index"] for row in cohere] == [row["index"] for row in tei] == [row["corpus_id"] for row in expected]
    assert np.allclose([row["relevance_score"] for row in cohere], [row["score"] for row in expected], atol=1e-5)
    assert [row["score"] for row in tei] == [row["relevance_score"] for row in cohere]
    assert server.error("/rerank", {"query": query, "texts": ["a"], "documents": ["a"]})[0] == 400


def test_the_guard_the_metric_and_the_detector_answer_as_in_python(server: Served) -> None:
    pair = ("How do I turn on dark mode?", "How do I turn off dark mode?")
    verdict = server.post("/guard", {"new": pair[0], "cached": pair[1]}).json()
    assert (verdict["same"], verdict["reason"], verdict["words"]) == (False, "opposite", ["on", "off"])
    rules = server.post("/guard", {"pairs": [pair], "tier": "rules"}).json()["results"]
    assert rules[0]["same"] is False
    candidates, references = ["Everyone was unharmed.", "Somebody was hurt."], ["Nobody was hurt."] * 2
    scores = litotes.Metric("litotes-score-mini").score(candidates, references)
    found = server.post("/score", {"candidates": candidates, "references": references}).json()
    assert [row["score"] for row in found["results"]] == pytest.approx([one.value for one in scores], abs=1e-3)
    assert found["signature"] == scores[0].signature
    detected = server.post("/exclude", {"query": "dogs that don't shed", "detect": True}).json()
    assert [row["cue"] for row in detected["negations"]] == [
        row.cue for row in litotes.detect("dogs that don't shed").negations
    ]


BAD: list[tuple[str, Any, int, str]] = [
    ("/v1/embeddings", {}, 400, "'input' is missing"),
    ("/v1/embeddings", {"inputs": "a"}, 400, "the body has 'inputs'"),
    ("/v1/embeddings", {"input": [1, 2, 3]}, 400, "check_embedding_ctx_length=False"),
    ("/v1/embeddings", {"input": [[1, 2], [3]]}, 400, "check_embedding_ctx_length=False"),
    ("/v1/embeddings", {"input": []}, 400, "empty list"),
    ("/v1/embeddings", {"input": ["a", " "]}, 400, r"input\[1\] is an empty text"),
    ("/v1/embeddings", {"input": {"a": 1}}, 400, "an object"),
    ("/v1/embeddings", {"input": "a", "encoding_format": "int8"}, 400, "'float' or 'base64'"),
    ("/v1/embeddings", {"input": "a", "dimensions": 256}, 400, r"384 \(the base alone\) or 512"),
    ("/v1/embeddings", {"input": "a", "dimensions": True}, 400, "whole number"),
    ("/v1/embeddings", {"input": "a", "dail": 0.3}, 400, "Did you mean 'dial'"),
    ("/v1/embeddings", {"input": "a", "dial": 0.3}, 400, "dial is for queries"),
    ("/v1/embeddings", {"input": "a", "dial": 2, "input_type": "query"}, 422, "from 0 to 1"),
    ("/v1/embeddings", {"input": "a", "dial": "0.3", "input_type": "query"}, 400, "expected a number"),
    ("/v1/embeddings", {"input": "a", "model": "litotes-mini:query@nan"}, 422, "from 0 to 1"),
    ("/v1/embeddings", {"input": "a", "model": "litotes-mini:query@"}, 422, "from 0 to 1"),
    ("/v1/embeddings", {"input": "a", "model": "litotes-mini@0.3"}, 400, "litotes-mini:query"),
    ("/v1/embeddings", {"input": "a", "model": "litotes-mini:query", "input_type": "document"}, 400, "leave one out"),
    ("/v1/embeddings", {"input": "a", "model": "litotes-mimi"}, 404, "Did you mean 'litotes-mini'"),
    ("/v1/embeddings", {"input": "a", "exclude": "wool", "input_type": "query"}, 400, r"pass a list: \['wool'\]"),
    ("/v1/embeddings", {"input": ["a"] * 2049}, 413, "at most 2048"),
    ("/rerank", {"query": "a", "documents": ["b"], "top_n": 0}, 400, "above 0"),
    ("/rerank", {"query": "a", "documents": [{"title": "b"}]}, 400, r"documents\[0\]"),
    ("/rerank", {"query": "a " * 3000, "documents": ["b"]}, 422, "query"),
    ("/guard", {"new": "a"}, 400, "'cached' is missing"),
    ("/guard", {"new": "a", "cached": "b", "tier": "huge"}, 404, "rules, mini, base"),
    ("/guard", {"new": "a", "cached": "b", "threshold": 7}, 422, "from 0 to 1"),
    ("/score", {"candidates": ["a"], "references": []}, 400, "one per candidate"),
    ("/similarity", {"query": "a", "documents": "b"}, 400, "list of texts"),
    ("/exclude", {"query": ["a"]}, 400, "a list"),
    ("/nothing", {"a": 1}, 404, "/v1/embeddings"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "status", "message"), BAD, ids=lambda value: str(value)[:50])
def test_bad_requests_say_what_to_do(server: Served, path: str, body: Any, status: int, message: str) -> None:
    found = server.error(path, body)
    assert found[0] == status, found
    assert re.search(message, found[2]), found


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not valid JSON"),
        (b"[1]", "a list; expected a JSON object"),
        (b'{"input": "caf\xe9"}', "not UTF-8 at byte 14"),
        (b'{"input": "a", "dial": NaN}', "JSON has no NaN"),
        (b'{"input": "\\ud800"}', "not valid JSON"),
        (b'{"input": ' + b"[" * 5000, "not valid JSON"),
    ],
)
def test_a_body_that_is_not_json_is_refused(server: Served, body: bytes, message: str) -> None:
    status, _, text = server.error("/v1/embeddings", content=body)
    assert status == 400
    assert message in text


def test_a_wrong_method_names_the_right_one(server: Served) -> None:
    answer = server.client.get("/v1/embeddings")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_body_that_is_too_long_is_refused_with_and_without_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    with gated(monkeypatch, Settings(max_body=1000)) as (server, _):
        body = json.dumps({"input": "x" * 5000}).encode()
        assert server.error("/v1/embeddings", content=body)[:2] == (413, "body_too_long")
        chunks = (body[at : at + 100] for at in range(0, len(body), 100))
        assert server.error("/v1/embeddings", content=chunks)[:2] == (413, "body_too_long")
        # The connection of a new request is not confused by the rest of the old body.
        assert server.client.get("/health").status_code == 200


def test_the_key_is_needed_and_never_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with gated(monkeypatch, Settings(api_key="right-key-5512")) as (server, gate):
        gate.open = True
        body = {"input": "a sentence that nobody may log"}
        for key in ("", "Bearer wrong-key-1", "Basic right-key-5512", "Bearer", "Bearer ключ".encode()):
            headers: dict[str, Any] = {"authorization": key} if key else {}
            answer = server.post("/v1/embeddings", body, headers=headers)
            assert answer.status_code == 401, key
            assert answer.headers["www-authenticate"] == "Bearer"
        headers = {"authorization": "Bearer right-key-5512"}
        assert server.post("/v1/embeddings", body, headers=headers).status_code == 200
        assert server.client.get("/metrics").status_code == 401
        assert server.client.get("/health").status_code == 200
        shown = (
            caplog.text + server.client.get("/metrics", headers=headers).text + repr(server.app.state.service.settings)
        )
        for secret in ("right-key-5512", "wrong-key-1", "nobody may log"):
            assert secret not in shown


def test_metrics_count_requests_batches_and_rejects(monkeypatch: pytest.MonkeyPatch) -> None:
    with gated(monkeypatch) as (server, gate):
        gate.open = True
        server.post("/v1/embeddings", {"input": ["one two", "three"]})
        server.post("/v1/embeddings", {"input": []})
        lines = dict(line.rsplit(" ", 1) for line in server.client.get("/metrics").text.splitlines())
    assert lines['litotes_requests_total{endpoint="/v1/embeddings",status="200"}'] == "1.0"
    assert lines['litotes_requests_total{endpoint="/v1/embeddings",status="400"}'] == "1.0"
    assert lines['litotes_request_seconds_count{endpoint="/v1/embeddings"}'] == "2.0"
    assert lines['litotes_batch_items_sum{model="litotes-mini"}'] == "2.0"
    assert lines['litotes_batch_tokens_sum{model="litotes-mini"}'] == "3.0"
    assert lines['litotes_rejected_total{reason="invalid_value"}'] == "1.0"


def test_web_pages_of_other_origins_need_cors(monkeypatch: pytest.MonkeyPatch) -> None:
    origin = "https://search.example"
    headers = {"origin": origin, "access-control-request-method": "POST"}
    with gated(monkeypatch, Settings(cors=(origin,), api_key="k")) as (server, _):
        answer = httpx.options(f"{server.url}/v1/embeddings", headers=headers)
        assert answer.headers["access-control-allow-origin"] == origin
        other = httpx.options(f"{server.url}/v1/embeddings", headers={**headers, "origin": "https://other.example"})
        assert "access-control-allow-origin" not in other.headers
    with gated(monkeypatch) as (server, _):
        assert (
            "access-control-allow-origin" not in httpx.options(f"{server.url}/v1/embeddings", headers=headers).headers
        )
