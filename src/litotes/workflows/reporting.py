"""Write one page about results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.errors import InputError

DEFAULT_PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report that was written."""

    html: Path
    markdown: Path | None
    drawn: tuple[str, ...]
    """the figures in it"""
    missing: dict[str, str]
    """per figure that is not in it: why, and the command that measures what it needs"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes report` prints."""
        files = {"html": str(self.html)} | ({"markdown": str(self.markdown)} if self.markdown else {})
        return files | {"drawn": self.drawn, "missing": self.missing}


def report(
    folders: str | Path | Sequence[str | Path],
    *,
    out: str | Path = DEFAULT_PAGE,
    markdown: str | Path | None = None,
    base: str = "",
    pairs: Sequence[str] = (),
) -> WrittenReport:
    """Write one self-contained HTML page about the results in `folders`.

    Args:
        folders: Folders that `litotes.bench` or `litotes.train` wrote.
        out: The page to write.
        markdown: Also write the tables as Markdown here.
        base: The model before training, with which the others are compared.
        pairs: The pairs of maxsim.json to draw. The default is the first one.
    """
    from litotes.reporting import report as make

    targets = [Path(out), *([Path(markdown)] if markdown else [])]
    for path in targets:
        if path.is_dir():
            raise InputError(f"{path} is a folder; expected the name of a file to write")
    given = [folders] if isinstance(folders, str | Path) else folders
    made = make([Path(folder) for folder in given], base=base, pairs=pairs)
    for path, text in zip(targets, (made.html, made.markdown), strict=False):
        path.parent.mkdir(parents=True, exist_ok=True)
        # A model's name may contain a lone surrogate, which cannot be encoded.
        path.write_text(text, encoding="utf-8", errors="replace")
    return WrittenReport(targets[0], targets[1] if markdown else None, made.drawn, dict(made.missing))
