"""DEMETR: translations and the same damaged in one of 35 ways. One JSON array a perturbation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.data.sets.reading import array, text, there
from litotes.errors import InputError

HOME = "https://github.com/marzenakrp/demetr (dataset)"
EMPTY = "."
"""the empty translation, as the data set has it"""
UNRELATED = "base_unrelated_trans"
# Files whose name without its number is not the name in the papers' figures.
NAMES = {
    "base_shuffle_trans": UNRELATED,
    "critical_shuffled": "base_shuffled",
    "critical_adj_adv_removed": "critical_removed_adj_adv",
    "minor_final_punc_removed": "minor_removed_final_punc",
}


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
    """false where the damage could not be done"""


def load(folder: Path, split: str = "") -> tuple[Perturbed, ...]:
    """The rows of every file of the folder, by the names of the papers' figures; there are no splits."""
    paths = sorted(there(folder, "DEMETR's folder of 35 JSON files", HOME).glob("*_id*.json"))
    if not paths:
        there(folder / "critical_id8_negation.json", "DEMETR's 35 JSON files", HOME)
    return tuple(_perturbed(where, path, row) for path in paths for where, row in array(path))


def perturbation_name(stem: str) -> str:
    """ "critical_id8_negation" → "critical_negation" """
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
