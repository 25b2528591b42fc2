"""What the rerankers for LangChain, LlamaIndex and Haystack share: the model and its options."""

from __future__ import annotations

from collections.abc import Iterable

from litotes.errors import InputError
from litotes.query.reranker import Reranker


def reranker_of(model: str | Reranker | None) -> Reranker:
    """Return the Reranker of a name or folder, or the default one for None; a loaded Reranker is returned as it is."""
    check_model(model)
    if isinstance(model, Reranker):
        return model
    return Reranker() if model is None else Reranker(model)


def check_model(model: object) -> None:
    """Refuse what is not a model, before anything is loaded."""
    if model is not None and not isinstance(model, str | Reranker):
        raise InputError(f"the model is {type(model).__name__}; expected a name, a folder or a litotes Reranker")


def check_top(name: str, value: int | None) -> None:
    """Refuse a number of documents that is not positive. `name` is what the framework calls it."""
    if value is not None and value < 1:
        raise InputError(f"{name} is {value}; expected 1 or more, or None for all")


def retrieval_scores(reranker: Reranker, scores: Iterable[float | None]) -> list[float] | None:
    """Return the scores of the framework's retriever for use as the first stage.

    Return None if a document has no score, or if the model is an encoder, which has no first stage.
    """
    found = list(scores)
    known = [score for score in found if score is not None]
    return known if len(known) == len(found) and reranker.reads_pairs else None
