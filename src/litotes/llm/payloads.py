"""What is sent: settings, prompt and schema as a request body that the endpoint accepts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from litotes.errors import InputError
from litotes.llm.replies import error_message

STYLES = ("chat", "completion")
STRUCTURES = ("schema", "json", "none")
SCHEMA_INSTRUCTION = "Answer with one JSON object that fits this JSON schema, and with nothing else:"
"""Added to the system message if the endpoint cannot enforce the schema."""
_NO_STRUCTURED_OUTPUT = re.compile(
    r"response_format|json_schema|json schema|json_object|structured output|grammar", re.I
)
_OTHER_LIMIT_NAME = re.compile(r"max_completion_tokens", re.I)
_NO_LOG_PROBABILITIES = re.compile(r"log[ _-]?prob", re.I)
FEWER_ALTERNATIVES = {20: 5, 5: 0}
"""How many alternative tokens to request after this many were refused: OpenAI lists 20 in chats, 5 in completions."""
BLANK_AND_LABEL = 2
"""Tokens of a completion whose label is scored: many tokenizers write the space before a digit as its own token."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything that decides what a model answers. The endpoint's address is not part of it."""

    model: str
    style: str
    structured: str
    temperature: float | None
    max_tokens: int
    seed: int | None
    stop: tuple[str, ...]

    def __post_init__(self) -> None:
        for name, value, known in (("style", self.style, STYLES), ("structured", self.structured, STRUCTURES)):
            if value not in known:
                raise InputError(f"{name} is {value!r}: expected one of {', '.join(known)}")
        if self.max_tokens < 1:
            raise InputError(f"max_tokens is {self.max_tokens}: expected at least 1")


@dataclass(frozen=True, slots=True)
class ModelInput:
    """A prompt, and what is wanted: text, text that matches a schema, or the probabilities of the first token."""

    system: str
    prompt: str
    schema_json: dict[str, Any] | None = None
    log_probabilities: bool = False


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the endpoint accepts beyond the common subset, as far as its errors have shown."""

    structured_output: bool = True
    limit_name: str = "max_tokens"
    alternatives: int = max(FEWER_ALTERNATIVES)
    """How many alternative tokens it lists with their log-probabilities; 0 if it lists none."""

    def after(self, error: Exception) -> Capabilities | None:
        """Return the capabilities to assume after a refused request, or None if they do not explain the error."""
        if getattr(error, "status_code", 0) not in (400, 422):
            return None
        text = error_message(error)
        if self.limit_name == "max_tokens" and _OTHER_LIMIT_NAME.search(text):
            return replace(self, limit_name="max_completion_tokens")
        if self.structured_output and _NO_STRUCTURED_OUTPUT.search(text):
            return replace(self, structured_output=False)
        if self.alternatives and _NO_LOG_PROBABILITIES.search(text):
            return replace(self, alternatives=FEWER_ALTERNATIVES[self.alternatives])
        return None


def max_answer_tokens(settings: ModelSettings, model_input: ModelInput) -> int:
    """Return the largest number of tokens that the answer may have."""
    if not model_input.log_probabilities:
        return settings.max_tokens
    return BLANK_AND_LABEL if settings.style == "completion" else 1


def request_body(settings: ModelSettings, capabilities: Capabilities, model_input: ModelInput) -> dict[str, Any]:
    """Return the keyword arguments for the client library."""
    system, prompt, schema_json = model_input.system, model_input.prompt, model_input.schema_json
    # A stop sequence would hide the first token, which is the one that is scored, if the two are the same.
    stop = None if model_input.log_probabilities else list(settings.stop) or None
    sampling = {"temperature": settings.temperature, "seed": settings.seed, "stop": stop}
    body: dict[str, Any] = {"model": settings.model} | {k: v for k, v in sampling.items() if v is not None}
    if model_input.log_probabilities:
        body |= _alternatives(settings.style, capabilities.alternatives)
    limit = max_answer_tokens(settings, model_input)
    structured = settings.structured if schema_json and capabilities.structured_output else "none"
    if settings.style == "completion":
        body |= {"prompt": f"{system}\n\n{prompt}" if system else prompt, "max_tokens": limit}
        if structured == "none":
            return body
        # llama.cpp reads json_schema and vLLM reads response_format; each ignores the other.
        extra = {"json_schema": schema_json} if structured == "schema" else {}
        return body | {"extra_body": extra | _response_format(structured, schema_json)}
    if schema_json and structured != "schema":
        system = f"{system}\n\n{SCHEMA_INSTRUCTION} {json.dumps(schema_json)}".strip()
    messages = [{"role": "system", "content": system}] if system else []
    body |= {"messages": [*messages, {"role": "user", "content": prompt}], capabilities.limit_name: limit}
    return body | _response_format(structured, schema_json)


def _alternatives(style: str, count: int) -> dict[str, Any]:
    return {"logprobs": count} if style == "completion" else {"logprobs": True, "top_logprobs": count}


def _response_format(structured: str, schema_json: dict[str, Any] | None) -> dict[str, Any]:
    if structured == "none" or schema_json is None:
        return {}
    if structured == "json":
        return {"response_format": {"type": "json_object"}}
    name = re.sub(r"\W", "_", str(schema_json.get("title", "answer")), flags=re.ASCII)[:64]
    schema = {"name": name, "schema": schema_json, "strict": _is_closed(schema_json)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _is_closed(schema_json: Any) -> bool:
    """Whether every object requires all its fields and allows no others, as strict mode demands of a schema."""
    if isinstance(schema_json, list):
        return all(_is_closed(part) for part in schema_json)
    if not isinstance(schema_json, dict):
        return True
    if schema_json.get("type") == "object":
        fields = schema_json.get("properties", {})
        if schema_json.get("additionalProperties") is not False or set(schema_json.get("required", ())) != set(fields):
            return False
    return all(_is_closed(part) for part in schema_json.values())
