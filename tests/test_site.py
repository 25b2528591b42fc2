"""The site: every page has its place, the Python reference is up to date, and the commands on its pages exist."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import click
import pytest
from scripts.api_reference import MODULES, public_names, reference, resolved, signature
from scripts.site_pages import on_page_markdown

from litotes.cli.app import app
from tests.conftest import REPOSITORY

DOCS = REPOSITORY / "docs"
GUIDES = ("reproducing.md", "tutorial.md")


def test_every_page_is_in_the_navigation_once() -> None:
    navigation = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    assert sorted(re.findall(r"[\w-]+\.md", navigation)) == sorted(page.name for page in DOCS.glob("*.md"))


def test_the_python_reference_is_generated() -> None:
    assert (DOCS / "api.md").read_text(encoding="utf-8") == reference()


def test_the_python_reference_has_every_public_name() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.*)$", page, flags=re.MULTILINE)
    assert headings == [f"{module}.{name}" for module in MODULES for name in public_names(module)]


def test_a_name_is_found_where_it_is_defined_and_shown_as_it_was_written() -> None:
    found = resolved("litotes", "detect")
    assert found.module == "litotes.detection.find"
    assert isinstance(found.node, ast.FunctionDef)
    assert signature(found.node) == "detect(text: str) -> Detection"
    with pytest.raises(LookupError, match="neither defines nor imports it"):
        resolved("litotes.query", "obfuscate")


def test_lists_and_tables_stand_apart_and_no_link_leaves_the_docs() -> None:
    page = "Two things:\n- one, see [notes](../NOTES.md)\n- two\n  goes on\n| a |\n|---|\nafter\n```\nx\n- y\n```"
    assert on_page_markdown(page) == (
        "Two things:\n\n- one, see `notes`\n- two\n  goes on\n\n| a |\n|---|\n\nafter\n```\nx\n- y\n```"
    )
    assert on_page_markdown("| `str \\| None` | \\| |") == "| `str | None` | \\| |"
    assert on_page_markdown("```\n- x\n```\n| a |\n|---|") == "```\n- x\n```\n\n| a |\n|---|"
    assert on_page_markdown("```python\n>>> 1\n1\n```") == "```pycon\n>>> 1\n1\n```"
    assert on_page_markdown("```python\nx = 1\n```") == "```python\nx = 1\n```"
    assert on_page_markdown("") == ""


def _commands(page: Path) -> list[str]:
    """Every `litotes …` of a page, on a line of a block or between back-ticks; comments are left out."""
    text = page.read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```(?:console)?\n(.*?)```", text, flags=re.DOTALL)).replace("\\\n", " ")
    lines = re.findall(r"^(?:\$ )?litotes (.*?)(?:\s+#.*)?$", blocks, flags=re.MULTILINE)
    return lines + re.findall(r"`litotes (.*?)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


@pytest.mark.parametrize("name", GUIDES)
def test_the_commands_of_the_guides_and_their_options_exist(name: str) -> None:
    commands = _commands(DOCS / name)
    assert commands
    for line in commands:
        words = shlex.split(line)
        command: click.Command = app
        while isinstance(command, click.Group):
            assert words[0] in command.commands, line
            command = command.commands[words.pop(0)]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line
