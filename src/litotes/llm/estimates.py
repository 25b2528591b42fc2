"""What a run would cost, before it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from litotes.llm.answers import Request
from litotes.llm.cache import CachedGenerator
from litotes.llm.usage import Usage, prompt_tokens


@dataclass(frozen=True, slots=True)
class Estimate:
    """The requests, tokens and cost of a run in which every answer is valid the first time."""

    requests: int
    """Requests that have to be sent."""
    cached: int
    """Further requests that the cache already answers."""
    usage: Usage
    cost: float

    def __str__(self) -> str:
        in_cache = f" ({self.cached:,} more {'is' if self.cached == 1 else 'are'} in the cache)" if self.cached else ""
        cost = f"{self.cost:,.2f}" if self.cost >= 1 else f"{self.cost:.2g}"
        price = f", at a cost of about {cost}" if self.cost else ""
        requests = f"{self.requests:,} request{'' if self.requests == 1 else 's'}"
        return (
            f"{requests}{in_cache}: about {self.usage.tokens_in:,} tokens in and {self.usage.tokens_out:,} out{price}"
        )


def estimate(
    requests: Iterable[Request],
    *,
    answer_tokens: int = 200,
    price_in: float = 0.0,
    price_out: float = 0.0,
    cached: CachedGenerator | None = None,
) -> Estimate:
    """Estimate the tokens and the cost of sending each request once, at prices per million tokens.

    Requests that `cached` already answers are counted separately and cost nothing. Retries after a malformed answer
    are not included; use a `Budget` to cap what a run may spend.
    """
    to_send = in_cache = 0
    usage = Usage()
    for request in requests:
        schema_json = request.schema.model_json_schema()
        if cached is not None and cached.holds(request.system, request.prompt, schema_json):
            in_cache += 1
            continue
        to_send += 1
        usage += Usage(prompt_tokens(request.system, request.prompt, schema_json), answer_tokens)
    return Estimate(to_send, in_cache, usage, usage.cost(price_in, price_out))
