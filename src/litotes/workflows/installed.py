"""Which packages litotes' metadata requires, per extra, and which of them are installed."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from typing import TYPE_CHECKING, Any

from litotes.errors import require

if TYPE_CHECKING:
    from packaging.requirements import Requirement

Packages = dict[str, "Requirement"]
OK, MISSING, WRONG = "ok", "missing", "wrong"
ITSELF = "litotes"


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The state of one thing, and the command that fixes it."""

    part: str
    name: str
    state: str
    """ok, missing or wrong"""
    found: str
    fix: str = ""
    required: bool = False
    """whether rewriting and detection need it"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes doctor --json` prints."""
        return asdict(self)


def machine() -> Iterator[HealthCheck]:
    """Check Python, the platform, and litotes."""
    specifiers = require("packaging.specifiers", why="litotes doctor")
    wanted = metadata(ITSELF)["Requires-Python"] or ""
    here = platform.python_version()
    fits = specifiers.SpecifierSet(wanted).contains(here, prereleases=True)
    running = f"{here} on {platform.system()} {platform.release()}, {platform.machine()}"
    if fits:
        yield HealthCheck("python", "Python", OK, running, required=True)
    else:
        yield HealthCheck(
            "python", "Python", WRONG, f"{running}; needs {wanted}", "install another Python", required=True
        )
    yield HealthCheck("python", ITSELF, OK, version(ITSELF), required=True)


def packages() -> Iterator[HealthCheck]:
    """Check the core packages, then those of each extra."""
    asked = extras()
    yield _check("", asked.pop(""), {})
    for name, wanted in asked.items():
        inside = {other: those for other, those in asked.items() if those.keys() < wanted.keys()}
        yield _check(name, wanted, inside)


def extras() -> dict[str, Packages]:
    """Return the packages of each extra by name; the core packages are under "".

    The metadata lists all packages of an extra, including those of the extras it contains.
    """
    parse = require("packaging.requirements", why="litotes doctor").Requirement
    known = ("", *(metadata(ITSELF).get_all("Provides-Extra") or ()))
    every: list[Requirement] = [parse(text) for text in requires(ITSELF) or ()]
    found: dict[str, Packages] = {}
    for extra in known:
        fitting = [one for one in every if one.marker is None or one.marker.evaluate({"extra": extra})]
        # The core packages are reported once, not with every extra.
        found[extra] = {one.name: one for one in fitting if bool(extra) == (one.marker is not None)}
    return found


def reinstall(name: str) -> str:
    """Return the command that reinstalls the required version of a package that was changed."""
    asked = next((wanted[name] for wanted in extras().values() if name in wanted), None)
    return f"pip install --force-reinstall --no-deps {name}{asked.specifier if asked else ''}"


def _check(extra: str, wanted: Packages, inside: Mapping[str, Packages]) -> HealthCheck:
    """Check one extra. If any package is missing, the extra is missing, whatever the versions of the others."""
    versions = {name: _version(name) for name in wanted}
    here = {name: found for name, found in versions.items() if found is not None}
    lacking = [f"no {name}" for name in wanted if name not in here]
    wrong = [
        f"{name} {found}, needs {wanted[name].specifier}"
        for name, found in here.items()
        if not wanted[name].specifier.contains(found, prereleases=True)
    ]
    state = MISSING if lacking else WRONG if wrong else OK
    if state == OK:
        largest = [one for one in inside if not any(inside[one].keys() < other.keys() for other in inside.values())]
        known = {name for one in largest for name in inside[one]}
        said = ", ".join([*largest, *(f"{name} {found}" for name, found in here.items() if name not in known)])
    else:
        said = f"{len(here)} of {len(wanted)} packages: {', '.join([*lacking, *wrong])}"
    target = f"{ITSELF}[{extra}]" if extra else ITSELF
    fix = "" if state == OK else f"pip install {'--upgrade ' if wrong else ''}'{target}'"
    return HealthCheck("extra" if extra else "packages", extra or "core", state, said, fix, required=not extra)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
