"""Types that two or more packages share: frozen dataclasses and protocols with one method."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

Span = tuple[int, int]
DIGITS = 4
"""Decimal places of a figure in a file."""
MALFORMED = (KeyError, TypeError, ValueError, OverflowError)
"""Errors that reading a malformed JSON object can raise; OverflowError comes from numbers too large for a float."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old`, which begins at offset `start` of a text, with `new`."""

    start: int
    old: str
    new: str

    @property
    def end(self) -> int:
        return self.start + len(self.old)


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """Return the text with all edits applied. Edits must be sorted and must not overlap."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.start], edit.new)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite of a text, or the reason why there is none.

    Exactly one of `rewrite` and `reason` is set. The offsets of `edits` refer to `text`.
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
        """Return the original text, reconstructed from the rewrite and its edits."""
        if self.rewrite is None:
            return self.text
        backwards: list[Edit] = []
        shift = 0
        for edit in self.edits:
            backwards.append(Edit(edit.start + shift, edit.new, edit.old))
            shift += len(edit.new) - len(edit.old)
        return apply_edits(self.rewrite, tuple(backwards))

    def line(self) -> dict[str, Any]:
        """Return the JSON object of a rewrite line."""
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
    """A word, an affix or several words that negate. Spans are character offsets into the text."""

    text: str
    type: str
    """verbal, absolute, approximate, affixal or implicit"""
    tokens: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """A negation in a text: its cue, its scope and the event that it negates. Spans are offsets into the text."""

    cue: str
    cue_spans: tuple[Span, ...]
    scope: tuple[Span, ...]
    event: str
    event_span: Span | None
    kind: str
    """sentential, exceptor, affixal or implicit"""
    rule: str = ""
    """the rule that decided, as an explanation for people"""

    def line(self) -> dict[str, Any]:
        """Return this part of the JSON object of a detect line."""
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
    """A hedge in a text: a cue that lowers certainty, and its scope."""

    cue: str
    cue_spans: tuple[Span, ...]
    scope: tuple[Span, ...]
    strength: float
    """how likely the claim still is: 0.3 for "no idea whether", 0.5 for "might", 0.8 for "probably" """
    kind: str
    """word or phrase"""
    rule: str = ""

    def line(self) -> dict[str, Any]:
        """Return this part of the JSON object of a detect line."""
        return {
            "cue": self.cue,
            "cue_spans": [list(span) for span in self.cue_spans],
            "scope": [list(span) for span in self.scope],
            "strength": self.strength,
            "kind": self.kind,
        }


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A query split into what it asks for and what it excludes. If it excludes nothing, `kept` is the whole query."""

    text: str
    kept: str
    excluded: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    excluded_spans: tuple[Span, ...] = ()
    """where the excluded items are in `text`"""
    cue_spans: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.excluded)

    def line(self) -> dict[str, Any]:
        """Return the JSON object of `litotes detect --explain`."""
        names = ("excluded", "cues", "excluded_spans", "cue_spans")
        return {"kept": self.kept} | {name: list(getattr(self, name)) for name in names}


