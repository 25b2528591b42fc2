"""The polarity block alone: one unit vector per text that encodes negation, for use beside vectors of any origin."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import check_texts, distinct, model_facts, source_facts
from litotes.models.bases import MINI, find_encoder
from litotes.models.encoder_loading import load_encoder
from litotes.models.loading import Settings, fingerprint
from litotes.models.tower.shape import TowerShape, is_tower, tower_shape

if TYPE_CHECKING:
    import numpy as np

BATCH = 32


class Polarity:
    """The block of a tower. Only the shared layers of its base and the tower's own layers run."""

    loaded_with: dict[str, Any] | None = None
    """the arguments of `polarity` that load the block again; None if it was made from a loaded tower"""

    def __init__(self, model: Any, *, name: str = "tower", fingerprint: str = "") -> None:
        """`model` is a loaded tower, such as `litotes.load("litotes-mini")`."""
        self.name, self.fingerprint = name, fingerprint
        self.shape: TowerShape = tower_shape(model)
        """the tower's default dial, and the number of columns of its block"""
        self._model = model

    @property
    def width(self) -> int:
        """The number of columns of the block."""
        return self.shape.width

    @property
    def model(self) -> Any:
        """The tower, as a SentenceTransformer."""
        return self._model

    def __repr__(self) -> str:
        return f"<polarity block of {self.name}, {self.width} columns>"

    def to(self, device: str) -> None:
        """Move the model to another device, such as "cuda"."""
        self._model.to(device)
        if self.loaded_with is not None:
            self.loaded_with = {**self.loaded_with, "device": device}

    def weights_sha256(self) -> str:
        """Return a hash of the weights and of how many tokens of a text are read. It is the same on every device."""
        torch = require("torch", extra="models", why="the polarity block")
        found = hashlib.sha256(str(self._model.max_seq_length).encode())
        for name, weights in sorted(self._model.state_dict().items()):
            found.update(name.encode())
            found.update(weights.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
        return found.hexdigest()

    def encode(self, texts: Sequence[str] | str, *, batch: int = BATCH) -> np.ndarray:
        """Return one unit vector per text, in float32; for a single text, one vector."""
        if batch < 1:
            raise InputError(f"batch is {batch}; expected 1 or more")
        if isinstance(texts, str):
            vector: np.ndarray = self.encode([texts], batch=batch)[0]
            return vector
        unique, places = distinct(check_texts(texts))
        rows: np.ndarray = self._blocks(unique, batch)[places]
        return rows

    def base_vectors(self, texts: Sequence[str]) -> np.ndarray:
        """Return the unit vectors of the tower's own base."""
        import numpy as np

        rows: np.ndarray = self._model.encode(list(texts), show_progress_bar=False)[:, : -self.width]
        unit: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def _blocks(self, texts: Sequence[str], batch: int) -> np.ndarray:
        import numpy as np

        torch = require("torch", extra="models", why="the polarity block")
        from litotes.models.tower.build import tower_of

        tower, model = tower_of(self._model), self._model
        order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
        rows = np.zeros((len(texts), self.width), dtype=np.float32)
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            features = model.preprocess([texts[at] for at in places])
            ids, mask = (features[name].to(model.device) for name in ("input_ids", "attention_mask"))
            with torch.no_grad():
                rows[places] = tower.tower_block(tower.at_fork(ids, mask), mask).float().cpu().numpy()
        return rows


def block_of(block: Any) -> Polarity | TowerShape:
    """Return the block of a tower that is given by name, loaded, or as its shape."""
    if isinstance(block, Polarity | TowerShape):
        return block
    if isinstance(block, str):
        return polarity(block)
    if hasattr(block, "transformers_model"):
        return Polarity(block)
    raise InputError(f"the block is {type(block).__name__}; expected {MINI!r}, a folder, or litotes.polarity(…)")


def polarity(name: str = MINI, *, device: str | None = None, max_tokens: int = 256) -> Polarity:
    """Load the polarity block of a tower: "litotes-mini", or the folder of another tower.

    `max_tokens` is how much of a text is read, if the tower's own limit is not lower; the rest has no effect.
    """
    if not isinstance(name, str):
        raise InputError(f"the name is {type(name).__name__}; expected one such as {MINI!r}, or the folder of a tower")
    if "@" in name or "+" in name:
        raise InputError(f"{name!r} is not the name of a tower; expected one such as {MINI!r}, without a dial")
    source = find_encoder(name.removeprefix("dense:"))
    if not is_tower(source.folder):
        raise InputError(f"{name} has no polarity block; expected {MINI!r} or the folder of another tower")
    require("torch", extra="models", why="the polarity block")
    model = load_encoder(source, Settings(device, max_tokens=max_tokens))
    block = Polarity(model, name=name, fingerprint=fingerprint(source_facts(source) | model_facts(model)))
    block.loaded_with = {"name": name, "device": device, "max_tokens": max_tokens}
    return block
