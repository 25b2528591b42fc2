"""A SentenceTransformer whose queries hear what they leave out. Imported by `load`: it needs sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.util import quantize_embeddings

from litotes.models.dense import tower_config
from litotes.query.excluding import BETA, CALM, WHOLE, exclude_checked, joined, parts_of


class Encoder(SentenceTransformer):
    """`encode_query` takes a `dial`, where the model has a tower, and takes out what a query excludes.

    All else is the library's: `encode`, `encode_document`, `similarity`, `save_pretrained`.
    """

    @classmethod
    def of(cls, model: SentenceTransformer) -> Encoder:
        """The same modules under this class."""
        found = cls(
            modules=list(model),
            prompts={name: prompt for name, prompt in model.prompts.items() if prompt is not None},
            default_prompt_name=model.default_prompt_name,
            similarity_fn_name=model.similarity_fn_name,
            device=str(model.device),
        )
        found.module_kwargs = model.module_kwargs
        found.eval()
        return found

    def encode_query(  # type: ignore[override]
        self,
        inputs: Sequence[str] | str,
        *args: Any,
        dial: float | None = None,
        exclude: str | bool = "auto",
        beta: float = BETA,
        **kwargs: Any,
    ) -> Any:
        """As the library's, at a dial of your own, and with what the query excludes taken out.

        `exclude=False` leaves queries whole. A query that excludes nothing has the same bytes either way. One that does
        has half the model's own dial, if none is set: the tower need not hear what has been taken out.
        """
        takes_apart = exclude_checked(exclude)
        given = kwargs | ({} if dial is None else {"dial": dial})
        plain: Any = super().encode_query(inputs, *args, **given)
        if not takes_apart or given.get("output_value", "sentence_embedding") != "sentence_embedding":
            return plain
        queries = [inputs] if isinstance(inputs, str) else list(inputs)
        parts = parts_of(queries, whole=WHOLE > 0)
        fired = [number for number, things in enumerate(parts.excluded) if things]
        if not fired:
            return plain
        precision = given.pop("precision", "float32")
        if precision != "float32":
            # numbers that were made coarse cannot be subtracted
            plain = super().encode_query(inputs, *args, **given)
        asked = given | self._calmed(dial) | {"convert_to_tensor": False, "convert_to_numpy": True}
        vectors = super().encode_query(parts.texts, *args, **asked)
        turned = joined(parts, np.asarray(vectors), beta=beta, whole=WHOLE)
        rows = [plain] if isinstance(inputs, str) else list(plain)
        for number in fired:
            rows[number] = _like(turned[number], rows[number])
        found = rows[0] if isinstance(inputs, str) else _together(rows, plain)
        return found if precision == "float32" else _coarse(found, precision)

    def _calmed(self, dial: float | None) -> dict[str, float]:
        """The dial for the parts of a query, where none was set and there is a tower."""
        config = tower_config(self)
        return {} if config is None or dial is not None else {"dial": CALM * config.default_w}


def _like(row: np.ndarray, plain: Any) -> Any:
    """A row as the one it replaces: as long, and an array, or a tensor on its device."""
    length = float(np.linalg.norm(row))
    if length > 0:
        row = row * (float((plain**2).sum()) ** 0.5 / length)
    if isinstance(plain, np.ndarray):
        return row.astype(plain.dtype)
    return torch.as_tensor(row, dtype=plain.dtype, device=plain.device)


def _together(rows: list[Any], plain: Any) -> Any:
    """Rows as they came: in an array, a tensor or a list."""
    if isinstance(plain, np.ndarray):
        return np.stack(rows)
    return torch.stack(rows) if isinstance(plain, torch.Tensor) else rows


def _coarse(rows: Any, precision: Any) -> Any:
    """As the library does it, for one row or several."""
    if getattr(rows, "ndim", 2) == 1:
        return quantize_embeddings(np.asarray(rows)[np.newaxis], precision=precision)[0]
    return quantize_embeddings(np.asarray([np.asarray(row) for row in rows]), precision=precision)
