"""The catalogue of data sets: its table, the check of a data folder, and its commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import litotes.cli.datasets  # noqa: F401  (registers its commands)
from litotes.cli.app import app
from litotes.data.catalogue import data_set, data_sets
from litotes.data.checking import check
from litotes.data.records import PUBLIC, SHARED, DataSet
from litotes.errors import InputError, MissingError
from tests.conftest import REPOSITORY
from tests.data_home import DEV, PART, STS, digest, nevir, put, served


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("LITOTES_DATA", raising=False)


def litotes_data(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["data", *arguments])


def states(record: DataSet, folder: Path, **options: Any) -> list[tuple[str, str]]:
    return [(finding.path, finding.state) for finding in check(record, folder, **options)]


def test_the_table_is_well_formed() -> None:
    for record in data_sets():
        assert record.load or record.count_rows, record.name
        assert record.files, record.name
        assert len({(file.path, file.form) for file in record.files}) == len(record.files)
        for file in record.files:
            assert not file.sha256 or re.fullmatch("[0-9a-f]{64}", file.sha256)
            assert file.sha256 or file.form == PUBLIC, "only public files may be unpinned"
            assert not file.source or record.base.startswith("http")
            assert file.split == SHARED or file.split in record.splits
        if not record.shipped:
            assert all(record.command(Path("DIR"), split) for split in ("", *record.splits))
            assert record.home.startswith("http")


@pytest.mark.parametrize("name", [record.name for record in data_sets() if record.shipped])
def test_shipped_files_match_the_catalogue(name: str) -> None:
    record = data_set(name)
    findings = list(check(record, None))
    assert [finding.path for finding in findings] == list(record.paths())
    for finding in findings:
        assert finding.state == "as shipped", f"{finding.path} changed: its sha256 is now {finding.sha256}"
        assert finding.rows == record.forms(finding.path)[0].rows or record.forms(finding.path)[0].rows is None


def test_an_unknown_name_or_split_is_an_error() -> None:
    with pytest.raises(InputError, match="there is no data set 'nevermore'; expected one of nevir, excluir"):
        data_set("nevermore")
    with pytest.raises(InputError, match="nevir has no split 'final'; expected any of dev, test"):
        nevir().require_splits(["final"])


def test_a_file_is_identified_by_its_checksum(tmp_path: Path) -> None:
    put(tmp_path / "nevir" / "dev.jsonl", DEV)
    assert states(nevir(pin=digest(DEV)), tmp_path) == [("nevir/dev.jsonl", "as published")]
    assert states(nevir(), tmp_path) == [("nevir/dev.jsonl", "not pinned")]
    assert states(nevir(pin="0" * 64), tmp_path) == [("nevir/dev.jsonl", "differs")]
    put(tmp_path / "nevir" / "dev.jsonl", PART)
    (finding,) = check(nevir(pin=digest(DEV)), tmp_path)
    assert (finding.state, finding.rows, finding.note) == ("as measured", 1, "a part of it")


def test_an_unpinned_file_must_have_the_rows_of_the_published_one(tmp_path: Path) -> None:
    put(tmp_path / "nevir" / "dev.jsonl", DEV)
    (finding,) = check(nevir(rows=225), tmp_path)
    assert (finding.state, finding.note) == ("differs", "expected 225 rows; found 2")


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    put(tmp_path / "nevir" / "dev.jsonl", b"<html>we are sorry</html>\n")
    (finding,) = check(nevir(), tmp_path)
    assert finding.state == "unreadable"
    assert "line 1: not JSON" in finding.note


def test_a_missing_file_is_reported_with_the_command_that_gets_it(tmp_path: Path) -> None:
    (whole,) = check(nevir(), tmp_path / "my data")
    assert (whole.state, whole.note) == ("missing", f"litotes data get nevir --data '{tmp_path}/my data'")
    put(tmp_path / "nevir" / "dev.jsonl", DEV)
    (split,) = check(nevir(), tmp_path, splits=["test"])
    assert (split.path, split.note) == ("nevir/test.jsonl", f"litotes data get nevir --split test --data {tmp_path}")


def test_a_retrieval_split_needs_its_collection(tmp_path: Path) -> None:
    scifact = data_set("scifact")
    put(tmp_path / "scifact" / "qrels" / "test.tsv", b"query-id\tcorpus-id\tscore\n1\t2\t1\n")
    missing = [("scifact/corpus.jsonl", "missing"), ("scifact/queries.jsonl", "missing")]
    assert states(scifact, tmp_path) == missing
    put(tmp_path / "scifact" / "corpus.jsonl", b'{"_id": "2", "title": "Tea", "text": "It is hot."}\n')
    put(tmp_path / "scifact" / "queries.jsonl", b'{"_id": "1", "text": "hot drinks"}\n')
    notes = {finding.path: finding.note for finding in check(scifact, tmp_path)}
    assert notes["scifact/corpus.jsonl"] == "expected 5,183 rows; found 1"
    assert notes["scifact/qrels/test.tsv"] == "expected 300 rows; found 1"


@pytest.mark.parametrize(
    ("name", "path", "content", "rows"),
    [
        ("m3", "m3/level3.jsonl", b'{"docid": "1_0", "target_text": "Tea helps."}\n', 1),
        ("cannot-wmt", "cannot_wmt/eval.csv", b"candidate,reference,source,score\na,b,cannot,1\nc,d,wmt_2015,-2\n", 2),
        ("stsb", "stsb/dev.tsv", STS, 1),
        ("sick", "sick/train.tsv", b"pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\ta\tb\t3\n", 1),
        ("banking77", "banking77/test.csv", b"text,category\nWhere is it?,card_arrival\n", 1),
        ("excluir", "excluir/dev.jsonl", b'{"query": "a", "positive": "b", "negative": "c"}\n', 1),
        (
            "cdsco",
            "cdsco/SEM-2012-SharedTask-CD-SCO-dev-09032012.txt",
            b"s\t0\t0\tNo\tno\tDT\t*\t***\ns\t0\t1\ttea\ttea\tNN\t*\t***\n\n\ns\t1\t0\tYes\tyes\tUH\t*\t***\n",
            2,
        ),
        ("bioscope", "bioscope/abstracts.xml", b"<a><sentence>No tea.</sentence><sentence/></a>", 2),
    ],
)
def test_each_reader_counts_rows(tmp_path: Path, name: str, path: str, content: bytes, rows: int) -> None:
    put(tmp_path / path, content)
    (finding,) = check(data_set(name), tmp_path)
    assert finding.rows == rows
    assert finding.state == "differs"


def test_demetr_is_counted_file_by_file(tmp_path: Path) -> None:
    names = ("pert_sent", "eng_sent", "mt_sent")
    row = {"id": 1, "severity": "critical", "pert_check": True} | dict.fromkeys(names, "The tea is hot.")
    record = data_set("demetr")
    for number, path in enumerate(record.paths()):
        put(tmp_path / path, json.dumps([row] * (1 + number % 2)).encode())
    findings = list(check(record, tmp_path))
    assert [finding.rows for finding in findings] == [1 + number % 2 for number in range(35)]
    assert {finding.state for finding in findings} == {"not pinned"}


def test_the_documentation_lists_every_data_set() -> None:
    page = (REPOSITORY / "docs" / "data.md").read_text(encoding="utf-8")
    for record in data_sets():
        assert f"| {record.name} |" in page, record.name
        assert record.shipped or record.home in page, record.home


def test_the_list_is_json_lines_or_a_table(tmp_path: Path) -> None:
    put(tmp_path / "m3" / "level3.jsonl", b"")
    lines = {line["name"]: line for line in map(json.loads, litotes_data("list").stdout.splitlines())}
    assert list(lines) == [record.name for record in data_sets()]
    assert lines["taxonomy"]["found"] == ["dev", "test"]
    assert lines["nevir"]["splits"] == {"train": 948, "train_sample": 50, "dev": 225, "test": 1383}
    assert lines["nevir"]["measured"] == {"train_sample": 50, "dev": 362}
    assert lines["m3"]["found"] == []
    assert lines["m3"]["get"] == "litotes data get m3 --data DIR"
    there = litotes_data("list", "--data", str(tmp_path)).stdout.splitlines()
    m3 = next(line for line in map(json.loads, there) if line["name"] == "m3")
    assert (m3["found"], m3["missing"], m3["get"]) == (["level3"], [], "")
    assert "MIT" in litotes_data("list", "--table", "--data", str(tmp_path)).stdout


def test_verify_reports_wrong_files_before_missing_ones(tmp_path: Path) -> None:
    assert litotes_data("verify", "taxonomy", "cue-traps").exit_code == 0
    done = litotes_data("verify", "nevir", "--data", str(tmp_path))
    assert isinstance(done.exception, MissingError)
    assert f"nevir (nevir): litotes data get nevir --data {tmp_path}" in str(done.exception)
    put(tmp_path / "stsb" / "dev.tsv", STS)
    done = litotes_data("verify", "nevir", "stsb", "--data", str(tmp_path))
    assert isinstance(done.exception, InputError)
    assert f"stsb/dev.tsv differs: its sha256 is {digest(STS)}" in str(done.exception)
    assert f"litotes data get stsb --split dev --data {tmp_path} --force" in str(done.exception)
    assert [json.loads(line)["state"] for line in done.stdout.splitlines()] == ["missing", "differs"]
    assert isinstance(litotes_data("verify").exception, MissingError)
    assert "differs" in litotes_data("verify", "stsb", "--table", "--data", str(tmp_path)).stdout


def test_verify_records_checksums_with_pin(tmp_path: Path) -> None:
    row = {"id": 1, "severity": "critical", "pert_check": True}
    row |= {"eng_sent": "Tea is hot.", "mt_sent": "Tea is hot.", "pert_sent": "Tea is not hot."}
    for path in data_set("demetr").paths():
        put(tmp_path / path, json.dumps([row]).encode())
    done = litotes_data("verify", "demetr", "--data", str(tmp_path))
    assert done.exit_code == 0
    assert "35 files are not pinned; to write down their checksums: --pin" in done.stderr
    assert litotes_data("verify", "demetr", "--pin", "--data", str(tmp_path)).stderr == ""
    again = litotes_data("verify", "demetr", "--data", str(tmp_path))
    assert {json.loads(line)["state"] for line in again.stdout.splitlines()} == {"as recorded"}
    (tmp_path / "SHA256SUMS").write_text("nonsense\n")
    done = litotes_data("verify", "demetr", "--data", str(tmp_path))
    assert "SHA256SUMS, line 1: expected a sha256, two spaces and a path" in str(done.exception)


def test_get_reads_the_data_folder_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_DATA", str(tmp_path))
    with served({"file": b"[]"}) as (base, _):
        done = litotes_data("get", "demetr", "--from", f"critical_id8_negation.json={base}file")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["path"] == "demetr/critical_id8_negation.json"
    assert "licence MIT; use: measure" in done.stderr
    monkeypatch.delenv("LITOTES_DATA")
    assert "nevir is not shipped with litotes. Name the folder of data sets" in str(
        litotes_data("get", "nevir").exception
    )
