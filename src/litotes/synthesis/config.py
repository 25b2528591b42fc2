"""The configuration of a run: everything that its output depends on."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.errors import InputError
from litotes.synthesis.selection.duplicates import THRESHOLD

TYPES = ("triples", "contrasts", "pairs", "instructions", "quadruples")
FORMATS = ("jsonl", "parquet")
RULES = "rules"


@dataclass(frozen=True, slots=True)
class SynthesisConfig:
    """One run. The same configuration gives the same bytes, for any number of workers and machines."""

    sources: tuple[str, ...]
    types: tuple[str, ...] = ("triples",)
    """The types of data to make."""
    column: str = "text"
    """The column of JSON lines, CSV and Parquet files that has the text."""
    seed: int = 0
    limit: int = 0
    """The largest number of anchors to read; 0 for all."""
    draw: int = 0
    """The number of anchors to draw from those read, so that rare kinds are well represented; 0 for all."""
    duplicate_threshold: float = THRESHOLD
    """Anchors that overlap by this much are near-duplicates; 0 drops only equal ones."""
    against: tuple[str, ...] = ()
    """Files whose texts no anchor may contain, such as benchmarks."""
    generator: str = RULES
    """"rules", or the name of a language model."""
    mode: str = "free"
    """How a language model makes contrasts: "free" or "controlled"."""
    paraphraser: str = ""
    """A sequence-to-sequence model that gives further positives."""
    fluency: bool = False
    """Drop rewrites that a language model finds much less likely than their source."""
    word_rule: bool = False
    """Drop contrasts whose queries break NevIR's rule on words."""
    rejects: bool = False
    """Keep what is dropped, with the reason."""
    format: str = "jsonl"
    shard: tuple[int, int] = (0, 1)
    """The part to work on and the number of parts: block b belongs to part b mod n."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.types if name not in TYPES]
        if unknown or not self.types:
            raise InputError(f"types are {', '.join(unknown) or 'empty'}; expected one or more of {', '.join(TYPES)}")
        if self.format not in FORMATS:
            raise InputError(f"format is {self.format!r}; expected {' or '.join(FORMATS)}")
        part, parts = self.shard
        if not 0 <= part < parts:
            raise InputError(f"shard is {part}/{parts}; expected a part from 0 to {parts - 1}")
        if "quadruples" in self.types and self.generator != RULES:
            raise InputError("quadruples are made by rule; use a language model for the other types of data")
        if self.fluency and self.generator != RULES:
            raise InputError("the fluency check is for rewrites by rule; leave it out, or set the generator to rules")
        if self.draw and "-" in self.sources:
            raise InputError("a draw reads its sources twice, but standard input can be read once; use a file instead")
        for name, value in (("limit", self.limit), ("draw", self.draw)):
            if value < 0:
                raise InputError(f"{name} is {value}; expected a number of anchors, or 0 for all")
