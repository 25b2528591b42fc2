"""Ask one generator many prompts: each distinct prompt once, by log-probabilities if the generator has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from litotes.errors import EndpointError, InputError
from litotes.llm import NoLogProbabilitiesError, SupportsLogProbabilities, UnansweredError
from litotes.models.adapter import distinct
from litotes.models.llm.answers import read_choice, read_verdict
from litotes.models.llm.prompts import CHOICE, OPPOSITES, POINTWISE

if TYPE_CHECKING:
    import numpy as np

    from litotes.types import Generator

LABELS = ("1", "2")
VERDICTS = ("Yes", "No")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class BinaryQuestion:
    """A question with two possible answers."""

    labels: tuple[str, str]
    read: Callable[[str], float]
    """reads an answer in words: above 0 for the first label, below 0 for the second, NaN for neither"""
    sample: str
    """an easy prompt, to find out whether the generator gives log-probabilities"""


CHOICE_QUESTION = BinaryQuestion(
    LABELS,
    read_choice,
    CHOICE.format(query="Which shop is open?", first="This shop is open.", second="This is a tree."),
)
RELEVANCE_QUESTION = BinaryQuestion(
    VERDICTS, read_verdict, POINTWISE.format(query="Which shop is open?", document="The shop on the corner is open.")
)
OPPOSITES_QUESTION = BinaryQuestion(
    VERDICTS, read_verdict, OPPOSITES.format(first="The shop is open.", second="The shop is closed.")
)


class PromptRunner:
    """Runs prompts through one generator. An answer that cannot be read is NaN, and counted."""

    def __init__(self, generator: Generator, *, concurrency: int = 1) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency is {concurrency}; expected 1 or more")
        self.generator = generator
        self.concurrency = concurrency
        self.unread = 0
        self._has_log_probabilities: dict[BinaryQuestion, bool] = {}

    def answers(self, prompts: Sequence[str]) -> list[str | None]:
        """Return the answer to each prompt; None if there is none."""
        return self._run(prompts, lambda prompt: self.generator.generate("", prompt))

    def read_answers(self, prompts: Sequence[str], read: Callable[[str], float]) -> np.ndarray:
        """Return the number that `read` finds in the answer to each prompt."""
        return self._numbers(prompts, lambda prompt: read(self.generator.generate("", prompt)))

    def preferences(self, prompts: Sequence[str], question: BinaryQuestion = CHOICE_QUESTION) -> np.ndarray:
        """Return a number above 0 for each prompt whose answer is the first label, and below 0 for the second.

        It is the difference of their log-probabilities if the generator gives them, otherwise 1 or -1.
        """
        generator = self.generator
        if not isinstance(generator, SupportsLogProbabilities) or not self.uses_log_probabilities(question):
            return self.read_answers(prompts, question.read)

        batched = getattr(generator, "log_probability_rows", None)
        if batched is not None:
            # A local model answers many prompts in one batch.
            unique, places = distinct(prompts)
            rows = batched([("", prompt) for prompt in unique], question.labels)
            margins: np.ndarray = (rows[:, 0] - rows[:, 1])[places]
            return margins

        def margin(prompt: str) -> float:
            first, second = generator.log_probabilities("", prompt, question.labels)
            return first - second

        try:
            return self._numbers(prompts, margin)
        except NoLogProbabilitiesError:
            # All prompts are answered in one way: a margin and a plain choice cannot be compared.
            self._has_log_probabilities[question] = False
            return self.read_answers(prompts, question.read)

    def uses_log_probabilities(self, question: BinaryQuestion = CHOICE_QUESTION) -> bool:
        """Return whether answers are compared by log-probability; the sample prompt is asked once to find out.

        Otherwise answers are read as text: if the generator gives no log-probabilities, or if its answer to the sample
        does not begin with a label, as with models that think aloud.
        """
        if not isinstance(self.generator, SupportsLogProbabilities):
            return False
        if question not in self._has_log_probabilities:
            try:
                self.generator.log_probabilities("", question.sample, question.labels)
                self._has_log_probabilities[question] = True
            except (NoLogProbabilitiesError, UnansweredError):
                self._has_log_probabilities[question] = False
        return self._has_log_probabilities[question]

    def facts(self, question: BinaryQuestion | None = None) -> dict[str, Any]:
        """Return the generator's signature, and whether log-probabilities are used for `question`.

        The latter is None if the endpoint could not be reached, and False without a question.
        """
        signature = getattr(self.generator, "signature", type(self.generator).__qualname__)
        try:
            weighs: bool | None = question is not None and self.uses_log_probabilities(question)
        except EndpointError:
            # The first real prompt will raise the same error, with its reason.
            weighs = None
        return {"generator": str(signature), "weighs": weighs}

    def _numbers(self, prompts: Sequence[str], ask: Callable[[str], float]) -> np.ndarray:
        import numpy as np

        values = [float("nan") if number is None else number for number in self._run(prompts, ask)]
        numbers: np.ndarray = np.array(values, dtype=np.float64)
        self.unread += int(np.isnan(numbers).sum())
        return numbers

    def _run(self, prompts: Sequence[str], ask: Callable[[str], Answer]) -> list[Answer | None]:
        """Ask each distinct prompt once; return an answer per prompt, in order, or None if there was none."""

        def ask_or_none(prompt: str) -> Answer | None:
            try:
                return ask(prompt)
            except UnansweredError:
                return None

        unique, places = distinct(prompts)
        if self.concurrency == 1:
            answers = [ask_or_none(prompt) for prompt in unique]
        else:
            with ThreadPoolExecutor(self.concurrency) as pool:
                answers = list(pool.map(ask_or_none, unique))
        return [answers[place] for place in places]
