"""Pairs of messages: does the stored answer to one answer the other? docs/same-answer.md describes them.

A semantic cache compares a new message with cached ones. `same` is whether the answer to the cached message is a
correct and complete answer to the new one. The order of the two does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from litotes.data.lines import json_objects
from litotes.data.records import NEGATION, OURS, PACKAGE, Benchmark, DataSet
from litotes.data.selection import SPLITS, DataSelection
from litotes.errors import InputError

SAME_KINDS = ("paraphrase", "cue")
"""A paraphrase, and one in which a negation appears or disappears."""
OPPOSITE_KINDS = ("negation", "antonym", "particle", "verb", "direction")
KINDS = (*SAME_KINDS, *OPPOSITE_KINDS, "quantity", "name", "scope", "modality", "topic")


@dataclass(frozen=True, slots=True)
class MessagePair:
    """Two messages, and whether they deserve the same answer."""

    id: str
    new: str
    cached: str
    same: bool
    kind: str
    """what makes them the same or different"""
    domain: str


def same_answer_pairs(split: str = "dev") -> tuple[MessagePair, ...]:
    """Return the pairs of a split. The test split is for measuring, never for tuning."""
    if split not in SPLITS:
        raise InputError(f"same-answer has no split {split!r}; expected {' or '.join(SPLITS)}")
    file = files("litotes.data").joinpath("same_answer", f"{split}.jsonl")
    return tuple(parse_message_pairs(file.read_text(encoding="utf-8").split("\n"), f"same-answer {split}"))


def parse_message_pairs(lines: Iterable[str], source: str) -> Iterator[MessagePair]:
    """Yield the pairs of JSON lines; raise InputError at a line that is not one."""
    for where, _, row in json_objects(lines, source):
        texts = [row.get(name) for name in ("id", "new", "cached", "kind", "domain")]
        same = row.get("same")
        if not all(isinstance(text, str) and text for text in texts) or not isinstance(same, bool):
            raise InputError(f"{where}: expected the texts id, new, cached, kind and domain, and same as true or false")
        identifier, new, cached, kind, domain = map(str, texts)
        if kind not in KINDS:
            raise InputError(f"{where}: the kind is {kind!r}; expected one of {', '.join(KINDS)}")
        if same != (kind in SAME_KINDS):
            raise InputError(f"{where}: same is {same} for the kind {kind}; expected {not same}")
        yield MessagePair(identifier, new, cached, same, kind, domain)


def load(_: Path, split: str) -> tuple[MessagePair, ...]:
    """Load a split; it is shipped, so the folder does not matter."""
    return same_answer_pairs(split)


def _items(selection: DataSelection, split: str) -> tuple[MessagePair, ...]:
    return selection.select(same_answer_pairs(split), key=lambda pair: pair.id)


DATA_SET = DataSet(
    name="same-answer",
    topic=NEGATION,
    description="messages that do or do not deserve the same answer (docs/same-answer.md)",
    home=PACKAGE,
    licence=OURS,
    load=load,
    benchmarks=(
        Benchmark(
            name="same-answer",
            family="same_answer",
            help="do two messages deserve the same answer? (shipped)",
            headline="AUC",
            items=_items,
            suites=("caches",),
        ),
    ),
)
