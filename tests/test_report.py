"""The report: what it reads, what it ranks, what it draws, and how a real browser shows it."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import litotes.cli.report  # noqa: F401  (registers the command)
from litotes.bench.suites import GENERAL_MEAN, MTEB_LITE_MEAN, SUITES
from litotes.cli.app import app
from litotes.errors import InputError
from litotes.report import report, tables
from litotes.report.drawing import View
from litotes.report.labels import place_labels, short_names
from litotes.report.page import Report
from litotes.report.pareto import pareto
from litotes.report.published import PAPERS, published
from litotes.report.reading import Evidence, read
from litotes.report.similarity import TOKENS, maxsim, twins
from litotes.report.svg import clean
from litotes.report.tables import leaderboards
from litotes.report.tradeoff import Plane, Point, numbered, plane
from tests import report_results as made

FIGURES = ("tradeoff", "kinds", "intervals", "errors", "twins", "demetr", "maxsim", "curves")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCHEMES = {"dark": 0, "light": 1}
NAN = math.nan


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    home = tmp_path_factory.mktemp("report")
    return [made.write_bench(home / "bench"), made.write_training(home / "tower")]


@pytest.fixture(scope="module")
def whole(folders: list[Path]) -> Report:
    return report(folders)


def _view(evidence: Evidence) -> View:
    return View(short_names(evidence.models), evidence.models[0])


# (3, 1) and (1, 3) each lead on one axis, (2, 2) lies between; (1, 1) is beaten by all three
@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        ([(5.0, 5.0)], [0]),
        ([(3.0, 1.0), (1.0, 3.0), (2.0, 2.0), (1.0, 1.0)], [1, 2, 0]),
        ([(1.0, 2.0), (2.0, 2.0)], [1]),
        ([(2.0, 1.0), (2.0, 2.0)], [1]),
        ([(1.0, 1.0), (1.0, 1.0)], [0, 1]),
        ([(NAN, 9.0), (9.0, NAN), (1.0, 1.0)], [2]),
    ],
)
def test_the_pareto_line_is_what_nothing_beats(points: list[tuple[float, float]], expected: list[int]) -> None:
    assert pareto(points) == expected


def test_names_are_short_unless_two_would_be_the_same() -> None:
    names = ["dense:/a/x", "dense:/b/x", "dense:/b/y/", "bm25", "cross:org/z"]
    assert list(short_names(names).values()) == ["dense:/a/x", "dense:/b/x", "dense:y", "bm25", "cross:z"]


def test_labels_meet_neither_each_other_nor_the_edge() -> None:
    found = place_labels([(50, 50), (52, 50), (195, 50)], ["one", "two", "three"], (0, 0, 200, 100), size=10, gap=6)
    # a letter is 5.8 wide: the first goes right, so the second goes left; the third, right, would pass the edge
    assert [(round(box[0], 1), round(box[2], 1)) for box in found] == [(56.0, 73.4), (28.6, 46.0), (160.0, 189.0)]


def test_the_suites_are_those_of_the_bench() -> None:
    means = {GENERAL_MEAN, MTEB_LITE_MEAN}
    assert {name: {*tasks} - means for name, tasks in tables.SUITES.items()} == {
        name: {*tasks} for name, tasks in SUITES.items()
    }
    assert {tables.GENERAL_MEAN, tables.MTEB_LITE_MEAN} == means


def test_published_figures_name_their_paper_and_agree_with_print() -> None:
    rows = published()
    assert {one.paper for one in rows} == set(PAPERS)
    of = {(one.paper, one.system, one.task, one.slice): one.value for one in rows}
    assert len(of) == len(rows), "no figure stands there twice"
    assert of["HedgeTriple", "HedgeMPNet", "nevir", "all"] == 40.56
    assert of["HedgeTriple", "NegMPNet", "mteb", "retrieval"] == 36.12
    assert of["NevIR", "TF-IDF", "nevir", "all"] == 2
    assert of["CANNOT", "NegBLEURT", "demetr", "perturbation: critical_negation"] == 0.93
    assert of["taxonomy", "MultiQA, mixed data", "ms-marco", "epoch 20"] == 1


def test_the_leaderboard_ranks_ours_and_marks_what_is_published(folders: list[Path]) -> None:
    evidence = read(folders)
    found = {table.suite: table for table in leaderboards(evidence, short_names(evidence.models))}
    assert list(found) == ["negation", "sensitivity", "general", "published: MTEB"]
    negation = found["negation"]
    assert [line.name for line in negation.measured] == ["dense:litotes-mini", "dense:minilm", "bm25"]
    # (20 + 65 + 30 + 16) / 4, and of the paper (40.56 + 73.09 + 55.68 + 47.34) / 4
    last = negation.measured[0].cells[-1]
    assert last is not None
    assert last.value == 32.75
    hedge = next(line for line in negation.published if line.name == "HedgeMPNet")
    mean = hedge.cells[-1]
    assert mean is not None
    assert mean.value == pytest.approx(54.1675)
    assert [cell.split if cell else None for cell in hedge.cells[:2]] == ["test", "test"]
    best = [cell.best if cell else None for cell in (line.cells[0] for line in negation.measured)]
    assert best == [True, False, False]
    humans = next(one for one in negation.single if one.paper == "NevIR")
    assert humans.figures[:2] == (("humans", "100.0"), ("monoT5 3B", "50.6"))
    assert [line.name for line in found["general"].measured][-1] == "bm25", "without a general mean it comes last"


def test_a_figure_that_could_not_be_computed_is_a_dash(tmp_path: Path) -> None:
    lines = [made.result("a", "stsb", "Spearman", 80.0), made.result("b", "stsb", "Spearman", None)]
    lines.append(made.result("b", "sick", "Spearman", 70.0))
    (tmp_path / "results.json").write_text(json.dumps(lines), encoding="utf-8")
    assert "| b | – | 70.0 (67.0–73.0) |" in report([tmp_path]).markdown


def test_models_on_the_plane_are_those_with_both_axes(folders: list[Path]) -> None:
    evidence = read(folders)
    found = plane(evidence, _view(evidence))
    assert found is not None
    # the base has (8 + 62 + 18 + 16) / 4
    assert [(one.name, one.x, one.y) for one in found.points] == [
        ("dense:minilm", 77, 26),
        ("dense:litotes-mini", 78, 32.75),
    ]
    assert [one.name for one in found.line()] == ["dense:litotes-mini"]


def test_where_names_have_no_room_points_have_numbers() -> None:
    few = Plane((Point("low", 1, 1), Point("high", 0, 2)), "x", "y")
    assert numbered(few) == (few, {})
    long = replace(few, points=(*few.points, Point("a" * 30, 3, 0)))
    found, names = numbered(long)
    assert names == {"1": "high", "2": "low", "3": "a" * 30}
    assert [(point.name, point.y) for point in found.points] == [("1", 2), ("2", 1), ("3", 0)]


def test_an_over_long_name_keeps_its_ends() -> None:
    assert clean("a-model-with-a-name-11", 11) == "a-mod…me-11"
    assert clean("tab\there") == "tab·here"


def test_twins_are_read_from_the_rows_of_the_signature_or_from_their_file(folders: list[Path], tmp_path: Path) -> None:
    evidence = read(folders)
    assert len(evidence.twins[made.BASE]) == 40, "the swapped sentence is no twin"
    assert min(evidence.twins[made.BASE]) == pytest.approx(0.9 - 8 / 40)
    assert made.WORDS not in evidence.cosines
    assert evidence.skipped == {made.WORDS: {"banking77": "the task needs vectors"}}
    (tmp_path / "twins.json").write_text('{"model": "x", "cosines": [0.5, null, 0.25]}', encoding="utf-8")
    assert read([tmp_path]).twins == {"x": (0.5, 0.25)}


def test_a_model_measured_twice_in_two_ways_is_two_models(tmp_path: Path) -> None:
    for name, signature in (("a", "dial:0.1"), ("b", "dial:0.2"), ("c", "dial:0.1")):
        (tmp_path / name).mkdir()
        line = made.result("m", "stsb", "Spearman", 80.0, signature=signature)
        (tmp_path / name / "results.json").write_text(json.dumps([line]), encoding="utf-8")
    assert read([tmp_path / name for name in "abc"]).models == ("m", "m (2)")


def test_curves_are_numbers_against_the_step(folders: list[Path]) -> None:
    (run,) = read(folders).curves
    assert (run.run, run.against, list(run.lines)) == ("tower", "step", ["loss", "nevir"])
    assert run.lines["nevir"] == [(5, 13), (10, 18)]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("results.json", "{", "not JSON"),
        ("results.json", "[1]", "expected a JSON object or a list of them"),
        ("results.json", '[{"model": "x"}]', "result 1: no 'task'"),
        ("twins.json", '{"model": "x", "cosines": ["warm"]}', "Expected"),
        (
            "maxsim.json",
            '{"model": "x", "query_tokens": ["a"], "document_tokens": ["b"], "matrix": [[1, 2]]}',
            "1 rows",
        ),
        ("curves.jsonl", '{"loss": 1}', "no step or epoch"),
        ("curves.jsonl", "loss", "line 1: not JSON"),
    ],
)
def test_a_bad_file_is_named_with_what_was_expected(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        report([tmp_path])
    assert name in str(caught.value)


def test_a_folder_with_nothing_in_it_and_unknown_names_are_refused(folders: list[Path], tmp_path: Path) -> None:
    for wrong in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=r"results\.json"):
            report([wrong])
    with pytest.raises(InputError, match="'dense:minilm'"):
        report(folders, base="minilm")
    with pytest.raises(InputError, match="'soup', 'stew'"):
        report(folders, pairs=["broth"])


def test_every_figure_is_drawn_and_the_page_asks_for_nothing_else(whole: Report) -> None:
    assert whole.drawn == FIGURES
    assert whole.missing == {}
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)|url\((?!#)|@import|<script|<link""", whole.html)
    ids = _ids(whole.html)
    assert len(ids) == len(set(ids))
    assert {"leaderboard", *FIGURES} <= set(ids)
    for svg in re.findall(r"<svg.*?</svg>", whole.html, flags=re.DOTALL):
        ElementTree.fromstring(svg.replace("xlink:href", "href"))
        assert not re.search(r"(?:fill|stroke): #", svg), "every colour is the page's, so that it reads in the dark"


