"""The tutorial, walked from its text: every command of the page in its order, on the files that stand beside it."""

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
# What is measured is said in full on the page and takes minutes; here the questions are enough.
QUICKER = {"questions.jsonl,mini-sts": "questions.jsonl", "questions.jsonl,general-mini": "questions.jsonl"}
TRAINED = ("train", "bench", "report")
"""commands whose figures depend on the processor a little"""


def steps() -> list[tuple[str, str]]:
    """Each command with what the page shows of its output."""
    text = PAGE.read_text(encoding="utf-8")
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```\n(\$ .*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        joined = block.replace("\\\n", " ")
        found += re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", joined, flags=re.MULTILINE)
    return found


def shown(output: str, page: str) -> bool:
    """Whether the page's pieces stand in the output, in order; it breaks lines and leaves out what … stands for."""
    at, whole = 0, "".join(output.split())
    for piece in page.split("…"):
        wanted = "".join(piece.split())
        at = whole.find(wanted, at)
        if at < 0:
            return False
        at += len(wanted)
    return True


def test_what_the_page_may_leave_out() -> None:
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
        # what comes with the package has the same figures everywhere
        shipped = [line for line in page.splitlines() if "--plain" in rest and "/tower" not in line]
        assert set(shipped) <= set(done.stdout.splitlines()), (command, done.stdout)
    assert walked == ["synth", "contamination", "train", "bench", "bench", "report"]
    assert Path("report.html").read_text(encoding="utf-8").count("<html") == 1
    used()


def used() -> None:
    """The Python at the end, on the tower the walk has left."""
    (block,) = re.findall(r"^```\n(>>> .*?)^```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(block):
        exec(compile(example.source, str(PAGE), "exec"), names)
    # at the last dial what is out of order comes first, as the page shows; at dial 0 it is the base everywhere
    working, broken = names["scores"]
    assert broken > working
    base = names["model"].encode_query("Is the lift broken?", dial=0.0) @ names["stored"].T
    assert f"0.0 {base[0]:.2f} {base[1]:.2f}\n" in block
