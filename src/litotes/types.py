"""What crosses two rooms or more: plain frozen values, and the one-method protocols."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

Span = tuple[int, int]
DIGITS = 4
"""of a figure that is written down"""
MALFORMED = (KeyError, TypeError, ValueError, OverflowError)
"""what reading a JSON object raises where it lacks something or holds another thing, a number beyond all floats too"""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old`, which stands at `start` in the text, by `new`."""

    start: int
    old: str
    new: str

    @property
    def end(self) -> int:
        return self.start + len(self.old)


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """The text with every edit made; edits are sorted and do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.start], edit.new)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One text rewritten one way, or the reason why it was not.

    Exactly one of `rewrite` and `reason` is set. `edits` are offsets into `text`.
    """

    text: str
    kind: str
    rewrite: str | None = None
    cue: str = ""
    edits: tuple[Edit, ...] = ()
    distance: int = 0
    rule: str = ""
    reason: str = ""

    def __bool__(self) -> bool:
        return self.rewrite is not None

    def __str__(self) -> str:
        return self.rewrite if self.rewrite is not None else ""

    def undo(self) -> str:
        """The input again, made from the rewrite and its edits alone."""
        if self.rewrite is None:
            return self.text
        backwards: list[Edit] = []
        shift = 0
        for edit in self.edits:
            backwards.append(Edit(edit.start + shift, edit.new, edit.old))
            shift += len(edit.new) - len(edit.old)
        return apply_edits(self.rewrite, tuple(backwards))

    def line(self) -> dict[str, Any]:
        """The JSON object of the rewrite line in the docs."""
        if self.rewrite is None:
            return {"text": self.text, "kind": self.kind, "rewrite": None, "reason": self.reason}
        return {
            "text": self.text,
            "kind": self.kind,
            "rewrite": self.rewrite,
            "cue": self.cue,
            "distance": self.distance,
        }


@dataclass(frozen=True, slots=True)
class Cue:
    """A word, an affix or several words that negate; spans are character offsets into the text."""

    text: str
    sort: str
    """verbal, absolute, approximate, affixal or implicit"""
    tokens: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """One negation of a text: what negates, what it reaches, what it denies; spans are offsets into the text."""

    cue: str
    cue_spans: tuple[Span, ...]
    scope: tuple[Span, ...]
    event: str
    event_span: Span | None
    kind: str
    """sentential, exceptor, affixal or implicit"""
    rule: str = ""
    """what decided the cue and its scope, for people"""

    def line(self) -> dict[str, Any]:
        """Its part of the detect line in the docs."""
        return {
            "cue": self.cue,
            "cue_spans": [list(span) for span in self.cue_spans],
            "scope": [list(span) for span in self.scope],
            "event": self.event,
            "event_span": list(self.event_span) if self.event_span else None,
            "kind": self.kind,
        }


@dataclass(frozen=True, slots=True)
class Hedge:
    """One hedge of a text: a cue that lowers certainty, and what it reaches."""

    cue: str
    cue_spans: tuple[Span, ...]
    scope: tuple[Span, ...]
    strength: float
    """how likely the claim still is: 0.3 "no idea whether", 0.5 "might", 0.8 "probably" """
    kind: str
    """word or phrase"""
    rule: str = ""

    def line(self) -> dict[str, Any]:
        """Its part of the detect line in the docs."""
        return {
            "cue": self.cue,
            "cue_spans": [list(span) for span in self.cue_spans],
            "scope": [list(span) for span in self.scope],
            "strength": self.strength,
            "kind": self.kind,
        }


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A query taken apart: what it asks for, and what it asks to leave out. Nothing left out keeps the query whole."""

    text: str
    kept: str
    excluded: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.excluded)

    def line(self) -> dict[str, Any]:
        """The JSON object of `litotes detect --explain`."""
        parts = {"excluded": list(self.excluded), "cues": list(self.cues), "rules": list(self.rules)}
        return {"kept": self.kept, **parts}


@dataclass(frozen=True, slots=True)
class Detection:
    """What a text denies and what it hedges, in order."""

    text: str
    negations: tuple[Negation, ...] = ()
    hedges: tuple[Hedge, ...] = ()
    reason: str = ""
    """why the text, or a sentence of it, was not read: over-long, or not English"""

    def line(self, *, explain: bool = False) -> dict[str, Any]:
        """The JSON object of the detect line in the docs; with the rules that decided, when asked to explain."""
        found: dict[str, Any] = {"text": self.text}
        for name, parts in (("negations", self.negations), ("hedges", self.hedges)):
            found[name] = [{**part.line(), "rule": part.rule} if explain else part.line() for part in parts]
        return {**found, "reason": self.reason} if self.reason else found


@dataclass(frozen=True, slots=True)
class Triple:
    """An anchor, a text that says the same (or a weaker form of it), and one that denies it."""

    id: str
    anchor: str
    positive: str
    negative: str
    positive_kind: str
    negative_kind: str
    cues: tuple[str, str]
    """of the positive and of the negative"""

    def line(self) -> dict[str, Any]:
        """The JSON object of the triple line in the docs."""
        return {
            "id": self.id,
            "anchor": self.anchor,
            "positive": self.positive,
            "negative": self.negative,
            "positive_kind": self.positive_kind,
            "negative_kind": self.negative_kind,
            "cues": list(self.cues),
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, and whether they say the same (1) or deny each other (0)."""

    id: str
    premise: str
    hypothesis: str
    label: int
    """1 the same, 0 contradiction: the CANNOT paper's score. The released table of CANNOT counts the other way round"""
    kind: str = ""
    """how the hypothesis was made: a kind of negation or of paraphrase"""
    cue: str = ""

    def line(self) -> dict[str, Any]:
        """The JSON object of the pair line in the docs."""
        return {
            "id": self.id,
            "premise": self.premise,
            "hypothesis": self.hypothesis,
            "label": self.label,
            "kind": self.kind,
            "cue": self.cue,
        }


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two queries and two documents: q1 belongs to doc1, q2 to doc2. Without q2, doc2 is q1's trap."""

    id: str
    q1: str
    q2: str | None
    doc1: str
    doc2: str
    kind: str = ""
    style: str = ""
    domain: str = ""

    def line(self) -> dict[str, Any]:
        """The JSON object of the contrast line in the docs; what is empty is left out."""
        texts = {"id": self.id, "q1": self.q1, "q2": self.q2, "doc1": self.doc1, "doc2": self.doc2}
        notes = {"kind": self.kind, "style": self.style, "domain": self.domain}
        return texts | {name: value for name, value in notes.items() if value}


