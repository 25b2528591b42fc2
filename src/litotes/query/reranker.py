"""A reranker with the interface of a sentence_transformers `CrossEncoder`: `predict` and `rank`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError
from litotes.models.bases import MINI
from litotes.models.pair.build import RELEVANCE, is_pair_model
from litotes.query.adapters import encoder_of
from litotes.query.exclusion import check_exclude
from litotes.query.pair_reranking import WEIGHT, PairReranker
from litotes.query.reranking import BATCH, rerank

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.query.encoder import Encoder

PAIR_OPTIONS = ("scores", "first_stage", "weight")
"""The options of `rank` that only a pair model has."""


class Reranker:
    """Rerank documents with a pair model, which reads the query and a document together, or with an encoder.

    `model` is the folder of a pair model (`litotes train --recipe pair`), or an encoder as for `litotes.rerank`. Only
    an encoder has a `dial`.
    """

    def __init__(
        self,
        model: str | Encoder | SentenceTransformer = MINI,
        *,
        dial: float | None = None,
        exclude: str | bool = "auto",
        device: str | None = None,
    ) -> None:
        check_exclude(exclude)
        self._options: dict[str, Any] = {"exclude": exclude}
        self._pair: PairReranker | None = None
        if isinstance(model, str) and is_pair_model(model):
            if dial is not None:
                raise InputError(f"the dial is {dial}, but {model} is a pair model; only a tower has a dial")
            self._pair = PairReranker(model, device=device)
        else:
            if device is not None:
                raise InputError("device is for a pair model; load the encoder on its device and pass it instead")
            self._encoder = encoder_of(model, dial=dial, exclude=exclude)
            self._options["dial"] = dial

    def predict(
        self,
        inputs: Sequence[Sequence[str]] | Sequence[str],
        *,
        batch_size: int = BATCH,
        show_progress_bar: bool | None = None,
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
    ) -> Any:
        """Return a score per (query, document); a single pair that is not in a list gets a single score.

        The scores of a pair model are logits, of which any two can be compared. Those of an encoder are similarities
        from about −1 to 1, comparable among the documents of one query. `show_progress_bar` is part of the library's
        interface and has no effect; `batch_size` has none for a pair model, which fills its batches by tokens. A pair
        model reads each query whole: only `rank` handles what a query excludes.
        """
        single = len(inputs) == 2 and all(isinstance(text, str) for text in inputs)
        pairs: list[Any] = [inputs] if single else list(inputs)
        for number, pair in enumerate(pairs):
            if isinstance(pair, str) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
                raise InputError(f"pair {number} is {pair!r}; expected a query and a document, both texts")
        if self._pair is not None:
            readings = self._pair.read([query for query, _ in pairs], [document for _, document in pairs])
            scores = np.array([reading.logit for reading in readings], dtype=np.float32)
        else:
            scores = self._similarities(pairs, batch_size)
        return _convert(scores[0] if single else scores, convert_to_numpy, convert_to_tensor)

    def rank(
        self,
        query: str,
        documents: Sequence[str],
        top_k: int | None = None,
        return_documents: bool = False,
        *,
        scores: Sequence[float] | None = None,
        first_stage: bool | None = None,
        weight: float | None = None,
        batch_size: int = BATCH,
        show_progress_bar: bool | None = None,
    ) -> list[dict[str, Any]]:
        """Return the documents, best first, with `corpus_id` and `score`, and with `text` if `return_documents`.

        The other options are for a pair model. Its logit is added to the score of a first stage, because the logit
        alone ranks documents on different subjects worse. `scores` are the first stage's scores, one per document:
        cosines, dot products or BM25. Without them, the cosines of the model's base are used; with
        `first_stage=False`, the logit alone. `weight` is the weight of the logit. With a first stage, a score depends
        on the other documents, so scores of different queries cannot be compared.
        """
        given = [
            name for name, value in zip(PAIR_OPTIONS, (scores, first_stage, weight), strict=True) if value is not None
        ]
        if self._pair is None:
            if given:
                raise InputError(f"{given[0]} is for a pair model, and this model is an encoder; leave it out")
            results = rerank(query, documents, top_k, model=self._encoder, batch=batch_size, **self._options)
            rows = [(result.place, result.score) for result in results]
        else:
            _check_rank(query, documents, top_k)
            if first_stage is False and len(given) > 1:
                other = next(name for name in given if name != "first_stage")
                raise InputError(f"{other} has no effect with first_stage=False; leave one of them out")
            if weight is not None and not 0 <= weight < float("inf"):
                raise InputError(f"weight is {weight}; expected a number of at least 0")
            ranked = self._pair.rank(
                query,
                documents,
                scores=scores,
                first_stage=first_stage is not False,
                weight=WEIGHT if weight is None else weight,
                **self._options,
            )
            rows = [(result.place, result.score) for result in ranked[:top_k]]
        named: list[dict[str, Any]] = [{"corpus_id": place, "score": score} for place, score in rows]
        return [row | {"text": documents[row["corpus_id"]]} for row in named] if return_documents else named

    def save(self, folder: str) -> None:
        """Save a pair model with its base, as a folder that `CrossEncoder(folder)` loads after `import litotes.models`.

        A CrossEncoder has neither a first stage nor windows, and it turns logits into numbers from 0 to 1.
        """
        if self._pair is None:
            raise InputError("this model is an encoder; expected a pair model. Save the encoder itself")
        from litotes.models.pair.classifier import save_classifier

        save_classifier(self._pair.scorer, Path(folder), head=RELEVANCE)

    def _similarities(self, pairs: Sequence[Any], batch: int) -> np.ndarray:
        """Return the score of each pair by an encoder; the pairs of one query are scored together."""
        by_query: dict[str, list[int]] = {}
        for number, pair in enumerate(pairs):
            by_query.setdefault(pair[0], []).append(number)
        scores = np.zeros(len(pairs), dtype=np.float32)
        for query, numbers in by_query.items():
            texts = [pairs[number][1] for number in numbers]
            for result in rerank(query, texts, model=self._encoder, batch=batch, **self._options):
                scores[numbers[result.place]] = result.score
        return scores


def _check_rank(query: object, documents: object, top_k: int | None) -> None:
    if not isinstance(query, str):
        raise InputError(f"the query is {type(query).__name__}; expected a text")
    listed = not isinstance(documents, str) and isinstance(documents, Sequence)
    if not listed or not all(isinstance(text, str) for text in documents):  # type: ignore[attr-defined]
        raise InputError(f"the documents are {type(documents).__name__}; expected a list of texts")
    if top_k is not None and top_k < 1:
        raise InputError(f"top_k is {top_k}; expected 1 or more, or None for all")


def _convert(scores: Any, as_numpy: bool, as_tensor: bool) -> Any:
    """Convert scores as a CrossEncoder does: to an array, a tensor, or a list of tensors."""
    if not as_tensor and as_numpy:
        return scores
    import torch

    tensor = torch.as_tensor(scores)
    return tensor if as_tensor or tensor.ndim == 0 else list(tensor)