def _ids(html: str) -> list[str]:
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name == "id")

    Reader().feed(html)
    return found


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    made.write_training(tmp_path)
    found = report([tmp_path])
    assert found.drawn == ("curves",)
    assert set(found.missing) == set(FIGURES) - {"curves"}
    for reason in found.missing.values():
        assert reason.split("{")[0] in found.html.replace("&#34;", '"')
    assert "## Not in this report" in found.markdown


def test_names_from_outside_are_no_markup(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)> $a$ | \n&"
    lines = [made.result(name, "nevir", "pairwise accuracy", 8.0), *made.by_kind(name, 50)]
    (tmp_path / "results.json").write_text(json.dumps(lines), encoding="utf-8")
    found = report([tmp_path])
    assert "<img" not in found.html
    assert "| &lt;img src=x onerror=alert(1)> $a$ \\| & |" in found.markdown


def test_the_chosen_pair_is_drawn_before_and_after(folders: list[Path]) -> None:
    evidence = read(folders)
    drawing = maxsim(evidence, View(short_names(evidence.models), "late:new"), ["stew"])
    # best matches 0.9, 0.2, 0.8, 0.3 before tuning; "no" finds "without" at 0.7 after
    assert [re.findall(r"late:\w+: [\d.]+", panel) for panel in drawing.panels] == [
        ["late:new: 2.70"],
        ["late:old: 2.20"],
    ]
    assert "Other pairs, for --pair: “soup”." in drawing.caption


