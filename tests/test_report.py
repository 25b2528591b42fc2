"""Test what the report reads, ranks and draws, and how a real browser shows it."""

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
from litotes.cli.app import app
from litotes.errors import InputError
from litotes.reporting import report, tables
from litotes.reporting.figures import ModelComparison
from litotes.reporting.labels import place_labels, short_names
from litotes.reporting.page import Report
from litotes.reporting.published_results import PAPERS, read_published_results
from litotes.reporting.report_data import ReportData, read_folders
from litotes.reporting.similarity import MAX_TOKENS, maxsim_figure, minimal_pairs_figure
from litotes.reporting.svg import drawable_text
from litotes.reporting.tables import leaderboards
from litotes.reporting.tradeoff import Point, Tradeoff, measured_tradeoff, number_points
from tests import report_results

FIGURES = ("tradeoff", "kinds", "intervals", "errors", "minimal-pairs", "demetr", "maxsim", "curves")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCHEMES = {"dark": 0, "light": 1}
NAN = math.nan


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    home = tmp_path_factory.mktemp("report")
    return [report_results.write_bench(home / "bench"), report_results.write_training(home / "tower")]


@pytest.fixture(scope="module")
def full_report(folders: list[Path]) -> Report:
    return report(folders)


def _comparison(data: ReportData) -> ModelComparison:
    return ModelComparison(short_names(data.models), data.models[0])


def test_model_names_are_shortened_unless_they_would_clash() -> None:
    names = ["dense:/a/x", "dense:/b/x", "dense:/b/y/", "bm25", "cross:org/z"]
    assert list(short_names(names).values()) == ["dense:/a/x", "dense:/b/x", "dense:y", "bm25", "cross:z"]


def test_labels_overlap_neither_each_other_nor_the_edge() -> None:
    boxes = place_labels([(50, 50), (52, 50), (195, 50)], ["one", "two", "three"], (0, 0, 200, 100), size=10, gap=6)
    # A letter is 5.8 wide. The first label is on the right, so the second is on the left. On the right, the third
    # would cross the edge.
    assert [(round(box[0], 1), round(box[2], 1)) for box in boxes] == [(56.0, 73.4), (28.6, 46.0), (160.0, 189.0)]


def test_published_results_name_their_paper_and_match_the_printed_values() -> None:
    results = read_published_results()
    assert {result.paper for result in results} == set(PAPERS)
    values = {(result.paper, result.system, result.task, result.slice): result.value for result in results}
    assert len(values) == len(results), "no result is listed twice"
    assert values["HedgeTriple", "HedgeMPNet", "nevir", "all"] == 40.56
    assert values["HedgeTriple", "NegMPNet", "mteb", "retrieval"] == 36.12
    assert values["NevIR", "TF-IDF", "nevir", "all"] == 2
    assert values["CANNOT", "NegBLEURT", "demetr", "perturbation: critical_negation"] == 0.93
    assert values["taxonomy", "MultiQA, mixed data", "ms-marco", "epoch 20"] == 1


def test_leaderboard_ranks_measured_models_and_marks_published_results(folders: list[Path]) -> None:
    data = read_folders(folders)
    boards = {table.title: table for table in leaderboards(data, short_names(data.models))}
    assert list(boards) == ["negation", "sensitivity", "general", "published: MTEB"]
    negation = boards["negation"]
    assert [row.name for row in negation.measured] == ["dense:litotes-mini", "dense:minilm", "bm25"]
    # (20 + 65 + 30 + 16) / 4, and for the paper (40.56 + 73.09 + 55.68 + 47.34) / 4.
    last = negation.measured[0].cells[-1]
    assert last is not None
    assert last.value == 32.75
    hedge = next(row for row in negation.published if row.name == "HedgeMPNet")
    mean = hedge.cells[-1]
    assert mean is not None
    assert mean.value == pytest.approx(54.1675)
    assert [cell.split if cell else None for cell in hedge.cells[:2]] == ["test", "test"]
    best = [cell.best if cell else None for cell in (row.cells[0] for row in negation.measured)]
    assert best == [True, False, False]
    nevir = next(results for results in negation.single_results if results.paper == "NevIR")
    assert nevir.values[:2] == (("humans", "100.0"), ("monoT5 3B", "50.6"))
    assert [row.name for row in boards["general"].measured][-1] == "bm25", "without a general mean it comes last"


