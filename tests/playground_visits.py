"""Open the playground in chromium, from a real server or from static files, and record what the page does."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from litotes.serve.app import create_app
from litotes.serve.settings import Settings

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000
"""milliseconds until a page is taken for broken: a slow machine loads models meanwhile"""
# The page's security policy forbids eval, with which Playwright waits for functions; its expectations need none.
expect.set_options(timeout=PATIENCE)


class Server:
    """`litotes serve` in a thread. It can be stopped, and started again at the same port with its models loaded."""

    def __init__(self, **settings: Any) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.app = create_app(Settings(port=self.port, **settings))
        self._running: tuple[uvicorn.Server, threading.Thread] | None = None

    def start(self) -> None:
        """Listen, and load the models at the first start."""
        server = uvicorn.Server(uvicorn.Config(self.app, port=self.port, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        assert thread.is_alive(), "the server did not start"
        self._running = server, thread
        # Playwright has an event loop in this thread, so the models are loaded from another one.
        loading = threading.Thread(target=lambda: asyncio.run(self.app.state.service.models.load()))
        loading.start()
        loading.join()

    def stop(self) -> None:
        """Stop listening. The models stay loaded."""
        if self._running:
            server, thread = self._running
            server.force_exit = server.should_exit = True
            thread.join()
            self._running = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def static_server(folder: Path) -> Iterator[str]:
    """Serve a folder as a static host does; yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; skip the test without one, or fail if LITOTES_BROWSER is "required"."""
    path = next((path for name in BROWSERS if (path := shutil.which(name))), "")
    if not path and os.environ.get("LITOTES_BROWSER") == "required":
        pytest.fail(f"no browser on the PATH: none of {', '.join(BROWSERS)}")
    if not path:
        pytest.skip(f"needs a browser: none of {', '.join(BROWSERS)} is on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """A page of the playground with its first ranking. What it says on the console and requests is recorded."""

    def __init__(self, browser: Browser, url: str, *, ready: bool = True, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 1000}} | options)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.methods: set[str] = set()
        self.page.on("console", lambda message: self._said(message.type, message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.context.on("request", lambda request: self._requested(request.url, request.method))
        response = self.page.goto(url)
        self.headers = response.headers if response else {}
        if ready:
            self.page.wait_for_selector("#litotes li")

    def _requested(self, url: str, method: str) -> None:
        self.requests.append(url)
        self.methods.add(method)

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(text)

    def ranking(self, side: str = "litotes") -> list[str]:
        """Return the documents of a ranking, best first."""
        return self.page.locator(f"#{side} .text").all_inner_texts()

    def scores(self, side: str = "litotes") -> list[float]:
        """Return the scores of a ranking as they are shown, best first."""
        return [float(text.replace("−", "-")) for text in self.page.locator(f"#{side} .score").all_inner_texts()]

    def first_becomes(self, text: str, side: str = "litotes") -> None:
        """Wait until a document is the first of a ranking."""
        expect(self.page.locator(f"#{side} .text").first).to_have_text(text)

    def choose(self, example: str) -> None:
        """Choose an example and wait for its ranking."""
        self.page.get_by_role("button", name=example, exact=True).click()
        expect(self.page.locator("#reading")).to_have_text(f"Read as: {self.page.input_value('#query')}")
