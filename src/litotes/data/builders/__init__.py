"""Builders: a public data set made again from the files it was made from, row by row, with what was dropped and why.

Every builder has the same face: `SOURCES`, the files it reads by name, and
`build(files, *, seed, counts)`, which yields rows with a `line()`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from litotes.data.builders.files import Files, Row, Source
from litotes.errors import InputError

__all__ = ["BUILDERS", "Builder", "Files", "Row", "Source", "builder"]

BUILDERS = {
    "cannot": "litotes.data.builders.cannot",
    "cannot-wmt": "litotes.data.builders.cannot_wmt",
    "m3": "litotes.data.builders.m3",
}


@dataclass(frozen=True, slots=True)
class Builder:
    """A data set that can be built: its name, the files it is built from, and the function that builds it."""

    name: str
    sources: tuple[Source, ...]
    build: Callable[..., Iterator[Row]]

    def files(self, given: Sequence[str]) -> Files:
        """Paths by source, from texts like "wmt=FILE"; a bare path goes to the main source, where there is one."""
        names = [source.name for source in self.sources]
        found: dict[str, list[Path]] = {}
        for text in given:
            name, _, path = text.partition("=")
            if name not in names:
                name, path = next((source.name for source in self.sources if source.main), ""), text
            if not name:
                homes = "; ".join(f"{source.name}=FILE, {source.what} ({source.home})" for source in self.sources)
                raise InputError(f"{text!r} names no source of {self.name}; expected {homes}")
            if not Path(path).is_file():
                raise InputError(f"there is no file {path!r}, which should be {self._source(name).what}")
            found.setdefault(name, []).append(Path(path))
        return found

    def run(self, files: Mapping[str, Sequence[Path]], *, seed: int, counts: Counter[str]) -> Iterator[Row]:
        """The rows, built; at least one file is needed."""
        if not any(files.values()):
            homes = "; ".join(f"{source.name}: {source.what} ({source.home})" for source in self.sources)
            raise InputError(f"{self.name} is built from files, and none was given; expected any of {homes}")
        return self.build(files, seed=seed, counts=counts)

    def _source(self, name: str) -> Source:
        return next(source for source in self.sources if source.name == name)


def builder(name: str) -> Builder:
    """The builder of a data set."""
    if name not in BUILDERS:
        raise InputError(f"there is no builder of {name!r}; expected one of {', '.join(BUILDERS)}")
    module = import_module(BUILDERS[name])
    return Builder(name, module.SOURCES, module.build)
