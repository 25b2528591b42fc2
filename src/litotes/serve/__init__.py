"""The server: `litotes serve` answers over HTTP what `litotes` answers in Python."""

from __future__ import annotations

from litotes.serve.app import create_app
from litotes.serve.run import run
from litotes.serve.settings import Settings, read_api_key

__all__ = ["Settings", "create_app", "read_api_key", "run"]
