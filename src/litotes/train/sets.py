"""The training data of a run as a person names it: files and folders, each with a share; and its lines in run.json."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.train.examples import Example, read_examples

MAKES = ("triples.jsonl", "contrasts.jsonl", "quadruples.jsonl")
PAIRS = "pairs.jsonl"
"""made from the same triples: read only where those are not there"""
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Set:
    """The examples drawn from one file, and its line in the run's manifest."""

    examples: tuple[Example, ...]
    line: dict[str, Any]


def read_sets(names: Sequence[str], *, seed: int = 0, role: str = "") -> list[Set]:
    """The files of the names; "FILE=0.5" draws half of a file's examples, and a folder is one litotes synth wrote."""
    return [_drawn(path, share, seed, role) for name in names for path, share in _files(name)]


def _files(name: str) -> Iterator[tuple[Path, float]]:
    target, share = _share(name)
    if not target.is_dir():
        yield target, share
        return
    there = [target / make for make in MAKES if (target / make).is_file()]
    if not there and (target / PAIRS).is_file():
        there = [target / PAIRS]
    if not there:
        raise InputError(
            f"{target} holds none of {', '.join((*MAKES, PAIRS))}. Expected a file, or a folder that litotes synth "
            "wrote as JSON lines"
        )
    for path in there:
        yield path, share


def _share(name: str) -> tuple[Path, float]:
    """The path and its share; a path may have a sign in its own name."""
    target, sign, written = name.rpartition("=")
    if not sign or Path(name).exists():
        return Path(name), 1.0
    try:
        share = float(written)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise InputError(
            f"the share of {target} is {written!r}; expected a number above 0 and up to 1, as {target}=0.5"
        )
    return Path(target), share


def _drawn(path: Path, share: float, seed: int, role: str) -> Set:
    reading = read_examples(path)
    found = list(reading.examples)
    if not found:
        why = "; ".join(f"{count} {reason}" for reason, count in reading.dropped.items()) or "it is empty"
        raise InputError(f"{path} gives no examples ({why}); expected triples, contrasts or pairs as JSON lines")
    if share < 1:
        found = random.Random(seed).sample(found, max(1, round(len(found) * share)))
    line = reading.line() | {"used": len(found)}
    line |= {"role": role} if role else {}
    sources = _sources(path.parent / MANIFEST)
    return Set(tuple(found), line | ({"sources": sources} if sources else {}))


def _sources(path: Path) -> list[str]:
    """Where the synthesis beside a file took its anchors from; a manifest of another make says nothing."""
    if not path.is_file():
        return []
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["config"]["sources"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [str(source) for source in found] if isinstance(found, list) else []
