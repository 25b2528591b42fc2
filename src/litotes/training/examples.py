"""Training examples: reading them from files of triples, contrasts, quadruples or pairs, and mixing sets of them."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from litotes.data.contrast_files import parse_contrasts
from litotes.data.lines import json_objects
from litotes.data.quadruples import parse_quadruples
from litotes.data.triple_files import parse_triples
from litotes.errors import InputError

SAME = "same"
"""The label of a pair of messages that deserve the same answer."""
DIFFERENT = "different"
"""The label of a pair that deserves different answers, if it is not known what the difference is."""
LABEL_OF_KIND = {
    **dict.fromkeys(("negation", "antonym", "particle", "verb"), "opposite"),
    **{name: name for name in ("direction", "name", "scope", "modality", "topic")},
    "quantity": "number",
    DIFFERENT: DIFFERENT,
}
"""The label of a pair of messages, by what is different."""


@dataclass(frozen=True, slots=True)
class Example:
    """A query, the text that answers it, and similar texts that do not; a pair for replay has no negatives."""

    query: str
    positive: str
    negatives: tuple[str, ...] = ()
    kind: str = ""
    """The kind of the positive, if the file has it."""
    negative_kind: str = ""
    """The kind of the negation in the negative, if the file has it."""
    score: float | None = None
    """How much of the query the positive keeps, from 0 to 1; only scored pairs, for a metric, have it."""
    label: str = ""
    """Whether the query and the positive deserve the same answer, or why not; only labelled messages have it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The examples of a file, the reasons why others were dropped, and the file's name and hash."""

    examples: tuple[Example, ...]
    dropped: Counter[str] = field(default_factory=Counter)
    file: str = ""
    sha256: str = ""

    def line(self) -> dict[str, Any]:
        """Return the line of the file in a run's manifest."""
        dropped = dict(sorted(self.dropped.items()))
        return {"file": self.file, "sha256": self.sha256, "kept": len(self.examples), "dropped": dropped}


