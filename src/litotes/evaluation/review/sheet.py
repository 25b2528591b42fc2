"""The review sheet: a CSV file for a spreadsheet, with a column to fill in; and reading the filled sheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from litotes.data.lines import text_lines
from litotes.errors import InputError, did_you_mean
from litotes.evaluation.review.cases import Review
from litotes.evaluation.review.categories import names
from litotes.files import write_atomically

KEY = ("task", "split", "id")
CATEGORY, NOTE = "category", "note"
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""A spreadsheet takes a cell that begins with one of these for a formula."""
MARK = "'"
DELIMITERS = (",", ";", "\t")
"""Ours, and those that spreadsheets in other countries write."""
BOM = "\ufeff"
"""Without it some spreadsheets do not recognise UTF-8."""


@dataclass(frozen=True, slots=True)
class FilledRow:
    """One item of a filled sheet, and its category; "" if it has none yet."""

    key: tuple[str, ...]
    category: str


def sheet(review: Review) -> list[list[str]]:
    """Return the cells of the sheet, its header first; none of them is a formula."""
    header = ["id", "task", "split", "slice", "texts", "gold", f"baseline: {review.baseline}", f"model: {review.model}"]
    rows = [[*header, CATEGORY, NOTE]]
    for case in review.cases:
        texts = "\n".join(f"{name}: {text}" for name, text in case.texts.items())
        cells = [case.id, case.task, case.split, case.slice, texts, case.gold, case.baseline, case.model]
        rows.append([*map(escaped, cells), "", ""])
    return rows


def escaped(cell: str) -> str:
    """Return the text so that a spreadsheet takes it for text, not for a formula."""
    # a lone surrogate cannot be written as UTF-8
    text = cell.encode("utf-8", "replace").decode("utf-8")
    return MARK + text if text.startswith(FORMULA_STARTS) else text


def write_sheet(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write the cells as CSV."""
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_atomically(path, BOM + text.getvalue())


def read_sheet(path: Path) -> list[FilledRow]:
    """Return the items of a filled sheet; an error names the line of an unknown category."""
    if not path.is_file():
        raise InputError(f"there is no sheet {str(path)!r}; expected a .csv that litotes review wrote")
    rows: dict[tuple[str, ...], FilledRow] = {}
    known = {name.casefold(): name for name in names()}
    for where, row in _rows(path):
        key = tuple(_unescaped(row[name]) for name in KEY)
        category = " ".join(_unescaped(row[CATEGORY]).casefold().split())
        if category and category not in known:
            raise InputError(
                f"{where}: there is no category {row[CATEGORY]!r}; expected one of {', '.join(known.values())}, or "
                f"nothing.{did_you_mean(category, known.values())}"
            )
        if key in rows:
            raise InputError(f"{where}: the item {key[-1]!r} of {key[0]} is in the sheet twice; expected it once")
        rows[key] = FilledRow(key, known.get(category, ""))
    return list(rows.values())


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place of each row, and its cells by the names in the header."""
    lines = list(text_lines(path, newline=""))
    wanted = (*KEY, CATEGORY)
    delimiter = next((mark for mark in DELIMITERS if set(wanted) <= set(_header(lines, mark))), None)
    if delimiter is None:
        raise InputError(f"{path}, line 1: not the header of a review sheet; expected the columns {', '.join(wanted)}")
    reader = csv.DictReader(lines, delimiter=delimiter, restval="", strict=True)
    try:
        for number, row in enumerate(reader, start=2):
            if any(row.get(name) for name in wanted):
                yield f"{path}, line {reader.line_num} (row {number}, item {row['id']})", row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not a table ({error})") from error


def _header(lines: Sequence[str], delimiter: str) -> list[str]:
    return next(csv.reader(lines[:1], delimiter=delimiter), [])


def _unescaped(cell: str) -> str:
    """Return a cell without the mark that `escaped` added: some spreadsheets save it, some do not."""
    return cell.removeprefix(MARK).strip() if cell[1:].startswith(FORMULA_STARTS) else cell.strip()
