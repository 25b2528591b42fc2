"""Triples by rule: negations of an anchor, positives that change its surface or its certainty, and mirrors.

A mirror starts from the negated text, says that again, and has the first text as its negative. An aside
("believe it or not, …") brings a cue that denies nothing. So neither the presence nor the number of cues gives the
label away. Which rewrites are taken is drawn before they are parsed again, so that nothing is parsed in vain.
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
from litotes.parse import Document, Parser
from litotes.parse import parser as load_parser
from litotes.rewrite import Options, Task, View, apply, clauses_of, structure_failure, task, view
from litotes.synth.filters import refusal
from litotes.synth.sources import Anchor
from litotes.types import Rewrite, Triple

# From the commonest to the rarest. Where two kinds say the same (no seat is free), the rarer one has it. An anchor has
# up to three negatives of the rarer kinds it serves; the two common kinds fill up to two, by lot.
KINDS = ("verbal", "absolute", "lexical", "exceptor", "contradiction", "contrary", "affixal")
PARAPHRASES = ("equivalent", "voice", "cleft", "fronting", "synonym")
HEDGES = ("word", "phrase")
ENOUGH, MOST = 2, 3
"""so many negatives an anchor has where it can, and so many at most"""
POSITIVES = 2
ASIDES = 0.8
"""the share of anchors, among those that can have one, with an aside as one of the positives"""
BATCH = 256


@dataclass(frozen=True, slots=True)
class Kept:
    """A rewrite that was parsed again and looked as it should, with that parse."""

    rewrite: Rewrite
    document: Document


def triples(
    anchors: Sequence[Anchor],
    *,
    seed: int,
    counts: Counter[str],
    rejects: list[tuple[str, Triple]] | None = None,
    extra: Sequence[Sequence[Rewrite]] = (),
    reader: Parser | None = None,
) -> Iterator[Triple]:
    """Every kept triple of some anchors; what is dropped is counted by its reason, and kept where a list is given.

    `extra` are further positives for each anchor, as a paraphraser makes them.
    """
    reader = reader or load_parser()
    makers = _Makers(seed)
    documents = reader.pipe((anchor.text for anchor in anchors), batch=BATCH)
    at = 0
    while batch := list(islice(documents, BATCH)):
        more = [[one for one in extra[at + i] if one] if extra else [] for i in range(len(batch))]
        chosen = [makers.chosen(document, found, counts) for document, found in zip(batch, more, strict=True)]
        kept = _parsed_again(batch, chosen, counts, reader)
        for anchor, row in zip(anchors[at : at + len(batch)], kept, strict=True):
            negatives = [one.rewrite for one in row if one.rewrite.kind in KINDS]
            positives = [one.rewrite for one in row if one.rewrite.kind not in KINDS]
            if not negatives or not positives:
                counts["anchor without a negative" if not negatives else "anchor without a positive"] += 1
            yield from _combined(anchor.id, anchor.text, positives, negatives, counts, rejects)
        yield from _mirrors(anchors[at : at + len(batch)], kept, makers, counts, rejects, reader)
        at += len(batch)


COMMON = KINDS[:2]


class _Makers:
    """The tasks of a run, and which of their answers an anchor takes."""

    def __init__(self, seed: int) -> None:
        options = Options(seed=seed, vary=True)
        self.seed = seed
        self.negate = [task("negate", kind, options) for kind in KINDS]
        self.restate = [task("paraphrase", kind, options) for kind in PARAPHRASES]
        self.soften = [task("hedge", kind, options) for kind in HEDGES]
        self.options = options

    def chosen(self, document: Document, more: list[Rewrite], counts: Counter[str]) -> list[Rewrite]:
        """The negatives and the positives of one anchor."""
        draw = random.Random(f"{self.seed}{document.text}")
        seen = view(document)
        negatives = self._negatives(seen, draw, counts)
        if not negatives:
            return []
        tasks = [self.restate[0], *self._aside(negatives[0].cue, draw)]
        return negatives + self._positives(seen, tasks, [*self.restate[1:], *self.soften], more, draw, counts)

    def repeated(self, document: Document, counts: Counter[str]) -> list[Rewrite]:
        """The positives of a mirror: another cue where there is one, and hedges; its negative may have an aside."""
        draw = random.Random(f"{self.seed}{document.text}")
        return self._positives(view(document), self.restate[:1], self.soften, [], draw, counts)

    def _negatives(self, seen: View, draw: random.Random, counts: Counter[str]) -> list[Rewrite]:
        """Each text once; the rarest kinds first, and the common ones only where those are too few."""
        rare = self._denials(seen, self.negate[len(COMMON) :], [], counts)[::-1][:MOST]
        if len(rare) >= ENOUGH:
            return rare
        common = self._denials(seen, self.negate[: len(COMMON)], rare, counts)
        draw.shuffle(common)
        return rare + common[: ENOUGH - len(rare)]

    def _denials(self, seen: View, tasks: list[Task], had: list[Rewrite], counts: Counter[str]) -> list[Rewrite]:
        """What the tasks make that cannot be true with the text, without what was had; of two alike the rarer."""
        made = [one for one in _made((apply(seen, task) for task in tasks), counts) if _excludes(seen, one)]
        found = {str(rewrite): rewrite for rewrite in made}
        fresh = [rewrite for text, rewrite in found.items() if text not in {str(one) for one in had}]
        counts["the same text by two kinds"] += len(made) - len(fresh)
        return fresh

    def _aside(self, cue: str, draw: random.Random) -> list[Task]:
        """Often an aside, with the cue of the rarest negative if there is one: the same cue on either side."""
        if draw.random() >= ASIDES:
            return []
        plain = "not" if cue in {"n't", "n’t"} else cue.lower()
        return [task("frame", "aside", replace(self.options, cue=plain))]

    def _positives(
        self,
        seen: View,
        first: Sequence[Task],
        then: Sequence[Task],
        more: list[Rewrite],
        draw: random.Random,
        counts: Counter[str],
    ) -> list[Rewrite]:
        """Two of different kinds: a change of cue and an aside before the others, which come by lot."""
        found: list[Rewrite] = []
        ways: list[Task | Rewrite] = [*then, *more]
        for way in (*first, *draw.sample(ways, len(ways))):
            if len(found) == POSITIVES:
                break
            found += _made([way if isinstance(way, Rewrite) else apply(seen, way)], counts)
        return found


def _excludes(seen: View, rewrite: Rewrite) -> bool:
    """Whether the two cannot both be true: what can be stressful can also be stress-free, and half of each is both."""
    sentence, clause, _ = seen.sentences[0]
    opening = tuple(token.lower for token in sentence.tokens[:2])
    if opening[:1] == ("whenever",) or opening in {("each", "time"), ("every", "time"), ("the", "moment")}:
        # each time I see it, I think of her: the parser takes the first clause for the main one
        return False
    if isinstance(clause, Clause) and clause.finite.lower in {"may", "might"}:
        # what may be may also not be
        return False
    if rewrite.kind == "verbal" and isinstance(clause, Clause) and clause.subject is not None:
        # one leader was not the general: another one may have been
        first = sentence.left(clause.subject)
        return first.tag != "CD" and first.lower not in PARTIAL
    if rewrite.kind not in {"affixal", "lexical"}:
        return True
    if rewrite.edits[0].start == sentence.start and [t.lower for t in sentence.tokens[1:2]] == [","]:
        # fortunately, …: the claim stays what it was
        return False
    if rewrite.rule == "antonym" and lemma(rewrite.cue.lower(), "V") in ONE_AFTER_THE_OTHER:
        return False
    possible = isinstance(clause, Clause) and clause.finite.lower in {"can", "could", "'d"}
    return not possible and not any(token.lower in PARTIAL for token in sentence.tokens)


ONE_AFTER_THE_OTHER = word_set("one_after_the_other")
PARTIAL = frozenset({"half", "some", "sometimes", "often", "occasionally", "partly", "several"})


def _made(row: Iterable[Rewrite], counts: Counter[str]) -> list[Rewrite]:
    row = list(row)
    for rewrite in row:
        if not rewrite:
            counts[f"{rewrite.kind}: declined"] += 1
    return [rewrite for rewrite in row if rewrite]


def _parsed_again(
    documents: Sequence[Document], rows: Sequence[Sequence[Rewrite]], counts: Counter[str], reader: Parser
) -> list[list[Kept]]:
    """The rewrites whose own parse is what it should be."""
    parsed = reader.pipe((str(rewrite) for row in rows for rewrite in row), batch=BATCH)
    kept: list[list[Kept]] = []
    for document, row in zip(documents, rows, strict=True):
        found = []
        views = clauses_of(document) if row else []
        for rewrite in row:
            again = next(parsed)
            if structure_failure(views, rewrite, again):
                counts[f"{rewrite.kind}: does not parse as it should"] += 1
            else:
                found.append(Kept(rewrite, again))
        kept.append(found)
    return kept


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
            made = Triple(f"{name}/{kinds[1]}/{kinds[0]}", text, str(positive), str(negative), *kinds, cues)
            reason = refusal(made)
            counts[f"{negative.kind}: {reason}" if reason else "kept"] += 1
            if not reason:
                yield made
            elif rejects is not None:
                rejects.append((reason, made))


def _mirrors(
    anchors: Sequence[Anchor],
    rows: Sequence[Sequence[Kept]],
    makers: _Makers,
    counts: Counter[str],
    rejects: list[tuple[str, Triple]] | None,
    reader: Parser,
) -> Iterator[Triple]:
    """The negated text as anchor, the same with another cue, a hedge or an aside as positive, the first as negative."""
    turned: list[tuple[Anchor, Kept, Rewrite | None]] = []
    for anchor, row in zip(anchors, rows, strict=True):
        # the first is the rarest kind
        one = next((one for one in row if one.rewrite.kind in KINDS), None)
        aside = next((one.rewrite for one in row if one.rewrite.kind == "aside"), None)
        if one is not None:
            turned.append((anchor, one, aside))
    documents = [one.document for _, one, _ in turned]
    again = _parsed_again(documents, [makers.repeated(document, counts) for document in documents], counts, reader)
    for (anchor, one, aside), row in zip(turned, again, strict=True):
        # the first text with its aside where it has one: a cue on either side
        back, cue = (str(aside), aside.cue) if aside is not None else (anchor.text, "")
        original = Rewrite(str(one.rewrite), one.rewrite.kind, back, cue)
        positives = [found.rewrite for found in row]
        yield from _combined(f"{anchor.id}/mirror", str(one.rewrite), positives, [original], counts, rejects)
