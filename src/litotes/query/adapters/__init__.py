"""litotes with the interfaces of other libraries: embeddings and rerankers, none of which requires its library here.

`embeddings` has no dependency on a framework. The rerankers are subclasses of a framework's own class, so each has a
module that needs the framework: `langchain`, `llama_index` and `haystack`. Import them from `litotes.query`.
"""

from __future__ import annotations

from litotes.query.adapters.embeddings import (
    BATCH,
    Embedder,
    LangChainEmbeddings,
    LlamaIndexEmbedding,
    PolarityEmbeddings,
    encoder_of,
)

__all__ = ["BATCH", "Embedder", "LangChainEmbeddings", "LlamaIndexEmbedding", "PolarityEmbeddings", "encoder_of"]
