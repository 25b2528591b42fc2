"""Have people sort what a tuned model got wrong: write a sheet of items, and count the filled one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError

if TYPE_CHECKING:
    from litotes.evaluation.review import Agreement, Review, Tally


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """The items to review, and the files they were written to; None if there are no such items."""

    review: Review
    sheet: Path | None
    page: Path | None

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes review` prints."""
        files = {"sheet": str(self.sheet), "page": str(self.page)} if self.sheet else {}
        return {**files, **self.review.line()}


@dataclass(frozen=True, slots=True)
class CountedSheets:
    """The categories of one or two filled sheets."""

    tallies: dict[str, Tally]
    agreement: Agreement | None
    """between the two people who filled two sheets"""


def write_review_sheet(
    folder: Path,
    *,
    model: str,
    baseline: str,
    out: Path,
    outcome: str = "lost",
    items: int = 50,
    tasks: Sequence[str] = (),
    data_dir: Path | None = None,
    seed: int = 0,
) -> ReviewSheet:
    """Draw items from a folder of results and write them as a sheet (.csv) and as a page (.html) to fill in.

    `outcome` is "lost" (only the baseline was right), "won" (only the model was) or "both-wrong".
    """
    from litotes.evaluation.review import categories, review, sheet, write_sheet
    from litotes.reporting.review import review_page

    path = out if out.suffix == ".csv" else out.with_name(f"{out.name}.csv")
    page = path.with_suffix(".html")
    for target in (path, page):
        if target.is_dir():
            raise InputError(f"{target} is a folder; expected the name of a file to write")
    if not folder.is_dir():
        raise InputError(f"there is no folder {str(folder)!r}; expected one that litotes bench wrote")
    found = review(folder, model, baseline, which=outcome, items=items, tasks=tasks, data=data_dir, seed=seed)
    if not found.cases:
        return ReviewSheet(found, None, None)
    rows = sheet(found)
    models = found.baseline, found.model
    html = review_page(_title(found), found.cases, rows, categories(), models=models, file=path.name)
    write_sheet(path, rows)
    page.write_text(html, encoding="utf-8", errors="replace")
    return ReviewSheet(found, path, page)


def count_review_sheets(paths: Sequence[Path]) -> CountedSheets:
    """Count the categories of a filled sheet; of two, filled by two people, also measure their agreement."""
    from litotes.evaluation.review import agreed, read_sheet, tally

    if not 1 <= len(paths) <= 2:
        raise InputError(f"expected one sheet to count, or two to compare; got {len(paths)}")
    if len(set(paths)) < len(paths):
        raise InputError(f"{paths[0]} is given twice; to compare two people, give the sheet of each")
    sheets = [read_sheet(path) for path in paths]
    tallies = {str(path): tally(sheet) for path, sheet in zip(paths, sheets, strict=True)}
    return CountedSheets(tallies, agreed(*sheets) if len(sheets) == 2 else None)


def _title(found: Review) -> str:
    titles = {
        "lost": f"What {found.model} lost against {found.baseline}",
        "won": f"What {found.model} won over {found.baseline}",
        "both-wrong": f"What neither {found.baseline} nor {found.model} got right",
    }
    return titles[found.which]
