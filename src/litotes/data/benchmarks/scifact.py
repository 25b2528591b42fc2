"""SciFact: scientific claims over abstracts, in BEIR's layout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from litotes.data import beir
from litotes.data.items import Retrieval
from litotes.data.records import GENERAL, Benchmark, DataSet
from litotes.data.selection import DataSelection


def _count_rows(folder: Path, split: str) -> Mapping[str, int]:
    return beir.count_rows(folder, "scifact", split)


def _items(selection: DataSelection, split: str) -> Retrieval:
    return beir.selected(selection, beir.load(selection.folder("scifact"), split))


DATA_SET = DataSet(
    name="scifact",
    topic=GENERAL,
    description="retrieval: scientific claims over abstracts, in BEIR's layout",
    home="https://github.com/beir-cellar/beir",
    licence="CC BY-NC 2.0",
    base="https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/",
    count_rows=_count_rows,
    benchmarks=(
        Benchmark(
            name="scifact",
            family="retrieval",
            help="scientific claims over abstracts",
            headline="nDCG@10",
            items=_items,
            suites=("general",),
            ability=GENERAL,
        ),
    ),
)
