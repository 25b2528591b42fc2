"""Find near-duplicates by vectors, merge only those that the guard accepts, and list contradicting pairs apart."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.files import open_run_folder
from litotes.guard.tiers import TIERS
from litotes.guard.verdict import ERROR
from litotes.models.bases import BASES, SHIPPED
from litotes.types import DIGITS
from litotes.workflows.dedup_files import OutputFiles, output_files, read_texts, sha256_of, write_json_lines, write_kept
from litotes.workflows.dedup_parts import (
    Loader,
    ModelNames,
    Models,
    RayRunner,
    load_models,
    load_once,
    run_here,
)
from litotes.workflows.dedup_search import Distinct, Search, Verdicts
from litotes.workflows.progress import Progress, ignore

if TYPE_CHECKING:
    from litotes.guard import Tier
    from litotes.types import Encoder

FORMAT = "litotes dedup 1"
ENCODER = "dense:minilm"
PART = 1024
"""Texts or pairs per part: an interruption loses at most these."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Merge:
    """A row that was dropped because an earlier row says the same. Rows are counted from 0."""

    row: int
    into: int
    """the kept row"""
    score: float
    """how sure the guard is, from 0 to 1; 1 if the texts are equal after normalising"""

    def line(self) -> dict[str, Any]:
        """Return a line of the file of merged rows."""
        return {"row": self.row, "into": self.into, "score": round(self.score, DIGITS)}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two rows that are near to each other and contradict each other, the earlier one first."""

    rows: tuple[int, int]
    texts: tuple[str, str]
    score: float
    """how likely the guard finds the same answer, from 0 to 0.5"""
    reason: str
    """"opposite" or "direction" """
    words: tuple[str, str]
    """the words of each text that make the difference; empty if none stand out"""

    def line(self) -> dict[str, Any]:
        """Return a line of the file of contradicting pairs."""
        return {
            "rows": list(self.rows),
            "texts": list(self.texts),
            "score": round(self.score, DIGITS),
            "reason": self.reason,
            "words": list(self.words),
        }


@dataclass(frozen=True, slots=True)
class Deduplication:
    """What a search for duplicates found. Rows are counted from 0."""

    rows: int
    kept: tuple[int, ...]
    merged: tuple[Merge, ...]
    contradictions: tuple[Contradiction, ...]
    pairs: int
    """pairs that the guard judged"""
    rejected: dict[str, int]
    """pairs that the guard rejected, by reason; those with the reason "error" could not be judged"""
    files: tuple[Path, ...] = ()
    """the files of kept rows, merged rows and contradicting pairs, if they were written"""

    def line(self) -> dict[str, Any]:
        """Return the JSON object that `litotes dedup` prints."""
        counts = {"rows": self.rows, "kept": len(self.kept), "merged": len(self.merged)}
        counts |= {"contradicting pairs": len(self.contradictions), "judged pairs": self.pairs}
        return {**counts, "rejected": self.rejected, "files": [str(path) for path in self.files]}


def deduplicate(
    source: str | Path | Sequence[str],
    *,
    out: str | Path | None = None,
    field: str = "text",
    encoder: str | Encoder = ENCODER,
    tier: str | Path | Tier | None = None,
    threshold: float | str | Path | None = None,
    min_cosine: float = 0.7,
    neighbours: int = 10,
    work: str | Path | None = None,
    ray: bool = False,
    device: str | None = None,
    progress: Progress | None = None,
) -> Deduplication:
    """Merge rows that say the same into the earliest of them, and list pairs that contradict each other.

    A row is merged only into a kept row, and only if the guard accepts these two texts: from "A is like B" and "B is
    like C" nothing follows for A and C. Rows whose text is empty are kept.

    Args:
        source: A file of JSON lines (plain or .gz) or Parquet, or a list of texts.
        out: A folder for the results, or a file of the same format for the kept rows; the others are put beside it.
            Without it, nothing is written.
        field: The field of JSON lines or the column of Parquet that has the text.
        encoder: The name of an encoder, or an object with `encode(texts, role=…)`.
        tier: What judges pairs, as for `litotes.guard.Guard`.
        threshold: The guard's threshold, a number or a file of `litotes guard fit`.
        min_cosine: Compare only texts whose vectors have at least this cosine.
        neighbours: Compare each text with at most this many nearest ones.
        work: The folder of vectors and verdicts; the same call resumes there. The default is beside or in `out`.
        ray: Make vectors, neighbours and verdicts as Ray tasks, on machines that share the work folder. The encoder and
            the tier must be given by name or folder. With device="cuda", each task asks for a GPU.
        device: "cpu", "cuda" or "mps".
        progress: Called after each part.
    """
    if not 0 < min_cosine <= 1:
        raise InputError(f"min_cosine is {min_cosine}; expected more than 0 and at most 1")
    if neighbours < 1:
        raise InputError(f"neighbours is {neighbours}; expected 1 or more")
    path = Path(source) if isinstance(source, str | Path) else None
    files = None if out is None else output_files(path, Path(out))
    texts = read_texts(source, field)
    input_hash = sha256_of(path) if path else _sha256(texts)
    distinct = Distinct.of(texts)
    models = load_models(encoder, tier, threshold, device)
    manifest = {
        "format": FORMAT,
        "litotes": version("litotes"),
        "input sha256": input_hash,
        "field": field if path else "",
        "texts sha256": _sha256(distinct.texts),
        **_model_facts(encoder, models),
        "min_cosine": float(min_cosine),
        "neighbours": neighbours,
        "texts per part": PART,
    }
    with _work_folder(work, files) as folder:
        open_run_folder(folder, manifest)
        loader: Loader = partial(load_once, _names(encoder, tier, models, device)) if ray else lambda: models
        run = RayRunner(device) if ray else run_here
        search = Search(folder, distinct.texts, loader, PART, run, progress or ignore)
        verdicts = search.verdicts(search.candidates(neighbours, min_cosine))
    found = _result(texts, distinct, verdicts)
    return found if files is None else _written(found, texts, path, input_hash, files)


def _names(encoder: str | Encoder, tier: str | Path | Tier | None, models: Models, device: str | None) -> ModelNames:
    """Return the names for Ray workers, which load the models themselves. Paths of folders become absolute."""
    if not isinstance(encoder, str):
        raise InputError(f"the encoder is {encoder!r}; with Ray, expected a name, because each worker loads its own")
    if not (tier is None or isinstance(tier, str | Path)):
        raise InputError(f"the tier is {tier!r}; with Ray, expected a name or a folder, because each worker loads it")
    family, colon, target = encoder.partition(":")
    chosen = models.guard.tier if tier is None else _absolute(tier)
    return ModelNames(family + colon + _absolute(target), chosen, models.guard.threshold, device)


def _absolute(name: str | Path) -> str:
    """Return the absolute path of a folder; other names stay as they are, also where a folder is called the same."""
    path = Path(name).expanduser()
    known = {*TIERS, *BASES, *SHIPPED}
    return str(path.absolute()) if str(name) not in known and path.is_dir() else str(name)


def _model_facts(encoder: str | Encoder, models: Models) -> dict[str, Any]:
    """Return what identifies the encoder and the guard."""
    name = encoder if isinstance(encoder, str) else str(getattr(encoder, "name", type(encoder).__name__))
    return {
        "encoder": name,
        "encoder sha256": str(getattr(models.encoder, "fingerprint", "")),
        "tier": models.guard.tier,
        "tier sha256": models.guard.model,
        "threshold": models.guard.threshold,
    }


def _sha256(texts: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(list(texts)).encode()).hexdigest()


@contextmanager
def _work_folder(work: str | Path | None, files: OutputFiles | None) -> Iterator[Path]:
    """Yield the folder of the parts; a temporary one if nothing is written."""
    if work is not None:
        yield Path(work).absolute()
    elif files is not None:
        yield files.work.absolute()
    else:
        with TemporaryDirectory() as folder:
            yield Path(folder)


def _result(texts: Sequence[str], distinct: Distinct, verdicts: Verdicts) -> Deduplication:
    """Turn places into rows, and add the rows whose text was there before."""
    into = verdicts.merged()
    rows = distinct.rows

    def merge(row: int, place: int) -> Merge:
        kept = into.get(place, place)
        return Merge(row, rows[kept], verdicts.accepted[kept, place] if kept != place else 1.0)

    merges = [merge(rows[place], place) for place in into] + [merge(*copy) for copy in distinct.copies.items()]
    gone = {one.row for one in merges}
    contradictions = [
        Contradiction((rows[one], rows[other]), (distinct.texts[one], distinct.texts[other]), score, reason, words)
        for (one, other), score, reason, words in verdicts.contradicting
        # A row that was merged contradicts what its kept row contradicts.
        if one not in into and other not in into
    ]
    if verdicts.rejected[ERROR]:
        count, reason = verdicts.rejected[ERROR], verdicts.first_error
        logger.warning("%d pairs could not be judged and were not merged; the first: %s", count, reason)
    return Deduplication(
        rows=len(texts),
        kept=tuple(row for row in range(len(texts)) if row not in gone),
        merged=tuple(sorted(merges, key=lambda one: one.row)),
        contradictions=tuple(sorted(contradictions, key=lambda one: one.rows)),
        pairs=len(verdicts.accepted) + verdicts.rejected.total(),
        rejected=dict(sorted(verdicts.rejected.items())),
    )


def _written(
    found: Deduplication, texts: Sequence[str], source: Path | None, input_hash: str, files: OutputFiles
) -> Deduplication:
    """Write the three files, the kept rows last."""
    write_json_lines(files.merged, (one.line() for one in found.merged))
    write_json_lines(files.contradictions, (one.line() for one in found.contradictions))
    if source is None:
        write_json_lines(files.kept, ({"text": texts[row]} for row in found.kept))
    elif sha256_of(source) != input_hash:
        raise InputError(f"{source} has changed since this run began; run it again with another work folder")
    else:
        write_kept(source, files.kept, set(found.kept))
    return replace(found, files=(files.kept, files.merged, files.contradictions))
