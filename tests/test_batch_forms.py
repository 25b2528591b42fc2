"""The batch forms give the results of the single forms, as a stream, and take a parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import pytest

import litotes
from litotes.detection import split_query, split_query_all, split_sentences
from litotes.parse import REUPLOAD, Parser, load_parser

TEXTS = ["The bridge is not open.", "", "All the guests came, but Tom may leave.", "Nobody saw it."]
SINGLE_AND_BATCH: list[tuple[Callable[..., Any], Callable[..., Iterator[Any]], dict[str, Any]]] = [
    (litotes.negate, litotes.negate_all, {"kind": "absolute", "contractions": False}),
    (litotes.affirm, litotes.affirm_all, {"sentence": "each"}),
    (litotes.hedge, litotes.hedge_all, {"kind": "phrase", "seed": 3}),
    (litotes.paraphrase, litotes.paraphrase_all, {"verify": True}),
    (litotes.rewrites, litotes.rewrites_all, {"seed": 1}),
    (litotes.detect, litotes.detect_all, {}),
]
NAMES = [single.__name__ for single, _, _ in SINGLE_AND_BATCH]


@pytest.mark.parametrize(("single", "batch", "options"), SINGLE_AND_BATCH, ids=NAMES)
def test_a_batch_gives_the_results_of_single_calls(
    single: Callable[..., Any], batch: Callable[..., Iterator[Any]], options: dict[str, Any]
) -> None:
    expected = [single(text, **options) for text in TEXTS]
    assert list(batch(TEXTS, **options)) == expected
    assert list(batch(TEXTS, parser=load_parser(), **options)) == expected
    assert list(batch(iter(TEXTS), parser=REUPLOAD, **options)) == expected


@pytest.mark.parametrize(("single", "batch", "options"), SINGLE_AND_BATCH, ids=NAMES)
def test_a_batch_is_a_stream(
    single: Callable[..., Any], batch: Callable[..., Iterator[Any]], options: dict[str, Any]
) -> None:
    endless = (f"Lamp number {number} is on." for number in count())
    assert len(list(islice(batch(endless, **options), 3))) == 3


def test_queries_are_split_one_by_one_or_as_a_stream() -> None:
    texts = [*TEXTS, "soups other than borscht"]
    assert list(split_query_all(iter(texts))) == list(map(split_query, texts))


def test_a_parser_is_used_as_it_is() -> None:
    parser = Parser(REUPLOAD)
    assert load_parser(parser) is parser
    assert load_parser() is load_parser()


def test_wrong_options_of_a_batch_are_reported_before_it_is_read() -> None:
    with pytest.raises(litotes.InputError, match="expected one of natural, verbal, absolute"):
        litotes.negate_all(TEXTS, "loudly")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rained. Did it? Yes!", ["It rained.", "Did it?", "Yes!"]),
        ("no end", ["no end"]),
        (
            "Dr. Lee met Mr. Roy at 5 p.m. on Monday. They left.",
            ["Dr. Lee met Mr. Roy at 5 p.m. on Monday.", "They left."],
        ),
        ("First line\n\nSecond line", ["First line", "Second line"]),
    ],
)
def test_sentences_are_split_by_punctuation(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences
