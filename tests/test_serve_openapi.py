"""The OpenAPI document describes the routes, and real requests and answers fit it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from openapi_spec_validator import validate
from starlette.routing import Route

from litotes.serve.openapi import document
from tests.serving import Served, served

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("/v1/embeddings", {"input": "No smoking."}),
    ("/v1/embeddings", {"model": "litotes-mini", "input": ["a b", "c"], "encoding_format": "base64", "user": "me"}),
    ("/v1/embeddings", {"input": "tea", "input_type": "query", "dial": 0.5, "exclude": ["milk"], "dimensions": 512}),
    ("/v1/rerank", {"query": "tea", "documents": ["green tea", {"text": "coffee"}], "top_n": 1}),
    ("/rerank", {"query": "tea", "documents": ["tea"], "return_documents": True, "calibrated": True}),
    ("/rerank", {"query": "tea", "texts": ["tea", "milk"], "return_text": True, "raw_scores": True}),
    ("/similarity", {"query": "tea without milk", "documents": ["tea", "milk tea"], "dial": 0}),
    ("/similarity", {"inputs": {"source_sentence": "tea", "sentences": ["coffee"]}}),
    ("/score", {"candidates": ["It is on.", "It is off."], "references": ["It is on.", ["It is off.", "It is on."]]}),
    ("/guard", {"new": "Is it open?", "cached": "Is it closed?", "tier": "rules"}),
    ("/guard", {"pairs": [["Is it open?", "Is it closed?"], {"new": "a b", "cached": "a b"}], "threshold": 0.5}),
    ("/exclude", {"query": "tea without milk", "detect": True}),
    ("/exclude", {"queries": ["tea without milk", "tea"]}),
]


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as found:
        yield found


def test_the_document_is_valid() -> None:
    validate(document())


def test_every_route_is_described_and_every_description_has_a_route(server: Served) -> None:
    routes = {
        (route.path, method.lower())
        for route in server.app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert routes == {(path, method) for path, methods in document()["paths"].items() for method in methods}
    assert server.client.get("/openapi.json").json() == document()


def _schema(content: dict[str, Any]) -> dict[str, Any]:
    return {"components": document()["components"], **content["content"]["application/json"]["schema"]}


@pytest.mark.slow
@pytest.mark.parametrize(("path", "body"), REQUESTS, ids=lambda value: str(value)[:60])
def test_requests_and_answers_fit_the_document(server: Served, path: str, body: dict[str, Any]) -> None:
    operation = document()["paths"][path]["post"]
    jsonschema.validate(body, _schema(operation["requestBody"]))
    answer = server.post(path, body)
    assert answer.status_code == 200, answer.text
    jsonschema.validate(answer.json(), _schema(operation["responses"]["200"]))


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/v1/embeddings", {}, 400), ("/v1/embeddings", {"input": "a", "model": "b"}, 404), ("/guard", {"new": 1}, 400)],
)
def test_errors_fit_the_document(server: Served, path: str, body: dict[str, Any], status: int) -> None:
    answer = server.post(path, body)
    assert answer.status_code == status
    jsonschema.validate(answer.json(), _schema(document()["paths"][path]["post"]["responses"][str(status)]))


@pytest.mark.parametrize("path", ["/v1/models", "/health"])
def test_answers_without_a_body_fit_the_document(server: Served, path: str) -> None:
    jsonschema.validate(server.client.get(path).json(), _schema(document()["paths"][path]["get"]["responses"]["200"]))
