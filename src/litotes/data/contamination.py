"""Measure how much of a benchmark occurs in training data, as the HedgeTriple paper does: exact matches and n-grams.

An exact match is a text of a sample that occurs word for word in a training text, or the reverse. Texts of fewer than
five words are ignored. The n-gram overlap is the share of samples with n consecutive words that the training data also
has. The benchmarks are indexed and the training data is streamed, so its size costs time but no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from statistics import fmean
from typing import Any

from litotes.data.normalised_text import MIN_WORDS, is_long, normalise
from litotes.data.overlap import AROUND, EQUAL, INSIDE, OverlapIndex
from litotes.data.samples import Sample, read_samples
from litotes.errors import InputError

NGRAM = 8
BATCH = 4096
WORST = 5
STRENGTH = ("", AROUND, INSIDE, EQUAL)
"""The relations of a match, from weak to strong."""


@dataclass(frozen=True, slots=True)
class TextOverlap:
    """How much of one text of a sample the training data has."""

    against: str
    sample: int
    """Its number in the file, from 1; ids can be missing or repeated."""
    id: str
    field: str
    ngrams: int = 1
    found: int = 0
    """The number of n-grams in the training data. A text of fewer than n words counts as one n-gram."""
    exact: str = ""
    """Whether it is "equal" to a training text, "inside" one or "around" one; "" if there is no exact match."""
    source: str = ""
    """The first training text with this relation: file, line and field."""
    common: str = ""
    """The longest run of words whose n-grams are all in the training data."""

    @property
    def share(self) -> float:
        """The share of its n-grams that the training data has."""
        return self.found / self.ngrams

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes contamination --out` writes."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Contamination:
    """The overlap of every text of every sample with the training data."""

    rows: tuple[TextOverlap, ...]
    ngram: int
    texts: int
    """The number of training texts with at least five words."""
    short: dict[str, int]
    """The number of samples per file that were ignored because they have no text of five words."""

    def files(self) -> list[dict[str, Any]]:
        """Return the figures of each benchmark file."""
        return [
            {"against": name, "ngram": self.ngram, "texts": self.texts, "short": short}
            | _figures([row for row in self.rows if row.against == name])
            for name, short in self.short.items()
        ]


def measure_contamination(
    data: Sequence[str],
    against: Sequence[str],
    *,
    ngram: int = NGRAM,
    fields: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Contamination:
    """Search the training texts of `data` for the samples of the files `against`, or for the given fields of them.

    Both are names as for `read_samples`: files, folders, - or shipped sets. `progress` is called with the number of
    training texts that have been searched.
    """
    if ngram < 1:
        raise InputError(f"the n-gram length is {ngram}; expected 1 or more words")
    streams = [read_samples(name) for name in data]
    rows, texts, short = _benchmark_texts(against, fields)
    index = OverlapIndex(texts, ngram=ngram)
    searched = 0
    for batch in _batches(chain.from_iterable(streams)):
        for match in index.add([text for _, text in batch]):
            row = rows[match.indexed]
            if STRENGTH.index(match.relation) > STRENGTH.index(row.exact):
                rows[match.indexed] = replace(row, exact=match.relation, source=batch[match.streamed][0])
        searched += len(batch)
        if progress is not None:
            progress(searched)
    if not searched:
        raise InputError(f"{', '.join(data)}: no text of {MIN_WORDS} words or more; expected at least one to search")
    overlaps = [
        _with_counts(row, number, index, *counts)
        for number, (row, counts) in enumerate(zip(rows, index.ngram_counts(), strict=True))
    ]
    return Contamination(tuple(overlaps), ngram, searched, short)


def _benchmark_texts(
    against: Sequence[str], fields: Sequence[str]
) -> tuple[list[TextOverlap], list[str], dict[str, int]]:
    """Return the texts of the benchmarks, their normalised form, and how many samples per file are too short."""
    rows: list[TextOverlap] = []
    texts: list[str] = []
    short: dict[str, int] = {}
    for name in dict.fromkeys(against):
        before = len(rows)
        known_fields: set[str] = set()
        short[name] = 0
        for number, sample in enumerate(read_samples(name), start=1):
            known_fields |= {field for field, _ in sample.texts}
            wanted = [(field, text) for field, text in sample.texts if not fields or field in fields]
            long = [(field, words) for field, text in wanted if is_long(words := normalise(text))]
            rows += [TextOverlap(name, number, sample.id, field) for field, _ in long]
            texts += [words for _, words in long]
            short[name] += not long
        if len(rows) == before:
            searched = f" in {', '.join(fields)}" if fields else ""
            known = ", ".join(sorted(known_fields)) or "none"
            raise InputError(f"{name}: no text of {MIN_WORDS} words or more{searched}; its fields: {known}")
    return rows, texts, short


def _batches(stream: Iterable[Sample]) -> Iterator[list[tuple[str, str]]]:
    """Yield the training texts with their places in batches, without repeats: triples repeat their anchor."""
    batch: dict[str, str] = {}
    for sample in stream:
        for field, text in sample.texts:
            words = normalise(text)
            if is_long(words):
                batch.setdefault(words, f"{sample.where}, {field}")
        if len(batch) >= BATCH:
            yield [(where, words) for words, where in batch.items()]
            batch = {}
    if batch:
        yield [(where, words) for words, where in batch.items()]


def _with_counts(row: TextOverlap, number: int, index: OverlapIndex, found: int, ngrams: int) -> TextOverlap:
    if not ngrams:
        return replace(row, found=int(row.exact in {EQUAL, INSIDE}))
    return replace(row, ngrams=ngrams, found=found, common=index.longest_shared_run(number) if found else "")


def _figures(rows: Sequence[TextOverlap]) -> dict[str, Any]:
    """Return the figures of one file: over its samples, over each field, and the texts with the most overlap."""
    by_sample: dict[int, list[TextOverlap]] = {}
    by_field: dict[str, list[TextOverlap]] = {}
    for row in rows:
        by_sample.setdefault(row.sample, []).append(row)
        by_field.setdefault(row.field, []).append(row)
    overlapping = [row for row in rows if row.exact or row.found]
    worst = sorted(overlapping, key=lambda row: (-STRENGTH.index(row.exact), -row.share, row.sample))[:WORST]
    return {
        "samples": len(by_sample),
        **_shares(list(by_sample.values())),
        "fields": {
            name: {"texts": len(texts), **_shares([[row] for row in texts])} for name, texts in by_field.items()
        },
        "worst": [_example(row) for row in worst],
    }


def _example(row: TextOverlap) -> dict[str, Any]:
    return {
        "id": row.id,
        "field": row.field,
        "share": _rounded(row.share),
        "exact": row.exact,
        "source": row.source,
        "common": row.common,
    }


def _shares(groups: Sequence[Sequence[TextOverlap]]) -> dict[str, Any]:
    """Return how many groups have an exact match or a common n-gram, and the mean share of n-grams in common."""
    exact = sum(any(row.exact for row in group) for group in groups)
    overlapping = sum(any(row.found for row in group) for group in groups)
    mean = fmean(sum(row.found for row in group) / sum(row.ngrams for row in group) for group in groups)
    return {
        "exact": exact,
        "exact_share": _rounded(exact / len(groups)),
        "overlapping": overlapping,
        "overlap_share": _rounded(overlapping / len(groups)),
        "mean_share": _rounded(mean),
    }


def _rounded(share: float) -> float:
    return round(share, 4)
