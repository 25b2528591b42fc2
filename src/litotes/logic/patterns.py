"""Find the quantifier patterns of a formula, and how two of them oppose each other."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.logic.terms import ALL, AND, IMPLIES, NOT, OR, SOME, Apply, Const, Lambda, Term, binary


@dataclass(frozen=True, slots=True)
class Quantified:
    """A quantifier, and whether its claim is denied."""

    sign: str
    """∀ or ∃, with outer negations already moved inwards"""
    denied: bool

    @property
    def form(self) -> str:
        """∀, ∃, ∃¬ or ¬∃ (which equals ∀¬)."""
        if self.sign == "∀":
            return "¬∃" if self.denied else "∀"
        return "∃¬" if self.denied else "∃"


# the oppositions of the square, by the forms of the two sides
RELATIONS = {
    frozenset({"∀", "∃¬"}): "contradiction",
    frozenset({"∃", "¬∃"}): "contradiction",
    frozenset({"∀", "¬∃"}): "contrary",
    frozenset({"∃", "∃¬"}): "subcontrary",
}


def relation(left: str, right: str) -> str:
    """Return contradiction, contrary or subcontrary, or "" for two forms that do not oppose each other."""
    return RELATIONS.get(frozenset({left, right}), "")


def quantifiers(term: Term) -> tuple[Quantified, ...]:
    """Return the outermost quantifiers of a formula, in order."""
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
    """Return whether a quantifier's claim is denied.

    With negations moved inwards, a body under ∀ is a disjunction (¬Seat(x) ∨ Taken(x)) and a body under ∃ a conjunction
    (Seat(x) ∧ ¬Taken(x)). The claim is its last part, or the denied one of two parts.
    """
    parts = _row(_inward(body, False), OR if quantifier == ALL else AND)
    denied = [isinstance(part, Apply) and part.function == NOT for part in parts]
    return denied[-1] or (quantifier == SOME and len(denied) == 2 and any(denied))


def _row(term: Term, connective: Const) -> list[Term]:
    """Flatten a ∨ b ∨ c into a list."""
    parts = binary(term)
    if parts is None or parts[0] != connective:
        return [term]
    return _row(parts[1], connective) + _row(parts[2], connective)


def _inward(term: Term, negative: bool) -> Term:
    """Move ¬ inwards to parts without connectives, and write → as ∨."""
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
