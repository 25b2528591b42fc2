"""litotes review: which items are drawn, what the sheet contains, and how filled sheets are counted."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from litotes.cli.app import app
from litotes.errors import InputError, MissingError
from litotes.evaluation import DataSelection, ItemRow, bench, build
from litotes.evaluation.review import FilledRow, agreed, categories, read_sheet, review, tally
from litotes.evaluation.review.families import REVIEW_FAMILIES, UNJUDGED
from litotes.evaluation.review.sheet import escaped
from litotes.evaluation.tasks import FAMILIES
from litotes.models import load
from tests.bench_models import Overlap

KINDS = {"sentential": ("barn", "cafe", "dock", "farm"), "exceptor": ("gate", "hall"), "affixal": ("=inn",)}
THINGS = [thing for things in KINDS.values() for thing in things]
HOSTILE = "</script><script>alert(1)</script>"


class Knowing:
    """A ranker that knows which document belongs to which query, except for the second query of some items."""

    def __init__(self, name: str, missed: Sequence[str]) -> None:
        self.name, self.fingerprint = name, f"{name} {missed}"
        self._missed = missed

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([self._score(*pair) for pair in zip(queries, documents, strict=True)])

    def _score(self, query: str, document: str) -> float:
        missed = "not" in query and any(thing in query for thing in self._missed)
        belongs = ("not" in query) == ("not" in document)
        return 0.75 if belongs != missed else 0.25


def litotes(*given: str) -> Result:
    return CliRunner().invoke(app, ["review", *given])


def error_message(*given: str) -> str:
    """Return the message of the InputError."""
    found = litotes(*given)
    assert isinstance(found.exception, InputError), (found.output, found.exception)
    return str(found.exception)


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def fill(path: Path, out: Path, given: Sequence[str], **how: Any) -> Path:
    """Write the sheet with these categories, from the top."""
    rows = cells(path)
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), **how)
        writer.writeheader()
        for row, category in zip(rows, [*given, *[""] * (len(rows) - len(given))], strict=True):
            writer.writerow(row | {"category": category})
    return out


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "held.jsonl"
    rows = [
        {
            "id": thing,
            "kind": kind,
            "q1": f"Which {thing} is clean?",
            "q2": f"Which {thing} is not clean?",
            "doc1": f"The {thing} is clean.",
            "doc2": f"The {thing} is not clean. {HOSTILE}",
        }
        for kind, things in KINDS.items()
        for thing in things
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def run(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The base misses the barn; the tuned model misses all but the barn and the cafe; a third model misses nothing."""
    out = tmp_path_factory.mktemp("runs") / "run"
    models = [Knowing("base", ["barn"]), Knowing("tuned", THINGS[2:]), Knowing("perfect", [])]
    bench(models, [build(f"contrasts:{file}", DataSelection())], out)
    return out


