"""What the tests share: the truth tables, and one parse of each text."""

from __future__ import annotations

import doctest
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from litotes.llm import LocalServer

TABLES = Path(__file__).parent / "tables"
REPOSITORY = Path(__file__).parent.parent
# No test depends on how busy the machine is.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """Every row of every truth table, with the name of its table."""
    found: list[dict[str, Any]] = []
    for path in sorted(TABLES.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found.append({"table": path.stem, "line": number, **json.loads(line)})
    return tuple(found)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the slow tests first, so that in the end no worker is left alone with one of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def mpnet() -> Iterator[None]:
    """Let the models find all-mpnet-base-v2, which `make tests` unpacks into .venv/cache."""
    cache = Path(os.environ.get("LITOTES_CACHE") or REPOSITORY / ".venv" / "cache")
    if not (cache / "all-mpnet-base-v2").is_dir():
        pytest.skip("all-mpnet-base-v2 is not there; `make .venv/cache/all-mpnet-base-v2` unpacks it")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITOTES_CACHE", str(cache))
        yield


def run_examples(path: Path, *, setup: int = 0, containing: str = "", **names: Any) -> None:
    """Run the pycon blocks of a page: examples that need all-mpnet-base-v2 or a server.

    The first `setup` python blocks of the page run before them. Blocks without the text `containing` are left out.
    `names` are known from other blocks.
    """
    text = path.read_text(encoding="utf-8")
    python, pycon = (
        re.findall(rf"^```{kind}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL) for kind in ("python", "pycon")
    )
    blocks = [*python[:setup], *(block for block in pycon if containing in block)]
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), names, path.name, path.name, 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert not failed


@pytest.fixture(scope="session")
def local_llm() -> Iterator[LocalServer]:
    """One server with SmolLM2 for all tests that need a real language model."""
    from litotes.llm import local_server

    with local_server() as server:
        yield server


@pytest.fixture
def named_local_llm(local_llm: LocalServer, monkeypatch: pytest.MonkeyPatch) -> LocalServer:
    """Let `llm:local` and `--model local` use the shared server instead of starting one."""
    from litotes import llm
    from litotes.models.llm import builder

    @contextmanager
    def shared_server() -> Iterator[LocalServer]:
        yield local_llm

    monkeypatch.setattr(llm, "local_server", shared_server)
    monkeypatch.setattr(builder, "local_server", shared_server)
    return local_llm
