"""No code is run from data files, keys are never written or printed, and report pages escape all text."""

from __future__ import annotations

import ast
import json
import logging
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TypeGuard

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.errors import InputError
from litotes.models import load
from litotes.models.bases import join
from litotes.reporting import report
from tests import report_results as made
from tests.conftest import REPOSITORY
from tests.llm_stub import Reply, error, stub
from tests.scripted_model import LAMP, LAMP_HEDGES, LAMP_NEGATIONS

FILES = [path for folder in ("src", "scripts", "benchmarks") for path in sorted((REPOSITORY / folder).rglob("*.py"))]
RUNS_CODE = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "pty", "commands"}
CALLS = {"eval", "exec", "compile", "__import__"}
METHODS = {
    "os.system", "os.popen", "torch.load", "yaml.load", "yaml.unsafe_load", "tempfile.mktemp", "numpy.loads",
    "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell",
}  # fmt: skip
UNPACKS = {"extractall", "extract", "unpack_archive", "read_pickle"}
OPTIONS = {
    "shell": False, "trust_remote_code": False, "allow_pickle": False, "weights_only": True, "autoescape": True,
    "check_hostname": True,
}  # fmt: skip
"""Options with the only value that is allowed."""
KEY, PASSWORD = "sk-hush-hush-7f3a", "open-sesame"


def faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every call that could run code from a file or unpack an archive anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from ((node.lineno, name) for name in names if name.partition(".")[0] in RUNS_CODE)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in CALLS | METHODS or called.rpartition(".")[2] in UNPACKS:
                yield node.lineno, called
            yield from _options(node.lineno, [(word.arg, word.value) for word in node.keywords])
        elif isinstance(node, ast.Dict):
            named = zip(node.keys, node.values, strict=True)
            yield from _options(node.lineno, [(key.value, value) for key, value in named if _is_name(key)])


def _is_name(key: ast.expr | None) -> TypeGuard[ast.Constant]:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)


def _options(line: int, options: list[tuple[Any, ast.expr]]) -> Iterator[tuple[int, str]]:
    for name, value in options:
        if name in OPTIONS and not (isinstance(value, ast.Constant) and value.value is OPTIONS[name]):
            yield line, f"{name}={ast.unparse(value)}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_no_source_file_can_run_code_from_data(path: Path) -> None:
    assert not list(faults(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from joblib import load",
        "eval(text)",
        "os.system(text)",
        "subprocess.run(text, shell=True)",
        "torch.load(path)",
        "yaml.load(text)",
        "archive.extractall(folder)",
        "AutoModel.from_pretrained(name, trust_remote_code=asked)",
        "options = {'trust_remote_code': True}",
        "np.load(path, allow_pickle=True)",
        "Environment(autoescape=False)",
    ],
)
def test_dangerous_code_is_found(line: str) -> None:
    assert list(faults(ast.parse(line)))