@pytest.fixture(scope="module")
def sheet(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sheets") / "lost.csv"
    made = litotes(str(run), "--model", "tuned", "--baseline", "base", "--out", str(out))
    assert made.exit_code == 0, (made.output, made.exception)
    return out


def test_the_sheet_has_the_lost_items_with_both_answers(sheet: Path, file: Path) -> None:
    rows = cells(sheet)
    head = ["id", "task", "split", "slice", "texts", "gold", "baseline: base", "model: tuned", "category", "note"]
    assert list(rows[0]) == head
    assert [row["id"] for row in rows] == ["'=inn", "gate", "hall", "dock", "farm"]
    assert rows[1] == {
        "id": "gate",
        "task": f"contrasts:{file}",
        "split": "file",
        "slice": "kind: exceptor",
        "texts": "q1: Which gate is clean?\nq2: Which gate is not clean?\n"
        f"doc1: The gate is clean.\ndoc2: The gate is not clean. {HOSTILE}",
        "gold": "q1 → doc1, q2 → doc2",
        "baseline: base": "right (q1 +0.5, q2 +0.5)",
        "model: tuned": "prefers doc1 (q1 +0.5, q2 −0.5)",
        "category": "",
        "note": "",
    }


def test_the_page_shows_the_same_items_escaped(sheet: Path) -> None:
    page = sheet.with_suffix(".html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    assert page.count("<script") == 2
    assert page.count("<select") == len(cells(sheet))
    assert f"<dd>The hall is not clean. {HOSTILE}</dd>" in unescape(page)
    for group in categories().values():
        assert all(f"<dt>{name}</dt><dd>{definition}</dd>" in unescape(page) for name, definition in group.items())
    held = re.search(r'<script id="sheet" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert held is not None
    assert [row[0] for row in json.loads(held[1])] == ["id", *(row["id"] for row in cells(sheet))]


@pytest.mark.parametrize(
    ("which", "model", "baseline", "taken"),
    [
        ("lost", "base", "perfect", ["barn"]),
        ("won", "tuned", "base", ["barn"]),
        ("won", "perfect", "tuned", ["=inn", "gate", "hall", "dock", "farm"]),
        ("both-wrong", "tuned", "base", []),
    ],
)
def test_which_items_are_drawn(run: Path, which: str, model: str, baseline: str, taken: list[str]) -> None:
    found = review(run, model, baseline, which=which)
    assert [case.id for case in found.cases] == taken
    assert found.total("compared") == 7


def test_items_are_drawn_evenly_over_slices_and_by_the_seed(run: Path) -> None:
    drawn = [review(run, "tuned", "base", items=3, seed=seed).cases for seed in range(8)]
    assert all(sorted(case.slice.split()[-1] for case in those) == sorted(KINDS) for those in drawn)
    assert drawn[0] == review(run, "tuned", "base", items=3, seed=0).cases
    assert len({tuple(case.id for case in those) for those in drawn}) > 1
    four = review(run, "tuned", "base", items=4)
    assert four.line()["items"] == 4
    assert four.line()["found"] == 5


def test_if_nothing_is_lost_a_message_says_so_and_no_sheet_is_written(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "none.csv"
    found = litotes(str(run), "--model", "perfect", "--baseline", "base", "--out", str(out))
    assert found.exit_code == 0
    assert found.stderr == "perfect lost none of the 6 items that base got right\n"
    assert json.loads(found.stdout)["items"] == 0
    assert not list(tmp_path.iterdir())


def test_bad_input_is_an_error_with_a_message(run: Path, file: Path, tmp_path: Path) -> None:
    common = ("--out", str(tmp_path / "sheet.csv"))
    pair = ("--model", "tuned", "--baseline", "base", *common)
    unknown = error_message(str(run), "--model", "tuneed", "--baseline", "base", *common)
    assert unknown == f"{run} has no results of 'tuneed'; expected one of base, tuned, perfect. Did you mean 'tuned'?"
    assert "model and baseline are both base" in error_message(
        str(run), "--model", "base", "--baseline", "base", *common
    )
    assert "there is no folder" in error_message(str(tmp_path / "nowhere"), *pair)
    assert "has no results; expected a folder that litotes bench wrote" in error_message(str(tmp_path), *pair)
    assert f"has no results on 'nevir'; expected one of contrasts:{file}" in error_message(
        str(run), *pair, "--task", "nevir"
    )
    (tmp_path / "taken.html").mkdir()
    assert "taken.html is a folder" in error_message(str(run), *pair, "--out", str(tmp_path / "taken.csv"))
    for given in ((str(run), "--model", "tuned"), (str(run), str(run), *pair), ("--tally", "a.csv", *common)):
        assert litotes(*given).exit_code == 2


def test_the_items_must_be_the_ones_that_were_measured(run: Path, file: Path, tmp_path: Path) -> None:
    lines = file.read_text(encoding="utf-8")
    copy, out = tmp_path / "copy.jsonl", tmp_path / "out"
    copy.write_text(lines, encoding="utf-8")
    task = build(f"contrasts:{copy}", DataSelection())
    bench([Knowing("base", []), Knowing("tuned", THINGS)], [task], out)
    copy.write_text(lines.replace("clean", "tidy"), encoding="utf-8")
    with pytest.raises(InputError, match=r"is not what was measured .*Point --data at the same data"):
        review(out, "tuned", "base")
    bench([Knowing("base", [])], [build(f"contrasts:{copy}", DataSelection())], out)
    with pytest.raises(InputError, match=r"measured on different items\. Measure both again, into one folder"):
        review(out, "tuned", "base")


def test_tasks_without_right_and_wrong_items_are_left_out_with_the_reason(tmp_path: Path) -> None:
    out = tmp_path / "run"
    ladder, pairs = build("ladder", DataSelection()), build("mini-sts", DataSelection())
    bench([load("random"), Overlap()], [ladder, pairs], out, rounds=10)
    bench([Knowing("alone", [])], [ladder], out, rounds=10)
    whose = ("--model", "overlap", "--baseline", "random", "--out", str(tmp_path / "sheet"))
    found = litotes(str(out), *whose)
    assert found.exit_code == 0
    assert "skipped: mini-sts shipped: its pairs have grades" in found.stderr
    assert json.loads(found.stdout)["tasks"].keys() == {"ladder shipped"}
    assert {row["task"] for row in cells(tmp_path / "sheet.csv")} == {"ladder"}
    assert "no items can be reviewed. mini-sts shipped: its pairs" in error_message(
        str(out), *whose, "--task", "mini-sts"
    )
    assert review(out, "alone", "random").left_out == {
        "mini-sts shipped": "only one of the two models was measured on it"
    }
    for path in (out / "rows").glob("*ladder*"):
        path.unlink()
    assert "ladder shipped: the folder has no rows of its items" in error_message(str(out), *whose, "--task", "ladder")


def test_data_that_is_not_shipped_must_be_named(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    (out / "rows").mkdir(parents=True)
    results = json.loads((run / "results.json").read_text(encoding="utf-8"))
    renamed = json.dumps([one | {"task": "nevir", "split": "dev"} for one in results])
    (out / "results.json").write_text(renamed, encoding="utf-8")
    for path in (run / "rows").iterdir():
        name, _, rest = path.name.partition("--")
        (out / "rows" / f"{name}--nevir--dev--{rest.rpartition('--')[2]}").write_bytes(path.read_bytes())
    with pytest.raises(MissingError, match=r"nevir is not shipped with litotes\. Name the folder of data sets: --data"):
        review(out, "tuned", "base")


@pytest.mark.parametrize(
    ("family", "row", "right", "answer"),
    [
        (
            "cue_traps",
            ItemRow("x", 0.5, {}, {"trap 1": 0.25, "trap 2": -0.5, "trap 3": 0.0}),
            False,
            "1 of 4 right (a1 +0.25, a2 −0.5, b1 tied, b2 unread)",
        ),
        (
            "retrieval",
            ItemRow("x", 0.5, {}, {"nDCG@10": 0.5, "MRR@10": 1 / 3}),
            False,
            "first relevant document at rank 3 (nDCG@10 0.50)",
        ),
        (
            "retrieval",
            ItemRow("x", 0.0, {}, {"nDCG@10": 0.0, "MRR@10": 0.0}),
            False,
            "none relevant in the first 10 (nDCG@10 0.00)",
        ),
        ("retrieval", ItemRow("x", 1.0, {}, {"nDCG@10": 1.0, "MRR@10": 1.0}), True, None),
        (
            "ladder",
            ItemRow("x", None, {}, {"sure": 0.9, "doubtful": 0.5, "denied": 0.1}),
            True,
            "sure 0.900, doubtful 0.500, denied 0.100",
        ),
        ("ladder", ItemRow("x", None, {}, {"sure": 0.9, "doubtful": 0.9, "denied": 0.1}), False, None),
        ("ladder", ItemRow("x", None, {}, {"sure": 0.9}), None, None),
        (
            "demetr",
            ItemRow("x", 1.0, {}, {"unchanged": 0.8, "perturbed": 0.5}),
            True,
            "translation 0.800, perturbed 0.500",
        ),
        (
            "demetr",
            ItemRow("x", 1.0, {"perturbation": "base_reference"}, {"unchanged": 0.8, "perturbed": 0.5}),
            None,
            None,
        ),
        ("demetr", ItemRow("x", None), None, None),
        (
            "contrast_lists",
            ItemRow(
                "x",
                0.0,
                {"outcome": "prefers doc2", "queries": "2"},
                {"rank1": 3.0, "rank2": 1.0, "margin1": -0.5, "margin2": 0.5},
            ),
            False,
            "prefers doc2 (q1 −0.5, q2 +0.5); doc1 at rank 3, doc2 at rank 1",
        ),
        (
            "contrasts",
            ItemRow("x", 1.0, {"outcome": "right", "queries": "1"}, {"margin1": 0.5}),
            True,
            "right (q1 +0.5)",
        ),
        (
            "classification",
            ItemRow("x", 0.0, {}, {"nearest centroid": 0.0, "logistic regression": 1.0}),
            False,
            "nearest centroid: wrong, logistic regression: right",
        ),
    ],
)
def test_each_family_judges_and_shows_answers(
    family: str, row: ItemRow, right: bool | None, answer: str | None
) -> None:
    assert REVIEW_FAMILIES[family].right(row) is right
    if answer is not None:
        assert REVIEW_FAMILIES[family].answer(row) == answer


@pytest.mark.parametrize(
    "name", ["taxonomy", "contrast-lists", "cue-traps", "ladder", "mini-retrieval", "mini-intents"]
)
def test_every_item_of_the_shipped_tasks_has_its_texts(name: str) -> None:
    task = build(name, DataSelection())
    items = REVIEW_FAMILIES[task.family].items(task)
    assert len(items) >= len(task)
    said = {text for texts in task.texts().values() for text in texts}
    assert all(set(item.texts.values()) <= said and item.gold for item in items.values())


def test_every_family_is_reviewed_or_left_out_with_a_reason() -> None:
    assert sorted((*REVIEW_FAMILIES, *UNJUDGED)) == sorted(FAMILIES)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1"])
def test_a_cell_is_never_a_formula(text: str) -> None:
    assert escaped(text) == f"'{text}"
    assert escaped(f"q{text}") == f"q{text}"


def test_a_filled_sheet_is_counted(sheet: Path, tmp_path: Path) -> None:
    filled = fill(sheet, tmp_path / "filled.csv", ["missed cue", " Wrong  Scope ", "missed cue", "repetition"])
    found = litotes("--tally", str(filled))
    assert json.loads(found.stdout) == {
        "sheet": str(filled),
        "items": 5,
        "filled": 4,
        "categories": {
            "missed cue": {"n": 2, "share": 50.0},
            "wrong scope": {"n": 1, "share": 25.0},
            "repetition": {"n": 1, "share": 25.0},
        },
    }
    table = litotes("--tally", str(filled), "--table").stdout
    assert re.search(r"missed cue *│ 2 *│ 50\.0", table)
    assert re.search(r"none yet\) *│ 1 ", table)


def test_two_people_are_compared(sheet: Path, tmp_path: Path) -> None:
    # 3 of 4 the same; by chance 2/4 · 1/4 (hedge) + 1/4 · 2/4 (topic) + 1/4 · 1/4 (other) = 5/16; kappa 7/11
    first = fill(sheet, tmp_path / "first.csv", ["hedge", "hedge", "topic", "other"])
    second = fill(sheet, tmp_path / "second.csv", ["hedge", "topic", "topic", "other", "hedge"], delimiter=";")
    found = [json.loads(line) for line in litotes("--tally", str(first), str(second)).stdout.splitlines()]
    assert [line.get("filled") for line in found] == [4, 5, None]
    assert found[2] == {"agreement": {"items": 4, "same": 75.0, "kappa": round(7 / 11, 4)}}
    shown = litotes("--tally", str(first), str(second), "--table").stdout
    assert "4 items sorted by both people: 75.0 % the same, kappa 0.64" in shown
    assert "no item was sorted by both" in litotes("--tally", str(first), str(sheet), "--table").stdout
    assert litotes("--tally", str(first), str(first)).exit_code == 1


def test_a_spreadsheet_may_drop_the_mark_before_a_formula(sheet: Path, tmp_path: Path) -> None:
    kept = fill(sheet, tmp_path / "kept.csv", ["hedge"])
    dropped = tmp_path / "dropped.csv"
    dropped.write_text(kept.read_text(encoding="utf-8").replace("'=inn", "=inn"), encoding="utf-8")
    assert read_sheet(kept) == read_sheet(dropped)
    assert read_sheet(kept)[0].key[-1] == "=inn"


def test_a_sheet_that_cannot_be_counted_is_named_with_its_line(sheet: Path, tmp_path: Path) -> None:
    bad = fill(sheet, tmp_path / "bad.csv", ["hedge", "hedging"])
    # the header, then four lines of text per item
    assert (
        f"{bad}, line 9 (row 3, item gate): there is no category 'hedging'; expected one of missed cue,"
        in error_message("--tally", str(bad))
    )
    text = sheet.read_text(encoding="utf-8")
    head, rest = text.split("\n", 1)
    bad.write_text(f"{head}\n{rest}{rest}", encoding="utf-8")
    assert "item '=inn' of contrasts:" in error_message("--tally", str(bad))
    bad.write_text("category\nhedge\n", encoding="utf-8")
    assert "line 1: not the header of a review sheet; expected the columns task, split, id" in error_message(
        "--tally", str(bad)
    )
    bad.write_text("", encoding="utf-8")
    assert "line 1: not the header of a review sheet" in error_message("--tally", str(bad))
    bad.write_text(f'{head}\n"open', encoding="utf-8")
    assert "not a table" in error_message("--tally", str(bad))
    assert "there is no sheet" in error_message("--tally", str(tmp_path / "none.csv"))
    (tmp_path / "bytes.csv").write_bytes(b"id,task\xff")
    assert "not UTF-8" in error_message("--tally", str(tmp_path / "bytes.csv"))


def test_sheets_of_different_items_are_not_compared_and_empty_sheets_count_nothing() -> None:
    one, other = [FilledRow(("a", "dev", "1"), "hedge")], [FilledRow(("a", "dev", "2"), "hedge")]
    with pytest.raises(InputError, match="no item in common"):
        agreed(one, other)
    assert tally([]).line() == {"items": 0, "filled": 0, "categories": {}}
    assert len({name for group in categories().values() for name in group}) == sum(map(len, categories().values()))
