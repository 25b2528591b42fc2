"""What the tests share: the truth tables, and one parse of each text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

LONGEST = "test_tiny_training.py"
TABLES = Path(__file__).parent / "tables"
REPOSITORY = Path(__file__).parent.parent


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """Every row of every truth table, with the name of its table."""
    found: list[dict[str, Any]] = []
    for path in sorted(TABLES.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found.append({"table": path.stem, "line": number, **json.loads(line)})
    return tuple(found)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest test first, so that in the end no worker is left alone with it."""
    items.sort(key=lambda item: item.path.name != LONGEST)
