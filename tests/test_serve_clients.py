"""The clients that people use, against a real server: openai, LangChain, LlamaIndex, cohere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cohere
import numpy as np
import openai
import pytest
from langchain_openai import OpenAIEmbeddings
from llama_index.embeddings.openai_like import OpenAILikeEmbedding

import litotes
from litotes.serve import Settings
from tests.conftest import REPOSITORY, run_examples
from tests.serving import Served, served

KEY = "a-key-for-the-tests"
TEXTS = ["The drug is safe.", "The drug is not safe."]


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(Settings(api_key=KEY)) as found:
        yield found


@pytest.fixture(scope="module")
def model() -> Any:
    return litotes.load("litotes-mini", device="cpu")


def test_openai(server: Served, model: Any) -> None:
    client = openai.OpenAI(base_url=f"{server.url}/v1", api_key=KEY)
    answer = client.embeddings.create(model="litotes-mini", input=TEXTS)
    assert np.allclose([row.embedding for row in answer.data], model.encode_document(TEXTS), atol=1e-5)
    assert answer.usage.total_tokens == 7 + 8
    floats = client.embeddings.create(model="litotes-mini", input=TEXTS[0], encoding_format="float", dimensions=384)
    assert len(floats.data[0].embedding) == 384
    extra = {"input_type": "query", "dial": 0.3}
    query = client.embeddings.create(model="litotes-mini", input=TEXTS[1], extra_body=extra)
    assert np.allclose(query.data[0].embedding, model.encode_query(TEXTS[1], dial=0.3), atol=1e-5)
    assert "litotes-mini" in [row.id for row in client.models.list()]


def test_errors_of_openai(server: Served) -> None:
    with pytest.raises(openai.AuthenticationError, match="Authorization: Bearer"):
        openai.OpenAI(base_url=f"{server.url}/v1", api_key="wrong").models.list()
    client = openai.OpenAI(base_url=f"{server.url}/v1", api_key=KEY)
    with pytest.raises(openai.NotFoundError, match="litotes-mini"):
        client.embeddings.create(model="text-embedding-3-large", input="a")
    with pytest.raises(openai.BadRequestError, match="check_embedding_ctx_length=False"):
        client.embeddings.create(model="litotes-mini", input=[[1, 2, 3]])


def test_langchain(server: Served, model: Any) -> None:
    options: Any = {"base_url": f"{server.url}/v1", "api_key": KEY, "check_embedding_ctx_length": False}
    documents = OpenAIEmbeddings(model="litotes-mini", **options).embed_documents(TEXTS)
    assert np.allclose(documents, model.encode_document(TEXTS), atol=1e-5)
    query = OpenAIEmbeddings(model="litotes-mini:query@0.3", **options).embed_query(TEXTS[1])
    assert np.allclose(query, model.encode_query(TEXTS[1], dial=0.3), atol=1e-5)


def test_llama_index(server: Served, model: Any) -> None:
    options: Any = {"api_base": f"{server.url}/v1", "api_key": KEY}
    documents = OpenAILikeEmbedding(model_name="litotes-mini", **options).get_text_embedding_batch(TEXTS)
    assert np.allclose(documents, model.encode_document(TEXTS), atol=1e-5)
    query = OpenAILikeEmbedding(model_name="litotes-mini:query", **options).get_query_embedding(TEXTS[1])
    assert np.allclose(query, model.encode_query(TEXTS[1]), atol=1e-5)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_cohere(server: Served, version: str) -> None:
    client: Any = (cohere.Client if version == "v1" else cohere.ClientV2)(api_key=KEY, base_url=server.url)
    documents = ["Aspirin is safe.", "Thalidomide is not safe."]
    if version == "v2":
        # ClientV2 asks for v2/rerank below its base_url
        with pytest.raises(cohere.NotFoundError):
            client.rerank(model="litotes-rerank-mini", query="Which drug is not safe?", documents=documents)
        return
    found = client.rerank(model="litotes-rerank-mini", query="Which drug is not safe?", documents=documents, top_n=1)
    assert [row.index for row in found.results] == [1]


def test_the_examples_of_the_page(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "serving.md").read_text(encoding="utf-8")
    with served() as open_server:
        copy = tmp_path / "serving.md"
        copy.write_text(page.replace("http://127.0.0.1:8000", open_server.url), encoding="utf-8")
        run_examples(copy)
