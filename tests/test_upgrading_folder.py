"""Test upgrading a folder of Parquet files: names, resuming, Ray workers, and input that is refused."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.errors import InputError
from litotes.files import MANIFEST
from litotes.models import Polarity
from litotes.query import upgrade_parquet
from tests.small_tower import small_tower

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = 4
NAMES = ("a.parquet", "b.parquet", "day=2/c.parquet")


def letters(texts: Sequence[str]) -> np.ndarray:
    """Encode texts as counts of the letters a to z, plus 1."""
    return np.array([[text.lower().count(chr(97 + at)) + 1.0 for at in range(26)] for text in texts])


def texts_of(name: str) -> list[str]:
    return [f"The {name} number {'one' * at} is {'not ' * (at % 2)}free." for at in range(ROWS)]


@pytest.fixture(scope="module")
def encoder() -> Any:
    return litotes.beside(letters, block=Polarity(small_tower()), dial=0.2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files; the last one is in a folder of its own, as in a partitioned data set."""
    for name in NAMES:
        texts = texts_of(name)
        write(tmp_path / "old" / name, {"text": texts, "id": list(range(ROWS)), "vector": letters(texts).tolist()})
    return tmp_path / "old"


def write(path: Path, columns: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)


def written(path: Path) -> tuple[int, int]:
    """Return which file it is and when it was written."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_each_file_gets_a_new_one_with_the_same_columns(folder: Path, encoder: Any, tmp_path: Path) -> None:
    out = tmp_path / "new"
    assert list(upgrade_parquet(folder, out, model=encoder, at_once=3)) == [4, 8, 12]
    assert files_in(out) == sorted([*NAMES, MANIFEST])
    for name in NAMES:
        table = pq.ParquetFile(out / name).read()
        assert table.column_names == ["text", "id", "vector"]
        assert table["id"].to_pylist() == list(range(ROWS))
        expected = encoder.encode_document(texts_of(name))
        assert np.array(table["vector"].to_pylist()) == pytest.approx(expected, abs=1e-6)
    assert list(upgrade_parquet(folder, out, model=encoder)) == []


def test_a_glob_chooses_files(folder: Path, encoder: Any, tmp_path: Path) -> None:
    assert list(upgrade_parquet(f"{folder}/[ab].parquet", tmp_path / "new", model=encoder)) == [4, 8]
    assert files_in(tmp_path / "new") == ["a.parquet", "b.parquet", MANIFEST]
    assert list(upgrade_parquet(folder / "day=*" / "*", tmp_path / "days", model=encoder)) == [4]
    assert files_in(tmp_path / "days") == ["day=2/c.parquet", MANIFEST]


def test_an_interrupted_run_makes_only_the_missing_and_damaged_files(
    folder: Path, encoder: Any, tmp_path: Path
) -> None:
    out = tmp_path / "new"
    run = upgrade_parquet(folder, out, model=encoder)
    assert [next(run), next(run)] == [4, 8]
    run.close()
    first = written(out / "a.parquet")
    (out / "b.parquet").write_bytes((out / "b.parquet").read_bytes()[:-20])
    (out / "0123.partial").touch()
    assert list(upgrade_parquet(folder, out, model=encoder, at_once=1)) == [8, 12]
    assert written(out / "a.parquet") == first
    assert files_in(out) == sorted([*NAMES, MANIFEST])


def test_a_run_with_other_settings_or_changed_files_is_not_resumed(folder: Path, encoder: Any, tmp_path: Path) -> None:
    out = tmp_path / "new"
    next(upgrade_parquet(folder, out, model=encoder))
    other = litotes.beside(letters, block=encoder.polarity, dial=0.3)
    with pytest.raises(InputError, match=r"another run: dial is 0\.2 there and 0\.3 now"):
        next(upgrade_parquet(folder, out, model=other))
    with pytest.raises(InputError, match="another run: polarity sha256 is"):
        next(upgrade_parquet(folder, out, model=litotes.polarity("litotes-mini"), dial=0.2))
    write(folder / "a.parquet", {"text": texts_of("z"), "vector": letters(texts_of("z")).tolist()})
    with pytest.raises(InputError, match=r"another run: file a\.parquet is .*'rows': 4"):
        next(upgrade_parquet(folder, out, model=encoder))
    (folder / "a.parquet").unlink()
    with pytest.raises(InputError, match=r"file a\.parquet is .* there and None now"):
        next(upgrade_parquet(folder, out, model=encoder))


def bad_columns(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    texts = texts_of("bad")
    columns = {"text": texts, "vector": letters(texts).tolist()}
    change(columns)
    return columns


def set_vector(columns: dict[str, Any], vector: list[float]) -> None:
    columns["vector"][2] = vector


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda columns: columns.pop("vector"), r"z\.parquet has no column 'vector'; expected one of text"),
        (lambda columns: columns.update(text=[1] * ROWS), r"'text' of .*z\.parquet has the type int64; expected texts"),
        (lambda columns: columns.update(vector=[1.0] * ROWS), "has the type double; expected lists of numbers"),
        (lambda columns: columns.update(text=["a", " ", "b", "c"]), r"row 1 of .*z\.parquet has no text or no vector"),
        (lambda columns: columns["text"].__setitem__(3, None), r"row 3 of .*z\.parquet has no text or no vector"),
        (lambda columns: columns["vector"].__setitem__(0, None), r"row 0 of .*z\.parquet has no text or no vector"),
        (lambda columns: set_vector(columns, [1.0]), "different widths: 26 columns in row 0, 1 in row 2"),
        (
            lambda columns: set_vector(columns, [float("nan")] * 26),
            r"z\.parquet, .* row 0: vector 2 has the length nan",
        ),
        (lambda columns: set_vector(columns, [0.0] * 26), "vector 2 has the length 0.0"),
        (lambda columns: columns.update(vector=[[1.0]] * ROWS), "the vectors have 1 columns, and the encoder gives 26"),
        (lambda columns: columns["vector"].reverse(), "has the cosine .* with the encoder's vector of its text"),
        (lambda columns: columns.update(text=[], vector=[]), "has (0 rows|the type null)"),
    ],
)
def test_nothing_is_written_if_one_file_is_bad(
    folder: Path, encoder: Any, tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    write(folder / "z.parquet", bad_columns(change))
    with pytest.raises(InputError, match=message):
        next(upgrade_parquet(folder, tmp_path / "new", model=encoder))
    assert not (tmp_path / "new").exists()


def test_files_with_vectors_of_different_widths(folder: Path, encoder: Any, tmp_path: Path) -> None:
    write(folder / "z.parquet", {"text": texts_of("z"), "vector": [[1.0, 2.0]] * ROWS})
    with pytest.raises(InputError, match=r"26 columns in .*a\.parquet and 2 columns in .*z\.parquet"):
        next(upgrade_parquet(folder, tmp_path / "new", model=encoder.polarity, dial=0.2))
    assert not (tmp_path / "new").exists()


def test_folders_and_options_that_are_refused(folder: Path, encoder: Any, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    cases: list[tuple[Path | str, Path, dict[str, Any], str]] = [
        (folder, tmp_path / "full", {}, "has other files than the parts of a run"),
        (folder, folder, {}, "is in the folder to upgrade"),
        (folder, folder / "new", {}, "is in the folder to upgrade"),
        (tmp_path / "full", tmp_path / "new", {}, "there are no Parquet files"),
        (f"{folder}/x*.parquet", tmp_path / "new", {}, "there are no Parquet files"),
        (tmp_path / "none", tmp_path / "new", {}, "there is no file"),
        (folder / "a.parquet", tmp_path / "new", {"workers": 2}, "is one file; expected a folder"),
        (folder, tmp_path / "new", {"gpus_per_worker": 1}, "expected no negative numbers, GPUs only with workers"),
        (folder, tmp_path / "new", {"workers": -1}, "expected no negative numbers"),
        (folder, tmp_path / "new", {"at_once": 0}, "1 or more rows at once"),
    ]
    for source, out, options, message in cases:
        with pytest.raises(InputError, match=message):
            next(upgrade_parquet(source, out, model=encoder, **options))
        assert not (tmp_path / "new").exists()


def test_the_hash_of_the_weights_depends_on_the_weights() -> None:
    block = litotes.polarity("litotes-mini", device="cpu")
    assert block.weights_sha256() == litotes.polarity("litotes-mini", device="cpu").weights_sha256()
    assert block.weights_sha256() != litotes.polarity("litotes-mini", device="cpu", max_tokens=64).weights_sha256()
    assert block.weights_sha256() != Polarity(small_tower()).weights_sha256()


KILLED_AFTER_A_PART = """
import os, signal, sys
import litotes
from litotes.query import upgrade_parquet
next(upgrade_parquet(sys.argv[1], sys.argv[2], model=litotes.load("litotes-mini", device="cpu"), workers=2))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Compute with one thread, as Ray workers do: the last digits of a vector depend on it."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_ray_workers_that_are_killed_resume_and_give_the_same_vectors(tmp_path: Path) -> None:
    old, new, here = (tmp_path / name for name in ("old", "new", "here"))
    texts = [f"Room {number} is {'not ' * (number % 2)}free on day {number * number}." for number in range(240)]
    vectors = litotes.load("minilm", device="cpu").encode(texts)
    for at in range(0, 240, 30):
        rows = {"n": list(range(at, at + 30)), "text": texts[at : at + 30], "vector": list(vectors[at : at + 30])}
        write(old / f"{at:03}.parquet", rows)
    model = litotes.load("litotes-mini", device="cpu")
    assert list(upgrade_parquet(old, here, model=model)) == list(range(30, 241, 30))
    command = [sys.executable, "-c", KILLED_AFTER_A_PART, str(old), str(new)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    made = {path: written(path) for path in new.glob("*.parquet")}
    assert made
    damaged = min(made)
    damaged.write_bytes(damaged.read_bytes()[:1000])
    steps = list(upgrade_parquet(old, new, model=model, workers=2))
    assert steps[-1] == 240
    assert [path for path, before in made.items() if written(path) != before] == [damaged]
    assert files_in(new) == files_in(here) == sorted([*(path.name for path in old.iterdir()), MANIFEST])
    for path in old.iterdir():
        assert pq.read_table(new / path.name).equals(pq.read_table(here / path.name))


@pytest.mark.slow
def test_ray_names_the_problem_before_anything_is_written(folder: Path, tmp_path: Path, encoder: Any) -> None:
    out = tmp_path / "new"
    with pytest.raises(InputError, match="1000 workers need 1000 CPUs and 0 GPUs, and the Ray cluster has"):
        next(upgrade_parquet(folder, out, model=encoder, workers=1000))
    with pytest.raises(InputError, match="1 workers need 1 CPUs and 99 GPUs"):
        next(upgrade_parquet(folder, out, model=encoder, workers=1, gpus_per_worker=99))
    write(folder / "a2.parquet", bad_columns(lambda columns: columns["text"].__setitem__(3, "")))
    for name in "cdefghijkl":
        write(folder / f"{name}.parquet", bad_columns(lambda columns: None))
    with pytest.raises(InputError, match=r"row 3 of .*a2\.parquet has no text or no vector"):
        next(upgrade_parquet(folder, out, model=encoder, workers=1))
    assert not out.exists()
