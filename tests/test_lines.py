"""Lines of text files: plain and gzipped files give the same lines, and errors name the line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from litotes.data.lines import json_objects, text_lines
from litotes.errors import InputError

TEXT = '{"text": "The café is shut."}\n\n{"text": "It is open."}\n'


def test_a_gzipped_file_has_the_lines_of_the_plain_file(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_text(TEXT, encoding="utf-8")
    packed.write_bytes(gzip.compress(TEXT.encode("utf-8")))
    assert list(text_lines(packed)) == list(text_lines(plain)) == TEXT.splitlines(keepends=True)
    assert [number for _, number, _ in json_objects(text_lines(packed), str(packed))] == [1, 3]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(TEXT.encode("utf-8"), id="plain"),
        # without the current time, so that every run tests the same bytes
        pytest.param(gzip.compress(TEXT.encode("utf-8"), mtime=0)[:-12], id="cut short"),
    ],
)
def test_an_incomplete_gzip_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(content)
    with pytest.raises(InputError, match=r"broken\.jsonl\.gz, after line \d: not a complete gzip file"):
        list(text_lines(broken))
