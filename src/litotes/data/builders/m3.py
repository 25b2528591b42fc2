"""Build M3-Counterfactual: claims of medical reviews, and the same negated, without evidence, hedged and intensified.

The paper's version was made by hand and is not released; this one is made by rule. The scores are the paper's: -1 for
the negated claim, 0 for "there is no evidence that …", 1 for the hedged and the intensified claim.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from litotes.data.builders.claims import (
    ClaimParts,
    advises,
    claim_parts,
    counted,
    doubting,
    hedged,
    negations,
    strengthens,
)
from litotes.data.builders.source_files import Files, Source, objects, plain
from litotes.errors import InputError
from litotes.rewrite import Options, rewrite_texts, task
from litotes.types import Rewrite

HOME = "https://github.com/julia-nixie/m3"
SOURCES = (
    Source("conclusions", "level3.jsonl of M3: the reviews' conclusions (target_text)", HOME, main=True),
    Source("studies", "level3.jsonl of M3: what the included studies found (input_studies)", HOME),
)
SCORES = {"negated": -1, "no evidence": 0, "hedged": 1, "intensified": 1}
NO_EVIDENCE = ("There is no evidence", "There is currently no evidence", "We found no evidence")
HEDGES = ("may", "might", "probably", "possibly", "potentially", "appear", "seem")
# For claims, and for reports.
INTENSIFIERS = ("certainly", "clearly", "definitely", "undoubtedly")
STRONG_REPORTS = ("clearly", "convincingly", "conclusively")
STRONG_SUGGESTIONS = ("clearly", "strongly")
FRAME = "possible"
BATCH = 128


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of M3, with the modality and the direction that its annotators marked."""

    id: str
    text: str
    modality: str
    direction: str


@dataclass(frozen=True, slots=True)
class GradedClaim:
    """A claim, a counterfactual, and a score for how much of the claim it keeps."""

    id: str
    sentence1: str
    sentence2: str
    score: int
    kind: str
    """negated, no evidence, hedged or intensified."""
    cue: str

    def line(self) -> dict[str, Any]:
        """Return the row of the built file."""
        return {
            "id": self.id,
            "sentence1": self.sentence1,
            "sentence2": self.sentence2,
            "score": self.score,
            "kind": self.kind,
            "cue": self.cue,
        }


def build(files: Files, *, seed: int = 0, counts: Counter[str]) -> Iterator[GradedClaim]:
    """Yield the counterfactuals of every claim, each text once; count what cannot be made by reason."""
    claims = _usable(_claims(files), counts)
    options = [Options(contractions=False)] + [Options(cue=cue) for cue in (FRAME, *HEDGES)]
    tasks = [task("negate", "verbal", options[0])] + [task("hedge", "word", option) for option in options[1:]]
    while batch := list(islice(claims, BATCH)):
        rewritten = rewrite_texts([_sentence(parts) for _, parts in batch], tasks, verify=True)
        for (claim, parts), row in zip(batch, rewritten, strict=True):
            yield from _counterfactuals(
                claim, parts, dict(zip(("negate", FRAME, *HEDGES), row, strict=True)), seed, counts
            )


def _claims(files: Files) -> Iterator[Claim]:
    for path in files.get("conclusions", ()):
        for _, row in objects(path, ("docid", "target_text")):
            yield _claim(row["docid"], row, "target")
    for path in files.get("studies", ()):
        for where, row in objects(path, ("docid",)):
            studies = row.get("input_studies")
            if not isinstance(studies, list) or not all(isinstance(study, dict) for study in studies):
                raise InputError(f"{where}: expected input_studies, a list of objects with source_text")
            for number, study in enumerate(studies):
                yield _claim(f"{row['docid']}/{number}", study, "source")


def _claim(name: str, row: dict[str, Any], prefix: str) -> Claim:
    fields = (f"{prefix}_text", f"{prefix}_modality", f"{prefix}_direction_span")
    text, modality, direction = (plain(str(row.get(field) or "")) for field in fields)
    return Claim(name, text, modality, direction)


def _usable(claims: Iterator[Claim], counts: Counter[str]) -> Iterator[tuple[Claim, ClaimParts]]:
    seen: set[str] = set()
    for claim in claims:
        if claim.text in seen:
            counts["claim: the same text again"] += 1
            continue
        seen.add(claim.text)
        parts = claim_parts(claim.text, claim.direction)
        if not claim.text:
            counts["claim: empty"] += 1
        elif claim.modality == "no evidence":
            counts["claim: says itself that there is no evidence"] += 1
        elif isinstance(parts, str):
            counts[f"claim: {parts}"] += 1
        else:
            counts["claims used"] += 1
            yield claim, parts


def _sentence(parts: ClaimParts) -> str:
    """Return the clause for the rewriter; "" for findings and passives, in which it would negate the report."""
    return parts.core if parts.type in {"plain", "reported", "evidence", "reporting"} else ""


Result = tuple[str, str] | str
"""The new text and its cue, or the reason why there is none."""


