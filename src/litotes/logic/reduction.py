"""Reduce a term to its β-normal form, without variable capture."""

from __future__ import annotations

from litotes.logic.terms import Apply, Const, Lambda, LogicError, Term, Var

STEPS = 10_000
SIZE = 100_000


def reduce(term: Term, *, steps: int = STEPS) -> Term:
    """Return the β-normal form, reducing the outermost redex first. Raise LogicError if `steps` are not enough."""
    for _ in range(steps):
        smaller = _step(term)
        if smaller is None:
            return term
        if _size(smaller) > SIZE:
            break
        term = smaller
    raise LogicError(f"no normal form after {steps:,} steps")


def _step(term: Term) -> Term | None:
    """Return the term after one reduction, or None if it is in normal form."""
    match term:
        case Apply(Lambda(name, _, body), argument):
            return substitute(body, name, argument)
        case Apply(function, argument):
            smaller = _step(function)
            if smaller is not None:
                return Apply(smaller, argument)
            smaller = _step(argument)
            return Apply(function, smaller) if smaller is not None else None
        case Lambda(name, type_, body):
            smaller = _step(body)
            return Lambda(name, type_, smaller) if smaller is not None else None
    return None


def _size(term: Term) -> int:
    match term:
        case Apply(function, argument):
            return _size(function) + _size(argument)
        case Lambda(_, _, body):
            return 1 + _size(body)
    return 1


def free(term: Term) -> frozenset[str]:
    """Return the free variables of a term."""
    match term:
        case Var(name):
            return frozenset({name})
        case Lambda(name, _, body):
            return free(body) - {name}
        case Apply(function, argument):
            return free(function) | free(argument)
    return frozenset()


def substitute(term: Term, name: str, value: Term) -> Term:
    """Return term[name := value]. Bound variables that would capture a free one are renamed."""
    match term:
        case Var(other):
            return value if other == name else term
        case Const():
            return term
        case Apply(function, argument):
            return Apply(substitute(function, name, value), substitute(argument, name, value))
        case Lambda(other, type_, body):
            if other == name or name not in free(body):
                return term
            if other in free(value):
                fresh = _fresh(other, free(value) | free(body))
                body = substitute(body, other, Var(fresh))
                other = fresh
            return Lambda(other, type_, substitute(body, name, value))


def _fresh(name: str, taken: frozenset[str]) -> str:
    number = 1
    while f"{name}{number}" in taken:
        number += 1
    return f"{name}{number}"
