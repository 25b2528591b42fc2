"""A ranker for Haystack.

Importing this module needs haystack-ai; the rest of litotes does not. Saved pipelines contain the name of this module,
so it has to stay.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, inf
from typing import TYPE_CHECKING, Any, Self

from litotes.errors import InputError, require
from litotes.query.adapters.ranking import check_model, check_top, reranker_of, retrieval_scores
from litotes.query.reranker import Reranker

_library: Any = require("haystack", extra="frameworks", why="Haystack's ranker")

# Haystack reads the types of a component's inputs from the annotations of `run`. Many versions of Haystack 2 do not
# resolve annotations that are strings, so this module does not postpone them.
if TYPE_CHECKING:
    Document = Any
else:
    Document = _library.Document


@_library.component
class HaystackRanker:
    """A component for a Haystack pipeline, after a retriever.

    `model` is a name, a folder or a `Reranker`; the default is that of `Reranker`. Only a name or a folder can be saved
    with a pipeline. `top_k` is how many documents are kept; the default is all. `scale_score` maps the scores to the
    range from 0 to 1 by the logistic function, as Haystack's own rankers do; large scores become equal. With
    `use_scores`, a pair model uses the retriever's scores as its first stage if every document has one. An encoder has
    no first stage.
    """

    def __init__(
        self,
        model: str | Reranker | None = None,
        *,
        top_k: int | None = None,
        scale_score: bool = False,
        use_scores: bool = True,
    ) -> None:
        check_model(model)
        check_top("top_k", top_k)
        self.model = model
        self.top_k = top_k
        self.scale_score = scale_score
        self.use_scores = use_scores
        self._reranker: Reranker | None = None

    def warm_up(self) -> None:
        """Load the model. A pipeline does this before its first run."""
        self._loaded()

    def to_dict(self) -> dict[str, Any]:
        """Return the class and its options, for a file."""
        if isinstance(self.model, Reranker):
            raise InputError("the model is a loaded Reranker, which cannot be saved; pass its name or folder instead")
        data: dict[str, Any] = _library.default_to_dict(
            self, model=self.model, top_k=self.top_k, scale_score=self.scale_score, use_scores=self.use_scores
        )
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the ranker that `to_dict` describes."""
        ranker: Self = _library.default_from_dict(cls, data)
        return ranker

    @_library.component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(
        self,
        query: str,
        documents: list[Document],
        top_k: int | None = None,
        scale_score: bool | None = None,
    ) -> dict[str, list[Document]]:
        """Return copies of the documents, best first, with their new scores.

        `top_k` and `scale_score` replace the options of the same names. Of documents with the same id, the one with the
        highest score is kept, as Haystack's own rankers do.
        """
        check_top("top_k", top_k)
        distinct = _distinct(documents)
        if not distinct:
            return {"documents": []}
        texts = [_text(document) for document in distinct]
        reranker = self._loaded()
        scores = retrieval_scores(reranker, [document.score for document in distinct]) if self.use_scores else None
        rows = reranker.rerank(query, texts, self.top_k if top_k is None else top_k, scores=scores)
        scaled = self.scale_score if scale_score is None else scale_score
        return {
            "documents": [
                replace(distinct[row.place], score=_logistic(row.score) if scaled else row.score) for row in rows
            ]
        }

    def _loaded(self) -> Reranker:
        if self._reranker is None:
            self._reranker = reranker_of(self.model)
        return self._reranker


def _distinct(documents: Sequence[Any]) -> list[Any]:
    """Return one document per id, in the order of their first occurrence."""
    best: dict[str, Any] = {}
    for document in documents:
        other = best.get(document.id)
        if other is None or _score(document) > _score(other):
            best[document.id] = document
    return list(best.values())


def _score(document: Any) -> float:
    return -inf if document.score is None else float(document.score)


def _text(document: Any) -> str:
    if document.content is None:
        raise InputError(f"document {document.id} has no content; expected a text. Remove images before ranking")
    return str(document.content)


def _logistic(value: float) -> float:
    """Return 1 / (1 + e^−value), without overflow."""
    return 1 / (1 + exp(-value)) if value >= 0 else exp(value) / (1 + exp(value))
