"""The truth tables: sentences and accepted rewrites. Most were written by people who had not seen the rules."""

from __future__ import annotations

from typing import Any

import pytest

from litotes import rewrite
from tests.conftest import rows


def _parameters() -> list[Any]:
    found = []
    for row in rows():
        marks = [pytest.mark.xfail(reason=row["xfail"])] if "xfail" in row else []
        found.append(pytest.param(row, id=f"{row['table']}:{row['line']}", marks=marks))
    return found


def _answers(row: dict[str, Any]) -> list[str | None]:
    """Return the rewrites with and without contractions, as the rules make them."""
    found = []
    for contractions in (True, False):
        options = rewrite.Options(contractions=contractions, cue=row.get("cue", ""), unchecked=True)
        one = rewrite.task(row["op"], row["kind"], options)
        result = next(rewrite.rewrite_texts([row["text"]], [one]))[0]
        assert result.undo() == row["text"]
        assert (result.rewrite is None) == bool(result.reason)
        found.append(result.rewrite)
    return found


@pytest.mark.parametrize("row", _parameters())
def test_a_row_of_the_tables(row: dict[str, Any]) -> None:
    accepted = row["accept"] or [None]
    assert all(answer in accepted for answer in _answers(row)), _answers(row)


def test_the_size_and_variety_of_the_tables() -> None:
    assert len(rows()) >= 600
    texts = {(row["op"], row["kind"], row.get("cue"), row["text"]) for row in rows()}
    assert len(texts) == len(rows())
    assert all(row["text"] not in row["accept"] for row in rows())
    assert len({row["domain"] for row in rows()}) >= 7


def test_known_failures_are_few() -> None:
    failures = [row for row in rows() if "xfail" in row]
    assert len(failures) <= 0.06 * len(rows())
