"""Make the training pairs of litotes-score: python -m scripts.metric_data --data DIR --made MADE --out FILE.jsonl.gz

DIR has anchors/, stsb/ and cannot_wmt/. MADE is the output of rerank_data.py. Each line of the file has a reference, a
candidate, a score for how much of the reference the candidate keeps, and the source of the pair. Of CANNOT-WMT, only
the WMT rows that `cannot_wmt.held_out` does not reserve are read. It takes about three minutes on one core.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from litotes.data.benchmarks import cannot_wmt, stsb
from litotes.data.lines import text_lines
from litotes.data.written import written_file
from litotes.detection.sentences import changed_sentence, split_sentences
from litotes.errors import LitotesError
from litotes.files import replacing
from litotes.models import load
from litotes.parse import Document, load_parser
from litotes.rewrite import rewrite_texts, task
from litotes.synthesis.by_rule.perturbations import Perturbation, ReplacementPool, collect_replacements, perturbations
from litotes.training.examples import read_examples
from scripts.mini_data import lines_of

SAME, SAME_OTHERWISE, ENTAILED, HEDGED, ONE_IN_MANY, OPPOSITE = 1.0, 0.97, 0.7, 0.75, 0.3, 0.02
LABELS = {
    "same": 0.95,
    "opposite": OPPOSITE,
    "direction": 0.05,
    "number": 0.15,
    "name": 0.15,
    "scope": 0.25,
    "modality": 0.25,
    "topic": OPPOSITE,
}
"""The score of two messages by their label. Messages of another scope or modality ask for something else."""
QUALITIES = {"name replaced": 0.15, "number replaced": 0.15, "noun replaced": 0.2, "gender": 0.4}
"""Where the quality of a perturbation is too high: a text with another number or name says something else."""
SKIPPED = ("opposite order", "roles swapped")
"""Perturbations that often give nonsense instead of another meaning: "belongs from the girl", "hands shook the men"."""
FACTS = ("name replaced", "number replaced")
REWRITES = {
    ("negate", "verbal"): ("negations", OPPOSITE),
    ("negate", "absolute"): ("negations", OPPOSITE),
    ("negate", "lexical"): ("negations", OPPOSITE),
    ("negate", "affixal"): ("negations", OPPOSITE),
    ("hedge", "word"): ("hedges", HEDGED),
    ("paraphrase", "any"): ("paraphrases", SAME_OTHERWISE),
}
"""The rewrites of an anchor by rule, with their source and score."""
NEGATIONS = [task(*names) for names, (source, _) in REWRITES.items() if source == "negations"]
RESTATED, FALSE = 0.92, 0.12
"""A graded candidate with at least the first score is a restatement, with at most the second it is false."""
CROSSED = 5
"""The most pairs of graded candidates with each other, per reference."""
ANCHORS = {"wikisplit": 1_600, "ud_ewt": 1_000, "tatoeba": 700, "snli": 350, "coco": 350}
"""The number of sentences of each file that are perturbed and rewritten."""
GRADED_ANCHORS = 4_000
LONG = 8
"""The minimum number of words of a sentence that is perturbed."""
PERTURBED = 4
"""The most perturbations of an anchor, besides those of its numbers and names."""
IDENTICAL = 0.3
"""The share of the anchors and their negations that are paired with themselves."""
STSB = 0.7
"""The share of the pairs of STS-B that is used: its grades are about the topic, too."""
BASE = "dense:mpnet"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "April", "June", "July", "August", "September", "October", "November", "December")
"""Without March and May, which have other meanings."""
FIGURES = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}
FIGURES |= {"ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30"}
FIGURES |= {"forty": "40", "fifty": "50", "sixty": "60"}
LARGER = "hundred|thousand|million|billion"
"""Before one of these words or a hyphen, a number word is part of a longer number."""
LIKENESS = "likeness"
TABLES = Path(__file__).parent.parent / "tests" / "tables" / "metric"
"""Our own tables to measure with; none of their texts is trained on."""
SEED = 0
Item = TypeVar("Item")
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rated:
    """One line of the output file."""

    reference: str
    candidate: str
    score: float
    source: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """A sentence, and another wording of it with its score; a sentence of a file has only itself."""

    text: str
    restated: str
    score: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--made", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    try:
        write(options.out, all_pairs(options.data, options.made))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def all_pairs(data: Path, made: Path) -> Iterator[Rated]:
    """Yield every pair, source by source."""
    graded = list(lines_of(written_file("written:graded")))
    yield from of_graded(graded, "graded")
    yield from crossed(graded)
    translated = list(of_graded(lines_of(written_file("written:translations")), "translated"))
    yield from translated
    yield from likened(translated)
    yield from of_quadruples(lines_of(written_file("written:quadruples")))
    yield from of_passages(lines_of(written_file("written:contrasts")))
    yield from of_edits(lines_of(made / "edits.jsonl"))
    yield from of_messages(written_file("written:messages"), "messages")
    yield from of_messages(made / "exchanges.jsonl", "exchanges")
    yield from of_similarities(data / "stsb")
    anchors = [*sentences(data / "anchors"), *restated_anchors(graded)]
    yield from perturbed_anchors(anchors)
    yield from rewritten_anchors(anchors)
    yield from translations(data / "cannot_wmt")


def of_graded(lines: Iterable[Line], source: str) -> Iterator[Rated]:
    for line in lines:
        yield from (Rated(line["reference"], text, score, source) for text, score in line["candidates"])
        yield Rated(line["reference"], line["reference"], SAME, source)


def crossed(lines: Sequence[Line]) -> Iterator[Rated]:
    """Use graded candidates as references: restatements with false ones, in random order, and false ones as such.

    Otherwise the model would learn to recognise false texts by their wording.
    """
    for line in lines:
        restated = [(text, score) for text, score in line["candidates"] if score >= RESTATED]
        false = [(text, score) for text, score in line["candidates"] if score <= FALSE]
        rng = random.Random(line["reference"])
        found = [Rated(text, line["reference"], score, "crossed") for text, score in restated + false]
        found += [Rated(text, text, SAME, "crossed") for text, _ in false]
        for first, second in permutations(restated, 2):
            found.append(Rated(first[0], second[0], min(first[1], second[1]), "crossed"))
        for (same, _), (other, score) in product(restated, false):
            found.append(Rated(*shuffled((same, other), rng), score, "crossed"))
        yield from rng.sample(found, min(CROSSED, len(found)))


def of_quadruples(lines: Iterable[Line]) -> Iterator[Rated]:
    for line in lines:
        a1, a2, b1, b2 = (line[name] for name in ("a1", "a2", "b1", "b2"))
        for reference, candidate in ((a1, a2), (b1, b2), (b2, b1), (a2, a1)):
            yield Rated(reference, candidate, SAME_OTHERWISE, "quadruples")
        for reference, candidate in ((a1, b1), (a1, b2), (a2, b2), (b1, a2), (b2, a1), (b2, a2)):
            yield Rated(reference, candidate, OPPOSITE, "quadruples")


def of_passages(lines: Iterable[Line]) -> Iterator[Rated]:
    """Pair passages in which one sentence of several is negated, and that sentence with its negation."""
    for line in lines:
        yield Rated(line["doc1"], line["doc2"], ONE_IN_MANY, "passages")
        yield Rated(line["doc2"], line["doc2"], SAME, "passages")
        changed = changed_sentence(line["doc1"], line["doc2"])
        if changed is not None:
            left, right = changed
            for pair in ((left, right, OPPOSITE), (right, left, OPPOSITE), (left, left, SAME), (right, right, SAME)):
                yield Rated(*pair, "changed sentences")


def of_edits(lines: Iterable[Line]) -> Iterator[Rated]:
    """Pair premises with the texts that people wrote: entailed ones and contradicting ones."""
    for line in lines:
        yield Rated(line["anchor"], line["positive"], ENTAILED, "edits")
        yield Rated(line["anchor"], line["negative"], OPPOSITE, "edits")


def of_messages(file: Path, source: str) -> Iterator[Rated]:
    """Score labelled pairs of messages, in random order."""
    for example in read_examples(file).examples:
        pair = shuffled((example.query, example.positive), random.Random(example.positive))
        yield Rated(*pair, LABELS[example.label], source)


def of_similarities(folder: Path) -> Iterator[Rated]:
    """Score a share of the pairs of STS-B, without those that differ in their numbers: their grades are too high."""
    for row in stsb.load(folder, "train"):
        numbers = [set(re.findall(r"\d+", text.replace(",", ""))) for text in (row.first, row.second)]
        for pair in ((row.first, row.second), (row.second, row.first)):
            if numbers[0] == numbers[1] and random.Random("\t".join(pair)).random() < STSB:
                yield Rated(*pair, row.grade / 5, "stsb")


def sentences(folder: Path) -> Iterator[Anchor]:
    """Draw long sentences from each file of anchors."""
    for name, count in ANCHORS.items():
        lines = [line for line in map(str.strip, text_lines(folder / f"{name}.txt")) if is_long_sentence(line)]
        yield from (Anchor(text, text, 1.0) for text in drawn(lines, count))


def restated_anchors(lines: Sequence[Line]) -> Iterator[Anchor]:
    """Draw graded references, each with one of its restatements."""
    for line in drawn(lines, GRADED_ANCHORS):
        restated = [pair for pair in line["candidates"] if pair[1] >= RESTATED and is_long_sentence(pair[0])]
        if restated and is_long_sentence(line["reference"]):
            yield Anchor(line["reference"], *random.Random(line["reference"]).choice(restated))


def is_long_sentence(text: str) -> bool:
    return len(text.split()) >= LONG and len(split_sentences(text)) == 1


def perturbed_anchors(anchors: Sequence[Anchor]) -> Iterator[Rated]:
    """Pair each anchor with perturbations of its other wording: all those of numbers and names, and some others."""
    documents = parsed([anchor.restated for anchor in anchors])
    pool = collect_replacements(documents)
    for anchor, document in zip(anchors, documents, strict=True):
        found = list(perturbed(document, pool))
        facts = [one for one in found if one.kind in FACTS]
        others = [one for one in found if one.kind not in FACTS]
        for one in [*facts, *random.Random(anchor.text).sample(others, min(PERTURBED, len(others)))]:
            source = "values" if one.kind in FACTS else "perturbations"
            yield Rated(anchor.text, one.text, one.quality * anchor.score, source)
        for text, score in changed_values(anchor.restated):
            yield Rated(anchor.text, text, score * anchor.score, "values")


def changed_values(text: str) -> Iterator[tuple[str, float]]:
    """Yield the text with another weekday, month or number, with a number ten times as large, or with a figure.

    "The two ships left on Friday." → "… left on Monday.", "The seven ships …", and "The 2 ships …", which is the same.
    """
    rng = random.Random(text)
    for words in (WEEKDAYS, MONTHS, tuple(FIGURES)):
        found = re.search(rf"(?<!-)\b({'|'.join(words)})\b(?!-| (?:{LARGER}))", text)
        if found:
            other = rng.choice([word for word in words if word != found.group()])
            yield text[: found.start()] + other + text[found.end() :], LABELS["number"]
            if found.group() in FIGURES:
                yield text[: found.start()] + FIGURES[found.group()] + text[found.end() :], SAME_OTHERWISE
    number = re.search(r"(?<![\w.,:/-])\d+(?![.,:/-]?\w)", text)
    if number and len(number.group()) < 4:
        yield f"{text[: number.end()]}0{text[number.end() :]}", LABELS["number"]
    if number and len(number.group()) > 1:
        at = number.end() - rng.choice((1, 2))
        yield text[:at] + rng.choice(sorted(set("123456789") - {text[at]})) + text[at + 1 :], LABELS["number"]


def perturbed(document: Document, pool: ReplacementPool) -> Iterator[Perturbation]:
    """Yield perturbations with our qualities."""
    for one in perturbations(document, pool, seed=SEED):
        if one.kind not in SKIPPED:
            yield replace(one, quality=QUALITIES.get(one.kind, one.quality))


def rewritten_anchors(anchors: Sequence[Anchor]) -> Iterator[Rated]:
    """Pair each anchor and its other wording with rewrites by rule, in random order, and some texts with themselves."""
    tasks = [task(*names) for names in REWRITES]
    results = rewrite_texts([anchor.text for anchor in anchors], tasks)
    for anchor, made in zip(anchors, counted(results, len(anchors), "rewritten"), strict=True):
        rng = random.Random(anchor.text)
        for result, (source, score) in zip(made, REWRITES.values(), strict=True):
            if not result.rewrite:
                continue
            wordings = list(dict.fromkeys((anchor.text, anchor.restated)))
            for reference in wordings if source == "negations" else [rng.choice(wordings)]:
                yield Rated(*shuffled((reference, result.rewrite), rng), score, source)
            if source == "negations" and rng.random() < IDENTICAL:
                yield Rated(result.rewrite, result.rewrite, SAME, "identical")
        if rng.random() < IDENTICAL:
            yield Rated(anchor.text, anchor.text, SAME, "identical")


def translations(folder: Path) -> Iterator[Rated]:
    """Yield WMT's rows with people's scores as ranks from 0.3 to 1, and the same translations perturbed and negated."""
    rows = trained_on(folder)
    scores = by_rank([row.score for row in rows])
    rated = [Rated(row.reference, row.candidate, score, "wmt") for row, score in zip(rows, scores, strict=True)]
    alike = likened(rated)
    yield from (*rated, *alike)
    documents = parsed([row.candidate for row in rows])
    pool = collect_replacements(documents)
    negated = rewrite_texts([row.candidate for row in rows], NEGATIONS)
    for one, like, document, results in zip(rated, alike, documents, negated, strict=True):
        yield Rated(one.reference, one.reference, SAME, "wmt")
        for result in results:
            if result.rewrite:
                yield Rated(one.reference, result.rewrite, OPPOSITE, "wmt negated")
        for other in perturbed(document, pool):
            yield Rated(one.reference, other.text, other.quality * (one.score + like.score) / 2, "wmt perturbed")


def likened(pairs: Sequence[Rated]) -> list[Rated]:
    """Return pairs of a translation and its reference with the rank of the base's cosine as their score.

    What one person thinks of a translation is noisy, and there are few translations with such a score. The cosine of a
    sentence encoder orders them about as well, for other reasons. (They hardly helped: docs/history/litotes-score.md.)
    """
    ranks = by_rank(cosines([pair.reference for pair in pairs], [pair.candidate for pair in pairs]))
    return [replace(pair, score=rank, source=LIKENESS) for pair, rank in zip(pairs, ranks, strict=True)]


def trained_on(folder: Path) -> list[cannot_wmt.Rated]:
    """Return the rows of CANNOT-WMT's eval split that a metric may be trained on."""
    return [row for row in cannot_wmt.load(folder) if row.source != cannot_wmt.CANNOT and not cannot_wmt.held_out(row)]