def test_value_that_could_not_be_computed_is_a_dash(tmp_path: Path) -> None:
    lines = [report_results.result("a", "stsb", "Spearman", 80.0), report_results.result("b", "stsb", "Spearman", None)]
    lines.append(report_results.result("b", "sick", "Spearman", 70.0))
    (tmp_path / "results.json").write_text(json.dumps(lines), encoding="utf-8")
    assert "| b | – | 70.0 (67.0–73.0) |" in report([tmp_path]).markdown


def test_tradeoff_has_the_models_that_were_measured_on_both_axes(folders: list[Path]) -> None:
    data = read_folders(folders)
    tradeoff = measured_tradeoff(data, _comparison(data))
    assert tradeoff is not None
    # The base has (8 + 62 + 18 + 16) / 4.
    assert [(point.name, point.x, point.y) for point in tradeoff.points] == [
        ("dense:minilm", 77, 26),
        ("dense:litotes-mini", 78, 32.75),
    ]
    assert [point.name for point in tradeoff.pareto_front()] == ["dense:litotes-mini"]


def test_points_are_numbered_if_their_names_do_not_fit() -> None:
    few = Tradeoff((Point("low", 1, 1), Point("high", 0, 2)), "x", "y")
    assert number_points(few) == (few, {})
    long = replace(few, points=(*few.points, Point("a" * 30, 3, 0)))
    numbered, names = number_points(long)
    assert names == {"1": "high", "2": "low", "3": "a" * 30}
    assert [(point.name, point.y) for point in numbered.points] == [("1", 2), ("2", 1), ("3", 0)]


def test_long_name_keeps_both_ends() -> None:
    assert drawable_text("a-model-with-a-name-11", 11) == "a-mod…me-11"
    assert drawable_text("tab\there") == "tab·here"


def test_minimal_pairs_are_read_from_the_rows_of_series_or_from_a_file(folders: list[Path], tmp_path: Path) -> None:
    data = read_folders(folders)
    assert len(data.minimal_pairs[report_results.BASE]) == 40, "the swapped sentence is not a minimal pair"
    assert min(data.minimal_pairs[report_results.BASE]) == pytest.approx(0.9 - 8 / 40)
    assert report_results.WORDS not in data.cosines
    assert data.skipped == {report_results.WORDS: {"banking77": "the task needs vectors"}}
    (tmp_path / "minimal_pairs.json").write_text('{"model": "x", "cosines": [0.5, null, 0.25]}', encoding="utf-8")
    assert read_folders([tmp_path]).minimal_pairs == {"x": (0.5, 0.25)}


def test_model_with_two_signatures_is_shown_as_two_models(tmp_path: Path) -> None:
    for name, signature in (("a", "dial:0.1"), ("b", "dial:0.2"), ("c", "dial:0.1")):
        (tmp_path / name).mkdir()
        line = report_results.result("m", "stsb", "Spearman", 80.0, signature=signature)
        (tmp_path / name / "results.json").write_text(json.dumps([line]), encoding="utf-8")
    assert read_folders([tmp_path / name for name in "abc"]).models == ("m", "m (2)")


