"""Parsing a recipe's settings: `lr=2e-4` from the command line, or a JSON file."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from litotes.errors import InputError, did_you_mean

Config = TypeVar("Config")

_EXPECTED = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def make_settings(config: type[Config], values: Mapping[str, Any]) -> Config:
    """Make settings from texts or JSON values; raise InputError for an unknown name or a wrong type."""
    hints = get_type_hints(config)
    known = setting_names(config)
    for name in values:
        if name not in known:
            hint = did_you_mean(name, known)
            raise InputError(f"there is no setting {name!r}.{hint} Expected one of {', '.join(known)}")
    return config(**{name: _value(name, value, hints[name]) for name, value in values.items()})


def setting_names(config: type[Any]) -> list[str]:
    """Return the names of a recipe's settings."""
    return [field.name for field in fields(config)]


def parse_assignment(text: str) -> tuple[str, str]:
    """Split "lr=2e-4" into ("lr", "2e-4")."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InputError(f"{text!r} is not a setting; expected NAME=VALUE, such as lr=2e-4")
    return name.strip(), value.strip()


def read_settings(path: Path) -> dict[str, Any]:
    """Read settings from a JSON file: an object of settings, or the run.json of another run."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read as JSON ({error}); expected an object of settings") from error
    if isinstance(content, dict) and isinstance(content.get("settings"), dict):
        content = content["settings"]
    if not isinstance(content, dict):
        raise InputError(f'{path} is not a JSON object; expected settings by name, such as {{"lr": 0.0002}}')
    return content


def _value(name: str, value: Any, kind: Any) -> Any:
    """Convert a value to the type of its field."""
    if get_origin(kind) in (Union, UnionType):
        if value is None or (isinstance(value, str) and value.lower() in ("none", "null")):
            return None
        return _value(name, value, next(option for option in get_args(kind) if option is not type(None)))
    if get_origin(kind) is tuple:
        return _values(name, value, get_args(kind)[0])
    parsed = _parsed(value) if kind in (bool, int, float) else value
    fits = isinstance(parsed, bool) if kind is bool else isinstance(parsed, kind) and not isinstance(parsed, bool)
    if kind is float and isinstance(parsed, int) and not isinstance(parsed, bool):
        if abs(parsed) > sys.float_info.max:
            raise InputError(f"{name} is a whole number of {parsed.bit_length()} bits; expected a smaller one")
        return float(parsed)
    if kind in _EXPECTED and not fits:
        raise InputError(f"{name} is {value!r}; expected {_EXPECTED[kind]}")
    return parsed


def _values(name: str, value: Any, kind: Any) -> tuple[Any, ...]:
    """Convert a JSON list or a comma-separated text."""
    parts = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise InputError(f"{name} is {value!r}; expected a list or comma-separated values")
    return tuple(_value(name, part, kind) for part in parts)


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value.lower())
    except (ValueError, RecursionError):
        return value
