"""Examples as questions with short answers, on which a language model is tuned."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from litotes.models.llm import CHOICE, LABELS
from litotes.training.examples import Example

OPPOSITES, BETTER_DOCUMENT = "opposites", "choice"
TASKS = (OPPOSITES, BETTER_DOCUMENT)
IGNORED = -100
"""The label of a token that has no loss."""


@dataclass(frozen=True, slots=True)
class ChatQuestion:
    """A question in the form of a chat, and its answer."""

    system: str
    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class QuestionTokens:
    """A question and its answer as tokens."""

    ids: tuple[int, ...]
    question_length: int

    @property
    def labels(self) -> list[int]:
        """The labels of the tokens; only the answer has a loss."""
        return [IGNORED] * self.question_length + list(self.ids[self.question_length :])


def questions_of(examples: Sequence[Example], *, task: str, only: str = "", seed: int = 0) -> list[ChatQuestion]:
    """Return the questions of some examples; the seed decides their order and wording.

    For "opposites" the query and its negative are answered with Yes, the query and its positive with No, equally often.
    `only` is the paper's ablation: "negation" leaves out hedges, "hedging" pairs hedges with plain denials. For
    "choice" the query's two documents are shown in either order, and the answer is the number of the right one.
    """
    if task not in TASKS or only not in ONLY_VALUES:
        raise InputError(f"task is {task!r} and only {only!r}; expected {' or '.join(TASKS)}, and negation or hedging")
    draw = random.Random(seed)
    questions: list[ChatQuestion] = []
    for example in examples:
        is_choice = task == BETTER_DOCUMENT
        questions += _choice_questions(example, draw) if is_choice else _opposite_questions(example, only, draw)
    if not questions:
        raise InputError("no example gives a question; expected triples or contrasts, each with a negative")
    draw.shuffle(questions)
    return questions


def tokenize_question(question: ChatQuestion, tokenizer: Any) -> QuestionTokens:
    """Tokenize with the model's chat template; raise InputError if the template hides where the answer begins."""
    turns = [{"role": "system", "content": question.system}] if question.system else []
    turns.append({"role": "user", "content": question.prompt})
    options = {"tokenize": True, "return_dict": True}
    asked = tokenizer.apply_chat_template(turns, add_generation_prompt=True, **options)["input_ids"]
    answered = [*turns, {"role": "assistant", "content": question.answer}]
    whole = tokenizer.apply_chat_template(answered, **options)["input_ids"]
    if list(whole[: len(asked)]) != list(asked) or len(whole) == len(asked):
        raise InputError(
            "the model's chat template changes the question when the answer is added, so the answer cannot be located; "
            "expected a template that only appends the answer"
        )
    return QuestionTokens(tuple(whole), len(asked))


def _opposite_questions(example: Example, only: str, draw: random.Random) -> Iterator[ChatQuestion]:
    if example.negative_kind in NARROWING_KINDS or not example.negatives:
        return
    if only and (example.kind in HEDGE_KINDS) != (only == "hedging"):
        return
    if only == "hedging" and example.negative_kind not in PLAIN_KINDS:
        return
    for text, answer in ((draw.choice(example.negatives), "Yes"), (example.positive, "No")):
        first, second = (example.query, text) if draw.random() < 0.5 else (text, example.query)
        prompt = draw.choice(LAYOUTS).format(first=first, second=second, question=draw.choice(QUESTIONS))
        yield ChatQuestion(draw.choice(SYSTEM_PROMPTS), prompt, answer)


def _choice_questions(example: Example, draw: random.Random) -> Iterator[ChatQuestion]:
    for negative in example.negatives:
        right = draw.randrange(len(LABELS))
        first, second = (example.positive, negative) if right == 0 else (negative, example.positive)
        yield ChatQuestion("", CHOICE.format(query=example.query, first=first, second=second), LABELS[right])
