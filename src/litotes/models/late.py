"""Late interaction: a vector a token, and the sum of each query token's best match, as ColBERT's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import Adapter, distinct, model_facts, open_model, pairs_of, source_facts, texts_of
from litotes.models.loading import Settings, Source, architectures, find, saved_as

if TYPE_CHECKING:
    import numpy as np

_SAVED_AS = ("MultiVectorEncoder", "ColBERT")
# Token vectors of a whole collection would not fit in memory: this many documents are held at a time.
_HELD = 1024


class Late(Adapter):
    """A MultiVectorEncoder."""

    family = "late"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(self, name: str, source: Source, settings: Settings) -> None:
        super().__init__(name)
        _refuse_untrained(name, source)
        self._source, self._settings = source, settings
        self._model = open_model("MultiVectorEncoder", source, settings, family=self.family)

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity of each query and the document beside it."""
        import numpy as np

        left, right = pairs_of(queries, documents)
        found = np.zeros(len(left))
        for start in range(0, len(left), _HELD):
            part = slice(start, start + _HELD)
            (asked, query_at), (answers, document_at) = distinct(left[part]), distinct(right[part])
            query_tokens, document_tokens = self._tokens(asked, "query"), self._tokens(answers, "document")
            found[part] = _numbers(
                self._model.similarity_pairwise(
                    [query_tokens[at] for at in query_at], [document_tokens[at] for at in document_at]
                )
            )
        return found

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity of every query and every document."""
        import numpy as np

        left, right = texts_of(queries, "queries"), texts_of(documents, "documents")
        found = np.zeros((len(left), len(right)))
        if not left or not right:
            return found
        query_tokens = self._tokens(left, "query")
        for start in range(0, len(right), _HELD):
            part = slice(start, start + _HELD)
            found[:, part] = _numbers(self._model.similarity(query_tokens, self._tokens(right[part], "document")))
        return found

    def details(self) -> dict[str, Any]:
        similarity = str(self._model.similarity_fn_name)
        return source_facts(self._source) | model_facts(self._model) | {"similarity": similarity}

    def _tokens(self, texts: list[str], role: str) -> list[Any]:
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        found: list[Any] = encode(texts, batch_size=self._settings.batch, show_progress_bar=False)
        return found


def _numbers(scores: Any) -> np.ndarray:
    found: np.ndarray = scores.double().cpu().numpy()
    return found


def _refuse_untrained(name: str, source: Source) -> None:
    """The library would put a fresh, random projection on any encoder: figures of no one's model."""
    saved = saved_as(source.folder)
    native = any(kind == "HF_ColBERT" or kind.endswith("ForRetrieval") for kind in architectures(source.folder))
    if saved not in _SAVED_AS and not native:
        raise InputError(f"{name} is no late-interaction model. Expected a saved MultiVectorEncoder or a ColBERT")


def build(name: str, settings: Settings, *, revision: str = "") -> Late:
    """`late:name-or-path`."""
    family, _, target = name.partition(":")
    return Late(name, find(target, family=family, revision=revision), settings)
