"""Signatures: what is needed to get a number again, in one short line, as sacrebleu has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from litotes.errors import InputError

HASH = " sha256"
SHORT = 8
REFERENCES = "refs"


def signature(name: str, facts: Mapping[str, Any], *, norm: str, references: int, windows: str) -> str:
    """`litotes-score|v:0.1.0|weights:0a1b2c3d|base:minilm-53aa5117|norm:nfc.ws|refs:1|windows:sentence`

    Of the facts, those that are text stand in it, hashes shortened. The versions of libraries do not: they change a
    score in its sixth digit, if at all. A folder is known by its name and its hashes, wherever it lies.
    """
    known = {key: value for key, value in facts.items() if isinstance(value, str)}
    parts = {"v": version("litotes"), **_shortened(known), "norm": norm, REFERENCES: references, "windows": windows}
    family, colon, target = name.rpartition(":")
    title = target.rstrip("/").rpartition("/")[2]
    return "|".join([f"{family}{colon}{title}", *(f"{key}:{value}" for key, value in parts.items())])


def _shortened(facts: Mapping[str, str]) -> dict[str, str]:
    """{"base": "minilm", "base sha256": "53aa5117…"} → {"base": "minilm-53aa5117"}"""
    found: dict[str, str] = {}
    for key, value in facts.items():
        name = key.removesuffix(HASH)
        shown = value[:SHORT] if key.endswith(HASH) else value
        found[name] = f"{found[name]}-{shown}" if name in found else shown
    return found


def corpus_signature(signatures: Sequence[str], *, resamples: int, seed: int) -> str:
    """The pairs' own, which must agree but for the number of references, and how the interval came about."""
    bare = sorted({_split(one)[0] for one in signatures})
    if len(bare) > 1:
        raise InputError(f"the scores are of different metrics, {bare[0]} and {bare[1]}; a corpus takes those of one")
    counts = {_split(one)[1] for one in signatures}
    number = counts.pop() if len(counts) == 1 else f"{REFERENCES}:var"
    parts = [number if part.startswith(f"{REFERENCES}:") else part for part in signatures[0].split("|")]
    return "|".join([*parts, f"resamples:{resamples}", f"seed:{seed}"])


def _split(one: str) -> tuple[str, str]:
    """A signature without the number of references, and that number."""
    parts = one.split("|")
    own = next(part for part in parts if part.startswith(f"{REFERENCES}:"))
    return "|".join(part for part in parts if part != own), own
