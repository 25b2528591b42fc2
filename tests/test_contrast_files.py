"""Contrast files: reading, statistics, the writing rule, annotation and its agreement, plots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from litotes.data import open_contrasts, read_contrasts, taxonomy_benchmark
from litotes.data.annotation import Annotation, label_studio_config, label_studio_tasks, ranking_sheet, read_annotations
from litotes.data.contrast_statistics import histogram_values, measure_contrasts, summary
from litotes.data.writing_rule import breaches
from litotes.errors import InputError
from litotes.evaluation import agreement, classifier_figures, score_sheet
from litotes.reporting import bars, confusion_matrix, histograms
from litotes.types import Contrast

PAIR = Contrast(
    "1", "lakes that freeze", "lakes that do not freeze", "Lake Orm freezes.", "Lake Elm does not freeze.", "sentential"
)


def test_both_formats_are_read(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    nevir = {"id": 7, "q1": "a", "q2": "b", "doc1": "c", "doc2": "d", "kind": "mid"}
    excluir = {"query": "a", "positive": "c", "negative": "d"}
    file.write_text(f"\ufeff{json.dumps(nevir)}\n\n{json.dumps(excluir)}\n", encoding="utf-8")
    assert list(read_contrasts(file)) == [
        Contrast("7", "a", "b", "c", "d", "mid"),
        Contrast("3", "a", None, "c", "d"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: expected a JSON object"),
        ('{"q1": "a"}', "doc1 is missing"),
        ('{"q1": 3, "doc1": "c", "doc2": "d"}', "q1 is missing or is not a text"),
        ('{"q1": "a", "q2": 4, "doc1": "c", "doc2": "d"}', "q2 is neither"),
        ('{"query": "a", "positive": "c"}', "negative is missing"),
    ],
)
def test_an_error_names_the_malformed_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "c.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        list(read_contrasts(file))


def test_shipped_files_are_opened_by_name() -> None:
    assert tuple(open_contrasts("taxonomy:dev")) == taxonomy_benchmark("dev")
    with pytest.raises(InputError, match="no file 'nowhere'"):
        open_contrasts("nowhere")


def test_statistics_by_hand() -> None:
    single = Contrast("2", "one two", None, "a b c", "a b")
    rows = measure_contrasts([PAIR, single])
    # the queries: do, not; the documents: orm, freezes, elm, does, not, freeze
    assert (rows[0].q1, rows[0].q2, rows[0].query_words) == (3, 5, 2)
    assert (rows[0].doc1, rows[0].doc2, rows[0].document_words) == (3, 5, 6)
    assert (rows[1].q2, rows[1].query_words, rows[1].document_words) == (None, None, 1)
    figures = summary(rows)
    assert figures["pairs"] == 2
    assert figures["question 1 length"] == 2.5
    assert figures["question length difference"] == 2.0
    assert figures["document length difference"] == 1.5
    assert summary([])["question 1 length"] is None
    assert "words in one query only" not in histogram_values(measure_contrasts([single]))


def test_the_writing_rule() -> None:
    by_query = {breach.query: breach for breach in breaches(PAIR)}
    # only doc2 contains "freeze" and "not"; no document contains "lakes", "that" or "do"
    assert (by_query["q1"].in_doc1, by_query["q1"].in_doc2) == ((), ("freeze",))
    assert by_query["q2"].in_doc2 == ("freeze", "not")
    assert breaches(Contrast("x", "cold lakes", None, "A lake.", "A cold sea that is cold, and a cold lake.")) != []
    assert breaches(Contrast("x", "the lakes of it", None, "It is the one.", "A sea.")) == []


def _answered(task: dict[str, Any], annotator: int, *, right: bool = True, grade: int = 4) -> dict[str, Any]:
    """Return what Label Studio exports for a task with right or with wrong answers."""
    data = task["data"]
    same = data["queries_swapped"] == data["documents_swapped"]
    first = "Document 1" if same == right else "Document 2"
    second = "Document 2" if first == "Document 1" else "Document 1"
    shown = {"q1": "Query 2", "q2": "Query 1"} if data["queries_swapped"] else {"q1": "Query 1", "q2": "Query 2"}
    answers = {"relevance_1": [first], "relevance_2": [second], "negation": [shown["q1"]]}
    answers |= {name: [f"{grade}: whatever"] for name in ("naturalness", "coherence", "consistency")}
    results = [{"from_name": name, "value": {"choices": values}} for name, values in answers.items()]
    return {"completed_by": annotator, "result": results}


def test_annotations_are_mapped_back_to_the_original_order(tmp_path: Path) -> None:
    items = [item for item in taxonomy_benchmark("dev") if item.kind == "sentential"][:8]
    made = label_studio_tasks(items, seed=3)
    assert {task["data"]["queries_swapped"] for task in made} == {True, False}
    assert made == label_studio_tasks(items, seed=3)
    assert made != label_studio_tasks(items, seed=4)
    for task in made:
        task["annotations"] = [_answered(task, 1), _answered(task, 2, right=False, grade=5)]
        task["annotations"].append({"was_cancelled": True, "result": []})
    file = tmp_path / "export.json"
    file.write_text(json.dumps(made), encoding="utf-8")
    annotations = read_annotations(file)
    assert len(annotations) == 16
    by_annotator = {name: [row for row in annotations if row.annotator == name] for name in ("1", "2")}
    assert [row.id for row in by_annotator["1"]] == [item.id for item in items]
    assert {row.relevance for row in by_annotator["1"]} == {("doc1", "doc2")}
    assert {row.relevance for row in by_annotator["2"]} == {("doc2", "doc1")}
    assert all(row.negation == {"q1"} for row in annotations)


def test_agreement_by_hand() -> None:
    def annotation(name: str, annotator: str, relevance: tuple[str, str], grades: tuple[int, int, int]) -> Annotation:
        return Annotation(name, "sentential", annotator, relevance, frozenset({"q1"}), grades)

    figures = agreement(
        [
            annotation("a", "1", ("doc1", "doc2"), (4, 4, 4)),
            annotation("a", "2", ("doc1", "doc1"), (4, 5, 4)),
            annotation("b", "1", ("doc2", "doc2"), (2, 3, 4)),
            annotation("b", "2", ("doc1", "doc2"), (2, 4, 4)),
        ]
    )["all"]
    assert figures["q1 accuracy"] == figures["q2 accuracy"] == 0.75
    # q1 is marked, q1 and doc1 have a negation: one right and one missed per annotation: 2·1/(2·1+1)
    assert figures["q3 negation F1"] == pytest.approx(0.6667)
    assert figures["q4 naturalness"] == 3.0
    # (doc1, doc1) and (doc2, doc1): the agreement is 1/2, by chance (1·2 + 1·0)/4 = 1/2
    assert figures["q1 kappa"] == 0.0
    assert figures["q3 kappa"] == 1.0
    assert figures["q4 naturalness weighted kappa"] == 1.0
    # 4, 3 against 5, 4: the squared difference is 1; by chance it is 1, 0, 4 or 1, with the mean 1.5
    assert figures["q5 coherence weighted kappa"] == pytest.approx(1 - 1 / 1.5, abs=1e-4)
    assert agreement([])["all"]["annotations"] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "not JSON"), ("{}", "a list of tasks"), ('[{"data": {"id": "x"}, "annotations": [{}]}]', "task x")],
)
def test_malformed_exports_are_errors(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "export.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_annotations(file)


def test_a_contrast_without_a_second_query_cannot_be_annotated() -> None:
    with pytest.raises(InputError, match="no second query"):
        label_studio_tasks([Contrast("x", "a", None, "b", "c")])


def test_the_labeling_interface_has_six_questions() -> None:
    from xml.etree import ElementTree

    view = ElementTree.fromstring(label_studio_config())
    assert len(view.findall("Choices")) == 6
    names = {text.get("name") for text in view.findall("Text")}
    assert all(choices.get("toName") in names for choices in view.findall("Choices"))


def test_the_ranking_sheet_has_the_right_answers() -> None:
    items = taxonomy_benchmark("dev")[:10]
    rows = ranking_sheet(items, seed=1)
    assert len(rows) == 20
    assert {row["right"] for row in rows} == {"A", "B"}
    by_id = {item.id: item for item in items}
    for row in rows:
        name, query = row["item"].split("/")
        wanted = by_id[name].doc1 if query == "q1" else by_id[name].doc2
        assert row[row["right"]] == wanted


def test_a_completed_sheet_is_scored() -> None:
    key = {"a/q1": "A", "a/q2": "B", "b/q1": "A", "b/q2": "A"}
    figures = score_sheet({"a/q1": "a", "a/q2": " B", "b/q1": "B", "b/q2": ""}, key)
    assert figures == {"queries": 4, "answered": 3, "queries right, %": 50.0, "pairs": 2, "pairs right, %": 50.0}
    with pytest.raises(InputError, match="rows that are not in the key"):
        score_sheet({"c/q1": "A"}, key)


def test_a_classifier_is_compared_with_the_labels() -> None:
    result = classifier_figures(["mid", "mid", "none", "polar"], ["mid", "polar", "none", ""], signature="x|y")
    figures = result.figures()
    # recalls: mid 1/2, none 1, polar 0
    assert figures["balanced accuracy"]["value"] == 50.0
    assert figures["F1 by kind"]["mid"] == pytest.approx(66.67)
    assert result.kinds() == ["polar", "mid", "none", "unread"]
    assert result.confusion() == [[0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert figures["signature"] == "x|y"


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_plot_gives_the_same_file(tmp_path: Path, suffix: str) -> None:
    for turn in ("a", "b"):
        bars({"one": {"mid": 40.0, "none": 60.0}, "two": {"mid": 10.0}}, tmp_path / f"bars_{turn}{suffix}", title="t")
        histograms({"x": [1, 2, 2], "y": []}, tmp_path / f"hist_{turn}{suffix}", title="t")
        confusion_matrix([[2, 1], [0, 3]], ["mid", "none"], tmp_path / f"matrix_{turn}{suffix}", title="t")
    for name in ("bars", "hist", "matrix"):
        first, second = ((tmp_path / f"{name}_{turn}{suffix}").read_bytes() for turn in ("a", "b"))
        assert len(first) > 1000
        assert first == second


def test_a_plot_without_a_known_suffix_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be written as \.gif"):
        confusion_matrix([[1]], ["mid"], tmp_path / "x.gif", title="t")
