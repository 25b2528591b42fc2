"""Checks of vectors that come from outside: from an encoder that is not ours, from an API, or from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litotes.errors import InputError

if TYPE_CHECKING:
    import numpy as np

UNIT_TOLERANCE = 0.01
"""How far the length of a vector may be from 1 if it has to be 1; half precision stays below."""


def float_rows(vectors: Any, *, who: str, count: int | None = None, width: int | None = None) -> np.ndarray:
    """Return vectors as a float32 matrix with one row per text; `who` made them, for the error messages.

    Refused are rows of different widths, integers, values that are not finite, rows of zeros, and another number of
    rows or columns than expected.
    """
    import numpy as np

    plain = vectors.detach().float().cpu().numpy() if hasattr(vectors, "detach") else vectors
    try:
        rows = np.asarray(plain)
    except ValueError:
        raise InputError(f"{who} returned vectors of different widths; expected one width for all") from None
    if rows.ndim != 2 or rows.dtype == object:
        raise InputError(f"{who} returned an array of the shape {rows.shape}; expected one row of numbers per text")
    if rows.dtype.kind != "f":
        raise InputError(
            f"{who} returned {rows.dtype} vectors; expected floats. Combine vectors first and quantise them afterwards"
        )
    if count is not None and len(rows) != count:
        raise InputError(f"{who} returned {len(rows)} vectors for {count} texts; expected one per text")
    if width is not None and rows.shape[1] != width:
        raise InputError(f"{who} returned vectors with {rows.shape[1]} columns; expected {width}, as before")
    values = rows.astype(np.float32)
    lengths = np.linalg.norm(values.astype(np.float64), axis=1)
    wrong = ~np.isfinite(lengths) | (lengths == 0)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(f"vector {at} of {who} has the length {lengths[at]}; expected a finite length above 0")
    return values


def unit_rows(rows: np.ndarray, *, who: str, by_dot_product: bool = False) -> np.ndarray:
    """Return rows of unit length.

    If vectors are compared by dot product, their lengths are part of the score, so other lengths than 1 are refused.
    """
    import numpy as np

    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if by_dot_product and len(rows) and np.abs(lengths - 1).max() > UNIT_TOLERANCE:
        worst = float(np.ravel(lengths)[np.abs(lengths - 1).argmax()])
        raise InputError(
            f"a vector of {who} has the length {worst:.3f}, and its vectors are compared by dot product, in which the "
            "length counts. Beside another block it cannot count. Compare by cosine (similarity='cosine'), or "
            "normalise the vectors first"
        )
    unit: np.ndarray = (rows / lengths).astype(np.float32)
    return unit
