"""A small data set, and a real HTTP server to download it from."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from litotes.data.benchmarks.nevir import load
from litotes.data.records import MEASURED, PUBLIC, DataSet, File

CONTRASTS = [
    {"id": "1-2", "q1": "trains that stop", "q2": "trains that do not", "doc1": "It stops.", "doc2": "It does not."},
    {"id": "2-3", "q1": "open shops", "q2": "closed shops", "doc1": "The shop is open.", "doc2": "It is shut."},
]
DEV = "".join(json.dumps(row) + "\n" for row in CONTRASTS).encode()
PART = (json.dumps(CONTRASTS[0]) + "\n").encode()
STS = b"main\tours\t2012\t1\t4.5\tA cat sleeps.\tA cat naps.\n"


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def nevir(base: str = "", *, pin: str = "", rows: int | None = 2) -> DataSet:
    """Return a small NevIR: a dev split in two forms, and a test split that is not pinned."""
    files = (
        File("dev", "nevir/dev.jsonl", rows, PUBLIC, pin, "validation.jsonl", ""),
        File("dev", "nevir/dev.jsonl", 1, MEASURED, digest(PART), "", "a part of it"),
        File("test", "nevir/test.jsonl", None, PUBLIC, "", "test.jsonl", ""),
    )
    return DataSet("nevir", "negation", "ours", "https://example.org", "MIT", load, base=base, files=files)


def put(path: Path, content: bytes) -> Path:
    """Write a file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@contextmanager
def served(pages: Mapping[str, bytes], *, short: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Serve pages on a free local port; yield the address and the list of requested paths.

    `short` is the number of bytes to leave out at the end of each page.
    """
    requested: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested.append(self.path)
            content = pages.get(self.path.lstrip("/"))
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write((content or b"")[: len(content or b"") - short])

        def log_message(self, format: str, *args: Any) -> None:
            """Do not log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", requested
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
