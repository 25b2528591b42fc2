"""The models of a server by name, each behind a queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from litotes.errors import InputError, did_you_mean
from litotes.models.bases import RERANK_MINI, SCORE_MINI
from litotes.serve.batching import Answer, ModelQueue
from litotes.serve.errors import RequestError, bad_request
from litotes.serve.model_names import Encoding, ModelName, parse_model_name
from litotes.serve.monitoring import Monitor
from litotes.serve.runners import LOADERS, DetectionRunner, EncoderRunner, ExclusionRunner, check_tier, kind_of
from litotes.serve.settings import Settings

MINI_TIER = "mini"
ENCODER, RERANKER, METRIC, GUARD = "encoder", "reranker", "metric", "guard"
_log = logging.getLogger("litotes.serve")


class Models:
    """The queues of a server. The encoders are loaded at the start, the other models at their first use."""

    def __init__(self, settings: Settings, monitor: Monitor) -> None:
        self._settings, self._monitor = settings, monitor
        self._queues: dict[str, dict[str, ModelQueue]] = {kind: {} for kind in LOADERS}
        for name in settings.models:
            self._add(kind_of(name), name)
        if not self._queues[ENCODER]:
            raise InputError(f"the models are {', '.join(settings.models)}; expected an encoder among them")
        for kind, name in ((RERANKER, RERANK_MINI), (METRIC, SCORE_MINI), (GUARD, MINI_TIER)):
            if not self._queues[kind]:
                self._add(kind, name)
        self.exclusions = ModelQueue("exclusion", ExclusionRunner, settings, monitor)
        self.detections = ModelQueue("detection", DetectionRunner, settings, monitor)
        self.ready = False
        """whether the models that are loaded at the start are loaded"""

    def _add(self, kind: str, name: str) -> ModelQueue:
        served = Path(name).name if Path(name).is_dir() else name
        queues = self._queues[kind]
        if served in queues:
            raise InputError(f"two models have the name {served!r}; give each model once")
        label = f"guard {served}" if kind == GUARD else served
        options = {"backend": self._settings.backend} if kind == ENCODER else {}
        queues[served] = ModelQueue(label, lambda: LOADERS[kind](name, **options), self._settings, self._monitor)
        return queues[served]

    async def load(self) -> None:
        """Load the encoders; with `preload`, all models."""
        queues = list(self._queues[ENCODER].values())
        if self._settings.preload:
            queues += [queue for kind in (RERANKER, METRIC, GUARD) for queue in self._queues[kind].values()]
            queues += [self.exclusions, self.detections]
        await asyncio.gather(*(queue.load() for queue in queues))
        self.ready = True
        _log.info("serving %s", ", ".join(name for queues in self._queues.values() for name in queues))

    def close(self) -> None:
        """Let the threads of all queues end."""
        for queue in self._every():
            queue.close()

    def _every(self) -> list[ModelQueue]:
        return [
            *(queue for queues in self._queues.values() for queue in queues.values()),
            self.exclusions,
            self.detections,
        ]

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the served models, by kind."""
        return {kind: tuple(queues) for kind, queues in self._queues.items()}

    def encoder_name(self, text: str) -> ModelName:
        """Split the name of an encoder, and check that it is served; "" is the default encoder."""
        encoders = self._queues[ENCODER]
        found = parse_model_name(text or next(iter(encoders)), encoders)
        self._queue(ENCODER, found.name)
        return found

    async def encode(self, name: str, encoding: Encoding, texts: list[str]) -> Answer:
        """Return the vectors of texts."""
        if encoding.dial is not None and self.encoder(name).base_width is None:
            raise bad_request(f"{name} has no tower, so it has no dial; leave the dial out", "dial")
        return await self._queue(ENCODER, name).submit(encoding, texts)

    def encoder(self, name: str) -> EncoderRunner:
        """Return a loaded encoder, for its widths."""
        runner = self._queue(ENCODER, name).runner
        if runner is None:
            raise not_ready()
        return cast("EncoderRunner", runner)

    def shape(self, kind: str, name: str) -> dict[str, float]:
        """Return the columns of a loaded tower's vectors and its default dial; nothing for other models."""
        runner = self._queue(kind, name).runner
        return runner.shape if isinstance(runner, EncoderRunner) else {}

    def reranker(self, name: str) -> ModelQueue:
        """Return the queue of a reranker; "" is the default one."""
        return self._queue(RERANKER, name)

    def metric(self, name: str) -> ModelQueue:
        """Return the queue of a metric; "" is the default one."""
        return self._queue(METRIC, name)

    def guard(self, tier: str) -> ModelQueue:
        """Return the queue of a tier of the guard; "" is the tier mini. Others are loaded on request."""
        queues = self._queues[GUARD]
        if tier and tier not in queues:
            try:
                check_tier(tier)
            except InputError as error:
                raise RequestError(404, str(error), code="model_not_found", param="tier") from error
            return self._add(GUARD, tier)
        return self._queue(GUARD, tier)

    def _queue(self, kind: str, name: str) -> ModelQueue:
        queues = self._queues[kind]
        chosen = name or next(iter(queues))
        if chosen not in queues:
            raise RequestError(
                404,
                f"there is no {kind} {chosen[:60]!r} here.{did_you_mean(chosen[:60], queues)} This server has "
                f"{', '.join(queues)}; others are served with --model",
                code="model_not_found",
                param="model",
            )
        return queues[chosen]


def not_ready() -> RequestError:
    """Return the error for a request that comes before the models are loaded."""
    return RequestError(503, "the models are still being loaded; GET /health says when they are", code="loading")
