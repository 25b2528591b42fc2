"""The pairs litotes-score is trained on: python scripts/score_data.py --data DIR --made MADE --out PAIRS

DIR holds stsb/ and cannot_wmt/; MADE is what mini_data.py made of the anchors. PAIRS gets pairs.jsonl.gz: a reference,
a candidate, how much of the reference it keeps, and where the pair comes from. Of CANNOT-WMT only the WMT rows
that `cannot_wmt.held_out` leaves are read. About ten minutes on two cores: texts that drift are parsed four times, and
encoded with the base.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.data.sets import cannot_wmt, stsb
from litotes.data.written import written
from litotes.detection.sentences import changed_sentence
from litotes.errors import LitotesError
from litotes.models import load
from litotes.parse import parser
from litotes.rewrite import pipe, task
from litotes.synth.by_rule.faults import UNRELATED, Stock, faults, stock_of

SAME, SAME_OTHERWISE, HEDGED, ENTAILED, ONE_IN_MANY, OPPOSITE = 1.0, 0.97, 0.9, 0.85, 0.3, 0.02
SHORTENED, TURNED = 0.8, 0.05
RESTATED, FALSE = 0.92, 0.12
"""a graded candidate from this up says the same, and one up to that another thing"""
GRADED = 5_424
"""graded references the shipped metric was trained on; with those after them too, a left-out word costs too little"""
HEDGES = ("word", "phrase")
KINDS = ("verbal", "absolute", "lexical", "affixal")
LONG = 8
"""words a sentence has at least that is damaged"""
DAMAGED = 9_000
"""anchors that are damaged, each in FAULTS ways"""
FAULTS = 7
TRIPLES, QUADRUPLES = 45_000, 12_000
ROUNDS = 4
"""faults a drifting translation gets, one after another"""
DRIFTING = 6_000
TELLING = (UNRELATED, "turned", "roles changed", "shuffled", "question")
"""faults that say another thing at once: a translation that only drifts has none of them"""
SEED = 0


@dataclass(frozen=True, slots=True)
class Rated:
    """One line of the file."""

    reference: str
    candidate: str
    score: float
    source: str


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--made", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        write(given.out / "pairs.jsonl.gz", made(given.data, given.made))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def made(data: Path, folder: Path) -> Iterator[Rated]:
    """Every pair, source by source."""
    triples = drawn(lines_of(folder / "triples" / "triples.jsonl"), TRIPLES)
    yield from of_triples(triples)
    yield from of_quadruples(drawn(lines_of(folder / "quadruples" / "quadruples.jsonl"), QUADRUPLES), "quadruples")
    yield from of_quadruples(lines_of(written("written:quadruples")), "written")
    yield from of_passages(lines_of(written("written:contrasts")))
    graded = lines_of(written("written:graded"))[:GRADED]
    yield from of_graded(graded, "graded")
    yield from crossed(graded)
    yield from of_graded(lines_of(written("written:translations")), "translated")
    yield from of_edits(lines_of(folder / "edits.jsonl"))
    yield from of_details(lines_of(folder / "details.jsonl"))
    yield from of_exchanged(lines_of(folder / "exchanged.jsonl"))
    yield from damaged(triples)
    yield from drifted(triples, data / "cannot_wmt")
    for row in stsb.load(data / "stsb", "train"):
        yield Rated(row.first, row.second, row.score / 5, "stsb")
        yield Rated(row.second, row.first, row.score / 5, "stsb")
    yield from translations(data / "cannot_wmt")


def of_triples(triples: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """The anchor with what says the same and with what denies it, and these two with each other, in either order."""
    for line in triples:
        anchor, positive, negative = line["anchor"], line["positive"], line["negative"]
        kept = HEDGED if line["positive_kind"] in HEDGES else SAME_OTHERWISE
        yield Rated(anchor, positive, kept, "paraphrases")
        yield Rated(anchor, negative, OPPOSITE, "negations")
        if random.Random(line["id"]).random() < 0.5:
            yield Rated(positive, negative, OPPOSITE, "negations")
        else:
            yield Rated(negative, anchor, OPPOSITE, "negations")
            yield Rated(negative, negative, SAME, "paraphrases")


def of_quadruples(lines: Sequence[dict[str, Any]], source: str) -> Iterator[Rated]:
    for line in lines:
        a1, a2, b1, b2 = (line[name] for name in ("a1", "a2", "b1", "b2"))
        for one, other in ((a1, a2), (b1, b2), (b2, b1), (a2, a1)):
            yield Rated(one, other, SAME_OTHERWISE, source)
        for one, other in ((a1, b1), (a1, b2), (a2, b2), (b1, a2), (b2, a1), (b2, a2)):
            yield Rated(one, other, OPPOSITE, source)


def of_passages(lines: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """One statement of several turned; and the sentence that was turned, by itself."""
    for line in lines:
        yield Rated(line["doc1"], line["doc2"], ONE_IN_MANY, "passages")
        yield Rated(line["doc2"], line["doc2"], SAME, "passages")
        turned = changed_sentence(line["doc1"], line["doc2"])
        if turned is not None:
            left, right = turned
            for pair in ((left, right, OPPOSITE), (right, left, OPPOSITE), (left, left, SAME), (right, right, SAME)):
                yield Rated(*pair, "turned sentences")


def of_graded(lines: Sequence[dict[str, Any]], source: str) -> Iterator[Rated]:
    for line in lines:
        yield from (Rated(line["reference"], text, score, source) for text, score in line["candidates"])
        yield Rated(line["reference"], line["reference"], SAME, source)


def crossed(lines: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """The graded candidates as references: what restates with what turns, in either order; what turns with itself.

    A turned text that is never a reference is known by its look.
    """
    for line in lines:
        kept = [(text, worth) for text, worth in line["candidates"] if worth >= RESTATED]
        turned = [(text, worth) for text, worth in line["candidates"] if worth <= FALSE]
        rng = random.Random(line["reference"])
        for text, worth in kept + turned:
            yield Rated(text, line["reference"], worth, "crossed")
        for text, _ in turned:
            yield Rated(text, text, SAME, "crossed")
        for one, other in permutations(kept, 2):
            yield Rated(one[0], other[0], min(one[1], other[1]), "crossed")
        for (here, _), (there, worth) in product(kept, turned):
            either = (here, there) if rng.random() < 0.5 else (there, here)
            yield Rated(*either, worth, "crossed")


def of_edits(lines: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """What people wrote: texts that follow, and texts that contradict."""
    for line in lines:
        yield Rated(line["anchor"], line["positive"], ENTAILED, "edits")
        yield Rated(line["anchor"], line["negative"], OPPOSITE, "edits")


def of_details(lines: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """A detail more or less costs little, a turned word nearly everything."""
    for line in lines:
        yield Rated(line["query"], line["positive"], SHORTENED, "details")
        yield Rated(line["query"], line["negatives"][0], TURNED, "details")
        yield Rated(line["positive"], line["negatives"][0], TURNED, "details")


def of_exchanged(lines: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """Another word for the same costs next to nothing, a turned one nearly everything."""
    for line in lines:
        yield Rated(line["query"], line["positive"], SAME_OTHERWISE, "exchanged")
        yield from (Rated(line["query"], text, TURNED, "exchanged") for text in line["negatives"])


def damaged(triples: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """Anchors with a fault each, against themselves and against a paraphrase of them."""
    restated = {line["anchor"]: line["positive"] for line in triples if line["positive_kind"] not in HEDGES}
    anchors = [text for text in restated if len(text.split()) >= LONG]
    documents = list(parser().pipe(anchors[:DAMAGED]))
    stock = stock_of(documents)
    for document in documents:
        rng = random.Random(document.text)
        found = list(faults(document, stock, seed=SEED))
        for fault in rng.sample(found, min(FAULTS, len(found))):
            reference = restated[document.text] if rng.random() < 0.6 else document.text
            yield Rated(reference, fault.text, fault.worth, "faults")


def drifted(triples: Sequence[dict[str, Any]], folder: Path) -> Iterator[Rated]:
    """Texts that go wrong in one place after another, as translations do: each stage of it with its reference.

    They are worth what the base's cosine and the faults say in the mean, each by rank from 0.3 to 1: the cosine hears
    no negation, but it orders what is more or less kept.
    """
    restated = {line["anchor"]: line["positive"] for line in triples if line["positive_kind"] not in HEDGES}
    starts = [(anchor, text) for anchor, text in restated.items() if len(anchor.split()) >= LONG][-DRIFTING:]
    rows = trained_on(folder)
    starts += [(row.reference, row.candidate) for row in rows]
    texts, left = [text for _, text in starts], [1.0] * len(starts)
    left[len(starts) - len(rows) :] = by_rank([row.score for row in rows])
    stages: list[tuple[str, str, float]] = []
    stock: Stock | None = None
    for turn in range(ROUNDS):
        documents = list(parser().pipe(texts))
        stock = stock or stock_of(documents)
        for at, document in enumerate(documents):
            rng = random.Random(f"{turn}{document.text}")
            found = [fault for fault in faults(document, stock, seed=turn) if fault.kind not in TELLING]
            if found:
                fault = rng.choice(found)
                texts[at], left[at] = fault.text, left[at] * fault.worth
                stages.append((starts[at][0], fault.text, left[at]))
    likeness = by_rank(cosines([one for one, _, _ in stages], [other for _, other, _ in stages]))
    kept = by_rank([worth for _, _, worth in stages])
    for (reference, text, _), like, keeps in zip(stages, likeness, kept, strict=True):
        yield Rated(reference, text, (like + keeps) / 2, "drifted")


def trained_on(folder: Path) -> list[cannot_wmt.Rated]:
    """The rows of CANNOT-WMT eval that a metric may be trained on."""
    return [row for row in cannot_wmt.load(folder) if row.source != cannot_wmt.CANNOT and not cannot_wmt.held_out(row)]


def translations(folder: Path) -> Iterator[Rated]:
    """WMT's rows with people's scores, by rank from 0.3 to 1; the same translations damaged and denied.

    One person's score of one translation is noisy, and these are few: the same pairs come by the rank of the base's
    cosine too.
    """
    rows = trained_on(folder)
    worth = dict(zip((row.id for row in rows), by_rank([row.score for row in rows]), strict=True))
    likeness = by_rank(cosines([row.reference for row in rows], [row.candidate for row in rows]))
    documents = list(parser().pipe([row.candidate for row in rows]))
    stock: Stock = stock_of(documents)
    tasks = [task("negate", kind) for kind in KINDS]
    denied = list(pipe([row.candidate for row in rows], tasks))
    for row, document, texts, like in zip(rows, documents, denied, likeness, strict=True):
        yield Rated(row.reference, row.candidate, worth[row.id], "wmt")
        yield Rated(row.reference, row.candidate, like, "wmt likeness")
        yield Rated(row.reference, row.reference, SAME, "wmt")
        for found in texts:
            if found.rewrite:
                yield Rated(row.reference, found.rewrite, OPPOSITE, "wmt denied")
        for fault in faults(document, stock, seed=SEED):
            yield Rated(row.reference, fault.text, fault.worth * worth[row.id], "wmt damaged")


def by_rank(scores: Sequence[float]) -> list[float]:
    """From 0.3 for the lowest to 1 for the highest."""
    ordered = sorted(scores)
    place = {score: at / max(1, len(ordered) - 1) for at, score in enumerate(ordered)}
    return [0.3 + 0.7 * place[score] for score in scores]


def cosines(one: Sequence[str], other: Sequence[str]) -> list[float]:
    """The base's, pair by pair."""
    encoder: Any = load("dense:minilm", batch=128)
    return [float(left @ right) for left, right in zip(encoder.encode(one), encoder.encode(other), strict=True)]


def drawn(lines: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    return random.Random(SEED).sample(list(lines), min(count, len(lines)))


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [row for _, _, row in json_objects(text_lines(file), str(file))]


def write(file: Path, pairs: Iterator[Rated]) -> None:
    """The whole file or none of it; how many of each source."""
    counts: Counter[str] = Counter()
    started = file.with_suffix(".partial")
    with gzip.open(started, "wt", encoding="utf-8") as stream:
        for pair in chain(pairs):
            if pair.reference.strip() and pair.candidate.strip():
                counts[pair.source] += 1
                line = {name: getattr(pair, name) for name in Rated.__slots__} | {"score": round(pair.score, 4)}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    started.replace(file)
    print(json.dumps(counts))


if __name__ == "__main__":
    raise SystemExit(main())
