"""A model that its owner gives only to those who ask: said in one sentence, against a hub of our own."""

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
    """Answers as the hub does for a gated repository."""

    def do_GET(self) -> None:
        self.send_response(403)
        self.send_header("X-Error-Code", "GatedRepo")
        self.send_header("X-Error-Message", "Access to this model is restricted.")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Gate)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_gated_model_is_said_in_one_sentence(hub: str, tmp_path: Path) -> None:
    script = (
        "from litotes.errors import MissingError\n"
        "from litotes.models.causal import find_causal\n"
        "try:\n    find_causal('guarded/chat-model')\n"
        "except MissingError as error:\n    print(error)\n"
    )
    # the library reads where the hub is when it is imported
    known = os.environ | {"HF_ENDPOINT": hub, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=known, check=False)
    assert done.stdout == (
        "guarded/chat-model is gated: its owner gives it to those who ask. Accept its terms on its page at the hub, "
        "sign in with hf auth login, and run this again\n"
    ), done.stderr
