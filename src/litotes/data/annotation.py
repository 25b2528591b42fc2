"""Annotation by people: write Label Studio tasks with the taxonomy paper's six questions, and read the exports.

Each task shows its queries and its documents in a random order, drawn by a seed. The task records the order, so that
the answers can be mapped back.
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
NO_NEGATION = "none of them"
LABELS = ("Query 1", "Query 2", "Document 1", "Document 2")


def label_studio_config() -> str:
    """Return the labeling interface as Label Studio's XML."""
    texts = "".join(
        f'  <Header value="{part}"/><Text name="{part.lower().replace(" ", "_")}" '
        f'value="${part.lower().replace(" ", "_")}"/>\n'
        for part in LABELS
    )
    questions = [
        _choices("relevance_1", "Which document is more relevant for query 1?", RELEVANCE, "query_1"),
        _choices("relevance_2", "Which document is more relevant for query 2?", RELEVANCE, "query_2"),
        _choices(
            "negation",
            "Which of the texts contain a negation? (For antonyms across a pair, mark both.)",
            (*LABELS, NO_NEGATION),
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
    options = "".join(f'<Choice value="{value}"/>' for value in values)
    return (
        f'  <Header value="{title}"/>\n'
        f'  <Choices name="{name}" toName="{target}" choice="{choice}" required="true">{options}</Choices>\n'
    )


def label_studio_tasks(contrasts: Iterable[Contrast], *, seed: int = 0) -> list[dict[str, Any]]:
    """Return one task per contrast, with its queries and its documents in random order."""
    made = []
    for contrast in contrasts:
        if contrast.q2 is None:
            raise InputError(
                f"contrast {contrast.id} has no second query; annotation needs both. Remove the contrast or add a query"
            )
        draw = random.Random(f"{seed}{contrast.id}")
        queries_swapped, documents_swapped = draw.random() < 0.5, draw.random() < 0.5
        queries = (contrast.q2, contrast.q1) if queries_swapped else (contrast.q1, contrast.q2)
        documents = (contrast.doc2, contrast.doc1) if documents_swapped else (contrast.doc1, contrast.doc2)
        data = dict(zip(("query_1", "query_2", "document_1", "document_2"), (*queries, *documents), strict=True))
        order: dict[str, Any] = {"id": contrast.id, "kind": contrast.kind}
        order |= {"queries_swapped": queries_swapped, "documents_swapped": documents_swapped}
        made.append({"data": {**data, **order}})
    return made


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's answers about one contrast, in the original order of its texts."""

    id: str
    kind: str
    annotator: str
    relevance: tuple[str, str]
    """The more relevant document for q1 and for q2: "doc1", "doc2", "none" or "both"."""
    negation: frozenset[str]
    """The texts with a negation: any of "q1", "q2", "doc1", "doc2"."""
    grades: tuple[int, int, int]
    """Naturalness, coherence and consistency, from 1 to 5."""


def read_annotations(path: Path) -> list[Annotation]:
    """Read a Label Studio JSON export; raise InputError with the name of the task if an answer is missing."""
    try:
        exported = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(exported, list):
        raise InputError(f"{path}: expected Label Studio's JSON export, a list of tasks")
    read = []
    for number, task in enumerate(exported, start=1):
        try:
            data, annotations = task["data"], task.get("annotations", [])
            read += [_annotation(data, answered) for answered in annotations if not answered.get("was_cancelled")]
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
            data = task.get("data") if isinstance(task, dict) else None
            name = data.get("id", "?") if isinstance(data, dict) else f"number {number}"
            raise InputError(f"{path}: task {name}: an answer is missing or malformed ({error!r})") from error
    return read


def _annotation(data: dict[str, Any], answered: dict[str, Any]) -> Annotation:
    answers = {result["from_name"]: result["value"]["choices"] for result in answered["result"]}
    documents = ["doc2", "doc1"] if data["documents_swapped"] else ["doc1", "doc2"]
    queries = ["q2", "q1"] if data["queries_swapped"] else ["q1", "q2"]
    text_by_label = dict(zip(LABELS, (*queries, *documents), strict=True))
    relevance = {
        query: text_by_label.get(answers[name][0], answers[name][0])
        for query, name in zip(queries, ("relevance_1", "relevance_2"), strict=True)
    }
    grades = tuple(int(answers[name][0].split(":")[0]) for name in GRADES)
    return Annotation(
        str(data["id"]),
        str(data.get("kind", "")),
        str(answered.get("completed_by", "")),
        (relevance["q1"], relevance["q2"]),
        frozenset(text_by_label[label] for label in answers["negation"] if label != NO_NEGATION),
        (grades[0], grades[1], grades[2]),
    )


def ranking_sheet(contrasts: Iterable[Contrast], *, seed: int = 0) -> list[dict[str, str]]:
    """Return a sheet that measures people on the ranking task: one row per query, in random order.

    Whether the right document is A or B is drawn at random.
    """
    rows = []
    for contrast in contrasts:
        for name, query in (("q1", contrast.q1), ("q2", contrast.q2)):
            if query is None:
                continue
            swapped = random.Random(f"{seed}{contrast.id}{name}").random() < 0.5
            first, second = (contrast.doc2, contrast.doc1) if swapped else (contrast.doc1, contrast.doc2)
            right = "A" if (name == "q1") != swapped else "B"
            row = {"item": f"{contrast.id}/{name}", "query": query, "A": first, "B": second, "answer": ""}
            rows.append({**row, "right": right})
    random.Random(seed).shuffle(rows)
    return rows
