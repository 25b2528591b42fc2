"""Adapt pages written for GitHub to the site. This is an mkdocs hook, named in mkdocs.yml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

LIST = re.compile(r"\s*(?:[-*]|\d+\.) ")
TABLE = re.compile(r"\|")
CODE = re.compile(r"`[^`]*`")

# An interactive session: marked as one, its output is not highlighted and not copied.
SESSION = re.compile(r"^```python\n(?=>>> )", re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any = None, **_: Any) -> str:
    """Return the Markdown that the site renders. mkdocs calls this for every page."""
    way_out = "../" * (page.file.src_uri.count("/") + 1 if page else 1)
    link_out = re.compile(rf"\[([^\]]+)\]\({re.escape(way_out)}[^)]+\)")
    return "\n".join(_lines(SESSION.sub("```pycon\n", markdown).split("\n"), link_out))


def _lines(lines: list[str], link_out: re.Pattern[str]) -> Iterator[str]:
    """Yield the lines, with empty lines around tables and before lists. Code blocks are unchanged."""
    previous, in_code = "", False
    for line in lines:
        fence = line.lstrip().startswith("```")
        if not in_code and not fence and _starts_block(previous, line):
            yield ""
        yield line if in_code or fence else _line(line, link_out)
        in_code ^= fence
        previous = "" if in_code else line


def _line(line: str, link_out: re.Pattern[str]) -> str:
    """Return a line of text with links that leave docs/ as plain names and with unescaped bars in a table's code."""
    line = link_out.sub(r"`\1`", line)
    return CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if TABLE.match(line) else line


def _starts_block(previous: str, line: str) -> bool:
    """Return whether a list or a table starts, or a table ends, right below a line of text."""
    if not previous.strip() or not line.strip():
        return False
    if bool(TABLE.match(previous)) != bool(TABLE.match(line)):
        return True
    # An indented previous line continues a list item.
    return bool(LIST.match(line)) and not LIST.match(previous) and not previous.startswith(" ")
