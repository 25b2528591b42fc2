"""What the site needs changed in pages that are to read well on GitHub, too: a hook of mkdocs, named in mkdocs.yml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

LIST = re.compile(r"\s*(?:[-*]|\d+\.) ")
TABLE = re.compile(r"\|")
LINK_OUT = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")
CODE = re.compile(r"`[^`]*`")


# a session at the prompt: marked as such, its output has no colours and is not copied
SESSION = re.compile(r"^```python\n(?=>>> )", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page as the site renders it; mkdocs calls this with every page."""
    return "\n".join(_lines(SESSION.sub("```pycon\n", markdown).split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    """The lines, with empty ones around tables and before lists; code stays as it is."""
    before, fenced = "", False
    for line in lines:
        fence = line.lstrip().startswith("```")
        if not fenced and not fence and _begins_block(before, line):
            yield ""
        yield line if fenced or fence else _line(line)
        fenced ^= fence
        before = "" if fenced else line


def _line(line: str) -> str:
    """One line of text: a link that leaves docs/ becomes a name, and a bar in a table's code needs no escape here."""
    line = LINK_OUT.sub(r"`\1`", line)
    return CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if TABLE.match(line) else line


def _begins_block(before: str, line: str) -> bool:
    """Whether a list or a table begins or a table ends here, right below a line of text."""
    if not before.strip() or not line.strip():
        return False
    if bool(TABLE.match(before)) != bool(TABLE.match(line)):
        return True
    # an indented line goes on with the item above it
    return bool(LIST.match(line)) and not LIST.match(before) and not before.startswith(" ")
