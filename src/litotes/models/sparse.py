"""Learned sparse encoders, such as SPLADE: a text is a vector of weights over the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import Adapter, check_pairs, check_texts, distinct, model_facts, open_model, source_facts
from litotes.models.loading import Settings, Source, architectures, find, saved_as

if TYPE_CHECKING:
    import numpy as np

SIMILARITIES = ("dot", "cosine")


class Sparse(Adapter):
    """A SparseEncoder. Its vectors stay sparse, so that a collection fits in memory."""

    family = "sparse"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(self, name: str, source: Source, settings: Settings) -> None:
        super().__init__(name)
        _refuse_untrained(name, source)
        self._source, self._settings = source, settings
        self._model = open_model("SparseEncoder", source, settings, family=self.family)
        if self._model.similarity_fn_name not in SIMILARITIES:
            raise InputError(
                f"{name} has the similarity {self._model.similarity_fn_name}; expected {' or '.join(SIMILARITIES)}"
            )

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the similarity of each query with the document at the same position."""
        import numpy as np

        left, right = check_pairs(queries, documents)
        if not left:
            return np.zeros(0)
        (unique_queries, query_at), (unique_documents, document_at) = distinct(left), distinct(right)
        query_rows, document_rows = self._rows(unique_queries, "query"), self._rows(unique_documents, "document")
        scores = query_rows[query_at].multiply(document_rows[document_at]).sum(axis=1)
        return np.asarray(scores, dtype=np.float64).reshape(-1)

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the similarity of every query with every document."""
        import numpy as np

        left, right = check_texts(queries, "queries"), check_texts(documents, "documents")
        if not left or not right:
            return np.zeros((len(left), len(right)))
        return np.asarray((self._rows(left, "query") @ self._rows(right, "document").T).toarray(), dtype=np.float64)

    def details(self) -> dict[str, Any]:
        similarity = str(self._model.similarity_fn_name)
        return source_facts(self._source) | model_facts(self._model) | {"similarity": similarity}

    def _rows(self, texts: list[str], role: str) -> Any:
        """Encode the texts as a matrix of compressed sparse rows."""
        sparse = require("scipy.sparse", extra="models", why="sparse models")
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        tensor = encode(texts, batch_size=self._settings.batch, show_progress_bar=False, save_to_cpu=True).coalesce()
        cells = tuple(tensor.indices().numpy())
        rows = sparse.coo_array((tensor.values().double().numpy(), cells), shape=tuple(tensor.shape)).tocsr()
        if self._model.similarity_fn_name == "cosine":
            lengths = rows.multiply(rows).sum(axis=1) ** 0.5
            rows = (sparse.diags_array(1 / lengths.clip(min=1e-12)) @ rows).tocsr()
        return rows


def _refuse_untrained(name: str, source: Source) -> None:
    """Refuse an encoder without a trained head: the library would add one with random weights."""
    saved = saved_as(source.folder)
    if saved == "SparseEncoder" or (not saved and any(a.endswith("MaskedLM") for a in architectures(source.folder))):
        return
    raise InputError(f"{name} is not a learned sparse model. Expected a saved SparseEncoder or a masked language model")


def build(name: str, settings: Settings, *, revision: str = "") -> Sparse:
    """Load `sparse:NAME-OR-PATH`."""
    family, _, target = name.partition(":")
    return Sparse(name, find(target, family=family, organisation="sparse-encoder", revision=revision), settings)
