"""Learned sparse encoders: texts weigh words of the vocabulary, as SPLADE's do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import Adapter, distinct, model_facts, open_model, pairs_of, source_facts, texts_of
from litotes.models.loading import Settings, Source, architectures, find, saved_as

if TYPE_CHECKING:
    import numpy as np

SIMILARITIES = ("dot", "cosine")


class Sparse(Adapter):
    """A SparseEncoder. Vectors stay sparse, so that a collection fits in memory."""

    family = "sparse"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(self, name: str, source: Source, settings: Settings) -> None:
        super().__init__(name)
        _refuse_untrained(name, source)
        self._source, self._settings = source, settings
        self._model = open_model("SparseEncoder", source, settings, family=self.family)
        if self._model.similarity_fn_name not in SIMILARITIES:
            raise InputError(
                f"{name} compares by {self._model.similarity_fn_name}; expected {' or '.join(SIMILARITIES)}"
            )

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity of each query and the document beside it."""
        import numpy as np

        left, right = pairs_of(queries, documents)
        if not left:
            return np.zeros(0)
        (asked, query_at), (answers, document_at) = distinct(left), distinct(right)
        query_rows, document_rows = self._rows(asked, "query"), self._rows(answers, "document")
        found = query_rows[query_at].multiply(document_rows[document_at]).sum(axis=1)
        return np.asarray(found, dtype=np.float64).reshape(-1)

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity of every query and every document."""
        import numpy as np

        left, right = texts_of(queries, "queries"), texts_of(documents, "documents")
        if not left or not right:
            return np.zeros((len(left), len(right)))
        return np.asarray((self._rows(left, "query") @ self._rows(right, "document").T).toarray(), dtype=np.float64)

    def details(self) -> dict[str, Any]:
        similarity = str(self._model.similarity_fn_name)
        return source_facts(self._source) | model_facts(self._model) | {"similarity": similarity}

    def _rows(self, texts: list[str], role: str) -> Any:
        """The texts' vectors as compressed sparse rows."""
        sparse = require("scipy.sparse", extra="models", why="sparse models")
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        found = encode(texts, batch_size=self._settings.batch, show_progress_bar=False, save_to_cpu=True).coalesce()
        cells = tuple(found.indices().numpy())
        rows = sparse.coo_array((found.values().double().numpy(), cells), shape=tuple(found.shape)).tocsr()
        if self._model.similarity_fn_name == "cosine":
            lengths = rows.multiply(rows).sum(axis=1) ** 0.5
            rows = (sparse.diags_array(1 / lengths.clip(min=1e-12)) @ rows).tocsr()
        return rows


def _refuse_untrained(name: str, source: Source) -> None:
    """The library would put a fresh, random head on any encoder: figures of no one's model."""
    saved = saved_as(source.folder)
    if saved == "SparseEncoder" or (not saved and any(a.endswith("MaskedLM") for a in architectures(source.folder))):
        return
    raise InputError(f"{name} is no learned sparse model. Expected a saved SparseEncoder or a masked language model")


def build(name: str, settings: Settings, *, revision: str = "") -> Sparse:
    """`sparse:name-or-path`."""
    family, _, target = name.partition(":")
    return Sparse(name, find(target, family=family, organisation="sparse-encoder", revision=revision), settings)
