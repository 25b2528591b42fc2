"""Spread the requests of a client over time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class RateLimiter:
    """Spaces requests evenly over all threads of a client."""

    def __init__(
        self,
        requests_per_minute: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 60 / requests_per_minute if requests_per_minute else 0.0
        self._next_start = 0.0
        self._lock = threading.Lock()
        self._clock, self._sleep = clock, sleep

    def wait(self) -> None:
        """Sleep until the next request may start."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start)
            self._next_start = start + self._interval
        self._sleep(start - now)

    def pause(self, seconds: float) -> None:
        """Start no request for this many seconds, because the endpoint is over its limit."""
        with self._lock:
            self._next_start = max(self._next_start, self._clock() + seconds)
