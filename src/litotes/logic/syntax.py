"""Parse terms as people and models write them: λ, \\ or lambda; ∀ or forall; ¬, ~ or not; ∧, & or and; → or ->."""

from __future__ import annotations

import re

from litotes.logic.terms import (
    ALL,
    AND,
    IMPLIES,
    NOT,
    OR,
    SOME,
    Apply,
    Arrow,
    Base,
    Const,
    E,
    Lambda,
    LogicError,
    T,
    Term,
    Type,
    Var,
    apply,
)

_TOKEN = re.compile(r"\s*(?:(->|=>|&&|\|\||/\\|\\/)|([^\W\d_][\w'’]*|\d+)|(\S))")
_SAME = {
    "\\": "λ",
    "lambda": "λ",
    "forall": "∀",
    "all": "∀",
    "exists": "∃",
    "some": "∃",
    "not": "¬",
    "~": "¬",
    "!": "¬",
    "&": "∧",
    "&&": "∧",
    "/\\": "∧",
    "and": "∧",
    "|": "∨",
    "||": "∨",
    "\\/": "∨",
    "or": "∨",
    "->": "→",
    "=>": "→",
    "⇒": "→",
    "⊃": "→",
    "implies": "→",
}
_LEVELS = ((("→",), IMPLIES), (("∨",), OR), (("∧",), AND))
LIMIT = 20_000
DEPTH = 60


def parse(text: str) -> Term:
    """Parse a term. A LogicError says where the text goes wrong."""
    reader = _Reader(text)
    term = reader.term(frozenset(), 0)
    reader.finish()
    return term


class _Reader:
    """A recursive-descent parser over the tokens of one text."""

    def __init__(self, text: str) -> None:
        if len(text) > LIMIT:
            raise LogicError(f"a formula of {len(text):,} characters; expected at most {LIMIT:,}")
        # separate a binder from the name after it: "λx", "∀x"
        text = re.sub(r"([λ∀∃¬])", r" \1 ", text)
        self._tokens = [_SAME.get(token, token) for match in _TOKEN.findall(text) if (token := "".join(match))]
        self._at = 0

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self._next
        if not token or (expected and token != expected):
            before = " ".join(self._tokens[max(0, self._at - 4) : self._at])
            raise LogicError(f"expected {expected or 'a term'} after {before!r}, found {token or 'the end'!r}")
        self._at += 1
        return token

    def finish(self) -> None:
        if self._next:
            raise LogicError(f"nothing may follow the term, found {self._next!r}")

    def term(self, bound: frozenset[str], depth: int) -> Term:
        if depth > DEPTH:
            raise LogicError(f"a formula nested deeper than {DEPTH}")
        return self._connective(bound, 0, depth)

    def _connective(self, bound: frozenset[str], level: int, depth: int) -> Term:
        if level == len(_LEVELS):
            return self._prefix(bound, depth)
        signs, constant = _LEVELS[level]
        left = self._connective(bound, level + 1, depth)
        while self._next in signs:
            self._take()
            depth += 1
            if depth > DEPTH:
                raise LogicError(f"a formula nested deeper than {DEPTH}")
            if constant == IMPLIES:
                return apply(constant, left, self._connective(bound, level, depth + 1))
            left = apply(constant, left, self._connective(bound, level + 1, depth))
        return left

    def _prefix(self, bound: frozenset[str], depth: int) -> Term:
        if depth > DEPTH:
            raise LogicError(f"a formula nested deeper than {DEPTH}")
        if self._next == "¬":
            self._take()
            return Apply(NOT, self._prefix(bound, depth + 1))
        if self._next in {"λ", "∀", "∃"}:
            return self._binder(self._take(), bound, depth + 1)
        return self._call(bound, depth)

    def _binder(self, sign: str, bound: frozenset[str], depth: int) -> Term:
        """Parse λx:e. …, λP Q x. … or ∀x(…)."""
        names: list[tuple[str, Type | None]] = []
        while self._next and self._next not in {".", "(", "∀", "∃"}:
            if self._next in {",", "λ"}:
                self._take()
                continue
            name = self._take()
            if not name[0].isalpha():
                raise LogicError(f"expected a variable after {sign}, found {name!r}")
            type_: Type | None = None
            if self._next == ":":
                self._take()
                type_ = self.type()
            names.append((name, type_))
        if not names:
            raise LogicError(f"expected a variable after {sign}")
        if self._next == ".":
            self._take()
        body = self.term(bound | {name for name, _ in names}, depth + 1)
        for name, type_ in reversed(names):
            body = Lambda(name, type_ if sign == "λ" else type_ or E, body)
            if sign != "λ":
                body = Apply(ALL if sign == "∀" else SOME, body)
        return body

    def _call(self, bound: frozenset[str], depth: int) -> Term:
        term = self._atom(bound, depth)
        while self._next in {"(", "["}:
            close = ")" if self._take() == "(" else "]"
            while True:
                term = Apply(term, self.term(bound, depth + 1))
                if self._next != ",":
                    break
                self._take()
            self._take(close)
        return term

    def _atom(self, bound: frozenset[str], depth: int) -> Term:
        token = self._take()
        if token in {"(", "["}:
            inner = self.term(bound, depth + 1)
            self._take(")" if token == "(" else "]")
            return inner
        if not (token[0].isalnum()):
            raise LogicError(f"expected a name or a bracket, found {token!r}")
        return Var(token) if token in bound else Const(token)

    def type(self, depth: int = 0) -> Type:
        if depth > DEPTH:
            raise LogicError(f"a type nested deeper than {DEPTH}")
        domain = self._type_atom(depth)
        if self._next == "→":
            self._take()
            return Arrow(domain, self.type(depth + 1))
        return domain

    def _type_atom(self, depth: int) -> Type:
        token = self._take()
        if token in {"(", "<", "⟨"}:
            inner = self.type(depth + 1)
            if self._next == ",":
                self._take()
                inner = Arrow(inner, self.type(depth + 1))
            self._take({"(": ")", "<": ">", "⟨": "⟩"}[token])
            return inner
        if token in {"e", "t"}:
            return E if token == "e" else T
        if token == "et":
            return Arrow(E, T)
        if token[0].isalpha() and len(token) == 1:
            return Base(token)
        raise LogicError(f"expected a type (e, t, e→t), found {token!r}")
