"""Test the error of a gated model, against a local server in place of the hub."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest


class Gate(BaseHTTPRequestHandler):
    """Replies as the hub does for a gated repository."""

    def do_GET(self) -> None:
        self.send_response(403)
        self.send_header("X-Error-Code", "GatedRepo")
        self.send_header("X-Error-Message", "Access to this model is restricted.")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Gate)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_gated_model_is_reported_with_what_to_do(hub: str, tmp_path: Path) -> None:
    script = (
        "from litotes.errors import MissingError\n"
        "from litotes.models.causal import find_causal\n"
        "try:\n    find_causal('guarded/chat-model')\n"
        "except MissingError as error:\n    print(error)\n"
    )
    # The library reads the address of the hub when it is imported.
    environment = os.environ | {"HF_ENDPOINT": hub, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == (
        "guarded/chat-model is gated. Accept its terms on its page on the Hugging Face hub, "
        "sign in with hf auth login, and run this again\n"
    ), done.stderr
