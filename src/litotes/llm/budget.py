"""A cap on what a run may spend."""

from __future__ import annotations

import threading

from litotes.errors import BudgetError, InputError
from litotes.llm.usage import Usage


class Budget:
    """Counts what a run spends and refuses a request that could exceed the cap. Can be shared between threads.

    A request reserves its prompt and the longest answer it may get, and is charged for what it used. Reservations are
    mostly larger than the use, so a request that does not fit waits for the running ones before it is refused.
    """

    def __init__(
        self,
        *,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        price_in: float = 0.0,
        price_out: float = 0.0,
    ) -> None:
        if max_cost is not None and not (price_in or price_out):
            raise InputError("max_cost was given without prices: pass price_in and price_out, per million tokens")
        for name, value in (("max_tokens", max_tokens), ("max_cost", max_cost)):
            if value is not None and value <= 0:
                raise InputError(f"{name} is {value}: expected a number above 0, or None for no cap")
        if price_in < 0 or price_out < 0:
            raise InputError(f"prices are {price_in} and {price_out} per million tokens: expected 0 or more")
        self._max_tokens = max_tokens
        self._max_cost = max_cost
        self._prices = (price_in, price_out)
        self._spent = Usage()
        self._reserved = Usage()
        self._requests = 0
        self._running = 0
        self._changed = threading.Condition()

    @property
    def spent(self) -> Usage:
        """Tokens used so far."""
        return self._spent

    @property
    def cost(self) -> float:
        """The cost of those tokens at the given prices."""
        return self._spent.cost(*self._prices)

    @property
    def requests(self) -> int:
        """The number of requests that were paid for."""
        return self._requests

    def reserve(self, most: Usage) -> None:
        """Reserve the most that a request can use. Raise BudgetError if the cap has no room for it."""
        with self._changed:
            while not self._fits(self._spent + self._reserved + most):
                if not self._running:
                    raise BudgetError(self._refusal(most))
                self._changed.wait()
            self._reserved += most
            self._running += 1

    def settle(self, most: Usage, used: Usage | None) -> None:
        """Release a reservation and count what was used; None means that the request was not served."""
        with self._changed:
            self._reserved -= most
            self._running -= 1
            if used is not None:
                self._spent += used
                self._requests += 1
            self._changed.notify_all()

    def _fits(self, usage: Usage) -> bool:
        tokens_fit = self._max_tokens is None or usage.total <= self._max_tokens
        return tokens_fit and (self._max_cost is None or usage.cost(*self._prices) <= self._max_cost)

    def _refusal(self, most: Usage) -> str:
        caps = [f"{self._max_tokens:,} tokens"] if self._max_tokens is not None else []
        caps += [f"a cost of {self._max_cost:g}"] if self._max_cost is not None else []
        price = f" at a cost of {self.cost:.4g}" if any(self._prices) else ""
        return (
            f"the budget of {' and '.join(caps)} has no room for the next answer (up to {most.total:,} tokens): "
            f"{self._requests:,} answers took {self._spent.total:,} tokens{price}. "
            "Raise the cap and run again with the same cache: answers in the cache are not paid for twice"
        )
