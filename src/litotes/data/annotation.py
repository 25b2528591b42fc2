"""Annotation for people: tasks for Label Studio with the taxonomy paper's six questions, and what comes back.

Queries and documents are shuffled within each task, by a seed; the order is kept in the task's data, so that what comes
back can be put right again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.types import Contrast

RELEVANCE = ("Document 1", "Document 2", "none", "both")
GRADES = {
    "naturalness": (
        "Text is forced",
        "Noticeably awkward",
        "Minor issues",
        "Language flows well",
        "Perfectly polished",
    ),
    "coherence": (
        "No logical flow",
        "Large logical gaps",
        "Basic structure",
        "Mostly logical",
        "Fully logical and clear",
    ),
    "consistency": ("Contradictory", "Unstable", "Mixed", "Aligned", "Fully aligned"),
}
NOWHERE = "none of them"
PARTS = ("Query 1", "Query 2", "Document 1", "Document 2")


def config() -> str:
    """The labeling interface, as Label Studio's XML."""
    texts = "".join(
        f'  <Header value="{part}"/><Text name="{part.lower().replace(" ", "_")}" '
        f'value="${part.lower().replace(" ", "_")}"/>\n'
        for part in PARTS
    )
    questions = [
        _choices("relevance_1", "Which document is more relevant for query 1?", RELEVANCE, "query_1"),
        _choices("relevance_2", "Which document is more relevant for query 2?", RELEVANCE, "query_2"),
        _choices(
            "negation",
            "Which of the texts hold a negation? (Antonyms across a pair: mark both.)",
            (*PARTS, NOWHERE),
            "query_1",
            many=True,
        ),
    ]
    for name, labels in GRADES.items():
        numbered = [f"{number}: {label}" for number, label in enumerate(labels, start=1)]
        questions.append(_choices(name, f"Rate the {name} of the texts.", numbered, "document_1"))
    return f"<View>\n{texts}{''.join(questions)}</View>\n"


def _choices(name: str, title: str, values: Sequence[str], target: str, *, many: bool = False) -> str:
    choice = "multiple" if many else "single"
    inside = "".join(f'<Choice value="{value}"/>' for value in values)
    return (
        f'  <Header value="{title}"/>\n'
        f'  <Choices name="{name}" toName="{target}" choice="{choice}" required="true">{inside}</Choices>\n'
    )


def tasks(contrasts: Iterable[Contrast], *, seed: int = 0) -> list[dict[str, Any]]:
    """One task a contrast, its queries and its documents in an order of their own."""
    found = []
    for contrast in contrasts:
        if contrast.q2 is None:
            raise InputError(f"contrast {contrast.id} has no second query; the six questions need one")
        draw = random.Random(f"{seed}{contrast.id}")
        queries_turned, documents_turned = draw.random() < 0.5, draw.random() < 0.5
        queries = (contrast.q2, contrast.q1) if queries_turned else (contrast.q1, contrast.q2)
        documents = (contrast.doc2, contrast.doc1) if documents_turned else (contrast.doc1, contrast.doc2)
        data = dict(zip(("query_1", "query_2", "document_1", "document_2"), (*queries, *documents), strict=True))
        order: dict[str, Any] = {"id": contrast.id, "kind": contrast.kind}
        order |= {"queries_turned": queries_turned, "documents_turned": documents_turned}
        found.append({"data": {**data, **order}})
    return found


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's answers to one contrast, in the contrast's own order."""

    id: str
    kind: str
    annotator: str
    relevance: tuple[str, str]
    """for q1 and q2: doc1, doc2, none or both"""
    negation: frozenset[str]
    """q1, q2, doc1, doc2"""
    grades: tuple[int, int, int]
    """naturalness, coherence, consistency"""


def read_annotations(path: Path) -> list[Annotation]:
    """A Label Studio JSON export; an answer that is missing is an error that names its task."""
    try:
        exported = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(exported, list):
        raise InputError(f"{path}: expected Label Studio's JSON export, a list of tasks")
    found = []
    for number, task in enumerate(exported, start=1):
        try:
            data, annotations = task["data"], task.get("annotations", [])
            for one in annotations:
                if not one.get("was_cancelled"):
                    found.append(_annotation(data, one))
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
            data = task.get("data") if isinstance(task, dict) else None
            name = data.get("id", "?") if isinstance(data, dict) else f"number {number}"
            raise InputError(f"{path}: task {name}: an answer is missing or malformed ({error!r})") from error
    return found


def _annotation(data: dict[str, Any], one: dict[str, Any]) -> Annotation:
    answers = {result["from_name"]: result["value"]["choices"] for result in one["result"]}
    documents = ["doc2", "doc1"] if data["documents_turned"] else ["doc1", "doc2"]
    queries = ["q2", "q1"] if data["queries_turned"] else ["q1", "q2"]
    shown = dict(zip(PARTS, (*queries, *documents), strict=True))
    relevance = {
        query: shown.get(answers[name][0], answers[name][0])
        for query, name in zip(queries, ("relevance_1", "relevance_2"), strict=True)
    }
    grades = tuple(int(answers[name][0].split(":")[0]) for name in GRADES)
    return Annotation(
        str(data["id"]),
        str(data.get("kind", "")),
        str(one.get("completed_by", "")),
        (relevance["q1"], relevance["q2"]),
        frozenset(shown[part] for part in answers["negation"] if part != NOWHERE),
        (grades[0], grades[1], grades[2]),
    )


def ranking_sheet(contrasts: Iterable[Contrast], *, seed: int = 0) -> list[dict[str, str]]:
    """A sheet for measuring people on the ranking task itself: one row a query, the right document as A or B by lot."""
    rows = []
    for contrast in contrasts:
        for name, query in (("q1", contrast.q1), ("q2", contrast.q2)):
            if query is None:
                continue
            turned = random.Random(f"{seed}{contrast.id}{name}").random() < 0.5
            first, second = (contrast.doc2, contrast.doc1) if turned else (contrast.doc1, contrast.doc2)
            right = "A" if (name == "q1") != turned else "B"
            row = {"item": f"{contrast.id}/{name}", "query": query, "A": first, "B": second, "answer": ""}
            rows.append({**row, "right": right})
    random.Random(seed).shuffle(rows)
    return rows
