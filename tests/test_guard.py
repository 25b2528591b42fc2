"""The guard: what it decides without a model, thresholds, errors, counters, its log, and its command."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from litotes.cli.guard import guard as command
from litotes.errors import InputError
from litotes.guard import Guard, OperatingPoint, fit
from litotes.guard.deciding_words import deciding_words
from litotes.guard.normalising import agree
from litotes.guard.operating_point import read_operating_point, warning
from tests.guard_tiers import WordTier

ON, OFF = "How do I turn on the heating?", "How do I turn off the heating?"


class FailingTier(WordTier):
    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        raise RuntimeError("out of memory")


class UnsureTier(WordTier):
    """Every score is not a number."""

    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        return np.full((len(new), len(self.labels)), np.nan)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Where is my parcel?", "where is my parcel", True),
        ("WHERE IS MY PARCEL?", "Where is my parcel?", True),
        ("Where's My parcel", "Where is my parcel", True),
        ("Please cancel my order", "cancel my order, please!", True),
        ("cancel my order please", "Cancel my order. Thanks!", True),
        ("Hi, what's the code?", "What's the code?", True),
        ("I can't log in", "I cannot log in.", True),
        ("No, I can't!", "No, I can not.", True),
        ("I don’t eat meat", "I do not eat meat", True),
        ("“Close” the app", '"Close" the app', True),
        ("(Is it open?)", "- Is it open:", True),
        ("fix   the \n lamp", "fix the lamp", True),
        ("Hello", "Hello", True),
        ("Thanks!", "thanks", True),
        ("!!!", "!!!", True),
        ("Who runs IT here?", "Who runs it here?", False),
        ("ship to us", "Ship to US", False),
        ("Is it open?", "Is it not open?", False),
        ("learn C", "learn C++", False),
        ("5% interest", "5 interest", False),
        ("What is 5²?", "What is 52?", False),
        ("What is 5!", "What is 5?", False),
        ("How do I say thank you?", "How do I say please?", False),
        ("How do I say please", "How do I say", False),
        ("Thank you letter template", "letter template", False),
        ("Hello Kitty toys", "Kitty toys", False),
        ("Rita's keys", "Rita is keys", False),
        ("", "", False),
        ("?", "!", False),
    ],
)
def test_texts_that_agree_after_normalising(one: str, other: str, same: bool) -> None:
    assert agree(one, other) is agree(other, one) is same


def test_a_pair_that_agrees_needs_no_model() -> None:
    verdict = Guard(FailingTier(), on_error="raise").judge("Where is my parcel?", "where is my parcel")
    assert verdict.same
    assert verdict.score == 1.0
    assert verdict.reason == "same"
    # An exact repeat deserves the same answer in any language.
    assert Guard(FailingTier(), on_error="raise").judge("Wo ist mein Paket?", "Wo ist mein Paket?").same


def test_normalising_takes_little_time() -> None:
    # A hostile text must not block a cache: 200,000 commas, and as many spaces before "please".
    assert not agree("a" + "," * 200_000 + "b", "a b")
    assert not agree("a" + " ," * 200_000 + "b please", "a b")


def test_the_threshold_decides() -> None:
    assert not Guard(WordTier()).judge(ON, OFF).same
    assert Guard(WordTier(), threshold=0.1).judge(ON, OFF).same
    assert not Guard(WordTier(), threshold=0.11).judge(ON, OFF).same
    with pytest.raises(InputError, match=r"threshold is 1.5; expected a number from 0 to 1 or a file"):
        Guard(WordTier(), threshold=1.5)


def test_a_verdict_names_the_words_that_differ() -> None:
    verdict = Guard(WordTier()).judge(ON, OFF)
    assert verdict.reason == "opposite"
    assert verdict.words == ("on", "off")
    assert str(verdict) == "not the same answer: opposite (“on” / “off”), score 0.10"
    assert Guard(WordTier(), explain=False).judge(ON, OFF).words == ("", "")
    unsure = Guard(WordTier(), threshold=0.95).judge(ON, "How do I turn the heating on?")
    assert str(unsure) == "not sure enough that the answer is the same, score 0.90"


@pytest.mark.parametrize(
    ("new", "cached", "reason", "words"),
    [
        ("The train leaves at 9.", "The train leaves at 10.", "number", ("9", "10")),
        ("Call Rita tonight", "Call Omar tonight", "name", ("Rita", "Omar")),
        ("Pack the tent", "Do not pack the tent", "opposite", ("", "not")),
        ("Is the lid open?", "Is the lid closed?", "opposite", ("open", "closed")),
    ],
)
def test_deciding_words(new: str, cached: str, reason: str, words: tuple[str, str]) -> None:
    assert deciding_words(new, cached, reason) == words
    assert deciding_words(cached, new, reason) == words[::-1]


def test_the_first_candidate_with_the_same_answer() -> None:
    guard = Guard(WordTier())
    found = guard.first(ON, [OFF, "How do I turn the heating on?", ON])
    assert found is not None
    assert found[0] == 1
    assert guard.first(ON, [OFF]) is None
    assert guard.first(ON, []) is None


@pytest.mark.parametrize(
    ("new", "cached", "error"),
    [
        ("", ON, "the new text is empty"),
        (ON, "  \n", "the cached text is empty"),
        (ON, "Wie schalte ich die Heizung im Wohnzimmer ein?", "English"),
        (ON, "x " * 600, "more than 1,000 characters"),
    ],
)
def test_pairs_that_cannot_be_judged(new: str, cached: str, error: str) -> None:
    rejecting = Guard(WordTier())
    verdict = rejecting.judge(new, cached)
    assert not verdict.same
    assert verdict.reason == "error"
    assert error in verdict.error
    assert Guard(WordTier(), on_error="accept").judge(new, cached).same
    with pytest.raises(InputError, match=error):
        Guard(WordTier(), on_error="raise").judge(new, cached)
    assert rejecting.counts.errors == 1
    assert rejecting.counts.rejected == {"error": 1}


class WrongShape(WordTier):
    def probabilities(self, new: Sequence[str], cached: Sequence[str]) -> np.ndarray:
        return np.zeros((len(new), 2))


class FailingRefusal(WordTier):
    def refusal(self, new: str, cached: str) -> str:
        raise RuntimeError("out of memory")


@pytest.mark.parametrize("tier", [FailingTier(), UnsureTier(), WrongShape(), FailingRefusal()])
def test_a_tier_that_fails(tier: WordTier) -> None:
    assert not Guard(tier).judge(ON, OFF).same
    assert Guard(tier, on_error="accept").judge(ON, OFF).same
    with pytest.raises(InputError, match=r"out of memory|the score is nan|array of shape"):
        Guard(tier, on_error="raise").judge(ON, OFF)


def test_counters_and_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = tmp_path / "rejected.jsonl"
    guard = Guard(WordTier(), log=log)
    guard.judge_all([ON, ON, ON, ""], [OFF, "How do I turn the heating on?", ON, ON])
    counts = guard.counts
    assert (counts.calls, counts.accepted, counts.errors) == (4, 2, 1)
    assert counts.rejected == {"error": 1, "opposite": 1}
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line["reason"] for line in lines] == ["opposite", "error"]
    with caplog.at_level(logging.INFO, logger="litotes.guard"):
        Guard(WordTier()).judge(ON, OFF)
        Guard(WordTier(), log=False).judge(ON, OFF)
    assert len(caplog.records) == 1
    assert OFF in caplog.text


def test_lists_must_match() -> None:
    with pytest.raises(InputError, match="1 new and 2 cached texts"):
        Guard(WordTier()).judge_all([ON], [OFF, ON])
    with pytest.raises(InputError, match="new is str; expected a list"):
        Guard(WordTier()).judge_all(ON, [OFF])
    with pytest.raises(InputError, match="the cached text is 5; expected a text"):
        Guard(WordTier()).judge(ON, 5)  # type: ignore[arg-type]
    assert Guard(WordTier()).judge_all([], []) == []


def test_a_fitted_threshold_by_hand(tmp_path: Path) -> None:
    scores, same = [0.9, 0.8, 0.7, 0.6, 0.5], [True, True, False, True, False]
    point = fit(scores, same, precision=0.75, tier="words", source="pairs.jsonl")
    # Of the four pairs from 0.6 up, three are right; they are all that deserve the same answer.
    assert (point.threshold, point.precision, point.recall, point.accepted) == (0.6, 0.75, 1.0, 4)
    point.save(tmp_path / "guard.json")
    assert read_operating_point(tmp_path / "guard.json") == point
    assert Guard(WordTier(), threshold=tmp_path / "guard.json").threshold == 0.6
    # Of 12 accepted pairs without an error, Wilson's interval reaches down to 12 / (12 + 1.96²), about 0.757.
    assert "too few pairs to be sure of a precision of 0.75" in warning(point, 0.75)
    labels = [True] * 990 + [False] * 20
    many = fit([0.9] * 1000 + [0.1] * 10, labels, precision=0.985, tier="words", source="p")
    assert warning(many, 0.98) == ""  # the lower end is about 0.982
    assert "the precision may be below 0.99: 99.0% of 1000" in warning(many, 0.99)
    with pytest.raises(InputError, match="no pair of p is labelled different"):
        fit([0.5], [True], precision=0.9, tier="words", source="p")
    with pytest.raises(InputError, match=r"no threshold has a precision of 0.9 on p"):
        fit([0.5, 0.4], [False, True], precision=0.9, tier="words", source="p")


def test_a_threshold_of_another_tier_is_refused(tmp_path: Path) -> None:
    other = OperatingPoint(0.5, "mini", 1.0, (0.9, 1.0), 0.5, (0.4, 0.6), 10, 40, "p", "abc")
    other.save(tmp_path / "guard.json")
    with pytest.raises(InputError, match="was fitted to the tier mini"):
        Guard(WordTier(), threshold=tmp_path / "guard.json")
    (tmp_path / "broken.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is not a file of `litotes guard fit`"):
        Guard(WordTier(), threshold=tmp_path / "broken.json")
    with pytest.raises(InputError, match="there is no file"):
        Guard(WordTier(), threshold=tmp_path / "none.json")
    fields = json.loads((tmp_path / "guard.json").read_text(encoding="utf-8"))
    for wrong in ("0.5", 7, True, None):
        (tmp_path / "wrong.json").write_text(json.dumps(fields | {"threshold": wrong}), encoding="utf-8")
        with pytest.raises(InputError, match="expected a number from 0 to 1"):
            Guard(WordTier(), threshold=tmp_path / "wrong.json")


def test_an_unknown_tier() -> None:
    with pytest.raises(InputError, match=r"there is no tier 'mimi'.*mini"):
        Guard("mimi")
    with pytest.raises(InputError, match="tier is 5; expected a name"):
        Guard(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("log", ["", "no/such/folder/log.jsonl", None, 5])
def test_a_log_that_cannot_be_written_is_refused(log: Any) -> None:
    with pytest.raises(InputError, match="expected True, False, or a file in an existing folder"):
        Guard(WordTier(), log=log)


def test_importing_the_guard_is_light() -> None:
    code = "import sys, litotes.guard; print([at for at in ('torch', 'spacy', 'lemminflect') if at in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_the_command_judges_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    rows = [{"new": ON, "cached": OFF}, {"new": ON, "cached": "how do i turn on the heating"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = CliRunner().invoke(command, [str(file), "--tier", "rules"])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["same"] for line in lines] == [False, True]
    assert "words" not in lines[0]
    assert "precision" in done.stderr
    assert "2 pairs: 1 accepted, 1 rejected" in done.stderr
    explained = CliRunner().invoke(command, [str(file), "--tier", "rules", "--explain"])
    assert json.loads(explained.stdout.splitlines()[0])["words"] == ["on", "off"]
    plain = CliRunner().invoke(command, ["--tier", "rules", "--plain", "--text", ON, ON])
    assert plain.stdout == "same answer, score 1.00\n"
    table = CliRunner().invoke(command, [str(file), "--tier", "rules", "--table"])
    assert "opposite" in table.stdout


def test_the_command_fits_a_threshold(tmp_path: Path) -> None:
    file, out = tmp_path / "pairs.csv", tmp_path / "guard.json"
    rows = [("Is it open today?", "is it open today", "yes"), (ON, OFF, "no")] * 5
    file.write_text("new,cached,same\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    done = CliRunner().invoke(command, ["fit", str(file), "--tier", "rules", "--precision", "0.9", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "precision 1.000" in done.stdout
    assert "too few pairs to be sure of a precision of 0.9" in done.stderr
    assert Guard("rules", threshold=out).threshold == 1.0
    file.write_text("new,cached,same\na,b,perhaps\n", encoding="utf-8")
    assert "“same” is 'perhaps'; expected one of true" in _error(["fit", str(file), "--tier", "rules"])
    file.write_text("new,cached,new\na,b,c\n", encoding="utf-8")
    assert "the header has new more than once" in _error([str(file), "--tier", "rules"])
    assert "two of the columns cached, cached and same" in _error([str(file), "--new-column", "cached"])
    assert "--out is the file of pairs" in _error(["fit", str(file), "--out", str(file)])


def _error(arguments: list[str]) -> str:
    """Return the message of a command that fails."""
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    return str(getattr(done.exception, "message", done.exception))
