"""A recipe's settings from what a person wrote: `lr=2e-4` on the command line, or a JSON file."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from litotes.errors import InputError

Config = TypeVar("Config")

_EXPECTED = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def configured(config: type[Config], given: Mapping[str, Any]) -> Config:
    """The config with these settings, text or JSON values; InputError for an unknown name or a wrong type."""
    hints = get_type_hints(config)
    known = names(config)
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise InputError(f"there is no setting {name!r}. {hint}Expected one of {', '.join(known)}")
    return config(**{name: _value(name, value, hints[name]) for name, value in given.items()})


def names(config: type[Any]) -> list[str]:
    """The settings a config has, in its order."""
    return [field.name for field in fields(config)]


def assignment(text: str) -> tuple[str, str]:
    """ "lr=2e-4" → ("lr", "2e-4")."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise InputError(f"{text!r} sets nothing; expected a name and a value, as lr=2e-4")
    return name.strip(), value.strip()


def read_settings(path: Path) -> dict[str, Any]:
    """The settings of a JSON file: an object, or a run.json, whose settings are taken."""
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read as JSON ({error}); expected an object of settings") from error
    if isinstance(found, dict) and isinstance(found.get("settings"), dict):
        found = found["settings"]
    if not isinstance(found, dict):
        raise InputError(f'{path} holds no JSON object; expected settings by name, as {{"lr": 0.0002}}')
    return found


def _value(name: str, given: Any, kind: Any) -> Any:
    """A value as its field wants it."""
    if get_origin(kind) in (Union, UnionType):
        others = [one for one in get_args(kind) if one is not type(None)]
        if given is None or (isinstance(given, str) and given.lower() in ("none", "null")):
            return None
        return _value(name, given, others[0])
    if get_origin(kind) is tuple:
        return _several(name, given, get_args(kind)[0])
    plain = _parsed(given) if kind in (bool, int, float) else given
    fits = isinstance(plain, bool) if kind is bool else isinstance(plain, kind) and not isinstance(plain, bool)
    if kind is float and isinstance(plain, int) and not isinstance(plain, bool):
        if abs(plain) > sys.float_info.max:
            raise InputError(f"{name} is a whole number of {plain.bit_length()} bits; expected a smaller one")
        return float(plain)
    if kind in _EXPECTED and not fits:
        raise InputError(f"{name} is {given!r}; expected {_EXPECTED[kind]}")
    return plain


def _several(name: str, given: Any, kind: Any) -> tuple[Any, ...]:
    """Several values: a JSON list, or text with commas."""
    parts = [part.strip() for part in given.split(",") if part.strip()] if isinstance(given, str) else given
    if not isinstance(parts, list | tuple):
        raise InputError(f"{name} is {given!r}; expected several values with commas between")
    return tuple(_value(name, part, kind) for part in parts)


def _parsed(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given.lower())
    except (ValueError, RecursionError):
        return given
