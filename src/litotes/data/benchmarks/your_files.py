"""Benchmarks on files of the user: contrasts:FILE, opposites:FILE and beir:FOLDER."""

from __future__ import annotations

from pathlib import Path

from litotes.data import beir
from litotes.data.contrast_files import read_contrasts
from litotes.data.items import Retrieval
from litotes.data.judged_pairs import JudgedPair, from_triples
from litotes.data.records import GENERAL, Benchmark
from litotes.data.selection import DataSelection
from litotes.data.triple_files import read_triples
from litotes.errors import InputError
from litotes.types import Contrast

FILE = "file"


def _contrasts(selection: DataSelection, path: str) -> tuple[Contrast, ...]:
    return selection.select(read_contrasts(_file(path, "contrasts")), key=lambda contrast: contrast.id)


def _opposites(selection: DataSelection, path: str) -> tuple[JudgedPair, ...]:
    return selection.select(from_triples(read_triples(_file(path, "triples"))), key=lambda pair: pair.first)


def _retrieval(selection: DataSelection, folder: str) -> Retrieval:
    return beir.selected(selection, beir.load(Path(folder), selection.split))


def _file(path: str, content: str) -> Path:
    if not Path(path).is_file():
        raise InputError(f"there is no file {path!r}; expected {content} as JSON lines")
    return Path(path)


BENCHMARKS = (
    Benchmark(
        "contrasts:FILE",
        "contrasts",
        "your contrasts, as JSON lines",
        "pairwise accuracy",
        _contrasts,
        dev=FILE,
        test=FILE,
    ),
    Benchmark(
        "opposites:FILE", "opposites", "your triples, for language models", "accuracy", _opposites, dev=FILE, test=FILE
    ),
    Benchmark(
        "beir:FOLDER", "retrieval", "your retrieval set in BEIR's layout", "nDCG@10", _retrieval, ability=GENERAL
    ),
)
