"""The result files: what is written can be read again, and what cannot be read is an error that names the file."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from litotes.data import result_files as files
from litotes.data.result_files import ExcludingQueries, ItemRow, Provenance, Sweep
from litotes.errors import InputError
from litotes.types import Exclusion, Maxsim, Result

SOURCE = Provenance("dense:a/b", "nevir", "dev/select", "litotes:1|task:nevir")


def test_rows_and_their_family_are_read_again(tmp_path: Path) -> None:
    rows = [ItemRow("1", 1.0, {"kind": "polar"}, {"margin1": 0.25}), ItemRow("2", None)]
    files.write_rows(tmp_path, rows, SOURCE, "contrasts")
    path = files.rows_path(tmp_path, SOURCE)
    assert path.name.startswith("dense-a-b--nevir--dev-select--")
    assert files.read_rows(path) == rows
    assert files.read_family(path) == "contrasts"
    other = Provenance(SOURCE.model, SOURCE.task, SOURCE.split, "another signature")
    assert files.rows_path(tmp_path, other) != path


def test_results_are_read_again(tmp_path: Path) -> None:
    result = Result("m", "nevir", "dev", "all", "pairwise accuracy", 42.0, math.nan, math.nan, 3, "signature")
    assert files.read_results(tmp_path) == []
    files.write_results(tmp_path, [result])
    (again,) = files.read_results(tmp_path)
    assert (again.value, again.n, again.signature) == (42.0, 3, "signature")
    assert math.isnan(again.low)


def test_minimal_pairs_and_margins_have_files_of_their_own(tmp_path: Path) -> None:
    files.write_minimal_pairs(tmp_path, {"dense:a": (0.5, 0.25)})
    files.write_margins(tmp_path, {"cross:b": [3.5]})
    assert files.read_minimal_pairs(tmp_path) == {"dense:a": (0.5, 0.25)}
    assert files.read_margins(tmp_path) == {"cross:b": (3.5,)}


def test_the_other_files_are_read_again(tmp_path: Path) -> None:
    maxsim = Maxsim("late:m", "tea / no tea", ("tea",), ("no", "tea"), ((0.1, 0.9),))
    exclusion = Exclusion("tea but not mint", "tea", ("mint",), ("but not",), ((12, 16),), ((4, 11),))
    tasks = [ExcludingQueries("excluir", 5, 1, (exclusion,))]
    sweep = Sweep("size=1,2", ({"name": "size-1", "at": 1, "scores": {"a": 2.0}},), "tower", "minilm")
    files.write_maxsims(tmp_path, [maxsim])
    files.write_exclusions(tmp_path, tasks)
    files.write_sweep(tmp_path, sweep)
    files.write_bench_run(tmp_path, {"m": {"skipped": {"nevir": "no data"}}, "n": {"skipped": {}}})
    assert files.read_maxsims(tmp_path) == [maxsim]
    assert files.read_exclusions(tmp_path) == tasks
    assert files.read_sweep(tmp_path) == sweep
    assert files.read_skipped(tmp_path) == {"m": {"nevir": "no data"}}


def test_a_folder_without_files_has_nothing_to_read(tmp_path: Path) -> None:
    assert files.read_sweep(tmp_path) is None
    assert list(files.read_curves(tmp_path)) == []
    for read in (files.read_results, files.read_maxsims, files.read_exclusions):
        assert read(tmp_path) == []
    for read_by_model in (files.read_minimal_pairs, files.read_margins, files.read_skipped, files.read_bench_run):
        assert read_by_model(tmp_path) == {}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("run.json", "[]", "expected a JSON object with one entry per model"),
        ("run.json", '{"m": {"skipped": ["nevir"]}}', 'expected "skipped" to be an object'),
        ("margins.json", '[{"model": "m"}]', "'margins' is missing"),
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    read = files.read_margins if name == "margins.json" else files.read_skipped
    with pytest.raises(InputError, match=message) as raised:
        read(tmp_path)
    assert name in str(raised.value)
