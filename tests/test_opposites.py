"""The task with yes-or-no answers: its pairs, its figures, and which models can be asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litotes.data.benchmarks.cue_traps import cue_traps
from litotes.data.judged_pairs import JudgedPair, from_quadruples, from_triples
from litotes.data.result_files import ItemRow, Provenance
from litotes.data.selection import DataSelection
from litotes.errors import InputError
from litotes.evaluation.catalogue import build
from litotes.evaluation.figures import fold
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.opposites import OppositesTask, figures
from litotes.types import Triple
from tests.bench_models import Overlap

ITEMS = (
    JudgedPair("1", "It is open.", "It is shut.", True, "lexical"),
    JudgedPair("2", "It is open.", "It is not shut.", False, "equivalent"),
    JudgedPair("3", "All came.", "None came.", True, "contrary"),
    JudgedPair("4", "All came.", "Everyone came.", False, "synonym"),
)


class Answering:
    """A model with answers defined by hand."""

    name, fingerprint = "llm:told", "1"

    def __init__(self, margins: Sequence[float]) -> None:
        self.margins = np.array(margins)

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        raise NotImplementedError

    def opposed(self, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        return self.margins


def rows(*margins: float) -> list[ItemRow]:
    return OppositesTask("opposites", "shipped", ITEMS).evaluate(CachedScorer(Answering(margins)))


def test_yes_is_right_for_opposites_and_no_for_the_others() -> None:
    assert [row.value for row in rows(2.0, -0.5, -1.0, 3.0)] == [1, 1, 0, 0]


def test_unread_and_undecided_answers_are_wrong_and_unread_ones_are_counted() -> None:
    found = rows(float("nan"), -1.0, 1.0, 0.0)
    assert [row.value for row in found] == [0, 1, 1, 0]
    named = {(one.slice, one.measure): one.value for one in fold(figures(found), Provenance("m", "t", "s", ""))}
    assert named["all", "accuracy"] == 50
    assert named["all", "unread"] == 25
    assert named["answer: yes", "accuracy"] == 50
    assert named["kind: equivalent", "accuracy"] == 100


def test_a_model_that_cannot_be_asked_is_refused() -> None:
    with pytest.raises(InputError, match="expected a language model"):
        OppositesTask("opposites", "shipped", ITEMS).evaluate(CachedScorer(Overlap()))


def test_a_quadruple_has_two_pairs_of_each_answer() -> None:
    one = cue_traps()[0]
    found = list(from_quadruples([one]))
    assert [(item.first, item.second, item.opposite) for item in found] == [
        (one.a1, one.a2, False),
        (one.b1, one.b2, False),
        (one.a1, one.b1, True),
        (one.a2, one.b2, True),
    ]


def test_a_triple_has_its_negation_and_its_paraphrase_once_and_no_exceptor() -> None:
    first = Triple("1", "All came.", "Everyone came.", "None came.", "synonym", "contrary", ("", "none"))
    again = Triple("2", "All came.", "Everyone came.", "All but Ann came.", "synonym", "exceptor", ("", "but"))
    found = list(from_triples([first, again]))
    assert [(item.second, item.opposite) for item in found] == [("None came.", True), ("Everyone came.", False)]


def test_the_shipped_task_and_a_task_from_a_file(tmp_path: Path) -> None:
    assert len(build("opposites", DataSelection())) == 4 * len(cue_traps())
    path = tmp_path / "triples.jsonl"
    line = {"anchor": "It is open.", "positive": "It is not shut.", "negative": "It is shut."}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert len(build(f"opposites:{path}", DataSelection())) == 2
    with pytest.raises(InputError, match="there is no file"):
        build("opposites:gone.jsonl", DataSelection())
