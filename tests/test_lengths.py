"""Length statistics of anchors and triples, worked out by hand, and the command that prints them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.data.lengths import Lengths, text_lengths, triple_lengths
from litotes.data.triple_files import read_triples
from litotes.errors import InputError
from litotes.types import Triple


def _of(words: int) -> str:
    return " ".join(["word"] * words)


def test_the_figures_of_lengths() -> None:
    lengths = text_lengths(_of(words) for words in (2, 4, 4, 14, 15, 30, 31, 60))
    # 160 words in 8 texts; 2, 4, 4, 14 are under 15 and 31, 60 over 30
    assert lengths.line() == {
        "texts": 8,
        "mean": 20.0,
        "5%": 2,
        "25%": 4,
        "median": 14,
        "75%": 30,
        "95%": 60,
        "longest": 60,
        "under 15 words, %": 50.0,
        "over 30 words, %": 25.0,
    }


def test_words_are_separated_by_white_space() -> None:
    lengths = text_lengths(["  One\ttwo\nthree ", "", "semi-detached, isn't it?"])
    assert lengths.counts == {3: 2, 0: 1}
    assert lengths.mean() == 2.0


def test_without_texts_only_their_number_is_returned() -> None:
    assert Lengths().line() == {"texts": 0}
    assert (Lengths().mean(), Lengths().quantile(0.5)) == (0.0, 0)
    assert triple_lengths([]).line() == {
        "triples": 0,
        "anchor": {"texts": 0},
        "positive": {"texts": 0},
        "negative": {"texts": 0},
        "by positive kind": {},
        "by negative kind": {},
    }


def _triple(anchor: int, positive: int, negative: int, kinds: tuple[str, str] = ("word", "verbal")) -> Triple:
    return Triple("x", _of(anchor), _of(positive), _of(negative), *kinds, ("", ""))


TRIPLES = [_triple(4, 6, 5), _triple(4, 5, 5), _triple(10, 10, 8, ("phrase", "lexical")), _triple(10, 11, 10, ("", ""))]


def test_triples_by_role_and_kind() -> None:
    lengths = triple_lengths(iter(TRIPLES))
    line = lengths.line()
    assert line["triples"] == 4
    assert [line[role]["mean"] for role in ("anchor", "positive", "negative")] == [7.0, 8.0, 7.0]
    # positives 2, 1, 0 and 1 words away from their anchors, negatives 1, 1, 2 and 0
    assert (line["positive"]["length difference"], line["negative"]["length difference"]) == (1.0, 1.0)
    assert "length difference" not in line["anchor"]
    assert {kind: row["mean"] for kind, row in line["by positive kind"].items()} == {
        "word": 5.5,
        "(none)": 11,
        "phrase": 10,
    }
    assert list(line["by negative kind"]) == ["verbal", "(none)", "lexical"]
    assert lengths.histogram_values()["words of anchors"] == [4, 4, 10, 10]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "triples.jsonl"
    path.write_text("\n" + "\n".join(json.dumps(triple.line()) for triple in TRIPLES), encoding="utf-8")
    return path


def test_written_triples_are_read(file: Path, tmp_path: Path) -> None:
    assert list(read_triples(file)) == TRIPLES
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"anchor": "a", "positive": "b", "negative": "c"}\n', encoding="utf-8")
    assert list(read_triples(bare)) == [Triple("1", "a", "b", "c", "", "", ("", ""))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"anchor": "a", "positive": "b"}',
            "line 1: expected the texts anchor, positive, negative; negative is missing",
        ),
        ('{"anchor": "a", "positive": "b", "negative": "c", "cues": ["x"]}', "line 1: cues is .*; expected two"),
        ("[1]", "line 1: expected a JSON object"),
    ],
)
def test_malformed_triples_are_errors(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        list(read_triples(path))


def test_the_command_reads_triples_from_a_file_or_a_pipe(file: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["data", "stats", str(file)])
    assert json.loads(done.output)["triples"] == 4
    piped = CliRunner().invoke(app, ["data", "stats", "-"], input=file.read_text(encoding="utf-8"))
    assert piped.output == done.output
    arguments = ["data", "stats", "--table", "--plot", str(tmp_path / "p.png"), str(file)]
    table = CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})
    assert "negatives" in table.output
    assert "lexical" in table.output
    assert (tmp_path / "p.png").stat().st_size > 1000


def test_the_command_reads_contrasts_from_a_file_or_a_pipe(tmp_path: Path) -> None:
    line = '{"id": "a", "q1": "lakes that do not freeze", "q2": "lakes that freeze", "doc1": "Orm.", "doc2": "Elm."}\n'
    path = tmp_path / "contrasts.jsonl"
    path.write_text(line, encoding="utf-8")
    for arguments, piped in (([str(path)], None), (["-"], line)):
        done = CliRunner().invoke(app, ["data", "stats", *arguments], input=piped)
        assert json.loads(done.output)["question 1 length"] == 5.0
