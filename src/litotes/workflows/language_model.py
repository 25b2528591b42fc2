"""A language model that is ready to be asked: its answers are cached and its cost is counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litotes.llm import Budget, CachedGenerator, Client

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class LanguageModelOptions:
    """Which language model to ask and how much it may cost."""

    model: str = ""
    """its name at the endpoint, or "local"; the default is the environment variable LITOTES_LLM_MODEL"""
    base_url: str = ""
    """an OpenAI-compatible endpoint; the default is the environment variable OPENAI_BASE_URL"""
    style: str = "chat"
    concurrency: int = 4
    rpm: int = 0
    """requests per minute; 0 for no limit"""
    timeout: float = 60.0
    price_in: float = 0.0
    price_out: float = 0.0
    max_cost: float | None = None
    max_tokens: int | None = None
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """An open connection to a language model."""

    name: str
    generator: CachedGenerator
    client: Client
    budget: Budget
    options: LanguageModelOptions

    def spent(self) -> str:
        """Say in one line what was asked and how many tokens that took."""
        spent = self.budget.spent
        tokens = f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out"
        return f"{self.budget.requests:,} requests ({tokens}), {self.generator.hits:,} answers from the cache"


@contextmanager
def open_language_model(options: LanguageModelOptions, cache: Path) -> Iterator[LanguageModel]:
    """Open the model that the options name. The local one is started, and stopped at the end."""
    from litotes.llm import Budget, CachedGenerator, Client, local_server
    from litotes.synthesis.by_llm.prompts import STOP

    budget = Budget(
        max_tokens=options.max_tokens,
        max_cost=options.max_cost,
        price_in=options.price_in,
        price_out=options.price_out,
    )
    with ExitStack() as stack:
        where: dict[str, Any] = {"model": options.model or None, "base_url": options.base_url or None}
        how: dict[str, Any] = {"style": options.style, "timeout": options.timeout}
        if options.model == LOCAL:
            server = stack.enter_context(local_server())
            where = {"model": server.model, "base_url": server.base_url, "key": LOCAL}
            how = {"style": "completion", "stop": STOP, "timeout": max(600.0, options.timeout)}
        client = Client(**where, **how, concurrency=options.concurrency, requests_per_minute=options.rpm, budget=budget)
        cached = CachedGenerator(client, options.cache or cache)
        yield LanguageModel(client.settings.model, cached, client, budget, options)
