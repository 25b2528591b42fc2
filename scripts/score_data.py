"""Make the training pairs of litotes-score: python -m scripts.score_data --data DIR --made MADE --out PAIRS

DIR has stsb/ and cannot_wmt/. MADE is the output of mini_data.py. PAIRS gets pairs.jsonl.gz, whose lines have a
reference, a candidate, a score for how much of the reference the candidate keeps, and the source of the pair. Of
CANNOT-WMT, only the WMT rows that `cannot_wmt.held_out` does not reserve are read. It takes about ten minutes on two
cores, because the drifted texts are parsed four times and encoded with the base.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, permutations, product
from pathlib import Path
from typing import Any

from litotes.data.benchmarks import stsb
from litotes.data.written import written_file
from litotes.errors import LitotesError
from litotes.files import replacing
from litotes.models import load
from litotes.parse import load_parser
from litotes.rewrite import rewrite_texts, task
from litotes.synthesis.by_rule.perturbations import UNRELATED, ReplacementPool, collect_replacements, perturbations
from scripts.metric_data import Rated, of_passages, trained_on
from scripts.mini_data import lines_of

SAME, SAME_OTHERWISE, HEDGED, ENTAILED, OPPOSITE = 1.0, 0.97, 0.9, 0.85, 0.02
SHORTENED, REVERSED = 0.8, 0.05
RESTATED, FALSE = 0.92, 0.12
"""A graded candidate with at least the first score is a restatement, with at most the second it is false."""
GRADED = 5_424
"""The graded references that the shipped metric was trained on. With the later ones, an omission costs too little."""
HEDGES = ("word", "phrase")
KINDS = ("verbal", "absolute", "lexical", "affixal")
LONG = 8
"""The minimum number of words of a sentence that is perturbed."""
PERTURBED = 9_000
"""The number of anchors that are perturbed."""
PERTURBATIONS_PER_ANCHOR = 7
TRIPLES, QUADRUPLES = 45_000, 12_000
ROUNDS = 4
"""The number of successive perturbations of a drifted text."""
DRIFTED_ANCHORS = 6_000
OBVIOUS = (UNRELATED, "opposite order", "roles swapped", "shuffled", "question")
"""Perturbations that change the message at once. A drifted text has none of them."""
SEED = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--made", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        write(options.out / "pairs.jsonl.gz", all_pairs(options.data, options.made))
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def all_pairs(data: Path, folder: Path) -> Iterator[Rated]:
    """Yield every pair, source by source."""
    triples = drawn(lines_of(folder / "triples" / "triples.jsonl"), TRIPLES)
    yield from of_triples(triples)
    yield from of_quadruples(drawn(lines_of(folder / "quadruples" / "quadruples.jsonl"), QUADRUPLES), "quadruples")
    yield from of_quadruples(lines_of(written_file("written:quadruples")), "written")
    yield from of_passages(lines_of(written_file("written:contrasts")))
    graded = list(lines_of(written_file("written:graded")))[:GRADED]
    yield from of_graded(graded, "graded")
    yield from crossed(graded)
    yield from of_graded(lines_of(written_file("written:translations")), "translated")
    yield from of_edits(lines_of(folder / "edits.jsonl"))
    yield from of_omissions(lines_of(folder / "omissions.jsonl"))
    yield from of_substitutions(lines_of(folder / "substitutions.jsonl"))
    yield from perturbed_anchors(triples)
    yield from drifted(triples, data / "cannot_wmt")
    for row in stsb.load(data / "stsb", "train"):
        yield Rated(row.first, row.second, row.grade / 5, "stsb")
        yield Rated(row.second, row.first, row.grade / 5, "stsb")
    yield from translations(data / "cannot_wmt")


def of_triples(triples: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """Pair the anchor with its positive and its negative, and these with each other."""
    for line in triples:
        anchor, positive, negative = line["anchor"], line["positive"], line["negative"]
        score = HEDGED if line["positive_kind"] in HEDGES else SAME_OTHERWISE
        yield Rated(anchor, positive, score, "paraphrases")
        yield Rated(anchor, negative, OPPOSITE, "negations")
        if random.Random(line["id"]).random() < 0.5:
            yield Rated(positive, negative, OPPOSITE, "negations")
        else:
            yield Rated(negative, anchor, OPPOSITE, "negations")
            yield Rated(negative, negative, SAME, "paraphrases")


def of_quadruples(lines: Iterable[dict[str, Any]], source: str) -> Iterator[Rated]:
    for line in lines:
        a1, a2, b1, b2 = (line[name] for name in ("a1", "a2", "b1", "b2"))
        for reference, candidate in ((a1, a2), (b1, b2), (b2, b1), (a2, a1)):
            yield Rated(reference, candidate, SAME_OTHERWISE, source)
        for reference, candidate in ((a1, b1), (a1, b2), (a2, b2), (b1, a2), (b2, a1), (b2, a2)):
            yield Rated(reference, candidate, OPPOSITE, source)


def of_graded(lines: Iterable[dict[str, Any]], source: str) -> Iterator[Rated]:
    for line in lines:
        yield from (Rated(line["reference"], text, score, source) for text, score in line["candidates"])
        yield Rated(line["reference"], line["reference"], SAME, source)


def crossed(lines: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """Use graded candidates as references: restatements with false ones, in random order, and false ones as such.

    Otherwise the model would learn to recognise false texts by their wording.
    """
    for line in lines:
        restated = [(text, score) for text, score in line["candidates"] if score >= RESTATED]
        false = [(text, score) for text, score in line["candidates"] if score <= FALSE]
        rng = random.Random(line["reference"])
        for text, score in restated + false:
            yield Rated(text, line["reference"], score, "crossed")
        for text, _ in false:
            yield Rated(text, text, SAME, "crossed")
        for first, second in permutations(restated, 2):
            yield Rated(first[0], second[0], min(first[1], second[1]), "crossed")
        for (same, _), (other, score) in product(restated, false):
            pair = (same, other) if rng.random() < 0.5 else (other, same)
            yield Rated(*pair, score, "crossed")


def of_edits(lines: Iterable[dict[str, Any]]) -> Iterator[Rated]:
    """Pair premises with the texts that people wrote: entailed ones and contradicting ones."""
    for line in lines:
        yield Rated(line["anchor"], line["positive"], ENTAILED, "edits")
        yield Rated(line["anchor"], line["negative"], OPPOSITE, "edits")


def of_omissions(lines: Iterable[dict[str, Any]]) -> Iterator[Rated]:
    """Score omissions: a missing detail costs little, an opposite word nearly everything."""
    for line in lines:
        yield Rated(line["query"], line["positive"], SHORTENED, "omissions")
        yield Rated(line["query"], line["negatives"][0], REVERSED, "omissions")
        yield Rated(line["positive"], line["negatives"][0], REVERSED, "omissions")


def of_substitutions(lines: Iterable[dict[str, Any]]) -> Iterator[Rated]:
    """Score substitutions: a synonym costs almost nothing, an opposite word nearly everything."""
    for line in lines:
        yield Rated(line["query"], line["positive"], SAME_OTHERWISE, "substitutions")
        yield from (Rated(line["query"], text, REVERSED, "substitutions") for text in line["negatives"])


def perturbed_anchors(triples: Sequence[dict[str, Any]]) -> Iterator[Rated]:
    """Pair perturbed anchors with the anchors or with a paraphrase of them."""
    restated = {line["anchor"]: line["positive"] for line in triples if line["positive_kind"] not in HEDGES}
    anchors = [text for text in restated if len(text.split()) >= LONG]
    documents = list(load_parser().pipe(anchors[:PERTURBED]))
    pool = collect_replacements(documents)
    for document in documents:
        rng = random.Random(document.text)
        possible = list(perturbations(document, pool, seed=SEED))
        for perturbed in rng.sample(possible, min(PERTURBATIONS_PER_ANCHOR, len(possible))):
            reference = restated[document.text] if rng.random() < 0.6 else document.text
            yield Rated(reference, perturbed.text, perturbed.quality, "perturbations")


def drifted(triples: Sequence[dict[str, Any]], folder: Path) -> Iterator[Rated]:
    """Perturb texts in one place after another, as translations go wrong, and pair each stage with its reference.

    The score is the mean of two ranks from 0.3 to 1: that of the base's cosine and that of the remaining quality. The
    cosine ignores negation, but it orders texts by how much they keep.
    """
    restated = {line["anchor"]: line["positive"] for line in triples if line["positive_kind"] not in HEDGES}
    starts = [(anchor, text) for anchor, text in restated.items() if len(anchor.split()) >= LONG][-DRIFTED_ANCHORS:]
    rows = trained_on(folder)
    starts += [(row.reference, row.candidate) for row in rows]
    texts, left = [text for _, text in starts], [1.0] * len(starts)
    left[len(starts) - len(rows) :] = by_rank([row.score for row in rows])
    stages: list[tuple[str, str, float]] = []
    pool: ReplacementPool | None = None
    for turn in range(ROUNDS):
        documents = list(load_parser().pipe(texts))
        pool = pool or collect_replacements(documents)
        for at, document in enumerate(documents):
            rng = random.Random(f"{turn}{document.text}")
            possible = [one for one in perturbations(document, pool, seed=turn) if one.kind not in OBVIOUS]
            if possible:
                perturbed = rng.choice(possible)
                texts[at], left[at] = perturbed.text, left[at] * perturbed.quality
                stages.append((starts[at][0], perturbed.text, left[at]))
    likeness = by_rank(cosines([reference for reference, _, _ in stages], [text for _, text, _ in stages]))
    qualities = by_rank([quality for _, _, quality in stages])
    for (reference, text, _), like, quality in zip(stages, likeness, qualities, strict=True):
        yield Rated(reference, text, (like + quality) / 2, "drifted")


def translations(folder: Path) -> Iterator[Rated]:
    """Yield WMT's rows with people's scores as ranks from 0.3 to 1, and the same translations perturbed and negated.

    The score of one translation by one person is noisy, and there are few rows, so the same pairs are also scored by
    the rank of the base's cosine.
    """
    rows = trained_on(folder)
    scores = dict(zip((row.id for row in rows), by_rank([row.score for row in rows]), strict=True))
    likeness = by_rank(cosines([row.reference for row in rows], [row.candidate for row in rows]))
    documents = list(load_parser().pipe([row.candidate for row in rows]))
    pool: ReplacementPool = collect_replacements(documents)
    tasks = [task("negate", kind) for kind in KINDS]
    negated = list(rewrite_texts([row.candidate for row in rows], tasks))
    for row, document, texts, like in zip(rows, documents, negated, likeness, strict=True):
        yield Rated(row.reference, row.candidate, scores[row.id], "wmt")
        yield Rated(row.reference, row.candidate, like, "wmt likeness")
        yield Rated(row.reference, row.reference, SAME, "wmt")
        for result in texts:
            if result.rewrite:
                yield Rated(row.reference, result.rewrite, OPPOSITE, "wmt negated")
        for perturbed in perturbations(document, pool, seed=SEED):
            yield Rated(row.reference, perturbed.text, perturbed.quality * scores[row.id], "wmt perturbed")


def by_rank(scores: Sequence[float]) -> list[float]:
    """Return the rank of each score, from 0.3 for the lowest to 1 for the highest."""
    ordered = sorted(scores)
    place = {score: at / max(1, len(ordered) - 1) for at, score in enumerate(ordered)}
    return [0.3 + 0.7 * place[score] for score in scores]


def cosines(first: Sequence[str], second: Sequence[str]) -> list[float]:
    """Return the base's cosine of each pair."""
    encoder: Any = load("dense:minilm", batch=128)
    return [float(left @ right) for left, right in zip(encoder.encode(first), encoder.encode(second), strict=True)]


def drawn(lines: Iterable[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    found = list(lines)
    return random.Random(SEED).sample(found, min(count, len(found)))


def write(file: Path, pairs: Iterator[Rated]) -> None:
    """Write the pairs, and print how many there are per source."""
    counts: Counter[str] = Counter()
    with replacing(file) as temporary, gzip.open(temporary, "wt", encoding="utf-8") as stream:
        for pair in chain(pairs):
            if pair.reference.strip() and pair.candidate.strip():
                counts[pair.source] += 1
                line = {name: getattr(pair, name) for name in Rated.__slots__} | {"score": round(pair.score, 4)}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(json.dumps(counts))


if __name__ == "__main__":
    raise SystemExit(main())
