"""Retrieval: queries over a collection, in BEIR's layout or our own. nDCG@10, MRR@10, recall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from litotes.bench.measures import ndcg, recall, reciprocal_rank
from litotes.bench.rows import Figure, Row, average
from litotes.bench.scoring import Scorer
from litotes.bench.tasks.base import Base
from litotes.data.general import Retrieval

DEPTH = 100
MEASURES = {
    "nDCG@10": (ndcg, 10),
    "MRR@10": (reciprocal_rank, 10),
    "recall@10": (recall, 10),
    "recall@100": (recall, 100),
}


@dataclass(frozen=True, slots=True)
class Search(Base):
    """A collection as a task; only queries with a judgement count, and each of them does."""

    family = "retrieval"

    name: str
    split: str
    collection: Retrieval

    def content(self) -> Sequence[object]:
        return (*self.collection.queries, *self.collection.passages, *self.collection.judgements)

    def __len__(self) -> int:
        return len({judgement.query for judgement in self.collection.judgements})

    def texts(self) -> dict[str, list[str]]:
        asked = [query.text for query in self.collection.queries if query.id in self._grades()]
        return {"query": asked, "document": [passage.text for passage in self.collection.passages]}

    def evaluate(self, scorer: Scorer) -> list[Row]:
        """One row a query; a query for which nothing is found scores 0."""
        grades = self._grades()
        queries = [query for query in self.collection.queries if query.id in grades]
        # trec_eval puts the later id first where scores are equal
        passages = sorted(self.collection.passages, key=lambda passage: passage.id, reverse=True)
        found = scorer.search([query.text for query in queries], [passage.text for passage in passages], DEPTH)
        rankings = {
            query.id: [passages[place].id for place in places] for query, places in zip(queries, found, strict=True)
        }
        return [_row(query, rankings.get(query, []), grades[query]) for query in grades]

    def _grades(self) -> dict[str, dict[str, float]]:
        """The judged documents of each judged query."""
        found: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for judgement in self.collection.judgements:
            found[judgement.query][judgement.passage] = judgement.grade
        return found


def _row(query: str, ranking: Sequence[str], grades: dict[str, float]) -> Row:
    numbers = {name: measure(ranking, grades, k) for name, (measure, k) in MEASURES.items()}
    return Row(query, numbers["nDCG@10"], {} if ranking else {"unanswered": "nothing found"}, numbers)


def figures(rows: Sequence[Row]) -> list[Figure]:
    """The mean of each measure over the queries."""
    return [average(name, [row.numbers[name] for row in rows], scale=100) for name in MEASURES]
