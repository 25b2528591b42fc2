"""Parsing: offsets, white space, the pinned pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from litotes import parse
from litotes.errors import InputError, MissingError
from litotes.parse import Parser, folder_sha256, load_parser


def test_offsets_refer_to_the_text_and_white_space_is_no_token() -> None:
    text = "  The  drug\tis\n\nsafe .  It works! "
    document = load_parser().parse(text)
    for sentence in document.sentences:
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.text
            assert not token.text.isspace()
            assert 0 <= token.head < len(sentence.tokens)
    assert [t.text for t in document.sentences[-1].tokens] == ["It", "works", "!"]


def test_the_edges_of_a_phrase() -> None:
    (sentence,) = load_parser().parse("The old man in the yellow coat sang.").sentences
    subject = next(t for t in sentence.tokens if t.text == "man")
    assert [t.text for t in sentence.phrase(subject)] == ["The", "old", "man", "in", "the", "yellow", "coat"]
    assert sentence.left(subject).text == "The"
    assert sentence.right(subject).text == "coat"
    assert sentence.root.text == "sang"
    assert sentence.inside(sentence.left(subject), subject)
    assert not sentence.inside(sentence.root, subject)


def test_documents_are_in_order_and_include_empty_texts() -> None:
    documents = list(load_parser().pipe(["One came.", "", "Two left."]))
    assert [d.text for d in documents] == ["One came.", "", "Two left."]
    assert [len(d.sentences) for d in documents] == [1, 0, 1]


def test_an_unknown_pipeline_is_an_error() -> None:
    with pytest.raises(MissingError, match="there is no installed spaCy pipeline 'en_no_such'"):
        Parser("en_no_such")


def test_a_modified_pipeline_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "REUPLOAD_SHA256", "0" * 64)
    with pytest.raises(InputError, match="is not the one litotes was tested with"):
        Parser(parse.REUPLOAD)


def test_the_hash_of_a_folder_depends_on_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"1")
    first = folder_sha256(tmp_path)
    (tmp_path / "code.py").write_text("x = 1")
    assert folder_sha256(tmp_path) == first
    (tmp_path / "a.bin").rename(tmp_path / "b.bin")
    assert folder_sha256(tmp_path) != first


def test_a_long_stream_needs_no_memory_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    # spaCy 3.7 has none
    texts = [f"Bridge {number} is not open." for number in range(9)]
    expected = [load_parser().parse(text).sentences[0].tokens for text in texts]
    monkeypatch.setattr(parse, "CHUNK", 4)
    monkeypatch.delattr("spacy.language.Language.memory_zone")
    assert [document.sentences[0].tokens for document in Parser().pipe(texts)] == expected
