"""Retrieval: queries over a collection. nDCG@10, MRR@10, recall; and violations, if a set names violating documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from litotes.data.items import Retrieval
from litotes.data.result_files import ItemRow
from litotes.evaluation.figures import Figure, average
from litotes.evaluation.measures import first_violation, ndcg, recall, reciprocal_rank, violation
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.base import BaseTask

DEPTH = 100
MEASURES = {
    "nDCG@10": (ndcg, 10),
    "MRR@10": (reciprocal_rank, 10),
    "recall@10": (recall, 10),
    "recall@100": (recall, 100),
}
VIOLATIONS = {"V@1": (violation, 1), "V@10": (violation, 10), "FVR@10": (first_violation, 10)}
"""For queries with results and with documents that violate them. Lower is better for V, higher for FVR."""


@dataclass(frozen=True, slots=True)
class RetrievalTask(BaseTask):
    """A collection as a task. Only queries with a judgement count, and each of them does."""

    family = "retrieval"

    name: str
    split: str
    items: Retrieval
    violations: bool = False
    """Whether a grade below 0 marks a document that violates the query."""

    def content(self) -> Sequence[object]:
        return (*self.items.queries, *self.items.passages, *self.items.judgements)

    def __len__(self) -> int:
        return len({judgement.query for judgement in self.items.judgements})

    def texts(self) -> dict[str, list[str]]:
        judged = self._grades()
        queries = [query.text for query in self.items.queries if query.id in judged]
        return {"query": queries, "document": [passage.text for passage in self.items.passages]}

    def evaluate(self, scorer: CachedScorer) -> list[ItemRow]:
        """Return one row per query; a query for which nothing is found scores 0."""
        grades = self._grades()
        queries = [query for query in self.items.queries if query.id in grades]
        # trec_eval ranks the later id first if scores are equal
        passages = sorted(self.items.passages, key=lambda passage: passage.id, reverse=True)
        places = scorer.search([query.text for query in queries], [passage.text for passage in passages], DEPTH)
        rankings = {
            query.id: [passages[place].id for place in ranked] for query, ranked in zip(queries, places, strict=True)
        }
        return [_row(query, rankings.get(query, []), grades[query], violations=self.violations) for query in grades]

    def _grades(self) -> dict[str, dict[str, float]]:
        """Return the judged documents of each judged query."""
        grades: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for judgement in self.items.judgements:
            grades[judgement.query][judgement.passage] = judgement.grade
        return grades


TASK = RetrievalTask


def _row(query: str, ranking: Sequence[str], grades: dict[str, float], *, violations: bool) -> ItemRow:
    violated = violations and bool(ranking) and any(grade < 0 for grade in grades.values())
    measures = MEASURES | (VIOLATIONS if violated else {})
    numbers = {name: measure(ranking, grades, k) for name, (measure, k) in measures.items()}
    return ItemRow(query, numbers["nDCG@10"], {} if ranking else {"unanswered": "nothing found"}, numbers)


def figures(rows: Sequence[ItemRow]) -> list[Figure]:
    """Return the mean of each measure over the queries; V and FVR over those with documents that violate them."""
    computed = [average(name, [row.numbers[name] for row in rows], scale=100) for name in MEASURES]
    violated = [row for row in rows if "FVR@10" in row.numbers]
    for name in VIOLATIONS if violated else ():
        scale = 1 if name.startswith("FVR") else 100
        computed.append(average(name, [row.numbers[name] for row in violated], scale=scale))
    return computed
