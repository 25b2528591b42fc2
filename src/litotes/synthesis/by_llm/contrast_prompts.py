"""The prompts for contrasts from a document, in the taxonomy paper's steps: one per kind, one for all quantifiers.

The steps are q1, doc1, q2, doc2. In free generation, q2 is answered by a new passage. In controlled generation, doc2 is
doc1 with its negation reversed and every other word unchanged. The worked examples are in examples.jsonl.

The texts are cache keys: changing one makes all cached answers to it useless.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from litotes.llm.answers import Request
from litotes.synthesis.by_llm.prompts import Example, Fields, defined, prompt, system
from litotes.synthesis.by_llm.schemas import AntonymPairing, Pairing, Quantified, Shape
from litotes.taxonomy import kinds

MODES = ("free", "controlled")
QUANTIFIED = ("contradiction", "contrary", "subcontrary")
ANTONYMS = ("immediate", "polar", "mid")
FORMS = ("all", "some_not", "no", "some")


@dataclass(frozen=True, slots=True)
class Steps:
    """The instructions of a kind: for the first query, its passage, the second query, and controlled generation."""

    q1: str
    doc1: str
    q2: str
    reverse: str


STEPS = {
    "sentential": Steps(
        "holds exactly one negating word, and beside it no word that counts (all, some, every).",
        "It holds exactly one negating word; where the document denies nothing, put the denial in.",
        "q1 with the negation taken out.",
        "doc1 with the negation taken out",
    ),
    "exceptor": Steps(
        "asks for the members of a set, with exactly one of them taken out by such an expression.",
        "It tells of the members that are left, and uses no expression of exception itself.",
        "a query for the one that q1 takes out, and for nothing else.",
        "doc1 with the one that q1 takes out put in the place of the members that are left",
    ),
    "affixal": Steps(
        "holds exactly one word with a negating affix and no other negation.",
        "It holds the same affixed word and no other negation; where the document lacks the word, put it in.",
        "q1 with the word without its affix.",
        "doc1 with the word without its affix",
    ),
    "implicit": Steps(
        "holds exactly one word that denies by its own meaning: no affixed word, no other negation.",
        "It holds the same word and no other negation; where the document lacks the word, put it in.",
        "q1 with that word exchanged for what it denies, or taken out.",
        "doc1 with that word exchanged for what it denies, or taken out",
    ),
} | dict.fromkeys(
    ANTONYMS,
    Steps(
        "holds word1 and no negation.",
        "It holds word1; where the document lacks the word, put it in.",
        "q1 with word2 in the place of word1.",
        "doc1 with word2 in the place of word1",
    ),
)
# The paper draws cues for hedges only; a drawn cue keeps a model from writing the same "not" everywhere.
CUED = ("sentential", "exceptor", "affixal", "implicit")
INTRODUCTION = """\
You write test material for search engines. From "document" you make two queries and two passages that differ in one
negation, so that only a reader who understands it can tell which passage belongs to which query.
{kind}
A query is what a person types into a search box: 4 to 16 words, clear without the document, with a limited answer that
could be looked up, and not a matter of yes or no. A passage has 15 to 60 words and reads like a search result."""
PAIRING = """\
Work in this order:
{words}- "q1": a query that {q1}
- "doc1": a passage from the document, shortened or reworded as needed, that answers q1. {doc1}
- "q2": {q2}
- "doc2": {doc2}.
doc1 must answer q1 and not q2; doc2 must answer q2 and not q1."""
CHOOSE_WORDS = """\
- "word1", "word2": two single words of this kind that suit the document; neither is the other with an affix.
"""
CUE = """Use the cue given as "cue" if it suits the document, otherwise another of the kind."""
NEW_PASSAGE = (
    "a passage that answers q2, written afresh: other sentences, another case where one is needed, as plausible as doc1"
)
REVERSED = "{reverse}, and every other word left as it is"
QUANTIFIED_TASK = """\
Write one query in four forms with the same content, then a passage for each. The forms:
- "all": one word for all or every, no negation.
- "some_not": one word for some, and after it one negation: some … do not ….
- "no": none of them: no …, none of ….
- "some": one word for some, no negation.
"query_all", "query_some_not", "query_no" and "query_some" are the queries; "passage_all", "passage_some_not",
"passage_no" and "passage_some" are the passages, each with the same quantifier as its query. Write no symbols and no
"false". {passages}"""
PASSAGES = {
    "free": "Each passage is written afresh: other sentences, another case.",
    "controlled": "The passages are one passage from the document in four forms: only the quantifier and the negation "
    "differ.",
}


def pairing(kind: str, document: str, *, mode: str, cue: str = "") -> Request:
    """Ask for two queries and two passages of one sentence-level or antonym kind."""
    shape = AntonymPairing if kind in ANTONYMS else Pairing
    return Request(_pairing_system(kind, mode), prompt(_fields(document, cue)), shape)


def quantified(document: str, *, mode: str) -> Request:
    """Ask for a query in four quantifier forms and four passages, from which the three quantifier kinds are made."""
    return Request(_quantified_system(mode), prompt(_fields(document, "")), Quantified)


@cache
def examples() -> dict[str, dict[str, Any]]:
    """Return the worked example of each task, by name."""
    lines = files("litotes.synthesis.by_llm").joinpath("examples.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["task"]: row for row in map(json.loads, lines)}


@cache
def _pairing_system(kind: str, mode: str) -> str:
    steps = STEPS[kind]
    doc2 = NEW_PASSAGE if mode == "free" else REVERSED.format(reverse=steps.reverse)
    words = CHOOSE_WORDS if kind in ANTONYMS else ""
    group = f"{kinds()['contrasting'].definition} " if kind in ANTONYMS else ""
    named = f'The negation is of the kind "{kind}". {group}{defined(kind)}'
    task = PAIRING.format(words=words, q1=steps.q1, doc1=steps.doc1, q2=steps.q2, doc2=doc2)
    parts = [INTRODUCTION.format(kind=named), task, *([CUE] if kind in CUED else [])]
    row = examples()[kind]
    shape: type[Shape] = AntonymPairing if kind in ANTONYMS else Pairing
    answer = {key: row[mode] if key == "doc2" else row[key] for key in shape.model_fields}
    return system("\n".join(parts), shape, [(_fields(row["document"], row.get("cue", "")), answer)])


@cache
def _quantified_system(mode: str) -> str:
    named = "\n".join(f'The kind "{kind}": {defined(kind)}' for kind in QUANTIFIED)
    task = QUANTIFIED_TASK.format(passages=PASSAGES[mode])
    row = examples()["quantified"]
    answer = {f"query_{form}": row["queries"][form] for form in FORMS}
    answer |= {f"passage_{form}": row[mode][form] for form in FORMS}
    example: Example = (_fields(row["document"], ""), answer)
    return system(f"{INTRODUCTION.format(kind=named)}\n{task}", Quantified, [example])


def _fields(document: str, cue: str) -> Fields:
    return {"document": document, "cue": cue} if cue else {"document": document}
