"""A ranker that asks a language model to sort a list of documents, window by window from the end to the front."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import check_pairs, check_texts
from litotes.models.llm.answers import without_thinking
from litotes.models.llm.prompts import LISTWISE
from litotes.models.llm.questions import PromptRunner
from litotes.models.llm.rankers import LlmAdapter

if TYPE_CHECKING:
    import numpy as np

WINDOW, STEP, WORDS = 10, 5, 200
EXAMPLE = ("[2]", "[1]", "[3]")
# "[2] > [1] > [3]", "2 > 1 > 3", or numbers in brackets separated by commas or line breaks
_ROW = re.compile(r"\[?\b\d{1,6}\b\]?(?:\s*>\s*\[?\d{1,6}\b\]?)+|\[\d{1,6}\](?:\s*[,;\n]\s*\[\d{1,6}\])+")
_NAMED = re.compile(r"\[(\d{1,6})\]")
# an answer of numbers only
_BARE = re.compile(r"\W*\d{1,6}(?:\W+\d{1,6})*\W*")
# a line number: "1. [2]"
_LINE_NUMBER = re.compile(r"(?:^|(?<=\n))\s*\d+[.)]\s*(?=\[)")


class ListwiseLlm(LlmAdapter):
    """A ranker that sorts lists.

    It shows `window` documents of a long list at a time. Each window begins `step` documents before the last, so that a
    good document moves up from the end of the list. Documents are truncated to `words`.
    """

    def __init__(
        self, name: str, runner: PromptRunner, *, window: int = WINDOW, step: int = STEP, words: int = WORDS
    ) -> None:
        super().__init__(name, runner)
        if window < 2:
            raise InputError(f"window is {window}; expected 2 or more documents")
        if not 1 <= step <= window:
            raise InputError(f"step is {step}; expected 1 to {window}, so that every document is in a window")
        if words < 1:
            raise InputError(f"words is {words}; expected 1 or more")
        self.window, self.step, self.words = window, step, words

    def rank(self, query: str, documents: Sequence[str]) -> list[int]:
        """Return the indices of the documents, best first; in the original order if no answer could be read."""
        [order] = self.orders([query], [documents])
        return list(range(len(documents))) if order is None else order

    def orders(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[list[int] | None]:
        """Return the indices of each list's documents, best first; None if no answer about a list could be read.

        Documents that an answer does not name keep their order, after those it names.
        """
        checked, documents = check_texts(queries, "queries"), [check_texts(texts, "documents") for texts in lists]
        if len(checked) != len(documents):
            raise InputError(f"{len(checked)} queries and {len(documents)} lists; expected one list per query")
        orders = [list(range(len(texts))) for texts in documents]
        answered = [len(texts) < 2 for texts in documents]
        schedules = [list(windows(len(texts), self.window, self.step)) for texts in documents]
        for turn in range(max(map(len, schedules), default=0)):
            # The next windows of all lists are asked together, since they do not depend on each other.
            active = [at for at, schedule in enumerate(schedules) if turn < len(schedule)]
            spans = [schedules[at][turn] for at in active]
            shown = [[documents[at][i] for i in orders[at][span]] for at, span in zip(active, spans, strict=True)]
            prompts = [self._prompt(checked[at], texts) for at, texts in zip(active, shown, strict=True)]
            answers = self._runner.answers(prompts)
            for at, span, texts, answer in zip(active, spans, shown, answers, strict=True):
                named = read_order(answer or "", len(texts))
                self._runner.unread += not named
                answered[at] |= bool(named)
                orders[at][span] = _reordered(orders[at][span], named)
        return [order if done else None for order, done in zip(orders, answered, strict=True)]

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return 1/rank of each document among all documents of its query; NaN if no answer could be read.

        The list is shown in a random order that depends only on its texts, so the order of the call does not matter.
        """
        import numpy as np

        left, right = check_pairs(queries, documents)
        lists: dict[str, dict[str, None]] = {}
        for query, document in zip(left, right, strict=True):
            lists.setdefault(query, {})[document] = None
        shown = [sorted(texts, key=partial(_shuffle_key, query)) for query, texts in lists.items()]
        scores: dict[tuple[str, str], float] = {}
        for query, texts, order in zip(lists, shown, self.orders(list(lists), shown), strict=True):
            for rank, index in enumerate(range(len(texts)) if order is None else order, start=1):
                scores[query, texts[index]] = float("nan") if order is None else 1 / rank
        return np.array([scores[pair] for pair in zip(left, right, strict=True)], dtype=np.float64)

    def details(self) -> dict[str, Any]:
        settings = {"window": self.window, "step": self.step, "words": self.words}
        return {"prompts": {"listwise": LISTWISE}, "lists": settings, **self._runner.facts()}

    def _prompt(self, query: str, documents: Sequence[str]) -> str:
        passages = "\n".join(f"[{at}] {cut(text, self.words)}" for at, text in enumerate(documents, start=1))
        example = " > ".join(EXAMPLE[: len(documents)])
        return LISTWISE.format(query=query, passages=passages, count=len(documents), example=example)


def windows(count: int, window: int, step: int) -> Iterator[slice]:
    """Yield windows from the end of a list to its front, each `step` before the last; none for fewer than two items."""
    if count < 2:
        return
    start = max(0, count - window)
    yield slice(start, count)
    while start:
        start = max(0, start - step)
        yield slice(start, start + window)


def cut(text: str, words: int) -> str:
    """Return the first words of a text, on one line."""
    split = text.split()
    return " ".join(split) if len(split) <= words else " ".join(split[:words]) + " …"


def read_order(answer: str, count: int) -> list[int]:
    """Return the distinct indices that an answer names, from 0; an empty list if it names none of the list.

    They are taken from its longest row of numbers, the last of several equally long ones; or from an answer that is
    only numbers or has a single number in brackets. Several brackets in prose may just repeat the passages.
    """
    lines = (" ".join(line.split()) for line in without_thinking(answer).splitlines())
    text = _LINE_NUMBER.sub("", "\n".join(line for line in lines if line))
    rows: list[list[str]] = [re.findall(r"\d+", row) for row in _ROW.findall(text)]
    if not rows and (_BARE.fullmatch(text) or len(set(_NAMED.findall(text))) == 1):
        rows = [_NAMED.findall(text) or re.findall(r"\d+", text)]
    numbers = max(reversed(rows), key=len, default=[])
    indices = dict.fromkeys(int(number) - 1 for number in numbers)
    return [index for index in indices if 0 <= index < count]


def _reordered(order: Sequence[int], named: Sequence[int]) -> list[int]:
    first = set(named)
    return [*(order[at] for at in named), *(index for at, index in enumerate(order) if at not in first)]


def _shuffle_key(query: str, text: str) -> str:
    return hashlib.sha256(f"{query}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
