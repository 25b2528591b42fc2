"""Agreement and accuracy against values worked out by hand."""

from __future__ import annotations

import pytest

from litotes.stats import (
    accuracy,
    balanced_accuracy,
    bootstrap,
    cohen_kappa,
    confusion,
    f1,
    macro_f1,
    weighted_kappa,
)

WANTED = ["a", "a", "a", "b"]
FOUND = ["a", "a", "b", "b"]


def test_accuracy_and_f1() -> None:
    assert accuracy(WANTED, FOUND) == 3 / 4
    # recall of a 2/3, of b 1
    assert balanced_accuracy(WANTED, FOUND) == pytest.approx(5 / 6)
    # a: 2·2/(2·2+1) = 4/5; b: 2·1/(2·1+1) = 2/3
    assert f1(WANTED, FOUND, "a") == pytest.approx(4 / 5)
    assert macro_f1(WANTED, FOUND) == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert f1(["a"], ["a"], "c") == 0.0
    # a class nobody wanted does not count
    assert macro_f1(["a", "a"], ["a", "c"]) == pytest.approx(2 / 3)


def test_kappa() -> None:
    # agreed 3/4; chance (3·2 + 1·2)/16 = 1/2; (3/4 − 1/2)/(1/2) = 1/2
    assert cohen_kappa(WANTED, FOUND) == pytest.approx(1 / 2)
    assert cohen_kappa(["a", "a"], ["a", "a"]) == 1.0
    assert cohen_kappa(["a", "b"], ["b", "a"]) == pytest.approx(-1.0)


def test_weighted_kappa() -> None:
    # squares seen: (0 + 1 + 0)/3; by chance, all nine pairs of (1,2,3) and (1,3,3): 0+4+4 + 1+1+1 + 4+0+0 = 15
    assert weighted_kappa([1, 2, 3], [1, 3, 3]) == pytest.approx(1 - (1 / 3) / (15 / 9))
    # the same with distances: seen 1/3; 0+2+2 + 1+1+1 + 2+0+0 = 9 → 1
    assert weighted_kappa([1, 2, 3], [1, 3, 3], power=1) == pytest.approx(1 - 1 / 3)
    assert weighted_kappa([4, 4], [4, 4]) == 1.0


def test_nothing_at_all() -> None:
    assert accuracy([], []) == balanced_accuracy([], []) == macro_f1([], []) == 0.0
    assert cohen_kappa([], []) == weighted_kappa([], []) == 0.0
    assert bootstrap([], [], macro_f1, rounds=3) == (0.0, 0.0)


def test_lengths_must_match() -> None:
    with pytest.raises(ValueError, match="got 1 and 2"):
        cohen_kappa(["a"], ["a", "b"])


def test_confusion_counts() -> None:
    assert confusion(WANTED, FOUND, ["a", "b"]) == [[2, 1], [0, 1]]


def test_the_interval_holds_the_value_and_repeats() -> None:
    wanted, found = WANTED * 20, FOUND * 20
    low, high = bootstrap(wanted, found, accuracy, seed=1, rounds=300)
    assert low < 3 / 4 < high
    assert (low, high) == bootstrap(wanted, found, accuracy, seed=1, rounds=300)
    assert bootstrap(["a"] * 5, ["a"] * 5, accuracy, rounds=20) == (1.0, 1.0)
