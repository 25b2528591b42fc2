"""Church types for every part of a term, by unification; what does not fit is an error."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.logic.terms import (
    LOGICAL,
    Apply,
    Arrow,
    Const,
    E,
    Lambda,
    LogicError,
    T,
    Term,
    Type,
    Unknown,
    Var,
    show,
    show_type,
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A term whose binders all carry their type, its own type, and the types of its constants."""

    term: Term
    type: Type
    constants: dict[str, Type]


def infer(term: Term) -> Typed:
    """Type a term; where nothing decides, what a predicate gives is a truth value and the rest are things."""
    unifier = _Unifier()
    constants: dict[str, Type] = {}
    found = unifier.type_of(term, {}, constants)
    settled = unifier.settle(found)
    return Typed(unifier.annotate(term), settled, {name: unifier.settle(type_) for name, type_ in constants.items()})


class _Unifier:
    """Unknown types and what was found out about them."""

    def __init__(self) -> None:
        self._known: dict[int, Type] = {}
        self._count = 0
        self._binders: dict[int, Type] = {}
        # what a call gives is a truth value unless it is itself handed on as a thing
        self._results: set[int] = set()
        self._things: set[int] = set()

    def _fresh(self) -> Unknown:
        self._count += 1
        return Unknown(self._count)

    def _look(self, found: Type) -> Type:
        while isinstance(found, Unknown) and found.number in self._known:
            found = self._known[found.number]
        return found

    def _number(self, found: Type) -> int:
        found = self._look(found)
        return found.number if isinstance(found, Unknown) else 0

    def _unify(self, left: Type, right: Type, where: Term) -> None:
        left, right = self._look(left), self._look(right)
        if left == right:
            return
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            unknown, other = (left, right) if isinstance(left, Unknown) else (right, left)
            assert isinstance(unknown, Unknown)
            if self._occurs(unknown, other):
                raise LogicError(f"{show(where)} would be applied to itself")
            self._known[unknown.number] = other
            if isinstance(other, Unknown):
                for marks in (self._results, self._things):
                    if unknown.number in marks:
                        marks.add(other.number)
            return
        if isinstance(left, Arrow) and isinstance(right, Arrow):
            self._unify(left.domain, right.domain, where)
            self._unify(left.range, right.range, where)
            return
        raise LogicError(
            f"{show(where)}: got the type {show_type(self.settle(right))}, expected {show_type(self.settle(left))}"
        )

    def _occurs(self, unknown: Unknown, found: Type) -> bool:
        found = self._look(found)
        if isinstance(found, Arrow):
            return self._occurs(unknown, found.domain) or self._occurs(unknown, found.range)
        return found == unknown

    def type_of(self, term: Term, bound: dict[str, Type], constants: dict[str, Type]) -> Type:
        match term:
            case Var(name):
                if name not in bound:
                    raise LogicError(f"the variable {name} is not bound")
                return bound[name]
            case Const(name):
                if term in LOGICAL:
                    return LOGICAL[term]
                return constants.setdefault(name, self._fresh())
            case Lambda(name, type_, body):
                domain: Type = type_ if type_ is not None else self._fresh()
                self._binders[id(term)] = domain
                return Arrow(domain, self.type_of(body, {**bound, name: domain}, constants))
            case Apply(function, argument):
                given = self.type_of(argument, bound, constants)
                result = self._fresh()
                self._results.add(result.number)
                if isinstance(self._look(given), Unknown):
                    self._things.add(self._number(given))
                wanted = self._look(self.type_of(function, bound, constants))
                if not isinstance(wanted, Arrow | Unknown):
                    raise LogicError(f"{show(function)} has the type {show_type(wanted)} and takes no argument")
                if isinstance(wanted, Unknown):
                    self._unify(wanted, Arrow(given, result), term)
                    return result
                self._unify(wanted.domain, given, argument)
                return wanted.range

    def settle(self, found: Type) -> Type:
        found = self._look(found)
        if isinstance(found, Arrow):
            return Arrow(self.settle(found.domain), self.settle(found.range))
        if isinstance(found, Unknown):
            return T if found.number in self._results - self._things else E
        return found

    def annotate(self, term: Term) -> Term:
        match term:
            case Lambda(name, _, body):
                return Lambda(name, self.settle(self._binders[id(term)]), self.annotate(body))
            case Apply(function, argument):
                return Apply(self.annotate(function), self.annotate(argument))
        return term
