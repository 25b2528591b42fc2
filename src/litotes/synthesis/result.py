"""What a run reports: its progress, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class SynthesisProgress:
    """How much of a run is done."""

    anchors: int
    blocks: int
    counts: dict[str, int]
    """The number of lines per type."""


@dataclass(frozen=True, slots=True)
class SynthesisResult:
    """What a run made. Of one shard of several, only the first three are known before the shards are merged."""

    out: Path
    anchors: int
    """The number of anchors that were used."""
    counts: dict[str, int]
    """The number of lines per type."""
    skipped: dict[str, int]
    """The number of anchors that were not used, by reason."""
    dropped: dict[str, dict[str, dict[str, int]]]
    """For each type, how many candidates were dropped, by kind and reason."""
    files: tuple[Path, ...]
    """The data files, in the order of the types."""
    manifest: dict[str, Any]
    """The content of manifest.json."""

    @classmethod
    def from_manifest(cls, out: Path, manifest: dict[str, Any]) -> SynthesisResult:
        """Return the result of a finished run."""
        made, suffix = manifest["made"], manifest["config"]["format"]
        return cls(
            out,
            manifest["anchors"],
            {name: profile["kept"] for name, profile in made.items()},
            manifest["not taken"],
            {name: profile["dropped"] for name, profile in made.items()},
            tuple(out / f"{name}.{suffix}" for name in made),
            manifest,
        )

    @classmethod
    def of_shard(cls, out: Path, anchors: int, counts: dict[str, int]) -> SynthesisResult:
        """Return the result of one shard of several, whose blocks are still to be merged."""
        return cls(out, anchors, counts, {}, {}, (), {})
