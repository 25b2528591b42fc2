"""The counter of negations, on hand-labelled sentences."""

from __future__ import annotations

import pytest

from litotes.detection import Clause, find_cues, find_text_cues, main_clause, negating_words, split_words
from litotes.parse import load_parser


def _found(text: str) -> list[tuple[str, str]]:
    return [(cue.text, cue.type) for sentence in load_parser().parse(text).sentences for cue in find_cues(sentence)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The valve is open.", []),
        ("The valve is not open.", [("not", "verbal")]),
        ("The valve isn't open.", [("n't", "verbal")]),
        ("the valve isn’t open", [("n’t", "verbal")]),
        ("We cannot wait here.", [("not", "verbal")]),
        ("Nobody saw the valve.", [("Nobody", "absolute")]),
        ("No one saw it.", [("No one", "absolute")]),
        ("It no longer works.", [("no longer", "absolute")]),
        ("She neither wrote nor called.", [("neither", "absolute")]),
        ("He drinks coffee without sugar.", [("without", "absolute")]),
        ("They hardly ever meet.", [("hardly ever", "approximate")]),
        ("Few guests stayed.", [("Few", "approximate")]),
        ("A few guests stayed.", []),
        ("It was impossible to hear.", [("impossible", "affixal")]),
        ("The engine failed to start.", [("failed", "implicit")]),
        ("Not only the roof but also the wall leaked.", []),
        ("The law does not only apply to adults.", [("not", "verbal")]),
        ("There is no doubt that it works.", []),
        ("It is without doubt the best.", []),
        ("He ate nothing but rice.", []),
        ("She couldn't help laughing.", []),
        ("See No. 5 for details.", []),
        ("No, I live here.", []),
        ("Last but not least, thank the cook.", []),
        ("It was a no brainer.", []),
        ("She is nice, isn't she?", []),
        ("It is an invaluable tool.", []),
        ("I do not know whether or not he came.", [("not", "verbal")]),
    ],
)
def test_cues_of_a_sentence(text: str, expected: list[tuple[str, str]]) -> None:
    assert _found(text) == expected


def test_neither_nor_is_one_cue_with_two_spans() -> None:
    (sentence,) = load_parser().parse("Neither Ana nor Luis called.").sentences
    (cue,) = find_cues(sentence)
    assert cue.spans == ((0, 7), (12, 15))


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("I know that he isn't coming.", False),
        ("A man with no hat is singing.", False),
        ("He spoke to nobody.", True),
        ("She decided not to go.", False),
        ("The others came, but Ana did not.", False),
        ("There were no seats left.", True),
        ("Nothing that he says is true.", True),
    ],
)
def test_whether_the_main_clause_is_negative(text: str, negative: bool) -> None:
    clause = main_clause(load_parser().parse(text).sentences[0])
    assert isinstance(clause, Clause)
    assert clause.negative is negative


def test_spans_refer_to_the_text() -> None:
    text = "Odd  spacing:\tit isn't\n so.  Nobody   minds."
    found = [text[a:b] for s in load_parser().parse(text).sentences for cue in find_cues(s) for a, b in cue.spans]
    assert found == ["n't", "Nobody"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The valve is open.", []),
        ("We cannot wait, and they don’t care.", [("not", "verbal"), ("n’t", "verbal")]),
        ("Nobody was unhappy.", [("Nobody", "absolute"), ("unhappy", "affixal")]),
        ("A few guests refused to stay.", [("refused", "implicit")]),
        ("No, it is by no means sure.", [("by no means", "absolute")]),
        ("No doubt she won.", []),
    ],
)
def test_cues_of_a_text_without_a_parse(text: str, expected: list[tuple[str, str]]) -> None:
    cues = find_text_cues(text)
    assert [(cue.text, cue.type) for cue in cues] == expected
    for cue in cues:
        assert text[cue.spans[0][0] : cue.spans[-1][1]] == cue.text


def test_words_of_a_text_without_a_parse() -> None:
    assert split_words("She can’t; I cannot.") == ["she", "ca", "n't", ";", "i", "can", "not", "."]
    assert negating_words("No doubt a few couldn’t.") == ["no", "few", "n't"]
