"""Make the training data of litotes-rerank from public text: python -m scripts.rerank_data --data DIR --out MADE

DIR has anchors/, squad/ and edits/, as described in docs/litotes-mini.md. MADE gets one file of JSON lines per source:
a query, the text that answers it, and texts that do not. No file comes from a benchmark. Files that exist are not made
again. It takes a few minutes on two cores.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from litotes.data.written import written_file
from litotes.errors import LitotesError
from litotes.models import load
from litotes.training.examples import DIFFERENT
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
"""The documents that a ranker finds for a query and that do not answer it, per query and ranker."""
DEPTH = 20
"""Among how many documents they are drawn."""
SKIPPED = 1
"""The first documents that a ranker finds are often right too, so they are not used."""
COMMON_WORDS = 0.4
"""A document that shares more of its words with the answer may be right too, and is not used."""
RANKERS = ("bm25", "dense:minilm")
SENTENCES = 12_000
"""The sentences that are paired with the rest of their passage."""
RESTATED, ALTERED = 0.9, 0.4
"""The lowest score of a candidate that says the same as its reference, and the highest of one that does not."""


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
    write(out / "verdicts.jsonl", verdicts())
    write(out / "restatements.jsonl", restatements())
    write(out / "exchanges.jsonl", exchanges())
    write(out / "crossings.jsonl", crossings())
    write(out / "edits.jsonl", edits(data / "edits"))
    write(out / "reviews.jsonl", reviews(data / "edits" / "review_edits.jsonl"))
    asked = list(questions(data / "squad" / "passages.jsonl"))
    write(out / "questions.jsonl", with_mined(asked, list(paragraphs(data)), RANKERS))
    searched = list(searches())
    write(out / "searches.jsonl", with_mined(searched, [line["positive"] for line in searched], RANKERS))
    claimed = list(claims())
    write(out / "claims.jsonl", with_mined(claimed, [line["positive"] for line in claimed], RANKERS))
    passages = [*paragraphs(data), *written_passages()]
    sentences = list(cloze(passages))
    drawn = random.Random(0).sample(sentences, min(SENTENCES, len(sentences)))
    write(out / "sentences.jsonl", with_mined(drawn, passages))


def verdicts() -> Iterator[Line]:
    """Give the first text of each written quadruple its equivalent, and its two opposites."""
    for line in lines_of(written_file("written:quadruples")):
        different = [{"text": line[name], "kind": "negation"} for name in ("b1", "b2")]
        yield {"text": line["a1"], "same": [line["a2"]], "different": different}


def restatements() -> Iterator[Line]:
    """Give each reference its restatements, and the candidates that say something else."""
    for line in lines_of(written_file("written:graded")):
        same = [text for text, score in line["candidates"] if score >= RESTATED]
        different = [{"text": text, "kind": DIFFERENT} for text, score in line["candidates"] if score <= ALTERED]
        if same:
            yield {"text": line["reference"], "same": same, "different": different}


def exchanges() -> Iterator[Line]:
    """Change the word that decides in the paraphrases of each written message, too, where it is a single word."""
    for line in lines_of(written_file("written:messages")):
        changes = [(one["kind"], *one["words"]) for one in line["different"]]
        words = [(kind, old, new) for kind, old, new in changes if old.isalnum() and new.isalnum()]
        for same in line["same"]:
            texts = {re.sub(rf"\b{old}\b", new, same): kind for kind, old, new in words}
            texts.pop(same, None)
            different = [{"text": text, "kind": kind} for text, kind in texts.items()]
            if different:
                yield {"text": same, "same": [line["text"]], "different": different}


def crossings() -> Iterator[Line]:
    """Pair the paraphrases of each written message with each other, and with half of the messages that differ."""
    for line in lines_of(written_file("written:messages")):
        rng = random.Random(line["text"])
        for at, text in enumerate(line["same"][:-1]):
            different = rng.sample(line["different"], len(line["different"]) // 2)
            plain = [{"text": one["text"], "kind": one["kind"]} for one in different]
            yield {"text": text, "same": line["same"][at + 1 :], "different": plain}


def searches() -> Iterator[Line]:
    """Pair each written search with its passage."""
    for line in lines_of(written_file("written:searches")):
        yield from ({"query": query, "positive": line["text"]} for query in line["claims"])


def claims() -> Iterator[Line]:
    """Pair each claim with the abstract that supports it."""
    for line in lines_of(written_file("written:abstracts")):
        yield from ({"query": claim, "positive": line["text"]} for claim in line["claims"])


def with_mined(pairs: Sequence[Line], documents: Iterable[str], rankers: Sequence[str] = ("bm25",)) -> Iterator[Line]:
    """Give each pair documents that each ranker finds for its query and that are not its answer.

    A document of the same source is a harder negative than a random one.
    """
    distinct = list(dict.fromkeys(documents))
    words = {text: frozenset(text.lower().split()) for text in (*distinct, *(line["positive"] for line in pairs))}
    loaded: list[Any] = [load(name) for name in rankers]
    vectors = {ranker.name: ranker.encode(distinct, role="document") for ranker in loaded if hasattr(ranker, "encode")}
    rng = random.Random(0)
    for start in range(0, len(pairs), 512):
        chunk = pairs[start : start + 512]
        queries = [line["query"] for line in chunk]
        tables = [
            ranker.encode(queries, role="query") @ vectors[ranker.name].T
            if ranker.name in vectors
            else ranker.matrix(queries, distinct)
            for ranker in loaded
        ]
        for at, line in enumerate(chunk):
            found: list[str] = []
            for scores in tables:
                ranked = [distinct[place] for place in (-scores[at]).argsort(kind="stable")[:DEPTH]]
                fitting = [text for text in ranked if _differs(line, text, words) and text not in found]
                found += rng.sample(fitting[SKIPPED:], min(MINED, len(fitting[SKIPPED:])))
            yield {**line, "negatives": found}


def _differs(line: Line, text: str, words: Mapping[str, frozenset[str]]) -> bool:
    """Return whether a document is neither the answer nor another version of it."""
    ours, others = words[line["positive"]], words[text]
    return line["query"] not in text and len(ours & others) <= COMMON_WORDS * len(ours | others)


if __name__ == "__main__":
    raise SystemExit(main())
