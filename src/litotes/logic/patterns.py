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
    """Whether the claim about the things is a denial: the right side of → under ∀, the last part of ∧ under ∃."""
    parts = binary(body)
    while parts is not None:
        connective, left, right = parts
        if quantifier == ALL and connective == IMPLIES:
            body = right
        elif connective in {AND, OR}:
            # ∃x. Seat(x) ∧ ¬Taken(x): any part that is denied denies the claim
            return _denied(left, quantifier) or _denied(right, quantifier)
        else:
            break
        parts = binary(body)
    negations = 0
    while isinstance(body, Apply) and body.function == NOT:
        negations += 1
        body = body.argument
    return negations % 2 == 1
