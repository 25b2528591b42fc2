"""The shipped models as graphs, made once for all test files of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from litotes.models.bases import MINI
from litotes.models.onnx.artefact import Made, write_artefact
from litotes.models.onnx.making import make


@pytest.fixture(scope="session")
def onnx_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the graphs of a run in a folder of their own."""
    folder = tmp_path_factory.getbasetemp() / "onnx-cache"
    before = os.environ.get("LITOTES_CACHE")
    os.environ["LITOTES_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["LITOTES_CACHE"]
    else:
        os.environ["LITOTES_CACHE"] = before


@cache
def mini(int8: bool = False) -> Made:
    """Return the graph of litotes-mini."""
    return make(MINI, int8=int8)


@pytest.fixture(scope="session")
def mini_int8(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with litotes-mini in eight bits."""
    folder = tmp_path_factory.mktemp("mini-int8")
    write_artefact(folder, mini(int8=True))
    return folder
