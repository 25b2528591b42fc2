"""Build litotes, check the contents of the archives, install the wheel in an empty environment, and use it.

python -m scripts.package_check package         sdist, wheel, and the wheel alone in an empty environment
python -m scripts.package_check matrix          every extra and every supported Python on this machine, one at a time
python -m scripts.package_check matrix plots 3.13

It prints what was built, the sizes and what was run. If something is wrong, it prints the reasons and exits with 1. It
needs `build`, pip and the package index. Sizes are in MB (a million bytes).
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.package_smoke import BARE, EXTRAS, LACKING, Smoke, here

REPOSITORY = Path(__file__).resolve().parent.parent
SOURCE = REPOSITORY / "src" / "litotes"
DIST = REPOSITORY / "dist"
CONSTRAINTS = REPOSITORY / "constraints.txt"
MOST_WHEEL = 35.0
MOST_INSTALLED = {"aarch64": 350.0, "x86_64": 382.0}
"""MB of an installation without extras. The wheel of blis, which spaCy needs, is 31 MB larger for x86_64, because it
has kernels for many processors. Other machines have the smaller limit."""
SUFFIXES = (".py", ".typed", ".tsv", ".jsonl", ".jsonl.gz", ".json", ".safetensors", ".md", ".txt", ".html", ".css")
SHIPPED = (
    "py.typed",
    "lexicon/antonyms.tsv",
    "data/catalogue.tsv",
    "data/taxonomy/test.jsonl",
    "models/mini/tower.json",
    "models/score/score.json",
    "reporting/page.html",
)
"""One file of every kind that is easily forgotten."""
NOTICES = {"LICENSE", "NOTICE"}
BESIDE = NOTICES | {"PKG-INFO", "pyproject.toml", ".gitignore", "README.md", "CHANGELOG.md", "constraints.txt"}
"""The files of an sdist outside the package."""
HEAVY = {"torch", "transformers", "sentence_transformers", "datasets", "ray", "openai", "scipy", "matplotlib"}
LONGEST = 900
"""The time limit of a command, in seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one environment."""

    name: str
    size: float
    seconds: float
    faults: tuple[str, ...]
    note: str = ""


def source_files() -> dict[str, int]:
    """Return the size of each source file by its path below src/, without __pycache__."""
    paths = (path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(SOURCE.parent).as_posix(): path.stat().st_size for path in paths}


def wheel_faults(members: dict[str, int], source: dict[str, int]) -> Iterator[str]:
    """Yield the faults of a wheel: files that are missing, unexpected or different."""
    package = {name: size for name, size in members.items() if not name.split("/")[0].endswith(".dist-info")}
    yield from (f"the wheel lacks {name}" for name in sorted(source.keys() - package.keys()))
    yield from (f"the wheel contains {name}, which is not in src" for name in sorted(package.keys() - source.keys()))
    both = sorted(package.keys() & source.keys())
    yield from (f"{name} differs in size from the source" for name in both if package[name] != source[name])
    yield from (
        f"the wheel contains {name}, which is not an expected type of file"
        for name in sorted(package)
        if not name.endswith(SUFFIXES)
    )
    yield from (f"the wheel lacks litotes/{name}" for name in SHIPPED if f"litotes/{name}" not in package)
    notices = {name.rpartition("/")[2] for name in members if "/licenses/" in name}
    yield from (f"the wheel lacks {name}" for name in sorted(NOTICES - notices))


def sdist_faults(members: Iterable[str], source: Iterable[str]) -> Iterator[str]:
    """Yield the faults of an sdist, whose members are in a folder with the version in its name."""
    inner = {name.partition("/")[2] for name in members}
    wanted = {f"src/{name}" for name in source} | BESIDE
    yield from (f"the sdist lacks {name}" for name in sorted(wanted - inner))
    yield from (f"the sdist contains {name}, which does not belong there" for name in sorted(inner - wanted))


def build() -> tuple[Path, list[str]]:
    """Build the sdist, and the wheel from it. Return the wheel and the faults of both."""
    for old in (*DIST.glob("litotes-*.whl"), *DIST.glob("litotes-*.tar.gz")):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        _build(DIST)
        _build(Path(folder), "--wheel")
        (wheel,), (direct,) = DIST.glob("litotes-*.whl"), Path(folder).glob("litotes-*.whl")
        same = wheel.read_bytes() == direct.read_bytes()
    (sdist,) = DIST.glob("litotes-*.tar.gz")
    with zipfile.ZipFile(wheel) as zipped:
        members = {member.filename: member.file_size for member in zipped.infolist() if not member.is_dir()}
    with tarfile.open(sdist) as packed:
        names = [member.name for member in packed.getmembers() if member.isfile()]
    _say(f"sdist  {_megabytes(sdist):6.1f} MB, {len(names)} files")
    _say(f"wheel  {_megabytes(wheel):6.1f} MB, {len(members)} files, built from the sdist")
    faults = [] if same else ["the wheel built from the sdist differs from the wheel built from the checkout"]
    if _megabytes(wheel) > MOST_WHEEL:
        faults.append(f"the wheel has {_megabytes(wheel):.1f} MB; expected at most {MOST_WHEEL:.0f}")
    source = source_files()
    return wheel, [*faults, *wheel_faults(members, source), *sdist_faults(names, source)]


def _build(out: Path, *options: str) -> None:
    command = [sys.executable, "-m", "build", "--quiet", "--dependency-constraints-txt", str(CONSTRAINTS)]
    _done([*command, *options, "--outdir", str(out), str(REPOSITORY)], "python -m build")


def environment(folder: Path, wheel: Path, extra: str = "", python: str = sys.executable) -> Path:
    """Create an environment with the wheel, its extra and their dependencies only: no pip, no setuptools."""
    _done([python, "-m", "venv", "--without-pip", str(folder)], f"{python} -m venv")
    inner = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    target = f"litotes[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    pip = [sys.executable, "-m", "pip", "--python", str(inner), "install", "--quiet", "--no-warn-script-location"]
    _done([*pip, "--disable-pip-version-check", "-c", str(CONSTRAINTS), target], f"pip install {extra or 'litotes'}")
    return inner


def site_packages(inner: Path) -> Path:
    """Return the folder of the packages of an environment."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(_done([str(inner), "-c", code], "sysconfig").strip())


