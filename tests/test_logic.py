"""The λ-calculus: hand-worked reductions, types and patterns, and properties of all terms."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.logic import (
    Apply,
    Arrow,
    Const,
    E,
    Lambda,
    LogicError,
    T,
    Term,
    Var,
    infer,
    parse,
    quantifiers,
    reduce,
    relation,
    show,
    show_type,
)
from tests.alpha_equality import alpha_equal

BESIDES = "(λP:e→t. λQ:e→t. λx:e. Q(x) ∧ ¬P(x))"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("P(a)", "P(a)"),
        ("λx. P(x)", "λx. P(x)"),
        ("\\x:e. P(x)", "λx:e. P(x)"),
        ("lambda P:e->t, x:e. P(x)", "λP:e→t. λx:e. P(x)"),
        ("λP Q x. Q(x) & ~P(x)", "λP. λQ. λx. Q(x) ∧ ¬P(x)"),
        ("forall x. P(x) -> Q(x)", "∀x. P(x) → Q(x)"),
        ("∀x(P(x) → Q(x))", "∀x. P(x) → Q(x)"),
        ("∃x∃y. R(x, y)", "∃x. ∃y. R(x, y)"),
        ("not (P(a) or Q(a))", "¬(P(a) ∨ Q(a))"),
        ("P(a) and Q(a) or R(a)", "P(a) ∧ Q(a) ∨ R(a)"),
        ("P(a) ∧ (Q(a) ∨ R(a))", "P(a) ∧ (Q(a) ∨ R(a))"),
        ("P(a) → Q(a) → R(a)", "P(a) → Q(a) → R(a)"),
        ("(P(a) → Q(a)) → R(a)", "(P(a) → Q(a)) → R(a)"),
        ("¬¬P(a)", "¬¬P(a)"),
        ("λx. ∃y. R(x, y)", "λx. ∃y. R(x, y)"),
    ],
)
def test_different_notations_have_one_normal_form(text: str, shown: str) -> None:
    assert show(parse(text)) == shown
    assert alpha_equal(parse(shown), parse(text))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("(λx. P(x))(a)", "P(a)"),
        ("(λx. λy. R(x, y))(a)(b)", "R(a, b)"),
        ("(λP. ∀x. P(x))(λy. Q(y))", "∀x. Q(x)"),
        # what organisms besides cyanobacteria perform photosynthesis
        (f"{BESIDES}(λy. Cyano(y))(λz. Organism(z) ∧ Perform(z))", "λx:e. Organism(x) ∧ Perform(x) ∧ ¬Cyano(x)"),
        # not all seats are taken
        ("(λs. ¬s)((λP. λQ. ∀x. P(x) → Q(x))(Seat)(Taken))", "¬(∀x. Seat(x) → Taken(x))"),
    ],
)
def test_reductions_worked_out_by_hand(text: str, normal: str) -> None:
    assert alpha_equal(reduce(parse(text)), parse(normal))


def test_a_free_variable_is_not_captured() -> None:
    # (λx. λy. R(x, y)) y  →  λy1. R(y, y1), not λy. R(y, y)
    term = Apply(Lambda("x", E, Lambda("y", E, Apply(Apply(Const("R"), Var("x")), Var("y")))), Var("y"))
    assert show(reduce(term)) == "λy1:e. R(y, y1)"


def test_types_are_inferred_from_use() -> None:
    typed = infer(parse("λx. Organism(x) ∧ ¬Cyano(x)"))
    assert show_type(typed.type) == "e→t"
    assert show(typed.term) == "λx:e. Organism(x) ∧ ¬Cyano(x)"
    assert typed.constants == {"Organism": Arrow(E, T), "Cyano": Arrow(E, T)}
    assert show_type(infer(parse("λP:e→t. λQ:e→t. ∀x. P(x) → Q(x)")).type) == "(e→t)→(e→t)→t"
    assert show_type(infer(parse("ann")).type) == "e"


@pytest.mark.parametrize("text", ["e", "t", "e→t", "<e,t>", "(e->t)->t", "<<e,t>,t>"])
def test_types_can_be_written_in_both_notations(text: str) -> None:
    same = {"<e,t>": "e→t", "(e->t)->t": "(e→t)→t", "<<e,t>,t>": "(e→t)→t"}
    assert show(parse(f"λx:{text}. P")) == f"λx:{same.get(text, text)}. P"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found 'the end'"),
        ("P(x", "after 'P"),
        ("P(x) ∧", "found 'the end'"),
        ("λ. P(x)", "expected a variable"),
        ("P(x) Q(x)", "nothing may follow"),
        (")", "expected a name or a bracket"),
        ("λx:q1. P(x)", "expected a type"),
        ("λx:e. x(x)", "takes no argument"),
        ("λx. x(x)", "applied to itself"),
        ("P(a) ∧ (λx:e. x)", "expected t"),
        ("(λP:e→t. P(a))(a)", "expected e→t"),
        ("¬" * 500 + "P(a)", "nested deeper"),
        ("(" * 500, "nested deeper"),
        (" ∧ ".join(["P(a)"] * 500), "nested deeper"),
        ("P" * 30_000, "at most"),
        ("λx:" + "(" * 3000, "nested deeper"),
        ("λx:" + "e→" * 3000 + "t. P(x)", "nested deeper"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(LogicError, match=message):
        infer(parse(text))


def test_a_term_without_normal_form_is_an_error() -> None:
    loop = Lambda("x", None, Apply(Var("x"), Var("x")))
    with pytest.raises(LogicError, match="no normal form"):
        reduce(Apply(loop, loop), steps=50)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("∀x. Seat(x) → Taken(x)", "∀"),
        ("∃x. Seat(x) ∧ Taken(x)", "∃"),
        ("∃x. Seat(x) ∧ ¬Taken(x)", "∃¬"),
        ("¬(∀x. Seat(x) → Taken(x))", "∃¬"),
        ("¬(∃x. Seat(x) ∧ Taken(x))", "¬∃"),
        ("∀x. Seat(x) → ¬Taken(x)", "¬∃"),
        ("¬(∃x. Seat(x) ∧ ¬Taken(x))", "∀"),
        ("¬(∀x. Seat(x) → ¬Taken(x))", "∃"),
        ("λy. Hall(y) ∧ (∀x. Seat(x) → Taken(x))", "∀"),
        ("P(a) → ∀x. Q(x)", "∀"),
        ("∀x. ¬(Seat(x) ∧ ¬Taken(x))", "∀"),
        ("∀x. ¬Seat(x) ∨ Taken(x)", "∀"),
        ("∃x. Seat(x) ∧ ¬Broken(x) ∧ Taken(x)", "∃"),
        ("∃x. ¬Taken(x) ∧ Seat(x)", "∃¬"),
        ("(∀x. Q(x)) → P(a)", "∃¬"),
    ],
)
def test_quantifier_forms(text: str, form: str) -> None:
    assert [found.form for found in quantifiers(parse(text))] == [form]


def test_the_square_of_oppositions() -> None:
    assert relation("∀", "∃¬") == relation("∃¬", "∀") == relation("∃", "¬∃") == "contradiction"
    assert relation("∀", "¬∃") == "contrary"
    assert relation("∃", "∃¬") == "subcontrary"
    assert relation("∀", "∃") == relation("∀", "∀") == relation("∃¬", "¬∃") == ""


def _terms() -> st.SearchStrategy[Term]:
    """Well-typed statements over two predicates, with quantifiers, connectives and redexes."""
    atoms = st.sampled_from([parse("P(a)"), parse("Q(b)"), parse("(λx:e. P(x))(a)"), parse("∀x. P(x) → Q(x)")])

    def grow(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        pair = st.tuples(inner, inner)
        return st.one_of(
            inner.map(lambda t: Apply(Const("¬"), t)),
            pair.map(lambda p: Apply(Apply(Const("∧"), p[0]), p[1])),
            pair.map(lambda p: Apply(Apply(Const("→"), p[0]), p[1])),
            inner.map(lambda t: Apply(Const("∃"), Lambda("y", E, t))),
            inner.map(lambda t: Apply(Lambda("s", T, Apply(Const("¬"), Var("s"))), t)),
        )

    return st.recursive(atoms, grow, max_leaves=12)


@settings(max_examples=150, deadline=None)
@given(_terms())
def test_printing_and_reduction_preserve_every_statement(term: Term) -> None:
    assert alpha_equal(parse(show(term)), term)
    normal = reduce(term)
    assert infer(normal).type == infer(term).type == T
    assert reduce(normal) == normal
