"""Load lexicon tables: tab-separated, one header line; a line that starts with # is a comment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from litotes.errors import LexiconError

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A named table with its columns and rows, in file order."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> tuple[str, ...]:
        return tuple(row[name] for row in self.rows)

    def mapping(self, key: str, value: str) -> dict[str, str]:
        """Map one column to another. The first row wins."""
        mapping: dict[str, str] = {}
        for row in self.rows:
            mapping.setdefault(row[key], row[value])
        return mapping


@cache
def table(name: str) -> Table:
    """Load a shipped table by name, for example `table("hedges")`."""
    resource = files("litotes.lexicon").joinpath(f"{name}.tsv")
    if not resource.is_file():
        raise LexiconError(f"there is no lexicon table called {name!r}")
    return read_table(name, resource.read_text(encoding="utf-8"))


def read_table(name: str, content: str) -> Table:
    """Parse the text of a table. The error for a malformed row names its line."""
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not columns:
            columns = cells
        elif len(cells) != len(columns):
            raise LexiconError(
                f"{name}.tsv, line {number}: {len(cells)} cells, expected {len(columns)} ({', '.join(columns)})"
            )
        else:
            rows.append(dict(zip(columns, cells, strict=True)))
    return Table(name, columns, tuple(rows))


@cache
def word_set(name: str) -> frozenset[str]:
    """Return one of the word lists in word_sets.tsv."""
    for row in table("word_sets"):
        if row["set"] == name:
            return frozenset(row["words"].split())
    raise LexiconError(f"word_sets.tsv has no set called {name!r}")
