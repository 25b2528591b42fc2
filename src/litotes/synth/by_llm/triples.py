"""Triples by a language model: four negations and two hedges of an anchor, and paraphrases where they are asked for.

Nothing is believed: every sentence is counted by our own detection, must keep what the anchor speaks of, and passes the
same filters as a rule's. An antonym that our lexicon does not know is put to the model once more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from litotes.detection import foreign
from litotes.llm.answers import Request, ask
from litotes.parse import Document, Parser
from litotes.parse import parser as load_parser
from litotes.rewrite.hedging import TWO_FACED
from litotes.rewrite.hedging import hedges as hedge_cues
from litotes.synth.by_llm import check, prompts, verdicts
from litotes.synth.by_llm.schemas import LONGEST_SENTENCE
from litotes.synth.filters import LONGEST, SHORTEST, refusal
from litotes.synth.sources import Anchor
from litotes.types import Generator, Triple

HEDGES = ("word", "phrase")


@dataclass(frozen=True, slots=True)
class Draft:
    """One sentence of the model: which anchor it was made from, as what, and with which cue."""

    source: int
    kind: str
    text: str
    cue: str = ""


@dataclass(frozen=True, slots=True)
class Question:
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
    reader: Parser | None = None,
) -> Iterator[Triple]:
    """Every kept triple of some anchors; what is dropped is counted by its reason, and kept where a list is given."""
    reader = reader or load_parser()
    documents = list(reader.pipe([anchor.text for anchor in anchors]))
    questions: list[Question] = []
    for source, (anchor, document) in enumerate(zip(anchors, documents, strict=True)):
        reason = _unsuited(document)
        counts.update([reason] if reason else [])
        questions += [] if reason else _questions(source, anchor, seed, paraphrases)
    drafts = _answered(questions, generator, counts, concurrency)
    kept = _confirmed(_judged(drafts, documents, reader), anchors, generator, counts, concurrency)
    for source in dict.fromkeys(question.source for question in questions):
        yield from _combined(anchors[source], [draft for draft in kept if draft.source == source], counts, rejects)


def requests(anchors: Iterable[Anchor], *, seed: int, paraphrases: bool = False) -> Iterator[Request]:
    """What will be asked of each anchor at the least; antonyms the lexicon does not know come on top."""
    for source, anchor in enumerate(anchors):
        yield from (question.request for question in _questions(source, anchor, seed, paraphrases))


def _unsuited(document: Document) -> str:
    """Why an anchor is not worth a request: no triple of it could pass the filters."""
    words = len(document.text.split())
    if not SHORTEST <= words <= LONGEST or len(document.text) > LONGEST_SENTENCE or not document.sentences:
        return f"anchor shorter than {SHORTEST} words" if words < SHORTEST else "anchor too long"
    return "anchor does not look like English" if any(map(foreign, document.sentences)) else ""


def _questions(source: int, anchor: Anchor, seed: int, paraphrases: bool) -> Iterator[Question]:
    draw = random.Random(f"{seed}{anchor.id}")
    drawn = {size: draw.choice(drawable(size)) for size in HEDGES}
    yield Question(source, prompts.negations(anchor.text), {})
    yield Question(source, prompts.hedges(anchor.text, **drawn), drawn)
    if paraphrases:
        yield Question(source, prompts.paraphrases(anchor.text), {})


@lru_cache(maxsize=2)
def drawable(size: str) -> tuple[str, ...]:
    """The cues of the lexicon that can hedge a clause, less those that as often mean something else."""
    cues = hedge_cues().values()
    return tuple(sorted(h.cue for h in cues if h.size == size and h.attach != "none" and h.cue not in TWO_FACED))


def _answered(
    questions: Sequence[Question], generator: Generator, counts: Counter[str], concurrency: int
) -> list[Draft]:
    """The sentences of all answers; malformed ones and kinds the model declined are counted."""
    found: list[Draft] = []
    answers = ask(generator, (question.request for question in questions), concurrency=concurrency)
    for question, answer in zip(questions, answers, strict=True):
        if answer.value is None:
            wanted = question.request.schema.__name__.lower()
            counts[f"no {wanted}: {check.kind_of_trouble(answer)}"] += 1
            continue
        for kind, text in answer.value:
            if text is None:
                counts[f"{kind}: declined"] += 1
            else:
                found.append(Draft(question.source, kind, text, question.cues.get(kind, "")))
    return found


Judged = list[tuple[Draft, verdicts.Verdict]]


def _judged(drafts: Sequence[Draft], documents: Sequence[Document], reader: Parser) -> Judged:
    found: Judged = []
    for draft, after in zip(drafts, reader.pipe([draft.text for draft in drafts]), strict=True):
        before = documents[draft.source]
        if draft.text.casefold() == " ".join(before.text.split()).casefold():
            verdict = verdicts.Verdict("the text is only repeated")
        elif draft.kind in HEDGES:
            verdict = verdicts.hedging(before, after, draft.kind, draft.cue)
        elif draft.kind in prompts.NEGATIONS:
            verdict = verdicts.negation(verdicts.View(before), verdicts.View(after), draft.kind)
        else:
            verdict = verdicts.sameness(verdicts.View(before), verdicts.View(after), draft.kind)
        found.append((replace(draft, cue=verdict.cue), verdict))
    return found


def _confirmed(
    judged: Judged, anchors: Sequence[Anchor], generator: Generator, counts: Counter[str], concurrency: int
) -> list[Draft]:
    """The drafts that stand; those whose antonym the lexicon does not know only with the model's second word."""
    unsure = [draft for draft, verdict in judged if verdict.reason == verdicts.UNCONFIRMED]
    pairs = [(anchors[draft.source].text, draft.text) for draft in unsure]
    asked = check.opposed(pairs, generator=generator, concurrency=concurrency)
    second = dict(zip(unsure, asked, strict=True))
    found = []
    for draft, verdict in judged:
        reason = second.get(draft, verdict.reason)
        if reason:
            counts[f"{draft.kind}: {reason}"] += 1
        else:
            found.append(draft)
    return found


def _combined(
    anchor: Anchor, drafts: Sequence[Draft], counts: Counter[str], rejects: list[tuple[str, Triple]] | None
) -> Iterator[Triple]:
    """Every negation with every hedge and paraphrase, each text once."""
    different = {draft.text: draft for draft in drafts}
    if len(different) < len(drafts):
        counts["the same text by two kinds"] += len(drafts) - len(different)
    negatives = [draft for draft in different.values() if draft.kind in prompts.NEGATIONS]
    positives = [draft for draft in different.values() if draft.kind not in prompts.NEGATIONS]
    if not negatives or not positives:
        counts["anchor without a negative" if not negatives else "anchor without a positive"] += 1
    for negative in negatives:
        for positive in positives:
            name = f"{anchor.id}/llm/{negative.kind}/{positive.kind}"
            kinds, cues = (positive.kind, negative.kind), (positive.cue, negative.cue)
            made = Triple(name, anchor.text, positive.text, negative.text, *kinds, cues)
            reason = refusal(made)
            counts[f"{negative.kind}: {reason}" if reason else "kept"] += 1
            if not reason:
                yield made
            elif rejects is not None:
                rejects.append((reason, made))
