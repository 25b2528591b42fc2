"""The checks of `make package` and `make matrix`, and the page about installing."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import litotes_minilm
import litotes_weights
import litotes_weights_mpnet
import pytest
from packaging.requirements import Requirement
from scripts.package_archives import (
    DISTRIBUTIONS,
    LITOTES,
    MINILM,
    NOTICES,
    SMALL,
    WEIGHTS,
    WEIGHTS_MPNET,
    Distribution,
    sdist_faults,
    source_files,
    wheel_faults,
)
from scripts.package_check import (
    MOST_IN_TIER,
    MOST_INSTALLED,
    check_matrix,
    installed_size,
    largest_parts,
    run_smokes,
    smoke_fault,
    supported,
)
from scripts.package_smoke import BARE, EXTRAS, LACKING, Smoke, here

from tests.conftest import REPOSITORY


def project(folder: Path) -> dict[str, Any]:
    metadata: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return metadata


PROJECT = project(LITOTES.root)
PAGE = REPOSITORY / "docs" / "installing.md"
SOURCE = {f"litotes/{name}": 7 for name in LITOTES.shipped}
ABOUT = {f"litotes-0.1.0.dist-info/{name}": 7 for name in ("METADATA", "licenses/LICENSE", "licenses/NOTICE")}
CATALOGUE = "litotes/data/catalogue.tsv"
BESIDE = (
    *sorted(NOTICES),
    *(
        "PKG-INFO",
        "pyproject.toml",
        ".gitignore",
        "README.md",
        "CHANGELOG.md",
        "constraints.txt",
        "constraints-small.txt",
    ),
)
WHOLE = [f"litotes-0.1.0/{name}" for name in (*BESIDE, *(f"src/{name}" for name in SOURCE))]


def without(members: dict[str, int], name: str) -> dict[str, int]:
    return {member: size for member, size in members.items() if member != name}


def test_a_wheel_with_the_source_and_the_notices_has_no_faults() -> None:
    assert not list(wheel_faults(LITOTES, SOURCE | ABOUT, SOURCE))


@pytest.mark.parametrize(
    ("members", "source", "fault"),
    [
        (without(SOURCE, "litotes/py.typed"), SOURCE, "the wheel of litotes lacks litotes/py.typed"),
        (
            SOURCE | {"tests/test_tea.py": 7},
            SOURCE,
            "the wheel of litotes contains tests/test_tea.py, which is not in src",
        ),
        (
            SOURCE | {CATALOGUE: 6},
            SOURCE,
            f"{CATALOGUE} differs in size from the source",
        ),
        (
            SOURCE | {"litotes/notes.orig": 7},
            SOURCE | {"litotes/notes.orig": 7},
            "the wheel of litotes contains litotes/notes.orig, which is not an expected type of file",
        ),
        (
            SOURCE | {"litotes/models/tower.safetensors": 7},
            SOURCE | {"litotes/models/tower.safetensors": 7},
            "the wheel of litotes contains litotes/models/tower.safetensors, which is not an expected type of file",
        ),
        (without(SOURCE, CATALOGUE), without(SOURCE, CATALOGUE), f"the wheel of litotes lacks {CATALOGUE}"),
    ],
)
def test_missing_and_unexpected_files_of_a_wheel_are_reported(
    members: dict[str, int], source: dict[str, int], fault: str
) -> None:
    assert fault in list(wheel_faults(LITOTES, members | ABOUT, source))


def test_a_wheel_without_notices_is_reported() -> None:
    assert list(wheel_faults(LITOTES, SOURCE, SOURCE)) == [
        "the wheel of litotes lacks LICENSE",
        "the wheel of litotes lacks NOTICE",
    ]


def test_a_wheel_of_weights_without_a_pinned_file_is_reported() -> None:
    source = {f"litotes_weights/{name}": 7 for name in WEIGHTS.shipped}
    about = {name.replace("litotes-", "litotes_weights-"): size for name, size in ABOUT.items()}
    assert not list(wheel_faults(WEIGHTS, source | about, source))
    lost = "litotes_weights/litotes-mini/tower-01-of-01.safetensors"
    assert list(wheel_faults(WEIGHTS, without(source, lost) | about, without(source, lost))) == [
        f"the wheel of litotes-weights lacks {lost}"
    ]


def test_an_sdist_contains_the_package_and_little_else() -> None:
    assert not list(sdist_faults(LITOTES, WHOLE, SOURCE))
    unexpected = ["litotes-0.1.0/.venv/pyvenv.cfg", "litotes-0.1.0/tests/tables/hedge.jsonl"]
    assert list(sdist_faults(LITOTES, [*WHOLE[1:], *unexpected], SOURCE)) == [
        "the sdist of litotes lacks LICENSE",
        "the sdist of litotes contains .venv/pyvenv.cfg, which does not belong there",
        "the sdist of litotes contains tests/tables/hedge.jsonl, which does not belong there",
    ]


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=lambda distribution: distribution.name)
def test_the_source_has_only_expected_types_of_files(distribution: Distribution) -> None:
    files = source_files(distribution)
    assert {f"{distribution.package}/{name}" for name in distribution.shipped} <= set(files)
    assert not [name for name in files if not name.endswith(distribution.suffixes)]


@pytest.mark.parametrize(
    ("distribution", "version", "extras"),
    [
        (WEIGHTS, litotes_weights.__version__, {"models", "onnx"}),
        (WEIGHTS_MPNET, litotes_weights_mpnet.__version__, {"models"}),
        (MINILM, litotes_minilm.__version__, {"onnx"}),
    ],
)
def test_the_weights_are_distributions_that_only_extras_require(
    distribution: Distribution, version: str, extras: set[str]
) -> None:
    weights = project(distribution.root)
    assert weights["name"] == distribution.name
    assert "dependencies" not in weights
    for field in ("license", "requires-python"):
        assert weights[field] == PROJECT[field]
    assert (distribution.root / "LICENSE").read_bytes() == (REPOSITORY / "LICENSE").read_bytes()
    pin = f"{distribution.name}=={version}"
    assert {extra for extra, lines in PROJECT["optional-dependencies"].items() if pin in lines} == extras
    assert not [line for line in PROJECT["dependencies"] if line.startswith(distribution.name)]


@pytest.mark.parametrize(
    ("smoke", "code", "output", "fault"),
    [
        (Smoke(("litotes",), "tea"), 0, "tea is served", ""),
        (Smoke(("litotes",), "tea"), 1, "no water", "exit 1, expected 0. Output: no water"),
        (Smoke(("litotes",), "tea", code=3), 3, "tea needs water", ""),
        (Smoke(("litotes",), "tea"), 0, "coffee", "expected 'tea' in: coffee"),
        (Smoke(("litotes",), "tea", makes="pot"), 0, "tea", "pot was not written. Output: tea"),
        (Smoke(("litotes",), "tea", makes="empty"), 0, "tea", "empty was not written. Output: tea"),
        (Smoke(("litotes",), "tea", makes="cup"), 0, "tea", ""),
    ],
)
def test_a_command_is_checked_for_exit_code_output_and_file(
    smoke: Smoke, code: int, output: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "cup").write_text("hot", encoding="utf-8")
    (tmp_path / "empty").touch()
    assert smoke_fault(smoke, code, output, tmp_path) == fault


def test_commands_share_an_empty_folder_and_a_clean_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LITOTES_DATA", "somewhere")
    code = "import os; print(os.listdir('.'), os.environ.get('LITOTES_DATA')); open('tea', 'w').write('x')"
    first = Smoke(("python", "-c", code), "[] None", makes="tea")
    second = Smoke(("python", "-c", "print(open('tea').read() + input())"), "xy", given="y\n")
    bad = Smoke(("python", "-c", "raise SystemExit(2)"), "")
    faults = run_smokes(Path(sys.executable), (first, second, bad))
    assert faults == ["python -c raise SystemExit(2): exit 2, expected 0. Output: "]
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == ["  ok", "  ok", "  no"]


def test_sizes_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1_500_000)
    (tmp_path / "b").write_bytes(b"x" * 500_000)
    size, blocks = installed_size(tmp_path)
    assert size == 2.0
    # POSIX counts st_blocks in units of 512 bytes, whatever the block size of the file system is.
    assert blocks == sum((tmp_path / name).lstat().st_blocks for name in "ab") * 512 / 1e6


def test_the_largest_parts_come_first_with_their_byte_code(tmp_path: Path) -> None:
    for name, size in (("a.py", 2), ("b/c.py", 3), ("b/__pycache__/c.pyc", 4), ("d/e.py", 1)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * size * 1_000_000)
    # folders have a size of their own, of a few kilobytes
    found = [(name, round(code), round(whole)) for name, code, whole in largest_parts(tmp_path, 2)]
    assert found == [("b", 4, 7), ("a.py", 0, 2)]


def test_an_unknown_name_is_refused_before_anything_is_built() -> None:
    (fault,) = check_matrix(["plots", "tea"])
    assert fault.startswith("unknown extra or Python version: tea; expected any of 3.11, ")


def test_the_small_constraints_fit_the_extra_without_torch() -> None:
    lines = SMALL.read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    ours = {distribution.name for distribution in DISTRIBUTIONS}
    wanted = map(Requirement, [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["onnx"]])
    for requirement in wanted:
        if requirement.name not in ours:
            assert requirement.specifier.contains(pins[requirement.name]), requirement


def test_every_extra_is_in_the_matrix_and_on_the_page() -> None:
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"])
    page = PAGE.read_text(encoding="utf-8")
    described = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| (?:about )?[\d,]+ MB \|", page, flags=re.MULTILINE))
    assert described == {name: extra.gives for name, extra in EXTRAS.items()}


def test_every_extra_has_a_command_that_uses_it() -> None:
    assert all(extra.smokes for extra in EXTRAS.values())
    assert here("plots").says == '"part": "extra", "name": "plots", "state": "ok"'
    assert {smoke.code for smoke in BARE} == {0, 1}
    assert {smoke.code for smoke in LACKING} == {3}


def test_the_page_has_the_python_versions_and_the_size_limits() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert PROJECT["requires-python"] == f">={supported()[0]}"
    assert all(f"| {version} |" in page for version in supported())
    assert all(f"{limit:.0f} MB" in page for limit in MOST_INSTALLED.values())
    assert all(f"{distribution.most:.0f} MB" in page for distribution in DISTRIBUTIONS)
    assert f"{MOST_IN_TIER:.0f} MB" in page
