"""Getting data sets: which files are accepted, from which places, and which are refused."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from litotes.data.benchmarks import excluir, stsb
from litotes.data.catalogue import data_set
from litotes.data.checking import check, read_checksums
from litotes.data.getting import get
from litotes.data.records import PUBLIC, DataSet, File
from litotes.errors import InputError, MissingError
from tests.data_home import DEV, PART, STS, digest, nevir, put, served


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_a_pinned_file_is_downloaded_checked_and_put_in_place(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    with served({"validation.jsonl": DEV}) as (base, requested):
        record = nevir(base, pin=digest(DEV))
        (got,) = get(record, tmp_path, splits=["dev"], progress=lambda *step: seen.append(step))
        assert (got.action, got.state, got.origin) == ("got", "as published", f"{base}validation.jsonl")
        assert (tmp_path / "nevir" / "dev.jsonl").read_bytes() == DEV
        assert seen[-1] == (f"{base}validation.jsonl", len(DEV), len(DEV))
        (kept,) = get(record, tmp_path, splits=["dev"])
        assert (kept.action, kept.state) == ("kept", "as published")
        assert requested == ["/validation.jsonl"], "a file that exists is not requested again"
    assert [path.name for path in tmp_path.iterdir()] == ["nevir"]


def test_the_checksum_of_an_unpinned_file_is_recorded(tmp_path: Path) -> None:
    with served({"validation.jsonl": DEV, "test.jsonl": PART}) as (base, _):
        record = nevir(base)
        assert [got.state for got in get(record, tmp_path)] == ["not pinned", "not pinned"]
    assert read_checksums(tmp_path) == {"nevir/dev.jsonl": digest(DEV), "nevir/test.jsonl": digest(PART)}
    assert _states(record, tmp_path) == [("nevir/dev.jsonl", "as recorded"), ("nevir/test.jsonl", "as recorded")]
    put(tmp_path / "nevir" / "test.jsonl", DEV)
    assert dict(_states(record, tmp_path))["nevir/test.jsonl"] == "differs"


def test_a_wrong_checksum_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    other = DEV + b"\n"
    with served({"validation.jsonl": other}) as (base, _), pytest.raises(InputError) as raised:
        get(nevir(base, pin=digest(DEV)), tmp_path, splits=["dev"])
    assert f"its sha256 is {digest(other)}" in str(raised.value)
    assert digest(DEV) in str(raised.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "rows", "message"),
    [(b"<html>sorry</html>", 2, "line 1: not JSON"), (DEV, 9, r"dev\.jsonl has 2 rows; expected 9")],
)
def test_an_unpinned_download_must_be_readable_and_complete(
    tmp_path: Path, content: bytes, rows: int, message: str
) -> None:
    with served({"validation.jsonl": content}) as (base, _), pytest.raises(InputError, match=message) as raised:
        get(nevir(base, rows=rows), tmp_path, splits=["dev"])
    message = str(raised.value)
    assert message.startswith("nevir dev is refused: nevir/dev.jsonl"), "the message names the temporary folder"
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_never_overwritten_without_force(tmp_path: Path) -> None:
    mine = put(tmp_path / "nevir" / "dev.jsonl", b"mine\n")
    with served({"validation.jsonl": DEV}) as (base, requested):
        record = nevir(base, pin=digest(DEV))
        with pytest.raises(InputError, match=r"exists and is another file: .*--force"):
            get(record, tmp_path, splits=["dev"])
        assert mine.read_bytes() == b"mine\n"
        assert requested == []
        (got,) = get(record, tmp_path, splits=["dev"], force=True)
    assert got.action == "got"
    assert mine.read_bytes() == DEV


@pytest.mark.parametrize(
    ("pages", "short", "message"),
    [({}, 0, "answered 404"), ({"validation.jsonl": DEV}, 5, f"was cut off after {len(DEV) - 5} of {len(DEV)} bytes")],
)
def test_a_failed_download_is_an_error(tmp_path: Path, pages: dict[str, bytes], short: int, message: str) -> None:
    with served(pages, short=short) as (base, _), pytest.raises(MissingError, match=message) as raised:
        get(nevir(base), tmp_path, splits=["dev"])
    assert f"litotes data get nevir --from PLACE --data {tmp_path}" in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_the_error_names_the_offline_command(tmp_path: Path) -> None:
    with served({}) as (base, _):
        pass
    with pytest.raises(MissingError, match=r"cannot be reached \(.*refused.*--from PLACE"):
        get(nevir(base), tmp_path)


def archive(path: Path, members: Mapping[str, bytes]) -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as packed:
            for name, content in members.items():
                packed.writestr(name, content)
        return path
    with tarfile.open(path, "w:gz") as packed_tar:
        for name, content in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            packed_tar.addfile(about, io.BytesIO(content))
    return path


@pytest.mark.parametrize("kind", ["sts.tar.gz", "sts.zip"])
def test_an_archive_with_several_files_is_downloaded_once(tmp_path: Path, kind: str) -> None:
    packed = archive(tmp_path / kind, {"sts/sts-dev.csv": STS, "sts/sts-test.csv": STS * 2, "../evil": b"x"})
    files = tuple(
        File(split, f"stsb/{split}.tsv", None, PUBLIC, "", f"{kind}#sts/sts-{split}.csv", "")
        for split in ("dev", "test")
    )
    with served({kind: packed.read_bytes()}) as (base, requested):
        record = DataSet("stsb", "general", "ours", "https://example.org", "ours", stsb.load, base=base, files=files)
        get(record, tmp_path / "data")
        assert requested == [f"/{kind}"]
    assert (tmp_path / "data" / "stsb" / "test.tsv").read_bytes() == STS * 2
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["SHA256SUMS", "stsb"]
    (got,) = get(record, tmp_path / "other", places=[f"dev.tsv={packed}"])
    assert got.origin == f"{packed}#sts/sts-dev.csv"
    with pytest.raises(InputError, match=r"cannot be unpacked"):
        get(record, tmp_path / "other", places=[str(put(tmp_path / f"broken-{kind}", b"no archive"))])


@pytest.mark.parametrize("kind", ["sts.tar.gz", "sts.zip"])
def test_a_damaged_archive_is_an_error_that_names_it(tmp_path: Path, kind: str) -> None:
    noise = b"".join(sha256(bytes([number])).digest() for number in range(200))
    packed = archive(tmp_path / kind, {"sts/sts-dev.csv": noise})
    whole = packed.read_bytes()
    packed.write_bytes(whole[:2000] + bytes(10) + whole[2010:] if kind.endswith("zip") else whole[:2000])
    files = (File("dev", "stsb/dev.tsv", None, PUBLIC, "", f"{kind}#sts/sts-dev.csv", ""),)
    record = DataSet("stsb", "general", "ours", "https://example.org", "ours", stsb.load, files=files)
    with pytest.raises(InputError, match=f"{kind} cannot be unpacked"):
        get(record, tmp_path / "data", places=[str(packed)])
    assert list(tmp_path.glob("data/*")) == []


def test_a_missing_archive_member_is_an_error(tmp_path: Path) -> None:
    packed = archive(tmp_path / "sts.zip", {"readme.txt": b"none"})
    files = (File("dev", "stsb/dev.tsv", None, PUBLIC, "", "sts.zip#sts/sts-dev.csv", ""),)
    with served({"sts.zip": packed.read_bytes()}) as (base, _):
        record = DataSet("stsb", "general", "ours", "https://example.org", "ours", stsb.load, base=base, files=files)
        with pytest.raises(InputError, match=r"sts\.zip does not contain sts/sts-dev\.csv; it contains readme\.txt"):
            get(record, tmp_path / "data")


def test_files_are_taken_from_the_places_that_the_user_names(tmp_path: Path) -> None:
    record = nevir(pin=digest(DEV))
    home = put(tmp_path / "there" / "validation.jsonl", DEV).parent
    (got,) = get(record, tmp_path / "a", places=[str(home)])
    assert (got.path, got.state) == ("nevir/dev.jsonl", "as published")
    (got,) = get(record, tmp_path / "b", places=[f"dev.jsonl={home / 'validation.jsonl'}"])
    assert got.path == "nevir/dev.jsonl"
    (got,) = get(record, tmp_path / "c", splits=["dev"], places=[str(home / "validation.jsonl")])
    assert got.path == "nevir/dev.jsonl"
    with served({"mirror/validation.jsonl": DEV, "mirror/test.jsonl": PART, "odd?name=x": DEV}) as (base, _):
        assert len(get(record, tmp_path / "d", places=[f"{base}mirror/"])) == 2
        assert len(get(record, tmp_path / "e", splits=["dev"], places=[f"{base}odd?name=x"])) == 1


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere.jsonl", "there is no 'nowhere.jsonl'; expected a file, a folder, an archive or an address"),
        ("file:///etc/hosts", "there is no 'file:///etc/hosts'"),
        ("FILE", r"nevir has 2 files; say which of them .* is, such as --from dev\.jsonl="),
        ("FOLDER", "contains no file of nevir; expected any of nevir/dev.jsonl, nevir/test.jsonl"),
    ],
)
def test_an_unusable_place_is_an_error(tmp_path: Path, place: str, message: str) -> None:
    file = put(tmp_path / "there" / "mine.jsonl", DEV)
    named = {"FILE": str(file), "FOLDER": str(file.parent)}.get(place, place)
    with pytest.raises(InputError, match=message):
        get(nevir(), tmp_path / "data", places=[named])
    assert not (tmp_path / "data").exists()


def test_a_split_that_cannot_be_downloaded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"this split is not public: it is a part of the train split.*: train, test"):
        get(data_set("scifact"), tmp_path, splits=["dev"])
    with pytest.raises(
        MissingError, match=r"excluir cannot be downloaded: download corpus\.json and test_manual_final"
    ):
        get(data_set("excluir"), tmp_path)
    with pytest.raises(InputError, match="taxonomy is part of litotes"):
        get(data_set("taxonomy"), tmp_path)


def excluir_folder(folder: Path, indices: object) -> Path:
    put(folder / "corpus.json", json.dumps(["Tea is hot.", "Milk is cold.", "Ice is colder."]).encode())
    row = {"question0": "drinks", "RQ_rewrite": "drinks other than milk", "corpus_sub_index": indices}
    put(folder / "test_manual_final.json", json.dumps([row]).encode())
    return folder


def test_excluir_is_converted_from_its_two_files(tmp_path: Path) -> None:
    files = (File("test", "excluir/test.jsonl", 1, PUBLIC, "", "", ""),)
    record = replace(excluir.DATA_SET, files=files)
    get(record, tmp_path, places=[str(excluir_folder(tmp_path / "there", [1, 0]))])
    assert json.loads((tmp_path / "excluir" / "test.jsonl").read_text()) == {
        "id": "0",
        "query": "drinks other than milk",
        "positive": "Tea is hot.",
        "negative": "Milk is cold.",
    }
    assert record.conversion is not None
    assert record.conversion.makes in data_set("excluir").paths(["test"])
    for wrong in ([1, 3], [1], None, ["a", "b"]):
        with pytest.raises(InputError, match="expected two indices of the 3 documents"):
            get(record, tmp_path / "other", places=[str(excluir_folder(tmp_path / "there", wrong))])
    for content, message in ((b"[1]", "expected a JSON array of texts"), (b"{", "not JSON")):
        put(tmp_path / "there" / "corpus.json", content)
        with pytest.raises(InputError, match=message):
            get(record, tmp_path / "other", places=[str(tmp_path / "there")])


def _states(record: DataSet, folder: Path) -> list[tuple[str, str]]:
    return [(finding.path, finding.state) for finding in check(record, folder)]