def test_curves_are_read_by_step(folders: list[Path]) -> None:
    (run,) = read_folders(folders).curves
    assert (run.run, run.against, list(run.lines)) == ("tower", "step", ["loss", "nevir"])
    assert run.lines["nevir"] == [(5, 13), (10, 18)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("results.json", "{", "not JSON"),
        ("results.json", "[1]", "expected a JSON object or a list of JSON objects"),
        ("results.json", '[{"model": "x"}]', "result 1: 'task' is missing"),
        ("minimal_pairs.json", '{"model": "x", "cosines": ["warm"]}', "expected"),
        (
            "maxsim.json",
            '{"model": "x", "query_tokens": ["a"], "document_tokens": ["b"], "matrix": [[1, 2]]}',
            "1 rows",
        ),
        ("curves.jsonl", '{"loss": 1}', "step or epoch is missing"),
        ("curves.jsonl", "loss", "line 1: not JSON"),
    ],
)
def test_error_names_the_malformed_file_and_what_is_expected(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        report([tmp_path])
    assert name in str(caught.value)


def test_empty_folders_and_unknown_names_are_errors(folders: list[Path], tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=r"results\.json"):
            report([folder])
    with pytest.raises(InputError, match="'dense:minilm'"):
        report(folders, base="minilm")
    with pytest.raises(InputError, match="'soup', 'stew'"):
        report(folders, pairs=["broth"])


def test_every_figure_is_drawn_and_the_page_loads_nothing(full_report: Report) -> None:
    assert full_report.drawn == FIGURES
    assert full_report.missing == {}
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)|url\((?!#)|@import|<script|<link""", full_report.html)
    ids = _ids(full_report.html)
    assert len(ids) == len(set(ids))
    assert {"leaderboard", *FIGURES} <= set(ids)
    for svg in re.findall(r"<svg.*?</svg>", full_report.html, flags=re.DOTALL):
        ElementTree.fromstring(svg.replace("xlink:href", "href"))
        assert not re.search(r"(?:fill|stroke): #", svg), "fixed colours would not follow dark mode"


def _ids(html: str) -> list[str]:
    ids: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            ids.extend(value or "" for name, value in attrs if name == "id")

    Reader().feed(html)
    return ids


def test_missing_figures_are_listed_with_the_reason(tmp_path: Path) -> None:
    report_results.write_training(tmp_path)
    page = report([tmp_path])
    assert page.drawn == ("curves",)
    assert set(page.missing) == set(FIGURES) - {"curves"}
    for reason in page.missing.values():
        assert reason.split("{")[0] in page.html.replace("&#34;", '"')
    assert "## Missing from this report" in page.markdown


def test_names_of_models_are_escaped(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)> $a$ | \n&"
    lines = [report_results.result(name, "nevir", "pairwise accuracy", 8.0), *report_results.by_kind(name, 50)]
    (tmp_path / "results.json").write_text(json.dumps(lines), encoding="utf-8")
    page = report([tmp_path])
    assert "<img" not in page.html
    assert "| &lt;img src=x onerror=alert(1)> $a$ \\| & |" in page.markdown


def test_chosen_pair_is_drawn_for_each_model(folders: list[Path]) -> None:
    data = read_folders(folders)
    figure = maxsim_figure(data, ModelComparison(short_names(data.models), "late:new"), ["stew"])
    # The best matches are 0.9, 0.2, 0.8, 0.3 before training; afterwards "no" matches "without" with 0.7.
    assert [re.findall(r"late:\w+: [\d.]+", panel) for panel in figure.panels] == [
        ["late:new: 2.70"],
        ["late:old: 2.20"],
    ]
    assert "Other pairs, for --pair: “soup”." in figure.caption


def test_models_are_called_before_and_after_if_the_base_is_named(folders: list[Path]) -> None:
    data = read_folders(folders)
    for named, labels in ((True, ["dense:litotes-mini, before", "dense:minilm, after"]), (False, [])):
        (panel,) = minimal_pairs_figure(
            data, ModelComparison(short_names(data.models), report_results.TUNED, base_is_named=named)
        ).panels
        assert re.findall(r">([^<]*, (?:before|after))<", panel) == labels


@pytest.mark.parametrize(
    ("low", "high", "shown"), [(16, 24.42, "16.0–24.4"), (-2.82, -2.36, "-2.8 to -2.4"), (NAN, NAN, "")]
)
def test_format_of_intervals(low: float, high: float, shown: str) -> None:
    assert tables.Cell(1, low, high).interval(1) == shown


def test_long_document_keeps_every_best_match(tmp_path: Path) -> None:
    row = [0.0] * 199 + [1.0]
    tokens = {"query_tokens": ["no"], "document_tokens": [f"t{index}" for index in range(200)]}
    maxsim = {"model": "m", **tokens, "matrix": [row]}
    (tmp_path / "maxsim.json").write_text(json.dumps(maxsim), encoding="utf-8")
    data = read_folders([tmp_path])
    figure = maxsim_figure(data, _comparison(data))
    assert ">t199<" in figure.panels[0]
    assert len(re.findall(r">t\d+<", figure.panels[0])) == MAX_TOKENS


def test_command_writes_the_same_page(folders: list[Path], tmp_path: Path, full_report: Report) -> None:
    page, text = tmp_path / "new" / "r.html", tmp_path / "r.md"
    options = ["--out", str(page), "--markdown", str(text), "--pair", "soup"]
    done = CliRunner().invoke(app, ["report", *map(str, folders), *options])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert printed == {"html": str(page), "markdown": str(text), "drawn": list(FIGURES), "missing": {}}
    assert page.read_text(encoding="utf-8") == full_report.html
    assert text.read_text(encoding="utf-8") == full_report.markdown
    refused = CliRunner().invoke(app, ["report", str(folders[0]), "--out", str(tmp_path)])
    assert isinstance(refused.exception, InputError)


# Checks what a person would notice: a page wider than its window, figures without height, text or panels over the edge.
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
# A browser window cannot be as narrow as a phone, so the page is shown in an iframe.
FRAME = """<!DOCTYPE html><html style="color-scheme: light dark"><body><pre id="measured"></pre><script>
addEventListener("message", (event) => {{ document.getElementById("measured").textContent = event.data; }});
</script><iframe src="report.html" width="{width}" height="900" style="border: 0"></iframe></body></html>"""


def _browser() -> str:
    path = next((path for name in BROWSERS if (path := shutil.which(name))), "")
    if not path and os.environ.get("LITOTES_BROWSER") == "required":
        pytest.fail(f"no browser on the PATH: none of {', '.join(BROWSERS)}")
    if not path:
        pytest.skip(f"needs a browser: none of {', '.join(BROWSERS)} is on the PATH")
    return path


def _measure_in_browser(folder: Path, html: str, width: int, scheme: str) -> dict[str, Any]:
    """Return what MEASURE reports for a window of that width."""
    browser = _browser()
    (folder / "report.html").write_text(html.replace("</body>", MEASURE), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(FRAME.format(width=width), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
    options += ["--window-size=1400,1000", f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"]
    command = [browser, *options, "--virtual-time-budget=10000", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    measured = re.search(r'<pre id="measured">(.+?)</pre>', done.stdout)
    assert measured, done.stderr[-2000:]
    measurements: dict[str, Any] = json.loads(unescape(measured[1]))
    return measurements


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_browser_shows_the_whole_page(full_report: Report, tmp_path: Path, width: int, scheme: str) -> None:
    measured = _measure_in_browser(tmp_path, full_report.html, width, scheme)
    assert measured["wide"] == width
    assert measured["scroll"] <= width
    assert measured["over"] == []
    assert tuple(measured["figures"]) == FIGURES
    assert (measured["flat"], measured["small"], measured["cut"]) == (0, 0, 0)
    paper, ink = measured["paper"], measured["ink"]
    assert (paper < 60 and ink > 190) if scheme == "dark" else (paper > 190 and ink < 80)


def test_exclusions_are_shown_and_escaped(tmp_path: Path) -> None:
    folder = report_results.write_bench(tmp_path / "bench")
    example: dict[str, Any] = {"query": "soups <b> other than borscht", "kept": "soups <b>", "excluded": ["borscht"]}
    example |= {"cues": ["other than"], "cue_spans": [[10, 20]], "excluded_spans": [[21, 28]]}
    line = {"task": "excluir", "queries": 3, "fired": 1, "examples": [example]}
    (folder / "exclusions.json").write_text(json.dumps([line]), encoding="utf-8")
    page = report([folder])
    assert "exclusions" in page.drawn
    assert "excluir: 1 of 3 queries exclude something" in page.html
    assert "soups &lt;b&gt; <i>other than</i> <s>borscht</s>" in page.html
    (folder / "exclusions.json").write_text(json.dumps([{"task": "excluir"}]), encoding="utf-8")
    with pytest.raises(InputError, match="expected task, queries, fired and examples"):
        report([folder])


def test_progress_is_called_after_each_figure(folders: list[Path]) -> None:
    steps: list[tuple[str, int, int]] = []
    report(folders, progress=lambda *step: steps.append(step))
    assert [done for _, done, _ in steps] == list(range(1, len(steps) + 1))
    assert {total for _, _, total in steps} == {len(steps)}
