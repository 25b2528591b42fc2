"""The taxonomy is a tree with stable names."""

from __future__ import annotations

from litotes.rewrite import KINDS
from litotes.taxonomy import HEDGES, REWRITES, TAXONOMY, kinds, leaves, path

TEN_AND_NONE = {
    "sentential", "exceptor", "contradiction", "contrary", "subcontrary", "affixal", "implicit",
    "immediate", "polar", "mid", "none",
}  # fmt: skip


def test_the_leaves_are_the_ten_kinds_and_none() -> None:
    assert {kind.name for kind in leaves()} == TEN_AND_NONE


def test_every_kind_has_a_parent_a_definition_and_an_example() -> None:
    assert len(kinds()) == len(TAXONOMY)
    for kind in TAXONOMY:
        assert kind.parent == "" or kind.parent in kinds()
        assert kind.definition.endswith(".")
        assert kind.example
        assert kind.level in {"sentence", "pair", "group"}
        assert path(kind.name)[-1] == kind.name


def test_paths_start_at_the_top() -> None:
    assert path("verbal") == ("negation", "logical", "sentential", "verbal")
    assert path("mid") == ("negation", "lexical-negation", "contrasting", "mid")


def test_all_kinds_of_rewrites_are_in_the_taxonomy() -> None:
    assert tuple(kind for kind in KINDS["negate"] if kind != "natural") == REWRITES
    assert tuple(KINDS["hedge"]) == HEDGES
    assert set(REWRITES + HEDGES) <= set(kinds())
