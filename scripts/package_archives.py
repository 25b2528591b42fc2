"""Build the archives of litotes and of the packages with weights, and check them. Sizes are in MB (a million bytes)."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from litotes.models.bases import COMPACT_MINILM, COMPACT_PINS, ON_MPNET, SHIPPED

REPOSITORY = Path(__file__).resolve().parent.parent
DIST = REPOSITORY / "dist"
CONSTRAINTS, SMALL = REPOSITORY / "constraints.txt", REPOSITORY / "constraints-small.txt"
NOTICES = frozenset({"LICENSE", "NOTICE"})
BESIDE = NOTICES | {"PKG-INFO", "pyproject.toml", ".gitignore", "README.md"}
"""The files of every sdist outside the package."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution that is built from this repository, and what its archives may contain."""

    name: str
    root: Path
    """The folder of its pyproject.toml."""
    most: float
    """The limit for the size of its wheel."""
    suffixes: tuple[str, ...]
    """The types of its files."""
    shipped: tuple[str, ...]
    """Files that must be in its wheel, by their path below the package."""
    beside: frozenset[str] = BESIDE
    """The files of its sdist outside the package."""

    @property
    def package(self) -> str:
        """Return the name under which it is imported, which is also the start of the names of its archives."""
        return self.name.replace("-", "_")

    @property
    def source(self) -> Path:
        """Return the folder of its package."""
        return self.root / "src" / self.package


LITOTES = Distribution(
    "litotes",
    REPOSITORY,
    11.0,
    (
        ".py",
        ".typed",
        ".tsv",
        ".jsonl",
        ".jsonl.gz",
        ".json",
        ".js",
        ".svg",
        ".md",
        ".txt",
        ".html",
        ".css",
        "words/model.safetensors",
        "exclusion/linear.safetensors",
        "rewrite/doubt.safetensors",
    ),
    # One file of every kind that is easily forgotten.
    (
        "py.typed",
        "lexicon/antonyms.tsv",
        "data/catalogue.tsv",
        "data/taxonomy/test.jsonl",
        "reporting/page.html",
        "serve/openapi.json",
        "serve/playground/index.html",
        "detection/exclusion/linear.safetensors",
        "rewrite/doubt.safetensors",
        "guard/words/model.safetensors",
    ),
    BESIDE | {"CHANGELOG.md", CONSTRAINTS.name, SMALL.name},
)


def _weights(name: str, most: float, shipped: Iterable[str], beside: frozenset[str] = BESIDE) -> Distribution:
    """Return a distribution with weights, which must have these files."""
    suffixes = (".py", ".safetensors", ".json", ".txt", ".md")
    return Distribution(name, REPOSITORY / "packages" / name, most, suffixes, tuple(shipped), beside)


def _files(models: Iterable[str]) -> list[str]:
    return [f"{model}/{file}" for model in sorted(models) for file in SHIPPED[model]]


WEIGHTS = _weights("litotes-weights", 60.0, _files(SHIPPED.keys() - ON_MPNET))
WEIGHTS_MPNET = _weights("litotes-weights-mpnet", 40.0, _files(ON_MPNET))
MINILM = _weights(COMPACT_MINILM, 60.0, (f"model/{file}" for file in COMPACT_PINS), BESIDE | {"hatch_build.py"})
DISTRIBUTIONS = (LITOTES, WEIGHTS, WEIGHTS_MPNET, MINILM)
"""all that is built from this repository, litotes first"""


def source_files(distribution: Distribution) -> dict[str, int]:
    """Return the size of each source file by its path below src/, without __pycache__."""
    paths = (path for path in distribution.source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(distribution.source.parent).as_posix(): path.stat().st_size for path in paths}


def wheel_faults(distribution: Distribution, members: dict[str, int], source: dict[str, int]) -> Iterator[str]:
    """Yield the faults of a wheel: files that are missing, unexpected or different."""
    wheel = f"the wheel of {distribution.name}"
    package = {name: size for name, size in members.items() if not name.split("/")[0].endswith(".dist-info")}
    yield from (f"{wheel} lacks {name}" for name in sorted(source.keys() - package.keys()))
    yield from (f"{wheel} contains {name}, which is not in src" for name in sorted(package.keys() - source.keys()))
    both = sorted(package.keys() & source.keys())
    yield from (f"{name} differs in size from the source" for name in both if package[name] != source[name])
    yield from (
        f"{wheel} contains {name}, which is not an expected type of file"
        for name in sorted(package)
        if not name.endswith(distribution.suffixes)
    )
    wanted = (f"{distribution.package}/{name}" for name in distribution.shipped)
    yield from (f"{wheel} lacks {name}" for name in wanted if name not in package)
    notices = {name.rpartition("/")[2] for name in members if "/licenses/" in name}
    yield from (f"{wheel} lacks {name}" for name in sorted(NOTICES - notices))


def sdist_faults(distribution: Distribution, members: Iterable[str], source: Iterable[str]) -> Iterator[str]:
    """Yield the faults of an sdist, whose members are in a folder with the version in its name."""
    sdist = f"the sdist of {distribution.name}"
    inner = {name.partition("/")[2] for name in members}
    wanted = {f"src/{name}" for name in source} | distribution.beside
    yield from (f"{sdist} lacks {name}" for name in sorted(wanted - inner))
    yield from (f"{sdist} contains {name}, which does not belong there" for name in sorted(inner - wanted))


def build(distribution: Distribution) -> tuple[Path, list[str]]:
    """Build the sdist, and the wheel from it. Return the wheel and the faults of both."""
    wheels, sdists = f"{distribution.package}-*.whl", f"{distribution.package}-*.tar.gz"
    for old in (*DIST.glob(wheels), *DIST.glob(sdists)):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        _build(distribution, DIST)
        _build(distribution, Path(folder), "--wheel")
        (wheel,), (direct,) = DIST.glob(wheels), Path(folder).glob(wheels)
        same = wheel.read_bytes() == direct.read_bytes()
    (sdist,) = DIST.glob(sdists)
    with zipfile.ZipFile(wheel) as zipped:
        members = {member.filename: member.file_size for member in zipped.infolist() if not member.is_dir()}
    with tarfile.open(sdist) as packed:
        names = [member.name for member in packed.getmembers() if member.isfile()]
    say(f"{distribution.name}:")
    say(f"  sdist  {megabytes(sdist):6.1f} MB, {len(names)} files")
    say(f"  wheel  {megabytes(wheel):6.1f} MB, {len(members)} files, built from the sdist")
    faults = [] if same else [f"{wheel.name} built from the sdist differs from the wheel built from the checkout"]
    if megabytes(wheel) > distribution.most:
        faults.append(f"{wheel.name} has {megabytes(wheel):.1f} MB; expected at most {distribution.most:.0f}")
    source = source_files(distribution)
    faults += [*wheel_faults(distribution, members, source), *sdist_faults(distribution, names, source)]
    return wheel, faults


def _build(distribution: Distribution, out: Path, *options: str) -> None:
    command = [sys.executable, "-m", "build", "--quiet", "--dependency-constraints-txt", str(CONSTRAINTS), *options]
    run_or_exit([*command, "--outdir", str(out), str(distribution.root)], f"python -m build of {distribution.name}")


def run_or_exit(command: Sequence[str], what: str) -> str:
    """Run a command that must succeed and return its output."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{what} failed with exit {done.returncode}: {(done.stdout + done.stderr).strip()[-1500:]}")
    return done.stdout


def megabytes(path: Path) -> float:
    """Return the size of a file."""
    return path.stat().st_size / 1e6


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)
