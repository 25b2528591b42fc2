"""What goes over the wire: settings, prompt and schema as a request that this endpoint takes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from litotes.errors import InputError
from litotes.llm.replies import told

STYLES = ("chat", "completion")
STRUCTURES = ("schema", "json", "none")
FORM = "Answer with one JSON object that fits this JSON schema, and with nothing else:"
"""Said to the model where the endpoint cannot hold it to the schema."""
_NO_STRUCTURE = re.compile(r"response_format|json_schema|json schema|json_object|structured output|grammar", re.I)
_OTHER_LIMIT = re.compile(r"max_completion_tokens", re.I)
_NO_WEIGHTS = re.compile(r"log[ _-]?prob", re.I)
FEWER = {20: 5, 5: 0}
"""how many of the likeliest tokens to ask for once so many were refused: OpenAI lists 20 in chats, 5 in completions"""
BLANK_AND_ANSWER = 2
"""tokens of a weighed completion: many tokenizers write the blank before a digit as a token of its own"""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides what a model answers; where it is served does not."""

    model: str
    style: str
    structured: str
    temperature: float | None
    max_tokens: int
    seed: int | None
    stop: tuple[str, ...]

    def __post_init__(self) -> None:
        for name, given, known in (("style", self.style, STYLES), ("structured", self.structured, STRUCTURES)):
            if given not in known:
                raise InputError(f"{name} is {given!r}: expected one of {', '.join(known)}")
        if self.max_tokens < 1:
            raise InputError(f"max_tokens is {self.max_tokens}: expected at least 1")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a prompt, and the form its answer must have; or how likely each first token of an answer is."""

    system: str
    prompt: str
    schema_json: dict[str, Any] | None = None
    weighed: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """What this endpoint was found to accept, beyond what all of them do."""

    structure: bool = True
    limit: str = "max_tokens"
    listed: int = max(FEWER)
    """of the likeliest tokens, how many it lists with their log-probabilities; 0 where it lists none"""

    def after(self, error: Exception) -> Dialect | None:
        """The dialect to try after a request was refused for its form; None when another would not help."""
        if getattr(error, "status_code", 0) not in (400, 422):
            return None
        text = told(error)
        if self.limit == "max_tokens" and _OTHER_LIMIT.search(text):
            return replace(self, limit="max_completion_tokens")
        if self.structure and _NO_STRUCTURE.search(text):
            return replace(self, structure=False)
        if self.listed and _NO_WEIGHTS.search(text):
            return replace(self, listed=FEWER[self.listed])
        return None


def answer_tokens(settings: Settings, question: Question) -> int:
    """The most tokens an answer may have."""
    if not question.weighed:
        return settings.max_tokens
    return BLANK_AND_ANSWER if settings.style == "completion" else 1


def body(settings: Settings, dialect: Dialect, question: Question) -> dict[str, Any]:
    """The request as the client library wants it."""
    system, prompt, schema_json = question.system, question.prompt, question.schema_json
    # what is weighed is its first token, and a stop would hide that where the two are the same
    stop = None if question.weighed else list(settings.stop) or None
    sampling = {"temperature": settings.temperature, "seed": settings.seed, "stop": stop}
    made: dict[str, Any] = {"model": settings.model} | {k: v for k, v in sampling.items() if v is not None}
    if question.weighed:
        made |= _weights(settings.style, dialect.listed)
    limit = answer_tokens(settings, question)
    structured = settings.structured if schema_json and dialect.structure else "none"
    if settings.style == "completion":
        made |= {"prompt": f"{system}\n\n{prompt}" if system else prompt, "max_tokens": limit}
        # llama.cpp reads json_schema here, vLLM response_format; neither minds the other
        extra = {"json_schema": schema_json} if structured == "schema" else {}
        return made | ({"extra_body": extra | _format(structured, schema_json)} if structured != "none" else {})
    if schema_json and structured != "schema":
        system = f"{system}\n\n{FORM} {json.dumps(schema_json)}".strip()
    messages = [{"role": "system", "content": system}] if system else []
    made |= {"messages": [*messages, {"role": "user", "content": prompt}], dialect.limit: limit}
    return made | _format(structured, schema_json)


def _weights(style: str, listed: int) -> dict[str, Any]:
    return {"logprobs": listed} if style == "completion" else {"logprobs": True, "top_logprobs": listed}


def _format(structured: str, schema_json: dict[str, Any] | None) -> dict[str, Any]:
    if structured == "none" or schema_json is None:
        return {}
    if structured == "json":
        return {"response_format": {"type": "json_object"}}
    name = re.sub(r"\W", "_", str(schema_json.get("title", "answer")), flags=re.ASCII)[:64]
    schema = {"name": name, "schema": schema_json, "strict": _closed(schema_json)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _closed(schema_json: Any) -> bool:
    """Every object names all its fields and no others, which is what a strict endpoint asks of a schema."""
    if isinstance(schema_json, list):
        return all(_closed(part) for part in schema_json)
    if not isinstance(schema_json, dict):
        return True
    if schema_json.get("type") == "object":
        fields = schema_json.get("properties", {})
        if schema_json.get("additionalProperties") is not False or set(schema_json.get("required", ())) != set(fields):
            return False
    return all(_closed(part) for part in schema_json.values())
