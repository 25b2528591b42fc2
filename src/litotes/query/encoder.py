"""A SentenceTransformer whose queries respect exclusions. This module imports sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.util import quantize_embeddings

from litotes.models.tower.shape import tower_config
from litotes.query.exclusion import (
    BETA,
    EXCLUSION_DIAL_SHARE,
    WHOLE_QUERY_WEIGHT,
    Exclude,
    check_exclude,
    combine_parts,
    split_queries,
    text_of,
)
from litotes.types import Exclusion


class Encoder(SentenceTransformer):
    """A SentenceTransformer whose `encode_query` has the arguments `dial`, `exclude` and `beta`.

    Everything else is inherited: `encode`, `encode_document`, `similarity`, `save_pretrained`.
    """

    @classmethod
    def of(cls, model: SentenceTransformer) -> Encoder:
        """Return an Encoder with the modules of a SentenceTransformer."""
        encoder = cls(
            modules=list(model),
            prompts={name: prompt for name, prompt in model.prompts.items() if prompt is not None},
            default_prompt_name=model.default_prompt_name,
            similarity_fn_name=model.similarity_fn_name,
            truncate_dim=model.truncate_dim,
            device=str(model.device),
        )
        encoder.module_kwargs = model.module_kwargs
        encoder.eval()
        return encoder

    def encode_query(  # type: ignore[override]
        self,
        inputs: Sequence[str | Exclusion] | str | Exclusion,
        *args: Any,
        dial: float | None = None,
        exclude: Exclude = "auto",
        beta: float = BETA,
        **kwargs: Any,
    ) -> Any:
        """Encode queries for a search in documents that `encode_document` encoded.

        Positional and other keyword arguments are those of SentenceTransformer.encode_query. Further:

        - `dial`: how much the tower counts, from 0 (the base alone) to 1 (the tower alone). The default is the model's
          default dial, and half of it for a query that excludes something, since the excluded words are not encoded
          with the rest. A model without a tower has no dial.
        - `exclude`: "auto" splits each query into what it keeps and what it excludes, and encodes them separately;
          False encodes queries as they are. A list, such as ["linen", "wool"], excludes these things, too. A query
          that excludes nothing gets the same vector, byte for byte. A query can also be the result of
          `litotes.query.exclude`, which is not split again.
        - `beta`: how much of the excluded part is subtracted, from 0 to 1: the vector is f(kept) − beta·f(excluded).
        """
        check_exclude(exclude)
        options = kwargs | ({} if dial is None else {"dial": dial})
        single = isinstance(inputs, (str, Exclusion))
        queries: list[str | Exclusion] = [inputs] if isinstance(inputs, (str, Exclusion)) else list(inputs)
        texts = list(map(text_of, queries))
        plain: Any = super().encode_query(texts[0] if single else texts, *args, **options)
        if options.get("output_value", "sentence_embedding") != "sentence_embedding":
            return plain
        parts = split_queries(queries, exclude=exclude, whole=WHOLE_QUERY_WEIGHT > 0)
        excluding = [number for number, excluded in enumerate(parts.excluded) if excluded]
        if not excluding:
            return plain
        precision = options.pop("precision", "float32")
        if precision != "float32":
            # Quantised vectors cannot be subtracted, so quantisation comes last.
            plain = super().encode_query(texts[0] if single else texts, *args, **options)
        part_options = options | self._part_dial(dial) | {"convert_to_tensor": False, "convert_to_numpy": True}
        vectors = super().encode_query(parts.texts, *args, **part_options)
        combined = combine_parts(parts, np.asarray(vectors), beta=beta, whole=WHOLE_QUERY_WEIGHT)
        rows = [plain] if single else list(plain)
        for number in excluding:
            rows[number] = _match_row(combined[number], rows[number])
        result = rows[0] if single else _match_collection(rows, plain)
        return result if precision == "float32" else _quantise(result, precision)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens that are read of each text."""
        longest = self.max_seq_length or 512
        return [min(len(ids), longest) for ids in self.tokenizer(list(texts), verbose=False)["input_ids"]]

    def _part_dial(self, dial: float | None) -> dict[str, float]:
        """Return the dial for the parts of a query, if none was set and the model has a tower."""
        config = tower_config(self)
        return {} if config is None or dial is not None else {"dial": EXCLUSION_DIAL_SHARE * config.default_w}


def _match_row(row: np.ndarray, plain: Any) -> Any:
    """Give a row the length and the type of the row it replaces: an array, or a tensor on its device."""
    length = float(np.linalg.norm(row))
    if length > 0:
        row = row * (float((plain**2).sum()) ** 0.5 / length)
    if isinstance(plain, np.ndarray):
        return row.astype(plain.dtype)
    return torch.as_tensor(row, dtype=plain.dtype, device=plain.device)


def _match_collection(rows: list[Any], plain: Any) -> Any:
    """Put rows into the type of collection that the library returned: an array, a tensor or a list."""
    if isinstance(plain, np.ndarray):
        return np.stack(rows)
    return torch.stack(rows) if isinstance(plain, torch.Tensor) else rows


def _quantise(rows: Any, precision: Any) -> Any:
    """Quantise one row or several, as the library does."""
    if getattr(rows, "ndim", 2) == 1:
        return quantize_embeddings(np.asarray(rows)[np.newaxis], precision=precision)[0]
    return quantize_embeddings(np.asarray([np.asarray(row) for row in rows]), precision=precision)
