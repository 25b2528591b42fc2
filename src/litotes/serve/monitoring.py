"""What /metrics shows: requests, latency, batches, queues, and requests that were turned away."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.responses import Response

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
ITEMS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
TOKENS = (16, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768)
CLIENT_GONE = 499
"""the status, in metrics alone, of a request whose client hung up"""


class Monitor:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._requests = Counter(
            "litotes_requests", "Requests that were answered.", ("endpoint", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "litotes_request_seconds",
            "Seconds from a request's headers to its answer.",
            ("endpoint",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._rejected = Counter(
            "litotes_rejected", "Requests that were turned away, by reason.", ("reason",), registry=self.registry
        )
        self._items = Histogram(
            "litotes_batch_items", "Texts or pairs per batch.", ("model",), buckets=ITEMS, registry=self.registry
        )
        self._tokens = Histogram(
            "litotes_batch_tokens", "Tokens per batch.", ("model",), buckets=TOKENS, registry=self.registry
        )
        self.total = 0
        """requests that were answered"""
        self._waiting = Gauge("litotes_queue", "Requests that wait for a model.", ("model",), registry=self.registry)

    def watch_queue(self, model: str, length: Callable[[], int]) -> None:
        """Show the length of a model's queue."""
        self._waiting.labels(model).set_function(length)

    def batch(self, model: str, items: int, tokens: int) -> None:
        """Count a batch."""
        self._items.labels(model).observe(items)
        self._tokens.labels(model).observe(tokens)

    def answered(self, endpoint: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self.total += status != CLIENT_GONE
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def rejected(self, reason: str) -> None:
        """Count a request that was turned away."""
        self._rejected.labels(reason).inc()

    def response(self) -> Response:
        """Return all metrics in the format of Prometheus."""
        return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)
