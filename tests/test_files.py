"""Atomic writes: a file has its old or its new content, and no temporary file is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes.files import replacing, write_atomically


@pytest.mark.parametrize(("content", "expected"), [("Ω\r\n", "Ω\r\n".encode()), (b"\xff\x00", b"\xff\x00"), ("", b"")])
def test_content_is_written_unchanged(tmp_path: Path, content: str | bytes, expected: bytes) -> None:
    path = tmp_path / "new" / "folder" / "file"
    write_atomically(path, content)
    assert path.read_bytes() == expected
    assert list(path.parent.iterdir()) == [path]


def _interrupted(path: Path) -> None:
    with replacing(path) as temporary:
        temporary.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
        raise RuntimeError("interrupted")


def test_an_error_leaves_the_old_file_and_no_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(RuntimeError, match="interrupted"):
        _interrupted(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "half a pair: \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
