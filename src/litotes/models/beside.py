"""A polarity block beside the vectors of another encoder: the arithmetic, the dial without labels, and the bench model.

The vector of a document is [√(1−w₀)·f ; √w₀·g], with the other encoder's unit vector f and the block g. The dial w₀ is
fitted to the encoder: its cosines may be spread wider or narrower than those of the tower's own base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from litotes.data.benchmarks.general_mini import general_retrieval
from litotes.errors import InputError
from litotes.models.adapter import Adapter
from litotes.models.polarity_block import Polarity
from litotes.models.tower.scaling import block_weights, check_default_dial, check_dial, rescale_default_dial
from litotes.models.tower.shape import TowerShape
from litotes.models.vectors import float_rows, unit_rows

if TYPE_CHECKING:
    import numpy as np

PASSAGES = 250
"""How many shipped passages the spread of an encoder's cosines is measured on."""


def combine(f: Any, g: Any, dial: float, *, stored: float | None = None) -> np.ndarray:
    """Put polarity blocks beside the vectors of any encoder; one vector of each, or one row per text.

    The result has unit length: [√(1−dial)·f ; √dial·g]. Two results have the dot product (1−dial)·cos f + dial·cos g.
    For queries at another dial than that of the documents, `stored` is the dial of the documents: the dot product with
    a stored document is then the same sum at the dial of the query.
    """
    import numpy as np

    if np.ndim(f) == 1 and np.ndim(g) == 1:
        row: np.ndarray = combine([f], [g], dial, stored=stored)[0]
        return row
    left = unit_rows(float_rows(f, who="the encoder"), who="the encoder")
    right = unit_rows(float_rows(g, who="the polarity model", count=len(left)), who="the polarity model")
    base, tower = _weights(dial, stored)
    return np.concatenate([np.float32(base) * left, np.float32(tower) * right], axis=1)


def _weights(dial: float, stored: float | None) -> tuple[float, float]:
    if stored is None:
        return block_weights(None, check_default_dial(dial))
    return block_weights(check_dial(dial), check_default_dial(stored))


def spread(vectors: np.ndarray) -> float:
    """Return the standard deviation of the cosines of all pairs of different rows."""
    import numpy as np

    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = (unit @ unit.T)[np.triu_indices(len(unit), k=1)]
    return float(np.std(cosines))


def dial_by_spread(encode: Callable[[list[str]], Any], polarity: Polarity) -> float:
    """Return the dial at which the block counts as much beside an encoder as beside the tower's own base.

    Cosines that are spread half as wide need a block that counts half as much: w/(1−w) is proportional to the spread of
    the encoder's cosines over passages that come with litotes. It needs no labels. The result has two decimals.
    """
    passages = sample_passages()
    theirs = spread(float_rows(encode(passages), who="the encoder", count=len(passages)))
    ours = spread(polarity.base_vectors(passages))
    odds = polarity.shape.default_dial / (1 - polarity.shape.default_dial) * theirs / ours
    return min(0.99, max(0.01, round(odds / (1 + odds), 2)))


def sample_passages() -> list[str]:
    """Return the passages that the spread is measured on, from all topics of general-mini."""
    texts = [passage.text for passage in general_retrieval().passages]
    return texts[:: max(1, len(texts) // PASSAGES)][:PASSAGES]


class Beside(Adapter):
    """A dense model with a polarity block beside its vectors, for benchmarks: `dense:mpnet+litotes-mini@0.21`."""

    family = "dense"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(self, base: Any, polarity: Polarity, *, name: str, dial: float | None = None) -> None:
        """`base` is a dense model. `dial` is that of all vectors; the default is fitted by `dial_by_spread`."""
        super().__init__(name)
        if base.shape is not None:
            raise InputError(f"{name}: {base.name} has a tower of its own; expected an encoder without one")
        self._base, self._polarity = base, polarity
        self.dial = None if dial is None else check_dial(dial)
        """the dial that was set; None means the fitted one"""

    @cached_property
    def shape(self) -> TowerShape:
        """The fitted dial, and the number of columns of the block."""
        return TowerShape(dial_by_spread(self._base.encode, self._polarity), self._polarity.width)

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one float32 row per text, in the order of the texts."""
        return self.rescale_to_dial(self.at_default_dial.encode(texts, role=role))

    @property
    def at_default_dial(self) -> Blocks:
        """The same model at the tower's own default dial: its cached rows can be rescaled to any dial."""
        return Blocks(self._base, self._polarity, name=self.name)

    def rescale_to_dial(self, rows: np.ndarray) -> np.ndarray:
        """Rescale rows of `at_default_dial` to the dial of this model."""
        if not len(rows):
            return rows
        stored = self._polarity.shape
        return rescale_default_dial(rows, self._chosen, w0=stored.default_dial, width=stored.width)

    def details(self) -> dict[str, Any]:
        return self.at_default_dial.details() | {"dial": self._chosen}

    @property
    def _chosen(self) -> float:
        return self.shape.default_dial if self.dial is None else self.dial


class Blocks(Adapter):
    """The vectors of a dense model and a polarity block, at the dial that the tower has beside its own base."""

    family = "dense"
    libraries = Beside.libraries

    def __init__(self, base: Any, polarity: Polarity, *, name: str) -> None:
        super().__init__(name)
        self._base, self._polarity = base, polarity

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one float32 row per text, in the order of the texts."""
        import numpy as np

        rows = self._base.encode(texts, role=role)
        if not len(rows):
            return np.zeros((0, rows.shape[1] + self._polarity.width), dtype=np.float32)
        unit = unit_rows(rows, who=self._base.name, by_dot_product=self._base.similarity == "dot")
        return combine(unit, self._polarity.encode(texts), self._polarity.shape.default_dial)

    def details(self) -> dict[str, Any]:
        return {"base": self._base.details(), "polarity": self._polarity.fingerprint}
