"""Contrasts in lists: how the lists are drawn, and what is measured of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.bench import bench
from litotes.bench.catalogue import Where, build
from litotes.bench.rows import About, fold
from litotes.bench.scoring import Scorer
from litotes.bench.tasks import figures
from litotes.bench.tasks.contrast_lists import ContrastLists, Listed, listed
from litotes.data.contrasts import taxonomy_benchmark
from litotes.models import load
from litotes.types import Contrast, Result
from tests.bench_models import Letters
from tests.model_shelf import Shelf, shelf

__all__ = ["shelf"]


def contrast(name: str, *, domain: str = "", kind: str = "") -> Contrast:
    return Contrast(name, f"{name} ask1", f"{name} ask2", f"{name} one", f"{name} two", kind, domain=domain)


class Table:
    """A ranker with a score for each query and document; 0 for the rest."""

    name, fingerprint = "table", "table-1"

    def __init__(self, scores: dict[tuple[str, str], float]) -> None:
        self._scores = scores

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([self._scores.get(pair, 0.0) for pair in zip(queries, documents, strict=True)])


class Reader:
    """Orders lists as it is told, query by query; of others it can make nothing."""

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


def task(*items: Listed) -> ContrastLists:
    return ContrastLists("contrast-lists", "dev", items)


def measured(made: ContrastLists, model: Any) -> dict[tuple[str, str], Result]:
    rows = made.evaluate(Scorer(model))
    found = fold(figures("contrast_lists", rows), About("m", "t", "dev", "s"), rounds=20)
    return {(result.slice, result.measure): result for result in found}


def test_a_list_holds_both_documents_and_others_of_other_domains() -> None:
    domains = ["sea"] * 4 + ["air"] * 12
    contrasts = [contrast(f"c{number}", domain=domain) for number, domain in enumerate(domains)]
    made = listed(contrasts)
    assert [item.contrast for item in made] == contrasts
    for item in made:
        assert {item.contrast.doc1, item.contrast.doc2} < set(item.documents)
        others = [text.split()[0] for text in item.documents if not text.startswith(f"{item.contrast.id} ")]
        assert len(others) == len(set(others))
        # an air contrast has only four others to draw from
        assert len(others) == (8 if item.contrast.domain == "sea" else 4)
        assert {domains[int(name[1:])] for name in others} == {"air" if item.contrast.domain == "sea" else "sea"}
    assert listed(contrasts) == made
    assert listed(contrasts, seed=1) != made
    assert listed([]) == ()
    assert set(listed(contrasts[:1])[0].documents) == {"c0 one", "c0 two"}


def test_the_right_document_must_stand_above_its_contrast_and_best_above_all() -> None:
    first = Listed(contrast("a", kind="polar"), ("x", "a two", "y", "a one"))
    second = Listed(contrast("b", kind="mid"), ("b one", "b two", "x"))
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
    rows = made.evaluate(Scorer(Table(scores)))
    assert [row.value for row in rows] == [1, 0]
    assert [row.groups["outcome"] for row in rows] == ["right", "tied"]
    # of equals the right one stands last: b ask2 has it second
    assert [(row.numbers["rank1"], row.numbers["rank2"]) for row in rows] == [(2, 1), (1, 2)]
    found = measured(made, Table(scores))
    assert next(iter(found)) == ("all", "pairwise accuracy")
    assert found["all", "pairwise accuracy"].value == 50
    assert found["all", "MRR"].value == pytest.approx(75)
    assert found["all", "tied"].value == 50
    assert found["kind: polar", "pairwise accuracy"].value == 100
    assert found["kind: mid", "MRR"].value == pytest.approx(75)
    assert ("all", "unread") not in found


def test_what_could_not_be_read_is_wrong_and_counted() -> None:
    scores = {("a ask1", "a one"): math.nan, ("a ask2", "a two"): 1.0, ("b ask1", "b one"): 1.0}
    scores |= {("b ask1", "x"): math.nan, ("b ask2", "b two"): 1.0}
    made = task(Listed(contrast("a"), ("a one", "a two")), Listed(contrast("b"), ("x", "b one", "b two")))
    rows = made.evaluate(Scorer(Table(scores)))
    assert [row.groups["outcome"] for row in rows] == ["unread", "right"]
    assert [row.numbers.get("rank1") for row in rows] == [None, 1]
    found = measured(made, Table(scores))
    # (0 + 1) / 2 of the first and 1 of the second
    assert found["all", "MRR"].value == pytest.approx(75)
    assert found["all", "unread"].value == 50


def test_a_model_that_orders_lists_is_asked_with_the_list() -> None:
    made = task(Listed(contrast("a"), ("x", "a two", "a one")), Listed(contrast("b"), ("b one", "b two")))
    model = Reader({"a ask1": "a one", "a ask2": "a two", "b ask1": "b one"})
    rows = made.evaluate(Scorer(model))
    assert model.lists == [("x", "a two", "a one")] * 2 + [("b one", "b two")] * 2
    assert [row.groups["outcome"] for row in rows] == ["right", "unread"]
    assert rows[0].numbers["margin1"] == pytest.approx(1 - 1 / 3)


def test_a_contrast_with_one_query_is_asked_once() -> None:
    alone = Contrast("a", "a ask1", None, "a one", "a two")
    found = measured(task(Listed(alone, ("a two", "x", "a one"))), Table({("a ask1", "a one"): 1.0}))
    assert found["all", "pairwise accuracy"].value == found["all", "MRR"].value == 100


def test_no_items_give_no_values() -> None:
    found = measured(task(), Letters())
    assert all(result.n == 0 and math.isnan(result.value) for result in found.values())


def test_the_shipped_lists_are_those_of_the_taxonomy() -> None:
    whole, select, report = (build("contrast-lists", Where(half=half)) for half in ("all", "select", "report"))
    assert len(whole) == len(taxonomy_benchmark("dev")) == len(select) + len(report)
    assert {len(item.documents) for item in whole.content()} == {10}  # type: ignore[attr-defined]
    # a contrast has the same list whichever half is measured
    assert {*select.content()} < {*whole.content()}  # type: ignore[attr-defined]
    assert build("contrast-lists", Where(split="test")).revision != whole.revision


def test_chance_is_a_quarter_and_the_mean_reciprocal_rank_of_ten(tmp_path: Path) -> None:
    found = bench([load("random")], [build("contrast-lists", Where())], tmp_path)
    by_name = {result.measure: result for result in found if result.slice == "all"}
    assert by_name["pairwise accuracy"].low < 25 < by_name["pairwise accuracy"].high
    chance = 100 * sum(1 / rank for rank in range(1, 11)) / 10
    assert by_name["MRR"].low < chance < by_name["MRR"].high


@pytest.mark.slow
@pytest.mark.parametrize("family", ["tfidf", "bm25", "sparse", "dense", "late", "cross", "seq2seq", "llm"])
def test_every_family_can_be_measured(tmp_path: Path, shelf: Shelf, family: str) -> None:
    whole = listed(taxonomy_benchmark("dev"))
    found = bench([shelf.get(family)], [task(*whole[::50])], tmp_path, rounds=20)
    assert found[0].measure == "pairwise accuracy"
    assert all(0 <= result.value <= 100 for result in found)