def _counterfactuals(
    claim: Claim, parts: ClaimParts, rewrites: dict[str, Rewrite], seed: int, counts: Counter[str]
) -> Iterator[GradedClaim]:
    draw = random.Random(f"{seed}{claim.text}")
    weak = claim.modality == "weak" or hedged(parts.core)
    results: dict[str, Result] = {
        "negated": _negated(parts, rewrites["negate"], claim.direction),
        "no evidence": _no_evidence(parts, rewrites[FRAME], draw),
        "hedged": "already hedged" if weak else _hedged(parts, rewrites, draw),
        "intensified": _intensified(parts, rewrites["probably"], draw),
    }
    if weak or claim.modality == "strong":
        results["intensified"] = "already hedged" if weak else "already strong"
    for kind, result in results.items():
        if isinstance(result, str):
            counts[f"{kind}: {result}"] += 1
        elif result[0] == claim.text:
            counts[f"{kind}: nothing changed"] += 1
        else:
            counts[f"kept, {kind}"] += 1
            yield GradedClaim(f"{claim.id}/{kind}", claim.text, result[0], SCORES[kind], kind, result[1])


def _again(parts: ClaimParts, core: str) -> str:
    return parts.opening + parts.subject + parts.report + parts.rest + core


def _negated(parts: ClaimParts, rewrite: Rewrite, direction: str) -> Result:
    before = negations(parts.core)
    if not before and (doubting(parts.core) or (parts.type == "finding" and hedged(parts.core))):
        return "a hedging word would be negated"
    if parts.type in {"finding", "passive"}:
        if before:
            return "the claim has a second negation"
        if parts.type == "finding":
            # This study showed an association between … → showed no association between …
            return _again(parts, f"no {parts.core}"), "no"
        # The drug was found to be safe. → was found not to be safe.
        return f"{parts.opening}{parts.subject}{parts.report} not{parts.rest}{parts.core}", "not"
    if parts.type == "reporting" and not before:
        return "the report would be negated"
    if not rewrite:
        return rewrite.reason
    if before > 1 or negations(str(rewrite)) != 1 - before:
        return "the claim has a second negation"
    if not before and re.search(r"\b(?:also|only)\b", parts.core):
        return "“also” and “only” cannot be negated"
    where = parts.core.lower().find(direction.lower()) if direction else -1
    if not before and (rewrite.rule == "universal-subject" or counted(parts.core)):
        return "the amount in the subject would be negated, or stay"
    if where >= 0 and where + len(direction) < rewrite.edits[0].start:
        return "its direction is in the subject"
    return _again(parts, str(rewrite)), rewrite.cue


def _no_evidence(parts: ClaimParts, framed: Rewrite, draw: random.Random) -> Result:
    lead = draw.choice(NO_EVIDENCE)
    if parts.opening:
        lead = parts.opening + lead[0].lower() + lead[1:]
    if negations(parts.core):
        return "the claim is negative"
    if advises(parts.core):
        return "the claim gives advice or an impression"
    if parts.type in {"passive", "reporting"}:
        return "the report cannot follow “that”"
    if parts.type == "finding":
        return f"{lead} of {parts.article} {parts.core}", "no evidence"
    if parts.report:
        return f"{lead} that {parts.core}", "no evidence"
    if not framed:
        return framed.reason
    # The rewriter knows which capitals stay: “It is possible that latanoprost …”
    return f"{lead} that {str(framed).partition(f'{FRAME} that ')[2]}", "no evidence"


def _hedged(parts: ClaimParts, rewrites: dict[str, Rewrite], draw: random.Random) -> Result:
    if parts.type == "finding":
        return _again(parts, f"a possible {parts.core}"), "possible"
    if parts.type in {"passive", "reporting"}:
        return "the report would be hedged"
    if parts.core.startswith("No "):
        return "a hedge does not apply to “no” in the subject"
    if counted(parts.core):
        return "the amount in the subject would stay"
    for cue in draw.sample(HEDGES, len(HEDGES)):
        if rewrites[cue]:
            return _again(parts, str(rewrites[cue])), cue
    return rewrites[HEDGES[0]].reason


def _intensified(parts: ClaimParts, rewrite: Rewrite, draw: random.Random) -> Result:
    if parts.type == "evidence":
        return "the evidence is already graded"
    if parts.report:
        if parts.subject.rstrip().endswith(("ly", " to")):
            return "the report already has an adverb"
        cue = draw.choice(STRONG_REPORTS if strengthens(parts.report) else STRONG_SUGGESTIONS)
        article = f"{parts.article} " if parts.article else ""
        return f"{parts.opening}{parts.subject}{cue} {parts.report}{parts.rest}{article}{parts.core}", cue
    if counted(parts.core):
        return "the amount in the subject would stay"
    if not rewrite:
        return rewrite.reason
    cue = "clearly" if parts.type == "reporting" else draw.choice(INTENSIFIERS)
    return _again(parts, str(rewrite).replace("probably", cue, 1)), cue
