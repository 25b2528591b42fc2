"""Make the training data of litotes-mini from public text: python scripts/mini_data.py --data DIR --out MADE

DIR has anchors/, squad/ and edits/, as described in docs/litotes-mini.md. MADE gets one file of JSON lines per type:
triples, quadruples, contrasts, omissions and substitutions by rule, people's edits, the written data, and replay, which
is pairs of ordinary texts that keep the tower close to the base. Files that exist are not made again. It takes about
half an hour on two cores.
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
from litotes.data.written import written_file
from litotes.detection.sentences import changed_sentence, sentence_spans
from litotes.errors import LitotesError
from litotes.files import replacing
from litotes.parse import load_parser
from litotes.synthesis import SynthesisConfig, synthesise
from litotes.synthesis.by_rule.omissions import omissions
from litotes.synthesis.by_rule.substitutions import substitutions
from litotes.synthesis.cue_counting import cue_bag

SENTENCES = ("tatoeba", "ud_ewt", "snli", "coco", "wikisplit")
LONGER = ("wikisplit", "ud_ewt", "tatoeba")
PASSAGE_SEEDS = (1, 2, 3, 4, 5, 6)
SAMPLED = {"wikisplit": 18_000, "tatoeba": 7_200, "ud_ewt": 3_600, "snli": 3_600, "coco": 3_600}
"""The number of sentences per source for omissions and substitutions."""
QUALITY = (("same", 0.75, 1.0), ("less", 0.5, 0.74), ("reversed", 0.0, 0.25), ("denied", 0.01, 0.06))
"""Names for ranges of the quality of a graded candidate."""
GRADED = 5_424
"""The graded references that existed when the shipped tower was trained; later ones were written for the metric."""
SENTENCES_PER_REVIEW = 2
"""The changed sentences of a review that become queries."""
WORKERS = 2
NEIGHBOURS = 20
"""A text is paired with one of this many nearest texts that has the same negation cues."""
Line = Mapping[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        make(options.data, options.out)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def make(data: Path, out: Path) -> None:
    """Make every file that does not exist yet."""
    anchors = {name: str(data / "anchors" / f"{name}.txt") for name in SENTENCES}
    everything = (*anchors.values(), "seed:sentences")
    by_rule(out / "triples", SynthesisConfig(everything, draw=31_000, seed=0))
    by_rule(out / "quadruples", SynthesisConfig(everything, types=("quadruples",), draw=45_000, seed=3))
    longer = tuple(anchors[name] for name in LONGER)
    by_rule(out / "sentence_contrasts", SynthesisConfig(longer, types=("contrasts",), draw=24_000, seed=1))
    write(out / "passages.jsonl", ({"text": text} for text in paragraphs(data)))
    sources = (str(out / "passages.jsonl"), "seed:passages")
    for seed in PASSAGE_SEEDS:
        # With another seed, the rules ask other questions about the same passages.
        by_rule(
            out / f"passages-{seed}", SynthesisConfig(sources, types=("contrasts",), seed=seed, duplicate_threshold=0.0)
        )
    folders = [out / f"passages-{seed}" / "contrasts.jsonl" for seed in PASSAGE_SEEDS]
    write(out / "passage_contrasts.jsonl", each_once(line for file in folders for line in lines_of(file)))
    write(out / "changed_sentences.jsonl", changed_sentences(written_file("written:contrasts")))
    write(out / "edits.jsonl", edits(data / "edits"))
    write(out / "reviews.jsonl", reviews(data / "edits" / "review_edits.jsonl"))
    write(out / "omissions.jsonl", shortened(anchors))
    write(out / "substitutions.jsonl", restated(anchors))
    write(out / "graded.jsonl", graded())
    write(out / "replay_questions.jsonl", questions(data / "squad" / "passages.jsonl"))
    write(out / "replay_sentences.jsonl", cloze((*paragraphs(data), *written_passages())))
    write(out / "replay_abstracts.jsonl", cloze(line["text"] for line in lines_of(written_file("written:abstracts"))))
    write(out / "replay_neighbours.jsonl", neighbours(out / "triples" / "triples.jsonl"))


def by_rule(folder: Path, config: SynthesisConfig) -> None:
    if not (folder / "manifest.json").exists():
        print(f"{folder.name} …", flush=True)
        synthesise(config, folder, workers=WORKERS, resume=folder.exists())


def write(file: Path, lines: Iterable[Line]) -> None:
    """Write a file of JSON lines, unless it exists."""
    if file.exists():
        return
    print(f"{file.name} …", flush=True)
    with replacing(file) as temporary, temporary.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


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
    """Yield each written passage once. Passages with several contrasts have ids that end in a to d."""
    lines = lines_of(written_file("written:contrasts"))
    yield from (line["doc1"] for line in lines if line["id"][-1] not in "bcd")


def changed_sentences(contrasts: Path) -> Iterator[Line]:
    """Pair the one sentence in which two passages differ with its query, and with its passage."""
    for line in lines_of(contrasts):
        pair = changed_sentence(line["doc1"], line["doc2"])
        if pair is not None:
            for query, sentence, other, document, other_document in (
                (line["q1"], *pair, line["doc1"], line["doc2"]),
                (line["q2"], *pair[::-1], line["doc2"], line["doc1"]),
            ):
                yield {"query": query, "positive": sentence, "negatives": [other]}
                yield {"query": sentence, "positive": document, "negatives": [other_document]}


def reviews(file: Path) -> Iterator[Line]:
    """Pair the changed sentences of film reviews whose sentiment people reversed with the review they are in."""
    for line in lines_of(file):
        both = line["positive_review"], line["negative_review"]
        for review, other in (both, both[::-1]):
            elsewhere = set(sentences_of(other))
            changed = [text for text in sentences_of(review) if text not in elsewhere and 4 <= len(text.split()) <= 40]
            for text in random.Random(review).sample(changed, min(len(changed), SENTENCES_PER_REVIEW)):
                if text != review:
                    yield {"query": text, "positive": review, "negatives": [other]}


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def edits(folder: Path) -> Iterator[Line]:
    """Yield what people wrote: an entailed and a contradicted text per premise, and premises edited to contradict."""
    for at, line in enumerate(lines_of(folder / "nli_triples.jsonl")):
        yield {"id": f"nli/{at}", **{name: line[name] for name in ("anchor", "positive", "negative")}}
    for at, line in enumerate(lines_of(folder / "premise_edits.jsonl")):
        texts = {"anchor": line["query"], "positive": line["entails"], "negative": line["contradicts"]}
        yield {"id": f"premise/{at}", **texts}


def shortened(anchors: Mapping[str, str]) -> Iterator[Line]:
    """Pair sentences with a shorter form, against the same with a word replaced by its opposite, in both directions."""
    for document in load_parser().pipe(sampled(anchors)):
        for row in omissions(document, seed=0):
            yield {"query": row.text, "positive": row.shorter, "negatives": [row.reversed]}
            yield {"query": row.shorter, "positive": row.text, "negatives": [row.shorter_reversed]}


def restated(anchors: Mapping[str, str]) -> Iterator[Line]:
    """Pair sentences with synonyms in them, against the same with a word replaced by its opposite."""
    for document in load_parser().pipe(sampled(anchors)):
        for row in substitutions(document, seed=0):
            yield {"query": row.text, "positive": row.restated, "negatives": [row.reversed, row.restated_reversed]}
            yield {"query": row.restated, "positive": row.text, "negatives": [row.restated_reversed, row.reversed]}


def sampled(anchors: Mapping[str, str]) -> list[str]:
    """Return a fixed sample of sentences from each source, neither short nor long."""
    draw = random.Random(2)
    texts = []
    for name, count in SAMPLED.items():
        lines = [line.strip() for line in Path(anchors[name]).read_text(encoding="utf-8").splitlines()]
        fit = [text for text in lines if 7 <= len(text.split()) <= 30]
        texts += draw.sample(fit, min(len(fit), count))
    return texts


def graded() -> Iterator[Line]:
    """Pair references with candidates of the same meaning, against reversed ones, in both directions.

    Candidates that say less are paired too, against those that deny the reference.
    """
    for line in islice(lines_of(written_file("written:graded")), GRADED):
        rated = {
            name: [text for text, quality in line["candidates"] if low <= quality <= high]
            for name, low, high in QUALITY
        }
        for text in rated["same"]:
            yield {"query": line["reference"], "positive": text, "negatives": rated["reversed"]}
            yield {"query": text, "positive": line["reference"], "negatives": rated["reversed"]}
        for text in rated["less"] if rated["denied"] else ():
            yield {"query": line["reference"], "positive": text, "negatives": rated["denied"]}


def questions(file: Path) -> Iterator[Line]:
    """Pair people's questions with the passage that answers them."""
    for line in lines_of(file):
        for question in line["questions"]:
            if not isinstance(question, dict) or question.get("answerable", True):
                text = question["text"] if isinstance(question, dict) else question
                yield {"query": text, "positive": line["passage"]}


