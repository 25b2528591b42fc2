"""Which failed requests are sent again, and after what wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tenacity import RetryCallState, Retrying


class RetryableError(Exception):
    """A request failed for a reason that may pass. `wait` is how many seconds the server asks for, if it says so."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def retrying(
    *,
    attempts: int,
    backoff: float,
    longest_wait: float,
    before_sleep: Callable[[RetryableError, float], None] = lambda _error, _seconds: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Retrying:
    """Return a policy that repeats a call after each RetryableError and raises the last one.

    It waits as long as the server asks, or else for half to all of a time that starts at `backoff` seconds and doubles
    with each failure, up to `longest_wait`. It gives up after `attempts` calls, and at once if the server asks for more
    than `longest_wait` seconds. `before_sleep` is called with the error and the seconds before each wait.
    """
    from tenacity import Retrying, retry_if_exception_type, wait_exponential, wait_random_exponential

    half = {"multiplier": backoff / 2, "max": longest_wait / 2}
    doubling = wait_exponential(**half) + wait_random_exponential(**half)

    def wait(state: RetryCallState) -> float:
        requested = _error(state).wait
        return doubling(state) if requested is None else requested

    return Retrying(
        retry=retry_if_exception_type(RetryableError),
        wait=wait,
        stop=lambda state: state.attempt_number >= attempts or (_error(state).wait or 0.0) > longest_wait,
        before_sleep=lambda state: before_sleep(_error(state), state.upcoming_sleep),
        sleep=sleep,
        reraise=True,
    )


def _error(state: RetryCallState) -> RetryableError:
    error = state.outcome.exception() if state.outcome is not None else None
    if not isinstance(error, RetryableError):
        raise TypeError(f"a retry after {error!r}: expected a RetryableError")
    return error


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the headers ask to wait (in milliseconds, seconds or as a date), or None."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError):
        return None
