"""Files of triples, contrasts and quadruples → queries with what answers them and what only seems to.

Sets are mixed by shares.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.data.contrasts import contrasts
from litotes.data.lines import json_objects
from litotes.data.quadruples import quadruples
from litotes.data.triples import triples
from litotes.errors import InputError


@dataclass(frozen=True, slots=True)
class Example:
    """A query, the text that belongs to it, and texts close to it that do not. Without negatives: a replayed pair."""

    query: str
    positive: str
    negatives: tuple[str, ...] = ()
    kind: str = ""
    """of the positive, where its file says"""
    negative_kind: str = ""
    """of the negation that sets the negative apart, where its file says"""
    score: float | None = None
    """how much of the query the positive keeps, from 0 to 1: of a scored pair, which only a metric learns from"""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file gave, what was left out and why, and which file it was."""

    examples: tuple[Example, ...]
    dropped: Counter[str] = field(default_factory=Counter)
    file: str = ""
    sha256: str = ""

    def line(self) -> dict[str, Any]:
        """Its line in a run's data manifest."""
        kept = len(self.examples)
        return {"file": self.file, "sha256": self.sha256, "kept": kept, "dropped": dict(sorted(self.dropped.items()))}


def read_examples(path: Path | str, *, positive_kinds: Iterable[str] = (), both_ways: bool = False) -> Reading:
    """The examples of a file of triples, contrasts, quadruples or pairs, as JSON lines, plain or gzipped.

    A triple gives one example, and with `both_ways` also one that asks from the positive; a contrast gives one for each
    query; a quadruple one for each text, with both opposites as negatives. Pairs are lines of a query and a positive,
    as replay wants them, or labelled ones as litotes synth makes them: each text that says the same as the premise is a
    positive, with the texts that deny it; or scored ones (reference, candidate, score), for a metric. A malformed line
    is an InputError with its number.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(
            f"there is no file {str(path)!r}; expected JSON lines of triples, contrasts, quadruples or pairs"
        )
    kinds = frozenset(positive_kinds)
    kept, dropped = [], Counter[str]()
    for example in _examples(_lines(file), str(path), both_ways):
        reason = _fault(example, kinds)
        if reason:
            dropped[reason] += 1
        else:
            kept.append(example)
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    return Reading(tuple(kept), dropped, file.name, found)


def mix(
    sets: Sequence[Sequence[Example]], shares: Sequence[float], *, size: int | None = None, seed: int = 0
) -> list[Example]:
    """Examples of several sets in the given shares, each at most once, shuffled.

    Without a size, as many as the shares allow before a set runs dry; with a size that a set cannot serve, InputError.
    """
    if len(sets) != len(shares) or not sets:
        raise InputError(
            f"{len(sets)} sets and {len(shares)} shares; expected one share for each set, and one at least"
        )
    total = sum(shares)
    if total <= 0 or min(shares) < 0:
        raise InputError(f"the shares are {list(shares)}; expected numbers of 0 or more, not all of them 0")
    parts = [share / total for share in shares]
    most = int(min(len(found) / part for found, part in zip(sets, parts, strict=True) if part))
    if size is not None and size > most:
        raise InputError(f"{size} examples in these shares are more than the sets hold; expected {most} at most")
    wanted = most if size is None else size
    draw = random.Random(seed)
    mixed: list[Example] = []
    for found, part in zip(sets, parts, strict=True):
        mixed += draw.sample(list(found), min(len(found), round(wanted * part)))
    draw.shuffle(mixed)
    return mixed


def digest(examples: Iterable[Example]) -> str:
    """One hash over examples in their order."""
    found = hashlib.sha256()
    for example in examples:
        line: list[Any] = [example.query, example.positive, *example.negatives]
        line += [] if example.score is None else [example.score]
        found.update(json.dumps(line).encode() + b"\n")
    return found.hexdigest()


def _lines(file: Path) -> Iterator[str]:
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8-sig") as stream:
        try:
            yield from stream
        except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
            raise InputError(f"{file} cannot be read ({error}); expected JSON lines in UTF-8") from error


def _examples(lines: Iterator[str], name: str, both_ways: bool) -> Iterator[Example]:
    """By the shape of the first line, which is the shape of the file."""
    start: list[str] = []
    for line in lines:
        start.append(line)
        if line.strip():
            break
    shape = next((set(row) for _, _, row in json_objects(start, name)), set())
    everything = chain(start, lines)
    if "anchor" in shape:
        for triple in triples(everything, name):
            kinds = triple.positive_kind, triple.negative_kind
            yield Example(triple.anchor, triple.positive, (triple.negative,), *kinds)
            if both_ways:
                yield Example(triple.positive, triple.anchor, (triple.negative,), *kinds)
    elif "doc1" in shape or "negative" in shape:
        for contrast in contrasts(everything, name):
            yield Example(contrast.q1, contrast.doc1, (contrast.doc2,), negative_kind=contrast.kind)
            if contrast.q2 is not None:
                yield Example(contrast.q2, contrast.doc2, (contrast.doc1,), negative_kind=contrast.kind)
    elif {"a1", "a2", "b1", "b2"} <= shape:
        for one in quadruples(everything, name):
            for (text, same, trap), (_, _, other) in zip(one.traps, one.others, strict=True):
                yield Example(text, same, (trap, other), "equivalent", one.mechanism)
    elif {"premise", "hypothesis", "label"} <= shape:
        yield from _labelled(everything, name)
    elif "reference" in shape:
        yield from _scored(everything, name)
    elif {"text", "claims"} <= shape or "texts" in shape:
        yield from _ordinary(everything, name)
    else:
        yield from _pairs(everything, name)


def _pairs(lines: Iterable[str], name: str) -> Iterator[Example]:
    for where, _, row in json_objects(lines, name):
        texts = row.get("query"), row.get("positive")
        negatives = row.get("negatives", [])
        if not all(isinstance(text, str) for text in texts):
            raise InputError(
                f"{where}: expected a triple (anchor, positive, negative), a contrast (q1, q2, doc1, doc2), "
                f"a quadruple (a1, a2, b1, b2), a pair (query, positive), or one with reference, candidate and score; "
                f"got {', '.join(row) or 'nothing'}"
            )
        if not isinstance(negatives, list) or not all(isinstance(text, str) for text in negatives):
            raise InputError(f"{where}: negatives are no list of texts")
        yield Example(row["query"], row["positive"], tuple(negatives))


def _scored(lines: Iterable[str], name: str) -> Iterator[Example]:
    """A reference with a candidate and what that is worth, or with several such; the source is the kind."""
    for where, _, row in json_objects(lines, name):
        several = row.get("candidates", [[row.get("candidate"), row.get("score")]])
        if not isinstance(several, list) or not all(isinstance(one, list) and len(one) == 2 for one in several):
            raise InputError(f"{where}: expected candidates as a list of a text and a score each")
        for candidate, score in several:
            if not isinstance(row.get("reference"), str) or not isinstance(candidate, str):
                raise InputError(f"{where}: expected the texts reference and candidate")
            if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
                raise InputError(f"{where}: the score is {score!r}; expected a number from 0 to 1")
            yield Example(row["reference"], candidate, kind=str(row.get("source") or ""), score=float(score))


def _ordinary(lines: Iterable[str], name: str) -> Iterator[Example]:
    """A text with claims it bears out, each of which asks for it; or texts that wish for one thing, two and two."""
    for where, _, row in json_objects(lines, name):
        texts, claims = row.get("texts", [row.get("text")]), row.get("claims", [])
        if not isinstance(texts, list) or not isinstance(claims, list) or not texts:
            raise InputError(f"{where}: expected texts and claims as lists, with one text at least")
        if not all(isinstance(text, str) for text in (*texts, *claims)):
            raise InputError(f"{where}: a text or a claim is no text")
        yield from (Example(claim, texts[0]) for claim in claims)
        if "texts" in row:
            half = len(texts) // 2
            yield from (Example(text, texts[(at + half) % len(texts)]) for at, text in enumerate(texts))


def _labelled(lines: Iterable[str], name: str) -> Iterator[Example]:
    """The labelled pairs of each premise put together; a premise that nothing agrees with has no positive."""
    same: dict[str, dict[str, str]] = {}
    denied: dict[str, dict[str, str]] = {}
    for where, _, row in json_objects(lines, name):
        premise, hypothesis, label = row.get("premise"), row.get("hypothesis"), row.get("label")
        if not isinstance(premise, str) or not isinstance(hypothesis, str) or label not in (0, 1):
            raise InputError(f"{where}: expected the texts premise and hypothesis, and a label of 0 or 1")
        for found in (same, denied):
            found.setdefault(premise, {})
        (same if label else denied)[premise].setdefault(hypothesis, str(row.get("kind") or ""))
    for premise, positives in same.items():
        negatives = denied[premise]
        kinds = set(negatives.values())
        negative_kind = kinds.pop() if len(kinds) == 1 else ""
        for positive, kind in (positives or {"": ""}).items():
            yield Example(premise, positive, tuple(negatives), kind, negative_kind)


def _fault(example: Example, kinds: frozenset[str]) -> str:
    """Why an example teaches nothing; "" where it does."""
    texts = [text.strip() for text in (example.query, example.positive, *example.negatives)]
    query, positive, *negatives = texts
    if query and not positive:
        return "no positive"
    if not all(texts):
        return "an empty text"
    if kinds and example.kind not in kinds:
        return f"positive of kind {example.kind or 'unknown'}"
    if positive in negatives:
        return "the positive is a negative too"
    if query in negatives:
        return "the query is its own negative"
    if query == positive and example.score is None:
        return "the query is its own positive"
    return ""
