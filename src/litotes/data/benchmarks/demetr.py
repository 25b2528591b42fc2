"""DEMETR: translations, and the same translations damaged in one of 35 ways. One JSON array per perturbation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.data.reading import array, existing, text
from litotes.data.records import GITHUB, Benchmark, DataSet
from litotes.data.selection import DataSelection
from litotes.errors import InputError

HOME = "https://github.com/marzenakrp/demetr (dataset)"
EMPTY = "."
"""The empty translation, as the data set has it."""
UNRELATED = "base_unrelated_trans"
NAMES = {
    "base_shuffle_trans": UNRELATED,
    "critical_shuffled": "base_shuffled",
    "critical_adj_adv_removed": "critical_removed_adj_adv",
    "minor_final_punc_removed": "minor_removed_final_punc",
}
"""Files whose name without its number is not the name in the papers' figures."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A reference, a translation, and the translation damaged in one way."""

    id: str
    perturbation: str
    severity: str
    reference: str
    translation: str
    perturbed: str
    changed: bool
    """Whether the translation could be damaged."""


def load(folder: Path, split: str = "") -> tuple[Perturbed, ...]:
    """Load the rows of every file of the folder, by the names in the papers' figures; there are no splits."""
    paths = sorted(existing(folder, "DEMETR's folder of 35 JSON files", HOME).glob("*_id*.json"))
    if not paths:
        existing(folder / "critical_id8_negation.json", "DEMETR's 35 JSON files", HOME)
    return tuple(_perturbed(where, path, row) for path in paths for where, row in array(path))


def perturbation_name(stem: str) -> str:
    """Return the papers' name of a perturbation: "critical_id8_negation" → "critical_negation"."""
    plain = re.sub(r"_id\d+", "", stem)
    return NAMES.get(plain, plain)


def _perturbed(where: str, path: Path, row: dict[str, Any]) -> Perturbed:
    changed = row.get("pert_check")
    if not isinstance(changed, bool):
        raise InputError(f"{where}: pert_check is {changed!r}; expected true or false")
    return Perturbed(
        text(row, "id", where),
        perturbation_name(path.stem),
        text(row, "severity", where),
        text(row, "eng_sent", where),
        text(row, "mt_sent", where),
        text(row, "pert_sent", where),
        changed,
    )


def _count_rows(folder: Path, _: str) -> Mapping[str, int]:
    counts = Counter(row.perturbation for row in load(folder / "demetr"))
    paths = sorted((folder / "demetr").glob("*_id*.json"))
    return {f"demetr/{path.name}": counts[perturbation_name(path.stem)] for path in paths}


def _items(selection: DataSelection, _: str) -> tuple[Perturbed, ...]:
    return selection.select(load(selection.folder("demetr")), key=lambda row: row.id)


DATA_SET = DataSet(
    name="demetr",
    topic="sensitivity",
    description="translations damaged in 35 ways",
    home="https://github.com/marzenakrp/demetr",
    licence="MIT",
    revision="0398097cee7f36e0a4f16e3ac332b85d14c26235",
    base=GITHUB + "/marzenakrp/demetr/{revision}/dataset/",
    count_rows=_count_rows,
    benchmarks=(
        Benchmark(
            name="demetr",
            family="demetr",
            help="translations damaged in 35 ways",
            headline="ratio",
            items=_items,
            suites=("sensitivity",),
            dev="all",
            test="all",
        ),
    ),
)
