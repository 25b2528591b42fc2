"""One endpoint: the key, the body, the time limit, a client that hangs up, errors, and metrics."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from litotes.errors import InputError, MissingError
from litotes.serve.errors import ClientGoneError, RequestError, unprocessable
from litotes.serve.fields import Fields, parse_body
from litotes.serve.models import Models, not_ready
from litotes.serve.monitoring import CLIENT_GONE, Monitor
from litotes.serve.settings import Settings

DISCARDED = 10
"""how many times `max_body` is read of a body that is too long"""
_log = logging.getLogger("litotes.serve")


@dataclass(frozen=True, slots=True)
class Service:
    """What the endpoints share."""

    settings: Settings
    models: Models
    monitor: Monitor


Handler = Callable[[Service, Fields], Awaitable[Response]]


class Endpoint:
    """An ASGI application for one path, around a function from the fields of a body to a response."""

    def __init__(
        self, path: str, handler: Handler, service: Service, *, has_body: bool = True, open_to_all: bool = False
    ):
        self._path, self._handler, self._service = path, handler, service
        self._has_body, self._open = has_body, open_to_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        started = time.perf_counter()
        monitor = self._service.monitor
        try:
            response = await self._answer(Request(scope, receive))
        except ClientGoneError:
            monitor.answered(self._path, CLIENT_GONE, time.perf_counter() - started)
            return
        except RequestError as error:
            monitor.rejected(error.code)
            response = error.response()
        await response(scope, receive, send)
        monitor.answered(self._path, response.status_code, time.perf_counter() - started)

    async def _answer(self, request: Request) -> Response:
        settings = self._service.settings
        if not self._open:
            check_key(request, settings.api_key)
        deadline = asyncio.get_running_loop().time() + settings.timeout
        values: dict[str, Any] = {}
        if self._has_body:
            values = parse_body(await read_body(request, settings, deadline))
            if not self._service.models.ready:
                raise not_ready()
        fields = Fields(values, max_inputs=settings.max_inputs)
        try:
            return await finish_or_hang_up(self._handler(self._service, fields), request, deadline)
        except (RequestError, ClientGoneError):
            raise
        except InputError as error:
            raise unprocessable(str(error)) from error
        except MissingError as error:
            raise RequestError(503, str(error), code="missing") from error
        except TimeoutError as error:
            raise RequestError(
                504,
                f"the request took more than {settings.timeout:g} seconds. Send fewer texts, or raise --timeout",
                code="timeout",
            ) from error
        except Exception as error:
            # The message of an exception may have texts of the request, so it is not logged.
            place = "".join(traceback.format_tb(error.__traceback__)[-3:])
            _log.error("%s failed: %s\n%s", self._path, type(error).__name__, place)
            message = f"the server failed ({type(error).__name__}). Its log has more"
            raise RequestError(500, message, code="server_error") from error


def check_key(request: Request, key: str) -> None:
    """Refuse a request without the server's API key, if it has one."""
    if not key:
        return
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    # Compared in a time that does not depend on where the two keys differ.
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), key.encode()):
        what = "an API key that is not this server's" if given else "no API key"
        raise RequestError(
            401,
            f"the request has {what}; expected the header “Authorization: Bearer KEY”",
            code="invalid_api_key",
            headers={"www-authenticate": "Bearer"},
        )


async def read_body(request: Request, settings: Settings, deadline: float) -> bytes:
    """Return the body; refuse one that is too long, or that does not arrive in time.

    A client that is still sending does not read an answer. So the rest of a body that is too long is read and dropped,
    up to a limit, unless the client waits for our consent (Expect: 100-continue).
    """
    limit = settings.max_body
    announced = request.headers.get("content-length", "")
    if (
        announced.isdigit()
        and int(announced) > limit
        and ("expect" in request.headers or int(announced) > DISCARDED * limit)
    ):
        raise too_long(limit)
    body = bytearray()
    length = 0
    try:
        async with asyncio.timeout_at(deadline):
            while True:
                message = await request.receive()
                if message["type"] == "http.disconnect":
                    raise ClientGoneError
                part = message.get("body", b"")
                length += len(part)
                if length <= limit:
                    body += part
                if length > DISCARDED * limit:
                    raise too_long(limit)
                if not message.get("more_body"):
                    break
    except TimeoutError as error:
        raise RequestError(
            408,
            f"the body did not arrive within {settings.timeout:g} seconds",
            code="timeout",
            headers={"connection": "close"},
        ) from error
    if length > limit:
        raise too_long(limit)
    return bytes(body)


def too_long(limit: int) -> RequestError:
    """Return the error for a body over the limit. The connection is closed, since there may be more of it."""
    message = f"the body has more than {limit} bytes. Send several requests, or raise --max-body"
    return RequestError(413, message, code="body_too_long", headers={"connection": "close"})


async def finish_or_hang_up(work: Awaitable[Response], request: Request, deadline: float) -> Response:
    """Return the response; cancel the work if the client hangs up first, or at the deadline."""
    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(_hung_up(request))
    try:
        left = deadline - asyncio.get_running_loop().time()
        done, _ = await asyncio.wait({working, watching}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if working in done:
            return working.result()
        raise ClientGoneError if watching in done else TimeoutError
    finally:
        working.cancel()
        watching.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
