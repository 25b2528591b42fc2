"""The truth tables: sentences and accepted rewrites, written by hands that had not seen the rules."""

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
    """What comes out with contractions and without."""
    found = []
    for contractions in (True, False):
        options = rewrite.Options(contractions=contractions, cue=row.get("cue", ""))
        one = rewrite.task(row["op"], row["kind"], options)
        result = next(rewrite.pipe([row["text"]], [one]))[0]
        assert result.undo() == row["text"]
        assert (result.rewrite is None) == bool(result.reason)
        found.append(result.rewrite)
    return found


@pytest.mark.parametrize("row", _parameters())
def test_a_row_comes_out_as_a_person_accepted(row: dict[str, Any]) -> None:
    accepted = row["accept"] or [None]
    assert all(answer in accepted for answer in _answers(row)), _answers(row)


def test_the_tables_are_as_large_and_as_varied_as_promised() -> None:
    assert len(rows()) >= 600
    texts = {(row["op"], row["kind"], row.get("cue"), row["text"]) for row in rows()}
    assert len(texts) == len(rows())
    assert all(row["text"] not in row["accept"] for row in rows())
    assert len({row["domain"] for row in rows()}) >= 7


def test_known_failures_stay_few() -> None:
    failures = [row for row in rows() if "xfail" in row]
    assert len(failures) <= 0.06 * len(rows())
