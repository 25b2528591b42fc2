"""Signatures as in sacrebleu: one short line with everything that is needed to reproduce a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from litotes.errors import InputError

HASH = " sha256"
SHORT = 8
REFERENCES = "refs"


def signature(
    name: str, facts: Mapping[str, Any], *, norm: str, references: int, windows: str, hedges: bool = False
) -> str:
    """Return `litotes-score|v:0.1.0|weights:0a1b2c3d|base:mpnet-78c0197b|norm:nfc.ws.yesno|refs:1|windows:sentence`.

    It contains the facts that are strings, with shortened hashes. Versions of libraries are not part of it: they change
    a score in its sixth digit, if at all. A folder is identified by its name and hashes, not by its path. If hedging
    counts, the signature ends in `hedges:yes`.
    """
    known = {key: value for key, value in facts.items() if isinstance(value, str)}
    parts = {"v": version("litotes"), **_shortened(known), "norm": norm, REFERENCES: references, "windows": windows}
    parts |= {"hedges": "yes"} if hedges else {}
    family, colon, target = name.rpartition(":")
    title = target.rstrip("/").rpartition("/")[2]
    return "|".join([f"{family}{colon}{title}", *(f"{key}:{value}" for key, value in parts.items())])


def _shortened(facts: Mapping[str, str]) -> dict[str, str]:
    """{"base": "minilm", "base sha256": "53aa5117…"} → {"base": "minilm-53aa5117"}"""
    parts: dict[str, str] = {}
    for key, value in facts.items():
        name = key.removesuffix(HASH)
        shown = value[:SHORT] if key.endswith(HASH) else value
        parts[name] = f"{parts[name]}-{shown}" if name in parts else shown
    return parts


def corpus_signature(signatures: Sequence[str], *, resamples: int, seed: int) -> str:
    """Return the common signature of the pairs, with the settings of the interval.

    The signatures may differ only in the number of references.
    """
    bare = sorted({_split(signature)[0] for signature in signatures})
    if len(bare) > 1:
        raise InputError(f"the scores are from different metrics, {bare[0]} and {bare[1]}; expected one metric")
    counts = {_split(signature)[1] for signature in signatures}
    number = counts.pop() if len(counts) == 1 else f"{REFERENCES}:var"
    parts = [number if part.startswith(f"{REFERENCES}:") else part for part in signatures[0].split("|")]
    return "|".join([*parts, f"resamples:{resamples}", f"seed:{seed}"])


def _split(signature: str) -> tuple[str, str]:
    """Return a signature without the number of references, and that number."""
    parts = signature.split("|")
    references = next(part for part in parts if part.startswith(f"{REFERENCES}:"))
    return "|".join(part for part in parts if part != references), references
