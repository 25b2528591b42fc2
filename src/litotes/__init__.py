"""litotes makes text encoders hear "not", proves it, and breaks nothing else."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, LexiconError, LitotesError, MissingError
from litotes.types import Classification, Contrast, Detection, Edit, Hedge, Negation, Rewrite

if TYPE_CHECKING:
    from litotes.detection import classify, detect
    from litotes.metric import Metric
    from litotes.models import dial
    from litotes.query import load, rerank, upgrade
    from litotes.rewrite import affirm, hedge, negate, paraphrase, rewrites

__version__ = "0.1.0"

# Reached on first use, so that `import litotes` loads neither spaCy nor torch.
_LAZY = {
    "Metric": "litotes.metric",
    "affirm": "litotes.rewrite",
    "classify": "litotes.detection",
    "detect": "litotes.detection",
    "dial": "litotes.models",
    "hedge": "litotes.rewrite",
    "load": "litotes.query",
    "negate": "litotes.rewrite",
    "paraphrase": "litotes.rewrite",
    "rerank": "litotes.query",
    "rewrites": "litotes.rewrite",
    "upgrade": "litotes.query",
}

__all__ = [
    "Classification",
    "Contrast",
    "Detection",
    "Edit",
    "Hedge",
    "InputError",
    "LexiconError",
    "LitotesError",
    "Metric",
    "MissingError",
    "Negation",
    "Rewrite",
    "__version__",
    "affirm",
    "classify",
    "detect",
    "dial",
    "hedge",
    "load",
    "negate",
    "paraphrase",
    "rerank",
    "rewrites",
    "upgrade",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
