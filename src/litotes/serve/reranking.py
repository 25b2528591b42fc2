"""POST /rerank and /v1/rerank, in the shapes of Cohere and Jina (`documents`) and of TEI (`texts`)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from starlette.responses import Response

from litotes.serve.endpoint import Service
from litotes.serve.errors import bad_request, json_response
from litotes.serve.fields import Fields, check_text
from litotes.serve.model_names import read_exclude
from litotes.serve.runners import RerankSetting

IGNORED = ("max_tokens_per_doc", "max_chunks_per_doc", "truncate", "truncation_direction", "user")
"""fields that clients send and that change nothing: long documents are read whole, in windows"""


async def rerank(service: Service, fields: Fields) -> Response:
    """Answer with the documents in their new order: those of Cohere under `results`, those of TEI as a list."""
    queue = service.models.reranker(fields.text("model", ""))
    query = fields.text("query")
    if "texts" in fields and "documents" in fields:
        raise bad_request("the body has documents and texts; expected one of them", "texts")
    as_tei = "texts" in fields
    documents = fields.texts("texts") if as_tei else read_documents(fields)
    top, with_text = fields.count("top_n"), fields.flag("return_text" if as_tei else "return_documents")
    raw = fields.flag("raw_scores")
    calibrated = fields.flag("calibrated")
    setting = RerankSetting(read_exclude(fields), first_stage=not raw)
    fields.finish(ignored=IGNORED)
    answer = await queue.submit(setting, [(query, tuple(documents))])
    rows: list[dict[str, Any]] = []
    for row in answer.results[0][:top]:
        place = row["corpus_id"]
        found: dict[str, Any] = {"index": place, "score" if as_tei else "relevance_score": row["score"]}
        if with_text:
            found |= {"text": documents[place]} if as_tei else {"document": {"text": documents[place]}}
        rows.append(found | ({"probability": row.get("probability")} if calibrated else {}))
    if as_tei:
        return json_response(rows)
    return json_response({"id": str(uuid4()), "model": queue.name, "results": rows})


def read_documents(fields: Fields) -> list[str]:
    """Return the documents: texts, or objects with a text."""
    rows = fields.get("documents")
    if not isinstance(rows, list):
        raise bad_request("documents is not a list; expected a list of texts", "documents")
    fields.check_count(rows, "documents")
    texts = [row.get("text") if isinstance(row, dict) else row for row in rows]
    return [check_text(text, f"documents[{number}]", "documents") for number, text in enumerate(texts)]
