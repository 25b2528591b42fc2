"""The options of a language model, for every command that asks one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from litotes.cli.parameters import PATH
from litotes.workflows.language_model import LanguageModelOptions

Command = TypeVar("Command", bound=Callable[..., Any])

OPTIONS = (
    click.option(
        "--model",
        default="",
        help="The model's name at the endpoint, or local for the small one from the package index. The default is "
        "$LITOTES_LLM_MODEL.",
    ),
    click.option("--base-url", default="", help="An OpenAI-compatible endpoint. The default is $OPENAI_BASE_URL."),
    click.option(
        "--style",
        type=click.Choice(["chat", "completion"]),
        default="chat",
        show_default=True,
        help="How the model is asked; completion suits base models and small ones.",
    ),
    click.option("--concurrency", type=click.IntRange(min=1), default=4, show_default=True, help="Parallel requests."),
    click.option("--rpm", type=click.IntRange(min=0), default=0, help="Requests per minute; 0 for no limit."),
    click.option("--timeout", type=click.FloatRange(min=1), default=60.0, show_default=True, help="In seconds."),
    click.option("--price-in", type=float, default=0.0, help="The price of a million prompt tokens."),
    click.option("--price-out", type=float, default=0.0, help="The price of a million answer tokens."),
    click.option("--max-cost", type=float, help="Stop before this sum is exceeded; continue with --resume."),
    click.option("--max-tokens", type=int, help="Stop before this many tokens are used; continue with --resume."),
    click.option("--cache", type=PATH, help="The folder for answers; a rerun is free. The default is OUT/answers."),
)


def options(command: Command) -> Command:
    """Add the options of a language model to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def taken_from(values: dict[str, Any]) -> LanguageModelOptions:
    """Remove the options of a language model from a command's values and return them."""
    return LanguageModelOptions(**{name: values.pop(name) for name in LanguageModelOptions.__slots__})
