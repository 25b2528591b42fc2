"""The command tree; heavy rooms are imported inside the commands that need them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from litotes.errors import CheckError, LitotesError, MissingError

Command = Callable[..., Any]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="litotes")
def app() -> None:
    """Find and rewrite negation and hedging in English text.

    Text comes from arguments, from a file (--input) or from standard input (-). The output is JSON lines;
    --table is for people, --plain for pipes. Exit codes: 0 done, 1 bad input, 2 wrong usage,
    3 something needed is missing, 4 a check fell short.
    """


def main() -> NoReturn:
    """Run the command line; litotes' own errors become one line and an exit code."""
    code = 0
    try:
        code = app(standalone_mode=False) or 0
    except click.exceptions.Abort:
        code = _complain("interrupted", 130)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except MissingError as error:
        code = _complain(str(error), 3)
    except CheckError as error:
        code = _complain(str(error), 4)
    except (LitotesError, OSError, UnicodeDecodeError) as error:
        if isinstance(error, BrokenPipeError):
            # the reader of our output went away: not an error, and nothing more can be printed
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        else:
            code = _complain(str(error), 1)
    sys.exit(code)


def _complain(message: str, code: int) -> int:
    click.echo(f"litotes: {message}", err=True)
    return code


from litotes.cli import (  # noqa: E402, F401  (the commands register themselves)
    bench,
    build,
    catalogue,
    check,
    classify,
    contamination,
    data,
    demo,
    detect,
    doctor,
    report,
    review,
    rewrite,
    score,
    synth,
    train,
)
