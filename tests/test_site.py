"""The site: every page is in the navigation, and the Python reference is up to date."""

from __future__ import annotations

import ast
import re
from types import SimpleNamespace

import pytest
from scripts.api_reference import MODULES, public_names, reference, resolved, signature
from scripts.site_pages import on_page_markdown

from tests.conftest import REPOSITORY

DOCS = REPOSITORY / "docs"


def test_every_page_is_in_the_navigation_once() -> None:
    navigation = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(re.findall(r"[\w/-]+\.md", navigation)) == sorted(pages)


def test_the_python_reference_is_generated() -> None:
    assert (DOCS / "api.md").read_text(encoding="utf-8") == reference()


def test_the_python_reference_has_every_public_name() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.*)$", page, flags=re.MULTILINE)
    assert headings == [f"{module}.{name}" for module in MODULES for name in public_names(module)]


def test_a_name_is_located_where_it_is_defined_and_shown_as_written() -> None:
    detect = resolved("litotes", "detect")
    assert detect.module == "litotes.detection.detector"
    assert isinstance(detect.node, ast.FunctionDef)
    assert signature(detect.node) == "detect(text: str, *, parser: Parser | str = '') -> Detection"
    with pytest.raises(LookupError, match="neither defines nor imports it"):
        resolved("litotes.query", "obfuscate")


def test_lists_and_tables_are_separated_and_no_link_leaves_the_docs() -> None:
    page = "Two things:\n- one, see [notes](../NOTES.md)\n- two\n  goes on\n| a |\n|---|\nafter\n```\nx\n- y\n```"
    assert on_page_markdown(page) == (
        "Two things:\n\n- one, see `notes`\n- two\n  goes on\n\n| a |\n|---|\n\nafter\n```\nx\n- y\n```"
    )
    assert on_page_markdown("| `str \\| None` | \\| |") == "| `str | None` | \\| |"
    assert on_page_markdown("```\n- x\n```\n| a |\n|---|") == "```\n- x\n```\n\n| a |\n|---|"
    assert on_page_markdown("```python\n>>> 1\n1\n```") == "```pycon\n>>> 1\n1\n```"
    assert on_page_markdown("```python\nx = 1\n```") == "```python\nx = 1\n```"
    assert on_page_markdown("") == ""


def test_a_link_from_a_folder_of_the_docs_stays_a_link() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="history/index.md"))
    text = "[training](../training.md), [notes](../../NOTES.md)"
    assert on_page_markdown(text, page=page) == "[training](../training.md), `notes`"
