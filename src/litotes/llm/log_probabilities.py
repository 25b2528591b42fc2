"""Read from a reply how likely each of a few labels is as the first token of the answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from litotes.errors import InputError, UnansweredError
from litotes.llm.replies import written_text
from litotes.types import MALFORMED


@runtime_checkable
class SupportsLogProbabilities(Protocol):
    """A generator that can say how likely each of a few answers is, instead of giving one."""

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class Position:
    """One token of an answer and its alternatives, with natural logarithms of their probabilities."""

    token: str
    log_probability: float
    alternatives: tuple[tuple[str, float], ...]

    def log_probability_of(self, label: str) -> float:
        """Return the joint log-probability of all alternatives that equal the label up to spaces and case."""
        return _log_sum_exp([value for token, value in self.alternatives if _normalised(token) == label])


def checked_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels in the form in which tokens are compared with them."""
    normalised = tuple(map(_normalised, (labels,) if isinstance(labels, str) else labels))
    if len(normalised) < 2 or not all(normalised) or len(set(normalised)) < len(normalised):
        raise InputError(f"labels are {labels!r}; expected two or more words that differ by more than case")
    return normalised


def are_log_probabilities(value: Any) -> bool:
    """Whether a value read from a file is a list of log-probabilities."""
    return isinstance(value, list) and bool(value) and all(isinstance(number, int | float) for number in value)


def label_log_probabilities(reply: Any, labels: Sequence[str]) -> list[float] | None:
    """Return the log-probability of each label at the start of the answer; None if the reply lists no alternatives.

    Some tokenizers put a space in front of the answer as its own token. The labels are therefore read at the position,
    among the leading spaces and the first word, at which they are most likely.
    """
    if getattr(reply.choices[0], "finish_reason", None) == "content_filter":
        raise UnansweredError("filtered")
    positions = _positions(reply)
    if not positions:
        if not written_text(reply):
            # Some endpoints list nothing if the model stops at once.
            raise UnansweredError("empty")
        return None
    prefix, highest, best = 0.0, -math.inf, []
    for position in positions:
        values = [position.log_probability_of(label) for label in labels]
        total = prefix + _log_sum_exp(values)
        if total > highest:
            highest, lowest = total, min(value for _, value in position.alternatives)
            best = [lowest if value == -math.inf else value for value in values]
        if position.token.strip():
            break
        prefix += position.log_probability
    if not best:
        raise UnansweredError("no label")
    return best


def _positions(reply: Any) -> list[Position]:
    """Return the tokens of a reply; none if a token comes without alternatives."""
    choice = reply.choices[0]
    try:
        listed = choice.model_dump(warnings=False)["logprobs"]
        # Chats have one list of tokens, and so do llama.cpp's completions; all others have one list per field.
        positions = [_from_row(row) for row in listed["content"]] if listed.get("content") else _from_columns(listed)
    except (*MALFORMED, AttributeError):
        return []
    return positions if all(position.alternatives for position in positions) else []


def _from_row(row: dict[str, Any]) -> Position:
    alternatives = [(other["token"], other["logprob"]) for other in row["top_logprobs"]]
    return _position(row["token"], row["logprob"], alternatives)


def _from_columns(listed: dict[str, Any]) -> list[Position]:
    rows = zip(listed["tokens"], listed["token_logprobs"], listed["top_logprobs"], strict=True)
    return [_position(token, value, alternatives.items()) for token, value, alternatives in rows]


def _position(token: object, value: Any, alternatives: Iterable[tuple[object, Any]]) -> Position:
    pairs = ((str(other), float(other_value)) for other, other_value in alternatives)
    return Position(str(token), float(value), tuple(pair for pair in pairs if math.isfinite(pair[1])))


def _normalised(token: str) -> str:
    return token.strip().casefold()


def _log_sum_exp(values: Sequence[float]) -> float:
    """Return the logarithm of the sum of the probabilities; −∞ for none."""
    highest = max(values, default=-math.inf)
    if highest == -math.inf:
        return highest
    return highest + math.log(sum(math.exp(value - highest) for value in values))
