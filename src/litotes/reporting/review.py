"""Render a review sheet as a page: the texts and both models' answers per item, and a category to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from litotes.errors import require
from litotes.types import Case

TEMPLATE, STYLE = "review.html", "page.css"


def review_page(
    title: str,
    cases: Sequence[Case],
    sheet: Sequence[Sequence[str]],
    categories: Mapping[str, Mapping[str, str]],
    *,
    models: tuple[str, str],
    file: str = "review.csv",
) -> str:
    """Return the HTML page for some cases. All of their text is escaped.

    Args:
        title: The title of the page.
        cases: The items to review.
        sheet: The cells of the CSV file: the header, then one row per case with the category and the note last. The
            page fills these two in when it saves the file.
        categories: The categories to choose from, by group: name → definition.
        models: The baseline and the model.
        file: The name under which the page saves the CSV file.
    """
    jinja = require("jinja2", extra="bench", why="a review page")
    package = files("litotes.reporting")
    environment = jinja.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja.StrictUndefined
    )
    template = environment.from_string(package.joinpath(TEMPLATE).read_text(encoding="utf-8"))
    html: str = template.render(
        style=package.joinpath(STYLE).read_text(encoding="utf-8"),
        title=title,
        cases=cases,
        sheet=[list(row) for row in sheet],
        categories=categories,
        baseline=models[0],
        model=models[1],
        file=file,
    )
    return html
