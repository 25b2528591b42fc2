"""Quantifier patterns: what a formula says of all, of some, of none; and how two such claims oppose each other."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.logic.terms import ALL, AND, IMPLIES, NOT, OR, SOME, Apply, Const, Lambda, Term, binary


@dataclass(frozen=True, slots=True)
class Quantified:
    """A quantifier and whether what it says of its things is denied."""

    sign: str
    """∀ or ∃, negations outside of it already moved in"""
    denied: bool

    @property
    def form(self) -> str:
        """∀, ∃, ∃¬, or ¬∃ (which is ∀¬)."""
        if self.sign == "∀":
            return "¬∃" if self.denied else "∀"
        return "∃¬" if self.denied else "∃"


# The three oppositions of the square, by the forms of the two sides; contradictories come in two pairs.
RELATIONS = {
    frozenset({"∀", "∃¬"}): "contradiction",
    frozenset({"∃", "¬∃"}): "contradiction",
    frozenset({"∀", "¬∃"}): "contrary",
    frozenset({"∃", "∃¬"}): "subcontrary",
}


def relation(left: str, right: str) -> str:
    """contradiction, contrary, subcontrary, or "" for two forms that do not oppose each other."""
    return RELATIONS.get(frozenset({left, right}), "")


def quantifiers(term: Term) -> tuple[Quantified, ...]:
    """The outermost quantifiers of a formula, in order."""
    return tuple(_walk(term, False))


def _walk(term: Term, negative: bool) -> list[Quantified]:
    match term:
        case Apply(function, argument) if function == NOT:
            return _walk(argument, not negative)
        case Apply(Const() as quantifier, Lambda(_, _, body)) if quantifier in {ALL, SOME}:
            sign = quantifier.name
            if negative:
                # ¬∀ is ∃¬, ¬∃ is ∀¬
                sign = "∃" if sign == "∀" else "∀"
            return [Quantified(sign, _denied(body, quantifier) != negative)]
        case Lambda(_, _, body):
            return _walk(body, negative)
    parts = binary(term)
    if parts is not None:
        connective, left, right = parts
        return _walk(left, negative != (connective == IMPLIES)) + _walk(right, negative)
    return []


def _denied(body: Term, quantifier: Const) -> bool:
    """Whether the claim about the things is a denial.

    With negations moved inwards, a body under ∀ is a row of alternatives (¬Seat(x) ∨ Taken(x)), one under ∃ a row of
    parts (Seat(x) ∧ ¬Taken(x)); what is claimed is the last of them, or of two parts the denied one.
    """
    parts = _row(_inward(body, False), OR if quantifier == ALL else AND)
    denied = [isinstance(part, Apply) and part.function == NOT for part in parts]
    return denied[-1] or (quantifier == SOME and len(denied) == 2 and any(denied))


def _row(term: Term, connective: Const) -> list[Term]:
    """a ∨ b ∨ c as a list"""
    parts = binary(term)
    if parts is None or parts[0] != connective:
        return [term]
    return _row(parts[1], connective) + _row(parts[2], connective)


def _inward(term: Term, negative: bool) -> Term:
    """The same statement with ¬ only before what holds no connective, and → as ∨."""
    if isinstance(term, Apply) and term.function == NOT:
        return _inward(term.argument, not negative)
    parts = binary(term)
    if parts is None:
        return Apply(NOT, term) if negative else term
    connective, left, right = parts
    if connective == IMPLIES:
        connective, first = OR, _inward(left, not negative)
    else:
        first = _inward(left, negative)
    if negative:
        connective = AND if connective == OR else OR
    return Apply(Apply(connective, first), _inward(right, negative))
