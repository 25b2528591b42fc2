"""The tutorial: every command of the page is run in order, on the files next to it."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from tests.conftest import REPOSITORY

PAGE = REPOSITORY / "docs" / "tutorial.md"
FILES = REPOSITORY / "docs" / "tutorial"
# The tasks on the page take minutes. Here the questions are enough.
QUICKER = {
    "questions.jsonl,mini-sts": "questions.jsonl",
    "questions.jsonl,general-mini": "questions.jsonl",
}
TRAINED = ("train", "bench", "report")
"""Commands whose figures differ slightly between processors."""


def steps() -> list[tuple[str, str]]:
    """Return each command with the part of its output that the page shows."""
    text = PAGE.read_text(encoding="utf-8")
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```\n(\$ .*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        joined = block.replace("\\\n", " ")
        found += re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", joined, flags=re.MULTILINE)
    return found


def shown(output: str, page: str) -> bool:
    """Return whether the output contains the pieces of the page in order. The page may wrap lines and omit text (…)."""
    at, whole = 0, "".join(output.split())
    for piece in page.split("…"):
        wanted = "".join(piece.split())
        at = whole.find(wanted, at)
        if at < 0:
            return False
        at += len(wanted)
    return True


def test_the_page_may_omit_text_but_not_reorder_it() -> None:
    assert shown('{"a": 1, "b": [2, 3], "c": 4}', '{"a": 1, …,\n"c": 4}')
    assert not shown('{"a": 1, "b": 2}', '{"b": 2, … "a": 1')


@pytest.mark.slow
def test_every_command_of_the_tutorial_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in FILES.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    walked = []
    for command, page in steps():
        name, *rest = shlex.split(command)
        if name == "head":
            lines = Path(rest[-1]).read_text(encoding="utf-8").splitlines(keepends=True)
            assert shown("".join(lines[: int(rest[0][1:])]), page), command
            continue
        assert name == "litotes", command
        for long, short in QUICKER.items():
            rest = [word.replace(long, short) for word in rest]
        done = CliRunner().invoke(app, rest)
        assert done.exit_code == 0, (command, done.output)
        walked.append(rest[0])
        if rest[0] not in TRAINED:
            assert shown(done.stdout, page), (command, done.stdout)
        # Models that come with the package have the same figures everywhere.
        shipped = [line for line in page.splitlines() if "--plain" in rest and "/tower" not in line]
        assert set(shipped) <= set(done.stdout.splitlines()), (command, done.stdout)
    assert walked == ["synth", "contamination", "train", "bench", "bench", "report"]
    assert Path("report.html").read_text(encoding="utf-8").count("<html") == 1
    run_python_block()


def run_python_block() -> None:
    """Run the Python block at the end of the page on the trained tower."""
    (block,) = re.findall(r"^```\n(>>> .*?)^```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(block):
        exec(compile(example.source, str(PAGE), "exec"), names)
    # At the last dial the broken one comes first, as on the page. At dial 0 every machine has the base's scores.
    working, broken = names["scores"]
    assert broken > working
    base = names["model"].encode_query("Is the lift broken?", dial=0.0) @ names["stored"].T
    assert f"0.0 {base[0]:.2f} {base[1]:.2f}\n" in block
