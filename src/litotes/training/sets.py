"""Reading the training data of a run: files and folders, each with a share, and their lines in run.json."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.data.written import PREFIX, written_file
from litotes.errors import InputError
from litotes.training.examples import Example, read_examples

MADE_FILES = ("triples.jsonl", "contrasts.jsonl", "quadruples.jsonl")
PAIRS = "pairs.jsonl"
"""Pairs are made from the same triples, so they are read only if there are none of the files above."""
MANIFEST = "manifest.json"
MOST_TIMES = 100


@dataclass(frozen=True, slots=True)
class ExampleSet:
    """The examples drawn from one file, and its line in the run's manifest."""

    examples: tuple[Example, ...]
    line: dict[str, Any]


def read_sets(names: Sequence[str], *, seed: int = 0, role: str = "") -> list[ExampleSet]:
    """Read files, folders that litotes synth wrote, and sets of the package ("written:contrasts").

    "FILE=0.5" draws half of a file's examples; "FILE=3" repeats each of them three times.
    """
    return [_draw(path, share, seed, role) for name in names for path, share in _files(name)]


def _files(name: str) -> Iterator[tuple[Path, float]]:
    target, share = _share(name)
    if str(target).startswith(PREFIX):
        yield written_file(str(target)), share
        return
    if not target.is_dir():
        yield target, share
        return
    files = [target / file for file in MADE_FILES if (target / file).is_file()]
    if not files and (target / PAIRS).is_file():
        files = [target / PAIRS]
    if not files:
        raise InputError(
            f"{target} has none of {', '.join((*MADE_FILES, PAIRS))}. Expected a file, or a folder that litotes synth "
            "wrote as JSON lines"
        )
    for path in files:
        yield path, share


def _share(name: str) -> tuple[Path, float]:
    """Split a name into the path and its share; the name of a file may contain the sign itself."""
    target, sign, text = name.rpartition("=")
    if not sign or Path(name).exists():
        return Path(name), 1.0
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share <= MOST_TIMES:
        raise InputError(
            f"the share of {target} is {text!r}; expected a number above 0, such as {target}=0.5, or the number of "
            f"repetitions, up to {MOST_TIMES}"
        )
    return Path(target), share


def _draw(path: Path, share: float, seed: int, role: str) -> ExampleSet:
    reading = read_examples(path)
    examples = list(reading.examples)
    if not examples:
        reasons = "; ".join(f"{count} {reason}" for reason, count in reading.dropped.items()) or "it is empty"
        raise InputError(f"{path} gives no examples ({reasons}); expected triples, contrasts or pairs as JSON lines")
    times, part = divmod(share, 1)
    drawn = random.Random(seed).sample(range(len(examples)), max(not times, round(len(examples) * part)))
    # In the order of the file, because neighbours may belong together.
    examples = examples * int(times) + [examples[index] for index in sorted(drawn)]
    line = reading.line() | {"used": len(examples)}
    line |= {"role": role} if role else {}
    sources = _sources(path.parent / MANIFEST)
    return ExampleSet(tuple(examples), line | ({"sources": sources} if sources else {}))


def _sources(path: Path) -> list[str]:
    """Return the sources in a synthesis manifest; an empty list if there is none or it has another form."""
    if not path.is_file():
        return []
    try:
        sources = json.loads(path.read_text(encoding="utf-8"))["config"]["sources"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [str(source) for source in sources] if isinstance(sources, list) else []
