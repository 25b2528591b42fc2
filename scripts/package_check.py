"""Build litotes, look into what was built, install it where nothing else is, and use it.

python -m scripts.package_check package         sdist, wheel, the wheel alone in an empty environment
python -m scripts.package_check matrix          every extra and every supported Python that is here, in one each
python -m scripts.package_check matrix plots 3.13

Prints what was built, how large it is and what was run; exits with 1 and the reasons where something is wrong. It needs
`build`, pip and the package index. Sizes are in MB of a million bytes.
"""

from __future__ import annotations

import argparse
import os
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
MOST_WHEEL, MOST_INSTALLED = 35.0, 350.0
SUFFIXES = (".py", ".typed", ".tsv", ".jsonl", ".jsonl.gz", ".json", ".safetensors", ".md", ".txt", ".html", ".css")
SHIPPED = (
    "py.typed",
    "lexicon/antonyms.tsv",
    "data/catalogue.tsv",
    "data/taxonomy/test.jsonl",
    "models/mini/tower.json",
    "models/score/score.json",
    "report/page.html",
)
"""one file of every sort that is easily forgotten"""
NOTICES = {"LICENSE", "NOTICE"}
BESIDE = NOTICES | {"PKG-INFO", "pyproject.toml", ".gitignore", "README.md", "CHANGELOG.md", "constraints.txt"}
"""what an sdist holds beside the package"""
HEAVY = {"torch", "transformers", "sentence_transformers", "datasets", "ray", "openai", "scipy", "matplotlib"}
LONGEST = 900
"""seconds a command may take"""


@dataclass(frozen=True, slots=True)
class Row:
    """One environment: what is installed in it, and how it went."""

    name: str
    size: float
    seconds: float
    faults: tuple[str, ...]
    note: str = ""


def source_files() -> dict[str, int]:
    """path below src/, as archives write it → size; what the interpreter left behind is not source"""
    found = (path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(SOURCE.parent).as_posix(): path.stat().st_size for path in found}


def wheel_faults(members: dict[str, int], source: dict[str, int]) -> Iterator[str]:
    """What the wheel lacks of the source, and what it holds besides."""
    package = {name: size for name, size in members.items() if not name.split("/")[0].endswith(".dist-info")}
    yield from (f"the wheel lacks {name}" for name in sorted(source.keys() - package.keys()))
    yield from (f"the wheel holds {name}, which is not in src" for name in sorted(package.keys() - source.keys()))
    both = sorted(package.keys() & source.keys())
    yield from (f"{name} differs in size from the source" for name in both if package[name] != source[name])
    yield from (
        f"the wheel holds {name}: no sort of file a package holds"
        for name in sorted(package)
        if not name.endswith(SUFFIXES)
    )
    yield from (f"the wheel lacks litotes/{name}" for name in SHIPPED if f"litotes/{name}" not in package)
    notices = {name.rpartition("/")[2] for name in members if "/licenses/" in name}
    yield from (f"the wheel lacks {name}" for name in sorted(NOTICES - notices))


def sdist_faults(members: Iterable[str], source: Iterable[str]) -> Iterator[str]:
    """The same of the sdist, whose members stand in a folder with the version in its name."""
    inner = {name.partition("/")[2] for name in members}
    wanted = {f"src/{name}" for name in source} | BESIDE
    yield from (f"the sdist lacks {name}" for name in sorted(wanted - inner))
    yield from (f"the sdist holds {name}, which has no place there" for name in sorted(inner - wanted))


def build() -> tuple[Path, list[str]]:
    """The wheel, built from the sdist, and the faults of both."""
    for old in (*DIST.glob("litotes-*.whl"), *DIST.glob("litotes-*.tar.gz")):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        _build(DIST)
        _build(Path(folder), "--wheel")
        (wheel,), (direct,) = DIST.glob("litotes-*.whl"), Path(folder).glob("litotes-*.whl")
        same = wheel.read_bytes() == direct.read_bytes()
    (sdist,) = DIST.glob("litotes-*.tar.gz")
    with zipfile.ZipFile(wheel) as zipped:
        members = {one.filename: one.file_size for one in zipped.infolist() if not one.is_dir()}
    with tarfile.open(sdist) as packed:
        names = [one.name for one in packed.getmembers() if one.isfile()]
    _say(f"sdist  {_megabytes(sdist):6.1f} MB, {len(names)} files")
    _say(f"wheel  {_megabytes(wheel):6.1f} MB, {len(members)} files, built from the sdist")
    faults = [] if same else ["the wheel built from the sdist is not the wheel built from the tree"]
    if _megabytes(wheel) > MOST_WHEEL:
        faults.append(f"the wheel has {_megabytes(wheel):.1f} MB; expected {MOST_WHEEL:.0f} at most")
    source = source_files()
    return wheel, [*faults, *wheel_faults(members, source), *sdist_faults(names, source)]


def _build(out: Path, *options: str) -> None:
    command = [sys.executable, "-m", "build", "--quiet", "--dependency-constraints-txt", str(CONSTRAINTS)]
    _done([*command, *options, "--outdir", str(out), str(REPOSITORY)], "python -m build")


