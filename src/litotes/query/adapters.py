"""litotes in the shapes that other libraries ask for: LangChain's embeddings, LlamaIndex's, a CrossEncoder.

None of those libraries is needed. Documents are encoded as they are stored, at the model's own dial; `dial` and
`exclude` act on queries alone, so that both can change without a document being indexed anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, require
from litotes.models.tower.dial import checked
from litotes.query.loading import MINI, load
from litotes.query.reranking import BATCH as RERANKED_AT_ONCE
from litotes.query.reranking import rerank

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.query.encoder import Encoder

BATCH = 32


class Embedder:
    """Documents and queries as lists of floats: what the adapters share."""

    def __init__(
        self,
        model: str | Encoder | SentenceTransformer = MINI,
        *,
        dial: float | None = None,
        exclude: str | bool = "auto",
    ) -> None:
        self.encoder = encoder_of(model, dial=dial, exclude=exclude)
        self.dial = dial
        self.exclude = exclude

    def documents(self, texts: Sequence[str], *, batch: int = BATCH) -> list[list[float]]:
        """One vector a text, of unit length where the model's are."""
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise InputError("expected a list of texts; one text, or something that is no text, was given")
        if not texts:
            return []
        rows: list[list[float]] = self.encoder.encode_document(
            list(texts), batch_size=batch, show_progress_bar=False
        ).tolist()
        return rows

    def query(self, text: str) -> list[float]:
        """A query's vector at the dial, without what it leaves out."""
        if not isinstance(text, str):
            raise InputError(f"the query is {type(text).__name__}; expected a text")
        row: list[float] = self.encoder.encode_query(
            text, dial=self.dial, exclude=self.exclude, show_progress_bar=False
        ).tolist()
        return row


class LangChainEmbeddings(Embedder):
    """LangChain's `Embeddings`: give it to any of its vector stores."""

    def __init__(
        self,
        model: str | Encoder | SentenceTransformer = MINI,
        *,
        dial: float | None = None,
        exclude: str | bool = "auto",
    ) -> None:
        _register_with_langchain()
        super().__init__(model, dial=dial, exclude=exclude)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors to store."""
        return self.documents(texts)

    def embed_query(self, text: str) -> list[float]:
        """The vector to search with."""
        return self.query(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """The same in a thread of its own."""
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """The same in a thread of its own."""
        return await asyncio.to_thread(self.embed_query, text)


class LlamaIndexEmbedding(Embedder):
    """The methods of LlamaIndex's `BaseEmbedding`, without LlamaIndex.

    LlamaIndex itself accepts only subclasses of that class: `litotes.query.llama_index.LitotesEmbedding` is one.
    """

    def get_text_embedding(self, text: str) -> list[float]:
        """The vector to store for one text."""
        return self.documents([text])[0]

    def get_text_embedding_batch(self, texts: list[str], show_progress: bool = False) -> list[list[float]]:
        """The vectors to store. `show_progress` is LlamaIndex's; nothing is shown."""
        return self.documents(texts)

    def get_query_embedding(self, query: str) -> list[float]:
        """The vector to search with."""
        return self.query(query)

    async def aget_text_embedding(self, text: str) -> list[float]:
        """The same in a thread of its own."""
        return await asyncio.to_thread(self.get_text_embedding, text)

    async def aget_text_embedding_batch(self, texts: list[str], show_progress: bool = False) -> list[list[float]]:
        """The same in a thread of its own."""
        return await asyncio.to_thread(self.get_text_embedding_batch, texts)

    async def aget_query_embedding(self, query: str) -> list[float]:
        """The same in a thread of its own."""
        return await asyncio.to_thread(self.get_query_embedding, query)


