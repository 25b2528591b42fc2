"""The tokenizer of an exported model, with the few methods of a tokenizer of transformers that our models use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from litotes.errors import require
from litotes.models.onnx.artefact import TOKENIZER

UNKNOWN = "[UNK]"


class Encoded(dict[str, Any]):
    """The token ids of a text or of several, and which text of a pair each token belongs to."""

    sides: Sequence[Sequence[int | None]] = ()

    def sequence_ids(self, number: int) -> Sequence[int | None]:
        """Return for each token 0 or 1, the text it belongs to; None for special tokens."""
        return self.sides[number]


class Tokenizer:
    """Tokenises whole texts. `encode_batch` cuts them at the model's own length."""

    def __init__(self, folder: Path, *, padding: int) -> None:
        library = require("tokenizers", extra="onnx", why="a model without torch")
        self._cutting = library.Tokenizer.from_file(str(folder / TOKENIZER))
        self._whole = library.Tokenizer.from_file(str(folder / TOKENIZER))
        self._whole.no_truncation()
        self.pad_token_id = padding
        self.unk_token_id = self._whole.token_to_id(UNKNOWN)

    def encode_batch(self, texts: Sequence[str]) -> list[Any]:
        """Return the encodings of texts, with special tokens and cut."""
        encodings: list[Any] = self._cutting.encode_batch(list(texts))
        return encodings

    def __call__(
        self,
        texts: str | Sequence[str],
        pair: str | None = None,
        *,
        add_special_tokens: bool = True,
        return_offsets_mapping: bool = False,
        verbose: bool = False,
    ) -> Encoded:
        """Return the token ids of a text, of a pair of texts, or of each text of a list. Nothing is cut."""
        single = isinstance(texts, str)
        inputs: list[Any] = [texts if pair is None else (texts, pair)] if single else list(texts)
        encodings = self._whole.encode_batch(inputs, add_special_tokens=add_special_tokens)
        parts = {"input_ids": [one.ids for one in encodings]}
        if return_offsets_mapping:
            parts["offset_mapping"] = [one.offsets for one in encodings]
        encoded = Encoded({name: rows[0] if single else rows for name, rows in parts.items()})
        encoded.sides = [one.sequence_ids for one in encodings]
        return encoded
