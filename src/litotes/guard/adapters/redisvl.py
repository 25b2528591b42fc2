"""RedisVL's semantic cache with the guard.

Importing this module needs redisvl; the rest of litotes does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from litotes.errors import InputError, require
from litotes.guard.adapters.candidates import CANDIDATES, check_candidates
from litotes.guard.adapters.common import guard_of
from litotes.guard.guard import Guard

_base: Any = require("redisvl.extensions.cache.llm", extra="caches", why="RedisVL's semantic cache").SemanticCache
_PROMPT, _KEY = "prompt", "key"
"""the fields of a hit that the guard needs"""
_refreshing: ContextVar[bool] = ContextVar("refreshing", default=True)
"""whether `expire` has an effect, in this thread or task"""


class GuardedSemanticCache(_base):  # type: ignore[misc]
    """RedisVL's `SemanticCache`, which returns an entry only if the guard accepts it.

    `guard` is a `Guard` or the name of a tier; the default is `Guard()`. `candidates` is how many entries within the
    distance threshold the guard judges, nearest first. The other arguments are those of `SemanticCache`. Only entries
    that are returned get a new lifetime (TTL).
    """

    def __init__(
        self, *arguments: Any, guard: Guard | str | None = None, candidates: int = CANDIDATES, **options: Any
    ) -> None:
        self.candidates = check_candidates(candidates)
        self.guard = guard_of(guard)
        super().__init__(*arguments, **options)

    def __repr__(self) -> str:
        return f"<GuardedSemanticCache {self.name!r}, {self.guard!r}, {self.candidates} candidates>"

    def check(
        self,
        prompt: str | None = None,
        vector: list[float] | None = None,
        num_results: int = 1,
        return_fields: list[str] | None = None,
        filter_expression: Any = None,
        distance_threshold: float | None = None,
    ) -> list[dict[str, Any]]:
        """Return the nearest entries that the guard accepts, at most `num_results`.

        The options are those of `SemanticCache.check`. The guard compares texts, so `prompt` is required even if its
        vector is given.
        """
        text = _text(prompt)
        with _without_refreshing():
            hits = super().check(
                prompt=text,
                vector=vector,
                num_results=max(self.candidates, num_results),
                return_fields=_fields_for_guard(return_fields),
                filter_expression=filter_expression,
                distance_threshold=distance_threshold,
            )
        accepted = self._accepted(text, hits, num_results)
        for hit in accepted:
            self.expire(hit[_KEY])
        return [_requested(hit, return_fields) for hit in accepted]

    async def acheck(
        self,
        prompt: str | None = None,
        vector: list[float] | None = None,
        num_results: int = 1,
        return_fields: list[str] | None = None,
        filter_expression: Any = None,
        distance_threshold: float | None = None,
    ) -> list[dict[str, Any]]:
        """Do the same asynchronously; the guard runs in a thread."""
        text = _text(prompt)
        with _without_refreshing():
            hits = await super().acheck(
                prompt=text,
                vector=vector,
                num_results=max(self.candidates, num_results),
                return_fields=_fields_for_guard(return_fields),
                filter_expression=filter_expression,
                distance_threshold=distance_threshold,
            )
        accepted = await asyncio.to_thread(self._accepted, text, hits, num_results)
        await asyncio.gather(*[self.aexpire(hit[_KEY]) for hit in accepted])
        return [_requested(hit, return_fields) for hit in accepted]

    def expire(self, key: str, ttl: int | None = None) -> None:
        """Set or refresh the lifetime of an entry, except while `check` looks for candidates."""
        if _refreshing.get():
            super().expire(key, ttl)

    async def aexpire(self, key: str, ttl: int | None = None) -> None:
        """Do the same asynchronously."""
        if _refreshing.get():
            await super().aexpire(key, ttl)

    def _accepted(self, prompt: str, hits: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
        """Return the first hits with the same answer."""
        prompts = [hit[_PROMPT] for hit in hits]
        if most == 1:
            found = self.guard.first(prompt, prompts)
            return [] if found is None else [hits[found[0]]]
        verdicts = self.guard.judge_all([prompt] * len(prompts), prompts)
        return [hit for hit, verdict in zip(hits, verdicts, strict=True) if verdict.same][:most]


@contextmanager
def _without_refreshing() -> Iterator[None]:
    """Let SemanticCache search without refreshing what it finds: the guard may reject it."""
    token = _refreshing.set(False)
    try:
        yield
    finally:
        _refreshing.reset(token)


def _text(prompt: str | None) -> str:
    if not isinstance(prompt, str) or not prompt:
        raise InputError(f"prompt is {prompt!r}; expected a text. The guard compares texts, so a vector is not enough")
    return prompt


def _fields_for_guard(fields: list[str] | None) -> list[str] | None:
    """Add the prompt to the fields that were asked for. Without any, or if they are invalid, RedisVL decides."""
    return [*fields, _PROMPT] if fields and isinstance(fields, list) else fields


def _requested(hit: dict[str, Any], fields: list[str] | None) -> dict[str, Any]:
    """Remove the prompt from a hit if only the guard needed it."""
    return {name: value for name, value in hit.items() if name != _PROMPT or not fields or _PROMPT in fields}
