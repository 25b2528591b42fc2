"""A retriever's first k, ordered anew: exclusion, the dial, and polarity judged on the sentence that matters.

A passage of ten sentences denies little on the whole, and a tower that reads the whole hears little of it. So the base
judges the passage, and the tower judges the one sentence that is nearest to the query:

    (1−w)·f(query)·f(passage) + w·g(query)·g(sentence)

Nothing is indexed anew. The one or two sentences that may be it are found in the passage's own token vectors, and only
those are encoded again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.detection.sentences import sentences
from litotes.errors import InputError
from litotes.models.dense import tower_config
from litotes.models.tower.dial import checked
from litotes.query.excluding import BETA, CALM, Parts, exclude_checked, joined, parts_of
from litotes.query.loading import MINI, load

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

BATCH = 16
CANDIDATES = 2
"""sentences that are encoded again, of the passages that match best; of the others one"""
BEST = 20
"""passages that are looked at twice"""


@dataclass(frozen=True, slots=True)
class Reranked:
    """One text in its new place, and what put it there."""

    place: int
    """among the texts that were given, from 0"""
    text: str
    score: float
    rank: int
    """from 1"""
    before: int
    """its rank for the base alone and the whole query, from 1"""
    match: float
    """f: how near the passage is to what the query keeps, less what it leaves out"""
    polarity: float
    """g: whether the sentence says what the query says, or denies it; 0 without a tower"""
    sentence: str
    """the passage's sentence nearest to the query, on which polarity was judged"""
    excluded: tuple[str, ...] = ()
    """what the query leaves out"""
    near_excluded: float = 0.0
    """how near the passage is to that"""

    def line(self) -> dict[str, Any]:
        """Its JSON object."""
        return {name: getattr(self, name) for name in self.__slots__} | {"excluded": list(self.excluded)}

    def why(self) -> str:
        """Its move in a sentence."""
        step = self.before - self.rank
        moved = f"up {step}" if step > 0 else f"down {-step}" if step < 0 else "unmoved"
        parts = [f"match {self.match:.2f}", f"polarity {self.polarity:.2f} of “{self.sentence}”"]
        if self.excluded:
            parts.append(f"near what is left out ({', '.join(self.excluded)}) {self.near_excluded:.2f}")
        return f"{self.rank} (was {self.before}, {moved}): {'; '.join(parts)}"


def rerank(
    query: str,
    texts: Sequence[str],
    k: int | None = None,
    *,
    model: str | Encoder = MINI,
    dial: float | None = None,
    exclude: str | bool = "auto",
    beta: float = BETA,
    batch: int = BATCH,
) -> list[Reranked]:
    """The texts in their new order, the first `k` of them or all, each with its reasons.

    `dial` is how much polarity counts; the model's own default if not said, and half of it where the query leaves
    something out. A model without a tower hears exclusions alone.
    """
    _refuse(query, texts, k)
    encoder = load(model) if isinstance(model, str) else model
    if not texts:
        return []
    parts = parts_of([query]) if exclude_checked(exclude) else Parts([query], [0], [0], [()])
    judge = _Judge(encoder, dial, share=CALM if parts.excluded[0] else 1.0)
    f, g = judge.queries([query, *parts.texts])
    asked = joined(parts, f[1:], beta=beta)[0]
    things = [parts.texts[at] for at in parts.excluded[0]]
    left_out = f[1:][list(parts.excluded[0])].mean(axis=0) if things else np.zeros_like(asked)
    kept = f[1 + parts.kept[0]], g[1 + parts.kept[0]]
    passages, candidates = judge.passages(texts, kept[0], batch)
    match = passages @ asked
    best = set(np.argsort(-match, kind="stable")[:BEST].tolist())
    looked_at = [some if at in best else some[:1] for at, some in enumerate(candidates)]
    nearest, polarity = judge.polarity(*kept, looked_at, batch)
    scores = (1 - judge.dial) * match + judge.dial * polarity
    before = _ranks(passages @ f[0])
    order = np.argsort(-scores, kind="stable")[:k]
    return [
        Reranked(
            int(at),
            texts[at],
            float(scores[at]),
            rank,
            before[at],
            float(match[at]),
            float(polarity[at]),
            nearest[at],
            tuple(things),
            float(passages[at] @ left_out),
        )
        for rank, at in enumerate(order.tolist(), 1)
    ]


