"""POST /similarity, /score and /guard: endpoints that compare texts."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
from starlette.responses import Response

from litotes.serve.embeddings import base_vectors
from litotes.serve.endpoint import Service
from litotes.serve.errors import bad_request, json_response, unprocessable
from litotes.serve.exclusion import exclusion_line
from litotes.serve.fields import Fields, check_text
from litotes.serve.model_names import QUERY, Encoding, read_encoding

DIGITS = 6


async def similarity(service: Service, fields: Fields) -> Response:
    """Answer with the similarity of a query and each document; the shape of TEI gets a plain list."""
    models = service.models
    model = models.encoder_name(fields.text("model", ""))
    inputs = fields.get("inputs", None)
    own = fields if inputs is None else _inside(inputs, service)
    query = own.text("query" if inputs is None else "source_sentence")
    documents = own.texts("documents" if inputs is None else "sentences")
    encoding = read_encoding(fields, model.__class__(model.name, QUERY, model.dial))
    fields.finish()
    if inputs is not None:
        own.finish()
    width = models.encoder(model.name).base_width
    asked, whole, stored, parts = await asyncio.gather(
        models.encode(model.name, encoding, [query]),
        models.encode(model.name, Encoding(QUERY, None, False), [query]),
        models.encode(model.name, Encoding(), documents),
        service.models.exclusions.submit(None, [query]),
    )
    rows = np.asarray(stored.results)
    scores = rows @ asked.results[0]
    if inputs is not None:
        return json_response(_rounded(scores))
    base = base_vectors(rows, width) @ base_vectors(np.asarray(whole.results), width)[0]
    tokens = asked.tokens + stored.tokens
    return json_response(
        {
            "model": model.name,
            "scores": _rounded(scores),
            "base_scores": _rounded(base),
            "query": exclusion_line(parts.results[0]),
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }
    )


def _inside(inputs: object, service: Service) -> Fields:
    if not isinstance(inputs, dict):
        raise bad_request("inputs is not an object; expected source_sentence and sentences", "inputs")
    return Fields(inputs, max_inputs=service.settings.max_inputs)


async def score(service: Service, fields: Fields) -> Response:
    """Answer with how much of its reference each candidate keeps."""
    queue = service.models.metric(fields.text("model", ""))
    candidates, hedges = fields.texts("candidates"), fields.flag("hedges")
    references = fields.get("references")
    if not isinstance(references, list) or len(references) != len(candidates):
        raise bad_request(f"references is not a list of {len(candidates)} entries, one per candidate", "references")
    rows: list[tuple[str, ...]] = []
    for number, entry in enumerate(references):
        texts = entry if isinstance(entry, list) else [entry]
        fields.check_count(texts, f"references[{number}]")
        rows.append(tuple(check_text(text, f"references[{number}]", "references") for text in texts))
    fields.finish()
    answer = await queue.submit(hedges, list(zip(candidates, rows, strict=True)))
    lines = [line.line() for line in answer.results]
    kept = [
        {"score": line["score"]} | {name: line[name] for name in ("which", "windows") if name in line} for line in lines
    ]
    return json_response({"model": queue.name, "signature": answer.results[0].signature, "results": kept})


async def guard(service: Service, fields: Fields) -> Response:
    """Answer with a verdict on each pair of texts, or on one pair."""
    queue = service.models.guard(fields.text("tier", ""))
    single = "pairs" not in fields
    pairs = [(fields.text("new"), fields.text("cached"))] if single else _pairs(fields)
    threshold: Any = fields.get("threshold", None)
    if threshold is not None:
        if isinstance(threshold, bool) or not isinstance(threshold, int | float):
            raise bad_request("threshold is not a number; expected one from 0 to 1", "threshold")
        if not 0 <= threshold <= 1:
            raise unprocessable(f"threshold is {threshold}; expected a number from 0 to 1", "threshold")
    fields.finish()
    answer = await queue.submit(threshold, pairs)
    lines = [verdict.line() | {"says": str(verdict)} for verdict in answer.results]
    return json_response(lines[0] if single else {"results": lines})


def _pairs(fields: Fields) -> list[tuple[str, str]]:
    """Return pairs: lists of two texts, or objects with `new` and `cached`."""
    rows = fields.get("pairs")
    if not isinstance(rows, list):
        raise bad_request("pairs is not a list; expected a list of [new, cached]", "pairs")
    fields.check_count(rows, "pairs")
    pairs = []
    for number, row in enumerate(rows):
        both = [row.get("new"), row.get("cached")] if isinstance(row, dict) else row
        if not isinstance(both, list) or len(both) != 2:
            raise bad_request(f"pairs[{number}] is not a pair; expected [new, cached]", "pairs")
        new, cached = (check_text(text, f"pairs[{number}]", "pairs") for text in both)
        pairs.append((new, cached))
    return pairs


def _rounded(values: np.ndarray) -> list[float]:
    return [round(float(value), DIGITS) for value in values]
