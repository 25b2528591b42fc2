"""Rerank documents: `litotes.rerank`, and `Reranker` with the interface of a sentence_transformers `CrossEncoder`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError
from litotes.models.adapter import check_texts
from litotes.models.bases import MINI, RERANK_MINI
from litotes.models.pair.card import find_pair_model
from litotes.models.pair.heads import RELEVANCE
from litotes.models.pair.scorer import PairScorer
from litotes.models.tower.scaling import check_dial
from litotes.query.adapters.embeddings import encoder_of
from litotes.query.beside_encoder import BesideEncoder
from litotes.query.encoder_reranking import BATCH, rerank_with_encoder
from litotes.query.exclusion import BETA, Exclude, check_exclude
from litotes.query.pair_reranking import PairReranker
from litotes.query.reranked import Reranked

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.query.encoder import Encoder

DEFAULT = RERANK_MINI
"""The model of a Reranker without a name."""


def rerank(
    query: str,
    texts: Sequence[str],
    k: int | None = None,
    *,
    model: str | Path | PairScorer | Encoder | BesideEncoder | Reranker = MINI,
    dial: float | None = None,
    exclude: Exclude | None = None,
    beta: float = BETA,
    batch: int = BATCH,
    scores: Sequence[float] | None = None,
    first_stage: bool | None = None,
    weight: float | None = None,
    explain: bool = False,
) -> list[Reranked]:
    """Return the texts in their new order, all of them or the first `k`, with the numbers behind their ranks.

    `model` is a pair model or an encoder, by its name or folder, or a loaded one, or `litotes.beside(…)`. A model that
    is given by its name is loaded for each call; pass a `Reranker` to load it once. `dial` is how much polarity counts,
    for an encoder. Its default is the model's default dial, and half of it for a query that excludes something. A model
    without a tower can only exclude. `exclude` and `beta` are those of `Encoder.encode_query`; the default of `exclude`
    is that of the `Reranker`, or “auto”. `Reranker.rank` explains the other options; all but `explain` are for a pair
    model.
    """
    loaded = model if isinstance(model, Reranker) else Reranker(model)
    return loaded.rerank(
        query,
        texts,
        k,
        dial=dial,
        exclude=exclude,
        beta=beta,
        batch=batch,
        scores=scores,
        first_stage=first_stage,
        weight=weight,
        explain=explain,
    )


class Reranker:
    """Rerank documents with a pair model, which reads the query and a document together, or with an encoder.

    `model` is a pair model or an encoder: its name, its folder, or a loaded one, or `litotes.beside(…)`. Only an
    encoder has a `dial`.
    """

    def __init__(
        self,
        model: str | Path | PairScorer | Encoder | BesideEncoder | SentenceTransformer = DEFAULT,
        *,
        dial: float | None = None,
        exclude: Exclude = "auto",
        device: str | None = None,
    ) -> None:
        check_exclude(exclude)
        self._dial, self._exclude = dial, exclude
        self._pair: PairReranker | None = None
        if isinstance(model, Path):
            model = str(model)
        if isinstance(model, PairScorer) or (isinstance(model, str) and find_pair_model(model)):
            if dial is not None:
                raise InputError(f"the dial is {dial}, but {model} is a pair model; only a tower has a dial")
            self._pair = PairReranker(model, device=device)
        else:
            if device is not None:
                raise InputError("device is for a pair model; load the encoder on its device and pass it instead")
            self._encoder = _encoder(model, dial, exclude)

    @property
    def reads_pairs(self) -> bool:
        """Whether the model is a pair model, which has a first stage, and not an encoder."""
        return self._pair is not None

    def predict(
        self,
        inputs: Sequence[Sequence[str]] | Sequence[str],
        *,
        calibrated: bool = False,
        batch_size: int = BATCH,
        show_progress_bar: bool | None = None,
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
    ) -> Any:
        """Return a score per (query, document); a single pair that is not in a list gets a single score.

        The scores of a pair model are logits, of which any two can be compared. With `calibrated`, they are
        probabilities from 0 to 1. Those of an encoder are similarities from about −1 to 1, comparable among the
        documents of one query. `show_progress_bar` is part of the library's interface and has no effect; `batch_size`
        has none for a pair model, which fills its batches by tokens. A pair model reads each query whole: only `rank`
        handles what a query excludes.
        """
        single = len(inputs) == 2 and all(isinstance(text, str) for text in inputs)
        pairs: list[Any] = [inputs] if single else list(inputs)
        for number, pair in enumerate(pairs):
            listed = isinstance(pair, Sequence) and not isinstance(pair, str)
            if not listed or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
                raise InputError(f"pair {number} is {pair!r}; expected a query and a document, both texts")
        self._check_calibrated(calibrated)
        if self._pair is not None:
            readings = self._pair.read([query for query, _ in pairs], [document for _, document in pairs])
            scores = np.array([reading.logit for reading in readings], dtype=np.float32)
            scores = self._pair.scorer.probabilities(scores) if calibrated else scores
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
        calibrated: bool = False,
        explain: bool = False,
        batch_size: int = BATCH,
        show_progress_bar: bool | None = None,
    ) -> list[dict[str, Any]]:
        """Return the documents, best first, with `corpus_id` and `score`, and with `text` if `return_documents`.

        With `explain`, each row has also the `sentence` that decided, and `decided_by`: "polarity" if it matters what
        that sentence affirms or denies, "topic" otherwise, and nothing if the sentence has no reverse. Explaining reads
        each document about twice per sentence again, so set `top_k`.

        The other options are for a pair model. Its logit is added to the score of a first stage, because the logit
        alone ranks documents on different subjects worse. `scores` are the first stage's scores, one per document:
        cosines, dot products or BM25. Without them, the cosines of the model's base are used; with
        `first_stage=False`, the logit alone. `weight` is the weight of the logit. With a first stage, a score depends
        on the other documents, so scores of different queries cannot be compared. With `calibrated`, each row has also
        a `probability` from 0 to 1, which can be compared. A long document is read in windows, and its row has the
        characters of the best `window`.
        """
        self._check_calibrated(calibrated)
        found = self.rerank(
            query,
            documents,
            top_k,
            scores=scores,
            first_stage=first_stage,
            weight=weight,
            explain=explain,
            batch=batch_size,
        )
        return self._rows(found, return_documents, calibrated, explain)

    def rank_all(
        self,
        queries: Sequence[str],
        documents: Sequence[Sequence[str]],
        top_k: int | None = None,
        return_documents: bool = False,
        *,
        scores: Sequence[Sequence[float]] | None = None,
        first_stage: bool | None = None,
        weight: float | None = None,
        calibrated: bool = False,
        explain: bool = False,
        batch_size: int = BATCH,
        show_progress_bar: bool | None = None,
    ) -> list[list[dict[str, Any]]]:
        """Return the rows of `rank` for each query with its own list of documents.

        A pair model reads the documents of all queries in common batches, which is faster than one call per query.
        `scores` has one list per query. The other options are those of `rank`.
        """
        self._check_calibrated(calibrated)
        check_texts(queries, "queries")
        if len(queries) != len(documents):
            raise InputError(f"{len(queries)} queries and {len(documents)} lists of documents; expected as many lists")
        if scores is not None and len(scores) != len(queries):
            raise InputError(f"{len(scores)} lists of scores for {len(queries)} queries; expected one list per query")
        for query, texts in zip(queries, documents, strict=True):
            _check_arguments(query, texts, top_k)
        options: dict[str, Any] = {"scores": scores, "first_stage": first_stage, "weight": weight}
        if self._pair is None:
            _refuse_pair_options(options)
            lists = zip(queries, documents, strict=True)
            found = [self.rerank(query, texts, top_k, batch=batch_size) for query, texts in lists]
        else:
            ranked = self._pair.rank_all(queries, documents, exclude=self._exclude, **_pair_options(**options))
            found = [results[:top_k] for results in ranked]
            if explain:
                lists_of_results = zip(queries, found, strict=True)
                found = [self._pair.explain(query, one, exclude=self._exclude) for query, one in lists_of_results]
        return [self._rows(results, return_documents, calibrated, explain) for results in found]

    def rerank(
        self,
        query: str,
        texts: Sequence[str],
        k: int | None = None,
        *,
        dial: float | None = None,
        exclude: Exclude | None = None,
        beta: float = BETA,
        batch: int = BATCH,
        scores: Sequence[float] | None = None,
        first_stage: bool | None = None,
        weight: float | None = None,
        explain: bool = False,
    ) -> list[Reranked]:
        """Return the texts, best first, as `litotes.rerank` does."""
        _check_arguments(query, texts, k)
        chosen = self._exclude if exclude is None else exclude
        options: dict[str, Any] = {"scores": scores, "first_stage": first_stage, "weight": weight}
        if self._pair is None:
            _refuse_pair_options(options)
            own = self._dial if dial is None else dial
            return rerank_with_encoder(query, texts, self._encoder, dial=own, exclude=chosen, beta=beta, batch=batch)[
                :k
            ]
        if dial is not None:
            raise InputError(f"the dial is {dial}, but this is a pair model; only a tower has a dial")
        found = self._pair.rank(query, texts, exclude=chosen, beta=beta, **_pair_options(**options))[:k]
        return self._pair.explain(query, found, exclude=chosen) if explain else found

    def save(self, folder: str) -> None:
        """Save a pair model with its base, as a folder that `CrossEncoder(folder)` loads after `import litotes.models`.

        A CrossEncoder has neither a first stage nor windows, and it turns logits into numbers from 0 to 1.
        """
        if self._pair is None:
            raise InputError("this model is an encoder; expected a pair model. Save the encoder itself")
        from litotes.models.pair.classifier import save_classifier

        save_classifier(self._pair.scorer, Path(folder), head=RELEVANCE)

    def _rows(
        self, results: Sequence[Reranked], texts: bool, calibrated: bool, explained: bool
    ) -> list[dict[str, Any]]:
        """Return results in the shape of a CrossEncoder."""
        rows: list[dict[str, Any]] = []
        for result in results:
            row: dict[str, Any] = {"corpus_id": result.place, "score": result.score}
            row |= {"text": result.text} if texts else {}
            row |= {"window": result.window} if result.window else {}
            if explained:
                row |= {"sentence": result.sentence, "decided_by": result.decided_by}
                row |= {"reversed_logit": result.reversed_logit} if self._pair is not None else {}
            rows.append(row)
        if calibrated and self._pair is not None:
            # The calibration is that of a whole query, so the excluded part's share is added again.
            logits = np.array([(result.logit or 0.0) + result.near_excluded for result in results], dtype=np.float64)
            for row, probability in zip(rows, self._pair.scorer.probabilities(logits), strict=True):
                row["probability"] = float(probability)
        return rows

    def _check_calibrated(self, calibrated: bool) -> None:
        if calibrated and self._pair is None:
            raise InputError("calibrated is for a pair model, and this model is an encoder; leave it out")
        if calibrated and self._pair is not None:
            self._pair.scorer.probabilities(np.zeros(0))

    def _similarities(self, pairs: Sequence[Any], batch: int) -> np.ndarray:
        """Return the score of each pair by an encoder; the pairs of one query are scored together."""
        by_query: dict[str, list[int]] = {}
        for number, pair in enumerate(pairs):
            by_query.setdefault(pair[0], []).append(number)
        scores = np.zeros(len(pairs), dtype=np.float32)
        for query, numbers in by_query.items():
            for result in self.rerank(query, [pairs[number][1] for number in numbers], batch=batch):
                scores[numbers[result.place]] = result.score
        return scores


def _encoder(model: Any, dial: float | None, exclude: Exclude) -> Encoder | BesideEncoder:
    if not isinstance(model, BesideEncoder):
        return encoder_of(model, dial=dial, exclude=exclude)
    if dial is not None:
        check_dial(dial)
    return model


def _refuse_pair_options(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if value is not None:
            raise InputError(f"{name} is for a pair model, and this model is an encoder; leave it out")


def _pair_options(
    *, scores: Any = None, first_stage: bool | None = None, weight: float | None = None
) -> Mapping[str, Any]:
    """Check the options of a pair model, and return them as it takes them."""
    if first_stage is not None and not isinstance(first_stage, bool | np.bool_):
        raise InputError(
            f"first_stage is {first_stage!r}; expected True or False. For the scores of another encoder, pass scores="
        )
    given = {"scores": scores, "weight": weight}
    alone = first_stage is not None and not first_stage
    for name, value in given.items():
        if alone and value is not None:
            raise InputError(f"{name} has no effect with first_stage=False; leave one of them out")
    if weight is not None and (not isinstance(weight, Real) or not 0 <= weight < float("inf")):
        raise InputError(f"weight is {weight!r}; expected a number of at least 0")
    return given | {"first_stage": not alone}


def _check_arguments(query: object, texts: object, k: int | None) -> None:
    if not isinstance(query, str):
        raise InputError(f"the query is {type(query).__name__}; expected a text")
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise InputError(f"the documents are {type(texts).__name__}; expected a list of texts")
    check_texts(texts, "documents")
    if k is not None and (not isinstance(k, int | np.integer) or k < 1):
        raise InputError(f"top_k is {k!r}; expected 1 or more, or None for all")


def _convert(scores: Any, as_numpy: bool, as_tensor: bool) -> Any:
    """Convert scores as a CrossEncoder does: to an array, a tensor, or a list of tensors."""
    if not as_tensor and as_numpy:
        return scores
    import torch

    tensor = torch.as_tensor(scores)
    return tensor if as_tensor or tensor.ndim == 0 else list(tensor)
