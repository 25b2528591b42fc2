"""Requests in, validated objects out: what is malformed is asked for again, then dropped with a reason."""

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

AGAIN = (
    "Your last answer could not be used: {trouble}. "
    "Answer the following again, with one JSON object of the form asked for and nothing else.\n\n"
)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w{0,39}", re.ASCII)
_OPENING = re.compile(r"[{\[]")


FINAL = frozenset({"refused", "filtered", "too long", "unsendable"})
"""Asking the same again would only cost the same again."""


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt, and the form its answer must have."""

    system: str
    prompt: str
    schema: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Answer:
    """A validated object, or the reason why there is none; the words before the reason's first colon are a fixed set:
    refused, filtered, too long, unsendable, cut off, empty, no JSON, several answers, wrong form."""

    value: BaseModel | None
    reason: str
    attempts: int


@runtime_checkable
class Structured(Protocol):
    """A generator that can hold its model to a JSON schema."""

    def generate_structured(self, system: str, prompt: str, schema_json: dict[str, Any]) -> str: ...


class MalformedError(Exception):
    """A text without exactly one object of the form asked for; the message is for the model and for the count."""


def ask(
    generator: Generator, requests: Iterable[Request], *, attempts: int = 3, concurrency: int = 1
) -> Iterator[Answer]:
    """One answer a request, in order and as they are needed: a few requests are read ahead, never all.

    A malformed answer is asked for again, with what was wrong told to the model. A refusal is an answer with a reason;
    an endpoint in trouble or a spent budget is an error, raised after the answers that came before it.
    """
    for name, value in (("attempts", attempts), ("concurrency", concurrency)):
        if value < 1:
            raise InputError(f"{name} is {value}: expected at least 1")
    require("pydantic", extra="llm", why="the llm client")
    if concurrency == 1:
        return (_answer(generator, request, attempts) for request in requests)
    return _side_by_side(generator, requests, attempts, concurrency)


def _side_by_side(
    generator: Generator, requests: Iterable[Request], attempts: int, concurrency: int
) -> Iterator[Answer]:
    waiting: deque[Future[Answer]] = deque()
    source = iter(requests)
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="litotes-ask")
    try:
        for request in islice(source, 2 * concurrency):
            waiting.append(pool.submit(_answer, generator, request, attempts))
        while waiting:
            yield waiting.popleft().result()
            for request in islice(source, 1):
                waiting.append(pool.submit(_answer, generator, request, attempts))
    finally:
        # what is under way is paid for: let it reach the cache
        pool.shutdown(wait=True, cancel_futures=True)


def _answer(generator: Generator, request: Request, attempts: int) -> Answer:
    reason = ""
    for attempt in range(1, attempts + 1):
        prompt = request.prompt if attempt == 1 else AGAIN.format(trouble=reason) + request.prompt
        try:
            return Answer(find(_generate(generator, request, prompt), request.schema), "", attempt)
        except UnansweredError as found:
            reason = str(found)
            if found.kind in FINAL:
                return Answer(None, reason, attempt)
        except MalformedError as found:
            reason = str(found)
    return Answer(None, reason, attempts)


def _generate(generator: Generator, request: Request, prompt: str) -> str:
    if isinstance(generator, Structured):
        return generator.generate_structured(request.system, prompt, request.schema.model_json_schema())
    return generator.generate(request.system, prompt)


def find(text: str, schema: type[BaseModel]) -> BaseModel:
    """The one object of this form in a text, bare, fenced or amid prose; MalformedError when there is not one."""
    from pydantic import ValidationError

    valid: list[BaseModel] = []
    trouble = "no JSON: the answer holds no complete JSON object"
    for found in _candidates(_THOUGHT.sub("", text)):
        try:
            value = schema.model_validate_json(found)
        except ValidationError as error:
            trouble = f"wrong form: {_complaint(error)}"
            continue
        if value not in valid:
            valid.append(value)
    if len(valid) > 1:
        raise MalformedError(f"several answers: the answer holds {len(valid)} different objects")
    if not valid:
        raise MalformedError(trouble)
    return valid[0]


def _candidates(text: str) -> list[str]:
    """The JSON of an answer: what its fenced blocks hold, or else what stands in the text."""
    fenced = [found for block in _FENCED.findall(text) for found in _outermost(block)]
    return fenced or list(_outermost(text))


def _outermost(text: str) -> Iterator[str]:
    """Every JSON object or list of a text that is not part of another."""
    at = 0
    while opening := _OPENING.search(text, at):
        start = opening.start()
        try:
            _, at = json.JSONDecoder().raw_decode(text, start)
        except json.JSONDecodeError as error:
            # what stands inside an object that breaks off is no answer of its own
            at = max(error.pos, start + 1)
        except (ValueError, RecursionError):
            return
        else:
            yield text[start:at]


def _complaint(error: ValidationError) -> str:
    """What is wrong with an object, in the schema's words: the model's own words stay out of its next prompt."""
    found = []
    for one in error.errors(include_url=False, include_context=False, include_input=False)[:3]:
        parts = ["…" if isinstance(part, str) and not _NAME.fullmatch(part) else str(part) for part in one["loc"]]
        place = "" if one["type"] == "extra_forbidden" else ".".join(parts)
        found.append(f"{place}: {one['msg']}" if place else one["msg"])
    return " ".join("; ".join(found).split())[:300]
