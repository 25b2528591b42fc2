"""The model's name in a request, which can say what its texts are, and the dial: `litotes-mini:query@0.3`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

from litotes.errors import InputError
from litotes.models.tower.scaling import check_dial
from litotes.query.exclusion import check_exclude
from litotes.serve.errors import bad_request, unprocessable
from litotes.serve.fields import Fields

QUERY, DOCUMENT = ROLES = ("query", "document")
_NAME = re.compile(r"(?P<name>.+?)(?::(?P<role>query|document))?(?:@(?P<dial>[^@:]*))?", re.DOTALL)

ExcludeSetting = Literal["auto", False] | tuple[str, ...]
"""What queries exclude: what their words say, nothing, or this beside what their words say."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How texts are encoded. Texts with the same encoding are computed together."""

    role: str = DOCUMENT
    dial: float | None = None
    exclude: ExcludeSetting = "auto"


@dataclass(frozen=True, slots=True)
class ModelName:
    """The name of a model, without what else it said."""

    name: str
    role: str | None = None
    dial: float | None = None


def parse_model_name(text: str, served: Collection[str]) -> ModelName:
    """Split a name such as `litotes-mini:query@0.3`. A name that is served is taken as it is."""
    found = None if text in served else _NAME.fullmatch(text)
    if found is None:
        return ModelName(text)
    if found["dial"] is None:
        return ModelName(found["name"], found["role"])
    try:
        dial = check_dial(float(found["dial"]))
    except (ValueError, InputError) as error:
        raise unprocessable(
            f"the dial in the model's name is {found['dial'][:60]!r}; expected a number from 0 to 1, as in "
            "litotes-mini:query@0.3",
            "model",
        ) from error
    return ModelName(found["name"], found["role"], dial)


def read_encoding(fields: Fields, model: ModelName) -> Encoding:
    """Read `input_type`, `dial` and `exclude`, which may also be in the model's name."""
    role = fields.choice("input_type", ROLES, model.role or DOCUMENT)
    if model.role is not None and role != model.role:
        raise bad_request(
            f"input_type is {role!r}, and the model's name says {model.role!r}; leave one out", "input_type"
        )
    dial, exclude = read_dial(fields), read_exclude(fields)
    if model.dial is not None:
        if dial is not None and dial != model.dial:
            raise bad_request(f"dial is {dial}, and the model's name says {model.dial}; leave one out", "dial")
        dial = model.dial
    for name, given in (("dial", dial is not None), ("exclude", "exclude" in fields)):
        if given and role != QUERY:
            raise bad_request(
                f'{name} is for queries, and these texts are documents. For queries, set "input_type": "query", or '
                f"name the model {model.name}:query",
                name,
            )
    return Encoding(role, dial, exclude)


def read_dial(fields: Fields) -> float | None:
    """Return the dial, a number from 0 to 1; None if it is not given."""
    value = fields.get("dial", None)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        raise bad_request(f"dial is {value!r}; expected a number from 0 to 1", "dial")
    try:
        return check_dial(float(value))
    except (InputError, OverflowError) as error:
        raise unprocessable(f"dial is {value}; expected a number from 0 to 1", "dial") from error


def read_exclude(fields: Fields) -> ExcludeSetting:
    """Return what queries exclude: "auto", false, or a list of texts."""
    value: Any = fields.get("exclude", "auto")
    if isinstance(value, list):
        fields.check_count(value, "exclude")
    try:
        stated = check_exclude(value)
    except InputError as error:
        raise bad_request(str(error), "exclude") from error
    return False if stated is None else stated or "auto"
