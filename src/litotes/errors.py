"""Every exception litotes raises on purpose.

LitotesError
├── InputError          the caller's text, file or option is wrong                                  (exit 1)
│   └── LexiconError    a shipped or user-made table is malformed
├── MissingError        an extra, a model or a data set is not here                                 (exit 3)
│   └── EndpointError   a language model's endpoint is down, slow, or refuses key or model
│       └── UnweighedError   it gives no log-probabilities; text it may give
├── CheckError          a model fell short of what a check asks                                     (exit 4)
├── BudgetError         the next answer might pass the cap; says what was spent and how to go on
└── UnansweredError     one prompt got no usable text: its kind says why; the next may do better
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


class EndpointError(MissingError):
    """The endpoint cannot be used as it stands; the message says what to change."""


class UnweighedError(EndpointError):
    """The model says what it answers, but not how likely each answer was."""


class CheckError(LitotesError):
    """A model was measured and is not good enough; the message names what it fell short of."""


class BudgetError(LitotesError):
    """The cap is reached; answers that were kept are not paid for again."""


class UnansweredError(LitotesError):
    """The endpoint replied, but without an answer to this prompt. `kind` is one of `UNANSWERED`."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail or UNANSWERED[kind]}")
        self.kind = kind
        self.detail = detail


UNANSWERED = {
    "refused": "the model declined to answer",
    "filtered": "the endpoint's content filter stopped the answer",
    "too long": "the prompt does not fit the model's context",
    "unsendable": "the prompt holds half of a surrogate pair, which is no text",
    "cut off": "the answer reached max_tokens before its end",
    "empty": "the answer holds no text",
    "no label": "none of the answers asked for is among the likeliest tokens",
}


def require(module: str, *, extra: str = "", why: str = "litotes") -> ModuleType:
    """Import `module`, or say which install command brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        target = f"litotes[{extra}]" if extra else "litotes"
        raise MissingError(f"{why} needs {module}. Install it with: pip install '{target}'") from error
