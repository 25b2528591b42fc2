"""Run the server: listen, load the models, and answer every accepted request before the end."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from litotes.serve.app import create_app
from litotes.serve.settings import Settings

_log = logging.getLogger("litotes.serve")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Server(uvicorn.Server):
    """A server that ends with exit code 0 after a signal: uvicorn's own raises the signal again."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Drain at the first signal; a second SIGINT ends at once."""
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Requests that were accepted by then are answered."""
    app = create_app(settings)
    config = uvicorn.Config(
        app, host=settings.host, port=settings.port, log_config=None, access_log=False, server_header=False
    )
    server = _Server(config)
    failure: list[BaseException] = []

    async def load() -> None:
        try:
            await app.state.service.models.load()
        except Exception as error:
            failure.append(error)
            server.should_exit = True

    async def serve() -> None:
        loading = asyncio.create_task(load())
        await server.serve()
        loading.cancel()

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(serve())
    if failure:
        raise failure[0].__cause__ or failure[0]
    _log.info("all accepted requests are answered")
