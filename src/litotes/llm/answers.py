"""Send requests and return validated objects. A malformed answer is requested again, then dropped with a reason."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from litotes.errors import InputError, UnansweredError, require
from litotes.types import Generator

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

RETRY_PREFIX = (
    "Your last answer could not be used: {trouble}. "
    "Answer the following again, with one JSON object of the form asked for and nothing else.\n\n"
)
_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCED_BLOCK = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)
_FIELD_NAME = re.compile(r"[A-Za-z_]\w{0,39}", re.ASCII)
_OPENING_BRACKET = re.compile(r"[{\[]")

FINAL = frozenset({"refused", "filtered", "too long", "unsendable"})
"""Reasons for which the same request is not sent again: it would fail again, at the same cost."""


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt, and the schema that its answer must match."""

    system: str
    prompt: str
    schema: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Answer:
    """A validated object, or the reason why there is none.

    A reason begins with one of these words, followed by a colon: refused, filtered, too long, unsendable, cut off,
    empty, no JSON, several answers, wrong form.
    """

    value: BaseModel | None
    reason: str
    attempts: int


@runtime_checkable
class SupportsSchema(Protocol):
    """A generator that can constrain its model to a JSON schema."""

    def generate_structured(self, system: str, prompt: str, schema_json: dict[str, Any]) -> str: ...


class MalformedAnswerError(Exception):
    """A text without exactly one object of the requested form. The message is shown to the model and counted."""


def ask(
    generator: Generator, requests: Iterable[Request], *, attempts: int = 3, concurrency: int = 1
) -> Iterator[Answer]:
    """Yield one answer per request, in order. Requests are read lazily, only a few ahead.

    A malformed answer is requested again, with the problem described to the model. A refusal is an answer with a
    reason. A failing endpoint or an exhausted budget raises an error, after the answers that precede it.
    """
    for name, value in (("attempts", attempts), ("concurrency", concurrency)):
        if value < 1:
            raise InputError(f"{name} is {value}: expected at least 1")
    require("pydantic", extra="llm", why="the llm client")
    if concurrency == 1:
        return (_answer(generator, request, attempts) for request in requests)
    return _ask_concurrently(generator, requests, attempts, concurrency)


def _ask_concurrently(
    generator: Generator, requests: Iterable[Request], attempts: int, concurrency: int
) -> Iterator[Answer]:
    pending: deque[Future[Answer]] = deque()
    remaining = iter(requests)
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="litotes-ask")
    try:
        for request in islice(remaining, 2 * concurrency):
            pending.append(pool.submit(_answer, generator, request, attempts))
        while pending:
            yield pending.popleft().result()
            for request in islice(remaining, 1):
                pending.append(pool.submit(_answer, generator, request, attempts))
    finally:
        # Requests that are already running are paid for: wait until their answers are in the cache.
        pool.shutdown(wait=True, cancel_futures=True)


def _answer(generator: Generator, request: Request, attempts: int) -> Answer:
    reason = ""
    for attempt in range(1, attempts + 1):
        prompt = request.prompt if attempt == 1 else RETRY_PREFIX.format(trouble=reason) + request.prompt
        try:
            return Answer(parse_answer(_generate(generator, request, prompt), request.schema), "", attempt)
        except UnansweredError as error:
            reason = str(error)
            if error.kind in FINAL:
                return Answer(None, reason, attempt)
        except MalformedAnswerError as error:
            reason = str(error)
    return Answer(None, reason, attempts)


def _generate(generator: Generator, request: Request, prompt: str) -> str:
    if isinstance(generator, SupportsSchema):
        return generator.generate_structured(request.system, prompt, request.schema.model_json_schema())
    return generator.generate(request.system, prompt)


def parse_answer(text: str, schema: type[BaseModel]) -> BaseModel:
    """Return the one object in `text` that matches the schema: bare, in a fenced block, or within prose.

    Raise MalformedAnswerError if there is none, or if there are several that differ.
    """
    from pydantic import ValidationError

    valid: list[BaseModel] = []
    problem = "no JSON: the answer holds no complete JSON object"
    for candidate in _candidates(_THOUGHTS.sub("", text)):
        try:
            value = schema.model_validate_json(candidate)
        except ValidationError as error:
            problem = f"wrong form: {_describe(error)}"
            continue
        if value not in valid:
            valid.append(value)
    if len(valid) > 1:
        raise MalformedAnswerError(f"several answers: the answer holds {len(valid)} different objects")
    if not valid:
        raise MalformedAnswerError(problem)
    return valid[0]


def _candidates(text: str) -> list[str]:
    """Return the JSON in the fenced blocks of an answer or, if there is none, in the whole text."""
    fenced = [candidate for block in _FENCED_BLOCK.findall(text) for candidate in _outermost_json(block)]
    return fenced or list(_outermost_json(text))


def _outermost_json(text: str) -> Iterator[str]:
    """Yield every JSON object or list in a text that is not part of another one."""
    position = 0
    while opening := _OPENING_BRACKET.search(text, position):
        start = opening.start()
        try:
            _, position = json.JSONDecoder().raw_decode(text, start)
        except json.JSONDecodeError as error:
            # An object within a truncated object is not an answer of its own: continue after the error.
            position = max(error.pos, start + 1)
        except (ValueError, RecursionError):
            return
        else:
            yield text[start:position]


def _describe(error: ValidationError) -> str:
    """Describe what is wrong in the schema's words only, so that the model's own words stay out of its next prompt."""
    problems = []
    for detail in error.errors(include_url=False, include_context=False, include_input=False)[:3]:
        parts = [
            "…" if isinstance(part, str) and not _FIELD_NAME.fullmatch(part) else str(part) for part in detail["loc"]
        ]
        place = "" if detail["type"] == "extra_forbidden" else ".".join(parts)
        problems.append(f"{place}: {detail['msg']}" if place else detail["msg"])
    return " ".join("; ".join(problems).split())[:300]
