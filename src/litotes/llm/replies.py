"""What comes back: an answer, a prompt without an answer, or a failing endpoint, in litotes' own terms.

The client library's objects and exceptions do not leave this module.
"""

from __future__ import annotations

import re
from typing import Any

from litotes.errors import EndpointError, UnansweredError, require
from litotes.llm.retries import RetryableError, retry_after
from litotes.llm.usage import Usage

_TOO_LONG = re.compile(r"context[ _](length|size|window)|maximum context|prompt is too long|too many tokens", re.I)
_FILTERED = re.compile(r"content[ _](filter|policy|management)|safety system", re.I)
_OUT_OF_CREDIT = re.compile(r"insufficient_quota|insufficient credits|billing", re.I)


class FailedRequestError(RetryableError):
    """A request that the endpoint could not serve now, but may serve later.

    `rate_limited` says that other requests should wait as well, `billed` that the endpoint may have done the work.
    """

    def __init__(
        self,
        message: str,
        *,
        advice: str,
        wait: float | None = None,
        rate_limited: bool = False,
        billed: bool = False,
    ) -> None:
        super().__init__(message, wait=wait)
        self.advice = advice
        self.rate_limited = rate_limited
        self.billed = billed


def translate_error(error: Exception, *, model: str, timeout: float, secret: str) -> Exception:
    """Return FailedRequestError, UnansweredError, or EndpointError (without the endpoint's name) for a failed request.

    `secret` is removed from the endpoint's message.
    """
    openai = require("openai", extra="llm", why="the llm client")
    if isinstance(error, openai.APITimeoutError):
        advice = "raise timeout, or lower concurrency"
        return FailedRequestError(f"did not answer within {timeout:g} s", advice=advice, billed=True)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__ or error
        return FailedRequestError(f"cannot be reached ({cause})", advice="start it, or check the base URL")
    if isinstance(error, UnicodeEncodeError):
        return UnansweredError("unsendable")
    if not isinstance(error, openai.APIStatusError):
        return FailedRequestError(f"sent no readable reply ({type(error).__name__})", advice="check the base URL")
    message = error_message(error)
    excerpt = (message.replace(secret, "…") if secret else message)[:200]
    return _translate_status(error, message, excerpt, model)


def _translate_status(error: Any, message: str, excerpt: str, model: str) -> Exception:
    status = error.status_code
    if status in (400, 413, 422):
        if _TOO_LONG.search(message) or status == 413:
            return UnansweredError("too long")
        if _FILTERED.search(message):
            return UnansweredError("filtered")
        return EndpointError(f"refused the request ({status}: {excerpt}): change the option that it names")
    if status in (401, 403):
        return EndpointError(f"refused the key ({status}): set OPENAI_API_KEY, or pass another key")
    if status == 404:
        return EndpointError(f"does not know the model {model!r}, or the base URL is wrong (404: {excerpt})")
    if status == 402 or (status == 429 and _OUT_OF_CREDIT.search(message)):
        return EndpointError(f"says that the account has no credit left ({status}: {excerpt})")
    if status in (408, 409, 429) or status >= 500:
        rate_limited = status == 429
        what = "is over its rate limit" if rate_limited else "failed"
        advice = "lower requests_per_minute or concurrency" if rate_limited else "try later, or look at its log"
        wait = retry_after(error.response.headers)
        return FailedRequestError(f"{what} ({status}: {excerpt})", advice=advice, wait=wait, rate_limited=rate_limited)
    return EndpointError(f"answered with status {status} ({excerpt})")


def error_message(error: Any) -> str:
    """Return what the endpoint says about an error, on one line."""
    body = error.body
    if isinstance(body, dict):
        parts = [body.get(name) for name in ("message", "code", "error", "detail")]
        return " ".join("; ".join(part for part in parts if isinstance(part, str)).split()) or "without a reason"
    return " ".join(re.sub(r"<[^>]*>", " ", str(body or "")).split()) or "without a reason"


def usage(reply: Any) -> Usage | None:
    """Return the tokens that the endpoint counted, or None if it counts none."""
    counted = getattr(reply, "usage", None)
    sent, received = getattr(counted, "prompt_tokens", None), getattr(counted, "completion_tokens", None)
    return Usage(sent, received) if isinstance(sent, int) and isinstance(received, int) else None


def is_completion(reply: Any) -> bool:
    """Whether a reply has a choice. With a wrong base URL, other pages and objects arrive with status 200."""
    return bool(getattr(reply, "choices", None))


def written_text(reply: Any) -> str:
    """Return everything that the model wrote, complete or not."""
    choice = reply.choices[0]
    message = getattr(choice, "message", None)
    text = getattr(message, "content", None) if message is not None else getattr(choice, "text", None)
    return text if isinstance(text, str) else ""


def answer_text(reply: Any) -> str:
    """Return the answer. Raise UnansweredError if the model declined, was stopped, or wrote nothing."""
    choice = reply.choices[0]
    refusal = getattr(getattr(choice, "message", None), "refusal", None)
    if refusal:
        raise UnansweredError("refused", f"the model declined to answer ({' '.join(str(refusal).split())[:120]})")
    reason = getattr(choice, "finish_reason", None)
    if reason == "content_filter":
        raise UnansweredError("filtered")
    if reason == "length":
        raise UnansweredError("cut off")
    if not written_text(reply).strip():
        raise UnansweredError("empty")
    return written_text(reply)
