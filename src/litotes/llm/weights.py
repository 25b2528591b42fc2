"""How likely each of a few answers was: read off the log-probabilities that came with a reply."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from litotes.errors import InputError, UnansweredError
from litotes.llm.replies import said
from litotes.types import MALFORMED


@runtime_checkable
class Weighing(Protocol):
    """A generator that can say how likely each of a few answers is, instead of giving one."""

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class Place:
    """One token of an answer: what was taken, and what might have been; natural logarithms of probabilities."""

    token: str
    logarithm: float
    listed: tuple[tuple[str, float], ...]

    def of(self, label: str) -> float:
        """All listed tokens that are the label but for blanks and case, together; −∞ where none is."""
        return _together([found for token, found in self.listed if _plain(token) == label])


def checked_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels as tokens are compared with them."""
    plain = tuple(map(_plain, (labels,) if isinstance(labels, str) else labels))
    if len(plain) < 2 or not all(plain) or len(set(plain)) < len(plain):
        raise InputError(f"labels are {labels!r}; expected two or more words that differ by more than case")
    return plain


def is_weighed(found: Any) -> bool:
    """Whether something read from a file is a list of log-probabilities."""
    return isinstance(found, list) and bool(found) and all(isinstance(one, int | float) for one in found)


def weights(reply: Any, labels: Sequence[str]) -> list[float] | None:
    """The log-probability of each label where the answer begins; None where the reply came without any.

    An answer may begin after a blank that is a token of its own: the labels are read where they weigh most.
    """
    if getattr(reply.choices[0], "finish_reason", None) == "content_filter":
        raise UnansweredError("filtered")
    places = _places(reply)
    if not places:
        if not said(reply):
            # a model that ended at once: some endpoints list nothing then
            raise UnansweredError("empty")
        return None
    before, heaviest, found = 0.0, -math.inf, []
    for place in places:
        here = [place.of(label) for label in labels]
        weight = before + _together(here)
        if weight > heaviest:
            heaviest, least = weight, min(logarithm for _, logarithm in place.listed)
            found = [least if one == -math.inf else one for one in here]
        if place.token.strip():
            break
        before += place.logarithm
    if not found:
        raise UnansweredError("no label")
    return found


def _places(reply: Any) -> list[Place]:
    """The tokens of a reply that lists others beside them; none where it does not."""
    choice = reply.choices[0]
    try:
        given = choice.model_dump(warnings=False)["logprobs"]
        # chats have a list of tokens; llama.cpp gives the same for completions, all others a list a field
        places = [_place(one) for one in given["content"]] if given.get("content") else _columns(given)
    except (*MALFORMED, AttributeError):
        return []
    return places if all(place.listed for place in places) else []


def _place(one: dict[str, Any]) -> Place:
    listed = [(other["token"], other["logprob"]) for other in one["top_logprobs"]]
    return _made(one["token"], one["logprob"], listed)


def _columns(given: dict[str, Any]) -> list[Place]:
    rows = zip(given["tokens"], given["token_logprobs"], given["top_logprobs"], strict=True)
    return [_made(token, logarithm, listed.items()) for token, logarithm, listed in rows]


def _made(token: object, logarithm: Any, listed: Iterable[tuple[object, Any]]) -> Place:
    pairs = ((str(other), float(found)) for other, found in listed)
    return Place(str(token), float(logarithm), tuple(pair for pair in pairs if math.isfinite(pair[1])))


def _plain(token: str) -> str:
    return token.strip().casefold()


def _together(logarithms: Sequence[float]) -> float:
    """The logarithm of the sum of probabilities; −∞ for none."""
    top = max(logarithms, default=-math.inf)
    if top == -math.inf:
        return top
    return top + math.log(sum(math.exp(one - top) for one in logarithms))
