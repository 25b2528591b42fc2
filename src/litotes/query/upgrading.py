"""Upgrade an index: add a polarity block to stored vectors of a tower's base, or of any other encoder.

The vector of a text is [√(1−w₀)·f ; √w₀·g], and f is the stored vector. So stored vectors are scaled, and only g is
computed, which costs about as much as encoding with MiniLM.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError
from litotes.files import write_atomically
from litotes.models.adapter import check_texts
from litotes.models.bases import MINI
from litotes.models.beside import combine
from litotes.models.polarity_block import Polarity
from litotes.models.tower.scaling import check_default_dial
from litotes.models.tower.shape import tower_config
from litotes.query.beside_encoder import BesideEncoder
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


@dataclass(frozen=True, slots=True)
class Upgrade:
    """How vectors are upgraded."""

    dial: float
    width: int | None
    """the columns of the vectors to upgrade; None if any number is right"""
    polarity: Polarity
    batch: int
    encode: Callable[[Sequence[str]], np.ndarray] | None
    """encodes texts again, to check the vectors; None if the encoder is not at hand"""

    def rows(self, base_vectors: Any, texts: Sequence[str], *, check: bool = True) -> np.ndarray:
        """Return the vectors of some texts with the block beside them, as `upgrade` does."""
        rows, read = _matrix(base_vectors), check_texts(texts)
        if rows.ndim != 2 or len(rows) != len(read):
            raise InputError(f"got vectors of the shape {rows.shape} and {len(read)} texts; expected one row per text")
        if not len(rows):
            return np.zeros((0, (self.width or rows.shape[1]) + self.polarity.width), dtype=np.float32)
        base = unit_base(rows, self.width)
        if check:
            self.refuse_other_vectors(base, read)
        return combine(base, self.polarity.encode(read, batch=self.batch), self.dial)

    def for_workers(self) -> Upgrade:
        """Return a copy for other processes: on the CPU, and without an encoder of the user's own."""
        own_base = getattr(self.encode, "__self__", None) is self.polarity
        copy = deepcopy(self if own_base else replace(self, encode=None))
        copy.polarity.to("cpu")
        return copy

    def refuse_other_vectors(self, base: np.ndarray, texts: Sequence[str]) -> None:
        """Encode a few texts, spread over all, again, and refuse vectors that differ from theirs."""
        if self.encode is None:
            return
        places = np.unique(np.linspace(0, len(texts) - 1, CHECKED_TEXTS).round().astype(int))
        encoded = self.encode([texts[at] for at in places])
        if encoded.shape[1] != base.shape[1]:
            raise InputError(
                f"the vectors have {base.shape[1]} columns, and the encoder gives {encoded.shape[1]}; expected the same"
            )
        distances = 1 - np.sum(encoded * base[places], axis=1)
        if distances.max() > TOLERANCE:
            at = int(places[int(distances.argmax())])
            raise InputError(
                f"vector {at} has the cosine {1 - distances.max():.3f} with the encoder's vector of its text; expected "
                "1. Check that the vectors come from this encoder, and that the texts are in the same order. To skip "
                "this check, pass model=litotes.polarity(…) and a dial"
            )


def upgrade(
    base_vectors: Any,
    texts: Sequence[str],
    *,
    model: str | Encoder | BesideEncoder | Polarity = MINI,
    dial: float | None = None,
    batch: int = BATCH,
    check: bool = True,
) -> np.ndarray:
    """Add a polarity block to stored vectors of some texts. The result equals a new encoding, in float32.

    `model` is a tower, for vectors of its own base; or `litotes.beside(encoder)`, for vectors of that encoder; or
    `litotes.polarity("litotes-mini")` with a `dial`, for vectors of an encoder that is not at hand. `check` encodes a
    few texts again, to refuse vectors of another encoder or in another order.
    """
    return upgrade_of(model, dial=dial, batch=batch).rows(base_vectors, texts, check=check)


def upgrade_of(
    model: str | Encoder | BesideEncoder | Polarity, *, dial: float | None = None, batch: int = BATCH
) -> Upgrade:
    """Return how the vectors of a model are upgraded."""
    if isinstance(model, Polarity):
        if dial is None:
            raise InputError("the dial is missing; expected upgrade(…, dial=…), such as one of `litotes dial fit`")
        return Upgrade(check_default_dial(dial), None, model, batch, None)
    if dial is not None:
        raise InputError("this model has a dial of its own; expected one only with litotes.polarity(…)")
    if isinstance(model, BesideEncoder):
        return Upgrade(model.dial, None, model.polarity, batch, model.base_vectors)
    encoder = load(model) if isinstance(model, str) else model
    if not hasattr(encoder, "transformers_model") or tower_config(encoder) is None:
        named = model if isinstance(model, str) else type(model).__name__
        raise InputError(f"the model {named} has no polarity block; expected a tower, or model=litotes.beside(encoder)")
    tower = Polarity(encoder)
    width = int(encoder.get_embedding_dimension() or 0) - tower.width
    return Upgrade(tower.shape.default_dial, width, tower, batch, tower.base_vectors)


