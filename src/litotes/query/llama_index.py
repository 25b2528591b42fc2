"""A LlamaIndex embedding for `embed_model`, which accepts only subclasses of LlamaIndex's own class.

Importing this module needs llama-index-core; the rest of litotes does not.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from litotes.errors import require
from litotes.models.bases import MINI
from litotes.query.adapters import Embedder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.query.beside_encoder import BesideEncoder
    from litotes.query.encoder import Encoder

LOADED_MODEL = "a loaded encoder"
_base: Any = require("llama_index.core.embeddings", extra="frameworks", why="LlamaIndex's embedding").BaseEmbedding


class LitotesEmbedding(_base):  # type: ignore[misc]
    """Encodes documents at the model's default dial, and queries at `dial` with their exclusions applied.

    For another embedding of LlamaIndex with a polarity block beside its vectors, pass `litotes.beside(embedding)`.
    """

    dial: float | None = None
    exclude: str | bool = "auto"
    _embedder: Embedder = PrivateAttr()

    def __init__(
        self,
        model: str | Encoder | BesideEncoder | SentenceTransformer | None = None,
        *,
        dial: float | None = None,
        exclude: str | bool = "auto",
        model_name: str = MINI,
        **fields: Any,
    ) -> None:
        """`model` is a name or a loaded model. LlamaIndex's own `from_dict` passes `model_name` instead."""
        chosen = model_name if model is None else model
        embedder = Embedder(chosen, dial=dial, exclude=exclude)
        name = chosen if isinstance(chosen, str) else LOADED_MODEL
        super().__init__(model_name=name, dial=dial, exclude=exclude, **fields)
        self._embedder = embedder

    @classmethod
    def class_name(cls) -> str:
        """Return the class name that LlamaIndex writes into its files."""
        return "LitotesEmbedding"

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embedder.query(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._embedder.documents([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.documents(texts, batch=self.embed_batch_size)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)
