"""Types and terms, and how they are written.

Quantifiers, negation and connectives are constants of suitable types, so that the grammar consists of application and
abstraction only: ∀x.P(x) is ∀ applied to λx.P(x).
"""

from __future__ import annotations

from dataclasses import dataclass

from litotes.errors import InputError


class LogicError(InputError):
    """A term cannot be parsed, typed or reduced."""


@dataclass(frozen=True, slots=True)
class Base:
    """The type of things (e) or of truth values (t)."""

    name: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """The type of functions from one type to another."""

    domain: Type
    range: Type


@dataclass(frozen=True, slots=True)
class Unknown:
    """A type that is not known yet."""

    number: int


Type = Base | Arrow | Unknown
E, T = Base("e"), Base("t")


@dataclass(frozen=True, slots=True)
class Var:
    """A variable, bound by the λ of its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A predicate, a name, or a logical constant."""

    name: str


@dataclass(frozen=True, slots=True)
class Lambda:
    """The abstraction λname:type. body."""

    name: str
    type: Type | None
    body: Term


@dataclass(frozen=True, slots=True)
class Apply:
    """The application function(argument)."""

    function: Term
    argument: Term


Term = Var | Const | Lambda | Apply

NOT, AND, OR, IMPLIES, ALL, SOME = Const("¬"), Const("∧"), Const("∨"), Const("→"), Const("∀"), Const("∃")
_TRUTH_2 = Arrow(T, Arrow(T, T))
_QUANTIFIER = Arrow(Arrow(E, T), T)
LOGICAL: dict[Const, Type] = {
    NOT: Arrow(T, T),
    AND: _TRUTH_2,
    OR: _TRUTH_2,
    IMPLIES: _TRUTH_2,
    ALL: _QUANTIFIER,
    SOME: _QUANTIFIER,
}
CONNECTIVES = (IMPLIES, OR, AND)


def apply(function: Term, *arguments: Term) -> Term:
    """Return function(a)(b)…."""
    for argument in arguments:
        function = Apply(function, argument)
    return function


def binary(term: Term) -> tuple[Const, Term, Term] | None:
    """Return the connective and its two sides if the term is a binary formula."""
    match term:
        case Apply(Apply(Const() as connective, left), right) if connective in CONNECTIVES:
            return connective, left, right
    return None


def show_type(type_: Type) -> str:
    """Write a type, such as e→t. An arrow on the left gets brackets."""
    match type_:
        case Base(name):
            return name
        case Unknown():
            return "?"
        case Arrow(domain, range_):
            left = show_type(domain)
            return f"({left})→{show_type(range_)}" if isinstance(domain, Arrow) else f"{left}→{show_type(range_)}"


def show(term: Term) -> str:
    """Write a term, such as λx:e. Organism(x) ∧ ¬Cyanobacteria(x)."""
    return _show(term, 0)


# how tightly each connective binds: a weaker one inside a stronger one gets brackets
_STRENGTH = {IMPLIES: 1, OR: 2, AND: 3}


def _show(term: Term, outer: int) -> str:
    parts = binary(term)
    if parts is not None:
        connective, left, right = parts
        own = _STRENGTH[connective]
        # → is right-associative, ∧ and ∨ are left-associative
        first, second = (own + 1, own) if connective == IMPLIES else (own, own + 1)
        return _bracket(f"{_show(left, first)} {connective.name} {_show(right, second)}", own < outer)
    match term:
        case Var(name) | Const(name):
            return name
        case Lambda(name, type_, body):
            note = f":{show_type(type_)}" if type_ is not None else ""
            return _bracket(f"λ{name}{note}. {_show(body, 0)}", outer > 0)
        case Apply(Const() as quantifier, Lambda(name, _, body)) if quantifier in {ALL, SOME}:
            return _bracket(f"{quantifier.name}{name}. {_show(body, 0)}", outer > 0)
        case Apply(function, argument) if function == NOT:
            return f"¬{_show(argument, 4)}"
    return _show_call(term)


def _show_call(term: Term) -> str:
    arguments: list[str] = []
    while isinstance(term, Apply):
        arguments.insert(0, _show(term.argument, 0))
        term = term.function
    return f"{_show(term, 5)}({', '.join(arguments)})"


def _bracket(text: str, needed: bool) -> str:
    return f"({text})" if needed else text
