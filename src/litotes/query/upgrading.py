"""Upgrade an index: add the tower's block to stored vectors of its base.

The vector of a text is [√(1−w₀)·f ; √w₀·g], and f is the vector of the base. So stored vectors are scaled, and only g
is computed, which costs about as much as encoding with the base.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from itertools import islice
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError
from litotes.models.bases import MINI
from litotes.query.loading import load

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

BATCH = 32
CHECKED_TEXTS = 4
"""how many texts are encoded by the base again, to check that the vectors belong to them"""
TOLERANCE = 0.02
"""the largest accepted distance of a stored vector from the base's, as 1 − cosine; half precision and int8 are below"""
UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, MemoryError, EOFError, SyntaxError, TokenError)
"""errors that NumPy raises for an invalid file; its header is a Python literal, which is parsed and not executed"""


def upgrade(
    base_vectors: Any, texts: Sequence[str], *, model: str | Encoder = MINI, batch: int = BATCH, check: bool = True
) -> np.ndarray:
    """Add the tower's block to the base vectors of some texts. The result equals a new encoding, in float32.

    `check` encodes a few texts with the base, to refuse vectors of another encoder or in another order.
    """
    encoder = load(model) if isinstance(model, str) else model
    rows = np.asarray(base_vectors)
    if isinstance(texts, str) or rows.ndim != 2 or len(rows) != len(texts):
        got = "a single text" if isinstance(texts, str) else f"{len(texts)} texts"
        raise InputError(f"got vectors of the shape {rows.shape} and {got}; expected one row per text")
    if not len(rows):
        return np.zeros((0, _columns(encoder)), dtype=np.float32)
    config = _tower(encoder).config
    base = _unit(rows, _columns(encoder) - config.tower_width)
    if check:
        _refuse_other_vectors(base, texts, encoder)
    tower = tower_blocks(texts, encoder, batch=batch)
    return np.concatenate([math.sqrt(1 - config.default_w) * base, math.sqrt(config.default_w) * tower], axis=1)


def upgrade_file(
    vectors: Path | str,
    texts: Iterable[str],
    out: Path | str,
    *,
    model: str | Encoder = MINI,
    at_once: int = 4096,
    batch: int = BATCH,
) -> Generator[int, None, None]:
    """Upgrade a .npy file of base vectors in chunks; yield the number of finished vectors after each.

    The output gets its name when it is complete. An interrupted run resumes after its last complete chunk.
    """
    source, target = Path(vectors), Path(out)
    if not source.is_file():
        raise InputError(f"there is no file {str(source)!r}; expected base vectors as NumPy saves them")
    stored = stored_vectors(source)
    encoder = load(model) if isinstance(model, str) else model
    shape = (len(stored), _columns(encoder))
    partial, progress = target.with_name(target.name + ".part"), target.with_name(target.name + ".done")
    done = int(progress.read_text()) if progress.is_file() and partial.is_file() else 0
    mode = "r+" if done else "w+"
    upgraded = np.lib.format.open_memmap(partial, mode=mode, dtype=np.float32, shape=shape)
    remaining = iter(texts)
    if len(list(islice(remaining, done))) < done:
        raise InputError(f"there are fewer texts than the {done} that were upgraded before; expected the same texts")
    while done < len(stored):
        chunk = list(islice(remaining, min(at_once, len(stored) - done)))
        if not chunk:
            raise InputError(f"{len(stored)} vectors and {done} texts; expected one text per vector")
        rows = stored[done : done + len(chunk)]
        upgraded[done : done + len(chunk)] = upgrade(rows, chunk, model=encoder, batch=batch)
        upgraded.flush()
        done += len(chunk)
        progress.write_text(str(done))
        yield done
    if next(remaining, None) is not None:
        raise InputError(f"there are more texts than the {len(stored)} vectors; expected one text per vector")
    partial.replace(target)
    progress.unlink()


def tower_blocks(texts: Sequence[str], encoder: Encoder, *, batch: int = BATCH) -> np.ndarray:
    """Return g of every text: runs the shared layers and the tower's own, without the rest of the base."""
    import torch

    tower = _tower(encoder)
    order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
    rows = np.zeros((len(texts), tower.config.tower_width), dtype=np.float32)
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        features = encoder.preprocess([texts[at] for at in places])
        ids, mask = (features[name].to(encoder.device) for name in ("input_ids", "attention_mask"))
        with torch.no_grad():
            rows[places] = tower.tower_block(tower.at_fork(ids, mask), mask).float().cpu().numpy()
    return rows


def stored_vectors(source: Path) -> np.ndarray:
    """Open the vectors of a .npy file as a memory map."""
    try:
        rows: np.ndarray = np.load(source, mmap_mode="r", allow_pickle=False)
    except UNREADABLE as error:
        raise InputError(f"{source} cannot be read ({error}); expected base vectors as NumPy saves them") from error
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind not in "fiu":
        raise InputError(f"{source} is not a matrix of numbers; expected base vectors, one row per text")
    return rows


def _columns(encoder: Encoder) -> int:
    return int(encoder.get_embedding_dimension() or 0)


def _tower(encoder: Any) -> Any:
    from litotes.models.tower.build import tower_of

    return tower_of(encoder)


def _unit(rows: np.ndarray, width: int) -> np.ndarray:
    if rows.shape[1] != width:
        raise InputError(f"the vectors have {rows.shape[1]} columns; expected the {width} of the tower's base")
    values = rows.astype(np.float32)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        row = int(np.argmax(~np.isfinite(lengths) | (lengths == 0)))
        raise InputError(f"vector {row} has the length {float(lengths[row][0])}; expected a finite length above 0")
    unit: np.ndarray = values / lengths
    return unit


def _refuse_other_vectors(base: np.ndarray, texts: Sequence[str], encoder: Encoder) -> None:
    """Encode a few texts, spread over all, with the base, and refuse vectors that differ from its vectors."""
    places = np.unique(np.linspace(0, len(texts) - 1, CHECKED_TEXTS).round().astype(int))
    encoded = encoder.encode([texts[at] for at in places])[:, : base.shape[1]]
    encoded = encoded / np.linalg.norm(encoded, axis=1, keepdims=True)
    distances = 1 - np.sum(encoded * base[places], axis=1)
    if distances.max() > TOLERANCE:
        at = int(places[int(distances.argmax())])
        raise InputError(
            f"vector {at} has the cosine {1 - distances.max():.3f} with the base's vector of its text; expected 1. "
            "Check that the vectors come from the tower's base, and that the texts are in the same order. "
            "check=False skips this check"
        )
