"""Read the fields of a request's body: types, limits, and fields that nobody knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson

from litotes.errors import did_you_mean
from litotes.serve.errors import RequestError, bad_request

MISSING = object()
LANGCHAIN = (
    "input has token ids; expected texts. With LangChain, set OpenAIEmbeddings(…, check_embedding_ctx_length=False)"
)


def parse_body(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body."""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        try:
            body.decode("utf-8")
        except UnicodeDecodeError as undecodable:
            raise bad_request(
                f"the body is not UTF-8 at byte {undecodable.start}; expected JSON in UTF-8", code="invalid_encoding"
            ) from error
        nan = ". JSON has no NaN and no Infinity" if b"NaN" in body or b"Infinity" in body else ""
        raise bad_request(f"the body is not valid JSON: {error}{nan}", code="invalid_json") from error
    if not isinstance(found, dict):
        raise bad_request(f"the body is {_kind(found)}; expected a JSON object", code="invalid_json")
    return found


class Fields:
    """The fields of a body. Each is read once; `finish` refuses those that were not read."""

    def __init__(self, values: Mapping[str, Any], *, max_inputs: int) -> None:
        # A null is what clients send for a field that is not set.
        self._values = {name: value for name, value in values.items() if value is not None}
        self._left = set(self._values)
        self._known: list[str] = []
        self._max_inputs = max_inputs

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def get(self, name: str, default: Any = MISSING) -> Any:
        """Return a field of any type, or the default; without one, the field is required."""
        self._known.append(name)
        self._left.discard(name)
        if name in self._values:
            return self._values[name]
        if default is MISSING:
            raise bad_request(f"the field {name!r} is missing{self._hint(name)}", name, code="missing_field")
        return default

    def text(self, name: str, default: Any = MISSING) -> str:
        """Return a text that is not empty."""
        value = self.get(name, default)
        if value is not default and (not isinstance(value, str) or not value.strip()):
            shown = "an empty text" if isinstance(value, str) else _kind(value)
            raise bad_request(f"{name} is {shown}; expected a text", name)
        return str(value)

    def texts(self, name: str, *, single: bool = False, default: Any = MISSING) -> list[str]:
        """Return a list of texts that are not empty; with `single`, the field may be one text."""
        value = self.get(name, default)
        if value is default:
            return list(default)
        rows = [value] if single and isinstance(value, str) else value
        if not isinstance(rows, list):
            wanted = "a text or a list of texts" if single else "a list of texts"
            raise bad_request(f"{name} is {_kind(value)}; expected {wanted}", name)
        self.check_count(rows, name)
        for number, row in enumerate(rows):
            check_text(row, name if rows is not value else f"{name}[{number}]", name)
        return rows

    def check_count(self, rows: Sequence[Any], name: str) -> None:
        """Refuse an empty list, and one that is longer than a request may have."""
        if not rows:
            raise bad_request(f"{name} is an empty list; expected at least one entry", name)
        if len(rows) > self._max_inputs:
            raise RequestError(
                413,
                f"{name} has {len(rows)} entries; expected at most {self._max_inputs}. Send several requests, or "
                "raise --max-inputs",
                code="too_many_inputs",
                param=name,
            )

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.get(name, default)
        if not isinstance(value, bool):
            raise bad_request(f"{name} is {_kind(value)}; expected true or false", name)
        return value

    def count(self, name: str) -> int | None:
        """Return a whole number above 0, or None."""
        value = self.get(name, None)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise bad_request(f"{name} is {value!r}; expected a whole number above 0", name)
        return value

    def choice(self, name: str, options: Collection[str], default: str) -> str:
        """Return one of the options."""
        value = self.get(name, default)
        if not isinstance(value, str) or value not in options:
            raise bad_request(f"{name} is {_shown(value)}; expected {' or '.join(map(repr, options))}", name)
        return value

    def finish(self, *, ignored: Collection[str] = ()) -> None:
        """Refuse fields that were not read, apart from those that clients send and that need no effect."""
        unknown = sorted(self._left.difference(ignored))
        if unknown:
            hint = did_you_mean(unknown[0], self._known)
            raise bad_request(f"unknown field {unknown[0][:60]!r}.{hint}", unknown[0][:60], code="unknown_field")

    def _hint(self, name: str) -> str:
        close = [given for given in self._left if did_you_mean(given, [name])]
        return f"; the body has {close[0][:60]!r}" if close else ""


def check_text(value: object, place: str, param: str) -> str:
    """Return a text; refuse an empty one and anything else. Token ids get the setting of LangChain that sends texts."""
    if isinstance(value, int | list) and not isinstance(value, bool):
        raise bad_request(LANGCHAIN if param == "input" else f"{place} is {_kind(value)}; expected a text", param)
    if not isinstance(value, str):
        raise bad_request(f"{place} is {_kind(value)}; expected a text", param)
    if not value.strip():
        raise bad_request(f"{place} is an empty text; leave it out", param)
    return value


def _kind(value: object) -> str:
    """Name the JSON type of a value."""
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "null")


def _shown(value: object) -> str:
    return repr(value[:60]) if isinstance(value, str) else _kind(value)
