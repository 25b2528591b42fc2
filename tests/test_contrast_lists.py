"""Contrasts in lists: how the lists are drawn, and what is measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.data.benchmarks.taxonomy import taxonomy_benchmark
from litotes.data.contrast_lists import ListedContrast, listed
from litotes.data.result_files import Provenance
from litotes.data.selection import DataSelection
from litotes.evaluation import bench
from litotes.evaluation.catalogue import build
from litotes.evaluation.figures import fold
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks import figures
from litotes.evaluation.tasks.contrast_lists import ContrastListTask
from litotes.models import load
from litotes.types import Contrast, Result
from tests.bench_models import Letters
from tests.family_models import FamilyModels, family_models

__all__ = ["family_models"]


def contrast(name: str, *, domain: str = "", kind: str = "") -> Contrast:
    return Contrast(name, f"{name} ask1", f"{name} ask2", f"{name} one", f"{name} two", kind, domain=domain)


class Table:
    """A ranker with scores defined by hand; 0 for all other pairs."""

    name, fingerprint = "table", "table-1"

    def __init__(self, scores: dict[tuple[str, str], float]) -> None:
        self._scores = scores

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([self._scores.get(pair, 0.0) for pair in zip(queries, documents, strict=True)])


class Reader:
    """A model that orders the lists of some queries; its answers about others cannot be read."""

    name, fingerprint = "reader", "reader-1"

    def __init__(self, best: dict[str, str]) -> None:
        self._best = best
        self.lists: list[tuple[str, ...]] = []

    def orders(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[list[int] | None]:
        self.lists += map(tuple, lists)
        found: list[list[int] | None] = []
        for query, documents in zip(queries, lists, strict=True):
            best = [at for at, text in enumerate(documents) if text == self._best.get(query)]
            found.append([*best, *(at for at in range(len(documents)) if at not in best)] if best else None)
        return found

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        raise AssertionError("a model that orders lists is asked with the list")


def task(*items: ListedContrast) -> ContrastListTask:
    return ContrastListTask("contrast-lists", "dev", items)


def measured(made: ContrastListTask, model: Any) -> dict[tuple[str, str], Result]:
    rows = made.evaluate(CachedScorer(model))
    found = fold(figures("contrast_lists", rows), Provenance("m", "t", "dev", "s"), rounds=20)
    return {(result.slice, result.measure): result for result in found}


def test_a_list_has_both_documents_and_others_of_other_domains() -> None:
    domains = ["sea"] * 4 + ["air"] * 12
    contrasts = [contrast(f"c{number}", domain=domain) for number, domain in enumerate(domains)]
    made = listed(contrasts)
    assert [item.contrast for item in made] == contrasts
    for item in made:
        assert {item.contrast.doc1, item.contrast.doc2} < set(item.documents)
        others = [text.split()[0] for text in item.documents if not text.startswith(f"{item.contrast.id} ")]
        assert len(others) == len(set(others))
        # for an air contrast there are only four others to draw from
        assert len(others) == (8 if item.contrast.domain == "sea" else 4)
        assert {domains[int(name[1:])] for name in others} == {"air" if item.contrast.domain == "sea" else "sea"}
    assert listed(contrasts) == made
    assert listed(contrasts, seed=1) != made
    assert listed([]) == ()
    assert set(listed(contrasts[:1])[0].documents) == {"c0 one", "c0 two"}


def test_the_right_document_must_be_above_its_contrast_and_best_above_all() -> None:
    first = ListedContrast(contrast("a", kind="polar"), ("x", "a two", "y", "a one"))
    second = ListedContrast(contrast("b", kind="mid"), ("b one", "b two", "x"))
    scores = {
        ("a ask1", "a one"): 3.0,
        ("a ask1", "a two"): 1.0,
        ("a ask1", "x"): 5.0,
        ("a ask2", "a two"): 2.0,
        ("a ask2", "a one"): 1.0,
        ("b ask1", "b one"): 2.0,
        ("b ask1", "b two"): 1.0,
        ("b ask2", "b two"): 1.0,
        ("b ask2", "b one"): 1.0,
    }
    made = task(first, second)
    rows = made.evaluate(CachedScorer(Table(scores)))
    assert [row.value for row in rows] == [1, 0]
    assert [row.groups["outcome"] for row in rows] == ["right", "tied"]
    # in a tie the right document is last: for b ask2 it is second
    assert [(row.numbers["rank1"], row.numbers["rank2"]) for row in rows] == [(2, 1), (1, 2)]
    found = measured(made, Table(scores))
    assert next(iter(found)) == ("all", "pairwise accuracy")
    assert found["all", "pairwise accuracy"].value == 50
    assert found["all", "MRR"].value == pytest.approx(75)
    assert found["all", "tied"].value == 50
    assert found["kind: polar", "pairwise accuracy"].value == 100
    assert found["kind: mid", "MRR"].value == pytest.approx(75)
    assert ("all", "unread") not in found


def test_unread_answers_are_wrong_and_counted() -> None:
    scores = {("a ask1", "a one"): math.nan, ("a ask2", "a two"): 1.0, ("b ask1", "b one"): 1.0}
    scores |= {("b ask1", "x"): math.nan, ("b ask2", "b two"): 1.0}
    made = task(
        ListedContrast(contrast("a"), ("a one", "a two")), ListedContrast(contrast("b"), ("x", "b one", "b two"))
    )
    rows = made.evaluate(CachedScorer(Table(scores)))
    assert [row.groups["outcome"] for row in rows] == ["unread", "right"]
    assert [row.numbers.get("rank1") for row in rows] == [None, 1]
    found = measured(made, Table(scores))
    # (0 + 1) / 2 for the first and 1 for the second
    assert found["all", "MRR"].value == pytest.approx(75)
    assert found["all", "unread"].value == 50


def test_a_model_that_orders_lists_is_asked_with_the_list() -> None:
    made = task(
        ListedContrast(contrast("a"), ("x", "a two", "a one")), ListedContrast(contrast("b"), ("b one", "b two"))
    )
    model = Reader({"a ask1": "a one", "a ask2": "a two", "b ask1": "b one"})
    rows = made.evaluate(CachedScorer(model))
    assert model.lists == [("x", "a two", "a one")] * 2 + [("b one", "b two")] * 2
    assert [row.groups["outcome"] for row in rows] == ["right", "unread"]
    assert rows[0].numbers["margin1"] == pytest.approx(1 - 1 / 3)


def test_a_contrast_with_one_query_is_asked_once() -> None:
    alone = Contrast("a", "a ask1", None, "a one", "a two")
    found = measured(task(ListedContrast(alone, ("a two", "x", "a one"))), Table({("a ask1", "a one"): 1.0}))
    assert found["all", "pairwise accuracy"].value == found["all", "MRR"].value == 100


def test_without_items_there_are_no_values() -> None:
    found = measured(task(), Letters())
    assert all(result.n == 0 and math.isnan(result.value) for result in found.values())


def test_the_shipped_lists_are_those_of_the_taxonomy() -> None:
    whole, select, report = (build("contrast-lists", DataSelection(half=half)) for half in ("all", "select", "report"))
    assert len(whole) == len(taxonomy_benchmark("dev")) == len(select) + len(report)
    assert {len(item.documents) for item in whole.content()} == {10}  # type: ignore[attr-defined]
    # a contrast has the same list in either half
    assert {*select.content()} < {*whole.content()}  # type: ignore[attr-defined]
    assert build("contrast-lists", DataSelection(split="test")).revision != whole.revision


def test_chance_is_a_quarter_and_the_mean_reciprocal_rank_of_ten(tmp_path: Path) -> None:
    results = bench([load("random")], [build("contrast-lists", DataSelection())], tmp_path)
    by_name = {result.measure: result for result in results if result.slice == "all"}
    assert by_name["pairwise accuracy"].low < 25 < by_name["pairwise accuracy"].high
    chance = 100 * sum(1 / rank for rank in range(1, 11)) / 10
    assert by_name["MRR"].low < chance < by_name["MRR"].high


@pytest.mark.slow
@pytest.mark.parametrize("family", ["tfidf", "bm25", "sparse", "dense", "late", "cross", "seq2seq", "llm"])
def test_every_family_can_be_measured(tmp_path: Path, family_models: FamilyModels, family: str) -> None:
    whole = listed(taxonomy_benchmark("dev"))
    results = bench([family_models.get(family)], [task(*whole[::50])], tmp_path, rounds=20)
    assert results[0].measure == "pairwise accuracy"
    assert all(0 <= result.value <= 100 for result in results)
