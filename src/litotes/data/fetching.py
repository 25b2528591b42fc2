"""Open a file wherever it is: a path, an address, a member of an archive. The only module here that downloads."""

from __future__ import annotations

import errno
import gzip
import struct
import tarfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from importlib.metadata import version
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from litotes.errors import InputError, MissingError

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
_LIBRARY_ERRORS = (zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error)
ARCHIVE_ERRORS = (*_LIBRARY_ERRORS, EOFError, RuntimeError, OSError, ValueError, LookupError)
"""What the archive libraries raise. A name in an unknown encoding is a ValueError, a dangling link a LookupError."""
CHUNK = 1 << 16
TIMEOUT_S = 60
DownloadProgress = Callable[[str, int, int], None]
"""Called with the address, the bytes received, and the total (0 if the server does not say it)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a file comes from: an address or a path, and the member if that is an archive."""

    place: str
    member: str = ""

    def __str__(self) -> str:
        return f"{self.place}#{self.member}" if self.member else self.place


def is_address(place: str) -> bool:
    """Whether a place is on the network."""
    return urlsplit(place).scheme in {"http", "https"}


def is_archive(place: str) -> bool:
    """Whether the name of a place is the name of an archive."""
    return (urlsplit(place).path if is_address(place) else place).endswith(ARCHIVES)


def download(address: str, target: Path, progress: DownloadProgress) -> None:
    """Download an address into a file; raise MissingError if it cannot be reached or is incomplete."""
    request = urllib.request.Request(address, headers={"User-Agent": f"litotes/{version('litotes')}"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
            total = int(reply.headers.get("Content-Length") or 0)
            done = copy(reply, target, lambda received: progress(address, received, total))
    except urllib.error.HTTPError as error:
        raise MissingError(f"{address} answered {error.code} {error.reason}") from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise MissingError(f"{address} cannot be reached ({reason})") from error
    if done < total:
        raise MissingError(f"{address} was cut off after {done:,} of {total:,} bytes")


def copy(stream: IO[bytes], target: Path, progress: Callable[[int], None] = lambda done: None) -> int:
    """Copy a stream into a file and return the number of bytes."""
    done = 0
    with target.open("wb") as out:
        while chunk := stream.read(CHUNK):
            out.write(chunk)
            done += len(chunk)
            progress(done)
    return done


@contextmanager
def open_origin(path: Path, origin: Origin) -> Iterator[IO[bytes]]:
    """Open a file, or one member of an archive; nothing else is unpacked."""
    if not origin.member:
        with path.open("rb") as stream:
            yield stream
        return
    members = archive_members(path, origin.place)
    if origin.member not in members:
        contents = ", ".join(sorted(members)[:8]) or "nothing"
        raise InputError(f"{origin.place} does not contain {origin.member}; it contains {contents}")
    with _archive_errors(origin.place):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed, packed.open(origin.member) as stream:
                yield stream
            return
        with tarfile.open(path) as archive:
            extracted = archive.extractfile(origin.member)
            if extracted is None:
                raise InputError(f"{origin.place}: {origin.member} is not a file")
            with extracted:
                yield extracted


def archive_members(path: Path, name: str) -> set[str]:
    """Return the names in an archive; `name` is its name in error messages."""
    with _archive_errors(name):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                return set(packed.namelist())
        with tarfile.open(path) as archive:
            return set(archive.getnames())


@contextmanager
def _archive_errors(name: str) -> Iterator[None]:
    """Turn what the archive libraries raise into an error that names the archive."""
    try:
        yield
    except ARCHIVE_ERRORS as error:
        # EINVAL means that the archive points outside of itself. Other system errors are not caused by the archive.
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile) and error.errno != errno.EINVAL:
            raise
        raise InputError(f"{name} cannot be unpacked ({error}); expected one of {', '.join(ARCHIVES)}") from error
