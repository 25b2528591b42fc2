"""Build litotes and its weights, check the archives, install the wheels in empty environments, and use them.

python -m scripts.package_check package         the archives, an environment without extras, and one without torch
python -m scripts.package_check tier            the archives, and the environment without torch alone
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
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.package_archives import (
    CONSTRAINTS,
    DIST,
    DISTRIBUTIONS,
    LITOTES,
    REPOSITORY,
    SMALL,
    build,
    run_or_exit,
    say,
)
from scripts.package_smoke import BARE, EXTRAS, LACKING, SHIPPED, TIER, Smoke, here, parses

MOST_INSTALLED = {"aarch64": 330.0, "x86_64": 362.0}
"""MB of an installation without extras. The wheel of blis, which spaCy needs, is 31 MB larger for x86_64, because it
has kernels for many processors. Other machines have the smaller limit."""
MOST_IN_TIER = 430.0
"""MB of the smallest installation without torch: the extra `onnx` with constraints-small.txt."""
TIER_BELOW = (3, 13)
"""The first Python for which spaCy 3.7 has no wheels."""
HEAVY = {"torch", "transformers", "sentence_transformers", "datasets", "ray", "openai", "scipy", "matplotlib"}
WITH_EXTRAS = HEAVY | {distribution.package for distribution in DISTRIBUTIONS if distribution is not LITOTES}
"""Packages that only extras may install."""
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


def environment(
    folder: Path, wheel: Path, extra: str = "", python: str = sys.executable, constraints: Path = CONSTRAINTS
) -> Path:
    """Create an environment with the wheel, its extra and their dependencies only: no pip, no setuptools."""
    run_or_exit([python, "-m", "venv", "--without-pip", str(folder)], f"{python} -m venv")
    inner = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    target = f"litotes[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    install(inner, target, constraints=constraints)
    return inner


def install(inner: Path, target: str, *options: str, constraints: Path = CONSTRAINTS) -> None:
    """Install a package into an environment. If it needs weights, pip finds their wheels among the built ones."""
    pip = [sys.executable, "-m", "pip", "--python", str(inner), "install", "--quiet", "--no-warn-script-location"]
    places = ["-c", str(constraints), "--find-links", str(DIST)]
    run_or_exit([*pip, "--disable-pip-version-check", *places, *options, target], f"pip install {target}")


def site_packages(inner: Path) -> Path:
    """Return the folder of the packages of an environment."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(run_or_exit([str(inner), "-c", code], "sysconfig").strip())


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
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        clean["LITOTES_CACHE"] = cache
        for smoke in smokes:
            fault = _run(smoke, inner.parent, Path(folder), clean)
            say(f"  {'no' if fault else 'ok'}  {_short(smoke)}")
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
    """Check litotes alone: its size, its dependencies, what works, which extras it asks for. Then add the weights.

    After that, check the installation without torch.
    """
    (wheel, *weights), faults = build_all()
    with tempfile.TemporaryDirectory() as folder:
        inner = environment(Path(folder) / "bare", wheel)
        packages = site_packages(inner)
        size, blocks = installed_size(packages)
        names = installed_names(packages)
        say(f"bare   {size:6.1f} MB installed ({blocks:.0f} MB of disk), {len(names)} packages, {_version(inner)}")
        limit = MOST_INSTALLED.get(platform.machine(), min(MOST_INSTALLED.values()))
        if size >= limit:
            faults.append(f"litotes alone installs {size:.0f} MB; expected less than {limit:.0f}")
        faults += [f"litotes alone installs {name}" for name in sorted(names & WITH_EXTRAS)]
        faults += run_smokes(inner, (*BARE, *LACKING))
        for other in weights:
            say(f"and {other.name}")
            install(inner, str(other))
        faults += run_smokes(inner, SHIPPED)
    return faults + tier_faults(wheel)


def check_tier() -> list[str]:
    """Build everything, and check the installation without torch."""
    (wheel, *_), faults = build_all()
    return faults + tier_faults(wheel)


