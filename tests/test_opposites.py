"""The task that asks for yes or no: its pairs, its figures, and who can be asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes.bench.catalogue import Where, build
from litotes.bench.rows import About, Row, fold
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.opposites import Judged, Opposites, figures, of_quadruples, of_triples
from litotes.data.cue_traps import cue_traps
from litotes.errors import InputError
from litotes.types import Triple
from tests.bench_models import Overlap

ITEMS = (
    Judged("1", "It is open.", "It is shut.", True, "lexical"),
    Judged("2", "It is open.", "It is not shut.", False, "equivalent"),
    Judged("3", "All came.", "None came.", True, "contrary"),
    Judged("4", "All came.", "Everyone came.", False, "synonym"),
)


class Answering:
    """Says what it is told to say."""

    name, fingerprint = "llm:told", "1"

    def __init__(self, margins: Sequence[float]) -> None:
        self.margins = np.array(margins)

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        raise NotImplementedError

    def opposed(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        return self.margins


def rows(*margins: float) -> list[Row]:
    return Opposites("opposites", "shipped", ITEMS).evaluate(Scorer(Answering(margins)))


def test_right_is_yes_for_opposites_and_no_for_the_rest() -> None:
    assert [row.value for row in rows(2.0, -0.5, -1.0, 3.0)] == [1, 1, 0, 0]


def test_what_was_not_read_or_not_decided_is_wrong_and_the_first_is_counted() -> None:
    found = rows(float("nan"), -1.0, 1.0, 0.0)
    assert [row.value for row in found] == [0, 1, 1, 0]
    named = {(one.slice, one.measure): one.value for one in fold(figures(found), About("m", "t", "s", ""))}
    assert named["all", "accuracy"] == 50
    assert named["all", "unread"] == 25
    assert named["answer: yes", "accuracy"] == 50
    assert named["kind: equivalent", "accuracy"] == 100


def test_a_model_that_cannot_be_asked_is_refused() -> None:
    with pytest.raises(InputError, match="expected a language model"):
        Opposites("opposites", "shipped", ITEMS).evaluate(Scorer(Overlap()))


def test_a_quadruple_gives_two_pairs_of_each() -> None:
    one = cue_traps()[0]
    found = list(of_quadruples([one]))
    assert [(item.first, item.second, item.opposite) for item in found] == [
        (one.a1, one.a2, False),
        (one.b1, one.b2, False),
        (one.a1, one.b1, True),
        (one.a2, one.b2, True),
    ]


def test_a_triple_gives_its_negation_and_its_paraphrase_once_and_no_exceptor() -> None:
    first = Triple("1", "All came.", "Everyone came.", "None came.", "synonym", "contrary", ("", "none"))
    again = Triple("2", "All came.", "Everyone came.", "All but Ann came.", "synonym", "exceptor", ("", "but"))
    found = list(of_triples([first, again]))
    assert [(item.second, item.opposite) for item in found] == [("None came.", True), ("Everyone came.", False)]


def test_the_shipped_task_and_one_of_a_file(tmp_path: Path) -> None:
    assert len(build("opposites", Where())) == 4 * len(cue_traps())
    path = tmp_path / "triples.jsonl"
    line = {"anchor": "It is open.", "positive": "It is not shut.", "negative": "It is shut."}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert len(build(f"opposites:{path}", Where())) == 2
    with pytest.raises(InputError, match="there is no file"):
        build("opposites:gone.jsonl", Where())
