"""Run the server: listen, load the models, and answer every accepted request before the end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from litotes.errors import InputError
from litotes.serve.app import create_app
from litotes.serve.endpoint import Service
from litotes.serve.settings import LOCAL, Settings

SIGNALS = (signal.SIGINT, signal.SIGTERM)
KEEP_ALIVE = 75
"""seconds until an idle connection is closed: longer than the usual minute of proxies, which reuse connections"""
SWITCH = 0.0005
"""seconds after which a busy thread of Python lets another one run. The default, ten times as long, would let the
requests that are being read hold up each of the hundreds of operations of a batch."""
_log = logging.getLogger("litotes.serve")


class Server(uvicorn.Server):
    """An HTTP server that drains at SIGTERM and then returns. uvicorn's own raises the signal again."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Drain at the first signal. A second SIGINT ends the server at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Requests that were accepted by then are answered."""
    sys.setswitchinterval(SWITCH)
    app = create_app(settings)
    server = make_server(app)
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            # A signal that comes before the server runs ends it, too, as soon as it does.
            signal.signal(number, server.handle_exit)
    listener = listen(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    _log.info("listening on http://%s:%d", f"[{host}]" if ":" in host else host, port)
    if settings.host not in LOCAL and not settings.api_key:
        _log.warning("anyone who reaches %s can use this server; set an API key with --api-key-file", settings.host)
    serve(app, server, listener)
    service: Service = app.state.service
    _log.info("stopped; %d requests were answered, and none is left", service.monitor.total)


def make_server(app: Starlette) -> Server:
    """Return the HTTP server of an application."""
    return Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE,
        )
    )


def serve(app: Starlette, server: Server, listener: socket.socket) -> None:
    """Load the models and serve. If a model cannot be loaded, stop and raise the reason."""
    service: Service = app.state.service
    failure: list[Exception] = []

    async def load() -> None:
        try:
            await service.models.load()
        except Exception as error:
            failure.append(error)
            server.should_exit = True

    async def serve_and_load() -> None:
        loading = asyncio.create_task(load())
        await server.serve(sockets=[listener])
        loading.cancel()

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(serve_and_load())
    for error in failure:
        raise error.__cause__ or error


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InputError(f"cannot listen on {host} port {port}: {reason}. Choose others with --host, --port") from error
