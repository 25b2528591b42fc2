"""ExcluIR: a query that excludes something, the document it asks for, and the document it excludes. JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from litotes.data.contrast_files import read_contrasts
from litotes.data.reading import array, existing, text
from litotes.data.records import NEGATION, Benchmark, Conversion, DataSet
from litotes.data.selection import DataSelection
from litotes.errors import InputError
from litotes.types import Contrast

HOME = "https://github.com/zwh-sdu/ExcluIR"


def load(folder: Path, split: str = "dev") -> tuple[Contrast, ...]:
    """Load the contrasts of FOLDER/SPLIT.jsonl; they have no second query."""
    path = existing(
        folder / f"{split}.jsonl", f"ExcluIR's {split} rows as JSON lines (id, query, positive, negative)", HOME
    )
    return tuple(read_contrasts(path))


def convert(folder: Path, target: Path) -> None:
    """Write ExcluIR's queries, each with the documents of its two indices: the excluded one, then the right one."""
    documents = _documents(folder / "corpus.json")
    # a lone surrogate cannot be written as UTF-8
    with target.open("w", encoding="utf-8", errors="replace") as out:
        for number, (where, row) in enumerate(array(folder / "test_manual_final.json")):
            excluded, right = _indices(row, where, len(documents))
            contrast = {
                "id": str(number),
                "query": text(row, "RQ_rewrite", where),
                "positive": documents[right],
                "negative": documents[excluded],
            }
            out.write(json.dumps(contrast, ensure_ascii=False) + "\n")


def _documents(path: Path) -> list[str]:
    try:
        documents = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(documents, list) or not all(isinstance(document, str) for document in documents):
        raise InputError(f"{path}: expected a JSON array of texts")
    return documents


def _indices(row: dict[str, Any], where: str, size: int) -> tuple[int, int]:
    indices = row.get("corpus_sub_index")
    if (
        not isinstance(indices, list)
        or len(indices) != 2
        or not all(type(index) is int and 0 <= index < size for index in indices)
    ):
        raise InputError(f"{where}: corpus_sub_index is {indices!r}; expected two indices of the {size} documents")
    return indices[0], indices[1]


def _items(selection: DataSelection, split: str) -> tuple[Contrast, ...]:
    return selection.select(load(selection.folder("excluir"), split), key=lambda contrast: contrast.id)


DATA_SET = DataSet(
    name="excluir",
    topic=NEGATION,
    description="queries that exclude something, with the right document and the excluded one",
    home=HOME,
    licence="not stated",
    by_hand="download corpus.json and test_manual_final.json from the folder that "
    "https://github.com/zwh-sdu/ExcluIR links to, then run: litotes data get excluir --from FOLDER --data {data}",
    load=load,
    conversion=Conversion(("corpus.json", "test_manual_final.json"), "excluir/test.jsonl", convert),
    benchmarks=(
        Benchmark(
            name="excluir",
            family="contrasts",
            help="queries that exclude something",
            headline="right rank",
            items=_items,
            suites=("negation",),
        ),
    ),
)
