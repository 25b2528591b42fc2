"""What came back over the wire, in our own terms: an answer, a prompt without one, or an endpoint in trouble.

The client library's objects and exceptions end here.
"""

from __future__ import annotations

import re
from typing import Any

from litotes.errors import EndpointError, UnansweredError, require
from litotes.llm.budget import Usage
from litotes.llm.pace import retry_after

_TOO_LONG = re.compile(r"context[ _](length|size|window)|maximum context|prompt is too long|too many tokens", re.I)
_FILTERED = re.compile(r"content[ _](filter|policy|management)|safety system", re.I)
_OUT_OF_CREDIT = re.compile(r"insufficient_quota|insufficient credits|billing", re.I)


class TroubledError(Exception):
    """The endpoint could not serve a request that it may serve later.

    `wait` is how many seconds it asked for; `crowded` says that other requests should wait as well, `billed` that the
    endpoint may have done the work.
    """

    def __init__(
        self, what: str, *, advice: str, wait: float | None = None, crowded: bool = False, billed: bool = False
    ) -> None:
        super().__init__(what)
        self.advice = advice
        self.wait = wait
        self.crowded = crowded
        self.billed = billed


def trouble(error: Exception, model: str, timeout: float, secret: str) -> Exception:
    """What a failed request means: TroubledError, UnansweredError, or EndpointError without the endpoint's name."""
    openai = require("openai", extra="llm", why="the llm client")
    if isinstance(error, openai.APITimeoutError):
        advice = "raise timeout, or lower concurrency"
        return TroubledError(f"did not answer within {timeout:g} s", advice=advice, billed=True)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__ or error
        return TroubledError(f"cannot be reached ({cause})", advice="start it, or check the base URL")
    if isinstance(error, UnicodeEncodeError):
        return UnansweredError("unsendable")
    if not isinstance(error, openai.APIStatusError):
        return TroubledError(f"sent no readable reply ({type(error).__name__})", advice="check the base URL")
    status, whole = error.status_code, told(error)
    said = (whole.replace(secret, "…") if secret else whole)[:200]
    if status in (400, 413, 422):
        if _TOO_LONG.search(whole) or status == 413:
            return UnansweredError("too long")
        if _FILTERED.search(whole):
            return UnansweredError("filtered")
        return EndpointError(f"refused the request ({status}: {said}): change the option it names")
    if status in (401, 403):
        return EndpointError(f"refused the key ({status}): set OPENAI_API_KEY, or pass another key")
    if status == 404:
        return EndpointError(f"does not know the model {model!r}, or the base URL is wrong (404: {said})")
    if status == 402 or (status == 429 and _OUT_OF_CREDIT.search(whole)):
        return EndpointError(f"says the account has no credit left ({status}: {said})")
    if status in (408, 409, 429) or status >= 500:
        asked = retry_after(error.response.headers)
        what = "is over its rate limit" if status == 429 else "failed"
        advice = "lower requests_per_minute or concurrency" if status == 429 else "try later, or look at its log"
        return TroubledError(f"{what} ({status}: {said})", advice=advice, wait=asked, crowded=status == 429)
    return EndpointError(f"answered with status {status} ({said})")


def told(error: Any) -> str:
    """What the endpoint said about an error, on one line."""
    body = error.body
    if isinstance(body, dict):
        parts = [body.get(name) for name in ("message", "code", "error", "detail")]
        return " ".join("; ".join(part for part in parts if isinstance(part, str)).split()) or "without a reason"
    return " ".join(re.sub(r"<[^>]*>", " ", str(body or "")).split()) or "without a reason"


def usage(reply: Any) -> Usage | None:
    """The tokens the endpoint counted; None when it counts none."""
    counted = getattr(reply, "usage", None)
    sent, received = getattr(counted, "prompt_tokens", None), getattr(counted, "completion_tokens", None)
    return Usage(sent, received) if isinstance(sent, int) and isinstance(received, int) else None


def is_completion(reply: Any) -> bool:
    """A reply with at least one choice; a wrong base URL gives pages and other objects with status 200."""
    return bool(getattr(reply, "choices", None))


def said(reply: Any) -> str:
    """All that the model wrote, whole or not."""
    choice = reply.choices[0]
    message = getattr(choice, "message", None)
    found = getattr(message, "content", None) if message is not None else getattr(choice, "text", None)
    return found if isinstance(found, str) else ""


def text(reply: Any) -> str:
    """The answer; UnansweredError when the model declined, was stopped, or said nothing."""
    choice = reply.choices[0]
    declined = getattr(getattr(choice, "message", None), "refusal", None)
    if declined:
        raise UnansweredError("refused", f"the model declined to answer ({' '.join(str(declined).split())[:120]})")
    reason = getattr(choice, "finish_reason", None)
    if reason == "content_filter":
        raise UnansweredError("filtered")
    if reason == "length":
        raise UnansweredError("cut off")
    if not said(reply).strip():
        raise UnansweredError("empty")
    return said(reply)
