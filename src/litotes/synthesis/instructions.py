"""Yes/no instructions from triples, for tuning a language model: do these two sentences have opposite meanings?

The answer is yes for a negation, and no for a hedge or a paraphrase. Each anchor gives equally many of both, so that
the anchor does not reveal the answer. Question, order and wording are drawn with the seed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from litotes.data.opposite_questions import (
    HEDGE_KINDS,
    LAYOUTS,
    NARROWING_KINDS,
    ONLY_VALUES,
    PLAIN_KINDS,
    QUESTIONS,
    SYSTEM_PROMPTS,
)
from litotes.errors import InputError
from litotes.types import Triple


@dataclass(frozen=True, slots=True)
class Instruction:
    """A question about two sentences, and its answer."""

    id: str
    system: str
    prompt: str
    answer: str
    """Yes or No."""
    kind: str
    cue: str

    def line(self) -> dict[str, Any]:
        """Return the JSON object of an instruction line: chat messages, and what they were made from."""
        turns = (("system", self.system), ("user", self.prompt), ("assistant", self.answer))
        messages = [{"role": role, "content": content} for role, content in turns]
        return {"id": self.id, "messages": messages, "kind": self.kind, "cue": self.cue}


def instructions(
    triples: Iterable[Triple], *, counts: Counter[str], seed: int = 0, only: str = ""
) -> Iterator[Instruction]:
    """Yield the instructions of triples that are grouped by anchor; count what is left out.

    `only` is the paper's ablation: "negation" has every negation but no hedges, "hedging" has the hedges and only the
    plain verbal negation.
    """
    if only not in ONLY_VALUES:
        raise InputError(f"only is {only!r}; expected “negation”, “hedging”, or an empty string for both")
    for anchor, group in groupby(triples, key=lambda triple: triple.anchor):
        yield from _of_anchor(anchor, list(group), counts, seed, only)


def _of_anchor(anchor: str, group: list[Triple], counts: Counter[str], seed: int, only: str) -> Iterator[Instruction]:
    name = group[0].id.rsplit("/", 2)[0]
    draw = random.Random(f"{seed}{name}{anchor}")
    negatives = {t.negative: (t.negative_kind, t.cues[1]) for t in group}
    opposite = {text: source for text, source in negatives.items() if source[0] not in NARROWING_KINDS}
    counts["an exceptor does not say the opposite"] += len(negatives) - len(opposite)
    if only == "hedging":
        opposite = {text: source for text, source in opposite.items() if source[0] in PLAIN_KINDS}
    positives = {t.positive: (t.positive_kind, t.cues[0]) for t in group}
    compatible = {text: source for text, source in positives.items() if _is_wanted(source[0], only)}
    for text in opposite.keys() & compatible.keys():
        counts["the same text is a negation and a paraphrase"] += 1
        del opposite[text], compatible[text]
    each = min(len(opposite), len(compatible))
    counts["left out to balance yes and no"] += len(opposite) + len(compatible) - 2 * each
    for answer, texts in (("Yes", opposite), ("No", compatible)):
        for text in draw.sample(sorted(texts), each):
            kind, cue = texts[text]
            counts[f"kept, {answer}"] += 1
            yield _instruction(f"{name}/{kind}", anchor, text, answer, kind, cue, draw)


def _is_wanted(positive_kind: str, only: str) -> bool:
    return not only or (positive_kind in HEDGE_KINDS) == (only == "hedging")


def _instruction(
    name: str, anchor: str, text: str, answer: str, kind: str, cue: str, draw: random.Random
) -> Instruction:
    first, second = (anchor, text) if draw.random() < 0.5 else (text, anchor)
    prompt = draw.choice(LAYOUTS).format(first=first, second=second, question=draw.choice(QUESTIONS))
    return Instruction(name, draw.choice(SYSTEM_PROMPTS), prompt, answer, kind, cue)
