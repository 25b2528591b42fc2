"""The training data of a run as a person names it: files and folders, each with a share; and its lines in run.json."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.data.written import PREFIX, written
from litotes.errors import InputError
from litotes.train.examples import Example, read_examples

MAKES = ("triples.jsonl", "contrasts.jsonl", "quadruples.jsonl")
PAIRS = "pairs.jsonl"
"""made from the same triples: read only where those are not there"""
MANIFEST = "manifest.json"
MOST_TIMES = 100


@dataclass(frozen=True, slots=True)
class Set:
    """The examples drawn from one file, and its line in the run's manifest."""

    examples: tuple[Example, ...]
    line: dict[str, Any]


def read_sets(names: Sequence[str], *, seed: int = 0, role: str = "") -> list[Set]:
    """The files of the names: files, folders litotes synth wrote, and what the package holds ("written:contrasts").

    "FILE=0.5" draws half of a file's examples, and "FILE=3" has each of them three times.
    """
    return [_drawn(path, share, seed, role) for name in names for path, share in _files(name)]


def _files(name: str) -> Iterator[tuple[Path, float]]:
    target, share = _share(name)
    if str(target).startswith(PREFIX):
        yield written(str(target)), share
        return
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
    target, sign, said = name.rpartition("=")
    if not sign or Path(name).exists():
        return Path(name), 1.0
    try:
        share = float(said)
    except ValueError:
        share = -1.0
    if not 0 < share <= MOST_TIMES:
        raise InputError(
            f"the share of {target} is {said!r}; expected a number above 0, as {target}=0.5, "
            f"or how often each example comes, up to {MOST_TIMES}"
        )
    return Path(target), share


def _drawn(path: Path, share: float, seed: int, role: str) -> Set:
    reading = read_examples(path)
    found = list(reading.examples)
    if not found:
        why = "; ".join(f"{count} {reason}" for reason, count in reading.dropped.items()) or "it is empty"
        raise InputError(f"{path} gives no examples ({why}); expected triples, contrasts or pairs as JSON lines")
    times, part = divmod(share, 1)
    places = random.Random(seed).sample(range(len(found)), max(not times, round(len(found) * part)))
    # in the file's order: what follows each other there may belong together
    found = found * int(times) + [found[place] for place in sorted(places)]
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
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [str(source) for source in found] if isinstance(found, list) else []
