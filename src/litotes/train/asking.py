"""Examples as questions with their answers: what a language model is tuned on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from litotes.data.opposites import HEDGES, LAYOUTS, NOT_OPPOSITE, ONLY, PLAIN, QUESTIONS, SYSTEMS
from litotes.errors import InputError
from litotes.models.llm import CHOICE, LABELS
from litotes.train.examples import Example

OPPOSITES, CHOOSING = "opposites", "choice"
TASKS = (OPPOSITES, CHOOSING)
IGNORED = -100
"""the label of a token that is read and not learnt"""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as a chat has it, and the answer."""

    system: str
    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """A question and its answer as the model reads them, and how many of them are the question."""

    ids: tuple[int, ...]
    asked: int

    @property
    def labels(self) -> list[int]:
        """The loss is on the answer alone."""
        return [IGNORED] * self.asked + list(self.ids[self.asked :])


def asks(examples: Sequence[Example], *, task: str, only: str = "", seed: int = 0) -> list[Ask]:
    """The questions of some examples, in an order and in words drawn by the seed.

    For "opposites" the query with its negative is answered Yes and with its positive No, as often the one as the other;
    `only` is the paper's ablation ("negation" leaves the hedges out, "hedging" has hedges against plain denials). For
    "choice" the query's two documents are shown in either order, and the answer is the right one's number.
    """
    if task not in TASKS or only not in ONLY:
        raise InputError(f"task is {task!r} and only {only!r}; expected {' or '.join(TASKS)}, and negation or hedging")
    draw = random.Random(seed)
    found: list[Ask] = []
    for example in examples:
        found += _choices(example, draw) if task == CHOOSING else _verdicts(example, only, draw)
    if not found:
        raise InputError("no example gives a question; expected triples or contrasts with a negative each")
    draw.shuffle(found)
    return found


def tokens_of(ask: Ask, tokenizer: Any) -> Tokens:
    """By the model's own chat template; InputError where the answer cannot be told from the question in it."""
    turns = [{"role": "system", "content": ask.system}] if ask.system else []
    turns.append({"role": "user", "content": ask.prompt})
    options = {"tokenize": True, "return_dict": True}
    question = tokenizer.apply_chat_template(turns, add_generation_prompt=True, **options)["input_ids"]
    answered = [*turns, {"role": "assistant", "content": ask.answer}]
    whole = tokenizer.apply_chat_template(answered, **options)["input_ids"]
    if list(whole[: len(question)]) != list(question) or len(whole) == len(question):
        raise InputError(
            "the model's chat template writes a question differently once it is answered, so that the answer cannot be "
            "told apart; expected a template that only adds the answer"
        )
    return Tokens(tuple(whole), len(question))


def _verdicts(example: Example, only: str, draw: random.Random) -> Iterator[Ask]:
    if example.negative_kind in NOT_OPPOSITE or not example.negatives:
        return
    if only and (example.kind in HEDGES) != (only == "hedging"):
        return
    if only == "hedging" and example.negative_kind not in PLAIN:
        return
    for text, answer in ((draw.choice(example.negatives), "Yes"), (example.positive, "No")):
        first, second = (example.query, text) if draw.random() < 0.5 else (text, example.query)
        prompt = draw.choice(LAYOUTS).format(first=first, second=second, question=draw.choice(QUESTIONS))
        yield Ask(draw.choice(SYSTEMS), prompt, answer)


def _choices(example: Example, draw: random.Random) -> Iterator[Ask]:
    for negative in example.negatives:
        right = draw.randrange(len(LABELS))
        shown = (example.positive, negative) if right == 0 else (negative, example.positive)
        yield Ask("", CHOICE.format(query=example.query, first=shown[0], second=shown[1]), LABELS[right])
