"""A server in a thread on a free port, and requests to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import numpy as np
import pytest

from litotes.serve import Settings, create_app
from litotes.serve import runners as runners_module
from litotes.serve.run import listen, make_server, serve

DEADLINE = 120
"""seconds after which a test that waits for something has failed"""


class Served:
    """A running server."""

    def __init__(self, app: Any, url: str) -> None:
        self.app, self.url = app, url
        self.client = httpx.Client(base_url=url, timeout=DEADLINE)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.client.post(path, json=body, **options) if body is not None else self.client.post(path, **options)

    def error(self, path: str, body: Any = None, **options: Any) -> tuple[int, str, str]:
        """Return the status, the code and the message of an error."""
        answer = self.post(path, body, **options)
        found = answer.json()["error"]
        assert set(found) == {"message", "type", "param", "code"}
        return answer.status_code, found["code"], found["message"]


@contextmanager
def served(settings: Settings | None = None, *, ready: bool = True) -> Iterator[Served]:
    """Run a server; with `ready`, wait until its models are loaded."""
    app = create_app(settings or Settings())
    listener = listen("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = make_server(app)
    thread = threading.Thread(target=serve, args=(app, server, listener), daemon=True)
    thread.start()
    found = Served(app, url)
    try:
        if ready:
            wait_until(lambda: found.client.get("/health").status_code == 200)
        yield found
    finally:
        found.client.close()
        server.should_exit = True
        thread.join(DEADLINE)
        assert not thread.is_alive()


def wait_until(condition: Any) -> None:
    """Wait until something is so."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


class Gate:
    """An encoder whose batches wait until they are let through. A text is encoded as its length and its first letter.

    It stands in for a slow model: the tests decide when a batch begins and ends. A text "crash" makes its batch fail.
    """

    width, base_width = 4, 3

    def __init__(self, name: str = "") -> None:
        self.batches: list[list[str]] = []
        self.keys: list[Any] = []
        self.begun = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        self.open = False

    def run(self, key: Any, items: Sequence[str]) -> list[np.ndarray]:
        self.batches.append(list(items))
        self.keys.append(key)
        self.begun.release()
        if not self.open:
            assert self.let_through.acquire(timeout=DEADLINE)
        if "crash" in items:
            raise RuntimeError(f"cannot read {items}")
        return [np.array([len(text), ord(text[0]), 0, 1], dtype=np.float32) for text in items]

    def count(self, items: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in items]

    def wait_for_batch(self) -> list[str]:
        """Return the texts of the next batch, once it has begun."""
        assert self.begun.acquire(timeout=DEADLINE)
        return self.batches[-1]


@contextmanager
def gated(monkeypatch: pytest.MonkeyPatch, settings: Settings | None = None) -> Iterator[tuple[Served, Gate]]:
    """Run a server with a gate as its encoder."""
    gate = Gate()
    monkeypatch.setitem(runners_module.LOADERS, "encoder", lambda name, backend: gate)
    with served(settings) as server:
        try:
            yield server, gate
        finally:
            gate.open = True
            gate.let_through.release(1000)
