"""The query side of search: exclusion, filters, the dial, reranking, and upgrading an index.

Everything but exclusion and filters needs sentence-transformers, which is imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from litotes.query.exclusion import (
    BETA,
    EXCLUSION_DIAL_SHARE,
    WHOLE_QUERY_WEIGHT,
    QueryParts,
    combine_parts,
    encode,
    exclude,
    split_queries,
)

if TYPE_CHECKING:
    from litotes.query.adapters import LangChainEmbeddings, LlamaIndexEmbedding, PolarityEmbeddings
    from litotes.query.adapters.haystack import HaystackRanker
    from litotes.query.adapters.haystack_embedders import PolarityDocumentEmbedder, PolarityTextEmbedder
    from litotes.query.adapters.langchain import LangChainReranker
    from litotes.query.adapters.llama_index import LlamaIndexReranker
    from litotes.query.beside_encoder import BesideEncoder, beside
    from litotes.query.exclusion_scores import rescore
    from litotes.query.loading import load
    from litotes.query.onnx_encoder import OnnxEncoder
    from litotes.query.reranked import Reranked
    from litotes.query.reranker import Reranker, rerank
    from litotes.query.search_filters import Filters, SqlCondition, filters
    from litotes.query.upgrading import upgrade, upgrade_file
    from litotes.query.upgrading_parquet import upgrade_parquet

__all__ = [
    "BETA",
    "EXCLUSION_DIAL_SHARE",
    "WHOLE_QUERY_WEIGHT",
    "BesideEncoder",
    "Filters",
    "HaystackRanker",
    "LangChainEmbeddings",
    "LangChainReranker",
    "LlamaIndexEmbedding",
    "LlamaIndexReranker",
    "OnnxEncoder",
    "PolarityDocumentEmbedder",
    "PolarityEmbeddings",
    "PolarityTextEmbedder",
    "QueryParts",
    "Reranked",
    "Reranker",
    "SqlCondition",
    "beside",
    "combine_parts",
    "encode",
    "exclude",
    "filters",
    "load",
    "rerank",
    "rescore",
    "split_queries",
    "upgrade",
    "upgrade_file",
    "upgrade_parquet",
]

_LAZY = {
    "BesideEncoder": "litotes.query.beside_encoder",
    "Filters": "litotes.query.search_filters",
    "HaystackRanker": "litotes.query.adapters.haystack",
    "LangChainEmbeddings": "litotes.query.adapters",
    "LangChainReranker": "litotes.query.adapters.langchain",
    "LlamaIndexEmbedding": "litotes.query.adapters",
    "LlamaIndexReranker": "litotes.query.adapters.llama_index",
    "OnnxEncoder": "litotes.query.onnx_encoder",
    "PolarityDocumentEmbedder": "litotes.query.adapters.haystack_embedders",
    "PolarityEmbeddings": "litotes.query.adapters",
    "PolarityTextEmbedder": "litotes.query.adapters.haystack_embedders",
    "Reranked": "litotes.query.reranked",
    "Reranker": "litotes.query.reranker",
    "SqlCondition": "litotes.query.search_filters",
    "beside": "litotes.query.beside_encoder",
    "filters": "litotes.query.search_filters",
    "load": "litotes.query.loading",
    "rerank": "litotes.query.reranker",
    "rescore": "litotes.query.exclusion_scores",
    "upgrade": "litotes.query.upgrading",
    "upgrade_file": "litotes.query.upgrading",
    "upgrade_parquet": "litotes.query.upgrading_parquet",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'litotes.query' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
