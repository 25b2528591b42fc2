"""Cranfield: questions on aerodynamics over abstracts, in BEIR's layout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from litotes.data import beir
from litotes.data.items import Retrieval
from litotes.data.records import GENERAL, Benchmark, DataSet
from litotes.data.selection import DataSelection


def _count_rows(folder: Path, split: str) -> Mapping[str, int]:
    return beir.count_rows(folder, "cranfield", split)


def _items(selection: DataSelection, split: str) -> Retrieval:
    return beir.selected(selection, beir.load(selection.folder("cranfield"), split))


DATA_SET = DataSet(
    name="cranfield",
    topic=GENERAL,
    description="retrieval: questions on aerodynamics over abstracts, in BEIR's layout",
    home="http://ir.dcs.gla.ac.uk/resources/test_collections/cran/",
    licence="public",
    by_hand="take cran.tar.gz from http://ir.dcs.gla.ac.uk/resources/test_collections/cran/ and write it in BEIR's "
    "layout: {data}/cranfield/corpus.jsonl, queries.jsonl and qrels/test.tsv (docs/data.md has the fields)",
    count_rows=_count_rows,
    benchmarks=(
        Benchmark(
            name="cranfield",
            family="retrieval",
            help="questions on aerodynamics over abstracts",
            headline="nDCG@10",
            items=_items,
            suites=("general",),
            ability=GENERAL,
            dev="test",
        ),
    ),
)