def environment(folder: Path, wheel: Path, extra: str = "", python: str = sys.executable) -> Path:
    """An environment with nothing in it but the wheel, its extra and what they need: no pip, no setuptools."""
    _done([python, "-m", "venv", "--without-pip", str(folder)], f"{python} -m venv")
    inner = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    target = f"litotes[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    pip = [sys.executable, "-m", "pip", "--python", str(inner), "install", "--quiet", "--no-warn-script-location"]
    _done([*pip, "--disable-pip-version-check", "-c", str(CONSTRAINTS), target], f"pip install {extra or 'litotes'}")
    return inner


def site_packages(inner: Path) -> Path:
    """Where the packages of an environment lie."""
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(_done([str(inner), "-c", asked], "sysconfig").strip())


def installed_size(folder: Path) -> tuple[float, float]:
    """MB of the files, and MB of the disk blocks they take (what du counts)."""
    stats = [path.lstat() for path in folder.rglob("*")]
    return sum(one.st_size for one in stats) / 1e6, sum(getattr(one, "st_blocks", 0) for one in stats) * 512 / 1e6


def run_smokes(inner: Path, smokes: Sequence[Smoke]) -> list[str]:
    """Runs the commands in an empty folder, far from the checkout; each one that is not as it should be is a fault."""
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
        return f"did not come to an end: {error}"
    return smoke_fault(smoke, done.returncode, done.stdout + done.stderr, folder)


def smoke_fault(smoke: Smoke, code: int, told: str, folder: Path) -> str:
    """Why a command is not as it should be; nothing where it is."""
    end = told.strip()[-400:]
    if code != smoke.code:
        return f"exit {code}, expected {smoke.code}. It said: {end}"
    if smoke.says not in told:
        return f"expected {smoke.says!r} in: {end}"
    made = folder / smoke.makes
    if smoke.makes and not (made.is_file() and made.stat().st_size):
        return f"{smoke.makes} was not written. It said: {end}"
    return ""


def check_package() -> list[str]:
    """The wheel alone: its size once installed, what must not come with it, what it does and what it says it lacks."""
    wheel, faults = build()
    with tempfile.TemporaryDirectory() as folder:
        inner = environment(Path(folder) / "bare", wheel)
        packages = site_packages(inner)
        size, blocks = installed_size(packages)
        names = {path.name.partition("-")[0].lower() for path in packages.glob("*.dist-info")}
        _say(f"bare   {size:6.1f} MB installed ({blocks:.0f} MB of disk), {len(names)} packages, {_version(inner)}")
        if size >= MOST_INSTALLED:
            faults.append(f"litotes alone installs {size:.0f} MB; expected less than {MOST_INSTALLED:.0f}")
        faults += [f"litotes alone installs {name}" for name in sorted(names & HEAVY)]
        return faults + run_smokes(inner, (*BARE, *LACKING))


def check_matrix(asked: Sequence[str]) -> list[str]:
    """Extras and Pythons, each in an environment of its own, which is removed before the next."""
    known = [*supported(), *EXTRAS]
    if unknown := sorted(set(asked) - set(known)):
        return [f"no extra and no supported Python: {', '.join(unknown)}; expected any of {', '.join(known)}"]
    wheel, faults = build()
    rows = [_row(name, wheel) for name in asked or known]
    _say("")
    for row in rows:
        told = row.note or f"{row.size:7.0f} MB  {row.seconds:5.0f} s  {'FAULTY' if row.faults else 'ok'}"
        _say(f"{row.name:12}{told}")
    return faults + [f"{row.name}: {fault}" for row in rows for fault in row.faults]


def _row(name: str, wheel: Path) -> Row:
    """One environment, made and removed; what cannot be installed is a fault, a Python that is not here is none."""
    python = sys.executable if name in EXTRAS else _interpreter(name)
    if not python:
        return Row(name, 0.0, 0.0, (), "not on this machine: not tested")
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
    """The Pythons the package says it is for."""
    said = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    return [one.rpartition(" ")[2] for one in said if one.startswith("Programming Language :: Python :: 3.")]


def _interpreter(version: str) -> str:
    """A Python of that version that starts; a shim of a version manager may be there and not start."""
    found = shutil.which(f"python{version}") or ""
    starts = found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0
    return found if starts else ""


def _version(inner: Path) -> str:
    return _done([str(inner), "--version"], "python --version").strip()


def _done(command: Sequence[str], what: str) -> str:
    """The output of a command that must succeed."""
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
    """Prints as it goes, and the faults at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("package", "matrix"))
    parser.add_argument("names", nargs="*", help="of the matrix: extras, or Pythons such as 3.13; all if not said")
    given = parser.parse_args()
    started = time.monotonic()
    faults = check_package() if given.what == "package" else check_matrix(given.names)
    for fault in faults:
        print(f"package_check: {fault}", file=sys.stderr)
    _say(f"{'not ' if faults else ''}as it should be, {time.monotonic() - started:.0f} s")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
