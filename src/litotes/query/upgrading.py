"""Old indexes made new: base vectors that are stored already get the tower's block beside them.

A text's vector is [√(1−w₀)·f ; √w₀·g], and f is what the base made. So old vectors are scaled, and only g is worked
out, which costs about what the base's own pass did.
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
from litotes.query.loading import MINI, load

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

BATCH = 32
LOOKED_AT = 4
"""texts whose base vector is worked out anew, to see that the vectors belong to them"""
TOLERANCE = 0.02
"""how far a stored vector may be from the base's own, as 1 − cosine: half precision and int8 stay well below"""
UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, MemoryError, EOFError, SyntaxError, TokenError)
"""what NumPy raises for a file that is none of its own: its header is a Python literal, which is parsed, not run"""


def upgrade(
    base_vectors: Any, texts: Sequence[str], *, model: str | Encoder = MINI, batch: int = BATCH, check: bool = True
) -> np.ndarray:
    """The vectors of some texts, of which the base's are given: as encoding them afresh would give, in float32.

    `check` encodes a few texts with the base, to refuse vectors of another encoder or in another order.
    """
    encoder = load(model) if isinstance(model, str) else model
    rows = np.asarray(base_vectors)
    if isinstance(texts, str) or rows.ndim != 2 or len(rows) != len(texts):
        got = "one text" if isinstance(texts, str) else f"{len(texts)} texts"
        raise InputError(f"got vectors of the shape {rows.shape} and {got}; expected a row for each text")
    if not len(rows):
        return np.zeros((0, _columns(encoder)), dtype=np.float32)
    config = _tower(encoder).config
    base = _unit(rows, _columns(encoder) - config.tower_width)
    if check:
        _refuse_strangers(base, texts, encoder)
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
    """A .npy file of base vectors into one of upgraded vectors, a piece at a time; yields how many are done.

    The output appears under its name when it is whole; a run that was stopped goes on after its last whole piece.
    """
    source, target = Path(vectors), Path(out)
    if not source.is_file():
        raise InputError(f"there is no file {str(source)!r}; expected base vectors as NumPy saves them")
    stored = stored_vectors(source)
    encoder = load(model) if isinstance(model, str) else model
    shape = (len(stored), _columns(encoder))
    growing, reached = target.with_name(target.name + ".part"), target.with_name(target.name + ".done")
    done = int(reached.read_text()) if reached.is_file() and growing.is_file() else 0
    mode = "r+" if done else "w+"
    made = np.lib.format.open_memmap(growing, mode=mode, dtype=np.float32, shape=shape)
    left = iter(texts)
    if len(list(islice(left, done))) < done:
        raise InputError(f"there are fewer texts than the {done} that were upgraded before; expected the same texts")
    while done < len(stored):
        piece = list(islice(left, min(at_once, len(stored) - done)))
        if not piece:
            raise InputError(f"{len(stored)} vectors and {done} texts; expected a text for each vector")
        rows = stored[done : done + len(piece)]
        made[done : done + len(piece)] = upgrade(rows, piece, model=encoder, batch=batch)
        made.flush()
        done += len(piece)
        reached.write_text(str(done))
        yield done
    if next(left, None) is not None:
        raise InputError(f"there are more texts than the {len(stored)} vectors; expected a text for each vector")
    growing.replace(target)
    reached.unlink()


def tower_blocks(texts: Sequence[str], encoder: Encoder, *, batch: int = BATCH) -> np.ndarray:
    """g of every text: the shared layers and the tower's own, without the rest of the base."""
    import torch

    tower = _tower(encoder)
    order = sorted(range(len(texts)), key=lambda at: -len(texts[at]))
    found = np.zeros((len(texts), tower.config.tower_width), dtype=np.float32)
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        features = encoder.preprocess([texts[at] for at in places])
        ids, mask = (features[name].to(encoder.device) for name in ("input_ids", "attention_mask"))
        with torch.no_grad():
            found[places] = tower.tower_block(tower.at_fork(ids, mask), mask).float().cpu().numpy()
    return found


def stored_vectors(source: Path) -> np.ndarray:
    """The vectors of a .npy file, which stay on disk until they are asked for."""
    try:
        found: np.ndarray = np.load(source, mmap_mode="r", allow_pickle=False)
    except UNREADABLE as error:
        raise InputError(f"{source} cannot be read ({error}); expected base vectors as NumPy saves them") from error
    if not isinstance(found, np.ndarray) or found.ndim != 2 or found.dtype.kind not in "fiu":
        raise InputError(f"{source} holds no rows of numbers; expected base vectors as NumPy saves them, a row each")
    return found


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
        raise InputError(
            f"vector {row} has no direction (its length is {float(lengths[row][0])}); expected real vectors"
        )
    unit: np.ndarray = values / lengths
    return unit


def _refuse_strangers(base: np.ndarray, texts: Sequence[str], encoder: Encoder) -> None:
    """Some of the texts, spread over all: are these the base's vectors of them?"""
    places = np.unique(np.linspace(0, len(texts) - 1, LOOKED_AT).round().astype(int))
    afresh = encoder.encode([texts[at] for at in places])[:, : base.shape[1]]
    afresh = afresh / np.linalg.norm(afresh, axis=1, keepdims=True)
    apart = 1 - np.sum(afresh * base[places], axis=1)
    if apart.max() > TOLERANCE:
        at = int(places[int(apart.argmax())])
        raise InputError(
            f"vector {at} has the cosine {1 - apart.max():.3f} with the base's own of its text; expected 1. Are the "
            "vectors of the tower's base, of these texts and in their order? (check=False upgrades them all the same)"
        )
