"""The sentence view: offsets, white space, pinned pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes import parse
from litotes.errors import InputError, MissingError
from litotes.parse import Parser, folder_sha256, parser


def test_tokens_point_into_the_text_and_white_space_is_left_out() -> None:
    text = "  The  drug\tis\n\nsafe .  It works! "
    document = parser().parse(text)
    for sentence in document.sentences:
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.text
            assert not token.text.isspace()
            assert 0 <= token.head < len(sentence.tokens)
    assert [t.text for t in document.sentences[-1].tokens] == ["It", "works", "!"]


def test_phrases_have_edges() -> None:
    (sentence,) = parser().parse("The old man in the yellow coat sang.").sentences
    subject = next(t for t in sentence.tokens if t.text == "man")
    assert [t.text for t in sentence.phrase(subject)] == ["The", "old", "man", "in", "the", "yellow", "coat"]
    assert sentence.left(subject).text == "The"
    assert sentence.right(subject).text == "coat"
    assert sentence.root.text == "sang"
    assert sentence.inside(sentence.left(subject), subject)
    assert not sentence.inside(sentence.root, subject)


def test_texts_come_back_in_order_and_empty_ones_too() -> None:
    documents = list(parser().pipe(["One came.", "", "Two left."]))
    assert [d.text for d in documents] == ["One came.", "", "Two left."]
    assert [len(d.sentences) for d in documents] == [1, 0, 1]


def test_an_unknown_pipeline_is_missing() -> None:
    with pytest.raises(MissingError, match="no spaCy pipeline called 'en_no_such'"):
        Parser("en_no_such")


def test_a_changed_reupload_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "REUPLOAD_SHA256", "0" * 64)
    with pytest.raises(InputError, match="is not the one litotes was tested with"):
        Parser(parse.REUPLOAD)


def test_a_folder_hash_depends_on_names_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"1")
    first = folder_sha256(tmp_path)
    (tmp_path / "code.py").write_text("x = 1")
    assert folder_sha256(tmp_path) == first
    (tmp_path / "a.bin").rename(tmp_path / "b.bin")
    assert folder_sha256(tmp_path) != first