class _Judge:
    """An encoder's two blocks of queries, passages and sentences; `share` is of its own dial, where none is given."""

    def __init__(self, encoder: Encoder, dial: float | None, *, share: float) -> None:
        self._encoder = encoder
        self._tower: Any = encoder.transformers_model if tower_config(encoder) is not None else None
        if self._tower is None and dial:
            raise InputError(f"the dial is {dial} and this model has no tower; expected none, or litotes-mini")
        own = share * self._tower.config.default_w if self._tower is not None else 0.0
        self.dial = own if dial is None or self._tower is None else checked(dial)

    def queries(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """f and g, unit rows; g has no columns without a tower."""
        rows = np.asarray(self._encoder.encode_query(texts, exclude=False), dtype=np.float32)
        width = self._tower.config.tower_width if self._tower is not None else 0
        split = rows.shape[1] - width
        return _unit(rows[:, :split]), _unit(rows[:, split:])

    def passages(self, texts: Sequence[str], query: np.ndarray, batch: int) -> tuple[np.ndarray, list[list[str]]]:
        """f of every passage, and its sentences that seem nearest to the query."""
        if self._tower is None:
            rows = np.asarray(self._encoder.encode_document(list(texts), batch_size=batch))
            return _unit(rows), [[text] for text in texts]
        found = np.zeros((len(texts), len(query)), dtype=np.float32)
        nearest: list[list[str]] = [[] for _ in texts]
        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            rows, tokens, offsets = self._read([texts[at] for at in places])
            found[places] = rows
            for place, states, spans in zip(places, tokens, offsets, strict=True):
                nearest[place] = _candidates(texts[place], states, spans, query)
        return found, nearest

    def polarity(
        self, base: np.ndarray, tower: np.ndarray, candidates: Sequence[Sequence[str]], batch: int
    ) -> tuple[list[str], np.ndarray]:
        """Of each passage's candidates the one with the nearest f, and its g with the query's; 0 where g counts not."""
        if self._tower is None or not self.dial:
            return [some[0] for some in candidates], np.zeros(len(candidates), dtype=np.float32)
        found = list(dict.fromkeys(text for some in candidates for text in some))
        rows = np.asarray(self._encoder.encode_document(found, batch_size=2 * batch), dtype=np.float32)
        near = _unit(rows[:, : len(base)]) @ base
        place = {text: at for at, text in enumerate(found)}
        chosen = [max(some, key=lambda text: near[place[text]]) for some in candidates]
        polarity: np.ndarray = _unit(rows[:, len(base) :])[[place[text] for text in chosen]] @ tower
        return chosen, polarity

    def _read(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """f of some texts, their token vectors, and where in the text each token stands."""
        import torch

        prompt = self._encoder.prompts.get("document") or ""
        features = self._encoder.tokenizer(
            [prompt + text for text in texts],
            padding=True,
            truncation=True,
            max_length=self._encoder.max_seq_length,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        ids, mask = (features[name].to(self._encoder.device) for name in ("input_ids", "attention_mask"))
        with torch.no_grad():
            tokens = self._tower.base_tokens(self._tower.at_fork(ids, mask), mask)
            rows = self._tower.pooled(tokens, mask)
        offsets = features["offset_mapping"].numpy() - len(prompt)
        return rows.float().cpu().numpy(), tokens.float().cpu().numpy(), offsets


def _candidates(text: str, tokens: np.ndarray, offsets: np.ndarray, query: np.ndarray) -> list[str]:
    """The sentences whose tokens' means are nearest to the query, the nearest first; what was cut off has no tokens."""
    near: dict[str, float] = {}
    for start, end in sentences(text):
        inside = (offsets[:, 0] >= start) & (offsets[:, 1] <= end) & (offsets[:, 1] > offsets[:, 0])
        if inside.any():
            mean = tokens[inside].mean(axis=0)
            near[text[start:end]] = float(mean @ query) / max(float(np.linalg.norm(mean)), 1e-9)
    return sorted(near, key=lambda one: -near[one])[:CANDIDATES] or [text]


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: np.ndarray = rows / np.maximum(lengths, 1e-9)
    return unit


def _ranks(scores: np.ndarray) -> dict[int, int]:
    return {int(at): rank for rank, at in enumerate(np.argsort(-scores, kind="stable"), 1)}


def _refuse(query: object, texts: object, k: int | None) -> None:
    if not isinstance(query, str):
        raise InputError(f"the query is {type(query).__name__}; expected a text")
    if isinstance(texts, str) or not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise InputError("expected a list of texts to rerank")
    if k is not None and k < 1:
        raise InputError(f"k is {k}; expected 1 or more, or nothing for all")