def test_before_and_after_are_said_where_the_base_is_named(folders: list[Path]) -> None:
    evidence = read(folders)
    for told, labels in ((True, ["dense:litotes-mini, before", "dense:minilm, after"]), (False, [])):
        (panel,) = twins(evidence, View(short_names(evidence.models), made.TUNED, tuned=told)).panels
        assert re.findall(r">([^<]*, (?:before|after))<", panel) == labels


@pytest.mark.parametrize(
    ("low", "high", "shown"), [(16, 24.42, "16.0–24.4"), (-2.82, -2.36, "-2.8 to -2.4"), (NAN, NAN, "")]
)
def test_an_interval_reads_as_one(low: float, high: float, shown: str) -> None:
    assert tables.Cell(1, low, high).interval(1) == shown


def test_a_long_document_keeps_every_best_match(tmp_path: Path) -> None:
    row = [0.0] * 199 + [1.0]
    one = {"model": "m", "query_tokens": ["no"], "document_tokens": [f"t{at}" for at in range(200)], "matrix": [row]}
    (tmp_path / "maxsim.json").write_text(json.dumps(one), encoding="utf-8")
    evidence = read([tmp_path])
    drawing = maxsim(evidence, _view(evidence))
    assert ">t199<" in drawing.panels[0]
    assert len(re.findall(r">t\d+<", drawing.panels[0])) == TOKENS


