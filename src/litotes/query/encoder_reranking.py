"""Rerank with an encoder: by exclusion, the dial, and the polarity of the most relevant sentence.

One negation changes the vector of a passage of ten sentences very little. So the base compares the query with the
passage, and the tower compares it with the sentence that is nearest to the query:

    (1−w)·f(query)·f(passage) + w·g(query)·g(sentence)

Nothing has to be indexed again. The one or two candidates for that sentence are found in the passage's token vectors,
and only they are encoded again. Beside an encoder of the user's own, f is that encoder's, and the tower and its base
choose the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.detection.sentences import sentence_spans
from litotes.errors import InputError
from litotes.models.tower.scaling import check_dial
from litotes.models.tower.shape import tower_config
from litotes.query.beside_encoder import BesideEncoder
from litotes.query.exclusion import BETA, EXCLUSION_DIAL_SHARE, Exclude, combine_parts, split_queries
from litotes.query.reranked import Reranked

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

BATCH = 16
CANDIDATES = 2
"""sentences per passage that are encoded again, for the best passages; one for the others"""
BEST_PASSAGES = 20
"""how many passages count as the best"""


def rerank_with_encoder(
    query: str,
    texts: Sequence[str],
    encoder: Encoder | BesideEncoder,
    *,
    dial: float | None = None,
    exclude: Exclude = "auto",
    beta: float = BETA,
    batch: int = BATCH,
) -> list[Reranked]:
    """Return all texts in their new order. `litotes.rerank` explains the options."""
    if not texts:
        return []
    parts = split_queries([query], exclude=exclude)
    share = EXCLUSION_DIAL_SHARE if parts.excluded[0] else 1.0
    encoded = [query, *parts.texts]
    blocks: _Blocks | _BesideBlocks = (
        _BesideBlocks(encoder, encoded, dial, share=share)
        if isinstance(encoder, BesideEncoder)
        else _Blocks(encoder, encoded, dial, share=share)
    )
    f = blocks.f
    target = combine_parts(parts, f[1:], beta=beta)[0]
    excluded = [parts.texts[at] for at in parts.excluded[0]]
    excluded_vector = f[1:][list(parts.excluded[0])].mean(axis=0) if excluded else np.zeros_like(target)
    kept = 1 + parts.kept[0]
    passages, candidates = blocks.passages(texts, kept, batch)
    match = passages @ target
    best = set(np.argsort(-match, kind="stable")[:BEST_PASSAGES].tolist())
    shortlists = [sentences if at in best else sentences[:1] for at, sentences in enumerate(candidates)]
    nearest, polarity = blocks.polarity(kept, shortlists, batch)
    scores = (1 - blocks.dial) * match + blocks.dial * polarity
    by_match = _ranks(match)
    before = _ranks(passages @ f[0])
    order = np.argsort(-scores, kind="stable")
    return [
        Reranked(
            int(at),
            texts[at],
            float(scores[at]),
            rank,
            before[at],
            float(match[at]),
            polarity=float(polarity[at]),
            sentence=nearest[at],
            excluded=tuple(excluded),
            near_excluded=float(passages[at] @ excluded_vector),
            decided_by="topic" if by_match[at] == rank else "polarity",
        )
        for rank, at in enumerate(order.tolist(), 1)
    ]


class _Blocks:
    """The two blocks of queries, passages and sentences. `share` of the default dial is used if `dial` is None."""

    def __init__(self, encoder: Encoder, queries: list[str], dial: float | None, *, share: float) -> None:
        self._encoder = encoder
        self._tower: Any = encoder.transformers_model if tower_config(encoder) is not None else None
        if self._tower is None and dial:
            raise InputError(f"the dial is {dial}, but this model has no tower; expected no dial, or litotes-mini")
        default = share * self._tower.config.default_w if self._tower is not None else 0.0
        self.dial = default if dial is None or self._tower is None else check_dial(dial)
        rows = np.asarray(encoder.encode_query(queries, exclude=False), dtype=np.float32)
        width = self._tower.config.tower_width if self._tower is not None else 0
        split = rows.shape[1] - width
        # unit rows; without a tower, g has no columns
        self.f, self.g = _unit(rows[:, :split]), _unit(rows[:, split:])

    def passages(self, texts: Sequence[str], query: int, batch: int) -> tuple[np.ndarray, list[list[str]]]:
        """Return f of every passage, and its sentences that seem nearest to a query, which is given by its number."""
        if self._tower is None:
            rows = np.asarray(self._encoder.encode_document(list(texts), batch_size=batch))
            return _unit(rows), [[text] for text in texts]
        vectors = np.zeros((len(texts), self.f.shape[1]), dtype=np.float32)
        nearest: list[list[str]] = [[] for _ in texts]
        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            rows, tokens, offsets = self._read([texts[at] for at in places])
            vectors[places] = rows
            for place, states, spans in zip(places, tokens, offsets, strict=True):
                nearest[place] = _candidates(texts[place], states, spans, self.f[query])
        return vectors, nearest

    def polarity(self, query: int, candidates: Sequence[Sequence[str]], batch: int) -> tuple[list[str], np.ndarray]:
        """Choose each passage's candidate with the nearest f; return it and the similarity of its g (0 at dial 0)."""
        if self._tower is None or not self.dial:
            return [sentences[0] for sentences in candidates], np.zeros(len(candidates), dtype=np.float32)
        unique = list(dict.fromkeys(text for sentences in candidates for text in sentences))
        rows = np.asarray(self._encoder.encode_document(unique, batch_size=2 * batch), dtype=np.float32)
        base, tower = self.f[query], self.g[query]
        near = _unit(rows[:, : len(base)]) @ base
        index = {text: at for at, text in enumerate(unique)}
        chosen = [max(sentences, key=lambda text: near[index[text]]) for sentences in candidates]
        polarity: np.ndarray = _unit(rows[:, len(base) :])[[index[text] for text in chosen]] @ tower
        return chosen, polarity

    def _read(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return f of some texts, their token vectors, and the offsets of their tokens."""
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


class _BesideBlocks:
    """The same for an encoder with a polarity block beside it. The block's own tower and base choose the sentences."""

    def __init__(self, encoder: BesideEncoder, queries: list[str], dial: float | None, *, share: float) -> None:
        self._encoder = encoder
        self.dial = share * encoder.dial if dial is None else check_dial(dial)
        self._tower = _Blocks(encoder.tower, queries, self.dial, share=1.0)
        self.f = encoder.base_vectors(queries, role="query")

    def passages(self, texts: Sequence[str], query: int, batch: int) -> tuple[np.ndarray, list[list[str]]]:
        _, candidates = self._tower.passages(texts, query, batch)
        return self._encoder.base_vectors(texts), candidates

    def polarity(self, query: int, candidates: Sequence[Sequence[str]], batch: int) -> tuple[list[str], np.ndarray]:
        return self._tower.polarity(query, candidates, batch)


def _candidates(text: str, tokens: np.ndarray, offsets: np.ndarray, query: np.ndarray) -> list[str]:
    """Return the sentences whose mean token vectors are nearest to the query; truncated sentences have no tokens."""
    near: dict[str, float] = {}
    for start, end in sentence_spans(text):
        inside = (offsets[:, 0] >= start) & (offsets[:, 1] <= end) & (offsets[:, 1] > offsets[:, 0])
        if inside.any():
            mean = tokens[inside].mean(axis=0)
            near[text[start:end]] = float(mean @ query) / max(float(np.linalg.norm(mean)), 1e-9)
    return sorted(near, key=lambda sentence: -near[sentence])[:CANDIDATES] or [text]


def _unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: np.ndarray = rows / np.maximum(lengths, 1e-9)
    return unit


def _ranks(scores: np.ndarray) -> dict[int, int]:
    return {int(at): rank for rank, at in enumerate(np.argsort(-scores, kind="stable"), 1)}
