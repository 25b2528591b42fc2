"""A reranker for LangChain, which accepts only subclasses of its own class.

Importing this module needs langchain-core; the rest of litotes does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from pydantic import ConfigDict, PrivateAttr

from litotes.errors import InputError, require
from litotes.query.adapters.ranking import check_top, reranker_of
from litotes.query.reranker import Reranker

SCORE = "relevance_score"
"""The key of a returned document's metadata that has its new score."""
_base: Any = require("langchain_core.documents", extra="frameworks", why="LangChain's reranker").BaseDocumentCompressor


class LangChainReranker(_base):  # type: ignore[misc]
    """LangChain's `BaseDocumentCompressor`, for a `ContextualCompressionRetriever`.

    `model` is a name, a folder or a `Reranker`; the default is that of `Reranker`. `top_n` is how many documents are
    kept; the default is all. `score_key` is the key of the metadata that has each document's score of the first stage,
    for a pair model. A higher score must be better, so a distance does not work.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid", frozen=True)

    model: str | Reranker | None = None
    top_n: int | None = None
    score_key: str | None = None
    _reranker: Reranker = PrivateAttr()

    def __init__(
        self, model: str | Reranker | None = None, *, top_n: int | None = None, score_key: str | None = None
    ) -> None:
        check_top("top_n", top_n)
        reranker = reranker_of(model)
        if score_key is not None and not reranker.reads_pairs:
            raise InputError("score_key is for a pair model, and this model is an encoder; leave it out")
        super().__init__(model=model, top_n=top_n, score_key=score_key)
        self._reranker = reranker

    def compress_documents(self, documents: Sequence[Any], query: str, callbacks: Any = None) -> list[Any]:
        """Return copies of the documents, best first, with the new score as `relevance_score` in their metadata.

        `callbacks` is part of LangChain's interface and has no effect. `acompress_documents` does the same in a thread.
        """
        if not documents:
            return []
        scores = None if self.score_key is None else _first_stage(documents, self.score_key)
        texts = [document.page_content for document in documents]
        rows = self._reranker.rerank(query, texts, self.top_n, scores=scores)
        return [_with_score(documents[row.place], row.score) for row in rows]


def _first_stage(documents: Sequence[Any], key: str) -> list[float]:
    """Return the score of each document from its metadata."""
    scores = []
    for number, document in enumerate(documents):
        named = f"document {number} ({document.page_content[:60]!r})"
        if key not in document.metadata:
            raise InputError(f"{named} has no {key!r} in its metadata; expected its score of the first stage there")
        value = document.metadata[key]
        if not isinstance(value, Real):
            raise InputError(f"{key!r} in the metadata of {named} is {value!r}; expected a number")
        scores.append(float(value))
    return scores


def _with_score(document: Any, score: float) -> Any:
    return document.model_copy(update={"metadata": {**document.metadata, SCORE: score}})
