"""Triples by rule: negations of an anchor, positives that change its surface or its certainty, and mirrors.

A mirror starts from a negated text, says it again with another cue, and has the affirmative as its negative: so neither
the presence nor the number of cues gives the label away.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from litotes.parse import Parser
from litotes.rewrite import Options, Task, pipe, task
from litotes.synth.filters import refusal
from litotes.synth.sources import Anchor
from litotes.types import Rewrite, Triple

NEGATIVES = ("verbal", "absolute", "affixal", "lexical", "exceptor", "contradiction", "contrary")
PARAPHRASES = ("equivalent", "voice", "cleft", "fronting", "synonym")
POSITIVES = 2


def triples(
    anchors: Sequence[Anchor], *, seed: int, counts: Counter[str], reader: Parser | None = None
) -> Iterator[Triple]:
    """Every kept triple of some anchors; what is dropped is counted by its reason."""
    negate = [task("negate", kind) for kind in NEGATIVES]
    soften = [task("hedge", kind, Options(seed=seed)) for kind in ("word", "phrase")]
    restate = [task("paraphrase", kind) for kind in PARAPHRASES]
    texts = [anchor.text for anchor in anchors]
    rows = list(pipe(texts, [*negate, *soften, *restate], verify=True, reader=reader))
    for anchor, row in zip(anchors, rows, strict=True):
        negatives = _different(_made(row[: len(negate)], counts), counts)
        positives = _drawn(anchor, _made(row[len(negate) :], counts), seed)
        if not negatives or not positives:
            counts["anchor without a negative" if not negatives else "anchor without a positive"] += 1
        yield from _combined(anchor.id, anchor.text, positives, negatives, counts)
    yield from _mirrors(anchors, rows, restate[:1] + soften, seed, counts, reader)


def _made(row: Sequence[Rewrite], counts: Counter[str]) -> list[Rewrite]:
    for rewrite in row:
        if not rewrite:
            counts[f"declined, {rewrite.kind}"] += 1
    return [rewrite for rewrite in row if rewrite]


def _different(made: Sequence[Rewrite], counts: Counter[str]) -> list[Rewrite]:
    """Each text once; where two kinds say the same (no seat is free), the rarer one, which is listed later, has it."""
    found = {str(rewrite): rewrite for rewrite in made}
    counts["the same text by two kinds"] += len(made) - len(found)
    return list(found.values())


def _drawn(anchor: Anchor, made: Sequence[Rewrite], seed: int) -> list[Rewrite]:
    """Two positives of different kinds: a change of cue always, the others by lot."""
    draw = random.Random(f"{seed}{anchor.id}")
    mixed = sorted(made, key=lambda rewrite: (rewrite.kind != "equivalent", draw.random()))
    return mixed[:POSITIVES]


def _combined(
    name: str, text: str, positives: Sequence[Rewrite], negatives: Sequence[Rewrite], counts: Counter[str]
) -> Iterator[Triple]:
    for negative in negatives:
        for positive in positives:
            kinds = (positive.kind, negative.kind)
            cues = (positive.cue, negative.cue)
            made = Triple(f"{name}/{kinds[1]}/{kinds[0]}", text, str(positive), str(negative), *kinds, cues)
            reason = refusal(made)
            counts[reason or "kept"] += 1
            if not reason:
                yield made


def _mirrors(
    anchors: Sequence[Anchor],
    rows: Sequence[Sequence[Rewrite]],
    tasks: Sequence[Task],
    seed: int,
    counts: Counter[str],
    reader: Parser | None,
) -> Iterator[Triple]:
    """The negated text as anchor, the same with another cue or a hedge as positive, the affirmative as negative."""
    negated = [(anchor, row[0]) for anchor, row in zip(anchors, rows, strict=True) if row[0]]
    again = pipe([str(rewrite) for _, rewrite in negated], tasks, verify=True, reader=reader)
    for (anchor, rewrite), row in zip(negated, again, strict=True):
        found = [one for one in row if one]
        # only a change of cue makes a mirror worth its place; a hedge is taken where the draw falls on it
        positives = found[:1] if found and found[0].kind == "equivalent" else _drawn(anchor, found, seed)[:1]
        original = Rewrite(str(rewrite), "affirm", anchor.text, "")
        yield from _combined(f"{anchor.id}/mirror", str(rewrite), positives, [original], counts)