def upgrade_file(
    vectors: Path | str,
    texts: Iterable[str],
    out: Path | str,
    *,
    model: str | Encoder | BesideEncoder | Polarity = MINI,
    dial: float | None = None,
    at_once: int = 4096,
    batch: int = BATCH,
) -> Generator[int, None, None]:
    """Upgrade a .npy file of vectors in chunks, as `upgrade` does; yield the number of finished vectors after each.

    The output gets its name when it is complete. An interrupted run resumes after its last complete chunk.
    """
    source, target = Path(vectors), Path(out)
    if not source.is_file():
        raise InputError(f"there is no file {str(source)!r}; expected base vectors as NumPy saves them")
    stored = stored_vectors(source)
    how = upgrade_of(model, dial=dial, batch=batch)
    shape = (len(stored), (how.width or stored.shape[1]) + how.polarity.width)
    unfinished, progress = target.with_name(target.name + ".part"), target.with_name(target.name + ".done")
    settings = {"rows": len(stored), "columns": shape[1], "dial": how.dial}
    done = _finished(progress, settings) if progress.is_file() and unfinished.is_file() else 0
    mode = "r+" if done else "w+"
    upgraded = np.lib.format.open_memmap(unfinished, mode=mode, dtype=np.float32, shape=shape)
    remaining = iter(texts)
    if len(list(islice(remaining, done))) < done:
        raise InputError(f"there are fewer texts than the {done} that were upgraded before; expected the same texts")
    while done < len(stored):
        chunk = list(islice(remaining, min(at_once, len(stored) - done)))
        if not chunk:
            raise InputError(f"{len(stored)} vectors and {done} texts; expected one text per vector")
        rows = stored[done : done + len(chunk)]
        upgraded[done : done + len(chunk)] = how.rows(rows, chunk)
        upgraded.flush()
        done += len(chunk)
        write_atomically(progress, json.dumps({**settings, "done": done}))
        yield done
    if next(remaining, None) is not None:
        raise InputError(f"there are more texts than the {len(stored)} vectors; expected one text per vector")
    unfinished.replace(target)
    progress.unlink()


def _finished(progress: Path, settings: dict[str, Any]) -> int:
    """Return how many vectors an earlier run finished; refuse a run with other settings."""
    earlier = json.loads(progress.read_text(encoding="utf-8"))
    if not isinstance(earlier, dict) or {name: earlier.get(name) for name in settings} != settings:
        raise InputError(f"{progress} is of another run ({earlier}, now {settings}); remove it to start again")
    return int(earlier["done"])


def stored_vectors(source: Path) -> np.ndarray:
    """Open the vectors of a .npy file as a memory map."""
    try:
        rows: np.ndarray = np.load(source, mmap_mode="r", allow_pickle=False)
    except UNREADABLE as error:
        raise InputError(f"{source} cannot be read ({error}); expected base vectors as NumPy saves them") from error
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind not in "fiu":
        raise InputError(f"{source} is not a matrix of numbers; expected base vectors, one row per text")
    return rows


def _matrix(vectors: Any) -> np.ndarray:
    """Return vectors as an array of numbers. Integers are allowed: an int8 index can be upgraded, too."""
    plain = vectors.detach().float().cpu().numpy() if hasattr(vectors, "detach") else vectors
    try:
        rows = np.asarray(plain)
    except ValueError:
        raise InputError("the vectors have different widths; expected one width for all") from None
    if rows.size and rows.dtype.kind not in "fiu":
        raise InputError(f"the vectors are {rows.dtype}; expected numbers")
    return rows


def unit_base(rows: np.ndarray, width: int | None) -> np.ndarray:
    """Return base vectors of length 1; refuse those of another width, and those without a finite length above 0."""
    if width is not None and rows.shape[1] != width:
        raise InputError(
            f"the vectors have {rows.shape[1]} columns; expected the {width} of the tower's base. For vectors of "
            "another encoder, pass model=litotes.beside(encoder)"
        )
    values = rows.astype(np.float32)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        row = int(np.argmax(~np.isfinite(lengths) | (lengths == 0)))
        raise InputError(f"vector {row} has the length {float(lengths[row][0])}; expected a finite length above 0")
    unit: np.ndarray = values / lengths
    return unit
