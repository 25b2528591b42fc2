"""The review sheet as one page: each item with its texts, both models' answers, and a category to choose."""

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
    """The page of some cases; all of their text is escaped.

    `sheet` holds the cells of the CSV, its head first and a row a case, with category and note last: the page saves
    them with what was chosen, under the name `file`. `models` are the baseline and the model.
    """
    jinja = require("jinja2", extra="bench", why="a review page")
    home = files("litotes.report")
    environment = jinja.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja.StrictUndefined
    )
    page = environment.from_string(home.joinpath(TEMPLATE).read_text(encoding="utf-8"))
    found: str = page.render(
        style=home.joinpath(STYLE).read_text(encoding="utf-8"),
        title=title,
        cases=cases,
        sheet=[list(row) for row in sheet],
        categories=categories,
        baseline=models[0],
        model=models[1],
        file=file,
    )
    return found
