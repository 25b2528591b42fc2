"""litotes makes text encoders hear "not", measures it, and keeps their general ability."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, LexiconError, LitotesError, MissingError
from litotes.types import Classification, Contrast, Detection, Edit, Hedge, Negation, Rewrite

if TYPE_CHECKING:
    from litotes.detection import classify, classify_all, detect, detect_all
    from litotes.guard import Guard, same_answer
    from litotes.metric import Metric
    from litotes.models import combine, dial, polarity
    from litotes.query import Reranker, beside, load, rerank, upgrade
    from litotes.rewrite import (
        affirm,
        affirm_all,
        hedge,
        hedge_all,
        negate,
        negate_all,
        paraphrase,
        paraphrase_all,
        rewrites,
        rewrites_all,
    )
    from litotes.workflows import bench, check, report, synth, train

__version__ = "0.1.0"

# Imported on first use, so that `import litotes` loads neither spaCy nor torch.
_LAZY = {
    "Guard": "litotes.guard",
    "Metric": "litotes.metric",
    "Reranker": "litotes.query",
    "affirm": "litotes.rewrite",
    "affirm_all": "litotes.rewrite",
    "bench": "litotes.workflows",
    "beside": "litotes.query",
    "check": "litotes.workflows",
    "classify": "litotes.detection",
    "classify_all": "litotes.detection",
    "combine": "litotes.models",
    "detect": "litotes.detection",
    "detect_all": "litotes.detection",
    "dial": "litotes.models",
    "hedge": "litotes.rewrite",
    "hedge_all": "litotes.rewrite",
    "load": "litotes.query",
    "negate": "litotes.rewrite",
    "negate_all": "litotes.rewrite",
    "paraphrase": "litotes.rewrite",
    "paraphrase_all": "litotes.rewrite",
    "polarity": "litotes.models",
    "report": "litotes.workflows",
    "rerank": "litotes.query",
    "rewrites": "litotes.rewrite",
    "rewrites_all": "litotes.rewrite",
    "same_answer": "litotes.guard",
    "synth": "litotes.workflows",
    "train": "litotes.workflows",
    "upgrade": "litotes.query",
}

__all__ = [
    "Classification",
    "Contrast",
    "Detection",
    "Edit",
    "Guard",
    "Hedge",
    "InputError",
    "LexiconError",
    "LitotesError",
    "Metric",
    "MissingError",
    "Negation",
    "Reranker",
    "Rewrite",
    "__version__",
    "affirm",
    "affirm_all",
    "bench",
    "beside",
    "check",
    "classify",
    "classify_all",
    "combine",
    "detect",
    "detect_all",
    "dial",
    "hedge",
    "hedge_all",
    "load",
    "negate",
    "negate_all",
    "paraphrase",
    "paraphrase_all",
    "polarity",
    "report",
    "rerank",
    "rewrites",
    "rewrites_all",
    "same_answer",
    "synth",
    "train",
    "upgrade",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
