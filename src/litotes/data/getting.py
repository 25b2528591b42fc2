"""Putting a data set's files into a data folder: from their home, when asked to, or from what the user has.

Everything is fetched into a folder of its own first. It is moved into place only when every checksum is right and our
readers can read it; so what fails leaves the data folder as it was.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from litotes.data.builders.files import digest
from litotes.data.catalogue import DataSet
from litotes.data.checking import DIFFERS, UNPINNED, expected, identified, read, record, recorded
from litotes.data.converting import CONVERSIONS
from litotes.data.fetching import Origin, Watch, copy, download, is_address, is_archive, members, opened
from litotes.errors import InputError, MissingError


@dataclass(frozen=True, slots=True)
class Got:
    """A file that now lies in the data folder."""

    path: str
    action: str
    """got, or kept where it lay there before"""
    state: str
    sha256: str
    origin: str = ""

    def line(self) -> dict[str, Any]:
        """As `litotes data get` prints it."""
        return asdict(self)


def get(
    one: DataSet,
    data: Path,
    *,
    splits: Collection[str] = (),
    places: Sequence[str] = (),
    force: bool = False,
    watch: Watch | None = None,
) -> list[Got]:
    """Get the files of some splits, or of all that have an address, and say what lies where.

    `places` are files, folders, archives or addresses to take them from instead ("FILE=PLACE" for one file). A file
    that is there stays, unless `force`; one that is there and is not what it should be is an error.
    """
    if one.shipped:
        raise InputError(f"{one.name} comes with litotes; there is nothing to get")
    origins = _given(one, one.chosen(splits), places) if places else _homes(one, data, one.chosen(splits))
    sums = recorded(data)
    kept = [] if force else [_kept(one, data, path, sums) for path in origins if (data / path).is_file()]
    wanted = {path: origin for path, origin in origins.items() if path not in {got.path for got in kept}}
    if not wanted:
        return kept
    data.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=data, prefix=".getting-") as made:
        stage = Path(made)
        _fetch(one, data, wanted, stage, watch or (lambda what, done, total: None))
        got = [_accepted(one, stage, path, origin, {} if force else sums) for path, origin in wanted.items()]
        _readable(one, stage, got)
        for path in wanted:
            (data / path).parent.mkdir(parents=True, exist_ok=True)
            (stage / path).replace(data / path)
        loose = {file.path: file.sha256 for file in got if file.state == UNPINNED}
        if loose:
            record(data, loose)
    return [*kept, *got]


def _homes(one: DataSet, data: Path, splits: Collection[str]) -> dict[str, Origin]:
    """path → its home, of every file that has one; MissingError where a split that was asked for has none."""
    found = _based(one, one.paths(splits), one.base.format(revision=one.revision))
    for split in splits or ("",):
        if not any(file.path in found for file in one.files if split in {"", file.split}):
            raise MissingError(f"{one.name} cannot be downloaded: {one.command(data, split)}")
    return found


def _based(one: DataSet, paths: Collection[str], base: str) -> dict[str, Origin]:
    """path → an address that starts with the base and ends as at the home."""
    found = {}
    for file in one.files:
        if file.source and file.path in paths:
            place, _, member = file.source.partition("#")
            found[file.path] = Origin(base + place, member)
    return found


def _given(one: DataSet, splits: Collection[str], places: Sequence[str]) -> dict[str, Origin]:
    """path → what the user gave for it."""
    found: dict[str, Origin] = {}
    for given in places:
        name, equals, place = given.partition("=")
        named = [path for path in one.paths() if name in {path, path.removeprefix(f"{one.folder}/")}]
        if equals and named:
            found |= _spread(one, named, _existing(place))
        else:
            found |= _spread(one, one.paths(splits), _existing(given))
    return found


def _spread(one: DataSet, paths: Sequence[str], place: str) -> dict[str, Origin]:
    """The files that a folder, an archive or an address ending in / holds; a file is the one file that is wanted."""
    conversion = CONVERSIONS.get(one.name)
    folder = Path(place)
    if conversion and folder.is_dir() and all((folder / file).is_file() for file in conversion.needs):
        return {conversion.makes: Origin(place)}
    if folder.is_dir():
        there = {path: [name for name in _names(one, path) if (folder / name).is_file()] for path in paths}
        origins = {path: Origin(str(folder / names[0])) for path, names in there.items() if names}
    elif is_address(place) and place.endswith("/"):
        origins = _based(one, paths, place)
    elif is_archive(place):
        inside = None if is_address(place) else members(folder, place)
        held = {path: [name for name in _names(one, path) if inside is None or name in inside] for path in paths}
        origins = {path: Origin(place, names[0]) for path, names in held.items() if names}
    elif len(paths) == 1:
        origins = {paths[0]: Origin(place)}
    else:
        short = paths[0].removeprefix(f"{one.folder}/")
        raise InputError(f"{one.name} has {len(paths)} files; say which one {place} is, such as --from {short}={place}")
    if not origins:
        raise InputError(f"{place} holds no file of {one.name}; expected any of {', '.join(paths)}")
    return origins


def _names(one: DataSet, path: str) -> list[str]:
    """What a file may be called where it comes from: as its home has it, or as the data folder has it."""
    source = next((form.source for form in one.forms(path) if form.source), "")
    file, _, member = source.partition("#")
    names = [member or file, (member or file).rpartition("/")[2], path.removeprefix(f"{one.folder}/"), path]
    return [name for name in dict.fromkeys(names) if name]


def _existing(place: str) -> str:
    if not is_address(place) and not Path(place).expanduser().exists():
        raise InputError(f"there is no {place!r}; expected a file, a folder, an archive or an address (http, https)")
    return place if is_address(place) else str(Path(place).expanduser())


def _kept(one: DataSet, data: Path, path: str, sums: Mapping[str, str]) -> Got:
    sha256 = digest(data / path)
    state, note = identified(one, path, sha256, sums)
    if state == DIFFERS:
        raise InputError(
            f"{data / path} is there and is another file: sha256 {sha256}, {note}. Replace it with: --force"
        )
    return Got(path, "kept", state, sha256)


def _fetch(one: DataSet, data: Path, wanted: Mapping[str, Origin], stage: Path, watch: Watch) -> None:
    """Copy, download or unpack every file into the stage; an archive is downloaded once."""
    here: dict[str, Path] = {}
    conversion = CONVERSIONS.get(one.name)
    for path, origin in wanted.items():
        target = stage / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if conversion and Path(origin.place).is_dir():
            conversion.run(Path(origin.place), target)
            continue
        if origin.place not in here:
            here[origin.place] = _local(one, data, origin.place, stage / f"download-{len(here)}", watch)
        with opened(here[origin.place], origin) as stream:
            copy(stream, target)


def _local(one: DataSet, data: Path, place: str, target: Path, watch: Watch) -> Path:
    """Where a place can be read: itself, or what was downloaded from it."""
    if not is_address(place):
        return Path(place)
    try:
        download(place, target, watch)
    except MissingError as error:
        folder = shlex.quote(str(data))
        raise MissingError(
            f"{error}. Without it: fetch {one.name} elsewhere (its home is {one.home}) and give what you have: "
            f"litotes data get {one.name} --from PLACE --data {folder}"
        ) from error
    return target


def _accepted(one: DataSet, stage: Path, path: str, origin: Origin, sums: Mapping[str, str]) -> Got:
    """The file, if its checksum is a known one, or none is known."""
    sha256 = digest(stage / path)
    state, note = identified(one, path, sha256, sums)
    if state == DIFFERS:
        raise InputError(f"{origin} is refused as {path}: its sha256 is {sha256}, {note}. Nothing was changed")
    return Got(path, "got", state, sha256, str(origin))


def _readable(one: DataSet, stage: Path, got: Sequence[Got]) -> None:
    """Refuse what our readers cannot read, such as a page of apology, or what has too few rows to be the data set.

    A split whose other files lie in the data folder already is left to `litotes data check`.
    """
    states = {file.path: file.state for file in got}
    for split in one.splits:
        if not set(one.paths([split])) <= states.keys():
            continue
        counts, fault = read(one, stage, split)
        for path in () if fault else one.paths([split]):
            wanted = expected(one, path) if states[path] == UNPINNED else None
            if wanted is not None and counts.get(path, wanted) != wanted:
                fault = f"{path} has {counts[path]:,} rows; expected {wanted:,}"
        if fault:
            raise InputError(f"{one.name} {split} is refused: {fault.replace(f'{stage}/', '')}. Nothing was changed")
