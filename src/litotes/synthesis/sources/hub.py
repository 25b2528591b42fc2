"""Hugging Face data sets as sources: from the hub by name, or from a local folder.

    hf:NAME[:CONFIG][@REVISION][#SPLIT[/COLUMN[,COLUMN…]]]       hf:owner/name:plain@main#validation/premise
    hf:FOLDER[:CONFIG][#SPLIT[/COLUMN[,COLUMN…]]]                hf:./saved#train/text
    hf:PRESET[=FOLDER][@REVISION][#SPLIT[/COLUMN[,COLUMN…]]]     hf:snli, hf:snli=copies/snli, hf:paper

A data set that needs its own code to be read is refused. Data from the hub is streamed, at the commit that the revision
referred to when reading began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litotes.errors import InputError, MissingError, require
from litotes.synthesis.sources.presets import PRESETS, Preset

PREFIX = "hf:"
PAPER = "hf:paper"
SPLIT = "train"
TIMEOUT = 10.0
SAVED = ("dataset_dict.json", "state.json")
EXTRA_COLUMNS = ("id", "questions")


@dataclass(frozen=True, slots=True)
class Reference:
    """The parts of a source string."""

    name: str
    config: str = ""
    revision: str = ""
    """Empty for a folder."""
    split: str = ""
    columns: tuple[str, ...] = ()
    preset: str = ""
    folder: str = ""

    def __str__(self) -> str:
        parts = (self.preset, self.folder) if self.preset else (self.folder or self.name,)
        where = "=".join(part for part in parts if part)
        config = f":{self.config}" if self.config and not self.preset else ""
        revision = f"@{self.revision}" if self.revision and not self.folder else ""
        part = f"{self.split}/{','.join(self.columns)}".rstrip("/")
        return f"{PREFIX}{where}{config}{revision}" + (f"#{part}" if part else "")


def references(source: str) -> list[Reference]:
    """Return the data sets of a source string: one, or all of the paper's for hf:paper."""
    if source == PAPER or source.startswith(f"{PAPER}="):
        home = source.partition("=")[2]
        return [parse_reference(f"{PREFIX}{name}={home}/{name}" if home else f"{PREFIX}{name}") for name in PRESETS]
    return [parse_reference(source)]


def parse_reference(source: str) -> Reference:
    """Parse the source string of one data set; a preset fills in what is missing."""
    left, _, right = source.removeprefix(PREFIX).partition("#")
    split, _, names = right.partition("/")
    columns = tuple(name.strip() for name in names.split(",") if name.strip())
    if left and Path(left).is_dir() and left not in PRESETS:
        return Reference(left, "", "", split, columns, folder=left)
    head, _, revision = left.partition("@")
    name, _, config = head.partition(":")
    known, _, folder = name.partition("=")
    if known in PRESETS:
        if config:
            raise InputError(f"{source}: {PREFIX}{known} has a fixed configuration; remove {':' + config!r}")
        return _of_preset(source, known, Reference("", "", revision, split, columns, known, folder))
    if name and Path(name).is_dir():
        return Reference(name, config, "", split, columns, folder=name)
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", name) or name.startswith("."):
        raise InputError(
            f"{source}: {name!r} is neither a folder nor the name of a data set; expected hf:owner/name#split/column, "
            f"hf:FOLDER#split/column, {PAPER} or one of {', '.join(PREFIX + preset for preset in PRESETS)}"
        )
    return Reference(name, config, revision or "main", split, columns)


def _of_preset(source: str, known: str, reference: Reference) -> Reference:
    preset = PRESETS[known]
    if reference.folder and not Path(reference.folder).is_dir():
        raise InputError(f"{source}: the folder {reference.folder!r} does not exist; expected a copy of {preset.name}")
    if preset.files and reference.split not in {"", SPLIT}:
        raise InputError(f"{source}: {PREFIX}{known} has the split {SPLIT} only; remove {reference.split!r}")
    revision, columns = reference.revision or preset.revision, reference.columns or (preset.column,)
    return replace(reference, name=preset.name, config=preset.config, revision=revision, columns=columns)


def pinned(source: str) -> list[str]:
    """Return the source strings with revisions replaced by their commits, so that they always name the same data."""
    return [str(_located(reference)[1]) for reference in references(source)]


def reachable() -> bool:
    """Whether the hub can be reached."""
    hub = require("huggingface_hub", extra="scale", why="a Hugging Face data set")
    try:
        hub.HfApi().dataset_info(PRESETS["snli"].name, timeout=TIMEOUT)
    except _unreachable():
        return False
    return True


