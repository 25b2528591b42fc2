"""Duplicates and near-duplicates in a stream: what goes, what stays, and that a "not" is never lost to them."""

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

from litotes.data.words import normal
from litotes.errors import InputError
from litotes.synth.selection import minhash
from litotes.synth.selection.duplicates import DUPLICATE, GIVEN, NEAR, NEAR_GIVEN, Seen, against
from litotes.synth.selection.polarity import expanded, polarity

LONG = (
    "According to the report that the harbour board published last week, the new ferry is {} for the crossing "
    "to the outer islands between the beginning of April and the end of October."
)


def test_the_same_words_are_the_same_text() -> None:
    seen = Seen()
    assert seen.filter(["The lamp is on.", "the  LAMP is on", "“The lamp is on!”\n", "The lamp is off."]) == [
        "",
        DUPLICATE,
        DUPLICATE,
        "",
    ]
    assert seen.reason("The lamp is on") == DUPLICATE
    assert seen.filter([]) == []


def test_texts_without_words_are_told_apart_by_their_signs() -> None:
    assert Seen().filter(["…", "?!", " … ", ""]) == ["", "", DUPLICATE, ""]


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
def test_small_changes_of_letters_are_near(first: str, second: str) -> None:
    assert Seen().filter([first, second]) == ["", NEAR]
    assert Seen().filter([second, first]) == ["", NEAR]
    assert Seen(threshold=None).filter([first, second]) == ["", ""]


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
        # the same cue elsewhere
        (LONG.format("not fit") + " It was tried.", LONG.format("fit") + " It was not tried."),
    ],
)
def test_another_polarity_is_another_text(first: str, second: str) -> None:
    assert Seen().filter([first, second]) == ["", ""]
    assert Seen(threshold=0.2).filter([second, first]) == ["", ""]


def test_a_word_makes_a_short_sentence_another_one() -> None:
    assert Seen().filter(["I like cats.", "I like dogs."]) == ["", ""]


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
def test_the_marks_of_a_text(text: str, wanted: str) -> None:
    assert polarity(text) == wanted


def test_contracted_denials_in_full() -> None:
    assert (
        expanded("it isn't so and wont be and cant and cannot be")
        == "it is not so and will not be and can not and can not be"
    )
    assert expanded("she wants a front tent") == "she wants a front tent"


def test_what_is_near_is_measured_from_new_texts_only() -> None:
    tails = ("", " Signed by the harbour master.", " Signed by the harbour master and by a clerk of the customs house.")
    first, second, third = (LONG.format("fit") + tail for tail in tails)
    assert _overlap(first, second) > 0.89
    assert _overlap(second, third) > 0.84
    assert _overlap(first, third) < 0.77
    assert Seen().filter([first, second, third]) == ["", NEAR, ""]
    assert Seen().filter([second, third]) == ["", NEAR]


def _overlap(first: str, second: str) -> float:
    """The share of five-letter stretches that two texts have in common."""
    padded = (f" {normal(text)} " for text in (first, second))
    one, other = ({text[at : at + 5] for at in range(len(text) - 4)} for text in padded)
    return len(one & other) / len(one | other)


PIECES = ("the old ferry", "crosses the lake", "every morning", "not", "never", "in winter", "today", "Today!")
SENTENCES = st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30) | SENTENCES, max_size=12), st.text(max_size=60))
def test_a_text_is_a_duplicate_of_itself(before: list[str], text: str) -> None:
    seen = Seen()
    seen.filter(before)
    seen.reason(text)
    assert seen.reason(text) == DUPLICATE
    assert seen.filter([text, text.upper().lower(), f" {text}\n"])[0] == DUPLICATE


@settings(max_examples=60, deadline=None)
@given(st.lists(SENTENCES, max_size=14), st.data())
def test_exact_hits_do_not_depend_on_the_order(texts: list[str], data: st.DataObject) -> None:
    for order in (texts, data.draw(st.permutations(texts))):
        assert Seen().filter(order).count(DUPLICATE) == len(texts) - len({normal(text) for text in texts})


@settings(max_examples=40, deadline=None)
@given(st.lists(SENTENCES, max_size=14), st.integers(1, 5))
def test_batches_of_any_size_give_the_same_answers(texts: list[str], size: int) -> None:
    whole, seen = Seen(threshold=0.6).filter(texts), Seen(threshold=0.6)
    parts = [reason for at in range(0, len(texts), size) for reason in seen.filter(texts[at : at + size])]
    assert parts == whole


@settings(max_examples=60, deadline=None)
@given(SENTENCES, SENTENCES)
def test_texts_with_other_cues_are_never_near(first: str, second: str) -> None:
    cues = [sorted(word for word in text.split() if word in {"not", "never"}) for text in (first, second)]
    if cues[0] != cues[1]:
        assert NEAR not in Seen(threshold=0.05).filter([first, second])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 40), max_size=8), max_size=12), st.lists(st.integers(0, 50), max_size=20))
