"""Every exception that litotes raises on purpose.

LitotesError
├── InputError                      a text, file or option from the caller is invalid               (exit 1)
│   └── LexiconError                a table of the lexicon is malformed
├── MissingError                    an extra, a model or a data set is not installed                (exit 3)
│   └── EndpointError               the endpoint of a language model cannot be used
│       └── NoLogProbabilitiesError the endpoint returns text but no log-probabilities
├── CheckError                      a model does not meet the requirements of a check               (exit 4)
├── BudgetError                     the next answer could exceed the budget
└── UnansweredError                 one prompt got no usable answer; other prompts may get one
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from difflib import get_close_matches
from types import ModuleType


class LitotesError(Exception):
    """Base class of all exceptions of litotes."""


class InputError(LitotesError):
    """Invalid input. The message says what was expected."""


class LexiconError(InputError):
    """A malformed row in a table of the lexicon. The message names the file and the line."""


class MissingError(LitotesError):
    """Something that litotes needs is not installed. The message has the command that installs it."""


class EndpointError(MissingError):
    """The endpoint is down, too slow, or rejects the key or the model. The message says what to change."""


class NoLogProbabilitiesError(EndpointError):
    """The endpoint returns text but no log-probabilities."""


class CheckError(LitotesError):
    """A model does not meet the requirements of a check. The message names those that failed."""


class BudgetError(LitotesError):
    """The budget is used up. The message says what was spent and how to resume; cached answers stay free."""


class UnansweredError(LitotesError):
    """The endpoint replied without a usable answer to this prompt. `kind` is a key of `UNANSWERED`."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail or UNANSWERED[kind]}")
        self.kind = kind
        self.detail = detail


UNANSWERED = {
    "refused": "the model declined to answer",
    "filtered": "the endpoint's content filter stopped the answer",
    "too long": "the prompt does not fit the model's context",
    "unsendable": "the prompt contains half of a surrogate pair, which cannot be encoded",
    "cut off": "the answer reached max_tokens before its end",
    "empty": "the answer has no text",
    "no label": "none of the expected answers is among the most likely tokens",
}


def require(module: str, *, extra: str = "", why: str = "litotes") -> ModuleType:
    """Import and return `module`, or raise a MissingError with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        target = f"litotes[{extra}]" if extra else "litotes"
        raise MissingError(f"{why} needs {module}. Install it with: pip install '{target}'") from error


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint such as " Did you mean 'nevir'?" for an unknown name; "" if no known name is close to it."""
    by_lower_case = {option.lower(): option for option in known}
    close = get_close_matches(name.lower(), by_lower_case, n=1)
    return f" Did you mean {by_lower_case[close[0]]!r}?" if close else ""
