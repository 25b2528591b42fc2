"""One file from wherever it is: a path, an address, a member of an archive. The only place here that downloads."""

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
_LIBRARIES = (zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error)
BROKEN = (*_LIBRARIES, EOFError, RuntimeError, OSError, ValueError, LookupError)
"""what the archive libraries raise; a name in no known encoding is a ValueError, a link to nothing a LookupError"""
CHUNK = 1 << 16
SECONDS = 60
"""how long a home may be silent"""
Watch = Callable[[str, int, int], None]
"""called with what is fetched, how many bytes have come, and how many will (0 where the home does not say)"""


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
    """Whether a place is, by its name, an archive."""
    return (urlsplit(place).path if is_address(place) else place).endswith(ARCHIVES)


def download(address: str, target: Path, watch: Watch) -> None:
    """An address into a file; MissingError where the network, or the home, does not give it whole."""
    request = urllib.request.Request(address, headers={"User-Agent": f"litotes/{version('litotes')}"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            total = int(reply.headers.get("Content-Length") or 0)
            done = copy(reply, target, lambda bytes_: watch(address, bytes_, total))
    except urllib.error.HTTPError as error:
        raise MissingError(f"{address} answered {error.code} {error.reason}") from error
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise MissingError(f"{address} cannot be reached ({reason})") from error
    if done < total:
        raise MissingError(f"{address} broke off after {done:,} of {total:,} bytes")


def copy(stream: IO[bytes], target: Path, watch: Callable[[int], None] = lambda done: None) -> int:
    """A stream into a file, and how many bytes that were."""
    done = 0
    with target.open("wb") as out:
        while chunk := stream.read(CHUNK):
            out.write(chunk)
            done += len(chunk)
            watch(done)
    return done


@contextmanager
def opened(path: Path, origin: Origin) -> Iterator[IO[bytes]]:
    """A file, or one member of an archive; nothing else of it is unpacked."""
    if not origin.member:
        with path.open("rb") as stream:
            yield stream
        return
    held = members(path, origin.place)
    if origin.member not in held:
        raise InputError(f"{origin.place} holds no {origin.member}; it has {', '.join(sorted(held)[:8]) or 'nothing'}")
    with _unpacking(origin.place):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed, packed.open(origin.member) as stream:
                yield stream
            return
        with tarfile.open(path) as archive:
            found = archive.extractfile(origin.member)
            if found is None:
                raise InputError(f"{origin.place}: {origin.member} is no file")
            with found:
                yield found


def members(path: Path, name: str) -> set[str]:
    """The names in an archive; `name` says where it is from."""
    with _unpacking(name):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                return set(packed.namelist())
        with tarfile.open(path) as archive:
            return set(archive.getnames())


@contextmanager
def _unpacking(name: str) -> Iterator[None]:
    """What the archive libraries raise, as an error that names the archive."""
    try:
        yield
    except BROKEN as error:
        # an archive that points outside of itself; any other trouble of the system is not the archive's
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile) and error.errno != errno.EINVAL:
            raise
        raise InputError(f"{name} cannot be unpacked ({error}); expected one of {', '.join(ARCHIVES)}") from error
