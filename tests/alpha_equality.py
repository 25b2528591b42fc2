"""Equality of λ-terms up to the names of bound variables."""

from __future__ import annotations

from litotes.logic import Apply, Const, Lambda, Term, Var


def alpha_equal(left: Term, right: Term) -> bool:
    """Return whether two terms differ at most in the names of bound variables."""
    return _equal(left, right, {}, {})


def _equal(left: Term, right: Term, ours: dict[str, int], theirs: dict[str, int]) -> bool:
    match left, right:
        case Var(a), Var(b):
            return ours.get(a, -1) == theirs.get(b, -1) and (a in ours or a == b)
        case Const(a), Const(b):
            return a == b
        case Apply(f, x), Apply(g, y):
            return _equal(f, g, ours, theirs) and _equal(x, y, ours, theirs)
        case Lambda(a, s, body), Lambda(b, t, other):
            depth = len(ours) + len(theirs) + 1
            same = s == t or s is None or t is None
            return same and _equal(body, other, {**ours, a: depth}, {**theirs, b: depth})
    return False
