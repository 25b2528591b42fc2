"""Options for a language model, and the model they stand for: what every command that asks one shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from litotes.llm import Budget, Cached, Client

Command = TypeVar("Command", bound=Callable[..., Any])
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Asking:
    """A model ready to be asked: its answers are kept, and what it costs is counted."""

    model: str
    generator: Cached
    client: Client
    budget: Budget
    concurrency: int
    price_in: float
    price_out: float

    def spent(self) -> str:
        """One line for people."""
        spent = self.budget.spent
        tokens = f"{spent.tokens_in:,} tokens in and {spent.tokens_out:,} out"
        return f"{self.budget.requests:,} answers asked for ({tokens}), {self.generator.hits:,} from the cache"


def options(command: Command) -> Command:
    """The options of a language model."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


OPTIONS = (
    click.option(
        "--model",
        default="",
        help="The model's name at the endpoint, or local for the small one from the package index "
        "[default: $LITOTES_LLM_MODEL].",
    ),
    click.option("--base-url", default="", help="An OpenAI-compatible endpoint [default: $OPENAI_BASE_URL]. "),
    click.option(
        "--style",
        type=click.Choice(["chat", "completion"]),
        default="chat",
        show_default=True,
        help="How the model is asked; completion is for base and small models.",
    ),
    click.option("--concurrency", type=click.IntRange(min=1), default=4, show_default=True, help="Requests at a time."),
    click.option("--rpm", type=click.IntRange(min=0), default=0, help="Requests a minute at most; 0 for no limit."),
    click.option("--timeout", type=click.FloatRange(min=1), default=60.0, show_default=True, help="Seconds to wait."),
    click.option("--price-in", type=float, default=0.0, help="What a million tokens of prompt cost."),
    click.option("--price-out", type=float, default=0.0, help="What a million tokens of answer cost."),
    click.option("--max-cost", type=float, help="Stop before this sum is passed; --resume goes on."),
    click.option("--max-tokens", type=int, help="Stop before so many tokens are spent; --resume goes on."),
    click.option(
        "--cache",
        type=click.Path(path_type=Path),
        help="Where answers are kept [default: OUT/answers]; a rerun is free.",
    ),
)


@contextmanager
def asking(given: dict[str, Any], cache: Path) -> Iterator[Asking]:
    """The model that the options name; the local one is started, and stopped at the end."""
    from litotes.llm import Budget, Cached, Client, local_server
    from litotes.synth.by_llm.prompts import STOP

    budget = Budget(
        max_tokens=given["max_tokens"],
        max_cost=given["max_cost"],
        price_in=given["price_in"],
        price_out=given["price_out"],
    )
    with ExitStack() as stack:
        where: dict[str, Any] = {"model": given["model"] or None, "base_url": given["base_url"] or None}
        how: dict[str, Any] = {"style": given["style"], "timeout": given["timeout"]}
        if given["model"] == LOCAL:
            server = stack.enter_context(local_server())
            where = {"model": server.model, "base_url": server.base_url, "key": LOCAL}
            how = {"style": "completion", "stop": STOP, "timeout": max(600.0, given["timeout"])}
        client = Client(
            **where, **how, concurrency=given["concurrency"], requests_per_minute=given["rpm"], budget=budget
        )
        cached = Cached(client, given["cache"] or cache)
        yield Asking(
            client.settings.model, cached, client, budget, given["concurrency"], given["price_in"], given["price_out"]
        )
