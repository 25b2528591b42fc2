"""Triples by rule: negations of an anchor, positives that change its wording or its certainty, and mirrors.

A mirror has the negated text as its anchor, a paraphrase of that as its positive, and the original text as its
negative. An aside ("believe it or not, …") adds a cue that denies nothing. So neither the presence nor the number of
cues reveals the label. Rewrites are drawn before they are verified by a parse, so that no parse is wasted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from litotes.detection import Clause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Parser, load_parser
from litotes.rewrite import Options, RewriteInput, Task, apply_task, clauses_of, prepare, structure_failure, task
from litotes.synthesis.filters import refusal
from litotes.synthesis.fluency import RewriteCheck, checked_rows
from litotes.synthesis.sources import Anchor
from litotes.types import Rewrite, Triple

# From the most common to the rarest. If two kinds give the same text (no seat is free), it counts as the rarer one. An
# anchor has up to three negatives of the rarer kinds; the two common kinds, in random order, fill up to two.
KINDS = ("verbal", "absolute", "lexical", "exceptor", "contradiction", "contrary", "affixal")
PARAPHRASES = ("equivalent", "voice", "cleft", "fronting", "synonym")
HEDGES = ("word", "phrase")
ENOUGH_NEGATIVES, MOST_NEGATIVES = 2, 3
"""Common kinds are used below the first number; the second is the maximum."""
POSITIVES = 2
SHARE_ASIDES = 0.8
"""The share of anchors that get an aside as one of the positives, if one is possible."""
BATCH = 256


@dataclass(frozen=True, slots=True)
class VerifiedRewrite:
    """A rewrite whose own parse is as expected, with that parse."""

    rewrite: Rewrite
    document: Document


def triples(
    anchors: Sequence[Anchor],
    *,
    seed: int,
    counts: Counter[str],
    rejects: list[tuple[str, Triple]] | None = None,
    extra: Sequence[Sequence[Rewrite]] = (),
    check: RewriteCheck | None = None,
    parser: Parser | None = None,
) -> Iterator[Triple]:
    """Yield the triples of the anchors; count what is dropped by reason, and append it to `rejects` if that is a list.

    `extra` has further positives for each anchor, for example those of a paraphraser. `check` can refuse rewrites.
    """
    parser = parser or load_parser()
    rewriter = _Rewriter(seed)
    documents = parser.pipe((anchor.text for anchor in anchors), batch=BATCH)
    at = 0
    while batch := list(islice(documents, BATCH)):
        further = [[rewrite for rewrite in extra[at + i] if rewrite] if extra else [] for i in range(len(batch))]
        drawn = [rewriter.rewrites(document, more, counts) for document, more in zip(batch, further, strict=True)]
        rows = _verified(batch, checked_rows(drawn, check, counts), counts, parser)
        for anchor, row in zip(anchors[at : at + len(batch)], rows, strict=True):
            negatives = [one.rewrite for one in row if one.rewrite.kind in KINDS]
            positives = [one.rewrite for one in row if one.rewrite.kind not in KINDS]
            if not negatives or not positives:
                counts["anchor without a negative" if not negatives else "anchor without a positive"] += 1
            yield from _combined(anchor.id, anchor.text, positives, negatives, counts, rejects)
        yield from _mirrors(anchors[at : at + len(batch)], rows, rewriter, counts, rejects, check, parser)
        at += len(batch)


COMMON = KINDS[:2]


class _Rewriter:
    """The rewriting tasks of a run, and which of their results an anchor gets."""

    def __init__(self, seed: int) -> None:
        options = Options(seed=seed, vary=True)
        self.seed = seed
        self.negate = [task("negate", kind, options) for kind in KINDS]
        self.restate = [task("paraphrase", kind, options) for kind in PARAPHRASES]
        self.hedge = [task("hedge", kind, options) for kind in HEDGES]
        self.options = options

    def rewrites(self, document: Document, extra: list[Rewrite], counts: Counter[str]) -> list[Rewrite]:
        """Return the negatives and the positives of one anchor."""
        draw = random.Random(f"{self.seed}{document.text}")
        anchor = prepare(document)
        negatives = self._negatives(anchor, draw, counts)
        if not negatives:
            return []
        preferred = [self.restate[0], *self._aside(negatives[0].cue, draw)]
        others = [*self.restate[1:], *self.hedge]
        return negatives + self._positives(anchor, preferred, others, extra, draw, counts)

    def mirror_positives(self, document: Document, counts: Counter[str]) -> list[Rewrite]:
        """Return the positives of a mirror: another cue if possible, and hedges. Its negative may have an aside."""
        draw = random.Random(f"{self.seed}{document.text}")
        return self._positives(prepare(document), self.restate[:1], self.hedge, [], draw, counts)

    def _negatives(self, anchor: RewriteInput, draw: random.Random, counts: Counter[str]) -> list[Rewrite]:
        """Return each text once, the rarest kinds first, and common kinds only if those are too few."""
        rare = self._contradictions(anchor, self.negate[len(COMMON) :], [], counts)[::-1][:MOST_NEGATIVES]
        if len(rare) >= ENOUGH_NEGATIVES:
            return rare
        common = self._contradictions(anchor, self.negate[: len(COMMON)], rare, counts)
        draw.shuffle(common)
        return rare + common[: ENOUGH_NEGATIVES - len(rare)]

    def _contradictions(
        self, anchor: RewriteInput, tasks: list[Task], others: list[Rewrite], counts: Counter[str]
    ) -> list[Rewrite]:
        """Return the new rewrites that contradict the anchor; of two equal texts, the rarer kind."""
        rewrites = _successful((apply_task(anchor, task) for task in tasks), counts)
        contradicting = [rewrite for rewrite in rewrites if _contradicts(anchor, rewrite)]
        unique = {str(rewrite): rewrite for rewrite in contradicting}
        known = {str(rewrite) for rewrite in others}
        new = [rewrite for text, rewrite in unique.items() if text not in known]
        counts["two kinds gave the same text"] += len(contradicting) - len(new)
        return new

    def _aside(self, cue: str, draw: random.Random) -> list[Task]:
        """Return an aside for most anchors, with the cue of the rarest negative, so that both sides have that cue."""
        if draw.random() >= SHARE_ASIDES:
            return []
        plain = "not" if cue in {"n't", "n’t"} else cue.lower()
        return [task("frame", "aside", replace(self.options, cue=plain))]

    def _positives(
        self,
        anchor: RewriteInput,
        preferred: Sequence[Task],
        others: Sequence[Task],
        extra: list[Rewrite],
        draw: random.Random,
        counts: Counter[str],
    ) -> list[Rewrite]:
        """Return two of different kinds: the preferred tasks first, then the others in random order."""
        positives: list[Rewrite] = []
        rest: list[Task | Rewrite] = [*others, *extra]
        for source in (*preferred, *draw.sample(rest, len(rest))):
            if len(positives) == POSITIVES:
                break
            rewrite = source if isinstance(source, Rewrite) else apply_task(anchor, source)
            positives += _successful([rewrite], counts)
        return positives


def _contradicts(anchor: RewriteInput, rewrite: Rewrite) -> bool:
    """Whether the two cannot both be true. (What can be stressful can also be stress-free.)"""
    sentence, clause, _ = anchor.sentences[0]
    opening = tuple(token.lower for token in sentence.tokens[:2])
    if opening[:1] == ("whenever",) or opening in {("each", "time"), ("every", "time"), ("the", "moment")}:
        # "Each time I see it, I think of her": the parser takes the first clause for the main one.
        return False
    if isinstance(clause, Clause) and clause.finite.lower in {"may", "might"}:
        # What may be true may also be false.
        return False
    if rewrite.kind == "verbal" and isinstance(clause, Clause) and clause.subject is not None:
        # "One leader was not the general": another one may have been.
        first = sentence.left(clause.subject)
        return first.tag != "CD" and first.lower not in PARTIAL
    if rewrite.kind not in {"affixal", "lexical"}:
        return True
    if rewrite.edits[0].start == sentence.start and [t.lower for t in sentence.tokens[1:2]] == [","]:
        # "Fortunately, …": the claim stays the same.
        return False
    if rewrite.rule == "antonym" and lemma(rewrite.cue.lower(), "V") in SUCCESSIVE:
        return False
    possible = isinstance(clause, Clause) and clause.finite.lower in {"can", "could", "'d"}
    return not possible and not any(token.lower in PARTIAL for token in sentence.tokens)


SUCCESSIVE = word_set("one_after_the_other")
PARTIAL = frozenset({"half", "some", "sometimes", "often", "occasionally", "partly", "several"})


def _successful(rewrites: Iterable[Rewrite], counts: Counter[str]) -> list[Rewrite]:
    """Return the rewrites that a rule made, and count those that it declined."""
    rewrites = list(rewrites)
    for rewrite in rewrites:
        if not rewrite:
            counts[f"{rewrite.kind}: declined"] += 1
    return [rewrite for rewrite in rewrites if rewrite]


def _verified(
    documents: Sequence[Document], rows: Sequence[Sequence[Rewrite]], counts: Counter[str], parser: Parser
) -> list[list[VerifiedRewrite]]:
    """Return the rewrites whose own parse is as expected."""
    parsed = parser.pipe((str(rewrite) for row in rows for rewrite in row), batch=BATCH)
    verified: list[list[VerifiedRewrite]] = []
    for document, row in zip(documents, rows, strict=True):
        good = []
        clauses = clauses_of(document) if row else []
        for rewrite in row:
            again = next(parsed)
            if structure_failure(clauses, rewrite, again):
                counts[f"{rewrite.kind}: does not parse as expected"] += 1
            else:
                good.append(VerifiedRewrite(rewrite, again))
        verified.append(good)
    return verified


def _combined(
    name: str,
    text: str,
    positives: Sequence[Rewrite],
    negatives: Sequence[Rewrite],
    counts: Counter[str],
    rejects: list[tuple[str, Triple]] | None,
) -> Iterator[Triple]:
    for negative in negatives:
        for positive in positives:
            kinds = (positive.kind, negative.kind)
            cues = (positive.cue, negative.cue)
            triple = Triple(f"{name}/{kinds[1]}/{kinds[0]}", text, str(positive), str(negative), *kinds, cues)
            reason = refusal(triple)
            counts[f"{negative.kind}: {reason}" if reason else "kept"] += 1
            if not reason:
                yield triple
            elif rejects is not None:
                rejects.append((reason, triple))


def _mirrors(
    anchors: Sequence[Anchor],
    rows: Sequence[Sequence[VerifiedRewrite]],
    rewriter: _Rewriter,
    counts: Counter[str],
    rejects: list[tuple[str, Triple]] | None,
    check: RewriteCheck | None,
    parser: Parser,
) -> Iterator[Triple]:
    """Yield triples with the negated text as anchor, a restatement or hedge as positive, the original as negative."""
    sources: list[tuple[Anchor, VerifiedRewrite, Rewrite | None]] = []
    for anchor, row in zip(anchors, rows, strict=True):
        # The first negative is of the rarest kind.
        negative = next((one for one in row if one.rewrite.kind in KINDS), None)
        aside = next((one.rewrite for one in row if one.rewrite.kind == "aside"), None)
        if negative is not None:
            sources.append((anchor, negative, aside))
    documents = [negative.document for _, negative, _ in sources]
    drawn = checked_rows([rewriter.mirror_positives(document, counts) for document in documents], check, counts)
    for (anchor, negative, aside), row in zip(sources, _verified(documents, drawn, counts, parser), strict=True):
        # The original has its aside if there is one, so that both sides have a cue.
        text, cue = (str(aside), aside.cue) if aside is not None else (anchor.text, "")
        original = Rewrite(str(negative.rewrite), negative.rewrite.kind, text, cue)
        positives = [one.rewrite for one in row]
        yield from _combined(f"{anchor.id}/mirror", str(negative.rewrite), positives, [original], counts, rejects)
