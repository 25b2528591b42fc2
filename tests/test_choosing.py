"""Which epoch or blend is kept: the Pareto line, the choice and the early stop, by hand and for all points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from litotes.errors import InputError
from litotes.stats import pareto
from litotes.training import AbilityPoint, choose
from litotes.training.choosing import lost_too_much, point_of

START = AbilityPoint(0, 10.0, 80.0)


def test_scores_are_averaged_by_group() -> None:
    scores = {"negation.pairs": 20.0, "negation.traps": 40.0, "general.search": 70.0, "minimal-pair cosine": 0.9}
    assert point_of(3, scores) == AbilityPoint(3, 30.0, 70.0)


@pytest.mark.parametrize("scores", [{}, {"negation.pairs": 1.0}, {"general.search": 1.0, "minimal-pair cosine": 0.5}])
def test_a_choice_needs_both_groups(scores: dict[str, float]) -> None:
    with pytest.raises(
        InputError, match=r"a choice needs scores named negation\.… and general\.…; the evaluator returned"
    ):
        point_of(1, scores)


@pytest.mark.parametrize(
    ("points", "limit", "chosen"),
    [
        ([START], 1.0, 0),
        ([START, AbilityPoint(1, 20, 79.5), AbilityPoint(2, 30, 79), AbilityPoint(3, 40, 78.9)], 1.0, 2),
        ([START, AbilityPoint(1, 20, 79.5), AbilityPoint(2, 30, 79), AbilityPoint(3, 40, 78.9)], 5.0, 3),
        # All lost too much: the start is kept.
        ([START, AbilityPoint(1, 60, 70), AbilityPoint(2, 70, 60)], 1.0, 0),
        # An epoch off the line is not kept, although it is the last one and within the limit.
        ([START, AbilityPoint(1, 30, 80), AbilityPoint(2, 25, 79.5)], 1.0, 1),
        # Of equal negation the one with more general ability, of equals the first.
        ([START, AbilityPoint(1, 30, 79.5), AbilityPoint(2, 30, 79.8), AbilityPoint(3, 30, 79.8)], 1.0, 2),
    ],
)
def test_the_choice_by_hand(points: list[AbilityPoint], limit: float, chosen: int) -> None:
    assert choose(points, limit).at == chosen


def test_there_must_be_a_start() -> None:
    with pytest.raises(InputError, match="there are no points to choose from"):
        choose([], 1.0)


def test_a_loss_of_exactly_what_was_asked_is_not_too_much() -> None:
    # As floats go, 0.8 - 0.7 is a little more than 0.1.
    assert not lost_too_much(AbilityPoint(0, 0, 0.8), AbilityPoint(1, 0, 0.7), 0.1)
    assert lost_too_much(AbilityPoint(0, 0, 0.8), AbilityPoint(1, 0, 0.69), 0.1)
    assert not lost_too_much(AbilityPoint(0, 0, 0.8), AbilityPoint(1, 0, 0.9), 0.0)


ability = some.integers(0, 6).map(float)
runs = some.lists(some.tuples(ability, ability), min_size=1, max_size=8).map(
    lambda found: [AbilityPoint(at, *abilities) for at, abilities in enumerate(found)]
)


@given(runs, some.integers(0, 4))
def test_the_choice_is_on_the_line_and_within_the_limit(points: list[AbilityPoint], limit: int) -> None:
    chosen = choose(points, limit)
    assert points.index(chosen) in pareto([(point.negation, point.general) for point in points])
    assert points[0].general - chosen.general <= limit


@given(runs, ability, ability, some.integers(0, 4))
def test_a_new_epoch_is_chosen_or_changes_nothing(
    points: list[AbilityPoint], negation: float, general: float, limit: int
) -> None:
    """So the weights of one epoch are all that a run has to keep."""
    newest = AbilityPoint(len(points), negation, general)
    assert choose([*points, newest], limit) in (newest, choose(points, limit))
