"""M3-Counterfactual: claims of medical reviews, and the same denied, without evidence, weakened and strengthened.

The paper's copy was made by hand and is not released; this one is made by rule. Scores are the paper's: -1 for the
denied claim, 0 for "there is no evidence that …", 1 for the hedged and the intensified claim.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from litotes.data.builders.claims import View, advises, counted, doubting, hedged, negations, strengthens, view
from litotes.data.builders.files import Files, Source, objects, plain
from litotes.errors import InputError
from litotes.rewrite import Options, pipe, task
from litotes.types import Rewrite

HOME = "https://github.com/julia-nixie/m3"
SOURCES = (
    Source("conclusions", "level3.jsonl of M3: the reviews' conclusions (target_text)", HOME, main=True),
    Source("studies", "level3.jsonl of M3: what the included studies found (input_studies)", HOME),
)
SCORES = {"negated": -1, "no evidence": 0, "hedged": 1, "intensified": 1}
NO_EVIDENCE = ("There is no evidence", "There is currently no evidence", "We found no evidence")
HEDGES = ("may", "might", "probably", "possibly", "potentially", "appear", "seem")
# of a claim, and of a report
INTENSIFIERS = ("certainly", "clearly", "definitely", "undoubtedly")
STRONG_REPORTS = ("clearly", "convincingly", "conclusively")
STRONG_SUGGESTIONS = ("clearly", "strongly")
FRAME = "possible"
BATCH = 128


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of M3, with the modality and the words of direction its annotators marked."""

    id: str
    text: str
    modality: str
    direction: str


@dataclass(frozen=True, slots=True)
class Graded:
    """A claim, a counterfactual of it, and how much of the claim is left."""

    id: str
    sentence1: str
    sentence2: str
    score: int
    kind: str
    """negated, no evidence, hedged or intensified"""
    cue: str

    def line(self) -> dict[str, Any]:
        """The row of the built file."""
        return {
            "id": self.id,
            "sentence1": self.sentence1,
            "sentence2": self.sentence2,
            "score": self.score,
            "kind": self.kind,
            "cue": self.cue,
        }


def build(files: Files, *, seed: int = 0, counts: Counter[str]) -> Iterator[Graded]:
    """The counterfactuals of every claim, each text once; what cannot be made is counted by its reason."""
    claims = _usable(_claims(files), counts)
    options = [Options(contractions=False)] + [Options(cue=cue) for cue in (FRAME, *HEDGES)]
    tasks = [task("negate", "verbal", options[0])] + [task("hedge", "word", one) for one in options[1:]]
    while batch := list(islice(claims, BATCH)):
        rewritten = pipe([_sentence(parts) for _, parts in batch], tasks, verify=True)
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
            if not isinstance(studies, list) or not all(isinstance(one, dict) for one in studies):
                raise InputError(f"{where}: expected input_studies, a list of objects with source_text")
            for number, one in enumerate(studies):
                yield _claim(f"{row['docid']}/{number}", one, "source")


def _claim(name: str, row: dict[str, Any], whose: str) -> Claim:
    fields = (f"{whose}_text", f"{whose}_modality", f"{whose}_direction_span")
    text, modality, direction = (plain(str(row.get(field) or "")) for field in fields)
    return Claim(name, text, modality, direction)


def _usable(claims: Iterator[Claim], counts: Counter[str]) -> Iterator[tuple[Claim, View]]:
    seen: set[str] = set()
    for claim in claims:
        if claim.text in seen:
            counts["claim: the same text again"] += 1
            continue
        seen.add(claim.text)
        parts = view(claim.text, claim.direction)
        if not claim.text:
            counts["claim: empty"] += 1
        elif claim.modality == "no evidence":
            counts["claim: says itself that there is no evidence"] += 1
        elif isinstance(parts, str):
            counts[f"claim: {parts}"] += 1
        else:
            counts["claims used"] += 1
            yield claim, parts


def _sentence(parts: View) -> str:
    """What the rewriter reads: a clause; of a finding or a passive report it would turn the report, so nothing."""
    return parts.core if parts.sort in {"plain", "reported", "evidence", "reporting"} else ""


Made = tuple[str, str] | str
"""the new text and its cue, or the reason why there is none"""