def test_runs_hold_what_a_set_holds(added: list[list[int]], asked: list[int]) -> None:
    runs, wanted = minhash.Runs(), set()
    for numbers in added:
        runs.add(np.array(numbers, np.uint64))
        wanted |= set(numbers)
    assert runs.has(np.array(asked, np.uint64)).tolist() == [number in wanted for number in asked]


def test_the_estimate_follows_the_overlap() -> None:
    rng = np.random.default_rng(5)
    words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 7)) for _ in range(60)]
    whole = " ".join(words)
    errors = []
    for kept in range(20, 60, 2):
        part = " ".join(words[:kept])
        overlap = _overlap(whole, part)
        sketches = minhash.sketches(minhash.firsts([whole, part], np.zeros(2, np.uint64)))
        agree = int(minhash.agreeing(sketches[:1], sketches[1:])[0]) / minhash.FIRSTS
        errors.append((agree - 1 / 16) / (15 / 16) - overlap)
    # the standard error is at most 0.047 (a half, of 128), and that of a mean of twenty correlated ones no larger
    assert abs(float(np.mean(errors))) < 0.05
    assert max(map(abs, errors)) < 0.15


def test_bands_catch_what_the_threshold_asks_for() -> None:
    assert [minhash.depth(threshold) for threshold in (0.5, 0.8, 0.9)] == [1, 4, 8]
    # 128 · (0.8 + 0.2/16) = 104
    assert minhash.agreement(0.8) == 104
    assert minhash.agreement(1.0) == 128


def test_sketches_are_the_same_in_every_process() -> None:
    code = (
        "import numpy as np\n"
        "from litotes.synth.selection import minhash\n"
        "found = minhash.firsts(['the lamp is on', 'a'], np.array([1, 2], np.uint64))\n"
        "print(minhash.sketches(found).tobytes().hex(), minhash.band_keys(found, 4).tolist())\n"
    )
    command = [sys.executable, "-c", code]
    printed = {
        subprocess.check_output(command, text=True, env={**os.environ, "PYTHONHASHSEED": seed}) for seed in ("0", "1")
    }
    assert len(printed) == 1


def test_a_text_costs_at_most_150_bytes() -> None:
    names = ["heron", "ferry", "bakery", "teacher", "orchard", "violin", "lantern", "harbour", "quarry", "meadow"]
    texts = [f"{names[i % 10]} {i * 7919 % 10007} and {names[i // 10 % 10]} {i * i % 10009}" for i in range(8192)]
    seen = Seen()
    seen.reason("the tables are read before we start to count")
    tracemalloc.start()
    kept = seen.filter(texts).count("")
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept > 7000
    assert used < 150 * len(texts)


def test_texts_of_one_mould_end_in_good_time() -> None:
    texts = [f"The lamp number {number} in the long corridor of the old house is on." for number in range(3000)]
    found = Seen().filter(texts)
    assert found[0] == ""
    assert found.count(NEAR) > 2000


GIVEN_PASSAGE = (
    "The Corve ferry crosses the lake twice a day. A ticket for the return journey costs three crowns at the pier."
)


def test_the_given_set_word_for_word_in_part_and_nearly() -> None:
    seen = Seen(given=[GIVEN_PASSAGE, "Too short."])
    texts = [
        "a ticket for the return journey costs three crowns at the pier",
        f"They told us: {GIVEN_PASSAGE}",
        "A ticket for the return journeys costs three crowns at the pier.",
        "A ticket for the return journey never costs three crowns at the pier.",
        "Too short.",
    ]
    wanted = [GIVEN, GIVEN, NEAR_GIVEN, "", ""]
    assert seen.given(texts) == wanted
    assert seen.given(texts) == wanted
    assert seen.filter(texts) == wanted
    assert seen.filter(texts) == [GIVEN, GIVEN, DUPLICATE, DUPLICATE, DUPLICATE]
    assert Seen(threshold=None, given=[GIVEN_PASSAGE]).given(texts) == [GIVEN, GIVEN, "", "", ""]
    assert Seen().given(texts) == [""] * 5


def test_files_to_keep_out(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"q1": "x", "doc1": GIVEN_PASSAGE}) + "\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text(
        "reference,candidate\nThe heron waits by the pond.,Nothing much.\n", encoding="utf-8"
    )
    seen = against([str(tmp_path / "a.jsonl"), str(tmp_path / "b.csv")])
    assert seen.filter(["The heron waits by the pond!", "Nothing much.", GIVEN_PASSAGE, "It rained on the roof."]) == [
        GIVEN,
        "",
        GIVEN,
        "",
    ]
    with pytest.raises(InputError, match=r"there is no file 'nowhere.csv'"):
        against(["nowhere.csv"])
    (tmp_path / "bad.jsonl").write_text('{"text": "x"}\n{\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2: not JSON"):
        against([str(tmp_path / "bad.jsonl")])


@pytest.mark.parametrize("threshold", [0, -1, 1.01, float("nan")])
def test_a_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(InputError, match="expected a share above 0 and up to 1"):
        Seen(threshold=threshold)
