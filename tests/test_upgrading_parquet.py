"""Test upgrading a Parquet file of vectors: the columns, resuming, and files that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import litotes
from litotes.errors import InputError
from litotes.models import Polarity
from litotes.query import upgrade_parquet
from tests.small_tower import small_tower

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXTS = [f"Room {number} is {'not ' * (number % 2)}free." for number in range(7)]


def letters(texts: Sequence[str]) -> np.ndarray:
    """Encode texts as counts of the letters a to z, plus 1."""
    return np.array([[text.lower().count(chr(97 + at)) + 1.0 for at in range(26)] for text in texts])


@pytest.fixture(scope="module")
def encoder() -> Any:
    # The digits of the texts have no letters, so texts differ by their parity only: enough for a check of order.
    return litotes.beside(letters, block=Polarity(small_tower()), dial=0.2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    columns = {"id": list(range(7)), "embedding": letters(TEXTS).tolist(), "body": TEXTS}
    pq.write_table(pa.table(columns), tmp_path / "old.parquet")
    return tmp_path / "old.parquet"


def names() -> dict[str, Any]:
    return {"text_column": "body", "vector_column": "embedding"}


def test_only_the_vectors_change(file: Path, encoder: Any, tmp_path: Path) -> None:
    out = tmp_path / "new.parquet"
    assert list(upgrade_parquet(file, out, model=encoder, at_once=3, **names())) == [3, 6, 7]
    table = pq.read_table(out)
    assert table.column_names == ["id", "embedding", "body"]
    assert table["id"].to_pylist() == list(range(7))
    assert np.array(table["embedding"].to_pylist()) == pytest.approx(encoder.encode_document(TEXTS), abs=1e-6)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.parquet", "old.parquet"]


def test_an_interrupted_run_resumes(file: Path, encoder: Any, tmp_path: Path) -> None:
    out = tmp_path / "new.parquet"
    run = upgrade_parquet(file, out, model=encoder, at_once=3, **names())
    assert next(run) == 3
    run.close()
    assert not out.exists()
    with pytest.raises(InputError, match="has chunks of another run"):
        list(upgrade_parquet(file, out, model=encoder, at_once=2, **names()))
    assert list(upgrade_parquet(file, out, model=encoder, at_once=3, **names())) == [6, 7]
    assert np.array(pq.read_table(out)["embedding"].to_pylist()) == pytest.approx(
        encoder.encode_document(TEXTS), abs=1e-6
    )


def test_bad_files_are_refused(file: Path, encoder: Any, tmp_path: Path) -> None:
    out = tmp_path / "new.parquet"
    with pytest.raises(InputError, match="has no column 'text'; expected one of id, embedding, body"):
        list(upgrade_parquet(file, out, model=encoder))
    with pytest.raises(InputError, match="there is no file"):
        list(upgrade_parquet(tmp_path / "none.parquet", out, model=encoder))
    with pytest.raises(InputError, match="is the file to upgrade"):
        list(upgrade_parquet(file, file, model=encoder, **names()))
    (tmp_path / "text.parquet").write_text("no Parquet")
    with pytest.raises(InputError, match="cannot be read"):
        list(upgrade_parquet(tmp_path / "text.parquet", out, model=encoder))
    columns = {"embedding": letters(TEXTS).tolist(), "body": [None, *TEXTS[1:]]}
    pq.write_table(pa.table(columns), tmp_path / "gaps.parquet")
    with pytest.raises(InputError, match=r"row 0 of .* has no text or no vector"):
        list(upgrade_parquet(tmp_path / "gaps.parquet", out, model=encoder, **names()))
    pq.write_table(pa.table({"embedding": [[1.0], [1.0, 2.0]], "body": TEXTS[:2]}), tmp_path / "ragged.parquet")
    with pytest.raises(InputError, match="vectors of different widths"):
        list(upgrade_parquet(tmp_path / "ragged.parquet", tmp_path / "r.parquet", model=encoder, **names()))
    pq.write_table(pa.table(columns).slice(0, 0), tmp_path / "empty.parquet")
    with pytest.raises(InputError, match="has 0 rows"):
        list(upgrade_parquet(tmp_path / "empty.parquet", tmp_path / "e.parquet", model=encoder, **names()))


def test_small_row_groups_and_another_source(file: Path, encoder: Any, tmp_path: Path) -> None:
    table = pq.read_table(file)
    table = table.set_column(2, "body", table["body"].dictionary_encode())
    pq.write_table(table, tmp_path / "groups.parquet", row_group_size=3)
    out = tmp_path / "new.parquet"
    done = list(upgrade_parquet(tmp_path / "groups.parquet", out, model=encoder, at_once=4, **names()))
    assert done == sorted(done)
    assert done[-1] == 7
    assert pq.read_table(out)["body"].to_pylist() == TEXTS
    run = upgrade_parquet(file, tmp_path / "other.parquet", model=encoder, at_once=3, **names())
    assert next(run) == 3
    run.close()
    with pytest.raises(InputError, match="has chunks of another run"):
        list(
            upgrade_parquet(
                tmp_path / "groups.parquet", tmp_path / "other.parquet", model=encoder, at_once=3, **names()
            )
        )
