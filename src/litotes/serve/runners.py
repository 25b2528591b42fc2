"""The models behind the queues: how each is loaded, and how it computes a batch."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError
from litotes.models.backends import ONNX, TORCH, has_gpu, is_installed
from litotes.serve.model_names import QUERY, Encoding, ExcludeSetting

if TYPE_CHECKING:
    from litotes.guard import Verdict
    from litotes.metric import Score
    from litotes.models.tower.shape import TowerShape
    from litotes.query.encoder import Encoder
    from litotes.query.onnx_encoder import OnnxEncoder
    from litotes.types import Detection, Exclusion

CHARACTERS_PER_TOKEN = 4
_log = logging.getLogger("litotes.serve")
RerankItem = tuple[str, tuple[str, ...]]
"""a query and its documents"""


@dataclass(frozen=True, slots=True)
class RerankSetting:
    """How a query's documents are reranked. Queries with the same setting are computed together."""

    exclude: ExcludeSetting = "auto"
    first_stage: bool = True
    """whether the cosines of the model's base are added to its logits"""


def estimate(texts: Sequence[str]) -> int:
    """Return about how many tokens some texts have together."""
    return sum(len(text) // CHARACTERS_PER_TOKEN + 1 for text in texts)


class EncoderRunner:
    """An encoder. Its items are texts, and its key is an `Encoding`."""

    def __init__(self, name: str, backend: str = "") -> None:
        self.model = load_encoder(name, backend)
        # What queries exclude is found by a model of its own, which is loaded here, too.
        ExclusionRunner().run(None, ["soups without garlic"])

    @cached_property
    def width(self) -> int:
        """The number of columns of a vector."""
        columns: int = self.model.get_embedding_dimension() or 0
        return columns

    @cached_property
    def base_width(self) -> int | None:
        """The number of columns of the base's vector, with which a vector begins; None for an encoder without tower."""
        return self.width - self._tower.width if self._tower is not None else None

    @cached_property
    def _tower(self) -> TowerShape | None:
        """The shape of the encoder's tower, if it has one."""
        from litotes.models.tower.shape import loaded_shape

        return loaded_shape(self.model)

    @cached_property
    def shape(self) -> dict[str, float]:
        """What a client needs to set the dial of vectors that it has: the columns, and the default dial."""
        if self._tower is None or self.base_width is None:
            return {}
        dial = self._tower.default_dial
        return {"dimensions": self.width, "base_dimensions": self.base_width, "default_dial": dial}

    def run(self, key: Encoding, items: Sequence[str]) -> Sequence[np.ndarray]:
        """Return one vector per text."""
        if key.role != QUERY:
            return list(self.model.encode_document(list(items), show_progress_bar=False))
        options: dict[str, Any] = {} if key.dial is None else {"dial": key.dial}
        exclude = list(key.exclude) if isinstance(key.exclude, tuple) else key.exclude
        return list(self.model.encode_query(list(items), exclude=exclude, show_progress_bar=False, **options))

    def count(self, items: Sequence[str]) -> Sequence[int]:
        """Return the number of tokens that the model reads of each text."""
        counts: list[int] = self.model.token_counts(items)
        return counts


class RerankRunner:
    """A reranker. Its items are a query and its documents, and its key is a `RerankSetting`."""

    def __init__(self, name: str) -> None:
        from litotes.models.pair.build import load_pair_scorer
        from litotes.query.pair_reranking import PairReranker

        self._scorer = load_pair_scorer(name)
        PairReranker(self._scorer).base  # noqa: B018  the first stage is loaded here, and not with the first batch

    def run(self, key: RerankSetting, items: Sequence[RerankItem]) -> Sequence[list[dict[str, Any]]]:
        """Return the rows of `Reranker.rank` for each query, best first, each with a probability."""
        from litotes.query import Reranker

        exclude = list(key.exclude) if isinstance(key.exclude, tuple) else key.exclude
        reranker = Reranker(self._scorer, exclude=exclude)
        queries, documents = [query for query, _ in items], [texts for _, texts in items]
        calibrated = self._scorer.calibration is not None
        return reranker.rank_all(queries, documents, first_stage=key.first_stage, calibrated=calibrated)

    def count(self, items: Sequence[RerankItem]) -> Sequence[int]:
        """Estimate the tokens of each query with all its documents."""
        return [estimate(texts) + len(texts) * estimate([query]) for query, texts in items]


class GuardRunner:
    """A tier of the guard. Its items are a new and a cached text, and its key is a threshold or None."""

    def __init__(self, tier: str) -> None:
        from litotes.guard.tiers import load_tier

        self._tier = load_tier(tier)

    def run(self, key: float | None, items: Sequence[tuple[str, str]]) -> Sequence[Verdict]:
        """Return a verdict on each pair."""
        from litotes.guard import Guard

        guard = Guard(self._tier, threshold=key, log=False)
        return guard.verdicts([new for new, _ in items], [cached for _, cached in items])

    def count(self, items: Sequence[tuple[str, str]]) -> Sequence[int]:
        """Estimate the tokens of each pair."""
        return [estimate(pair) for pair in items]


class MetricRunner:
    """A metric. Its items are a candidate and its references, and its key is whether hedges count."""

    def __init__(self, name: str) -> None:
        from litotes.metric import Metric

        self._metric = Metric(name)
        self._metric.scorer  # noqa: B018  the model is loaded here, and not with the first batch

    def run(self, key: bool, items: Sequence[tuple[str, tuple[str, ...]]]) -> Sequence[Score]:
        """Return the score of each candidate."""
        return self._metric.score([text for text, _ in items], [texts for _, texts in items], hedges=key)

    def count(self, items: Sequence[tuple[str, tuple[str, ...]]]) -> Sequence[int]:
        """Estimate the tokens of each candidate with each of its references."""
        return [estimate(texts) + len(texts) * estimate([text]) for text, texts in items]


class ExclusionRunner:
    """The splitter of queries. Its items are queries, and it has no key."""

    def __init__(self) -> None:
        from litotes.query.splitting import splitter

        self._split = splitter()

    def run(self, key: None, items: Sequence[str]) -> Sequence[Exclusion]:
        """Return the parts of each query."""
        return list(self._split(items))

    def count(self, items: Sequence[str]) -> Sequence[int]:
        """Estimate the tokens of each query."""
        return [estimate([text]) for text in items]


class DetectionRunner(ExclusionRunner):
    """The detector of negations. Its items are texts, and it has no key."""

    def __init__(self) -> None:
        from litotes.parse import load_parser

        self._parser = load_parser("")

    def run(self, key: None, items: Sequence[str]) -> Sequence[Detection]:  # type: ignore[override]
        """Return the negations and hedges of each text."""
        from litotes.detection import detect_all

        return list(detect_all(items, parser=self._parser))


def load_encoder(name: str, backend: str = "") -> Encoder | OnnxEncoder:
    """Load an encoder.

    Without a backend, an encoder that has a graph runs on onnxruntime if that is installed and there is no GPU: it is
    faster than torch on a CPU. If the graph cannot be kept, loaded or trusted, torch is used instead.
    """
    from litotes.query import load

    if backend == ONNX:
        return load(name, backend=ONNX)
    if backend == TORCH or not is_installed(ONNX) or (is_installed(TORCH) and (has_gpu() or not _has_graph(name))):
        return load(name, backend=TORCH)
    try:
        return load(name, backend=ONNX)
    except InputError:
        # a wrong name or dial, which torch would refuse, too
        raise
    except Exception as error:  # the errors of onnxruntime have no base class of their own
        if not is_installed(TORCH):
            raise
        _log.warning("%s runs on torch, because its ONNX graph cannot be used: %s", name, error)
        return load(name, backend=TORCH)


def _has_graph(name: str) -> bool:
    from litotes.models.encoder_names import parse_encoder_name
    from litotes.models.onnx.making_once import has_graph

    parts = parse_encoder_name(name.removeprefix("dense:"), None).parts
    return len(parts) == 1 and has_graph(parts[0])


def kind_of(name: str) -> str:
    """Return whether a model's name or folder is that of an "encoder", a "reranker" or a "metric"."""
    from litotes.models.bases import METRICS
    from litotes.models.pair.card import find_pair_model

    if name in METRICS:
        return "metric"
    return "reranker" if find_pair_model(name) is not None else "encoder"


LOADERS: dict[str, Callable[..., Any]] = {
    "encoder": EncoderRunner,
    "reranker": RerankRunner,
    "metric": MetricRunner,
    "guard": GuardRunner,
}
"""kind of model → what loads it by its name"""


def check_tier(tier: str) -> None:
    """Refuse a tier of the guard that is not on this machine: the server downloads nothing."""
    from litotes.guard.tiers import BASE, TIERS
    from litotes.models.bases import has_mpnet

    if tier not in TIERS:
        raise InputError(f"unknown tier {tier!r}; expected {', '.join(TIERS)}")
    if tier == BASE and not has_mpnet():
        raise InputError("the tier base needs all-mpnet-base-v2, which is not on this machine; use the tier mini")
