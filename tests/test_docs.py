"""The documents say what the code does: every Python and shell example is run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from tests.conftest import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_are_true(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))
    parsed = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(parsed)
    assert runner.failures == 0
    assert runner.tries > 0 or page.name not in {"README.md", "rewriting.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_shell_examples_are_true(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for command, output in re.findall(r"^\$ litotes (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE):
            done = CliRunner().invoke(app, shlex.split(command))
            assert done.exit_code == 0, done.output
            assert done.output.strip() == output.strip()


def test_the_readme_is_short_and_names_the_two_commands() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert "make demo" in text
    assert "make test" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere_and_nothing_is_left_to_fill_in(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "@@" not in text
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), target


def test_the_help_examples_are_true() -> None:
    for name, command in app.commands.items():
        examples = re.findall(r"\$ litotes (.*)\n\s*(.*)", command.help or "")
        assert examples or name in {"demo", "doctor", "data", "classify", "synth", "bench", "report", "train", "errors"}
        for line, output in examples:
            done = CliRunner().invoke(app, shlex.split(line))
            assert done.output.strip() == output.strip(), name
