"""Test labelled pairs and yes/no instructions from triples: filters, labels, balance, lazy reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest

from litotes.data.opposite_questions import LAYOUTS, QUESTIONS, SYSTEM_PROMPTS
from litotes.data.pairing import balance, jaccard, pair_hash, refusal
from litotes.errors import InputError
from litotes.synthesis.instructions import instructions
from litotes.synthesis.labelled_pairs import labelled_pairs
from litotes.types import LabelledPair, Triple


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("The lamp is on.", "The lamp isn't on.", 3 / 5),
        ("The lamp is on.", "The lamp is not on.", 4 / 5),
        ("Rain fell.", "No rain fell.", 1 / 4),
        ("It rained, it snowed.", "It rained.", 2 / 4),
        ("a b", "c d", 0.0),
        ("a b", "b a", 1.0),
        ("", "", 1.0),
        ("", "a", 0.0),
    ],
)  # fmt: skip
def test_jaccard_by_hand(first: str, second: str, wanted: float) -> None:
    # "it", "It", "rained" and "snowed" are four words: capitals count, punctuation does not.
    assert jaccard(first, second) == pytest.approx(wanted)


def test_the_limits_are_those_of_cannot() -> None:
    shared = "a b c d e f g h i j k"
    # 11 of 20 words are 0.55, 11 of 21 are less.
    assert refusal(f"{shared} l m n o p", f"{shared} q r s t") == ""
    assert "Jaccard" in refusal(f"{shared} l m n o p", f"{shared} q r s t u")
    assert refusal("a b c d e f", "a b c d e f g h i") == ""
    assert "lengths" in refusal("a b c d e f", "a b c d e f g h i j")
    assert "the same" in refusal("It is on.", " It is on. ")


def _triple(
    positive: str, negative: str, kinds: tuple[str, str], name: str = "x", anchor: str = "The lamp is on."
) -> Triple:
    return Triple(f"{name}/{kinds[1]}/{kinds[0]}", anchor, positive, negative, *kinds, ("p", "n"))


OFF, NEVER, LIT, MAYBE = "The lamp is off.", "The lamp is never on.", "The lamp is lit.", "The lamp may be on."
LAMP = (
    _triple(LIT, OFF, ("synonym", "lexical")),
    _triple(MAYBE, OFF, ("word", "lexical")),
    _triple(LIT, NEVER, ("synonym", "absolute")),
    _triple(MAYBE, NEVER, ("word", "absolute")),
    _triple(MAYBE, "No lamp burns anywhere in the old house tonight.", ("word", "contrary")),
)


def test_negations_have_label_0_paraphrases_1_and_hedges_give_no_pair() -> None:
    counts: Counter[str] = Counter()
    made = list(labelled_pairs(LAMP, swapped=False, counts=counts))
    anchor = "The lamp is on."
    # {The, lamp, is, on} and {The, lamp, is, off} share 3 of 5 words, with “never” 4 of 5.
    assert made == [
        LabelledPair("x/lexical", anchor, OFF, 0, "lexical", "n"),
        LabelledPair("x/absolute", anchor, NEVER, 0, "absolute", "n"),
        LabelledPair("x/synonym", anchor, LIT, 1, "synonym", "p"),
    ]
    assert +counts == {
        "a hedge has neither the same nor the opposite meaning": 1,
        "lengths differ by more than 3 words": 1,
        "kept, label 0": 2,
        "kept, label 1": 1,
    }


def test_swapped_copies_follow_their_pair() -> None:
    made = list(labelled_pairs(LAMP, counts=Counter()))
    assert len(made) == 6
    for pair, copy in zip(made[::2], made[1::2], strict=True):
        assert (copy.premise, copy.hypothesis, copy.label) == (pair.hypothesis, pair.premise, pair.label)
        assert copy.id == f"{pair.id}/swapped"


def test_the_mirror_of_a_pair_is_a_duplicate() -> None:
    mirror = _triple("The lamp is not ever on.", "The lamp is on.", ("equivalent", "affirm"), "x/mirror", NEVER)
    counts: Counter[str] = Counter()
    made = list(labelled_pairs([*LAMP, mirror], swapped=False, counts=counts))
    assert counts["the same pair again"] == 1
    assert made[-1].premise == NEVER
    assert made[-1].label == 1


def test_a_text_that_is_a_negation_and_a_paraphrase_gives_no_pair() -> None:
    counts: Counter[str] = Counter()
    both = [_triple(LIT, OFF, ("synonym", "lexical")), _triple(OFF, NEVER, ("synonym", "absolute"))]
    assert [pair.hypothesis for pair in labelled_pairs(both, swapped=False, counts=counts)] == [NEVER, LIT]
    assert counts["the same text is a negation and a paraphrase"] == 1


def test_balance_keeps_equally_many_of_each_label() -> None:
    counts: Counter[str] = Counter()
    made = list(labelled_pairs(LAMP, balance=True, counts=counts))
    assert Counter(pair.label for pair in made) == {0: 2, 1: 2}
    assert counts["left over, label 0"] == 1
    assert list(balance([], counts=Counter())) == []


def _endless() -> Iterator[Triple]:
    for number in count():
        anchor = f"Lamp number {number} is on."
        yield _triple(anchor.replace("on", "lit"), anchor.replace("on", "off"), ("synonym", "lexical"), anchor=anchor)


def test_pairs_and_instructions_are_lazy() -> None:
    assert len(list(islice(labelled_pairs(_endless(), counts=Counter()), 10))) == 10
    assert len(list(islice(instructions(_endless(), counts=Counter()), 10))) == 10
    assert list(labelled_pairs([], counts=Counter())) == []
    assert list(instructions([], counts=Counter())) == []


def test_the_pair_line_has_the_columns_of_cannot() -> None:
    assert list(LabelledPair("x", "a", "b", 1).line())[1:4] == ["premise", "hypothesis", "label"]


def test_the_hash_of_a_pair_ignores_the_order() -> None:
    assert pair_hash("a", "b") == pair_hash("b", "a") != pair_hash("a", "c")
    assert pair_hash("a", "b", seed="1") != pair_hash("a", "b")


def test_instructions_are_balanced_and_answered_correctly() -> None:
    counts: Counter[str] = Counter()
    made = list(instructions(LAMP, counts=counts))
    # Three negations and two compatible texts: two of each are used.
    assert [row.answer for row in made] == ["Yes", "Yes", "No", "No"]
    assert counts["left out to balance yes and no"] == 1
    for row in made:
        assert "The lamp is on." in row.prompt
        assert row.kind in ({"lexical", "absolute", "contrary"} if row.answer == "Yes" else {"synonym", "word"})
    line = made[0].line()
    assert [message["role"] for message in line["messages"]] == ["system", "user", "assistant"]
    assert line["messages"][2]["content"] == "Yes"


def test_wording_and_order_are_drawn_with_the_seed() -> None:
    many = list(islice(_endless(), 200))
    made, other = (list(instructions(many, counts=Counter(), seed=seed)) for seed in (0, 1))
    assert made == list(instructions(many, counts=Counter(), seed=0))
    assert made != other
    assert {row.system for row in made} == set(SYSTEM_PROMPTS)
    assert {question for question in QUESTIONS if any(question in row.prompt for row in made)} == set(QUESTIONS)
    openings = {layout.split("{")[0] for layout in LAYOUTS if layout[0] != "{"}
    assert all(any(row.prompt.startswith(opening) for row in made) for opening in openings)
    # The anchor comes first in about half of them.
    first = sum(
        row.prompt.index("is on.") < max(row.prompt.find("is lit."), row.prompt.find("is off.")) for row in made
    )
    assert 140 < first < 260


def test_only_negation_and_only_hedging() -> None:
    plain = _triple(MAYBE, "The lamp isn't on.", ("word", "verbal"))
    kinds = {
        only: {row.kind for row in instructions([*LAMP, plain], counts=Counter(), only=only)}
        for only in ("negation", "hedging")
    }
    assert kinds["hedging"] == {"verbal", "word"}
    assert "word" not in kinds["negation"]
    assert "synonym" in kinds["negation"]
    with pytest.raises(InputError, match="expected “negation”, “hedging”"):
        list(instructions(LAMP, counts=Counter(), only="tea"))


def test_an_exceptor_gives_no_instruction() -> None:
    counts: Counter[str] = Counter()
    triple = _triple(
        "Each lamp is on.", "All lamps but one are on.", ("synonym", "exceptor"), anchor="All lamps are on."
    )
    assert list(instructions([triple], counts=counts)) == []
    assert counts["an exceptor does not say the opposite"] == 1
