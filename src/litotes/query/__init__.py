"""The query's side: what a query excludes is taken out of its vector; stored documents stay as they are.

Loading an encoder and upgrading an index need sentence-transformers and are read on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.query.excluding import BETA, CALM, WHOLE, Parts, encode, exclude, joined, parts_of

if TYPE_CHECKING:
    from litotes.query.adapters import LangChainEmbeddings, LlamaIndexEmbedding, Reranker
    from litotes.query.loading import load
    from litotes.query.reranking import Reranked, rerank
    from litotes.query.upgrading import upgrade, upgrade_file

__all__ = [
    "BETA",
    "CALM",
    "WHOLE",
    "LangChainEmbeddings",
    "LlamaIndexEmbedding",
    "Parts",
    "Reranked",
    "Reranker",
    "encode",
    "exclude",
    "joined",
    "load",
    "parts_of",
    "rerank",
    "upgrade",
    "upgrade_file",
]

_LAZY = {
    "LangChainEmbeddings": "litotes.query.adapters",
    "LlamaIndexEmbedding": "litotes.query.adapters",
    "Reranked": "litotes.query.reranking",
    "Reranker": "litotes.query.adapters",
    "load": "litotes.query.loading",
    "rerank": "litotes.query.reranking",
    "upgrade": "litotes.query.upgrading",
    "upgrade_file": "litotes.query.upgrading",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.query' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
