"""A language model that puts a list of documents in order, a window at a time from the end to the front."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import pairs_of, texts_of
from litotes.models.llm.adapters import Asked
from litotes.models.llm.asking import Questions
from litotes.models.llm.prompts import LISTWISE
from litotes.models.llm.reading import without_thinking

if TYPE_CHECKING:
    import numpy as np

WINDOW, STEP, WORDS = 10, 5, 200
EXAMPLE = ("[2]", "[1]", "[3]")
# "[2] > [1] > [3]", "2 > 1 > 3", or numbers in brackets with commas or line ends between
_ROW = re.compile(r"\[?\b\d{1,6}\b\]?(?:\s*>\s*\[?\d{1,6}\b\]?)+|\[\d{1,6}\](?:\s*[,;\n]\s*\[\d{1,6}\])+")
_NAMED = re.compile(r"\[(\d{1,6})\]")
# an answer that is numbers and nothing more
_BARE = re.compile(r"\W*\d{1,6}(?:\W+\d{1,6})*\W*")
# lines may be numbered themselves: "1. [2]"
_PLACE = re.compile(r"(?:^|(?<=\n))\s*\d+[.)]\s*(?=\[)")


class ListwiseLlm(Asked):
    """Orders lists. Of a long list it sees `window` documents at a time, and each next window begins `step` nearer to
    the front, so that a good document far down is carried up; documents are cut to `words`."""

    def __init__(
        self, name: str, questions: Questions, *, window: int = WINDOW, step: int = STEP, words: int = WORDS
    ) -> None:
        super().__init__(name, questions)
        if window < 2:
            raise InputError(f"window is {window}; expected 2 or more documents")
        if not 1 <= step <= window:
            raise InputError(f"step is {step}; expected 1 to {window}, or documents between two windows are never seen")
        if words < 1:
            raise InputError(f"words is {words}; expected 1 or more")
        self.window, self.step, self.words = window, step, words

    def rank(self, query: str, documents: Sequence[str]) -> list[int]:
        """The places of the documents, best first; where no answer could be read they stay as they were given."""
        [found] = self.orders([query], [documents])
        return list(range(len(documents))) if found is None else found

    def orders(self, queries: Sequence[str], lists: Sequence[Sequence[str]]) -> list[list[int] | None]:
        """The places of each list's documents, best first; None where not one answer about a list could be read.

        What an answer leaves out keeps its old order behind what it names.
        """
        asked, held = texts_of(queries, "queries"), [texts_of(one, "documents") for one in lists]
        if len(asked) != len(held):
            raise InputError(f"{len(asked)} queries and {len(held)} lists; expected one list beside each query")
        orders = [list(range(len(one))) for one in held]
        read = [len(one) < 2 for one in held]
        ways = [list(windows(len(one), self.window, self.step)) for one in held]
        for turn in range(max(map(len, ways), default=0)):
            # all lists take their next window together: it is what can be asked side by side
            going = [at for at, way in enumerate(ways) if turn < len(way)]
            spans = [ways[at][turn] for at in going]
            shown = [[held[at][place] for place in orders[at][span]] for at, span in zip(going, spans, strict=True)]
            prompts = [self._prompt(asked[at], those) for at, those in zip(going, shown, strict=True)]
            answers = self._questions.answers(prompts)
            for at, span, those, answer in zip(going, spans, shown, answers, strict=True):
                named = read_order(answer or "", len(those))
                self._questions.unread += not named
                read[at] |= bool(named)
                orders[at][span] = _moved(orders[at][span], named)
        return [order if done else None for order, done in zip(orders, read, strict=True)]

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """One over the rank of each document among all those given with its query; NaN where no answer could be read.

        The list is shown in an order drawn from its texts, so that a score does not depend on the order of the call.
        """
        import numpy as np

        asked, answers = pairs_of(queries, documents)
        lists: dict[str, dict[str, None]] = {}
        for query, document in zip(asked, answers, strict=True):
            lists.setdefault(query, {})[document] = None
        shown = [sorted(those, key=partial(_drawn, query)) for query, those in lists.items()]
        scores: dict[tuple[str, str], float] = {}
        for query, those, order in zip(lists, shown, self.orders(list(lists), shown), strict=True):
            places = range(len(those)) if order is None else order
            for rank, place in enumerate(places, start=1):
                scores[query, those[place]] = float("nan") if order is None else 1 / rank
        return np.array([scores[pair] for pair in zip(asked, answers, strict=True)], dtype=np.float64)

    def details(self) -> dict[str, Any]:
        how = {"window": self.window, "step": self.step, "words": self.words}
        return {"prompts": {"listwise": LISTWISE}, "lists": how, **self._questions.facts()}

    def _prompt(self, query: str, documents: Sequence[str]) -> str:
        passages = "\n".join(f"[{at}] {cut(text, self.words)}" for at, text in enumerate(documents, start=1))
        example = " > ".join(EXAMPLE[: len(documents)])
        return LISTWISE.format(query=query, passages=passages, count=len(documents), example=example)


def windows(count: int, window: int, step: int) -> Iterator[slice]:
    """From the end of a list to its front, each begun `step` before the last; nothing to order, no window."""
    if count < 2:
        return
    start = max(0, count - window)
    yield slice(start, count)
    while start:
        start = max(0, start - step)
        yield slice(start, start + window)


def cut(text: str, words: int) -> str:
    """The first words of a text, on one line."""
    found = text.split()
    return " ".join(found) if len(found) <= words else " ".join(found[:words]) + " …"


def read_order(answer: str, count: int) -> list[int]:
    """The places an answer names, from 0, each once; none where it names none of the list.

    Read from its longest row of numbers, and of equally long ones from the last; else from an answer that is nothing
    but numbers, or has one number in brackets. Several brackets amid prose may be the passages told again.
    """
    lines = (" ".join(line.split()) for line in without_thinking(answer).splitlines())
    said = _PLACE.sub("", "\n".join(line for line in lines if line))
    rows: list[list[str]] = [re.findall(r"\d+", row) for row in _ROW.findall(said)]
    if not rows and (_BARE.fullmatch(said) or len(set(_NAMED.findall(said))) == 1):
        rows = [_NAMED.findall(said) or re.findall(r"\d+", said)]
    numbers = max(reversed(rows), key=len, default=[])
    places = dict.fromkeys(int(number) - 1 for number in numbers)
    return [place for place in places if 0 <= place < count]


def _moved(order: Sequence[int], named: Sequence[int]) -> list[int]:
    first = set(named)
    return [*(order[at] for at in named), *(place for at, place in enumerate(order) if at not in first)]


def _drawn(query: str, text: str) -> str:
    return hashlib.sha256(f"{query}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