def cloze(texts: Iterable[str]) -> Iterator[Line]:
    """Pair each sentence of a passage with the rest of the passage."""
    for document in load_parser().pipe(texts):
        sentences = [document.text[sentence.start : sentence.end] for sentence in document.sentences]
        for at, sentence in enumerate(sentences):
            rest = sentences[:at] + sentences[at + 1 :]
            if 5 <= len(sentence.split()) <= 45 and len(rest) > 1:
                yield {"query": sentence, "positive": " ".join(rest)}


def neighbours(triples: Path) -> Iterator[Line]:
    """Pair each anchor with one of its nearest neighbours in the base that has the same negation cues.

    The anchors are ordered by cluster, so that successive lines are similar.
    """
    import numpy as np

    from litotes.models import load

    anchors = sorted({line["anchor"] for line in lines_of(triples) if "/mirror/" not in line["id"]})
    vectors: np.ndarray = load("dense:minilm", batch=128, max_tokens=128).encode(anchors)  # type: ignore[union-attr]
    order = np.argsort(clusters(vectors), kind="stable")
    anchors, vectors = [anchors[at] for at in order], vectors[order]
    cues = [cue_bag(text) for text in anchors]
    draw = random.Random(5)
    for start in range(0, len(anchors), 1024):
        near = np.argsort(-(vectors[start : start + 1024] @ vectors.T), axis=1)[:, : NEIGHBOURS + 1]
        for row, candidates in enumerate(near, start):
            partner = _partner(row, candidates.tolist(), cues, draw)
            if partner is not None:
                yield {"query": anchors[row], "positive": anchors[partner]}


def clusters(vectors: Any, *, count: int = 400, rounds: int = 5) -> Any:
    """Return the cluster of each row: k-means by cosine, from rows drawn with a fixed seed."""
    import numpy as np

    centres = vectors[np.random.default_rng(3).choice(len(vectors), size=min(count, len(vectors)), replace=False)]
    for _ in range(rounds):
        nearest = np.argmax(vectors @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, vectors)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres)
    return np.argmax(vectors @ centres.T, axis=1)


def _partner(row: int, near: Sequence[int], cues: Sequence[Any], draw: random.Random) -> int | None:
    fit = [other for other in near if other != row and cues[other] == cues[row]]
    return draw.choice(fit) if fit else None


if __name__ == "__main__":
    raise SystemExit(main())
