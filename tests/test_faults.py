"""Faults: each kind by hand, what it is worth, the same for a seed, and no negation lost or brought."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.lexicon import word_set
from litotes.parse import parser
from litotes.synth.by_rule.faults import DAMAGES, Stock, faults, stock_of

STOCK = Stock({"NNP": ["Oslo"], "NN": ["kettle"], "NNS": ["ladders"]}, ["Bees hum."])
SEEDS = range(12)
PLAIN = "The old miller sold 14 goats near Lisbon."
CUES = re.compile(
    r"(?i)\b(?:no|not|cannot|never|none|nothing|nobody|nowhere|neither|nor|without|hardly|rarely|few)\b|n['’]t\b"
)


def found(text: str, *, stock: Stock = STOCK) -> dict[str, set[str]]:
    """What a text becomes over some seeds, kind by kind."""
    document = parser().parse(text)
    by_kind = defaultdict(set)
    for seed in SEEDS:
        for one in faults(document, stock, seed=seed):
            assert one.worth == DAMAGES[one.kind][0]
            by_kind[one.kind].add(one.text)
    return by_kind


@pytest.fixture(scope="module")
def plain() -> dict[str, set[str]]:
    return found(PLAIN)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("unrelated", {"Bees hum."}),
        ("name replaced", {"The old miller sold 14 goats near Oslo."}),
        ("noun replaced", {"The old kettle sold 14 goats near Lisbon.", "The old miller sold 14 ladders near Lisbon."}),
        ("name removed", {"The old miller sold 14 goats near."}),
        ("subject removed", {"sold 14 goats near Lisbon."}),
        ("verb removed", {"The old miller 14 goats near Lisbon."}),
        ("noun removed", {"The old sold 14 goats near Lisbon.", "The old miller sold 14 near Lisbon."}),
        ("addition", {"The old miller sold 14 goats near Lisbon Bees hum."}),
        ("phrase removed", {"The old miller sold 14 goats."}),
        ("question", {"The old miller sold 14 goats near Lisbon?"}),
        ("modifier removed", {"The miller sold 14 goats near Lisbon."}),
        ("tense", {"The old miller sells 14 goats near Lisbon."}),
        ("repeated", {"The old miller sold 14 goats near Lisbon Lisbon."}),
        ("repeated often", {"The old miller sold 14 goats near Lisbon Lisbon Lisbon Lisbon."}),
        ("no final stop", {"The old miller sold 14 goats near Lisbon"}),
    ],
)
def test_a_fault_by_hand(plain: dict[str, set[str]], kind: str, expected: set[str]) -> None:
    assert plain[kind] == expected


def test_faults_that_are_drawn_stay_within_their_kind(plain: dict[str, set[str]]) -> None:
    words = PLAIN.split()
    for text in plain["shuffled"]:
        assert sorted(text.split()) == sorted(words)
    for text in plain["number replaced"]:
        assert re.fullmatch(r"The old miller sold [1-9]\d goats near Lisbon\.", text)
        assert text != PLAIN
    for text in plain["little word"]:
        assert re.fullmatch(r"(?:a|of|in|on|to|for|with|at|by) old miller sold 14 goats near Lisbon\.", text)
    swaps = {" ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]]) for at in range(1, len(words) - 2)}
    assert plain["swapped"] <= swaps
    foreign = word_set("foreign_words")
    for text in plain["foreign word"]:
        (new,) = set(text.split()) - set(words)
        assert new in foreign
        assert text in {PLAIN.replace("miller", new), PLAIN.replace("goats", new)}
    assert len(plain["shuffled"]) > 1
    assert len(plain["swapped"]) > 1


def test_a_typing_error_loses_a_letter_or_turns_two(plain: dict[str, set[str]]) -> None:
    for text in plain["mistyped"]:
        ((old, new),) = [pair for pair in zip(PLAIN.split(), text.split(), strict=True) if pair[0] != pair[1]]
        assert old in {"miller", "goats", "Lisbon."}
        lost = {old[:at] + old[at + 1 :] for at in range(1, len(old))}
        turned = {old[:at] + old[at + 1] + old[at] + old[at + 2 :] for at in range(1, len(old) - 1)}
        assert new in lost | turned
        assert new[0] == old[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met his brother.", "She met her sister."),
        ("The woman thanked him herself.", "The man thanked her himself."),
        ("Her wife left.", "Her husband left."),
    ],
)
def test_gender_by_hand(text: str, expected: str) -> None:
    assert found(text)["gender"] == {expected}


def test_worths_lie_on_one_scale() -> None:
    worths = {kind: worth for kind, (worth, _) in DAMAGES.items()}
    assert worths["unrelated"] == 0
    assert all(0 <= worth < 1 for worth in worths.values())
    assert worths["shuffled"] < worths["noun replaced"] < worths["noun removed"] < worths["mistyped"]


def test_the_same_text_stock_and_seed_give_the_same_faults() -> None:
    document = parser().parse(PLAIN)
    first = list(faults(document, STOCK, seed=3))
    assert list(faults(parser().parse(PLAIN), STOCK, seed=3)) == first
    assert list(faults(document, STOCK, seed=4)) != first
    kinds = [one.kind for one in first]
    assert len(set(kinds)) == len(kinds)


NEGATED = (
    "Mara didn't sell the 14 goats she keeps behind the old mill.",
    "The ferry to Orkney isn't running, and nobody at the office knows why.",
    "It's raining in Lisbon, so his brother cannot paint the fence.",
    "Without salt the soup tastes flat.",
    "Nothing happened at the well-known hotel in 1987.",
    "Tom's mother never drinks coffee after lunch.",
    "We asked whether they would come, but they would not.",
    "Neither the baker nor the miller paid.",
    "None of the lamps works, and few guests can find their rooms.",
    "She hardly spoke, and there was nowhere to sit.",
)


@pytest.mark.parametrize("text", NEGATED)
def test_no_negation_is_lost_or_brought(text: str) -> None:
    # The stock holds every cue, as a noun too: "nothing", "nobody" and "none" are tagged as nouns.
    stock = stock_of(parser().pipe(NEGATED))
    assert {"Nothing", "nobody"} <= set(stock.words["NN"])
    before = Counter(cue.lower() for cue in CUES.findall(text))
    by_kind = found(text, stock=stock)
    assert len(by_kind) > 8
    for kind, texts in by_kind.items():
        for one in texts if kind != "unrelated" else ():
            assert Counter(cue.lower() for cue in CUES.findall(one)) == before, (kind, one)


def test_no_word_is_cut_in_two() -> None:
    by_kind = found("It's a well-known fact that Tom's barn isn't his.")
    # "Tom" and "well" alone would leave "'s barn" and "-known"; "'s" as a verb would leave "Itwas".
    assert by_kind["name removed"] == by_kind["tense"] == set()
    for texts in by_kind.values():
        for text in texts:
            assert not re.search(r"(?:^|\s)['’-]\w|Itwas|\sn't", text)


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("We wait.", {"number replaced", "name replaced", "noun replaced", "gender", "foreign word", "swapped"}),
        ("Is the lift old?", {"question", "number replaced", "gender"}),
        ("Go on", {"no final stop", "question", "noun removed"}),
        ("Stop!", {"verb removed", "shuffled", "swapped"}),
    ],
)
def test_a_text_without_room_for_a_kind_has_none_of_it(text: str, absent: set[str]) -> None:
    assert not absent & set(found(text))


def test_texts_without_words_have_no_faults_and_an_empty_stock_lends_nothing() -> None:
    for text in ("", "  \n", "…?!", "—"):
        assert not found(text)
    empty = stock_of([])
    assert empty == Stock({}, [])
    lent = {"unrelated", "addition", "name replaced", "noun replaced"}
    assert not lent & set(found(PLAIN, stock=empty))
    assert "verb removed" in found(PLAIN, stock=empty)


def test_the_stock_holds_names_and_nouns_by_tag() -> None:
    texts = ["Mara feeds goats.", "The goats sleep in 3D in Oslo, an ox too."]
    stock = stock_of(parser().pipe(texts))
    assert stock.words["NNP"] == ["Mara", "Oslo"]
    assert stock.words["NNS"] == ["goats"]
    assert "ox" not in stock.words.get("NN", [])
    assert stock.texts == texts


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abc not.!?'’- \n7é", max_size=40))
def test_any_text_is_borne(text: str) -> None:
    for one in faults(parser().parse(text), STOCK, seed=0):
        assert one.text == one.text.strip() != text.strip()
        assert re.search(r"\w", one.text)
