"""Benchmarks in training data: exact matches, n-grams, and every file format."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import litotes.cli.contamination  # noqa: F401  (registers the command)
from litotes.cli.app import app
from litotes.data.contamination import measure_contamination
from litotes.data.normalised_text import normalise
from litotes.data.overlap import OverlapIndex, OverlapMatch
from litotes.data.samples import read_samples
from litotes.errors import InputError

BENCHMARK = (
    # 11 words, four runs of eight; and six words, which are one run of their own
    {
        "id": "a",
        "query": "The grey heron waits at the edge of the quiet pond",
        "doc": "Herons eat frogs and small fish.",
    },
    # 18 words, eleven runs of eight
    {"id": "b", "doc": "The ferry leaves at noon. The bakery on the square opens at six and sells out by ten."},
    # eight words, one run
    {"id": "c", "query": "Nobody has seen the old lighthouse keeper since?"},
    {"id": "d", "query": "Which herons?", "doc": "Grey ones."},
)
TRAINING = (
    # has two runs of eight words of the query of a: "the grey … edge of" and "grey … edge of the"
    "At dawn the grey heron waits at the edge of the water.",
    # contains the document of a
    "Most herons eat frogs and SMALL fish in spring.",
    # is part of the document of b, and has one of its eleven runs
    "“The bakery on the square opens at six.”",
    # has fewer than five words, so it is ignored
    "The ferry leaves at.",
)


def _lines(path: Path, rows: Sequence[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    training = [{"anchor": text, "positive_kind": "word"} for text in TRAINING]
    return _lines(tmp_path / "train.jsonl", training), _lines(tmp_path / "bench.jsonl", BENCHMARK)


def test_figures_worked_out_by_hand(files: tuple[str, str]) -> None:
    data, against = files
    found = measure_contamination([data], [against])
    rows = {(row.id, row.field): row for row in found.rows}
    counts = {key: (row.found, row.ngrams, row.exact) for key, row in rows.items()}
    assert counts == {
        ("a", "query"): (2, 4, ""),
        ("a", "doc"): (1, 1, "inside"),
        ("b", "doc"): (1, 11, "around"),
        ("c", "query"): (0, 1, ""),
    }
    assert rows["a", "query"].common == "the grey heron waits at the edge of the"
    assert rows["a", "doc"].source == f"{data}, line 2, anchor"
    (figures,) = found.files()
    # a: 3 of 5, b: 1 of 11, c: none of 1; (0.6 + 0.0909 + 0) / 3
    assert {name: figures[name] for name in ("samples", "short", "exact", "overlapping", "mean_share")} == {
        "samples": 3,
        "short": 1,
        "exact": 2,
        "overlapping": 2,
        "mean_share": 0.2303,
    }
    assert figures["exact_share"] == figures["overlap_share"] == 0.6667
    # the query side: half of a's runs and none of c's
    assert figures["fields"]["query"] == {
        "texts": 2,
        "exact": 0,
        "exact_share": 0.0,
        "overlapping": 1,
        "overlap_share": 0.5,
        "mean_share": 0.25,
    }
    assert [(one["id"], one["field"]) for one in figures["worst"]] == [("a", "doc"), ("b", "doc"), ("a", "query")]
    assert found.texts == 3


def test_longer_ngrams_and_selected_fields(files: tuple[str, str]) -> None:
    data, against = files
    rows = {(row.id, row.field): row for row in measure_contamination([data], [against], ngram=9).rows}
    assert rows["a", "query"].found == 1
    assert rows["b", "doc"].found == 0
    # shorter than nine words, and not in the data
    assert (rows["c", "query"].found, rows["c", "query"].ngrams) == (0, 1)
    (figures,) = measure_contamination([data], [against], fields=["query"]).files()
    assert (figures["samples"], figures["exact"], figures["overlapping"]) == (2, 0, 1)


def test_a_file_compared_with_itself_matches_completely(files: tuple[str, str]) -> None:
    _, against = files
    found = measure_contamination([against], [against])
    assert all(row.exact == "equal" and row.share == 1 for row in found.rows)
    (figures,) = found.files()
    assert (figures["exact_share"], figures["mean_share"]) == (1.0, 1.0)


def test_equal_is_closer_than_inside_and_inside_than_around(tmp_path: Path) -> None:
    against = _lines(tmp_path / "b.jsonl", [{"text": "the lamp in the hall is on"}])
    texts = ["the lamp in the hall", "we know the lamp in the hall is on", "The lamp, in the hall, is on!"]
    for upto, how in ((1, "around"), (2, "inside"), (3, "equal")):
        data = _lines(tmp_path / "d.jsonl", [{"text": text} for text in texts[:upto]])
        (row,) = measure_contamination([data], [against]).rows
        assert (row.exact, row.source) == (how, f"{data}, line {upto}, text")
    # whole words only: "is on" is not in "is only"
    data = _lines(tmp_path / "d.jsonl", [{"text": "we know the lamp in the hall is only dim"}])
    assert measure_contamination([data], [against]).rows[0].exact == ""


WORDS = st.lists(st.sampled_from(["ash", "oak", "elm"]), min_size=0, max_size=9).map(" ".join)


def _has(whole: str, part: str) -> bool:
    return f" {part} " in f" {whole} "


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=6), st.integers(1, 7))
def test_the_index_finds_what_a_plain_search_finds(indexed: list[str], streamed: list[str], ngram: int) -> None:
    index = OverlapIndex(indexed, ngram=ngram)
    wanted = []
    for number, text in enumerate(streamed):
        for place, other in enumerate(indexed):
            if min(len(text.split()), len(other.split())) < 5 or not (_has(text, other) or _has(other, text)):
                continue
            how = "equal" if text == other else "inside" if _has(text, other) else "around"
            wanted.append(OverlapMatch(place, number, how))
    assert index.matches(streamed) == wanted
    assert index.add(streamed) == wanted
    for text, (found, every) in zip(indexed, index.ngram_counts(), strict=True):
        words = text.split()
        runs = [" ".join(words[at : at + ngram]) for at in range(len(words) - ngram + 1)]
        assert every == len(runs)
        assert found == sum(any(_has(other, run) for other in streamed) for run in runs)


@settings(max_examples=50, deadline=None)
@given(st.permutations(TRAINING))
def test_the_order_of_the_data_does_not_matter(order: list[str]) -> None:
    texts = [normalise(text) for row in BENCHMARK for name, text in row.items() if name != "id"]
    index, other = OverlapIndex(texts, ngram=8), OverlapIndex(texts, ngram=8)
    first = {(match.indexed, match.relation) for match in index.add([normalise(text) for text in TRAINING])}
    second = {(match.indexed, match.relation) for text in order for match in other.add([normalise(text)])}
    assert first == second
    assert index.ngram_counts() == other.ngram_counts()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("  The lamp —\tis ON! ", "the lamp is on"),
        ("It is n't Ann 's, it’s mine.", "it isn't ann's it's mine"),
        ("ﬁne café, cafe\u0301", "fine café café"),
        ("snake_case 3.5 'quoted'", "snake case 3 5 quoted"),
        ("…", ""),
    ],
)
def test_normalised_text(text: str, wanted: str) -> None:
    assert normalise(text) == wanted


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("a.txt", "\ufeffone text\n\nanother\n", [("1", "text", "one text"), ("3", "text", "another")]),
        ("a.jsonl", '{"_id": 7, "x": {"y": ["p", "q"]}, "z": 3}\n', [("7", "x.y", "p"), ("7", "x.y", "q")]),
        ("a.json", '[{"id": "k", "text": "p"}]', [("k", "id", "k"), ("k", "text", "p")]),
        ("b.json", '{"text": "p"}\n{"text": "q"}\n', [("1", "text", "p"), ("2", "text", "q")]),
        ("a.csv", 'left,right\n"p, q",r\n', [("2", "left", "p, q"), ("2", "right", "r")]),
        # a header has names, not a text of five words; quotation marks in a tab-separated file are letters
        ("a.tsv", '"a b c d e\t1\nq\t2\n', [("1", "column 1", '"a b c d e'), ("1", "column 2", "1")]),
    ],
)
def test_all_strings_of_all_file_formats_are_read(
    tmp_path: Path, name: str, content: str, wanted: list[tuple[str, str, str]]
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = [(sample.id, field, text) for sample in read_samples(str(tmp_path / name)) for field, text in sample.texts]
    assert found[: len(wanted)] == wanted


def test_the_manifest_of_a_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{", encoding="utf-8")
    (tmp_path / "b.txt").write_text("two\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    assert [sample.texts[0][1] for sample in read_samples(str(tmp_path))] == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"text": "x"}\n{', "line 2: not JSON"),
        ("a.jsonl", b"[1]", "line 1: expected a JSON object"),
        ("a.json", b"[1]", "item 1: expected a JSON object"),
        ("a.json", b'[{"text": "x"}', "not JSON"),
        ("a.csv", b'text\n"never closed\n', "line 2: not a table"),
        ("a.txt", b"caf\xe9\n", "not UTF-8"),
        ("a.doc", b"x", "cannot read files of type .doc"),
        ("a.txt", b"too short\n", "no text of 5 words or more"),
    ],
)
def test_unreadable_files_are_errors(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    for data, against in ((str(tmp_path / name), "taxonomy:dev"), ("taxonomy:dev", str(tmp_path / name))):
        with pytest.raises(InputError, match=message):
            measure_contamination([data], [against])


def test_missing_files_and_fields_are_errors(tmp_path: Path) -> None:
    for data, against in (("nowhere.txt", "taxonomy:dev"), ("taxonomy:dev", "nowhere.txt")):
        with pytest.raises(InputError, match=r"there is no file 'nowhere.txt'; expected a file, a folder, -"):
            measure_contamination([data], [against])
    with pytest.raises(InputError, match="contains no file that can be read"):
        measure_contamination([str(tmp_path)], ["taxonomy:dev"])
    with pytest.raises(InputError, match="in q7; its fields: doc1, doc2"):
        measure_contamination(["seed:passages"], ["taxonomy:dev"], fields=["q7"])
    with pytest.raises(InputError, match="expected 1 or more"):
        measure_contamination(["seed:passages"], ["taxonomy:dev"], ngram=0)


def test_the_seeds_do_not_contain_our_benchmark() -> None:
    for figures in measure_contamination(
        ["seed:passages", "seed:sentences"], ["taxonomy:dev", "taxonomy:test"]
    ).files():
        assert figures["exact"] == 0
        assert figures["overlap_share"] < 0.01


def test_the_command_prints_json_plain_and_table(files: tuple[str, str], tmp_path: Path) -> None:
    data, against = files
    run = CliRunner().invoke
    line = json.loads(run(app, ["contamination", data, "--against", against]).stdout)
    assert (line["against"], line["exact"], line["ngram"], line["texts"]) == (against, 2, 8, 3)
    # every name after --against is a benchmark
    done = run(app, ["contamination", data, "--against", against, "taxonomy:dev", "--plain"])
    assert done.stdout == f"2 2 3 {against}\n0 0 352 taxonomy:dev\n"
    again = run(app, ["contamination", data, "--against", against, "--against", "taxonomy:dev", "--plain"])
    assert again.stdout == done.stdout
    out = tmp_path / "o" / "rows.jsonl"
    done = run(app, ["contamination", data, "--against", against, "--table", "--out", str(out)])
    assert "66.67" in done.stdout
    assert "inside" in done.stdout
    assert "1 samples without a text of five words" in done.stderr
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(row["sample"], row["field"], row["found"]) for row in rows] == [
        (1, "query", 2),
        (1, "doc", 1),
        (2, "doc", 1),
        (3, "query", 0),
    ]
    asked = run(app, ["contamination", "-", "--against", against, "--plain"], input="\n".join(TRAINING))
    assert asked.stdout == f"2 2 3 {against}\n"


def test_the_command_exits_with_4_above_the_maximum_share(files: tuple[str, str]) -> None:
    data, against = files
    arguments = ["contamination", data, "--against", against, "--plain", "--max-share"]
    assert CliRunner().invoke(app, [*arguments, "0.67"]).exit_code == 0
    done = CliRunner().invoke(app, [*arguments, "0.66"])
    assert done.exit_code == 4
    assert "66.67% of the samples match exactly and 66.67% by 8 words, more than 66.00%" in done.stderr


def test_exit_codes_of_wrong_usage_and_bad_input() -> None:
    code = "import litotes.cli.contamination\nfrom litotes.cli import main\nmain()"
    for arguments, status, message in (
        (["nowhere.txt", "--against", "taxonomy:dev"], 1, "there is no file 'nowhere.txt'"),
        (["seed:passages"], 2, "Missing option '--against'"),
        (["--against", "taxonomy:dev"], 2, "Missing argument 'DATA...'"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, "contamination", *arguments], capture_output=True, text=True, check=False
        )
        assert (done.returncode, message in done.stderr) == (status, True), done.stderr
        assert "Traceback" not in done.stderr