def installed_size(folder: Path) -> tuple[float, float]:
    """Return the MB of the files, and the MB of their disk blocks (as counted by du)."""
    stats = [path.lstat() for path in folder.rglob("*")]
    blocks = sum(getattr(stat, "st_blocks", 0) for stat in stats)
    return sum(stat.st_size for stat in stats) / 1e6, blocks * 512 / 1e6


def run_smokes(inner: Path, smokes: Sequence[Smoke]) -> list[str]:
    """Run the commands in an empty folder, away from the checkout, and return the faults."""
    hidden = ("PYTHON", "LITOTES_", "OPENAI_", "HF_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    clean |= {"HF_HUB_OFFLINE": "1", "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for smoke in smokes:
            fault = _run(smoke, inner.parent, Path(folder), clean)
            _say(f"  {'no' if fault else 'ok'}  {_short(smoke)}")
            faults += [f"{_short(smoke)}: {fault}"] if fault else []
    return faults


def _run(smoke: Smoke, programs: Path, folder: Path, variables: dict[str, str]) -> str:
    command = [str(programs / smoke.command[0]), *smoke.command[1:]]
    try:
        done = subprocess.run(
            command,
            input=smoke.given,
            cwd=folder,
            env=variables,
            timeout=LONGEST,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"did not finish: {error}"
    return smoke_fault(smoke, done.returncode, done.stdout + done.stderr, folder)


def smoke_fault(smoke: Smoke, code: int, output: str, folder: Path) -> str:
    """Return what is wrong with the result of a command, or an empty string."""
    end = output.strip()[-400:]
    if code != smoke.code:
        return f"exit {code}, expected {smoke.code}. Output: {end}"
    if smoke.says not in output:
        return f"expected {smoke.says!r} in: {end}"
    file = folder / smoke.makes
    if smoke.makes and not (file.is_file() and file.stat().st_size):
        return f"{smoke.makes} was not written. Output: {end}"
    return ""


def check_package() -> list[str]:
    """Check the wheel alone: its installed size, its dependencies, what works and which extras it asks for."""
    wheel, faults = build()
    with tempfile.TemporaryDirectory() as folder:
        inner = environment(Path(folder) / "bare", wheel)
        packages = site_packages(inner)
        size, blocks = installed_size(packages)
        names = {path.name.partition("-")[0].lower() for path in packages.glob("*.dist-info")}
        _say(f"bare   {size:6.1f} MB installed ({blocks:.0f} MB of disk), {len(names)} packages, {_version(inner)}")
        limit = MOST_INSTALLED.get(platform.machine(), min(MOST_INSTALLED.values()))
        if size >= limit:
            faults.append(f"litotes alone installs {size:.0f} MB; expected less than {limit:.0f}")
        faults += [f"litotes alone installs {name}" for name in sorted(names & HEAVY)]
        return faults + run_smokes(inner, (*BARE, *LACKING))


def check_matrix(names: Sequence[str]) -> list[str]:
    """Check extras and Python versions, each in its own environment, which is removed before the next."""
    known = [*supported(), *EXTRAS]
    if unknown := sorted(set(names) - set(known)):
        return [f"unknown extra or Python version: {', '.join(unknown)}; expected any of {', '.join(known)}"]
    wheel, faults = build()
    rows = [_row(name, wheel) for name in names or known]
    _say("")
    for row in rows:
        result = row.note or f"{row.size:7.0f} MB  {row.seconds:5.0f} s  {'FAILED' if row.faults else 'ok'}"
        _say(f"{row.name:12}{result}")
    return faults + [f"{row.name}: {fault}" for row in rows for fault in row.faults]


def _row(name: str, wheel: Path) -> Row:
    """Create, check and remove one environment. A failed installation is a fault; a missing Python is not."""
    python = sys.executable if name in EXTRAS else _interpreter(name)
    if not python:
        return Row(name, 0.0, 0.0, (), "not on this machine, not tested")
    _say(f"{name}:")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            inner = environment(Path(folder) / "venv", wheel, name if name in EXTRAS else "", python)
        except SystemExit as error:
            return Row(name, 0.0, time.monotonic() - started, (str(error),))
        size, _ = installed_size(site_packages(inner))
        _say(f"  {size:.0f} MB installed, {_version(inner)}")
        smokes = (here(name), *EXTRAS[name].smokes) if name in EXTRAS else BARE
        faults = run_smokes(inner, smokes)
    return Row(name, size, time.monotonic() - started, tuple(faults))


def supported() -> list[str]:
    """Return the Python versions that pyproject.toml declares."""
    classifiers = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    return [line.rpartition(" ")[2] for line in classifiers if line.startswith("Programming Language :: Python :: 3.")]


def _interpreter(version: str) -> str:
    """Return a Python of that version, if it starts. A version manager's shim may exist and not start."""
    path = shutil.which(f"python{version}") or ""
    starts = path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
    return path if starts else ""


def _version(inner: Path) -> str:
    return _done([str(inner), "--version"], "python --version").strip()


def _done(command: Sequence[str], what: str) -> str:
    """Run a command that must succeed and return its output."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{what} failed with exit {done.returncode}: {(done.stdout + done.stderr).strip()[-1500:]}")
    return done.stdout


def _short(smoke: Smoke) -> str:
    words = " ".join(smoke.command)
    return " ".join(words.split())[:110] + (f"  → exit {smoke.code}" if smoke.code else "")


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    """Print the progress, and the faults at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("package", "matrix"))
    parser.add_argument(
        "names", nargs="*", help="for matrix: extras, or Python versions such as 3.13; the default is all"
    )
    arguments = parser.parse_args()
    started = time.monotonic()
    faults = check_package() if arguments.what == "package" else check_matrix(arguments.names)
    for fault in faults:
        print(f"package_check: {fault}", file=sys.stderr)
    _say(f"{'failed' if faults else 'passed'} in {time.monotonic() - started:.0f} s")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
