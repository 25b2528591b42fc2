"""The model asked about its own work: which passage answers a query, and can two sentences both be true?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from litotes.llm.answers import Answer, Request, ask
from litotes.synth.by_llm import prompts
from litotes.synth.by_llm.schemas import Compatibility, Relevance
from litotes.types import Contrast, Generator

OPPOSED = {"yes": "the model holds both true", "unclear": "the model is unsure that it denies"}


def kind_of_trouble(answer: Answer) -> str:
    """The part of an answer's reason that is worth counting: the words before its first colon."""
    return answer.reason.partition(":")[0]


def relevant(
    contrasts: Sequence[Contrast], *, generator: Generator, seed: int, counts: Counter[str], concurrency: int = 1
) -> Iterator[Contrast]:
    """The contrasts whose queries are answered by their own passage and not by the other, as the model sees them.

    It is asked about one query at a time and sees the passages in an order drawn by lot, so that neither the other
    query nor a liking for the first passage helps.
    """
    questions = [_questions(contrast, seed) for contrast in contrasts]
    answers = ask(generator, (request for row in questions for request, _ in row), concurrency=concurrency)
    for contrast, row in zip(contrasts, questions, strict=True):
        given = list(islice(answers, len(row)))
        reasons = (_misplaced(f"q{n}", own, a) for n, ((_, own), a) in enumerate(zip(row, given, strict=True), start=1))
        reason = next(filter(None, reasons), "")
        counts[reason or "kept"] += 1
        if not reason:
            yield contrast


def _questions(contrast: Contrast, seed: int) -> list[tuple[Request, str]]:
    """Each query with the letter of its own passage."""
    draw = random.Random(f"{seed}{contrast.id}")
    found = []
    for query, own, other in (
        (contrast.q1, contrast.doc1, contrast.doc2),
        (contrast.q2, contrast.doc2, contrast.doc1),
    ):
        if query is not None:
            first = draw.random() < 0.5
            passages = (own, other) if first else (other, own)
            found.append((prompts.relevance(query, *passages), "A" if first else "B"))
    return found


def _misplaced(name: str, own: str, answer: Answer) -> str:
    if not isinstance(answer.value, Relevance):
        return f"self-check without an answer: {kind_of_trouble(answer)}"
    if answer.value.answer == own:
        return ""
    said = {"both": "both passages", "neither": "neither passage"}.get(answer.value.answer, "the other's passage")
    return f"self-check: {name} is answered by {said}"


def opposed(pairs: Sequence[tuple[str, str]], *, generator: Generator, concurrency: int = 1) -> Iterator[str]:
    """For two sentences each: "" where the model says that both cannot be true, otherwise a reason."""
    requests = (prompts.compatibility(first, second) for first, second in pairs)
    for answer in ask(generator, requests, concurrency=concurrency):
        if isinstance(answer.value, Compatibility):
            yield OPPOSED.get(answer.value.answer, "")
        else:
            yield f"self-check without an answer: {kind_of_trouble(answer)}"