def _counterfactuals(
    claim: Claim, parts: View, made: dict[str, Rewrite], seed: int, counts: Counter[str]
) -> Iterator[Graded]:
    draw = random.Random(f"{seed}{claim.text}")
    weak = claim.modality == "weak" or hedged(parts.core)
    results: dict[str, Made] = {
        "negated": _negated(parts, made["negate"], claim.direction),
        "no evidence": _no_evidence(parts, made[FRAME], draw),
        "hedged": "already hedged" if weak else _hedged(parts, made, draw),
        "intensified": _intensified(parts, made["probably"], draw),
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
            yield Graded(f"{claim.id}/{kind}", claim.text, result[0], SCORES[kind], kind, result[1])


def _again(parts: View, core: str) -> str:
    return parts.opening + parts.subject + parts.report + parts.rest + core


def _negated(parts: View, made: Rewrite, direction: str) -> Made:
    before = negations(parts.core)
    if not before and (doubting(parts.core) or (parts.sort == "finding" and hedged(parts.core))):
        return "a word of doubt would stand under the negation"
    if parts.sort in {"finding", "passive"}:
        if before:
            return "a second negation stands in the claim"
        if parts.sort == "finding":
            # This study showed an association between … → showed no association between …
            return _again(parts, f"no {parts.core}"), "no"
        # The drug was found to be safe. → was found not to be safe.
        return f"{parts.opening}{parts.subject}{parts.report} not{parts.rest}{parts.core}", "not"
    if parts.sort == "reporting" and not before:
        return "the negation would fall on the report"
    if not made:
        return made.reason
    if before > 1 or negations(str(made)) != 1 - before:
        return "a second negation stands in the claim"
    if not before and re.search(r"\b(?:also|only)\b", parts.core):
        return "“also” and “only” do not stand under a negation"
    where = parts.core.lower().find(direction.lower()) if direction else -1
    if not before and (made.rule == "universal-subject" or counted(parts.core)):
        return "the amount in the subject would be denied, or stay"
    if where >= 0 and where + len(direction) < made.edits[0].start:
        return "its direction stands in the subject"
    return _again(parts, str(made)), made.cue


def _no_evidence(parts: View, framed: Rewrite, draw: random.Random) -> Made:
    lead = draw.choice(NO_EVIDENCE)
    if parts.opening:
        lead = parts.opening + lead[0].lower() + lead[1:]
    if negations(parts.core):
        return "the claim is negative"
    if advises(parts.core):
        return "the claim advises or only seems"
    if parts.sort in {"passive", "reporting"}:
        return "the report cannot stand after “that”"
    if parts.sort == "finding":
        return f"{lead} of {parts.article} {parts.core}", "no evidence"
    if parts.report:
        return f"{lead} that {parts.core}", "no evidence"
    if not framed:
        return framed.reason
    # the rewriter knows which capitals stay: “It is possible that latanoprost …”
    return f"{lead} that {str(framed).partition(f'{FRAME} that ')[2]}", "no evidence"


def _hedged(parts: View, made: dict[str, Rewrite], draw: random.Random) -> Made:
    if parts.sort == "finding":
        return _again(parts, f"a possible {parts.core}"), "possible"
    if parts.sort in {"passive", "reporting"}:
        return "the hedge would fall on the report"
    if parts.core.startswith("No "):
        return "a hedge does not reach “no” in the subject"
    if counted(parts.core):
        return "the amount in the subject would stay"
    for cue in draw.sample(HEDGES, len(HEDGES)):
        if made[cue]:
            return _again(parts, str(made[cue])), cue
    return made[HEDGES[0]].reason


def _intensified(parts: View, made: Rewrite, draw: random.Random) -> Made:
    if parts.sort == "evidence":
        return "the evidence is graded already"
    if parts.report:
        if parts.subject.rstrip().endswith(("ly", " to")):
            return "the report has its adverb already"
        cue = draw.choice(STRONG_REPORTS if strengthens(parts.report) else STRONG_SUGGESTIONS)
        article = f"{parts.article} " if parts.article else ""
        return f"{parts.opening}{parts.subject}{cue} {parts.report}{parts.rest}{article}{parts.core}", cue
    if counted(parts.core):
        return "the amount in the subject would stay"
    if not made:
        return made.reason
    cue = "clearly" if parts.sort == "reporting" else draw.choice(INTENSIFIERS)
    return _again(parts, str(made).replace("probably", cue, 1)), cue