def files_under(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


@pytest.mark.slow
def test_a_key_is_in_no_file_log_or_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    source, out = tmp_path / "anchors.txt", tmp_path / "out"
    source.write_text(f"{LAMP}\n", encoding="utf-8")
    caplog.set_level(logging.DEBUG)
    answers = [Reply(text=json.dumps(answer)) for answer in (LAMP_NEGATIONS, LAMP_HEDGES)]
    with stub(*answers) as server:
        address = server.base_url.replace("//", f"//somebody:{PASSWORD}@")
        command = [
            "synth",
            str(source),
            "--out",
            str(out),
            "--generator",
            "llm",
            "--model",
            "small",
            "--duplicate-threshold",
            "0",
        ]
        done = CliRunner().invoke(app, [*command, "--base-url", address, "--concurrency", "1"])
    assert done.exit_code == 0, done.output
    assert server.keys, "no request was sent"
    assert json.loads(done.stdout)["made"]["triples"]["kept"] == 8
    names = {path.name for path, _ in files_under(out)}
    assert {"manifest.json", "triples.jsonl", "README.md", "config.json"} <= names
    assert any((out / "answers").rglob("*.json"))
    messages = [done.output, *(record.getMessage() for record in caplog.records)]
    for path, text in (*files_under(out), *((Path("output"), text) for text in messages)):
        assert KEY not in text, path
        assert PASSWORD not in text, path


def test_a_key_is_in_no_error_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    source = tmp_path / "anchors.txt"
    source.write_text(f"{LAMP}\n", encoding="utf-8")
    with stub(error(401, f"Incorrect API key provided: {KEY}")) as server:
        address = server.base_url.replace("//", f"//somebody:{PASSWORD}@")
        command = ["synth", str(source), "--out", str(tmp_path / "out"), "--generator", "llm", "--model", "small"]
        done = CliRunner().invoke(app, [*command, "--base-url", address])
    assert done.exit_code != 0
    assert "refused the key" in str(done.exception)
    assert not [text for text in (done.output, str(done.exception)) if KEY in text or PASSWORD in text]
    assert not [path for path, text in files_under(tmp_path) if KEY in text or PASSWORD in text]


def test_a_key_is_not_in_the_facts_of_a_model() -> None:
    model = load("llm:small", base_url=f"http://somebody:{PASSWORD}@127.0.0.1:9/v1", key=KEY)
    text = json.dumps(model.facts()) + repr(model)  # type: ignore[union-attr]
    assert "small" in text
    assert KEY not in text
    assert PASSWORD not in text


EVIL = "<script>alert('x')</script><evil onload=\"alert(1)\">&lt;b&gt;"


class Page(HTMLParser):
    """The tags, attributes and visible text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.seen: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.seen.append(data)


def evil_folder(folder: Path) -> Path:
    """Write a results folder in which every name and text that a user or a model can choose is hostile."""
    made.write_bench(folder)
    for path in (*folder.glob("*.json"), *folder.glob("rows/*.jsonl")):
        text = path.read_text(encoding="utf-8")
        for name in (
            made.TUNED,
            "late:new",
            "exceptor",
            "critical_antonym",
            "soup",
            "without",
            "the task needs vectors",
        ):
            text = text.replace(json.dumps(name)[1:-1], json.dumps(f"{name}{EVIL}")[1:-1])
        path.write_text(text, encoding="utf-8")
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    for row in results:
        row["signature"] += EVIL if row["task"] != "series" else ""
    results += [made.result(made.BASE, EVIL, EVIL, 5.0, split=EVIL)]
    (folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
    made.write_training(folder)
    (folder / "curves.jsonl").open("a").write(json.dumps({"step": 11, EVIL: 0.5}) + "\n")
    point = {"name": EVIL, "before": {EVIL: 1.0}, "scores": {EVIL: 2.0}}
    sweep = {"sweep": EVIL, "points": [point | {"at": EVIL}, point | {"at": "b"}]}
    (folder / "sweep.json").write_text(json.dumps(sweep), encoding="utf-8")
    spans: dict[str, list[list[int]]] = {"excluded_spans": [[0, len(EVIL)]], "cue_spans": []}
    example = {"query": EVIL, "kept": EVIL, "excluded": [EVIL], "cues": [EVIL], **spans}
    exclusions = [{"task": EVIL, "queries": 3, "fired": 1, "examples": [example]}]
    (folder / "exclusions.json").write_text(json.dumps(exclusions), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_page_escapes_every_name_and_text(tmp_path: Path) -> None:
    folder = evil_folder(tmp_path / "<evil onload=alert(1)>")
    result = report([folder], base=made.BASE)
    assert {"maxsim", "kinds", "demetr", "curves", "sweeps", "exclusions"} <= set(result.drawn)
    page = Page(result.html)
    assert not page.tags & {"script", "evil", "img", "iframe", "object", "embed", "link", "base", "foreignobject"}
    assert not [name for name in page.attributes if name.startswith("on")]
    seen = "".join(page.seen)
    assert EVIL in seen, "names are shown as they are, not removed"
    assert "<script" not in result.markdown
    assert "<evil" not in result.markdown


def test_a_lone_surrogate_in_a_name_does_not_break_the_page(tmp_path: Path) -> None:
    rows = [made.result("dense:\ud83d", "nevir", "pairwise accuracy", 8.0)]
    (tmp_path / "results.json").write_text(json.dumps(rows), encoding="utf-8")
    done = CliRunner().invoke(app, ["report", str(tmp_path), "--out", str(tmp_path / "page.html")])
    assert done.exit_code == 0, done.exception
    assert "dense:?" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    """Only pinned names are extracted, so a member with a path outside the folder is never written."""
    part = tmp_path / "part.001"
    with zipfile.ZipFile(part, "w") as archive:
        archive.writestr("../climbed.txt", "out")
        archive.writestr("model/config.json", "{}")
    with pytest.raises(InputError, match=r"config\.json in the joined archive has sha256"):
        join([part], tmp_path / "cache" / "model", {"config.json": "0" * 64})
    assert not list(tmp_path.rglob("climbed.txt"))
    assert not (tmp_path / "cache" / "model").exists()