@dataclass(frozen=True, slots=True)
class Detection:
    """The negations and hedges of a text, in order."""

    text: str
    negations: tuple[Negation, ...] = ()
    hedges: tuple[Hedge, ...] = ()
    reason: str = ""
    """why the text, or a sentence of it, was not analysed: too long, or not English"""

    def line(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the JSON object of a detect line; with `explain`, each part names the rule that decided."""
        line: dict[str, Any] = {"text": self.text}
        for name, parts in (("negations", self.negations), ("hedges", self.hedges)):
            line[name] = [{**part.line(), "rule": part.rule} if explain else part.line() for part in parts]
        return {**line, "reason": self.reason} if self.reason else line


@dataclass(frozen=True, slots=True)
class Triple:
    """An anchor, a text that says the same or a weaker form of it, and a text that negates it."""

    id: str
    anchor: str
    positive: str
    negative: str
    positive_kind: str
    negative_kind: str
    cues: tuple[str, str]
    """the cue of the positive and the cue of the negative"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object of a triple line."""
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
class LabelledPair:
    """Two texts, labelled 1 if they say the same and 0 if they contradict each other."""

    id: str
    premise: str
    hypothesis: str
    label: int
    """1 for the same, 0 for a contradiction, as in the CANNOT paper; its released table is the other way round"""
    kind: str = ""
    """how the hypothesis was made: a kind of negation or paraphrase"""
    cue: str = ""

    def line(self) -> dict[str, Any]:
        """Return the JSON object of a pair line."""
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
    """Two queries and two documents: doc1 answers q1, and doc2 answers q2. Without q2, doc2 is a distractor for q1."""

    id: str
    q1: str
    q2: str | None
    doc1: str
    doc2: str
    kind: str = ""
    style: str = ""
    domain: str = ""

    def line(self) -> dict[str, Any]:
        """Return the JSON object of a contrast line, without empty notes."""
        texts = {"id": self.id, "q1": self.q1, "q2": self.q2, "doc1": self.doc1, "doc2": self.doc2}
        notes = {"kind": self.kind, "style": self.style, "domain": self.domain}
        return texts | {name: value for name, value in notes.items() if value}


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of negation that distinguishes the two sides of a contrast, and the evidence for it."""

    id: str
    kind: str
    evidence: str
    step: str
    """predicates, quantifiers, antonyms or none; or unread, with an empty kind and the reason as the evidence"""
    engine: str

    def line(self) -> dict[str, Any]:
        """Return the JSON object of a classify line."""
        return {"id": self.id, "kind": self.kind, "evidence": self.evidence}


@dataclass(frozen=True, slots=True)
class Result:
    """A figure of a model, its 95% interval, and a signature that makes it reproducible. Missing numbers are NaN."""

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
        """Return the JSON object of results.json; NaN becomes null."""
        plain = {name: getattr(self, name) for name in Result.__slots__}
        return {name: _plain(value) if isinstance(value, float) else value for name, value in plain.items()}

    @classmethod
    def from_line(cls, row: Mapping[str, Any]) -> Result:
        """Read the JSON object that `line` returns; a malformed one raises one of `MALFORMED`."""
        model, task, split, slice_ = (str(row[name]) for name in ("model", "task", "split", "slice"))
        value, low, high = (math.nan if row[name] is None else float(row[name]) for name in ("value", "low", "high"))
        measure, signature = str(row["measure"]), str(row["signature"])
        return cls(model, task, split, slice_, measure, value, low, high, int(row["n"]), signature)


def _plain(value: float) -> float | None:
    # Adding 0 turns −0 into 0.
    return None if math.isnan(value) else round(value, DIGITS) + 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """An item of a benchmark for review by a person: its texts, and the answers of two models."""

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
    """The similarity of each query token with each document token: one row per query token."""

    model: str
    pair: str
    """the name of the pair; models with the same pair are drawn side by side"""
    query_tokens: tuple[str, ...]
    document_tokens: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    fingerprint: str = ""
    """the model's fingerprint, if it has one"""

    @property
    def score(self) -> float:
        """Return the sum of the best match of each query token."""
        return sum(map(max, self.matrix))

    def line(self) -> dict[str, Any]:
        """Return the JSON object of maxsim.json."""
        return {
            "model": self.model,
            "fingerprint": self.fingerprint,
            "pair": self.pair,
            "query_tokens": list(self.query_tokens),
            "document_tokens": list(self.document_tokens),
            # More decimals than in other figures: the maxima of the rows must still add up to the score.
            "matrix": [[round(value, 7) for value in row] for row in self.matrix],
        }

    @classmethod
    def from_line(cls, row: Mapping[str, Any]) -> Maxsim:
        """Read the JSON object that `line` returns; a malformed one raises one of `MALFORMED`."""
        return cls(
            str(row["model"]),
            str(row.get("pair", "")),
            tuple(map(str, row["query_tokens"])),
            tuple(map(str, row["document_tokens"])),
            tuple(tuple(map(float, line)) for line in row["matrix"]),
            str(row.get("fingerprint", "")),
        )


class Generator(Protocol):
    """Anything that completes a prompt: an LLM behind an endpoint, a local LLM, or a recording."""

    def generate(self, system: str, prompt: str) -> str: ...


class Encoder(Protocol):
    """A model that turns each text into a vector. The similarity of two texts is the dot product of their vectors."""

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one row per text. `role` is "query", "document" or "" for texts that are neither."""
        ...


class Ranker(Protocol):
    """A model that scores how well each document answers the query at the same position: higher is better."""

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray: ...


class Chooser(Protocol):
    """A model that chooses which of two documents answers a query better, asked in both orders of the documents.

    The result has one row per item: above 0 for the first document, below 0 for the second, NaN for an answer that
    could not be read. In column 0 the first document was shown first, in column 1 second.
    """

    def choose(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray: ...
