"""The examples in the documentation work: every Python and shell example is run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from tests.conftest import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    """Return the path of a page within the repository."""
    return page.relative_to(REPOSITORY).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_python_examples_give_the_shown_output(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))
    parsed = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(parsed)
    assert runner.failures == 0
    assert runner.tries > 0 or page.name not in {"README.md", "rewriting.md"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_shell_examples_give_the_shown_output(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for command, output in re.findall(r"^\$ litotes (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE):
            done = CliRunner().invoke(app, shlex.split(command))
            assert done.exit_code == 0, done.output
            assert done.stdout.strip() == output.strip()


def test_the_readme_is_short_and_names_the_two_commands() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert "make demo" in text
    assert "make test" in text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_exist_and_no_placeholder_is_left(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "@@" not in text
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_source_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"\b(?:src/litotes|tests|scripts|benchmarks)/[\w/-]+\.\w+", text)
    assert [path for path in paths if "NAME" not in path and not (REPOSITORY / path).exists()] == []


WITHOUT_EXAMPLE = {
    "export",
    *("average", "bench", "blend", "classify", "data", "dedup", "demo", "dial", "doctor", "report", "review", "synth"),
    "train",
}
RUNS_UNTIL_STOPPED = {"serve"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in {"api.md", "cli.md"}], ids=name_of)
def test_lines_have_at_most_120_characters(page: Path) -> None:
    """Tables, code blocks and images are exceptions."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in text.splitlines() if len(line) > 120 and not line.startswith(("|", "!", "[!"))] == []


def test_the_examples_in_help_texts_give_the_shown_output() -> None:
    context = click.Context(app)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        examples = re.findall(r"\$ litotes (.*)\n\s*(.*)", command.help or "")
        assert examples or name in WITHOUT_EXAMPLE
        for line, output in examples if name not in RUNS_UNTIL_STOPPED else ():
            done = CliRunner().invoke(app, shlex.split(line))
            assert done.stdout.strip() == output.strip(), name
