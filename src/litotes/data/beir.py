"""Retrieval in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from litotes.data.items import Judgement, Retrieval, Text
from litotes.data.reading import existing, number, objects, table, text
from litotes.data.selection import DataSelection
from litotes.errors import InputError

HOME = "https://github.com/beir-cellar/beir"
COLUMNS = ("query-id", "corpus-id", "score")
LAYOUT = "a retrieval set in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv)"


def load(folder: Path, split: str = "test") -> Retrieval:
    """Load the collection, the queries that are judged in a split, and the judgements.

    A document is its title, a space and its text. If the text begins with the title, as Cranfield's do, the title is
    not repeated.
    """
    judged = existing(folder / "qrels" / f"{split}.tsv", LAYOUT, HOME)
    judgements = []
    for where, _, (query, passage, score) in table(judged, COLUMNS, tabs=True):
        grade = number(score, "score", where)
        if grade != int(grade):
            raise InputError(f"{where}: score is {score}; expected a whole number")
        judgements.append(Judgement(query, passage, int(grade)))
    wanted = {judgement.query for judgement in judgements}
    queries = tuple(query for query in _texts(existing(folder / "queries.jsonl", LAYOUT, HOME)) if query.id in wanted)
    missing = wanted - {query.id for query in queries}
    if missing:
        raise InputError(f"{judged}: query {min(missing)} is judged but is not in queries.jsonl")
    return Retrieval(_texts(existing(folder / "corpus.jsonl", LAYOUT, HOME)), queries, tuple(judgements))


def selected(selection: DataSelection, collection: Retrieval) -> Retrieval:
    """Return the collection with the queries of the selected half; all documents stay."""
    return collection.with_queries(selection.select(collection.queries, key=lambda query: query.id))


def count_rows(folder: Path, name: str, split: str) -> Mapping[str, int]:
    """Count the documents and the queries of a split of the set NAME."""
    collection = load(folder / name, split)
    return {f"{name}/corpus.jsonl": len(collection.passages), f"{name}/qrels/{split}.tsv": len(collection.queries)}


def _texts(path: Path) -> tuple[Text, ...]:
    texts = []
    for where, row in objects(path):
        title, body = text(row, "title", where) if row.get("title") else "", text(row, "text", where)
        whole = body if body.startswith(title) else f"{title} {body}"
        texts.append(Text(text(row, "_id", where), whole.strip()))
    return tuple(texts)