def tier_faults(wheel: Path) -> list[str]:
    """Check the smallest installation without torch: its size, its packages, its parses, and that all of it works."""
    if sys.version_info >= TIER_BELOW:
        say("tier   not tested: it needs Python 3.11 or 3.12")
        return []
    with tempfile.TemporaryDirectory() as folder:
        inner = environment(Path(folder) / "tier", wheel, "onnx", constraints=SMALL)
        packages = site_packages(inner)
        size, blocks = installed_size(packages)
        names = installed_names(packages)
        say(f"tier   {size:6.1f} MB installed ({blocks:.0f} MB of disk), {len(names)} packages, {_version(inner)}")
        for name, compiled, whole in largest_parts(packages):
            say(f"  {whole:6.1f} MB, of which {compiled:4.1f} compiled by pip  {name}")
        faults = [f"the tier installs {name}" for name in sorted(names & HEAVY)]
        if size > MOST_IN_TIER:
            faults.append(f"the tier installs {size:.0f} MB; expected at most {MOST_IN_TIER:.0f}")
        return faults + run_smokes(inner, (*BARE, *TIER, parses(sys.executable)))


def largest_parts(packages: Path, count: int = 25) -> list[tuple[str, float, float]]:
    """Return the largest folders and files of site-packages: their names, the MB of byte code, and all their MB."""
    compiled: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for path in packages.rglob("*"):
        name, size = path.relative_to(packages).parts[0], path.lstat().st_size
        whole[name] += size
        compiled[name] += size if "__pycache__" in path.parts else 0
    return [(name, compiled[name] / 1e6, size / 1e6) for name, size in whole.most_common(count)]


def installed_names(packages: Path) -> set[str]:
    """Return the names of the installed distributions."""
    return {path.name.partition("-")[0].lower() for path in packages.glob("*.dist-info")}


def build_all() -> tuple[list[Path], list[str]]:
    """Return the wheels of all distributions, that of litotes first, and the faults of their archives."""
    built = [build(distribution) for distribution in DISTRIBUTIONS]
    return [wheel for wheel, _ in built], [fault for _, faults in built for fault in faults]


def check_matrix(names: Sequence[str]) -> list[str]:
    """Check extras and Python versions, each in its own environment, which is removed before the next."""
    known = [*supported(), *EXTRAS]
    if unknown := sorted(set(names) - set(known)):
        return [f"unknown extra or Python version: {', '.join(unknown)}; expected any of {', '.join(known)}"]
    (wheel, *_), faults = build_all()
    rows = [_row(name, wheel) for name in names or known]
    say("")
    for row in rows:
        result = row.note or f"{row.size:7.0f} MB  {row.seconds:5.0f} s  {'FAILED' if row.faults else 'ok'}"
        say(f"{row.name:12}{result}")
    return faults + [f"{row.name}: {fault}" for row in rows for fault in row.faults]


def _row(name: str, wheel: Path) -> Row:
    """Create, check and remove one environment. A failed installation is a fault; a missing Python is not."""
    python = sys.executable if name in EXTRAS else _interpreter(name)
    if not python:
        return Row(name, 0.0, 0.0, (), "not on this machine, not tested")
    say(f"{name}:")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            inner = environment(Path(folder) / "venv", wheel, name if name in EXTRAS else "", python)
            for package in EXTRAS[name].alone if name in EXTRAS else ():
                install(inner, package, "--no-deps")
        except SystemExit as error:
            return Row(name, 0.0, time.monotonic() - started, (str(error),))
        size, _ = installed_size(site_packages(inner))
        say(f"  {size:.0f} MB installed, {_version(inner)}")
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
    return run_or_exit([str(inner), "--version"], "python --version").strip()


def _short(smoke: Smoke) -> str:
    words = " ".join(smoke.command)
    return " ".join(words.split())[:110] + (f"  → exit {smoke.code}" if smoke.code else "")


def main() -> None:
    """Print the progress, and the faults at the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("package", "tier", "matrix"))
    parser.add_argument(
        "names", nargs="*", help="for matrix: extras, or Python versions such as 3.13; the default is all"
    )
    arguments = parser.parse_args()
    started = time.monotonic()
    checks = {"package": check_package, "tier": check_tier}
    faults = check_matrix(arguments.names) if arguments.what == "matrix" else checks[arguments.what]()
    for fault in faults:
        print(f"package_check: {fault}", file=sys.stderr)
    say(f"{'failed' if faults else 'passed'} in {time.monotonic() - started:.0f} s")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
