"""Triples by a language model: four negations and two hedges of an anchor, and paraphrases on request.

Every sentence is checked: our own detection counts its negations, it must keep the content of the anchor, and it passes
the same filters as a rewrite by rule. For an antonym that our lexicon does not know, the model is asked again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from litotes.detection import non_english_reason
from litotes.llm.answers import Request, ask
from litotes.parse import Document, Parser, load_parser
from litotes.rewrite.hedging import AMBIGUOUS_HEDGES, hedge_cues
from litotes.synthesis.by_llm import prompts, self_checks
from litotes.synthesis.by_llm.schemas import LONGEST_SENTENCE
from litotes.synthesis.by_llm.sentence_checks import (
    UNCONFIRMED,
    SentencePolarity,
    Verdict,
    check_hedge,
    check_negation,
    check_paraphrase,
)
from litotes.synthesis.filters import LONGEST, SHORTEST, refusal
from litotes.synthesis.sources import Anchor
from litotes.types import Generator, Triple

HEDGES = ("word", "phrase")


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence of the model: the number of its anchor, its kind and its cue."""

    source: int
    kind: str
    text: str
    cue: str = ""


@dataclass(frozen=True, slots=True)
class TripleRequest:
    """A request about one anchor, and the cues that were drawn for it."""

    source: int
    request: Request
    cues: dict[str, str]


def triples(
    anchors: Sequence[Anchor],
    *,
    generator: Generator,
    seed: int,
    counts: Counter[str],
    concurrency: int = 1,
    paraphrases: bool = False,
    rejects: list[tuple[str, Triple]] | None = None,
    parser: Parser | None = None,
) -> Iterator[Triple]:
    """Yield the triples of the anchors; count what is dropped by reason, and append it to a list of `rejects`."""
    parser = parser or load_parser()
    documents = list(parser.pipe([anchor.text for anchor in anchors]))
    asked: list[TripleRequest] = []
    for source, (anchor, document) in enumerate(zip(anchors, documents, strict=True)):
        reason = _unsuitable(document)
        counts.update([reason] if reason else [])
        asked += [] if reason else _requests(source, anchor, seed, paraphrases)
    drafts = _drafts(asked, generator, counts, concurrency)
    good = _confirmed(_judged(drafts, documents, parser), anchors, generator, counts, concurrency)
    for source in dict.fromkeys(row.source for row in asked):
        yield from _combined(anchors[source], [draft for draft in good if draft.source == source], counts, rejects)


def requests(anchors: Iterable[Anchor], *, seed: int, paraphrases: bool = False) -> Iterator[Request]:
    """Yield the requests about each anchor, without those about antonyms that the lexicon does not know."""
    for source, anchor in enumerate(anchors):
        yield from (row.request for row in _requests(source, anchor, seed, paraphrases))


def _unsuitable(document: Document) -> str:
    """Return why no triple of an anchor could pass the filters, or ""."""
    words = len(document.text.split())
    if not SHORTEST <= words <= LONGEST or len(document.text) > LONGEST_SENTENCE or not document.sentences:
        return f"anchor shorter than {SHORTEST} words" if words < SHORTEST else "anchor too long"
    return "anchor does not look like English" if any(map(non_english_reason, document.sentences)) else ""


def _requests(source: int, anchor: Anchor, seed: int, paraphrases: bool) -> Iterator[TripleRequest]:
    draw = random.Random(f"{seed}{anchor.id}")
    drawn = {size: draw.choice(drawable_cues(size)) for size in HEDGES}
    yield TripleRequest(source, prompts.negations(anchor.text), {})
    yield TripleRequest(source, prompts.hedges(anchor.text, **drawn), drawn)
    if paraphrases:
        yield TripleRequest(source, prompts.paraphrases(anchor.text), {})


@lru_cache(maxsize=2)
def drawable_cues(size: str) -> tuple[str, ...]:
    """Return the lexicon's cues that can hedge a clause, without those that often mean something else."""
    cues = hedge_cues().values()
    return tuple(sorted(h.cue for h in cues if h.size == size and h.attach != "none" and h.cue not in AMBIGUOUS_HEDGES))


def _drafts(
    asked: Sequence[TripleRequest], generator: Generator, counts: Counter[str], concurrency: int
) -> list[Draft]:
    """Return the sentences of all answers; count malformed answers and kinds that the model declined."""
    drafts: list[Draft] = []
    answers = ask(generator, (row.request for row in asked), concurrency=concurrency)
    for row, answer in zip(asked, answers, strict=True):
        if answer.value is None:
            wanted = row.request.schema.__name__.lower()
            counts[f"no {wanted}: {self_checks.failure_type(answer)}"] += 1
            continue
        for kind, text in answer.value:
            if text is None:
                counts[f"{kind}: declined"] += 1
            else:
                drafts.append(Draft(row.source, kind, text, row.cues.get(kind, "")))
    return drafts


Judged = list[tuple[Draft, Verdict]]


def _judged(drafts: Sequence[Draft], documents: Sequence[Document], parser: Parser) -> Judged:
    judged: Judged = []
    for draft, after in zip(drafts, parser.pipe([draft.text for draft in drafts]), strict=True):
        before = documents[draft.source]
        if draft.text.casefold() == " ".join(before.text.split()).casefold():
            verdict = Verdict("the text is only repeated")
        elif draft.kind in HEDGES:
            verdict = check_hedge(before, after, draft.kind, draft.cue)
        else:
            check = check_negation if draft.kind in prompts.NEGATIONS else check_paraphrase
            verdict = check(SentencePolarity(before), SentencePolarity(after), draft.kind)
        judged.append((replace(draft, cue=verdict.cue), verdict))
    return judged


def _confirmed(
    judged: Judged, anchors: Sequence[Anchor], generator: Generator, counts: Counter[str], concurrency: int
) -> list[Draft]:
    """Return the good drafts. For antonyms that the lexicon does not know, the model has to confirm them."""
    unknown = [draft for draft, verdict in judged if verdict.reason == UNCONFIRMED]
    pairs = [(anchors[draft.source].text, draft.text) for draft in unknown]
    reasons = self_checks.incompatible(pairs, generator=generator, concurrency=concurrency)
    confirmed = dict(zip(unknown, reasons, strict=True))
    good = []
    for draft, verdict in judged:
        reason = confirmed.get(draft, verdict.reason)
        if reason:
            counts[f"{draft.kind}: {reason}"] += 1
        else:
            good.append(draft)
    return good


def _combined(
    anchor: Anchor, drafts: Sequence[Draft], counts: Counter[str], rejects: list[tuple[str, Triple]] | None
) -> Iterator[Triple]:
    """Every negation with every hedge and paraphrase, each text once."""
    different = {draft.text: draft for draft in drafts}
    if len(different) < len(drafts):
        counts["two kinds gave the same text"] += len(drafts) - len(different)
    negatives = [draft for draft in different.values() if draft.kind in prompts.NEGATIONS]
    positives = [draft for draft in different.values() if draft.kind not in prompts.NEGATIONS]
    if not negatives or not positives:
        counts["anchor without a negative" if not negatives else "anchor without a positive"] += 1
    for negative in negatives:
        for positive in positives:
            name = f"{anchor.id}/llm/{negative.kind}/{positive.kind}"
            kinds, cues = (positive.kind, negative.kind), (positive.cue, negative.cue)
            triple = Triple(name, anchor.text, positive.text, negative.text, *kinds, cues)
            reason = refusal(triple)
            counts[f"{negative.kind}: {reason}" if reason else "kept"] += 1
            if not reason:
                yield triple
            elif rejects is not None:
                rejects.append((reason, triple))
