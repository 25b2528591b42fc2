"""A small typed λ-calculus: terms, Church types, β-reduction, parsing, printing, quantifier patterns."""

from litotes.logic.patterns import Quantified, quantifiers, relation
from litotes.logic.reduction import reduce
from litotes.logic.syntax import parse
from litotes.logic.terms import Apply, Arrow, Base, Const, E, Lambda, LogicError, T, Term, Type, Var, show, show_type
from litotes.logic.typing import Typed, infer

__all__ = [
    "Apply",
    "Arrow",
    "Base",
    "Const",
    "E",
    "Lambda",
    "LogicError",
    "Quantified",
    "T",
    "Term",
    "Type",
    "Typed",
    "Var",
    "infer",
    "parse",
    "quantifiers",
    "reduce",
    "relation",
    "show",
    "show_type",
]
