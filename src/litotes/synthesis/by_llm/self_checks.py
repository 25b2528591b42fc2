"""Ask the model about its own work: which passage answers a query, and whether two sentences can both be true."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from litotes.llm.answers import Answer, Request, ask
from litotes.synthesis.by_llm import prompts
from litotes.synthesis.by_llm.schemas import Compatibility, Relevance
from litotes.types import Contrast, Generator

COMPATIBLE = {"yes": "the model says that both can be true", "unclear": "the model does not know whether it denies"}
"""The reasons against a negation, by the model's answer."""


def failure_type(answer: Answer) -> str:
    """Return the part of an answer's reason that is counted: the words before its first colon."""
    return answer.reason.partition(":")[0]


def relevant(
    contrasts: Sequence[Contrast], *, generator: Generator, seed: int, counts: Counter[str], concurrency: int = 1
) -> Iterator[Contrast]:
    """Yield the contrasts whose queries, in the model's view, are answered by their own passage and not by the other.

    The model sees one query at a time, and the passages in random order, so that neither the other query nor a
    preference for the first passage helps.
    """
    requests = [_requests(contrast, seed) for contrast in contrasts]
    answers = ask(generator, (request for row in requests for request, _ in row), concurrency=concurrency)
    for contrast, row in zip(contrasts, requests, strict=True):
        letters = [letter for _, letter in row]
        replies = zip(letters, islice(answers, len(row)), strict=True)
        reasons = [_objection(f"q{n}", letter, answer) for n, (letter, answer) in enumerate(replies, start=1)]
        reason = next(filter(None, reasons), "")
        counts[reason or "kept"] += 1
        if not reason:
            yield contrast


def _requests(contrast: Contrast, seed: int) -> list[tuple[Request, str]]:
    """Return a request per query, with the letter of the query's own passage."""
    draw = random.Random(f"{seed}{contrast.id}")
    requests = []
    for query, own, other in (
        (contrast.q1, contrast.doc1, contrast.doc2),
        (contrast.q2, contrast.doc2, contrast.doc1),
    ):
        if query is not None:
            first = draw.random() < 0.5
            passages = (own, other) if first else (other, own)
            requests.append((prompts.relevance(query, *passages), "A" if first else "B"))
    return requests


def _objection(name: str, own: str, answer: Answer) -> str:
    if not isinstance(answer.value, Relevance):
        return f"self-check without an answer: {failure_type(answer)}"
    if answer.value.answer == own:
        return ""
    passages = {"both": "both passages", "neither": "neither passage"}
    return f"self-check: {name} is answered by {passages.get(answer.value.answer, 'the wrong passage')}"


def incompatible(pairs: Sequence[tuple[str, str]], *, generator: Generator, concurrency: int = 1) -> Iterator[str]:
    """Yield "" for each pair of sentences that cannot both be true in the model's view, and a reason for the others."""
    requests = (prompts.compatibility(first, second) for first, second in pairs)
    for answer in ask(generator, requests, concurrency=concurrency):
        if isinstance(answer.value, Compatibility):
            yield COMPATIBLE.get(answer.value.answer, "")
        else:
            yield f"self-check without an answer: {failure_type(answer)}"
