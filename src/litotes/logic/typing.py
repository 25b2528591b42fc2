"""Infer Church types for every part of a term by unification."""

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
    """A term with the types of all its binders, its own type, and the types of its constants."""

    term: Term
    type: Type
    constants: dict[str, Type]


def infer(term: Term) -> Typed:
    """Infer the types of a term. By default a predicate returns a truth value, and everything else is a thing."""
    unifier = _Unifier()
    constants: dict[str, Type] = {}
    type_ = unifier.settle(unifier.type_of(term, {}, constants))
    return Typed(unifier.annotate(term), type_, {name: unifier.settle(each) for name, each in constants.items()})


class _Unifier:
    """The unknown types of a term and what is known about them."""

    def __init__(self) -> None:
        self._known: dict[int, Type] = {}
        self._count = 0
        self._binders: dict[int, Type] = {}
        # the result of a call is a truth value unless it is passed on as a thing
        self._results: set[int] = set()
        self._things: set[int] = set()

    def _fresh(self) -> Unknown:
        self._count += 1
        return Unknown(self._count)

    def _look(self, type_: Type) -> Type:
        while isinstance(type_, Unknown) and type_.number in self._known:
            type_ = self._known[type_.number]
        return type_

    def _number(self, type_: Type) -> int:
        type_ = self._look(type_)
        return type_.number if isinstance(type_, Unknown) else 0

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

    def _occurs(self, unknown: Unknown, type_: Type) -> bool:
        type_ = self._look(type_)
        if isinstance(type_, Arrow):
            return self._occurs(unknown, type_.domain) or self._occurs(unknown, type_.range)
        return type_ == unknown

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
                argument_type = self.type_of(argument, bound, constants)
                result = self._fresh()
                self._results.add(result.number)
                if isinstance(self._look(argument_type), Unknown):
                    self._things.add(self._number(argument_type))
                function_type = self._look(self.type_of(function, bound, constants))
                if not isinstance(function_type, Arrow | Unknown):
                    raise LogicError(f"{show(function)} has the type {show_type(function_type)} and takes no argument")
                if isinstance(function_type, Unknown):
                    self._unify(function_type, Arrow(argument_type, result), term)
                    return result
                self._unify(function_type.domain, argument_type, argument)
                return function_type.range

    def settle(self, type_: Type) -> Type:
        type_ = self._look(type_)
        if isinstance(type_, Arrow):
            return Arrow(self.settle(type_.domain), self.settle(type_.range))
        if isinstance(type_, Unknown):
            return T if type_.number in self._results - self._things else E
        return type_

    def annotate(self, term: Term) -> Term:
        match term:
            case Lambda(name, _, body):
                return Lambda(name, self.settle(self._binders[id(term)]), self.annotate(body))
            case Apply(function, argument):
                return Apply(self.annotate(function), self.annotate(argument))
        return term
