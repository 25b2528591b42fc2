"""The review sheet: a CSV a spreadsheet can open, with a column to fill, and the filled sheet read again."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from litotes.bench.review.cases import Review
from litotes.bench.review.categories import names
from litotes.bench.rows import write_whole
from litotes.data.lines import text_lines
from litotes.errors import InputError

KEY = ("task", "split", "id")
CATEGORY, NOTE = "category", "note"
RUN = tuple("=+-@\t\r\n＝＋－＠")
"""a cell that begins so is a formula to a spreadsheet"""
MARK = "'"
DELIMITERS = (",", ";", "\t")
"""ours, and those that spreadsheets of other countries write"""
BOM = "\ufeff"
"""without it a spreadsheet may take UTF-8 for something else"""


@dataclass(frozen=True, slots=True)
class Filled:
    """One item of a filled sheet, and the category it was sorted into; "" where it was not."""

    key: tuple[str, ...]
    category: str


def sheet(review: Review) -> list[list[str]]:
    """The sheet's cells, its head first; none of them is a formula."""
    head = ["id", "task", "split", "slice", "texts", "gold", f"baseline: {review.baseline}", f"model: {review.model}"]
    rows = [[*head, CATEGORY, NOTE]]
    for case in review.cases:
        texts = "\n".join(f"{name}: {text}" for name, text in case.texts.items())
        cells = [case.id, case.task, case.split, case.slice, texts, case.gold, case.baseline, case.model]
        rows.append([*map(harmless, cells), "", ""])
    return rows


def harmless(cell: str) -> str:
    """The text as a spreadsheet takes it for text."""
    # half a surrogate pair cannot be written out
    whole = cell.encode("utf-8", "replace").decode("utf-8")
    return MARK + whole if whole.startswith(RUN) else whole


def write_sheet(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write the cells as CSV; the file appears whole or not at all."""
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_whole(path, BOM + text.getvalue())


def read_sheet(path: Path) -> list[Filled]:
    """The items of a filled sheet; an error names the line of a category that there is not."""
    if not path.is_file():
        raise InputError(f"there is no sheet {str(path)!r}; expected a .csv that litotes errors wrote")
    found: dict[tuple[str, ...], Filled] = {}
    known = {name.casefold(): name for name in names()}
    for where, row in _rows(path):
        key = tuple(_plain(row[name]) for name in KEY)
        given = " ".join(_plain(row[CATEGORY]).casefold().split())
        if given and given not in known:
            raise InputError(
                f"{where}: there is no category {row[CATEGORY]!r}; expected one of {', '.join(known.values())}, or none"
            )
        if key in found:
            raise InputError(f"{where}: the item {key[-1]!r} of {key[0]} stands in the sheet twice; expected it once")
        found[key] = Filled(key, known.get(given, ""))
    return list(found.values())


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each row stands, and its cells by the names of the head."""
    lines = list(text_lines(path, newline=""))
    wanted = (*KEY, CATEGORY)
    delimiter = next((one for one in DELIMITERS if set(wanted) <= set(_head(lines, one))), None)
    if delimiter is None:
        raise InputError(f"{path}, line 1: no head of a review sheet; expected the columns {', '.join(wanted)}")
    reader = csv.DictReader(lines, delimiter=delimiter, restval="", strict=True)
    try:
        for number, row in enumerate(reader, start=2):
            if any(row.get(name) for name in wanted):
                yield f"{path}, line {reader.line_num} (row {number}, item {row['id']})", row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table we can read ({error})") from error


def _head(lines: Sequence[str], delimiter: str) -> list[str]:
    return next(csv.reader(lines[:1], delimiter=delimiter), [])


def _plain(cell: str) -> str:
    """A cell without the mark that kept it from being run: some spreadsheets save it, some do not."""
    return cell.removeprefix(MARK).strip() if cell[1:].startswith(RUN) else cell.strip()
