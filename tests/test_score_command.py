"""Test `litotes score`: sources of pairs, output formats, and malformed files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app
from litotes.errors import InputError
from litotes.metric import PairScorer
from litotes.metric.scorers import open_scorer

BASELINE = ("--metric", "cosine:dense:minilm", "--device", "cpu")


@pytest.fixture(autouse=True)
def load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share one loaded baseline between all calls of the command."""
    monkeypatch.setattr("litotes.metric.metric.open_scorer", _open_scorer)


@cache
def _open_scorer(name: str, *, device: str | None, batch: int) -> PairScorer:
    return open_scorer(name, device=device, batch=batch)


def _score(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, ["score", *BASELINE, *arguments], input=stdin)


def _file(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_lines_of_two_files_are_pairs_and_blank_lines_count(tmp_path: Path) -> None:
    references = _file(tmp_path / "r.txt", "The mill burned.\nThe barn stands.\n")
    others = _file(tmp_path / "s.txt", "A fire took the mill.\nThe mill stands.\n")
    candidates = _file(tmp_path / "c.txt", "The mill burned.\n\n")
    done = _score("--reference", references, "--reference", others, "--candidate", candidates)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"reference": "The mill burned.", "candidate": "The mill burned.", "score": 1.0},
        {"reference": "The barn stands.", "candidate": "", "score": 0.0},
    ]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "tsv"])
def test_columns_of_a_file_are_pairs(tmp_path: Path, suffix: str) -> None:
    content = {
        "jsonl": '{"gold": "“Rain”.", "mt": "“Rain”."}\n\n{"gold": ["Snow.", "It pours."], "mt": "It pours."}\n',
        "csv": 'id,gold,mt\n1,"Rain, rain.","Rain, rain."\n2,It pours.,It pours.\n',
        "tsv": 'gold\tmt\n"Rain\t"Rain\nIt pours.\tIt pours.\n',
    }[suffix]
    name = _file(tmp_path / f"pairs.{suffix}", content)
    done = _score(name, "--reference-column", "gold", "--candidate-column", "mt", "--plain")
    assert done.stdout == "1.0000\n1.0000\n"


def test_scores_before_a_malformed_line_of_standard_input_are_printed() -> None:
    lines = '{"reference": "It rains.", "candidate": "It rains."}\n{"reference": "It rains."}\n'
    done = _score("-", stdin=lines)
    assert json.loads(done.stdout.splitlines()[0])["score"] == 1.0
    assert isinstance(done.exception, InputError)
    assert "standard input, line 2: there is no column “candidate”, only reference" in str(done.exception)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"reference": "x", "candidate": 3}\n', "line 1: “candidate” is int; expected text"),
        ("a.jsonl", '{"reference": [], "candidate": "x"}\n', "line 1: “reference” is an empty list"),
        ("a.jsonl", "no JSON\n", "line 1: not JSON"),
        ("a.csv", "reference,candidate\nx\n", "line 2: “candidate” is empty; expected text"),
        ("a.csv", 'reference,candidate\n"x,y\n', "the table cannot be read"),
        ("a.txt", "x\n", "files with the suffix .txt cannot be read; .* give --reference FILE"),
    ],
)  # fmt: skip
def test_a_malformed_file_is_refused_with_its_line(tmp_path: Path, name: str, content: str, message: str) -> None:
    done = _score(_file(tmp_path / name, content))
    assert isinstance(done.exception, InputError)
    assert done.stdout == ""
    with pytest.raises(InputError, match=message):
        raise done.exception


def test_files_of_different_lengths_are_refused_with_both_counts(tmp_path: Path) -> None:
    done = _score("--reference", _file(tmp_path / "r.txt", "a\nb\n"), "--candidate", _file(tmp_path / "c.txt", "a\n"))
    assert "r.txt has 2 lines and" in str(done.exception)
    assert "c.txt has 1;" in str(done.exception)
    assert "there is no file" in str(_score("--reference", "no.txt", "--candidate", "no.txt").exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give FILE, or --candidate and --reference, or --text"),
        (("-", "--text", "a", "b"), "give FILE, or --candidate"),
        (("--reference", "r.txt"), "must be given together"),
        (("--reference", "-", "--candidate", "-"), "only one file can be standard input"),
        (("--text", "a", "b", "--corpus", "--explain"), "without --corpus"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_usage_errors(arguments: tuple[str, ...], message: str) -> None:
    done = _score(*arguments)
    assert done.exit_code == 2
    assert message in done.output


def test_the_corpus_score_has_an_interval_and_a_signature(tmp_path: Path) -> None:
    references = _file(tmp_path / "r.txt", "It rains.\nThe barn stands.\n")
    done = _score("--reference", references, "--candidate", "-", "--corpus", "--seed", "5", stdin="It rains.\n\n")
    line = json.loads(done.stdout)
    assert (line["metric"], line["score"], line["low"], line["high"], line["n"]) == (BASELINE[1], 0.5, 0.0, 1.0, 2)
    assert line["signature"].startswith("cosine:dense:minilm|v:")
    assert line["signature"].endswith("|norm:nfc.ws.yesno|refs:1|windows:sentence|resamples:1000|seed:5")
    plain = _score("--reference", references, "--candidate", "-", "--corpus", "--plain", stdin="It rains.\n\n")
    assert plain.stdout.split("\t")[:4] == ["0.5000", "0.0000", "1.0000", "2"]


def test_explanations_in_all_output_formats() -> None:
    pair = ("--text", "The dye is harmless.", "The dye is harmful.", "--explain")
    line = json.loads(_score(*pair, "--signature").stdout)
    (difference,) = line["differences"]
    assert (difference["kind"], difference["undone"]) == ("affix", "The dye is harmful.")
    assert line["score"] + difference["cost"] == pytest.approx(1, abs=2e-4)
    assert line["signature"].startswith("cosine:dense:minilm|")
    assert "“harmful” became “harmless”: −0." in _score(*pair, "--plain").stdout
    table = " ".join(_score(*pair, "--table").stdout.replace("│", " ").split())
    assert "“harmful” became “harmless”: −0." in table
    assert "windows:sentence" in table.replace(" ", "")


def test_a_table_of_scores_has_the_signature() -> None:
    table = _score("--table", "--text", "It rains.", "It rains.").stdout
    assert "1.00" in table
    assert "cosine:dense:minilm|v:" in table
