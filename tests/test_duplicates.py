"""Test duplicates and near-duplicates: what is dropped, what is kept, and that negation always makes a difference."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.data.normalised_text import normalise
from litotes.errors import InputError
from litotes.synthesis.selection import minhash
from litotes.synthesis.selection.duplicates import DUPLICATE, GIVEN, NEAR, NEAR_GIVEN, SeenTexts
from litotes.synthesis.selection.polarity_marks import expanded, polarity_marks

LONG = (
    "According to the report that the harbour board published last week, the new ferry is {} for the crossing "
    "to the outer islands between the beginning of April and the end of October."
)


def test_texts_with_the_same_words_are_equal() -> None:
    seen = SeenTexts()
    assert seen.add(["The lamp is on.", "the  LAMP is on", "“The lamp is on!”\n", "The lamp is off."]) == [
        "",
        DUPLICATE,
        DUPLICATE,
        "",
    ]
    assert seen.add(["The lamp is on"])[0] == DUPLICATE
    assert seen.add([]) == []


def test_texts_without_words_are_compared_by_their_characters() -> None:
    assert SeenTexts().add(["…", "?!", " … ", ""]) == ["", "", DUPLICATE, ""]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (LONG.format("safe"), LONG.format("safe").replace("harbour", "harbor")),
        (LONG.format("safe"), LONG.format("safe") + " Signed by the harbour master."),
        (LONG.format("not fit"), LONG.format("not fit").replace("is not", "isn't")),
        ("He does not watch films at all.", "He doesn't watch films at all."),
        ("You cannot say that here.", "You can't say that here."),
        ("They wont come back before the winter.", "They will not come back before the winter."),
    ],
)
def test_small_changes_give_near_duplicates(first: str, second: str) -> None:
    assert SeenTexts().add([first, second]) == ["", NEAR]
    assert SeenTexts().add([second, first]) == ["", NEAR]
    assert SeenTexts(threshold=None).add([first, second]) == ["", ""]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The drug is safe.", "The drug is not safe."),
        (LONG.format("safe"), LONG.format("not safe")),
        (LONG.format("safe"), LONG.format("safe").replace("is safe", "isn't safe")),
        (LONG.format("safe"), LONG.format("unsafe")),
        (LONG.format("open"), LONG.format("closed")),
        (LONG.format("in use"), LONG.format("never in use")),
        (LONG.format("safe"), LONG.format("safe").replace("is safe", "may be safe")),
        (LONG.format("fit") + " All say so.", LONG.format("fit") + " Some say so."),
        (LONG.format("fit") + " Few say so.", LONG.format("fit") + " A few say so."),
        (LONG.format("fit") + " They failed to say so.", LONG.format("fit") + " They managed to say so."),
        # The same cue elsewhere.
        (LONG.format("not fit") + " It was tried.", LONG.format("fit") + " It was not tried."),
    ],
)
def test_texts_of_different_polarity_are_different(first: str, second: str) -> None:
    assert SeenTexts().add([first, second]) == ["", ""]
    assert SeenTexts(threshold=0.2).add([second, first]) == ["", ""]


def test_one_word_makes_a_difference_in_a_short_sentence() -> None:
    assert SeenTexts().add(["I like cats.", "I like dogs."]) == ["", ""]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the drug is safe", "safe"),
        ("the drug is not safe", "not safe|safe"),
        ("nobody slept without a blanket and i did not", "nobody slept|not |without a"),
        ("a few came few stayed", "a few|came few"),
        ("the river turns the mill", ""),
    ],
)
def test_the_polarity_marks_of_a_text(text: str, wanted: str) -> None:
    assert polarity_marks(text) == wanted


def test_contracted_negations_are_expanded() -> None:
    assert (
        expanded("it isn't so and wont be and cant and cannot be")
        == "it is not so and will not be and can not and can not be"
    )
    assert expanded("she wants a front tent") == "she wants a front tent"


def test_near_duplicates_are_compared_with_new_texts_only() -> None:
    tails = ("", " Signed by the harbour master.", " Signed by the harbour master and by a clerk of the customs house.")
    first, second, third = (LONG.format("fit") + tail for tail in tails)
    assert _overlap(first, second) > 0.89
    assert _overlap(second, third) > 0.84
    assert _overlap(first, third) < 0.77
    assert SeenTexts().add([first, second, third]) == ["", NEAR, ""]
    assert SeenTexts().add([second, third]) == ["", NEAR]


def _overlap(first: str, second: str) -> float:
    """Return the share of character 5-grams that two texts have in common."""
    padded = (f" {normalise(text)} " for text in (first, second))
    one, other = ({text[at : at + 5] for at in range(len(text) - 4)} for text in padded)
    return len(one & other) / len(one | other)


PIECES = ("the old ferry", "crosses the lake", "every morning", "not", "never", "in winter", "today", "Today!")
SENTENCES = st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30) | SENTENCES, max_size=12), st.text(max_size=60))
def test_a_text_is_a_duplicate_of_itself(before: list[str], text: str) -> None:
    seen = SeenTexts()
    seen.add(before)
    seen.add([text])[0]
    assert seen.add([text])[0] == DUPLICATE
    assert seen.add([text, text.upper().lower(), f" {text}\n"])[0] == DUPLICATE


@settings(max_examples=60, deadline=None)
@given(st.lists(SENTENCES, max_size=14), st.data())
def test_exact_duplicates_do_not_depend_on_the_order(texts: list[str], data: st.DataObject) -> None:
    for order in (texts, data.draw(st.permutations(texts))):
        assert SeenTexts().add(order).count(DUPLICATE) == len(texts) - len({normalise(text) for text in texts})


@settings(max_examples=40, deadline=None)
@given(st.lists(SENTENCES, max_size=14), st.integers(1, 5))
def test_the_batch_size_does_not_change_the_result(texts: list[str], size: int) -> None:
    whole, seen = SeenTexts(threshold=0.6).add(texts), SeenTexts(threshold=0.6)
    parts = [reason for at in range(0, len(texts), size) for reason in seen.add(texts[at : at + size])]
    assert parts == whole


@settings(max_examples=60, deadline=None)
@given(SENTENCES, SENTENCES)
def test_texts_with_different_cues_are_never_near_duplicates(first: str, second: str) -> None:
    cues = [sorted(word for word in text.split() if word in {"not", "never"}) for text in (first, second)]
    if cues[0] != cues[1]:
        assert NEAR not in SeenTexts(threshold=0.05).add([first, second])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 40), max_size=8), max_size=12), st.lists(st.integers(0, 50), max_size=20))
def test_a_number_set_has_the_same_members_as_a_set(added: list[list[int]], asked: list[int]) -> None:
    runs, wanted = minhash.NumberSet(), set()
    for numbers in added:
        runs.add(np.array(numbers, np.uint64))
        wanted |= set(numbers)
    assert runs.has(np.array(asked, np.uint64)).tolist() == [number in wanted for number in asked]


def test_the_estimate_is_close_to_the_overlap() -> None:
    rng = np.random.default_rng(5)
    words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 7)) for _ in range(60)]
    whole = " ".join(words)
    errors = []
    for kept in range(20, 60, 2):
        part = " ".join(words[:kept])
        overlap = _overlap(whole, part)
        sketches = minhash.sketches(minhash.minima([whole, part], np.zeros(2, np.uint64)))
        agree = int(minhash.agreeing(sketches[:1], sketches[1:])[0]) / minhash.MINIMA
        errors.append((agree - 1 / 16) / (15 / 16) - overlap)
    # The standard error is at most 0.047, and that of the mean of twenty correlated values is no larger.
    assert abs(float(np.mean(errors))) < 0.05
    assert max(map(abs, errors)) < 0.15


def test_bands_and_agreement_follow_from_the_threshold() -> None:
    assert [minhash.depth(threshold) for threshold in (0.5, 0.8, 0.9)] == [1, 4, 8]
    # 128 · (0.8 + 0.2/16) = 104
    assert minhash.agreement(0.8) == 104
    assert minhash.agreement(1.0) == 128


def test_sketches_are_the_same_in_every_process() -> None:
    code = (
        "import numpy as np\n"
        "from litotes.synthesis.selection import minhash\n"
        "values = minhash.minima(['the lamp is on', 'a'], np.array([1, 2], np.uint64))\n"
        "print(minhash.sketches(values).tobytes().hex(), minhash.band_keys(values, 4).tolist())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    printed = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    values = minhash.minima(["the lamp is on", "a"], np.array([1, 2], np.uint64))
    assert printed == f"{minhash.sketches(values).tobytes().hex()} {minhash.band_keys(values, 4).tolist()}\n"


def test_a_text_costs_at_most_150_bytes() -> None:
    names = ["heron", "ferry", "bakery", "teacher", "orchard", "violin", "lantern", "harbour", "quarry", "meadow"]
    texts = [f"{names[i % 10]} {i * 7919 % 10007} and {names[i // 10 % 10]} {i * i % 10009}" for i in range(8192)]
    seen = SeenTexts()
    seen.add(["the tables are read before we start to count"])[0]
    tracemalloc.start()
    kept = seen.add(texts).count("")
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept > 7000
    assert used < 150 * len(texts)


def test_texts_from_one_template_are_near_duplicates() -> None:
    texts = [f"The lamp number {number} in the long corridor of the old house is on." for number in range(3000)]
    found = SeenTexts().add(texts)
    assert found[0] == ""
    assert found.count(NEAR) > 2000


GIVEN_PASSAGE = (
    "The Corve ferry crosses the lake twice a day. A ticket for the return journey costs three crowns at the pier."
)


def test_texts_of_the_given_set_are_found_whole_in_part_and_nearly() -> None:
    seen = SeenTexts(given=[GIVEN_PASSAGE, "Too short."])
    texts = [
        "a ticket for the return journey costs three crowns at the pier",
        f"They told us: {GIVEN_PASSAGE}",
        "A ticket for the return journeys costs three crowns at the pier.",
        "A ticket for the return journey never costs three crowns at the pier.",
        "Too short.",
    ]
    wanted = [GIVEN, GIVEN, NEAR_GIVEN, "", ""]
    assert seen.check_given(texts) == wanted
    assert seen.check_given(texts) == wanted
    assert seen.add(texts) == wanted
    assert seen.add(texts) == [GIVEN, GIVEN, DUPLICATE, DUPLICATE, DUPLICATE]
    assert SeenTexts(threshold=None, given=[GIVEN_PASSAGE]).check_given(texts) == [GIVEN, GIVEN, "", "", ""]
    assert SeenTexts().check_given(texts) == [""] * 5


def test_texts_of_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"q1": "x", "doc1": GIVEN_PASSAGE}) + "\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text(
        "reference,candidate\nThe heron waits by the pond.,Nothing much.\n", encoding="utf-8"
    )
    seen = SeenTexts.from_files([str(tmp_path / "a.jsonl"), str(tmp_path / "b.csv")])
    assert seen.add(["The heron waits by the pond!", "Nothing much.", GIVEN_PASSAGE, "It rained on the roof."]) == [
        GIVEN,
        "",
        GIVEN,
        "",
    ]
    with pytest.raises(InputError, match=r"there is no file 'nowhere.csv'"):
        SeenTexts.from_files(["nowhere.csv"])
    (tmp_path / "bad.jsonl").write_text('{"text": "x"}\n{\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2: not JSON"):
        SeenTexts.from_files([str(tmp_path / "bad.jsonl")])


@pytest.mark.parametrize("threshold", [0, -1, 1.01, float("nan")])
def test_a_threshold_must_be_a_share(threshold: float) -> None:
    with pytest.raises(InputError, match="expected a share above 0 and up to 1"):
        SeenTexts(threshold=threshold)
