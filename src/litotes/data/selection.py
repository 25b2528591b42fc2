"""Which data a benchmark is built from: the folder, the split, and which half of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from litotes.data.halves import HALVES, half
from litotes.errors import InputError, MissingError

SPLITS = ("dev", "test")
FOLDER_VARIABLE = "LITOTES_DATA"
"""The environment variable with the folder of data sets."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class DataSelection:
    """The folder of data sets, the split, and the half of the split."""

    data: Path | None = None
    split: str = "dev"
    half: str = "all"

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise InputError(f"there is no split {self.split!r}; expected {' or '.join(SPLITS)}")
        if self.half not in HALVES:
            raise InputError(f"there is no half {self.half!r}; expected one of {', '.join(HALVES)}")

    def folder(self, name: str) -> Path:
        """Return the folder of a data set."""
        if self.data is None:
            raise MissingError(
                f"{name} is not shipped with litotes. Name the folder of data sets: --data DIR or {FOLDER_VARIABLE}=DIR"
            )
        return self.data / name

    def label(self, split: str) -> str:
        """Return the name of a split in results: "dev", or "dev/select" for a half."""
        return split if self.half == "all" else f"{split}/{self.half}"

    def select(self, rows: Iterable[Item], *, key: Callable[[Item], str]) -> tuple[Item, ...]:
        """Return the rows of the selected half."""
        return half(rows, self.half, key=key)
