"""The data litotes-mini is trained on, from public text: python scripts/mini_data.py --data DIR --out MADE

DIR holds anchors/, squad/ and edits/ as docs/litotes-mini.md names them. MADE gets one file of JSON lines a sort:
triples, quadruples, contrasts, left-out details and exchanged words by rule, people's edits, what was written, and
replay: pairs of ordinary texts on which the tower is held to the base. What is there already is not made again. On two
cores about half an hour.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.data.lines import json_objects, text_lines
from litotes.data.written import written
from litotes.detection.sentences import changed_sentence, sentences
from litotes.errors import LitotesError
from litotes.parse import parser
from litotes.synth import Config, synthesise
from litotes.synth.by_rule.details import details
from litotes.synth.by_rule.exchanged import exchanged
from litotes.synth.cue_counting import bag

SENTENCES = ("tatoeba", "ud_ewt", "snli", "coco", "wikisplit")
LONGER = ("wikisplit", "ud_ewt", "tatoeba")
PASSAGE_SEEDS = (1, 2, 3, 4, 5, 6)
DETAILED = {"wikisplit": 18_000, "tatoeba": 7_200, "ud_ewt": 3_600, "snli": 3_600, "coco": 3_600}
"""sentences of each from which a detail is left out, where they have one, and whose words are exchanged"""
WORTH = (("kept", 0.75, 1.0), ("less", 0.5, 0.74), ("turned", 0.0, 0.25), ("denied", 0.01, 0.06))
GRADED = 5_424
"""graded references there were when the shipped tower was trained; the later ones were written for the metric"""
REVIEWED = 2
"""changed sentences of a review that are taken for queries"""
WORKERS = 2
NEIGHBOURS = 20
"""of these nearest texts, one with the same cues of negation is a text's partner"""
Line = Mapping[str, Any]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        make(given.data, given.out)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def make(data: Path, out: Path) -> None:
    """Every file that is not there yet."""
    anchors = {name: str(data / "anchors" / f"{name}.txt") for name in SENTENCES}
    everything = (*anchors.values(), "seed:sentences")
    by_rule(out / "triples", Config(everything, draw=31_000, seed=0))
    by_rule(out / "quadruples", Config(everything, make=("quadruples",), draw=45_000, seed=3))
    longer = tuple(anchors[name] for name in LONGER)
    by_rule(out / "sentence_contrasts", Config(longer, make=("contrasts",), draw=24_000, seed=1))
    write(out / "passages.jsonl", ({"text": text} for text in paragraphs(data)))
    sources = (str(out / "passages.jsonl"), "seed:passages")
    for seed in PASSAGE_SEEDS:
        # the rules ask other questions of the same passages with another seed
        by_rule(out / f"passages-{seed}", Config(sources, make=("contrasts",), seed=seed, near=0.0))
    folders = [out / f"passages-{seed}" / "contrasts.jsonl" for seed in PASSAGE_SEEDS]
    write(out / "passage_contrasts.jsonl", each_once(line for file in folders for line in lines_of(file)))
    write(out / "close.jsonl", close(written("written:contrasts")))
    write(out / "edits.jsonl", edits(data / "edits"))
    write(out / "reviews.jsonl", reviews(data / "edits" / "review_edits.jsonl"))
    write(out / "details.jsonl", shortened(anchors))
    write(out / "exchanged.jsonl", restated(anchors))
    write(out / "graded.jsonl", graded())
    write(out / "replay_questions.jsonl", questions(data / "squad" / "passages.jsonl"))
    write(out / "replay_sentences.jsonl", cloze((*paragraphs(data), *written_passages())))
    write(out / "replay_abstracts.jsonl", cloze(line["text"] for line in lines_of(written("written:abstracts"))))
    write(out / "replay_neighbours.jsonl", neighbours(out / "triples" / "triples.jsonl"))


def by_rule(folder: Path, config: Config) -> None:
    if not (folder / "manifest.json").exists():
        print(f"{folder.name} …", flush=True)
        synthesise(config, folder, workers=WORKERS, resume=folder.exists())


def write(file: Path, lines: Iterable[Line]) -> None:
    """The whole file or none of it."""
    if file.exists():
        return
    print(f"{file.name} …", flush=True)
    started = file.with_suffix(".partial")
    with started.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    started.replace(file)


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    yield from (row for _, _, row in json_objects(text_lines(file), str(file)))


def each_once(lines: Iterable[dict[str, Any]]) -> Iterator[Line]:
    seen: set[tuple[str, ...]] = set()
    for line in lines:
        key = line["q1"], line["doc1"], line["doc2"]
        if key not in seen:
            seen.add(key)
            yield line | {"id": f"{line['id']}/{len(seen)}"}


def paragraphs(data: Path) -> Iterator[str]:
    yield from (line["text"] for line in lines_of(data / "anchors" / "wikitext_paragraphs.jsonl"))
    yield from (line["passage"] for line in lines_of(data / "squad" / "passages.jsonl"))


def written_passages() -> Iterator[str]:
    """Each passage as it was written: of those with several contrasts, a to d, the first."""
    lines = lines_of(written("written:contrasts"))
    yield from (line["doc1"] for line in lines if line["id"][-1] not in "bcd")


def close(contrasts: Path) -> Iterator[Line]:
    """Where two passages differ in one sentence: each query with that sentence, and the sentence with its passage."""
    for line in lines_of(contrasts):
        turned = changed_sentence(line["doc1"], line["doc2"])
        if turned is not None:
            for query, here, there, document, other in (
                (line["q1"], *turned, line["doc1"], line["doc2"]),
                (line["q2"], *turned[::-1], line["doc2"], line["doc1"]),
            ):
                yield {"query": query, "positive": here, "negatives": [there]}
                yield {"query": here, "positive": document, "negatives": [other]}


