"""What a run's output depends on, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.errors import InputError
from litotes.synth.selection.duplicates import THRESHOLD

MAKES = ("triples", "contrasts", "pairs", "instructions", "quadruples")
FORMATS = ("jsonl", "parquet")
RULES = "rules"


@dataclass(frozen=True, slots=True)
class Config:
    """One run: the same configuration gives the same bytes, for any number of workers and machines."""

    sources: tuple[str, ...]
    make: tuple[str, ...] = ("triples",)
    column: str = "text"
    seed: int = 0
    limit: int = 0
    """how many anchors are read at most; 0 for all"""
    draw: int = 0
    """how many anchors are taken of those read, drawn so that rare kinds get their share; 0 for all"""
    near: float = THRESHOLD
    """anchors that overlap by so much are near-duplicates; 0 drops only those that are the same"""
    against: tuple[str, ...] = ()
    """files whose texts no anchor may have: benchmarks"""
    generator: str = RULES
    """rules, or the name of the language model"""
    mode: str = "free"
    """how a language model makes contrasts: free or controlled"""
    paraphraser: str = ""
    """a seq2seq model that gives further positives"""
    word_rule: bool = False
    """drop contrasts whose queries break NevIR's rule on words"""
    rejects: bool = False
    """keep what was dropped, with its reason"""
    format: str = "jsonl"
    shard: tuple[int, int] = (0, 1)
    """this part of so many: block b belongs to part b mod n"""

    def __post_init__(self) -> None:
        unknown = [make for make in self.make if make not in MAKES]
        if unknown or not self.make:
            raise InputError(f"cannot make {', '.join(unknown) or 'nothing'}; expected {', '.join(MAKES)}")
        if self.format not in FORMATS:
            raise InputError(f"there is no format {self.format!r}; expected {' or '.join(FORMATS)}")
        part, parts = self.shard
        if not 0 <= part < parts:
            raise InputError(f"shard {part}/{parts}: expected a part from 0 to {parts - 1}")
        if "quadruples" in self.make and self.generator != RULES:
            raise InputError("quadruples are made by rule; a language model makes the other sorts of data")
        if self.draw and "-" in self.sources:
            raise InputError("a draw reads its sources twice, and standard input can be read once; put it in a file")
        for name, value in (("limit", self.limit), ("draw", self.draw)):
            if value < 0:
                raise InputError(f"{name} is {value}; expected a number of anchors, or 0 for all")
