"""The records of data sets and benchmarks: everything that the other packages know about one of them.

A data set is a module of `litotes.data.benchmarks` with a `DATA_SET`, and one row per file in catalogue.tsv. Its
benchmarks are part of the record. The tasks, the suites, the help texts, the columns of the report and `litotes data`
are derived from these records.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from litotes.data.selection import DataSelection
from litotes.errors import InputError, did_you_mean

PUBLIC, MEASURED, SHIPPED = "public", "measured", "shipped"
PLACEHOLDERS = ("NAME", "FILE", "FOLDER")
"""What may follow the colon in the name of a template, such as contrasts:FILE."""
SHARED = "*"
"""The split of a file that every split of its set needs, such as a collection of documents."""
NEGATION, GENERAL = "negation", "general"
PACKAGE, OURS = "in the package", "Apache-2.0"
"""The home and the licence of the shipped data sets."""
MEASURE, MEASURE_AND_TRAIN = "measure", "measure and train"
GITHUB = "https://raw.githubusercontent.com"

Load = Callable[[Path, str], Sequence[Any]]
"""Load a split from the folder of its data set."""
CountRows = Callable[[Path, str], Mapping[str, int]]
"""Count the rows of each file of a split, by its path; the folder is the one of all data sets."""
Items = Callable[[DataSelection, str], Any]
"""Make the items of a benchmark, as its family expects them. The second argument is the name of the split in the data
set; of a template such as contrasts:FILE it is what stands for FILE."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A task that models are measured on."""

    name: str
    """Its name on the command line and in results.json. A name with a placeholder (contrasts:FILE) is a
    template."""
    family: str
    """How it is measured: a family of `litotes.evaluation.tasks`."""
    help: str
    """One line for help texts."""
    headline: str
    """The measure that represents it, the first one of its family."""
    items: Items | None = None
    """None if the library of the family loads the data itself (mteb, lm-eval)."""
    suites: tuple[str, ...] = ()
    """The suites it is measured in; it can always be measured by its own name."""
    ability: str = NEGATION
    """Negation or general ability. Training chooses the epoch to keep by the mean score of each."""
    dev: str = "dev"
    """The data set's name for the split that models are developed on."""
    test: str = "test"
    """The data set's name for the test split."""
    title: str = ""
    """Its name in the scores of a training run; the default is the name without hyphens."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of the family's task."""
    extra_columns: tuple[tuple[str, str], ...] = ()
    """The slices and measures that the report shows beside the headline."""

    @property
    def template(self) -> bool:
        """Whether the name has a placeholder (contrasts:FILE)."""
        return self.name.partition(":")[2] in PLACEHOLDERS

    def split(self, selection: DataSelection) -> str:
        """Return the data set's name for the selected split."""
        return self.dev if selection.split == "dev" else self.test


@dataclass(frozen=True, slots=True)
class Suite:
    """Benchmarks that are measured together."""

    name: str
    help: str
    mean: str = ""
    """The name under which the mean of the headlines is reported; "" if it is not."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """How a data set's public files become the file that its loader reads."""

    needs: tuple[str, ...]
    """The public files, in one folder."""
    makes: str
    """The path of the file that is made."""
    run: Callable[[Path, Path], None]
    """Read the folder and write the file."""


@dataclass(frozen=True, slots=True)
class File:
    """One form of a file of a data set: a row of catalogue.tsv."""

    split: str
    path: str
    """The path below the data folder, or below litotes/data if the file is shipped."""
    rows: int | None
    """The number of rows that the loader returns; None if it is not known."""
    form: str
    sha256: str
    """Empty if the file is not pinned."""
    source: str
    """What follows the data set's base address, with #MEMBER for a file in an archive; empty if there is no address."""
    note: str


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set: its terms, its home, its loader, its files and its benchmarks."""

    name: str
    topic: str
    """What it is about, for `litotes data list`: negation, sensitivity, general, detection or source."""
    description: str
    home: str
    """A web address, or PACKAGE if the data set is shipped."""
    licence: str
    load: Load | None = None
    """Needed to count rows, unless `count_rows` does it."""
    count_rows: CountRows | None = None
    """Needed if a split has several files, or if loading it takes long."""
    benchmarks: tuple[Benchmark, ...] = ()
    use: str = MEASURE
    """What the licence and the benchmarks allow: measure, or measure and train."""
    revision: str = ""
    """The commit that addresses are pinned to; empty if the home has no commits."""
    base: str = ""
    """The address that a file's source is appended to."""
    by_hand: str = ""
    """What a person must do if there is no address to download from."""
    conversion: Conversion | None = None
    files: tuple[File, ...] = ()
    """All files in all their forms; the registry adds them from catalogue.tsv."""

    @property
    def shipped(self) -> bool:
        """Whether the data set is part of the package."""
        return self.files[0].form == SHIPPED

    @property
    def folder(self) -> str:
        """The folder of the files, below the data folder."""
        return self.files[0].path.partition("/")[0]

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits."""
        return tuple(dict.fromkeys(file.split for file in self.files if file.split != SHARED))

    def sizes(self) -> dict[str, int | None]:
        """Return the rows of each split in its public form, or in its measured form if it has no public one."""
        public = {file.split for file in self.files if file.form != MEASURED}
        form = SHIPPED if self.shipped else PUBLIC
        return {split: self.rows(split, form if split in public else MEASURED) for split in self.splits}

    def rows(self, split: str, form: str) -> int | None:
        """Return the rows of a split in a form (for retrieval, the queries); None if the number is not known."""
        counts = [file.rows for file in self.files if file.split == split and file.form == form]
        known = [count for count in counts if count is not None]
        return sum(known) if known else None

    def paths(self, splits: Iterable[str] = ()) -> tuple[str, ...]:
        """Return the paths of the files of some splits, with the shared files; of all splits if none is named."""
        wanted = {*(tuple(splits) or self.splits), SHARED}
        return tuple(dict.fromkeys(file.path for file in self.files if file.split in wanted))

    def forms(self, path: str) -> tuple[File, ...]:
        """Return the forms of the file at a path."""
        return tuple(file for file in self.files if file.path == path)

    def require_splits(self, splits: Iterable[str]) -> tuple[str, ...]:
        """Return the splits, or raise InputError if the data set does not have one of them."""
        names = tuple(splits)
        unknown = next((name for name in names if name not in self.splits), None)
        if unknown is not None:
            hint = did_you_mean(unknown, self.splits)
            raise InputError(f"{self.name} has no split {unknown!r}; expected any of {', '.join(self.splits)}.{hint}")
        return names

    def command(self, data: Path, split: str = "") -> str:
        """Return what to type, or what to do, to get the data set or one of its splits."""
        if self.shipped:
            return "install litotes again: the data set is part of the package"
        public = [file for file in self.files if file.form == PUBLIC]
        wanted = [file for file in public if split in {"", file.split}]
        folder = shlex.quote(str(data))
        if any(file.source for file in wanted):
            return f"litotes data get {self.name}{f' --split {split}' if split else ''} --data {folder}"
        if wanted:
            return self.by_hand.format(data=folder)
        note = next(file.note for file in self.files if file.split == split)
        others = ", ".join(other for other in self.splits if any(file.split == other for file in public))
        return f"this split is not public: it is {note}, used to develop litotes. Use another one: {others}"
