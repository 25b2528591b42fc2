"""The command group. A command's module is imported when the command is used."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NoReturn

import click

from litotes.errors import CheckError, LitotesError, MissingError

Command = Callable[..., Any]

COMMANDS = {
    "affirm": "litotes.cli.rewrite:affirm",
    "average": "litotes.cli.blend:average",
    "bench": "litotes.cli.bench:bench",
    "blend": "litotes.cli.blend:blend",
    "check": "litotes.cli.check:check",
    "classify": "litotes.cli.classify:classify",
    "contamination": "litotes.cli.contamination:contamination",
    "data": "litotes.cli.data:data",
    "dedup": "litotes.cli.dedup:dedup",
    "demo": "litotes.cli.demo:demo",
    "detect": "litotes.cli.detect:detect",
    "dial": "litotes.cli.dial:dial",
    "doctor": "litotes.cli.doctor:doctor",
    "export": "litotes.cli.export:export",
    "guard": "litotes.cli.guard:guard",
    "hedge": "litotes.cli.rewrite:hedge",
    "negate": "litotes.cli.rewrite:negate",
    "paraphrase": "litotes.cli.rewrite:paraphrase",
    "report": "litotes.cli.report:report",
    "review": "litotes.cli.review:review",
    "score": "litotes.cli.score:score",
    "serve": "litotes.cli.serve:serve",
    "synth": "litotes.cli.synth:synth",
    "train": "litotes.cli.train:train",
}


class LazyGroup(click.Group):
    """A group whose commands are named as "module:function" and imported on first use."""

    def __init__(self, *arguments: Any, targets: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._targets = targets

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of all commands in alphabetical order."""
        return sorted(self._targets)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None if there is none."""
        if cmd_name not in self._targets:
            return None
        module, _, function = self._targets[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command


@click.group(cls=LazyGroup, targets=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="litotes")
def app() -> None:
    """Find and rewrite negation and hedging in English text, and train, measure and check models that hear it.

    Text is read from arguments, from a file (--input) or from standard input (-). The output is JSON lines; --table
    prints a table for people, --plain prints bare text for pipes. Exit codes: 0 success, 1 bad input, 2 wrong usage,
    3 something needed is missing, 4 a check failed.
    """
    _log_to_stderr()


def main() -> NoReturn:
    """Run the command line. Errors of litotes become one line on standard error and an exit code."""
    code = 0
    try:
        code = app(standalone_mode=False) or 0
    except click.exceptions.Abort:
        code = _report_error("interrupted", 130)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except MissingError as error:
        code = _report_error(str(error), 3)
    except CheckError as error:
        code = _report_error(str(error), 4)
    except (LitotesError, OSError, UnicodeDecodeError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output has gone. That is not an error, and nothing more can be printed.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        else:
            code = _report_error(str(error), 1)
    sys.exit(code)


def _report_error(message: str, code: int) -> int:
    click.echo(f"litotes: {message}", err=True)
    return code


class _EchoHandler(logging.Handler):
    """Prints log records as `litotes: message` on whatever standard error is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(f"litotes: {record.getMessage()}", err=True)


def _log_to_stderr() -> None:
    logger = logging.getLogger("litotes")
    if not any(isinstance(handler, _EchoHandler) for handler in logger.handlers):
        logger.addHandler(_EchoHandler(logging.INFO))
        logger.setLevel(logging.INFO)
        logger.propagate = False