def reviews(file: Path) -> Iterator[Line]:
    """Film reviews that people turned: the sentences that changed, each with the review it stands in."""
    for line in lines_of(file):
        both = line["positive_review"], line["negative_review"]
        for here, there in (both, both[::-1]):
            elsewhere = set(said(there))
            changed = [text for text in said(here) if text not in elsewhere and 4 <= len(text.split()) <= 40]
            for text in random.Random(here).sample(changed, min(len(changed), REVIEWED)):
                if text != here:
                    yield {"query": text, "positive": here, "negatives": [there]}


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def edits(folder: Path) -> Iterator[Line]:
    """What people wrote: an entailed and a contradicted text to a premise, and premises turned to contradict a text."""
    for at, line in enumerate(lines_of(folder / "nli_triples.jsonl")):
        yield {"id": f"nli/{at}", **{name: line[name] for name in ("anchor", "positive", "negative")}}
    for at, line in enumerate(lines_of(folder / "premise_edits.jsonl")):
        texts = {"anchor": line["query"], "positive": line["entails"], "negative": line["contradicts"]}
        yield {"id": f"premise/{at}", **texts}


def shortened(anchors: Mapping[str, str]) -> Iterator[Line]:
    """Sentences with a detail left out, against themselves with a word turned; either way round."""
    for document in parser().pipe(detailed(anchors)):
        for one in details(document, seed=0):
            yield {"query": one.text, "positive": one.shorter, "negatives": [one.turned]}
            yield {"query": one.shorter, "positive": one.text, "negatives": [one.shorter_turned]}


def restated(anchors: Mapping[str, str]) -> Iterator[Line]:
    """Sentences in other words, against themselves with a word turned; either way round."""
    for document in parser().pipe(detailed(anchors)):
        for one in exchanged(document, seed=0):
            yield {"query": one.text, "positive": one.restated, "negatives": [one.turned, one.restated_turned]}
            yield {"query": one.restated, "positive": one.text, "negatives": [one.restated_turned, one.turned]}


def detailed(anchors: Mapping[str, str]) -> list[str]:
    """Some sentences of each source, neither short nor long; always the same."""
    draw = random.Random(2)
    texts = []
    for name, count in DETAILED.items():
        found = [line.strip() for line in Path(anchors[name]).read_text(encoding="utf-8").splitlines()]
        fit = [text for text in found if 7 <= len(text.split()) <= 30]
        texts += draw.sample(fit, min(len(fit), count))
    return texts


def graded() -> Iterator[Line]:
    """What keeps most of a reference, against all that turns it, from either side; and what only says less of it."""
    for line in islice(lines_of(written("written:graded")), GRADED):
        rated = {
            name: [text for text, worth in line["candidates"] if low <= worth <= high] for name, low, high in WORTH
        }
        for text in rated["kept"]:
            yield {"query": line["reference"], "positive": text, "negatives": rated["turned"]}
            yield {"query": text, "positive": line["reference"], "negatives": rated["turned"]}
        for text in rated["less"] if rated["denied"] else ():
            yield {"query": line["reference"], "positive": text, "negatives": rated["denied"]}


def questions(file: Path) -> Iterator[Line]:
    """People's questions that the passage answers, with the passage."""
    for line in lines_of(file):
        for question in line["questions"]:
            if not isinstance(question, dict) or question.get("answerable", True):
                text = question["text"] if isinstance(question, dict) else question
                yield {"query": text, "positive": line["passage"]}


def cloze(texts: Iterable[str]) -> Iterator[Line]:
    """Each sentence of a passage with the rest of it."""
    for document in parser().pipe(texts):
        found = [document.text[one.start : one.end] for one in document.sentences]
        for at, sentence in enumerate(found):
            rest = found[:at] + found[at + 1 :]
            if 5 <= len(sentence.split()) <= 45 and len(rest) > 1:
                yield {"query": sentence, "positive": " ".join(rest)}


def neighbours(triples: Path) -> Iterator[Line]:
    """Each anchor with one of those the base has nearest to it, which denies as much and by the same words.

    In the order of clusters, so that what follows each other is near.
    """
    import numpy as np

    from litotes.models import load

    anchors = sorted({line["anchor"] for line in lines_of(triples) if "/mirror/" not in line["id"]})
    vectors: np.ndarray = load("dense:minilm", batch=128, max_tokens=128).encode(anchors)  # type: ignore[union-attr]
    order = np.argsort(clusters(vectors), kind="stable")
    anchors, vectors = [anchors[at] for at in order], vectors[order]
    cues = [bag(text) for text in anchors]
    draw = random.Random(5)
    for start in range(0, len(anchors), 1024):
        near = np.argsort(-(vectors[start : start + 1024] @ vectors.T), axis=1)[:, : NEIGHBOURS + 1]
        for row, found in enumerate(near, start):
            partner = _partner(row, found.tolist(), cues, draw)
            if partner is not None:
                yield {"query": anchors[row], "positive": anchors[partner]}


def clusters(vectors: Any, *, count: int = 400, rounds: int = 5) -> Any:
    """The cluster of each row: k-means by cosine, from rows drawn by a fixed seed."""
    import numpy as np

    centres = vectors[np.random.default_rng(3).choice(len(vectors), size=min(count, len(vectors)), replace=False)]
    for _ in range(rounds):
        found = np.argmax(vectors @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, found, vectors)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres)
    return np.argmax(vectors @ centres.T, axis=1)


def _partner(row: int, near: Sequence[int], cues: Sequence[Any], draw: random.Random) -> int | None:
    fit = [other for other in near if other != row and cues[other] == cues[row]]
    return draw.choice(fit) if fit else None


if __name__ == "__main__":
    raise SystemExit(main())
