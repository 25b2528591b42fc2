"""The dial's algebra on plain arrays: how much the tower counts is chosen on the query's side, at query time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from litotes.errors import InputError

if TYPE_CHECKING:
    import numpy as np

DEFAULT_W = 0.1
WIDTH = 128
TOWER_CARD = "tower.json"
"""what a tower that is saved without its base says of itself"""
# float16 vectors of a few hundred columns are off by less than this.
_LENGTH_TOLERANCE = 0.01


def dial(vectors: np.ndarray, w: float, *, w0: float = DEFAULT_W, width: int = WIDTH) -> np.ndarray:
    """Queries as `encode` gives them, turned to dial `w`; stored documents stay as they are.

    `w0` is the model's default dial, `width` the columns of the tower's block, which are the last ones. The dot product
    of the result with a stored document is (1-w)·cos f + w·cos g: the base alone at 0, the tower alone at 1.
    """
    w, w0 = checked(w), default_checked(w0)
    return _scaled(vectors, (1 - w) / (1 - w0), w / w0, w0, width)


def at_default(vectors: np.ndarray, w: float, *, w0: float = DEFAULT_W, width: int = WIDTH) -> np.ndarray:
    """Vectors of a model with default dial `w0` as the same model with default dial `w` would make them: unit length.

    For both sides of a comparison, where `dial` is for the query's side alone; the dot products are the same.
    """
    w, w0 = checked(w), default_checked(w0)
    return _scaled(vectors, math.sqrt((1 - w) / (1 - w0)), math.sqrt(w / w0), w0, width)


def _scaled(vectors: np.ndarray, base: float, tower: float, w0: float, width: int) -> np.ndarray:
    """Each block times its number, after a look whether the blocks are where they should be."""
    import numpy as np

    rows = np.asarray(vectors)
    if rows.ndim not in (1, 2) or rows.shape[-1] <= width or width < 1:
        raise InputError(
            f"vectors have the shape {rows.shape}; expected one vector or rows of them, "
            f"of more than the {width} columns of the tower"
        )
    if not np.issubdtype(rows.dtype, np.floating):
        raise InputError(f"vectors are {rows.dtype}; expected floats. Dial a query first and quantise it afterwards")
    split = rows.shape[-1] - width
    lengths = np.linalg.norm(rows[..., :split].astype(np.float64), axis=-1)
    expected = math.sqrt(1 - w0)
    if lengths.size and np.abs(lengths - expected).max() > _LENGTH_TOLERANCE:
        worst = float(np.ravel(lengths)[np.abs(np.ravel(lengths) - expected).argmax()])
        raise InputError(
            f"the first {split} columns have the length {worst:.3f}; expected {expected:.3f} from a model with default "
            f"dial {w0} and a tower of {width} columns. Give vectors as encode makes them, and the model's w0 and width"
        )
    scales = np.ones(rows.shape[-1], dtype=rows.dtype)
    scales[:split], scales[split:] = base, tower
    turned: np.ndarray = rows * scales
    return turned


def weights(w: float | None, w0: float) -> tuple[float, float]:
    """What the unit blocks f and g are multiplied by: for the default (no w), or for a query at dial w."""
    if w is None:
        return math.sqrt(1 - w0), math.sqrt(w0)
    w, w0 = checked(w), default_checked(w0)
    return (1 - w) / math.sqrt(1 - w0), w / math.sqrt(w0)


def checked(w: float) -> float:
    """A dial between 0 and 1."""
    if isinstance(w, bool) or not isinstance(w, int | float) or not 0 <= w <= 1:
        raise InputError(f"the dial is {w!r}; expected a number from 0, the base alone, to 1, the tower alone")
    return float(w)


def default_checked(w0: float) -> float:
    """A default dial, at which neither block vanishes: what is not stored cannot be turned up again."""
    if isinstance(w0, bool) or not isinstance(w0, int | float) or not 0 < w0 < 1:
        raise InputError(f"the default dial is {w0!r}; expected a number between 0 and 1, neither of them")
    return float(w0)
