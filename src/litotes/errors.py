"""Every exception litotes raises on purpose.

LitotesError
├── InputError          the caller's text, file or option is wrong        (exit 1)
│   └── LexiconError    a shipped or user-made table is malformed
└── MissingError        an extra, a model or a data set is not here       (exit 3)
"""

from __future__ import annotations

import importlib
from types import ModuleType


class LitotesError(Exception):
    """The root of the tree: catch this to catch them all."""


class InputError(LitotesError):
    """What was given cannot be used; the message says what was expected."""


class LexiconError(InputError):
    """A lexicon table has a malformed row; the message names file and line."""


class MissingError(LitotesError):
    """Something litotes needs is not installed; the message gives the command that gets it."""


def require(module: str, *, extra: str = "", why: str = "litotes") -> ModuleType:
    """Import `module`, or say which install command brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        target = f"litotes[{extra}]" if extra else "litotes"
        raise MissingError(f"{why} needs {module}. Install it with: pip install '{target}'") from error
