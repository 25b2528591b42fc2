"""The OpenAPI document of the server."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def document() -> dict[str, Any]:
    """Return the document, which test_serve_openapi compares with the routes and with real answers."""
    text = files("litotes.serve").joinpath("openapi.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
