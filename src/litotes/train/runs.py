"""A run's folder: its settings, its data and what ran it, written down; and the errors that end it, made plain."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require
from litotes.models.adapter import versions
from litotes.models.loading import fingerprint
from litotes.models.tower.build import Base
from litotes.train.config import TowerTraining
from litotes.train.examples import Example, digest

LIBRARIES = ("litotes", "torch", "transformers", "sentence-transformers", "numpy")
_NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def facts_of(
    config: TowerTraining, base: Base, examples: Sequence[Example], replay: Sequence[Example]
) -> dict[str, Any]:
    """What decides a run's outcome."""
    return {
        "settings": config.plain() | {"base": base.name},
        "base": {"name": base.name, "sha256": base.sha256},
        "examples": {"count": len(examples), "sha256": digest(examples)},
        "replay": {"count": len(replay), "sha256": digest(replay)},
    }


def describe(folder: Path, facts: Mapping[str, Any], manifest: Sequence[Mapping[str, Any]], device: str) -> str:
    """Writes run.json; the run's fingerprint, which a checkpoint carries."""
    run = fingerprint(facts)
    circumstances = {"device": device, "python": platform.python_version(), "libraries": versions(LIBRARIES)}
    written = {"run": run, **facts, "files": list(manifest), **circumstances}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return run


@contextmanager
def plain_errors(config: TowerTraining) -> Iterator[None]:
    """Memory that runs out is one InputError that says what to lower."""
    torch = require("torch", extra="train", why="training")
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, RuntimeError) and not any(sign in reason.lower() for sign in _NO_MEMORY):
            raise
        kept = " or remember=False" if config.remember else ""
        raise InputError(
            f"memory ran out ({reason}). This run has batch {config.batch} and max_tokens {config.max_tokens}; "
            f"try half of either{kept}"
        ) from error
