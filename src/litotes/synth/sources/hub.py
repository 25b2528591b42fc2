"""Hugging Face data sets as sources: from the hub by name, or from a folder on this machine.

    hf:NAME[:CONFIG][@REVISION][#SPLIT[/COLUMN[,COLUMN…]]]       hf:owner/name:plain@main#validation/premise
    hf:FOLDER[:CONFIG][#SPLIT[/COLUMN[,COLUMN…]]]                hf:./saved#train/text
    hf:PRESET[=FOLDER][@REVISION][#SPLIT[/COLUMN[,COLUMN…]]]     hf:snli, hf:snli=copies/snli, hf:paper

Data only: a data set that needs its own code to be read is refused. What comes from the hub is streamed, at the commit
its revision stood for when reading began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litotes.errors import InputError, MissingError, require
from litotes.synth.sources.presets import PRESETS, Preset

PREFIX = "hf:"
PAPER = "hf:paper"
SPLIT = "train"
TIMEOUT = 10.0
SAVED = ("dataset_dict.json", "state.json")
KEPT = ("id", "questions")


@dataclass(frozen=True, slots=True)
class Reference:
    """A source string, taken apart."""

    name: str
    config: str = ""
    revision: str = ""
    """"" for a folder"""
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
    """What a source string stands for: one data set, or for hf:paper all of the paper's."""
    if source == PAPER or source.startswith(f"{PAPER}="):
        home = source.partition("=")[2]
        return [parsed(f"{PREFIX}{name}={home}/{name}" if home else f"{PREFIX}{name}") for name in PRESETS]
    return [parsed(source)]


def parsed(source: str) -> Reference:
    """One data set's source string, taken apart; what a preset knows is filled in."""
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
            raise InputError(f"{source}: {PREFIX}{known} is read in one configuration; leave out {':' + config!r}")
        return _of_preset(source, known, Reference("", "", revision, split, columns, known, folder))
    if name and Path(name).is_dir():
        return Reference(name, config, "", split, columns, folder=name)
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", name) or name.startswith("."):
        raise InputError(
            f"{source}: {name!r} is neither a folder here nor a data set's name; expected hf:owner/name#split/column, "
            f"hf:FOLDER#split/column, {PAPER} or one of {', '.join(PREFIX + preset for preset in PRESETS)}"
        )
    return Reference(name, config, revision or "main", split, columns)


def _of_preset(source: str, known: str, asked: Reference) -> Reference:
    preset = PRESETS[known]
    if asked.folder and not Path(asked.folder).is_dir():
        raise InputError(f"{source}: there is no folder {asked.folder!r}; expected a copy of {preset.name}")
    if preset.files and asked.split not in {"", SPLIT}:
        raise InputError(f"{source}: of {PREFIX}{known} the split {SPLIT} is read; leave out {asked.split!r}")
    revision, columns = asked.revision or preset.revision, asked.columns or (preset.column,)
    return replace(asked, name=preset.name, config=preset.config, revision=revision, columns=columns)


def pinned(source: str) -> list[str]:
    """The source string with each revision at the commit it stands for now: tomorrow it still names the same data."""
    return [str(_located(reference)[1]) for reference in references(source)]


def reachable() -> bool:
    """Whether the hub answers."""
    hub = require("huggingface_hub", extra="scale", why="a Hugging Face data set")
    try:
        hub.HfApi().dataset_info(PRESETS["snli"].name, timeout=TIMEOUT)
    except _unreachable():
        return False
    return True


def rows(reference: Reference, *, column: str) -> Iterator[tuple[int, dict[str, Any], tuple[str, ...]]]:
    """Each row with its number from 1, and the columns its texts stand in (`column` where the reference names none)."""
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
        raise MissingError(f"{reference}: reading broke off after {number:,} rows ({_first_line(error)})") from error


def is_saved(folder: Path) -> bool:
    """Whether a folder was written by a data set's save_to_disk."""
    return any((folder / name).is_file() for name in SAVED)


def _opened(datasets: Any, home: str, reference: Reference) -> Any:
    """The data set behind a hub name or a folder, one split of it."""
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
    # "NA" and "null" are words here
    table = {"sep": "\t", "names": list(preset.header), "header": None, "keep_default_na": False}
    return datasets.load_dataset("csv", data_files=files, split=SPLIT, streaming=True, **table)


def _saved(datasets: Any, home: str, reference: Reference) -> Any:
    found = datasets.load_from_disk(home)
    if not isinstance(found, dict):
        own = str(found.split) if found.split is not None else ""
        if reference.split and own and reference.split != own:
            raise InputError(f"{reference}: the folder holds the split {own!r} alone")
        return found
    split = reference.split or SPLIT
    if split not in found:
        raise InputError(f"{reference}: there is no split {split!r}; expected one of {', '.join(found)}")
    return found[split]


def _narrowed(opened: Any, columns: tuple[str, ...], reference: Reference) -> Any:
    """Only the columns we read, so that images and sounds beside them are not decoded."""
    there = opened.column_names
    if there is None:
        return opened
    missing = [column for column in columns if column not in there]
    if missing:
        raise InputError(
            f"{reference}: there is no column {missing[0]!r}; expected one of {', '.join(there)}: "
            "say which after the split, as #train/COLUMN"
        )
    return opened.select_columns([*columns, *(name for name in KEPT if name in there and name not in columns)])


def _is_header(row: dict[str, Any], reference: Reference) -> bool:
    header = PRESETS[reference.preset].header if reference.preset else ()
    return bool(header) and row.get(header[0]) == header[0]


def _located(reference: Reference) -> tuple[str, Reference]:
    """Where to read (a hub name or a folder), and the reference at a commit; without the hub, from its cache here."""
    if reference.folder:
        return reference.folder, reference
    hub = require("huggingface_hub", extra="scale", why="a Hugging Face data set")
    try:
        found = hub.HfApi().dataset_info(reference.name, revision=reference.revision, timeout=TIMEOUT)
        return reference.name, replace(reference, revision=str(found.sha))
    except hub.errors.HFValidationError as error:
        raise InputError(f"{reference}: {_first_line(error)}") from error
    except (hub.errors.RepositoryNotFoundError, hub.errors.RevisionNotFoundError) as error:
        raise MissingError(
            f"{reference}: {hub.constants.ENDPOINT} shows no data set {reference.name} at {reference.revision} "
            f"({_first_line(error)}). Check the name; a closed one needs access and: hf auth login. "
            f"By name alone we know {', '.join(PREFIX + preset for preset in PRESETS)} and {PAPER}"
        ) from error
    except _unreachable() as error:
        cached = _cached(hub, reference)
        if cached is None:
            raise MissingError(_how_to_get(reference, hub.constants.ENDPOINT, _first_line(error))) from error
        return str(cached), replace(reference, revision=cached.name)


def _cached(hub: Any, reference: Reference) -> Path | None:
    """A whole copy that `hf download` left in the hub's cache."""
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
        f"Where there is a network: hf download {reference.name} --repo-type dataset{at} --local-dir FOLDER; "
        f"then give {local}"
    )


def _unreachable() -> tuple[type[Exception], ...]:
    """What a network that fails raises; offline mode is a ConnectionError."""
    utils = require("huggingface_hub.utils", extra="scale", why="a Hugging Face data set")
    return (OSError, utils.httpx.HTTPError)


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