def rows(reference: Reference, *, column: str) -> Iterator[tuple[int, dict[str, Any], tuple[str, ...]]]:
    """Yield each row with its number from 1 and its text columns (`column` if the reference names none)."""
    datasets = require("datasets", extra="scale", why="a Hugging Face data set")
    columns = reference.columns or (column,)
    home, reference = _located(reference)
    number = 0
    try:
        opened = _opened(datasets, home, reference)
        for number, row in enumerate(_narrowed(opened, columns, reference), start=1):
            if number > 1 or not _is_header(row, reference):
                yield number, row, columns
    except (ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        raise InputError(f"{reference}: {_first_line(error)}") from error
    except _unreachable() as error:
        raise MissingError(
            f"{reference}: the connection failed after {number:,} rows ({_first_line(error)}); try again"
        ) from error


def is_saved(folder: Path) -> bool:
    """Whether a folder was written by `Dataset.save_to_disk`."""
    return any((folder / name).is_file() for name in SAVED)


def _opened(datasets: Any, home: str, reference: Reference) -> Any:
    """Open one split of the data set at a hub name or in a folder."""
    files = PRESETS[reference.preset].files if reference.preset else ""
    local = Path(home).is_dir()
    if files:
        root = home if local else f"hf://datasets/{home}@{reference.revision}"
        return _of_files(datasets, f"{root}/{files}", PRESETS[reference.preset])
    if local and is_saved(Path(home)):
        return _saved(datasets, home, reference)
    options = {} if local else {"revision": reference.revision}
    split = reference.split or SPLIT
    return datasets.load_dataset(home, reference.config or None, split=split, streaming=True, **options)


def _of_files(datasets: Any, files: str, preset: Preset) -> Any:
    if files.endswith(".parquet"):
        return datasets.load_dataset("parquet", data_files=files, split=SPLIT, streaming=True)
    # "NA" and "null" are words here.
    table = {"sep": "\t", "names": list(preset.header), "header": None, "keep_default_na": False}
    return datasets.load_dataset("csv", data_files=files, split=SPLIT, streaming=True, **table)


def _saved(datasets: Any, home: str, reference: Reference) -> Any:
    saved = datasets.load_from_disk(home)
    if not isinstance(saved, dict):
        own = str(saved.split) if saved.split is not None else ""
        if reference.split and own and reference.split != own:
            raise InputError(f"{reference}: the folder has the split {own!r} only")
        return saved
    split = reference.split or SPLIT
    if split not in saved:
        raise InputError(f"{reference}: there is no split {split!r}; expected one of {', '.join(saved)}")
    return saved[split]


def _narrowed(opened: Any, columns: tuple[str, ...], reference: Reference) -> Any:
    """Select the columns that are read, so that images and sounds next to them are not decoded."""
    names = opened.column_names
    if names is None:
        return opened
    missing = [column for column in columns if column not in names]
    if missing:
        raise InputError(
            f"{reference}: there is no column {missing[0]!r}; expected one of {', '.join(names)}. "
            "Name it after the split, as in #train/COLUMN"
        )
    return opened.select_columns([*columns, *(name for name in EXTRA_COLUMNS if name in names and name not in columns)])


def _is_header(row: dict[str, Any], reference: Reference) -> bool:
    header = PRESETS[reference.preset].header if reference.preset else ()
    return bool(header) and row.get(header[0]) == header[0]


def _located(reference: Reference) -> tuple[str, Reference]:
    """Return a hub name or a folder, and the reference at a commit. If the hub is unreachable, its cache is used."""
    if reference.folder:
        return reference.folder, reference
    hub = require("huggingface_hub", extra="scale", why="a Hugging Face data set")
    try:
        info = hub.HfApi().dataset_info(reference.name, revision=reference.revision, timeout=TIMEOUT)
        return reference.name, replace(reference, revision=str(info.sha))
    except hub.errors.HFValidationError as error:
        raise InputError(f"{reference}: {_first_line(error)}") from error
    except (hub.errors.RepositoryNotFoundError, hub.errors.RevisionNotFoundError) as error:
        raise MissingError(
            f"{reference}: {hub.constants.ENDPOINT} has no data set {reference.name} at {reference.revision} "
            f"({_first_line(error)}). Check the name; a private data set needs access and: hf auth login. "
            f"Short names are {', '.join(PREFIX + preset for preset in PRESETS)} and {PAPER}"
        ) from error
    except _unreachable() as error:
        cached = _cached(hub, reference)
        if cached is None:
            raise MissingError(_how_to_get(reference, hub.constants.ENDPOINT, _first_line(error))) from error
        return str(cached), replace(reference, revision=cached.name)


def _cached(hub: Any, reference: Reference) -> Path | None:
    """Return the complete copy that `hf download` left in the hub's cache, or None."""
    options = {"repo_type": "dataset", "revision": reference.revision, "local_files_only": True}
    try:
        return Path(hub.snapshot_download(reference.name, **options))
    except OSError:
        return None


def _how_to_get(reference: Reference, endpoint: str, why: str) -> str:
    at = "" if reference.revision == "main" else f" --revision {reference.revision}"
    local = replace(reference, folder="FOLDER")
    return (
        f"the data set {reference.name} is not on this disk and {endpoint} cannot be reached ({why}). "
        f"On a machine with a network, run: hf download {reference.name} --repo-type dataset{at} --local-dir FOLDER; "
        f"then use {local}"
    )


def _unreachable() -> tuple[type[Exception], ...]:
    """Return the exceptions of a failing network; offline mode is a ConnectionError."""
    utils = require("huggingface_hub.utils", extra="scale", why="a Hugging Face data set")
    return (OSError, utils.httpx.HTTPError)


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
