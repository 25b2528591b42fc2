"""The arithmetic of the dial on plain arrays.

A vector has two blocks: the base's unit vector f and the tower's unit vector g, each times a number that depends on the
dial. A different dial is a different pair of numbers, so vectors can be rescaled without encoding a text again.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING

from litotes.errors import InputError

if TYPE_CHECKING:
    import numpy as np

DEFAULT_W = 0.1
"""The default dial of a new tower, before one is chosen for it."""
WIDTH = 128
"""The default number of columns of a new tower's block."""
LENGTH_TOLERANCE = 0.02
"""How far the length of a vector may be from 1. Eight bits per column change it by less than 0.002."""
ROW_TOLERANCE, MEAN_TOLERANCE = 0.02, 0.002
"""How far the dial of one vector, and the mean over very many, may be from the expected one, in units of w·(1−w). For
the dial 0.21 these are 0.003 and 0.0003. float16 changes the dial of a vector by up to 0.0002, and int8 by 0.0013."""


def rescale_queries(vectors: np.ndarray, w: float, *, w0: float, width: int) -> np.ndarray:
    """Rescale query vectors from the default dial `w0` to the dial `w`. Stored documents stay as they are.

    The tower's block is the last `width` columns. The dot product of the result with a stored document is
    (1-w)·cos f + w·cos g: the base alone at 0, the tower alone at 1.
    """
    w, w0 = check_dial(w), check_default_dial(w0)
    return _scale_blocks(vectors, (1 - w) / (1 - w0), w / w0, w0, width)


def rescale_default_dial(vectors: np.ndarray, w: float, *, w0: float, width: int) -> np.ndarray:
    """Rescale vectors of a model with the default dial `w0` to those of the same model with the default dial `w`.

    Use it for both sides of a comparison, where `rescale_queries` is for queries only. The vectors keep unit length,
    and the dot products are the same.
    """
    w, w0 = check_dial(w), check_default_dial(w0)
    return _scale_blocks(vectors, math.sqrt((1 - w) / (1 - w0)), math.sqrt(w / w0), w0, width)


def _scale_blocks(vectors: np.ndarray, base_factor: float, tower_factor: float, w0: float, width: int) -> np.ndarray:
    """Multiply each block by its factor; refuse vectors whose blocks do not have the expected lengths."""
    import numpy as np

    rows = np.asarray(vectors)
    if rows.ndim not in (1, 2) or rows.shape[-1] <= width or width < 1:
        raise InputError(
            f"the vectors have the shape {rows.shape}; expected one vector, or one row per vector, with more than the "
            f"{width} columns of the tower"
        )
    if not np.issubdtype(rows.dtype, np.floating):
        raise InputError(f"the vectors are {rows.dtype}; expected floats. Set the dial first and quantise afterwards")
    split = rows.shape[-1] - width
    found = other_dial(np.atleast_2d(rows), w0, width)
    if found is not None:
        raise InputError(
            f"the vectors have {found}; expected the length 1 and the dial {w0:g}, with a tower of {width} columns. "
            "Pass vectors as encode returns them, and the model they come from"
        )
    factors = np.ones(rows.shape[-1], dtype=rows.dtype)
    factors[:split], factors[split:] = base_factor, tower_factor
    rescaled: np.ndarray = rows * factors
    return rescaled


def other_dial(rows: np.ndarray, w0: float, width: int) -> str | None:
    """Say which length or dial some vectors have that were not stored at the dial `w0`; None if they were.

    The share of the tower's block in the square of a vector's length is the dial. Rounding changes it by a little, up
    or down, so the mean over many vectors shows a smaller difference than a single one does.
    """
    import numpy as np

    if not len(rows):
        return None
    squares = np.square(rows.astype(np.float64))
    tower, lengths = squares[:, -width:].sum(axis=1), np.sqrt(squares.sum(axis=1))
    worst = int(np.abs(lengths - 1).argmax())
    if not abs(lengths[worst] - 1) <= LENGTH_TOLERANCE:
        return f"the length {lengths[worst]:.3f}"
    dials = tower / lengths**2
    errors, scale = dials - w0, w0 * (1 - w0)
    if np.abs(errors).max() > ROW_TOLERANCE * scale:
        return f"the dial {dials[int(np.abs(errors).argmax())]:.4f}"
    if abs(errors.mean()) > (MEAN_TOLERANCE + ROW_TOLERANCE / math.sqrt(len(rows))) * scale:
        return f"the dial {dials.mean():.4f}"
    return None


def block_weights(w: float | None, w0: float) -> tuple[float, float]:
    """Return the factors of the unit blocks f and g: for the default dial if `w` is None, or for a query at `w`."""
    if w is None:
        return math.sqrt(1 - w0), math.sqrt(w0)
    w, w0 = check_dial(w), check_default_dial(w0)
    return (1 - w) / math.sqrt(1 - w0), w / math.sqrt(w0)


def check_dial(w: float) -> float:
    """Return the dial as a float; refuse anything but a number from 0 to 1."""
    if isinstance(w, bool) or not isinstance(w, Real) or not 0 <= w <= 1:
        raise InputError(f"the dial is {w!r}; expected a number from 0 (the base alone) to 1 (the tower alone)")
    return float(w)


def check_default_dial(w0: float) -> float:
    """Return a default dial as a float. It is neither 0 nor 1: a block stored as zeros cannot be scaled up again."""
    if isinstance(w0, bool) or not isinstance(w0, Real) or not 0 < w0 < 1:
        raise InputError(f"the default dial is {w0!r}; expected a number between 0 and 1, excluding both")
    return float(w0)
