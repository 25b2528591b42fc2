"""How often to ask, and how long to wait after a failure."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


class Pace:
    """Hands out moments to start a request, evenly spaced; shared by all threads of a client."""

    def __init__(self, requests_per_minute: float) -> None:
        self._gap = 60 / requests_per_minute if requests_per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Sleep until it is this request's turn."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._gap
        time.sleep(turn - now)

    def hold(self, seconds: float) -> None:
        """No request starts for so long: the endpoint asked for a rest."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


def delay(failures: int, *, first: float, longest: float) -> float:
    """Seconds to wait after so many failures: doubled each time, and shaken so that threads do not return together."""
    return min(longest, first * 2.0 ** (failures - 1)) * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the endpoint asked for, given as milliseconds, seconds or a date; None when it asked for nothing."""
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
