"""Retrieval in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv. SciFact, Cranfield, any other."""

from __future__ import annotations

from pathlib import Path

from litotes.data.general import Judgement, Retrieval, Text
from litotes.data.sets.reading import number, objects, table, text, there
from litotes.errors import InputError

HOME = "https://github.com/beir-cellar/beir"
COLUMNS = ("query-id", "corpus-id", "score")


def load(folder: Path, split: str = "test") -> Retrieval:
    """The collection, the queries judged in a split, and the judgements.

    A document is its title, a space and its text; a text that opens with its title, as Cranfield's do, is not given it
    twice.
    """
    what = "a retrieval set in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv)"
    judged = there(folder / "qrels" / f"{split}.tsv", what, HOME)
    judgements = []
    for where, _, (query, passage, score) in table(judged, COLUMNS, tabs=True):
        grade = number(score, "score", where)
        if grade != int(grade):
            raise InputError(f"{where}: score is {score}; expected a whole number")
        judgements.append(Judgement(query, passage, int(grade)))
    wanted = {judgement.query for judgement in judgements}
    queries = tuple(one for one in _texts(there(folder / "queries.jsonl", what, HOME)) if one.id in wanted)
    missing = wanted - {one.id for one in queries}
    if missing:
        raise InputError(f"{judged}: query {min(missing)} is judged but does not stand in queries.jsonl")
    return Retrieval(_texts(there(folder / "corpus.jsonl", what, HOME)), queries, tuple(judgements))


def _texts(path: Path) -> tuple[Text, ...]:
    found = []
    for where, row in objects(path):
        title, body = text(row, "title", where) if row.get("title") else "", text(row, "text", where)
        whole = body if body.startswith(title) else f"{title} {body}"
        found.append(Text(text(row, "_id", where), whole.strip()))
    return tuple(found)