def by_rank(scores: Sequence[float]) -> list[float]:
    """Return the rank of each score, from 0.3 for the lowest to 1 for the highest. Equal ones have their mean rank."""
    ordered = np.sort(scores)
    first, after = (np.searchsorted(ordered, scores, side=side) for side in ("left", "right"))
    ranks: np.ndarray = (first + after - 1) / 2
    return [0.3 + 0.7 * float(rank) / max(1, len(ordered) - 1) for rank in ranks]


def cosines(first: Sequence[str], second: Sequence[str]) -> list[float]:
    """Return the base's cosine of each pair."""
    print(f"the cosines of {BASE} …", flush=True)
    encoder: Any = load(BASE)
    return [float(left @ right) for left, right in zip(encoder.encode(first), encoder.encode(second), strict=True)]


def parsed(texts: Sequence[str]) -> list[Document]:
    return list(counted(load_parser().pipe(texts), len(texts), "parsed"))


def counted(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Pass items on, and print how many there were now and then."""
    for number, item in enumerate(items, start=1):
        yield item
        if number % 1000 == 0 or number == total:
            print(f"{what} {number} of {total}", flush=True)


def shuffled(pair: tuple[str, str], rng: random.Random) -> tuple[str, str]:
    return pair if rng.random() < 0.5 else pair[::-1]


def drawn(items: Sequence[Item], count: int) -> list[Item]:
    return random.Random(SEED).sample(list(items), min(count, len(items)))


def write(file: Path, pairs: Iterator[Rated]) -> None:
    """Write each pair once, with its first score, and print how many there are per source."""
    counts, repeated, reserved = Counter[str](), 0, table_texts()
    seen: set[tuple[str, str, bool]] = set()
    with replacing(file) as temporary, temporary.open("wb") as raw:
        # Without a name and a time stamp, the same pairs give the same file.
        packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
        with packed, io.TextIOWrapper(packed, encoding="utf-8") as stream:
            for pair in pairs:
                key = pair.reference, pair.candidate, pair.source == LIKENESS
                if key in seen or not pair.reference.strip() or not pair.candidate.strip() or reserved & set(key[:2]):
                    repeated += 1
                    continue
                seen.add(key)
                counts[pair.source] += 1
                line = {name: getattr(pair, name) for name in Rated.__slots__} | {"score": round(pair.score, 4)}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    for source, count in counts.items():
        print(f"{source}\t{count}")
    print(f"{counts.total()} pairs; {repeated} were empty, repeated or in our tables")


def table_texts() -> set[str]:
    rows = [row for file in sorted(TABLES.glob("*.jsonl")) for row in lines_of(file)]
    return {row[name] for row in rows for name in ("reference", "candidate")}


if __name__ == "__main__":
    raise SystemExit(main())
