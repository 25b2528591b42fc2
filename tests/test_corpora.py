"""The measures of benchmarks/corpora.py, on a few of our own sentences in the formats of the corpora."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.corpora import (
    annotated,
    guidelines,
    half_of,
    measure_bioscope,
    measure_cdsco,
    read_bioscope,
    read_cdsco,
    together,
)

import litotes


def _row(number: int, word: str, *columns: str) -> str:
    return "\t".join(("ours", "0", str(number), word, word, "X", "*", *columns))


def _write(folder: Path) -> Path:
    first = [
        _row(0, "The", "_", "The", "_"),
        _row(1, "lamp", "_", "lamp", "_"),
        _row(2, "is", "_", "is", "_"),
        _row(3, "n't", "n't", "_", "_"),
        _row(4, "on", "_", "on", "on"),
        _row(5, ".", "_", "_", "_"),
    ]
    second = [_row(0, "It", "***"), _row(1, "rained", "***"), _row(2, ".", "***")]
    # contains only a cue that the guidelines of the corpus do not count
    third = [_row(i, word, "***") for i, word in enumerate(["He", "refused", "to", "pay", "."])]
    file = folder / "cdsco.txt"
    file.write_text("\n\n".join("\n".join(rows) for rows in (first, second, third)) + "\n", encoding="utf-8")
    return file


def test_words_are_joined_into_text() -> None:
    text, spans = together(["``", "You", "can", "not", ",", "''", "he", "did", "n't", "say", "."])
    assert text == '"You cannot," he didn\'t say.'
    assert [text[start:end] for start, end in spans][:4] == ['"', "You", "can", "not"]


def test_a_cdsco_file_is_read(tmp_path: Path) -> None:
    sentences = list(read_cdsco(_write(tmp_path)))
    assert [len(negations) for _, negations in sentences] == [1, 0, 0]
    assert sentences[0][1][0].cue == {3: "n't"}
    assert sentences[0][1][0].scope == {0, 1, 2, 4}


def test_cdsco_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measure_cdsco(_write(tmp_path), 5)
    shown = capsys.readouterr().out
    assert shown.count("F1 100.0") == 3


def test_bioscope_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "b.xml"
    file.write_text(
        "<Annotation><sentence id='S1'>Zinc <xcope id='X1'><cue type='speculation' ref='X1'>may</cue> help</xcope>."
        "</sentence><sentence id='S2'>It <xcope id='X2'>could <cue type='negation' ref='X2'>not</cue> be seen</xcope>."
        "</sentence><sentence id='S3'>The lamp is unlit and somewhat old.</sentence></Annotation>",
        encoding="utf-8",
    )
    rows = list(read_bioscope(file))
    assert rows[1][1] == "It could not be seen."
    assert rows[1][2] == {"negation": {((9, 12),)}}
    measure_bioscope(file, "all", 5)
    shown = capsys.readouterr().out
    assert shown.count("F1 100.0") == 2


def test_the_guidelines_of_each_corpus() -> None:
    text = "He hardly refused an unlit room."
    hardly, refused, unlit = litotes.detect(text).negations
    rules = guidelines("cdsco")
    assert not annotated(rules, "negation", text, hardly)
    assert not annotated(rules, "negation", text, refused)
    assert annotated(rules, "negation", text, unlit)
    assert not annotated(guidelines("bioscope"), "negation", text, unlit)


def test_the_half_of_an_item_depends_on_its_id() -> None:
    assert {half_of(f"S{number}") for number in range(20)} == {"select", "report"}
    # sha256("S1.1") ends in d: odd
    assert half_of("S1.1") == "report"
