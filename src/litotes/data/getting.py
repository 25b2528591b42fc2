"""Put a data set's files into a data folder: from their home, or from what the user has.

Everything is fetched into a temporary folder first. It is moved into place only if every checksum is right and the
loaders can read it, so a failure leaves the data folder unchanged.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from litotes.data.builders.source_files import digest
from litotes.data.checking import (
    DIFFERS,
    UNPINNED,
    add_checksums,
    count_rows,
    identify,
    public_rows,
    read_checksums,
)
from litotes.data.fetching import (
    DownloadProgress,
    Origin,
    archive_members,
    copy,
    download,
    is_address,
    is_archive,
    open_origin,
)
from litotes.data.records import DataSet
from litotes.errors import InputError, MissingError


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is now in the data folder."""

    path: str
    action: str
    """ "got", or "kept" if it was there before."""
    state: str
    sha256: str
    origin: str = ""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes data get` prints."""
        return asdict(self)


def get(
    record: DataSet,
    data: Path,
    *,
    splits: Collection[str] = (),
    places: Sequence[str] = (),
    force: bool = False,
    progress: DownloadProgress | None = None,
) -> list[Fetched]:
    """Get the files of some splits, or all files that have an address, and return where they are.

    `places` are files, folders, archives or addresses to take them from instead ("FILE=PLACE" for one file). A file
    that exists is kept, unless `force` is set; it is an error if it is not the expected file.
    """
    if record.shipped:
        raise InputError(f"{record.name} is part of litotes; there is nothing to get")
    wanted_splits = record.require_splits(splits)
    origins = _given_origins(record, wanted_splits, places) if places else _homes(record, data, wanted_splits)
    checksums = read_checksums(data)
    kept = [] if force else [_keep(record, data, path, checksums) for path in origins if (data / path).is_file()]
    wanted = {path: origin for path, origin in origins.items() if path not in {file.path for file in kept}}
    if not wanted:
        return kept
    data.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=data, prefix=".getting-") as temporary:
        stage = Path(temporary)
        _fetch(record, data, wanted, stage, progress or (lambda name, done, total: None))
        fetched = [_accept(record, stage, path, origin, {} if force else checksums) for path, origin in wanted.items()]
        _require_readable(record, stage, fetched)
        for path in wanted:
            (data / path).parent.mkdir(parents=True, exist_ok=True)
            (stage / path).replace(data / path)
        unpinned = {file.path: file.sha256 for file in fetched if file.state == UNPINNED}
        if unpinned:
            add_checksums(data, unpinned)
    return [*kept, *fetched]


def _homes(record: DataSet, data: Path, splits: Collection[str]) -> dict[str, Origin]:
    """Return the home of every file that has one; raise MissingError if a split has none."""
    origins = _below(record, record.paths(splits), record.base.format(revision=record.revision))
    for split in splits or ("",):
        if not any(file.path in origins for file in record.files if split in {"", file.split}):
            raise MissingError(f"{record.name} cannot be downloaded: {record.command(data, split)}")
    return origins


def _below(record: DataSet, paths: Collection[str], base: str) -> dict[str, Origin]:
    """Return the addresses of files below a base address."""
    origins = {}
    for file in record.files:
        if file.source and file.path in paths:
            place, _, member = file.source.partition("#")
            origins[file.path] = Origin(base + place, member)
    return origins


def _given_origins(record: DataSet, splits: Collection[str], places: Sequence[str]) -> dict[str, Origin]:
    """Return the origins of files in the places that the user named."""
    origins: dict[str, Origin] = {}
    for text in places:
        name, equals, place = text.partition("=")
        named = [path for path in record.paths() if name in {path, path.removeprefix(f"{record.folder}/")}]
        if equals and named:
            origins |= _in_place(record, named, _existing(place))
        else:
            origins |= _in_place(record, record.paths(splits), _existing(text))
    return origins


def _in_place(record: DataSet, paths: Sequence[str], place: str) -> dict[str, Origin]:
    """Return the origins of the files that a folder, an archive, a file or an address ending in / contains."""
    conversion = record.conversion
    folder = Path(place)
    if conversion and folder.is_dir() and all((folder / file).is_file() for file in conversion.needs):
        return {conversion.makes: Origin(place)}
    if folder.is_dir():
        names = {path: [name for name in _names(record, path) if (folder / name).is_file()] for path in paths}
        origins = {path: Origin(str(folder / found[0])) for path, found in names.items() if found}
    elif is_address(place) and place.endswith("/"):
        origins = _below(record, paths, place)
    elif is_archive(place):
        inside = None if is_address(place) else archive_members(folder, place)
        names = {path: [name for name in _names(record, path) if inside is None or name in inside] for path in paths}
        origins = {path: Origin(place, found[0]) for path, found in names.items() if found}
    elif len(paths) == 1:
        origins = {paths[0]: Origin(place)}
    else:
        example = f"{paths[0].removeprefix(f'{record.folder}/')}={place}"
        raise InputError(
            f"{record.name} has {len(paths)} files; say which of them {place} is, such as --from {example}"
        )
    if not origins:
        raise InputError(f"{place} contains no file of {record.name}; expected any of {', '.join(paths)}")
    return origins


def _names(record: DataSet, path: str) -> list[str]:
    """Return the possible names of a file at its origin: the name at its home, and the name in the data folder."""
    source = next((form.source for form in record.forms(path) if form.source), "")
    file, _, member = source.partition("#")
    names = [member or file, (member or file).rpartition("/")[2], path.removeprefix(f"{record.folder}/"), path]
    return [name for name in dict.fromkeys(names) if name]


def _existing(place: str) -> str:
    if not is_address(place) and not Path(place).expanduser().exists():
        raise InputError(f"there is no {place!r}; expected a file, a folder, an archive or an address (http, https)")
    return place if is_address(place) else str(Path(place).expanduser())


def _keep(record: DataSet, data: Path, path: str, checksums: Mapping[str, str]) -> Fetched:
    sha256 = digest(data / path)
    state, note = identify(record, path, sha256, checksums)
    if state == DIFFERS:
        raise InputError(f"{data / path} exists and is another file: sha256 {sha256}, {note}. Replace it with: --force")
    return Fetched(path, "kept", state, sha256)


def _fetch(record: DataSet, data: Path, wanted: Mapping[str, Origin], stage: Path, progress: DownloadProgress) -> None:
    """Copy, download or unpack every file into the temporary folder; an archive is downloaded once."""
    local: dict[str, Path] = {}
    for path, origin in wanted.items():
        target = stage / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if record.conversion and Path(origin.place).is_dir():
            record.conversion.run(Path(origin.place), target)
            continue
        if origin.place not in local:
            local[origin.place] = _local(record, data, origin.place, stage / f"download-{len(local)}", progress)
        with open_origin(local[origin.place], origin) as stream:
            copy(stream, target)


def _local(record: DataSet, data: Path, place: str, target: Path, progress: DownloadProgress) -> Path:
    """Return a path that can be read: the place itself, or the file that was downloaded from it."""
    if not is_address(place):
        return Path(place)
    try:
        download(place, target, progress)
    except MissingError as error:
        folder = shlex.quote(str(data))
        raise MissingError(
            f"{error}. To continue without it, download {record.name} elsewhere (its home is {record.home}) and run: "
            f"litotes data get {record.name} --from PLACE --data {folder}"
        ) from error
    return target


def _accept(record: DataSet, stage: Path, path: str, origin: Origin, checksums: Mapping[str, str]) -> Fetched:
    """Return the file if its checksum is known, or if no checksum is known."""
    sha256 = digest(stage / path)
    state, note = identify(record, path, sha256, checksums)
    if state == DIFFERS:
        raise InputError(f"{origin} is refused as {path}: its sha256 is {sha256}, {note}. Nothing was changed")
    return Fetched(path, "got", state, sha256, str(origin))


def _require_readable(record: DataSet, stage: Path, fetched: Sequence[Fetched]) -> None:
    """Refuse files that the loaders cannot read, such as an error page, or that have the wrong number of rows.

    A split whose other files are already in the data folder is left to `litotes data verify`.
    """
    states = {file.path: file.state for file in fetched}
    for split in record.splits:
        if not set(record.paths([split])) <= states.keys():
            continue
        counts, problem = count_rows(record, stage, split)
        for path in () if problem else record.paths([split]):
            expected = public_rows(record, path) if states[path] == UNPINNED else None
            if expected is not None and counts.get(path, expected) != expected:
                problem = f"{path} has {counts[path]:,} rows; expected {expected:,}"
        if problem:
            message = problem.replace(f"{stage}/", "")
            raise InputError(f"{record.name} {split} is refused: {message}. Nothing was changed")
