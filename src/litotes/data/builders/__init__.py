"""Builders: rebuild a public data set from its source files, row by row, and count what is dropped by reason.

Every builder module has `SOURCES`, the files that it reads, and `build(files, *, seed, counts)`, which yields rows with
a `line()`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from litotes.data.builders.source_files import Files, Row, Source
from litotes.errors import InputError

__all__ = ["BUILDERS", "Builder", "Files", "Row", "Source", "builder"]

BUILDERS = {
    "cannot": "litotes.data.builders.cannot",
    "cannot-wmt": "litotes.data.builders.cannot_wmt",
    "m3": "litotes.data.builders.m3",
}


@dataclass(frozen=True, slots=True)
class Builder:
    """A data set that can be built: its name, its source files, and the function that builds it."""

    name: str
    sources: tuple[Source, ...]
    build: Callable[..., Iterator[Row]]

    def files(self, arguments: Sequence[str]) -> Files:
        """Return the paths by source, from arguments such as "wmt=FILE"; a bare path belongs to the main source."""
        names = [source.name for source in self.sources]
        paths: dict[str, list[Path]] = {}
        for argument in arguments:
            name, _, path = argument.partition("=")
            if name not in names:
                name, path = next((source.name for source in self.sources if source.main), ""), argument
            if not name:
                expected = "; ".join(f"{source.name}=FILE, {source.what} ({source.home})" for source in self.sources)
                raise InputError(f"{argument!r} names no source of {self.name}; expected {expected}")
            if not Path(path).is_file():
                raise InputError(f"{path!r} does not exist; expected {self._source(name).what}")
            paths.setdefault(name, []).append(Path(path))
        return paths

    def run(self, files: Mapping[str, Sequence[Path]], *, seed: int, counts: Counter[str]) -> Iterator[Row]:
        """Yield the rows. At least one file is needed."""
        if not any(files.values()):
            expected = "; ".join(f"{source.name}: {source.what} ({source.home})" for source in self.sources)
            raise InputError(f"no files were given; {self.name} is built from any of {expected}")
        return self.build(files, seed=seed, counts=counts)

    def _source(self, name: str) -> Source:
        return next(source for source in self.sources if source.name == name)


def builder(name: str) -> Builder:
    """Return the builder of a data set."""
    if name not in BUILDERS:
        raise InputError(f"data set is {name!r}; expected one of {', '.join(BUILDERS)}")
    module = import_module(BUILDERS[name])
    return Builder(name, module.SOURCES, module.build)
