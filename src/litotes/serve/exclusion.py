"""POST /exclude: the parts of queries, and with the parser the negations and hedges in them."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.responses import Response

from litotes.serve.endpoint import Service
from litotes.serve.errors import json_response
from litotes.serve.fields import Fields
from litotes.types import Exclusion


async def exclude(service: Service, fields: Fields) -> Response:
    """Answer with what a query keeps and excludes, for one query or several."""
    single = "queries" not in fields
    queries = [fields.text("query")] if single else fields.texts("queries")
    detect = fields.flag("detect")
    fields.finish()
    split, detected = await asyncio.gather(
        service.models.exclusions.submit(None, queries),
        service.models.detections.submit(None, queries if detect else []) if detect else asyncio.sleep(0),
    )
    lines = [exclusion_line(parts) for parts in split.results]
    if detected is not None:
        for line, detection in zip(lines, detected.results, strict=True):
            line |= {name: value for name, value in detection.line().items() if name != "text"}
    return json_response(lines[0] if single else {"results": lines})


def exclusion_line(parts: Exclusion) -> dict[str, Any]:
    """Return the parts of a query as JSON values. Spans are pairs of characters in the query."""
    return {"text": parts.text} | parts.line()
