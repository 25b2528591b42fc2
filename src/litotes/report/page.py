"""Results → one HTML page that needs nothing else, and the same tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require
from litotes.report.drawing import Drawing, View
from litotes.report.exclusions import exclusions
from litotes.report.kinds import errors, intervals, kinds
from litotes.report.labels import short_names
from litotes.report.markdown import markdown
from litotes.report.published import PAPERS
from litotes.report.reading import Evidence, read
from litotes.report.similarity import demetr, maxsim, twins
from litotes.report.subjects import by_subject
from litotes.report.sweeps import sweeps
from litotes.report.tables import Leaderboard, digits, leaderboards
from litotes.report.tradeoff import tradeoff
from litotes.report.training import curves

TEMPLATE, STYLE = "page.html", "page.css"


@dataclass(frozen=True, slots=True)
class Report:
    """A page, its Markdown, and which figures are in it."""

    html: str
    markdown: str
    drawn: tuple[str, ...]
    missing: dict[str, str]
    """figure → why it is not there, and what to run to have it"""


def report(folders: Sequence[Path], *, base: str = "", pairs: Sequence[str] = ()) -> Report:
    """The report of folders that `litotes bench` and training runs wrote.

    `base` is the model before tuning, with which the others are compared; where it is not said, the first there is, and
    then nothing is called before or after. `pairs` are the pairs of maxsim.json to draw: the first, if not said.
    """
    evidence = read(folders)
    view = _view(evidence, base, pairs)
    tables = [*leaderboards(evidence, view.labels), *by_subject(evidence, view.labels)]
    drawings = [
        tradeoff(evidence, view),
        kinds(evidence, view),
        intervals(evidence, view),
        errors(evidence, view),
        twins(evidence, view),
        demetr(evidence, view),
        maxsim(evidence, view, pairs),
        curves(evidence),
        *([sweeps(evidence)] if evidence.sweeps else []),
        *([exclusions(evidence)] if evidence.left_out else []),
    ]
    return Report(
        _html(evidence, view, tables, drawings),
        markdown(evidence, view, tables, drawings),
        tuple(one.id for one in drawings if one.panels),
        {one.id: one.reason for one in drawings if not one.panels},
    )


def _view(evidence: Evidence, base: str, pairs: Sequence[str]) -> View:
    models = evidence.models
    if base and base not in models:
        raise InputError(f"there is no model {base!r} in the results; expected one of {_listed(models)}")
    known = dict.fromkeys(one.pair for one in evidence.maxsims)
    for pair in pairs:
        if pair not in known:
            raise InputError(f"there is no pair {pair!r} in a maxsim.json; expected one of {_listed(known)}")
    return View(short_names(models), base or next(iter(models), ""), tuned=bool(base))


def _html(evidence: Evidence, view: View, tables: Sequence[Leaderboard], drawings: Sequence[Drawing]) -> str:
    jinja = require("jinja2", extra="bench", why="a report")
    home = files("litotes.report")
    environment = jinja.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja.StrictUndefined
    )
    environment.globals["digits"] = digits
    page = environment.from_string(home.joinpath(TEMPLATE).read_text(encoding="utf-8"))
    values: dict[str, Any] = {
        "style": home.joinpath(STYLE).read_text(encoding="utf-8"),
        "evidence": evidence,
        "view": view,
        "tables": tables,
        "drawings": drawings,
        "papers": PAPERS,
        "signatures": dict.fromkeys((one.model, one.task, one.split, one.signature) for one in evidence.scores),
    }
    found: str = page.render(**values)
    return found


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none: there is no such file"
