"""Our own contrasts for each kind of the taxonomy, by themselves and in lists. docs/benchmark.md describes them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from litotes.data.contrast_files import parse_contrasts, read_contrasts
from litotes.data.contrast_lists import ListedContrast, listed
from litotes.data.records import NEGATION, OURS, PACKAGE, Benchmark, DataSet
from litotes.data.selection import SPLITS, DataSelection
from litotes.errors import InputError
from litotes.types import Contrast


def taxonomy_benchmark(split: str = "dev") -> tuple[Contrast, ...]:
    """Return the contrasts of a split. The test split is for measuring, never for tuning."""
    if split not in SPLITS:
        raise InputError(f"the taxonomy benchmark has no split {split!r}; expected {' or '.join(SPLITS)}")
    file = files("litotes.data").joinpath("taxonomy", f"{split}.jsonl")
    return tuple(parse_contrasts(file.read_text(encoding="utf-8").split("\n"), f"taxonomy {split}"))


def open_contrasts(name: str) -> Iterator[Contrast]:
    """Yield the contrasts of a file, of standard input ("-"), or of our benchmark ("taxonomy:dev", "taxonomy:test")."""
    if name.startswith("taxonomy:"):
        return iter(taxonomy_benchmark(name.removeprefix("taxonomy:")))
    if name == "-":
        return parse_contrasts(sys.stdin, "standard input")
    if not Path(name).is_file():
        raise InputError(f"there is no file {name!r}; expected a file, -, taxonomy:dev or taxonomy:test")
    return read_contrasts(Path(name))


def load(_: Path, split: str) -> tuple[Contrast, ...]:
    """Load a split; it is shipped, so the folder does not matter."""
    return taxonomy_benchmark(split)


def _items(selection: DataSelection, split: str) -> tuple[Contrast, ...]:
    return selection.select(taxonomy_benchmark(split), key=lambda contrast: contrast.id)


def _lists(selection: DataSelection, split: str) -> tuple[ListedContrast, ...]:
    # the lists are drawn before the half is selected, so that a contrast always has the same list
    return selection.select(listed(taxonomy_benchmark(split)), key=lambda item: item.contrast.id)


DATA_SET = DataSet(
    name="taxonomy",
    topic=NEGATION,
    description="contrasts of every kind of the taxonomy (docs/benchmark.md)",
    home=PACKAGE,
    licence=OURS,
    load=load,
    benchmarks=(
        Benchmark(
            name="taxonomy",
            family="contrasts",
            help="contrasts of every kind of negation (shipped)",
            headline="pairwise accuracy",
            items=_items,
            suites=("negation",),
        ),
        Benchmark(
            name="contrast-lists",
            family="contrast_lists",
            help="the same contrasts in lists of ten documents (shipped)",
            headline="pairwise accuracy",
            items=_lists,
            suites=("lists",),
            # a model that scores each document by itself has the accuracy of taxonomy: only the rank is new
            extra_columns=(("all", "MRR"),),
        ),
    ),
)
