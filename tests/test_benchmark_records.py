"""One record and one row of catalogue.tsv make a benchmark: everything else is derived from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from litotes.cli.app import app
from litotes.data import benchmarks as package
from litotes.data import catalogue
from litotes.data.catalogue import benchmarks, data_set, data_sets, find_benchmark, suites, task_help
from litotes.data.checking import check
from litotes.data.records import GENERAL, NEGATION
from litotes.data.result_files import write_results
from litotes.errors import InputError
from litotes.evaluation import DataSelection, bench, build, members, score_name, task_names
from litotes.evaluation.tasks import FAMILIES
from litotes.reporting import report
from litotes.types import Result
from tests.bench_models import Letters

RECORD = '''
"""Teas, as a contributor would add them."""

from pathlib import Path

from litotes.data.contrast_files import read_contrasts
from litotes.data.records import NEGATION, Benchmark, DataSet


def load(folder, split):
    return tuple(read_contrasts(folder / f"{split}.jsonl"))


def _items(selection, split):
    return selection.select(load(selection.folder("teas"), split), key=lambda contrast: contrast.id)


DATA_SET = DataSet(
    name="teas",
    topic=NEGATION,
    description="teas with and without milk",
    home="https://example.org/teas",
    licence="MIT",
    load=load,
    benchmarks=(
        Benchmark(
            name="teas",
            family="contrasts",
            help="teas with and without milk",
            headline="pairwise accuracy",
            items=_items,
            suites=("negation", "drinks"),
            extra_columns=(("all", "tied"),),
        ),
    ),
)
'''
ROW = "teas\tdev\tteas/dev.jsonl\t1\tpublic\t\tdev.jsonl\t\n"
CONTRAST = {"id": "1", "q1": "tea with milk", "q2": "tea without milk", "doc1": "It has milk.", "doc2": "It has none."}


@pytest.fixture
def teas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The record and the row added to the catalogue, and a folder with the data set."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "teas.py").write_text(RECORD, encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(modules)])
    table = files("litotes.data").joinpath(catalogue.CATALOGUE).read_text(encoding="utf-8")
    monkeypatch.setattr(catalogue, "_table", lambda: table + ROW)
    catalogue.clear_caches()
    (tmp_path / "data" / "teas").mkdir(parents=True)
    (tmp_path / "data" / "teas" / "dev.jsonl").write_text(json.dumps(CONTRAST), encoding="utf-8")
    yield tmp_path / "data"
    monkeypatch.undo()
    catalogue.clear_caches()


def test_it_is_a_task_that_models_are_measured_on(teas: Path, tmp_path: Path) -> None:
    assert "teas" in task_names()
    task = build("teas", DataSelection(teas))
    results = bench([Letters()], [task], tmp_path / "out", rounds=20)
    assert (results[0].task, results[0].split, results[0].measure) == ("teas", "dev", "pairwise accuracy")
    assert score_name(task) == "negation.teas dev"


def test_it_joins_its_suites_and_can_make_a_new_one(teas: Path) -> None:
    assert suites()["negation"][-1] == "teas"
    assert suites()["drinks"] == ("teas",)
    assert members(["drinks"]) == ["teas"]


def test_it_is_in_the_help_text(teas: Path) -> None:
    assert "  teas               teas with and without milk" in task_help().splitlines()
    assert "  drinks" in task_help().splitlines()


def test_it_has_columns_in_the_report(teas: Path, tmp_path: Path) -> None:
    write_results(
        tmp_path,
        [
            Result("m", "teas", "dev", "all", measure, value, value, value, 1, "s")
            for measure, value in (("pairwise accuracy", 61.0), ("tied", 7.0), ("both reversed", 3.0))
        ],
    )
    page = report([tmp_path]).markdown
    assert "| model | teas (pairwise accuracy, dev) | teas (tied, dev) |" in page
    assert page.index("## Negation") < page.index("teas (pairwise")
    assert "both reversed" not in page


def test_data_list_and_data_check_know_it(teas: Path) -> None:
    done = CliRunner().invoke(app, ["data", "list", "--data", str(teas)])
    line = next(row for row in map(json.loads, done.stdout.splitlines()) if row["name"] == "teas")
    assert (line["licence"], line["splits"], line["found"]) == ("MIT", {"dev": 1}, ["dev"])
    (finding,) = check(data_set("teas"), teas)
    assert (finding.rows, finding.state) == (1, "not pinned")


def test_without_the_fixture_it_is_gone() -> None:
    assert "teas" not in task_names()


@pytest.mark.parametrize("name", [name for name in benchmarks() if ":" not in name])
def test_every_record_is_complete(name: str) -> None:
    record = benchmarks()[name]
    assert record.family in FAMILIES
    assert record.ability in (NEGATION, GENERAL)
    assert len(f"  {name:19}{record.help}") <= 80
    assert record.headline
    assert record.items is not None


def test_every_data_set_has_a_module_of_its_name() -> None:
    for record in data_sets():
        assert (Path(str(package.__path__[0])) / f"{record.name.replace('-', '_')}.py").is_file(), record.name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("nevr", "Did you mean 'nevir'?"),
        ("generel", "Did you mean 'general'?"),
        ("mini_sts", "Did you mean 'mini-sts'?"),
    ],
)
def test_an_unknown_task_suggests_the_nearest_name(name: str, hint: str) -> None:
    with pytest.raises(
        InputError, match=f"there is no task '{name}'; expected one of nevir, .*contrasts:FILE"
    ) as raised:
        find_benchmark(name)
    assert str(raised.value).endswith(hint)


def test_an_unknown_data_set_suggests_the_nearest_name() -> None:
    with pytest.raises(InputError, match=r"there is no data set 'sic'; expected one of .* Did you mean 'sick'\?"):
        data_set("sic")


@pytest.mark.parametrize("name", ["taxonomy", "contrast-lists", "cue-traps", "ladder", "mini-sts", "mini-retrieval"])
def test_the_headline_of_a_record_is_the_first_figure_of_its_task(name: str, tmp_path: Path) -> None:
    results = bench([Letters()], [build(name)], tmp_path, rounds=2)
    assert results[0].measure == benchmarks()[name].headline
