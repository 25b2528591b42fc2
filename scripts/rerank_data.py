"""Make the training data of litotes-rerank from public text: python -m scripts.rerank_data --data DIR --out MADE

DIR has anchors/, squad/ and edits/, as described in docs/litotes-mini.md. MADE gets one file of JSON lines per source:
a query, the text that answers it, and texts that do not. No file comes from a benchmark. Files that exist are not made
again. It takes a few minutes on two cores.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from litotes.data.written import written_file
from litotes.errors import LitotesError
from litotes.models import load
from scripts.mini_data import (
    Line,
    changed_sentences,
    cloze,
    edits,
    graded,
    lines_of,
    paragraphs,
    questions,
    reviews,
    write,
    written_passages,
)

MINED = 2
"""The documents that BM25 finds for a query and that do not answer it, per query."""
SKIPPED = 1
"""The first documents that BM25 finds are often right too, so they are not used."""
SENTENCES = 12_000
"""The sentences that are paired with the rest of their passage."""


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
    write(out / "changed_sentences.jsonl", changed_sentences(written_file("written:contrasts")))
    write(out / "graded.jsonl", graded())
    write(out / "edits.jsonl", edits(data / "edits"))
    write(out / "reviews.jsonl", reviews(data / "edits" / "review_edits.jsonl"))
    asked = list(questions(data / "squad" / "passages.jsonl"))
    write(out / "questions.jsonl", with_mined(asked, list(paragraphs(data))))
    searched = list(searches())
    write(out / "searches.jsonl", with_mined(searched, [line["positive"] for line in searched]))
    claimed = list(claims())
    write(out / "claims.jsonl", with_mined(claimed, [line["positive"] for line in claimed]))
    passages = [*paragraphs(data), *written_passages()]
    sentences = list(cloze(passages))
    drawn = random.Random(0).sample(sentences, min(SENTENCES, len(sentences)))
    write(out / "sentences.jsonl", with_mined(drawn, passages))


def searches() -> Iterator[Line]:
    """Pair each written search with its passage."""
    for line in lines_of(written_file("written:searches")):
        yield from ({"query": query, "positive": line["text"]} for query in line["claims"])


def claims() -> Iterator[Line]:
    """Pair each claim with the abstract that supports it."""
    for line in lines_of(written_file("written:abstracts")):
        yield from ({"query": claim, "positive": line["text"]} for claim in line["claims"])


def with_mined(pairs: Sequence[Line], documents: Iterable[str]) -> Iterator[Line]:
    """Give each pair the documents that BM25 finds for its query, without those that share a sentence with its answer.

    A document of the same source is a harder negative than a random one.
    """
    distinct = list(dict.fromkeys(documents))
    ranker = load("bm25")
    for start in range(0, len(pairs), 512):
        chunk = pairs[start : start + 512]
        scores = ranker.matrix([line["query"] for line in chunk], distinct)  # type: ignore[union-attr]
        for line, row in zip(chunk, scores, strict=True):
            ranked = [distinct[at] for at in (-row).argsort(kind="stable")[: 4 + SKIPPED + MINED]]
            others = [text for text in ranked if line["query"] not in text and text[:60] != line["positive"][:60]]
            different = [text for text in others if text != line["positive"]]
            yield {**line, "negatives": different[SKIPPED : SKIPPED + MINED]}


if __name__ == "__main__":
    raise SystemExit(main())
