"""Does training data hold what a benchmark asks? As the HedgeTriple paper counts it: exact matches, and n-grams.

Exact: a text of a sample that stands, word for word, in a training text, or the reverse; from five words on. N-grams:
the share of samples with a run of n words that the training data has too. The benchmarks are indexed and the training
data streams by, so its size costs time and no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from statistics import fmean
from typing import Any

from litotes.data.overlap import AROUND, EQUAL, INSIDE, Index
from litotes.data.samples import Sample, samples
from litotes.data.words import FEWEST, is_long, normal
from litotes.errors import InputError

NGRAM = 8
BATCH = 4096
WORST = 5
STRENGTH = ("", AROUND, INSIDE, EQUAL)


@dataclass(frozen=True, slots=True)
class Row:
    """One text of one sample: what of it the training data has."""

    against: str
    sample: int
    """its place in the file, from 1: ids may be missing, or come twice"""
    id: str
    field: str
    ngrams: int = 1
    found: int = 0
    """a text of fewer than n words is one n-gram, found where a training text holds it"""
    exact: str = ""
    """equal to a training text, inside one, or around one"""
    source: str = ""
    """the first training text that is so: file, line, field"""
    common: str = ""
    """the longest run of words whose n-grams the training data has"""

    @property
    def share(self) -> float:
        return self.found / self.ngrams

    def line(self) -> dict[str, Any]:
        """One JSON object, for people who look into it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Contamination:
    """Every text of every sample, and what was looked through."""

    rows: tuple[Row, ...]
    ngram: int
    texts: int
    """of the training data, with five words or more"""
    short: dict[str, int]
    """file → its samples without a text of five words, which are left out"""

    def files(self) -> list[dict[str, Any]]:
        """The figures of each file, folded from its rows."""
        return [
            {"against": name, "ngram": self.ngram, "texts": self.texts, "short": short}
            | _figures([row for row in self.rows if row.against == name])
            for name, short in self.short.items()
        ]


def contamination(
    data: Sequence[str],
    against: Sequence[str],
    *,
    ngram: int = NGRAM,
    fields: Sequence[str] = (),
    watch: Callable[[int], None] | None = None,
) -> Contamination:
    """Look for the samples of the files `against` in the texts of `data`; with `fields`, for those of their texts only.

    Both are files, folders, - or shipped sets (`samples`); `watch` hears how many training texts are done.
    """
    if ngram < 1:
        raise InputError(f"an n-gram of {ngram} words: expected 1 or more")
    streams = [samples(name) for name in data]
    rows, texts, short = _asked(against, fields)
    index = Index(texts, ngram=ngram)
    done = 0
    for batch in _batches(chain.from_iterable(streams)):
        for match in index.add([text for _, text in batch]):
            row = rows[match.indexed]
            if STRENGTH.index(match.how) > STRENGTH.index(row.exact):
                rows[match.indexed] = replace(row, exact=match.how, source=batch[match.streamed][0])
        done += len(batch)
        if watch is not None:
            watch(done)
    if not done:
        raise InputError(f"{', '.join(data)}: no text of {FEWEST} words or more, so there is nothing to look through")
    counted = (
        _counted(row, at, index, *share) for at, (row, share) in enumerate(zip(rows, index.shares(), strict=True))
    )
    return Contamination(tuple(counted), ngram, done, short)


def _asked(against: Sequence[str], fields: Sequence[str]) -> tuple[list[Row], list[str], dict[str, int]]:
    """The benchmarks' texts, in normal form, and how many samples have none long enough."""
    rows: list[Row] = []
    texts: list[str] = []
    short: dict[str, int] = {}
    for name in dict.fromkeys(against):
        before = len(rows)
        there: set[str] = set()
        short[name] = 0
        for number, sample in enumerate(samples(name), start=1):
            there |= {field for field, _ in sample.texts}
            wanted = [(field, text) for field, text in sample.texts if not fields or field in fields]
            long = [(field, words) for field, text in wanted if is_long(words := normal(text))]
            rows += [Row(name, number, sample.id, field) for field, _ in long]
            texts += [words for _, words in long]
            short[name] += not long
        if len(rows) == before:
            which = f" in {', '.join(fields)}" if fields else ""
            raise InputError(
                f"{name}: no text of {FEWEST} words or more{which}; its fields: {', '.join(sorted(there)) or 'none'}"
            )
    return rows, texts, short


def _batches(stream: Iterable[Sample]) -> Iterator[list[tuple[str, str]]]:
    """The training texts with their places, some thousands at a time, each once: triples repeat their anchor."""
    batch: dict[str, str] = {}
    for sample in stream:
        for field, text in sample.texts:
            words = normal(text)
            if is_long(words):
                batch.setdefault(words, f"{sample.where}, {field}")
        if len(batch) >= BATCH:
            yield [(where, words) for words, where in batch.items()]
            batch = {}
    if batch:
        yield [(where, words) for words, where in batch.items()]


def _counted(row: Row, at: int, index: Index, found: int, ngrams: int) -> Row:
    if not ngrams:
        return replace(row, found=int(row.exact in {EQUAL, INSIDE}))
    return replace(row, ngrams=ngrams, found=found, common=index.common(at) if found else "")


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Of one file: over its samples, over each of its fields, and the texts that are worst."""
    by_sample: dict[int, list[Row]] = {}
    by_field: dict[str, list[Row]] = {}
    for row in rows:
        by_sample.setdefault(row.sample, []).append(row)
        by_field.setdefault(row.field, []).append(row)
    touched = [row for row in rows if row.exact or row.found]
    worst = sorted(touched, key=lambda row: (-STRENGTH.index(row.exact), -row.share, row.sample))[:WORST]
    return {
        "samples": len(by_sample),
        **_shares(list(by_sample.values())),
        "fields": {
            name: {"texts": len(those), **_shares([[row] for row in those])} for name, those in by_field.items()
        },
        "worst": [_example(row) for row in worst],
    }


def _example(row: Row) -> dict[str, Any]:
    found = {"id": row.id, "field": row.field, "share": _rounded(row.share), "exact": row.exact, "source": row.source}
    return found | {"common": row.common}


def _shares(groups: Sequence[Sequence[Row]]) -> dict[str, Any]:
    """How many groups have an exact match, how many a common n-gram, and which share of its n-grams, in the mean."""
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
