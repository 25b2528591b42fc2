"""Yes/no instructions from triples, for tuning a language model: do these two sentences have opposite meanings?

A negation is answered with yes, a hedge or a paraphrase with no. Each anchor gives as many of the one as of the other,
so neither the answer nor the anchor gives the other away; question, order and wording are drawn by the seed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from litotes.data.opposites import HEDGES, LAYOUTS, NOT_OPPOSITE, ONLY, PLAIN, QUESTIONS, SYSTEMS
from litotes.errors import InputError
from litotes.types import Triple


@dataclass(frozen=True, slots=True)
class Instruction:
    """One question on two sentences, and its answer."""

    id: str
    system: str
    prompt: str
    answer: str
    """Yes or No"""
    kind: str
    cue: str

    def line(self) -> dict[str, Any]:
        """The JSON object of the instruction line in the docs: chat messages, and what they were made from."""
        turns = (("system", self.system), ("user", self.prompt), ("assistant", self.answer))
        messages = [{"role": role, "content": content} for role, content in turns]
        return {"id": self.id, "messages": messages, "kind": self.kind, "cue": self.cue}


def instructions(
    triples: Iterable[Triple], *, counts: Counter[str], seed: int = 0, only: str = ""
) -> Iterator[Instruction]:
    """The instructions of a stream of triples, which comes grouped by anchor; what is left out is counted.

    `only` is the paper's ablation: "negation" has every negation but no hedges, "hedging" has the hedges, and of the
    negations only the plain verbal one.
    """
    if only not in ONLY:
        raise InputError(f"only is {only!r}; expected “negation”, “hedging”, or nothing for both")
    for anchor, group in groupby(triples, key=lambda triple: triple.anchor):
        yield from _of_anchor(anchor, list(group), counts, seed, only)


def _of_anchor(anchor: str, group: list[Triple], counts: Counter[str], seed: int, only: str) -> Iterator[Instruction]:
    name = group[0].id.rsplit("/", 2)[0]
    draw = random.Random(f"{seed}{name}{anchor}")
    negatives = {t.negative: (t.negative_kind, t.cues[1]) for t in group}
    opposite = {text: made for text, made in negatives.items() if made[0] not in NOT_OPPOSITE}
    counts["an exceptor narrows, it does not say the opposite"] += len(negatives) - len(opposite)
    if only == "hedging":
        opposite = {text: made for text, made in opposite.items() if made[0] in PLAIN}
    positives = {t.positive: (t.positive_kind, t.cues[0]) for t in group}
    compatible = {text: made for text, made in positives.items() if _wanted(made[0], only)}
    for text in opposite.keys() & compatible.keys():
        counts["one text as negation and as paraphrase"] += 1
        del opposite[text], compatible[text]
    each = min(len(opposite), len(compatible))
    counts["left out to keep yes and no even"] += len(opposite) + len(compatible) - 2 * each
    for answer, texts in (("Yes", opposite), ("No", compatible)):
        for text in draw.sample(sorted(texts), each):
            kind, cue = texts[text]
            counts[f"kept, {answer}"] += 1
            yield _asking(f"{name}/{kind}", anchor, text, answer, kind, cue, draw)


def _wanted(positive_kind: str, only: str) -> bool:
    return not only or (positive_kind in HEDGES) == (only == "hedging")


def _asking(name: str, anchor: str, text: str, answer: str, kind: str, cue: str, draw: random.Random) -> Instruction:
    first, second = (anchor, text) if draw.random() < 0.5 else (text, anchor)
    prompt = draw.choice(LAYOUTS).format(first=first, second=second, question=draw.choice(QUESTIONS))
    return Instruction(name, draw.choice(SYSTEMS), prompt, answer, kind, cue)