@dataclass(frozen=True, slots=True)
class Classification:
    """Which kind of negation sets a contrast apart, and what decided it."""

    id: str
    kind: str
    evidence: str
    step: str
    """predicates, quantifiers, antonyms, none; or unread, and then the kind is empty and the evidence says why"""
    engine: str

    def line(self) -> dict[str, Any]:
        """The JSON object of the classify line in the docs."""
        return {"id": self.id, "kind": self.kind, "evidence": self.evidence}


@dataclass(frozen=True, slots=True)
class Result:
    """One figure of one model, its 95% interval, and all that is needed to get them again; NaN where there are none."""

    model: str
    task: str
    split: str
    slice: str
    measure: str
    value: float
    low: float
    high: float
    n: int
    signature: str

    def line(self) -> dict[str, Any]:
        """The JSON object of results.json; what cannot be computed is null."""
        plain = {name: getattr(self, name) for name in Result.__slots__}
        return {name: _plain(value) if isinstance(value, float) else value for name, value in plain.items()}

    @classmethod
    def from_line(cls, row: Mapping[str, Any]) -> Result:
        """The same from its JSON object; an error of `MALFORMED` where it is none."""
        model, task, split, slice_ = (str(row[name]) for name in ("model", "task", "split", "slice"))
        value, low, high = (math.nan if row[name] is None else float(row[name]) for name in ("value", "low", "high"))
        measure, signature = str(row["measure"]), str(row["signature"])
        return cls(model, task, split, slice_, measure, value, low, high, int(row["n"]), signature)


def _plain(value: float) -> float | None:
    # adding 0 makes −0 a plain 0
    return None if math.isnan(value) else round(value, DIGITS) + 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """An item of a benchmark as a person reviews it: what it says, and what two models made of it."""

    id: str
    task: str
    split: str
    slice: str
    texts: dict[str, str]
    gold: str
    baseline: str
    model: str


@dataclass(frozen=True, slots=True)
class Maxsim:
    """How each token of a query matches each token of a document: a row a query token."""

    model: str
    pair: str
    """what the pair is called: models that share it are drawn side by side"""
    query_tokens: tuple[str, ...]
    document_tokens: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    fingerprint: str = ""
    """of the model, where it has one"""

    @property
    def score(self) -> float:
        """The sum of each query token's best match."""
        return sum(map(max, self.matrix))

    def line(self) -> dict[str, Any]:
        """The JSON object of maxsim.json."""
        return {
            "model": self.model,
            "fingerprint": self.fingerprint,
            "pair": self.pair,
            "query_tokens": list(self.query_tokens),
            "document_tokens": list(self.document_tokens),
            # finer than a figure is written: the rows' maxima must still add up to the score
            "matrix": [[round(value, 7) for value in row] for row in self.matrix],
        }

    @classmethod
    def from_line(cls, row: Mapping[str, Any]) -> Maxsim:
        """The same from its JSON object; an error of `MALFORMED` where it is none."""
        return cls(
            str(row["model"]),
            str(row.get("pair", "")),
            tuple(map(str, row["query_tokens"])),
            tuple(map(str, row["document_tokens"])),
            tuple(tuple(map(float, line)) for line in row["matrix"]),
            str(row.get("fingerprint", "")),
        )


class Generator(Protocol):
    """Anything that completes a prompt: an LLM behind an endpoint, a local one, a recording."""

    def generate(self, system: str, prompt: str) -> str: ...


class Encoder(Protocol):
    """Texts to vectors, one row each; the similarity of two texts is the dot product of their rows."""

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """`role` is "query", "document", or "" where a text plays neither part."""
        ...


class Ranker(Protocol):
    """How well each document answers the query beside it: higher is better."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray: ...


class Chooser(Protocol):
    """Which of two documents answers the query beside them better, asked in both orders.

    One row an item: above 0 for the first document, below for the second, NaN where the answer could not be read;
    in column 0 the first document was shown first, in column 1 it was shown second.
    """

    def choose(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray: ...