def test_the_command_writes_the_same_page_again_and_says_so(folders: list[Path], tmp_path: Path, whole: Report) -> None:
    page, text = tmp_path / "new" / "r.html", tmp_path / "r.md"
    options = ["--out", str(page), "--markdown", str(text), "--pair", "soup"]
    done = CliRunner().invoke(app, ["report", *map(str, folders), *options])
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    assert said == {"html": str(page), "markdown": str(text), "drawn": list(FIGURES), "missing": {}}
    assert page.read_text(encoding="utf-8") == whole.html
    assert text.read_text(encoding="utf-8") == whole.markdown
    refused = CliRunner().invoke(app, ["report", str(folders[0]), "--out", str(tmp_path)])
    assert isinstance(refused.exception, InputError)


# What a person would look for: the page no wider than its window, figures with a size, no text or panel over the edge.
MEASURE = """<script>addEventListener("load", () => {
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const box = (node) => node.getBoundingClientRect();
  const scrolls = (node) => node && (getComputedStyle(node).overflowX === "auto" || scrolls(node.parentElement));
  const shade = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
  const figures = all("main section").filter((one) => one.querySelector("svg"));
  const over = all("body *").filter((one) => !one.closest("svg") && !scrolls(one) && box(one).right > innerWidth + 1);
  const cut = (svg) => all("text", svg).some((text) =>
    box(text).right > box(svg).right + 2 || box(text).left < box(svg).left - 2);
  parent.postMessage(JSON.stringify({
    wide: innerWidth, scroll: document.documentElement.scrollWidth, over: over.map((one) => one.outerHTML.slice(0, 80)),
    figures: figures.map((one) => one.id), flat: all("svg").filter((one) => box(one).height < 60).length,
    small: all("svg text").filter((one) => box(one).height < 7).length, cut: all("svg").filter(cut).length,
    paper: shade(getComputedStyle(document.body).backgroundColor),
    ink: shade(getComputedStyle(document.querySelector("svg text")).fill) }), "*");
});</script></body>"""
# A browser's own window is never as narrow as a phone, so the page stands in a frame that is.
FRAME = """<!DOCTYPE html><html style="color-scheme: light dark"><body><pre id="measured"></pre><script>
addEventListener("message", (event) => {{ document.getElementById("measured").textContent = event.data; }});
</script><iframe src="report.html" width="{width}" height="900" style="border: 0"></iframe></body></html>"""


def _browser() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), "")
    if not found and os.environ.get("LITOTES_BROWSER") == "required":
        pytest.fail(f"no browser on the PATH: none of {', '.join(BROWSERS)}")
    if not found:
        pytest.skip(f"needs a browser: none of {', '.join(BROWSERS)} is on the PATH")
    return found


def _measured(folder: Path, html: str, width: int, scheme: str) -> dict[str, Any]:
    """What the page measures in a window of that width."""
    browser = _browser()
    (folder / "report.html").write_text(html.replace("</body>", MEASURE), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(FRAME.format(width=width), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
    options += ["--window-size=1400,1000", f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"]
    command = [browser, *options, "--virtual-time-budget=10000", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    seen = re.search(r'<pre id="measured">(.+?)</pre>', done.stdout)
    assert seen, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(unescape(seen[1]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_shows_it_whole(whole: Report, tmp_path: Path, width: int, scheme: str) -> None:
    found = _measured(tmp_path, whole.html, width, scheme)
    assert found["wide"] == width
    assert found["scroll"] <= width
    assert found["over"] == []
    assert tuple(found["figures"]) == FIGURES
    assert (found["flat"], found["small"], found["cut"]) == (0, 0, 0)
    paper, ink = found["paper"], found["ink"]
    assert (paper < 60 and ink > 190) if scheme == "dark" else (paper > 190 and ink < 80)


def test_what_queries_left_out_is_shown_and_escaped(tmp_path: Path) -> None:
    folder = made.write_bench(tmp_path / "bench")
    example = {"query": "soups <b> other than borscht", "kept": "soups <b>", "excluded": ["borscht"]}
    example |= {"cues": ["other than"], "rules": ["“other than” takes out what follows"]}
    line = {"task": "excluir", "queries": 3, "fired": 1, "examples": [example]}
    (folder / "exclusions.json").write_text(json.dumps([line]), encoding="utf-8")
    found = report([folder])
    assert "exclusions" in found.drawn
    assert "excluir: 1 of 3 queries leave something out" in found.html
    assert "soups &lt;b&gt; other than borscht" in found.html
    (folder / "exclusions.json").write_text(json.dumps([{"task": "excluir"}]), encoding="utf-8")
    with pytest.raises(InputError, match="Expected task, queries, fired and examples"):
        report([folder])