class Reranker:
    """`rerank` where a sentence_transformers `CrossEncoder` stood: `predict` and `rank`, with its options and results.

    Scores are similarities from about −1 to 1, and of use among the documents of one query.
    """

    def __init__(
        self,
        model: str | Encoder | SentenceTransformer = MINI,
        *,
        dial: float | None = None,
        exclude: str | bool = "auto",
    ) -> None:
        self._encoder = encoder_of(model, dial=dial, exclude=exclude)
        self._options: dict[str, Any] = {"dial": dial, "exclude": exclude}

    def predict(
        self,
        inputs: Sequence[Sequence[str]] | Sequence[str],
        *,
        batch_size: int = RERANKED_AT_ONCE,
        show_progress_bar: bool | None = None,
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
    ) -> Any:
        """A score for each (query, document); for one pair that is not in a list, its score alone.

        Pairs of one query are scored together, so that the query is read once. `show_progress_bar` is the library's;
        nothing is shown.
        """
        alone = len(inputs) == 2 and all(isinstance(one, str) for one in inputs)
        pairs: list[Any] = [inputs] if alone else list(inputs)
        places: dict[str, list[int]] = {}
        for place, pair in enumerate(pairs):
            if isinstance(pair, str) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
                raise InputError(f"pair {place} is {pair!r}; expected a query and a document, both texts")
            places.setdefault(pair[0], []).append(place)
        scores = np.zeros(len(pairs), dtype=np.float32)
        for query, at in places.items():
            for one in self._reranked(query, [pairs[place][1] for place in at], batch_size):
                scores[at[one.place]] = one.score
        return _given(scores[0] if alone else scores, convert_to_numpy, convert_to_tensor)

    def rank(
        self,
        query: str,
        documents: Sequence[str],
        top_k: int | None = None,
        return_documents: bool = False,
        *,
        batch_size: int = RERANKED_AT_ONCE,
        show_progress_bar: bool | None = None,
    ) -> list[dict[str, Any]]:
        """The documents' places, best first, as `corpus_id`, each with its `score`, and its `text` when asked for."""
        found = self._reranked(query, documents, batch_size, top_k)
        rows = [{"corpus_id": one.place, "score": one.score} for one in found]
        return [row | {"text": one.text} for row, one in zip(rows, found, strict=True)] if return_documents else rows

    def _reranked(self, query: str, documents: Sequence[str], batch: int, k: int | None = None) -> list[Any]:
        return list(rerank(query, documents, k, model=self._encoder, batch=batch, **self._options))


def encoder_of(
    model: str | Encoder | SentenceTransformer, *, dial: float | None = None, exclude: str | bool = "auto"
) -> Encoder:
    """A model by name, or one that is loaded; refuses at once what a query would be refused for."""
    if exclude not in ("auto", True, False):
        raise InputError(f"exclude is {exclude!r}; expected “auto”, or False to leave queries whole")
    encoder = load(model) if isinstance(model, str) else _loaded(model)
    if dial is not None:
        from litotes.models.tower.build import tower_of

        checked(dial)
        tower_of(encoder)
    return encoder


def _loaded(model: Any) -> Encoder:
    """The library's own models become ours; nothing is read anew."""
    library = require("sentence_transformers", extra="models", why="an encoder")
    from litotes.query.encoder import Encoder

    if isinstance(model, Encoder):
        return model
    if isinstance(model, library.SentenceTransformer):
        return Encoder.of(model)
    raise InputError(f"the model is {type(model).__name__}; expected a name, a folder or a SentenceTransformer")


def _register_with_langchain() -> None:
    """Some of its stores ask isinstance(…, Embeddings), and call what is not one as a function."""
    if find_spec("langchain_core") is not None:
        import_module("langchain_core.embeddings").Embeddings.register(LangChainEmbeddings)


def _given(scores: Any, as_numpy: bool, as_tensor: bool) -> Any:
    """As a CrossEncoder gives them: an array, a tensor, or a list of tensors."""
    if not as_tensor and as_numpy:
        return scores
    import torch

    tensor = torch.as_tensor(scores)
    return tensor if as_tensor or tensor.ndim == 0 else list(tensor)
