"""What litotes' own metadata asks for, and what of it is installed: the core packages and each extra."""

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
class Check:
    """How one thing stands, in words, and the command that mends it."""

    part: str
    name: str
    state: str
    """ok, missing or wrong"""
    found: str
    mend: str = ""
    basic: bool = False
    """whether rewriting and detection cannot do without it"""

    def line(self) -> dict[str, Any]:
        """As `litotes doctor --json` prints it."""
        return asdict(self)


def machine() -> Iterator[Check]:
    """Python, the platform it runs on, and litotes."""
    specifiers = require("packaging.specifiers", why="litotes doctor")
    wanted = metadata(ITSELF)["Requires-Python"] or ""
    here = platform.python_version()
    fits = specifiers.SpecifierSet(wanted).contains(here, prereleases=True)
    running = f"{here} on {platform.system()} {platform.release()}, {platform.machine()}"
    if fits:
        yield Check("python", "Python", OK, running, basic=True)
    else:
        yield Check("python", "Python", WRONG, f"{running}; needs {wanted}", "install another Python", basic=True)
    yield Check("python", ITSELF, OK, version(ITSELF), basic=True)


def packages() -> Iterator[Check]:
    """What litotes always needs, then each extra with what it adds."""
    asked = extras()
    yield _check("", asked.pop(""), {})
    for name, wanted in asked.items():
        inside = {other: those for other, those in asked.items() if those.keys() < wanted.keys()}
        yield _check(name, wanted, inside)


def extras() -> dict[str, Packages]:
    """extra → its packages by name; "" for what needs no extra.

    The build writes an extra's packages out, those of the extras it includes too.
    """
    parse = require("packaging.requirements", why="litotes doctor").Requirement
    known = ("", *(metadata(ITSELF).get_all("Provides-Extra") or ()))
    every: list[Requirement] = [parse(text) for text in requires(ITSELF) or ()]
    found: dict[str, Packages] = {}
    for extra in known:
        fitting = [one for one in every if one.marker is None or one.marker.evaluate({"extra": extra})]
        # an extra brings its own packages: what the core has is said there
        found[extra] = {one.name: one for one in fitting if bool(extra) == (one.marker is not None)}
    return found


def reinstall(name: str) -> str:
    """The command that puts the very version litotes asks for in place of a package that was changed."""
    asked = next((wanted[name] for wanted in extras().values() if name in wanted), None)
    return f"pip install --force-reinstall --no-deps {name}{asked.specifier if asked else ''}"


def _check(extra: str, wanted: Packages, inside: Mapping[str, Packages]) -> Check:
    """How an extra stands; one that is not here as a whole is missing, whatever the versions of its other packages."""
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
    mend = "" if state == OK else f"pip install {'--upgrade ' if wrong else ''}'{target}'"
    return Check("extra" if extra else "packages", extra or "core", state, said, mend, basic=not extra)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