def read_examples(path: Path | str) -> Reading:
    """Read the examples of a file of triples, contrasts, quadruples or pairs, as JSON lines, plain or gzipped.

    A triple gives one example, a contrast one per query, a quadruple one per text with both opposites as negatives.
    Pairs have a query and a positive, for replay; or a premise, a hypothesis and a label, as litotes synth makes them:
    each text that means the same as the premise is a positive, and the texts that deny it are the negatives; or a
    reference, a candidate and a score, for a metric. A message with others that deserve the same answer (same) and
    others that do not (different) gives labelled pairs. A malformed line is an InputError with its number.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(
            f"there is no file {str(path)!r}; expected JSON lines of triples, contrasts, quadruples or pairs"
        )
    examples, dropped = [], Counter[str]()
    for example in _examples(_lines(file), str(path)):
        reason = _reason_to_drop(example)
        if reason:
            dropped[reason] += 1
        else:
            examples.append(example)
    with file.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return Reading(tuple(examples), dropped, file.name, sha256)


def mix(
    sets: Sequence[Sequence[Example]], shares: Sequence[float], *, size: int | None = None, seed: int = 0
) -> list[Example]:
    """Mix the examples of several sets in the given shares; shuffle them and use each at most once.

    Without a size, there are as many as the shares allow. A size that a set is too small for is an InputError.
    """
    if len(sets) != len(shares) or not sets:
        raise InputError(f"{len(sets)} sets and {len(shares)} shares; expected at least one set, and one share per set")
    total = sum(shares)
    if total <= 0 or min(shares) < 0:
        raise InputError(f"the shares are {list(shares)}; expected numbers of at least 0, not all of them 0")
    parts = [share / total for share in shares]
    most = int(min(len(examples) / part for examples, part in zip(sets, parts, strict=True) if part))
    if size is not None and size > most:
        raise InputError(f"the sets are too small for {size} examples in these shares; expected at most {most}")
    total_size = most if size is None else size
    draw = random.Random(seed)
    mixed: list[Example] = []
    for examples, part in zip(sets, parts, strict=True):
        mixed += draw.sample(list(examples), min(len(examples), round(total_size * part)))
    draw.shuffle(mixed)
    return mixed


def digest(examples: Iterable[Example]) -> str:
    """Return a hash of examples in their order."""
    sha256 = hashlib.sha256()
    for example in examples:
        line: list[Any] = [example.query, example.positive, *example.negatives]
        line += [] if example.score is None else [example.score]
        line += [example.label] if example.label else []
        sha256.update(json.dumps(line).encode() + b"\n")
    return sha256.hexdigest()


def _lines(file: Path) -> Iterator[str]:
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8-sig") as stream:
        try:
            yield from stream
        except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
            raise InputError(f"{file} cannot be read ({error}); expected JSON lines in UTF-8") from error


def _examples(lines: Iterator[str], name: str) -> Iterator[Example]:
    """Yield the examples; the keys of the first line decide what kind of file it is."""
    start: list[str] = []
    for line in lines:
        start.append(line)
        if line.strip():
            break
    keys = next((set(row) for _, _, row in json_objects(start, name)), set())
    all_lines = chain(start, lines)
    if "anchor" in keys:
        for triple in parse_triples(all_lines, name):
            kinds = triple.positive_kind, triple.negative_kind
            yield Example(triple.anchor, triple.positive, (triple.negative,), *kinds)
    elif "doc1" in keys or "negative" in keys:
        for contrast in parse_contrasts(all_lines, name):
            yield Example(contrast.q1, contrast.doc1, (contrast.doc2,), negative_kind=contrast.kind)
            if contrast.q2 is not None:
                yield Example(contrast.q2, contrast.doc2, (contrast.doc1,), negative_kind=contrast.kind)
    elif {"a1", "a2", "b1", "b2"} <= keys:
        for quadruple in parse_quadruples(all_lines, name):
            for (text, same, trap), (_, _, other) in zip(quadruple.traps, quadruple.others, strict=True):
                yield Example(text, same, (trap, other), "equivalent", quadruple.mechanism)
    elif {"premise", "hypothesis", "label"} <= keys:
        yield from _labelled(all_lines, name)
    elif "reference" in keys:
        yield from _scored(all_lines, name)
    elif {"text", "same", "different"} <= keys:
        yield from _messages(all_lines, name)
    elif {"text", "claims"} <= keys or "texts" in keys:
        yield from _ordinary(all_lines, name)
    else:
        yield from _pairs(all_lines, name)


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
            raise InputError(f"{where}: negatives is not a list of texts")
        yield Example(row["query"], row["positive"], tuple(negatives))


def _scored(lines: Iterable[str], name: str) -> Iterator[Example]:
    """Yield each candidate of a reference with its score; the source of the line is the kind."""
    for where, _, row in json_objects(lines, name):
        candidates = row.get("candidates", [[row.get("candidate"), row.get("score")]])
        is_list = isinstance(candidates, list)
        if not is_list or not all(isinstance(pair, list) and len(pair) == 2 for pair in candidates):
            raise InputError(f"{where}: expected candidates as a list of pairs of a text and a score")
        for candidate, score in candidates:
            if not isinstance(row.get("reference"), str) or not isinstance(candidate, str):
                raise InputError(f"{where}: expected the texts reference and candidate")
            if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
                raise InputError(f"{where}: the score is {score!r}; expected a number from 0 to 1")
            yield Example(row["reference"], candidate, kind=str(row.get("source") or ""), score=float(score))


def _ordinary(lines: Iterable[str], name: str) -> Iterator[Example]:
    """Yield each claim as a query for the text that supports it; or pairs of texts with the same intent."""
    for where, _, row in json_objects(lines, name):
        texts, claims = row.get("texts", [row.get("text")]), row.get("claims", [])
        if not isinstance(texts, list) or not isinstance(claims, list) or not texts:
            raise InputError(f"{where}: expected texts and claims as lists, with at least one text")
        if not all(isinstance(text, str) for text in (*texts, *claims)):
            raise InputError(f"{where}: a text or a claim is not a string")
        yield from (Example(claim, texts[0]) for claim in claims)
        if "texts" in row:
            half = len(texts) // 2
            yield from (Example(text, texts[(index + half) % len(texts)]) for index, text in enumerate(texts))


def _messages(lines: Iterable[str], name: str) -> Iterator[Example]:
    """Yield labelled pairs of messages.

    Messages that deserve the same answer as the first one are paired with it and with their neighbours in the list;
    those that deserve another answer are paired with the first one and with one of its equivalents.
    """
    for where, _, row in json_objects(lines, name):
        text, same, different = row.get("text"), row.get("same"), row.get("different")
        if not isinstance(same, list) or not isinstance(different, list) or not same:
            raise InputError(f"{where}: expected same and different as lists, with at least one message in same")
        others = [(one.get("text"), one.get("kind")) if isinstance(one, dict) else (None, "") for one in different]
        if not all(isinstance(one, str) for one in (text, *same, *(other for other, _ in others))):
            raise InputError(f"{where}: expected a text, texts in same, and a text and a kind in each of different")
        alike = [str(text), *map(str, same)]
        yield from (Example(alike[0], other, label=SAME) for other in alike[1:])
        yield from (Example(one, other, label=SAME) for one, other in pairwise(alike[1:]))
        for number, (other, kind) in enumerate(others):
            if str(kind) not in LABEL_OF_KIND:
                raise InputError(f"{where}: the kind is {kind!r}; expected one of {', '.join(LABEL_OF_KIND)}")
            for one in (alike[0], alike[1 + number % len(same)]):
                yield Example(one, str(other), label=LABEL_OF_KIND[str(kind)])


def _labelled(lines: Iterable[str], name: str) -> Iterator[Example]:
    """Yield examples from the labelled pairs of each premise; one without an equivalent has an empty positive."""
    same: dict[str, dict[str, str]] = {}
    denied: dict[str, dict[str, str]] = {}
    for where, _, row in json_objects(lines, name):
        premise, hypothesis, label = row.get("premise"), row.get("hypothesis"), row.get("label")
        if not isinstance(premise, str) or not isinstance(hypothesis, str) or label not in (0, 1):
            raise InputError(f"{where}: expected the texts premise and hypothesis, and a label of 0 or 1")
        for texts in (same, denied):
            texts.setdefault(premise, {})
        (same if label else denied)[premise].setdefault(hypothesis, str(row.get("kind") or ""))
    for premise, positives in same.items():
        negatives = denied[premise]
        kinds = set(negatives.values())
        negative_kind = kinds.pop() if len(kinds) == 1 else ""
        for positive, kind in (positives or {"": ""}).items():
            yield Example(premise, positive, tuple(negatives), kind, negative_kind)


def _reason_to_drop(example: Example) -> str:
    """Return why nothing can be learned from an example; "" if something can."""
    texts = [text.strip() for text in (example.query, example.positive, *example.negatives)]
    query, positive, *negatives = texts
    if query and not positive:
        return "no positive"
    if not all(texts):
        return "an empty text"
    if positive in negatives:
        return "the positive is a negative too"
    if query in negatives:
        return "the query is its own negative"
    if query == positive and example.score is None:
        return "the query is its own positive"
    return ""
