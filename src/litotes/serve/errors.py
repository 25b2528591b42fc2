"""Errors of requests, and their bodies in OpenAI's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    405: "invalid_request_error",
    408: "timeout_error",
    413: "invalid_request_error",
    422: "invalid_request_error",
    429: "rate_limit_error",
    500: "server_error",
    503: "server_error",
    504: "timeout_error",
}
"""status → the type of an error in the body"""
NO_HEADERS: Mapping[str, str] = {}
RETRY = {429: "1", 503: "5"}
"""status → after how many seconds a client may try again"""


class RequestError(Exception):
    """A request that cannot be answered: the status, what was received and expected, and what to do."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str,
        param: str | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.param = status, code, param
        retry = {"retry-after": RETRY[status]} if status in RETRY else {}
        self.headers = {**retry, **headers}

    def response(self) -> Response:
        """Return the error as a response."""
        error = {"message": str(self), "type": TYPES[self.status], "param": self.param, "code": self.code}
        return json_response({"error": error}, status=self.status, headers=self.headers)


class ClientGoneError(Exception):
    """The client hung up before its answer was ready."""


def bad_request(message: str, param: str | None = None, *, code: str = "invalid_value") -> RequestError:
    """Return the error for a body that is not a request: a field is missing, unknown, or of another type."""
    return RequestError(400, message, code=code, param=param)


def unprocessable(message: str, param: str | None = None) -> RequestError:
    """Return the error for a field of the right type with a value that cannot be used."""
    return RequestError(422, message, code="invalid_value", param=param)


def json_response(content: Any, *, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> Response:
    """Return a JSON response. NumPy arrays and numbers are written as they are."""
    body = orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY)
    return Response(body, status_code=status, headers=dict(headers), media_type="application/json")
