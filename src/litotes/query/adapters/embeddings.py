"""Embeddings with the interfaces of LangChain and LlamaIndex.

None of those libraries is required. Documents are encoded at the model's default dial. `dial` and `exclude` affect only
queries, so both can change without indexing documents again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import check_texts
from litotes.models.bases import MINI
from litotes.models.tower.scaling import check_dial
from litotes.query.beside_encoder import BesideEncoder, beside
from litotes.query.exclusion import Exclude, check_exclude
from litotes.query.loading import load

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.models.polarity_block import Polarity
    from litotes.models.tower.shape import TowerShape
    from litotes.query.encoder import Encoder

BATCH = 32


class Embedder:
    """Encodes documents and queries as lists of floats; base class of the adapters."""

    def __init__(
        self,
        model: str | Encoder | BesideEncoder | SentenceTransformer = MINI,
        *,
        dial: float | None = None,
        exclude: Exclude = "auto",
    ) -> None:
        self.encoder: Any = model
        self._options: dict[str, Any] = {}
        if isinstance(model, BesideEncoder):
            check_exclude(exclude)
            if dial is not None:
                check_dial(dial)
        else:
            self.encoder = encoder_of(model, dial=dial, exclude=exclude)
            self._options = {"show_progress_bar": False}
        self.dial = dial
        self.exclude = exclude

    def documents(self, texts: Sequence[str], *, batch: int = BATCH) -> list[list[float]]:
        """Return one vector per text."""
        texts = check_texts(texts)
        if not texts:
            return []
        options = {**self._options, "batch_size": batch} if self._options else {}
        rows: list[list[float]] = self.encoder.encode_document(list(texts), **options).tolist()
        return rows

    def query(self, text: str) -> list[float]:
        """Return the vector of a query at the dial, with its exclusions applied."""
        if not isinstance(text, str):
            raise InputError(f"the query is {type(text).__name__}; expected a text")
        row: list[float] = self.encoder.encode_query(
            text, dial=self.dial, exclude=self.exclude, **self._options
        ).tolist()
        return row


class LangChainEmbeddings(Embedder):
    """LangChain's `Embeddings`, for any of its vector stores."""

    def __init__(
        self,
        model: str | Encoder | BesideEncoder | SentenceTransformer = MINI,
        *,
        dial: float | None = None,
        exclude: Exclude = "auto",
    ) -> None:
        _register_with_langchain()
        super().__init__(model, dial=dial, exclude=exclude)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors to store."""
        return self.documents(texts)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector to search with."""
        return self.query(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Do the same in a separate thread."""
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """Do the same in a separate thread."""
        return await asyncio.to_thread(self.embed_query, text)


class LlamaIndexEmbedding(Embedder):
    """The methods of LlamaIndex's `BaseEmbedding`, without LlamaIndex.

    LlamaIndex itself accepts only subclasses of that class, such as `litotes.query.llama_index.LitotesEmbedding`.
    """

    def get_text_embedding(self, text: str) -> list[float]:
        """Return the vector to store for one text."""
        return self.documents([text])[0]

    def get_text_embedding_batch(self, texts: list[str], show_progress: bool = False) -> list[list[float]]:
        """Return the vectors to store. `show_progress` is part of LlamaIndex's interface and has no effect."""
        return self.documents(texts)

    def get_query_embedding(self, query: str) -> list[float]:
        """Return the vector to search with."""
        return self.query(query)

    async def aget_text_embedding(self, text: str) -> list[float]:
        """Do the same in a separate thread."""
        return await asyncio.to_thread(self.get_text_embedding, text)

    async def aget_text_embedding_batch(self, texts: list[str], show_progress: bool = False) -> list[list[float]]:
        """Do the same in a separate thread."""
        return await asyncio.to_thread(self.get_text_embedding_batch, texts)

    async def aget_query_embedding(self, query: str) -> list[float]:
        """Do the same in a separate thread."""
        return await asyncio.to_thread(self.get_query_embedding, query)


class PolarityEmbeddings(LangChainEmbeddings):
    """Any of LangChain's `Embeddings`, with a polarity block beside its vectors.

    `dial`, `block` and `similarity` are those of `litotes.beside`, `query_dial` and `exclude` those of its queries.
    """

    def __init__(
        self,
        embeddings: Any,
        *,
        dial: float | str | Path | None = None,
        block: str | Polarity | TowerShape = MINI,
        similarity: str = "",
        query_dial: float | None = None,
        exclude: Exclude = "auto",
    ) -> None:
        encoder = beside(embeddings, block=block, dial=dial, similarity=similarity)
        super().__init__(encoder, dial=query_dial, exclude=exclude)


def encoder_of(
    model: str | Encoder | SentenceTransformer, *, dial: float | None = None, exclude: Exclude = "auto"
) -> Encoder:
    """Return an Encoder for a name or a loaded model; refuse invalid options now, not at the first query."""
    check_exclude(exclude)
    encoder = load(model, backend="torch") if isinstance(model, str) else _loaded(model)
    if dial is not None:
        from litotes.models.tower.build import tower_of

        check_dial(dial)
        tower_of(encoder)
    return encoder


def _loaded(model: Any) -> Encoder:
    """Turn a loaded SentenceTransformer into an Encoder, without loading anything again."""
    library = require("sentence_transformers", extra="models", why="an encoder")
    from litotes.query.encoder import Encoder

    if isinstance(model, Encoder):
        return model
    if isinstance(model, library.SentenceTransformer):
        return Encoder.of(model)
    raise InputError(f"the model is {type(model).__name__}; expected a name, a folder or a SentenceTransformer")


def _register_with_langchain() -> None:
    """Register as a virtual subclass of Embeddings, which some of LangChain's vector stores check for."""
    if find_spec("langchain_core") is not None:
        import_module("langchain_core.embeddings").Embeddings.register(LangChainEmbeddings)
