"""Parameter types and options that several commands share, with shell completion."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from litotes.errors import InputError

PATH = click.Path(path_type=Path)


class ExistingFile(click.Path):
    """The path of a file that exists. A missing file is bad input (exit code 1), not wrong usage."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; InputError if there is no such file."""
        path = Path(value)
        if not path.is_file():
            found = "a folder" if path.is_dir() else "no file"
            raise InputError(f"there is {found} at {str(value)!r}; expected an existing file")
        return path


class ModelName(click.ParamType[str]):
    """A model as family:name-or-path, completed from the names that ship or are known."""

    name = "model"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete families and the names of shipped models."""
        return _starting_with(incomplete, model_names())


class CommaSeparated(click.ParamType[str]):
    """Several names separated by commas, completed one at a time."""

    name = "names"

    def __init__(self, names: Any) -> None:
        self._names = names

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the last name; the names before it stay as they are."""
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{item.value}", help=item.help)
            for item in _starting_with(last, self._names())
        ]


def model_names() -> list[str]:
    """List the model names that can be completed: every family, and the dense models known by name."""
    from litotes.models import FAMILIES
    from litotes.models.bases import MINI

    families = [family if family in {"random", "tfidf", "bm25"} else f"{family}:" for family in FAMILIES]
    return [*families, f"dense:{MINI}", "dense:minilm", "dense:mpnet"]


def suite_names() -> list[str]:
    """List the suites and tasks that `litotes bench` knows."""
    from litotes.data.catalogue import benchmarks, suites

    return [*suites(), *(name for name in benchmarks() if ":" not in name)]


def recipe_names() -> list[str]:
    """List the training recipes."""
    from litotes.training.recipes import RECIPES

    return list(RECIPES)


def _starting_with(prefix: str, names: Sequence[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(prefix)]


MODEL = ModelName()
SUITES = CommaSeparated(suite_names)
FILE = ExistingFile()

data_option = click.option(
    "--data",
    "data_dir",
    type=PATH,
    envvar="LITOTES_DATA",
    help="The folder with the public data sets. The default is the environment variable LITOTES_DATA.",
)


def threshold_of(value: str | None) -> float | str | None:
    """Return a threshold as a number if it is one, else as the name of a file."""
    try:
        return value if value is None else float(value)
    except ValueError:
        return value


device_option = click.option("--device", help="cpu, cuda or mps. The default is the best one available.")
seed_option = click.option("--seed", default=0, show_default=True, help="The seed of all random choices.")
json_option = click.option("--json", "form", flag_value="json", default=True, help="Print JSON lines (the default).")
table_option = click.option("--table", "form", flag_value="table", help="Print a table for people.")
tier_option = click.option(
    "--tier",
    metavar="TIER",
    help="rules, mini, base, or the folder of a pair model. The default is the best one installed.",
)
