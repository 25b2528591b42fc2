"""The guard around a router of the library semantic-router: a route that the query denies is not taken.

The library's indexes return the names of routes without their utterances. So the guard reads what the router chose,
with its own scores and thresholds, and compares the query with the utterances of the chosen routes. It needs only the
router's public methods, whatever its index is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from rapidfuzz import fuzz, utils

from litotes.errors import InputError, did_you_mean, require
from litotes.guard.adapters.common import differs, guard_of
from litotes.guard.guard import Guard
from litotes.guard.verdict import REASONS, Verdict

DENIALS = ("opposite",)
"""The reasons that count against a route. Another direction, name, number or topic rarely changes the intent."""
UTTERANCES = 16
_why: Any = {"extra": "frameworks", "why": "GuardedRouter"}


class GuardedRouter:
    """A router that does not take "book a flight" for "don't book a flight".

    `router` is a router of semantic-router, and `guard` a `Guard` or the name of a tier; the default is `Guard()`.
    A route is passed over if the query denies one of its utterances. It stays if another of its utterances says the
    same as the query, or the opposite of the denied one: a route with "turn the light on" and "turn the light off"
    takes both. `routes` are the names of the routes that are guarded; the default is all. Guard routes that do
    something. A route that answers questions should take "will it stay dry?" for "will it rain?". `reasons` are the
    reasons of a verdict that count as a denial. At most `utterances` of a route are compared, those that share most
    words with the query.

    The next best route takes the place of one that is denied. Give the router a threshold: without one, it takes a
    route for every query. The guard counts and logs each pair that it reads; `Guard(log=False)` logs nothing.
    """

    def __init__(
        self,
        router: Any,
        guard: Guard | str | None = None,
        *,
        routes: Collection[str] | None = None,
        reasons: Collection[str] = DENIALS,
        utterances: int = UTTERANCES,
    ) -> None:
        if not isinstance(router, require("semantic_router.routers", **_why).BaseRouter):
            raise InputError(f"router is {type(router).__name__}; expected a router of semantic-router")
        unknown = [reasons] if isinstance(reasons, str) else sorted(set(reasons) - set(REASONS))
        if unknown or not reasons:
            raise InputError(f"reasons has {', '.join(unknown) or 'nothing'}; expected a list of {', '.join(REASONS)}")
        if utterances < 1:
            raise InputError(f"utterances is {utterances}; expected 1 or more")
        self.router = router
        self._routes = None if routes is None else self._known(routes)
        self._guard = guard_of(guard)
        self._reasons, self._utterances = frozenset(reasons), utterances

    def __call__(self, query: str, limit: int | None = 1, **options: Any) -> Any:
        """Return what the router returns, without the routes that the query denies.

        With a limit of 1, that is one `RouteChoice`, whose name is None if no route is left; otherwise a list, best
        first. `options` are those of the router, such as `threshold`.
        """
        _check_limit(limit)
        return self._left(query, self.router(query, limit=None, **options), limit)

    async def acall(self, query: str, limit: int | None = 1, **options: Any) -> Any:
        """Do the same with the router's `acall`. The guard reads in a separate thread."""
        _check_limit(limit)
        choices = await self.router.acall(query, limit=None, **options)
        return await asyncio.to_thread(self._left, query, choices, limit)

    def denial(self, query: str, route: str) -> Verdict | None:
        """Return the verdict for which the route is not taken; None if the query does not deny the route."""
        if self._routes is not None and route not in self._routes:
            return None
        utterances = self._nearest(query, route)
        verdicts = self._guard.judge_all([query] * len(utterances), utterances)
        if any(verdict.same for verdict in verdicts):
            return None
        denied = [verdict for verdict in verdicts if differs(verdict, self._reasons)]
        others = [verdict.cached for verdict in verdicts if not differs(verdict, self._reasons)]
        return denied[0] if denied and not self._opposed([verdict.cached for verdict in denied], others) else None

    def _known(self, routes: Collection[str]) -> frozenset[str]:
        """Return the names of routes; refuse those that the router does not have."""
        names = [route.name for route in self.router.routes]
        for name in [routes] if isinstance(routes, str) else routes:
            if isinstance(routes, str) or name not in names:
                hint = did_you_mean(name, names)
                raise InputError(f"routes has {name!r}; expected a list of names of the router's routes.{hint}")
        return frozenset(routes)

    def _left(self, query: str, choices: Any, limit: int | None) -> Any:
        """Return the first choices that the query does not deny."""
        # Before version 1.0, a router returns one choice alone, and a choice without a name if there is none.
        listed = choices if isinstance(choices, list) else [choices] if choices.name is not None else []
        left: list[Any] = []
        for choice in listed:
            if len(left) == limit:
                break
            if self.denial(query, choice.name) is None:
                left.append(choice)
        if limit != 1:
            return left
        calibrated = getattr(self.router, "calibrated", False)
        return left[0] if left else require("semantic_router.schema", **_why).RouteChoice(calibrated=calibrated)

    def _nearest(self, query: str, route: str) -> list[str]:
        """Return the utterances of a route that share most words with the query. Images are left out."""
        texts = [
            utterance
            for one in self.router.routes
            if one.name == route
            for utterance in one.utterances
            if isinstance(utterance, str)
        ]
        shared = {text: fuzz.token_set_ratio(query, text, processor=utils.default_process) for text in texts}
        return sorted(texts, key=lambda text: -shared[text])[: self._utterances]

    def _opposed(self, denied: Sequence[str], others: Sequence[str]) -> bool:
        """Return whether a route has both a denied utterance and its opposite."""
        pairs = [(one, other) for one in denied for other in others]
        verdicts = self._guard.judge_all([one for one, _ in pairs], [other for _, other in pairs])
        return any(differs(verdict, self._reasons) for verdict in verdicts)


def _check_limit(limit: int | None) -> None:
    if limit is not None and limit < 1:
        raise InputError(f"limit is {limit}; expected 1 or more, or None for all routes")
