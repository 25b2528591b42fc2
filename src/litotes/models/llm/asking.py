"""Many prompts to one generator: asked once each, weighed where it can say how likely an answer is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from litotes.errors import EndpointError, InputError
from litotes.llm import UnansweredError, UnweighedError, Weighing
from litotes.models.adapter import distinct
from litotes.models.llm.prompts import CHOICE, OPPOSITES, POINTWISE
from litotes.models.llm.reading import read_choice, read_verdict

if TYPE_CHECKING:
    import numpy as np

    from litotes.types import Generator

LABELS = ("1", "2")
VERDICTS = ("Yes", "No")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Pick:
    """A question with two answers: their labels, how a text is read where they cannot be weighed, and a sample."""

    labels: tuple[str, str]
    read: Callable[[str], float]
    """above 0 for the first label, below for the second, NaN for neither"""
    sample: str
    """an easy one, to find out whether they can"""


CHOOSING = Pick(
    LABELS,
    read_choice,
    CHOICE.format(query="Which shop is open?", first="This shop is open.", second="This is a tree."),
)
JUDGING = Pick(
    VERDICTS, read_verdict, POINTWISE.format(query="Which shop is open?", document="The shop on the corner is open.")
)

OPPOSING = Pick(VERDICTS, read_verdict, OPPOSITES.format(first="The shop is open.", second="The shop is closed."))


class Questions:
    """Many prompts to one generator; what could not be read is NaN and counted."""

    def __init__(self, generator: Generator, *, concurrency: int = 1) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency is {concurrency}; expected 1 or more")
        self.generator = generator
        self.concurrency = concurrency
        self.unread = 0
        self._weighs: dict[Pick, bool] = {}

    def readings(self, prompts: Sequence[str], read: Callable[[str], float]) -> np.ndarray:
        """What `read` makes of the answer to each prompt."""
        return self._numbers(prompts, lambda prompt: read(self.generator.generate("", prompt)))

    def answers(self, prompts: Sequence[str]) -> list[str | None]:
        """The answer to each prompt; None where there is none."""
        return self._each(prompts, lambda prompt: self.generator.generate("", prompt))

    def preferences(self, prompts: Sequence[str], pick: Pick = CHOOSING) -> np.ndarray:
        """Above 0 where the first label is preferred: by log-probability where the generator gives them."""
        generator = self.generator
        if not isinstance(generator, Weighing) or not self.weighs(pick):
            return self.readings(prompts, pick.read)

        together = getattr(generator, "weigh", None)
        if together is not None:
            # a model that lies here answers many prompts at once
            once, places = distinct(prompts)
            weights = together([("", prompt) for prompt in once], pick.labels)
            found: np.ndarray = (weights[:, 0] - weights[:, 1])[places]
            return found

        def margin(prompt: str) -> float:
            first, second = generator.log_probabilities("", prompt, pick.labels)
            return first - second

        try:
            return self._numbers(prompts, margin)
        except UnweighedError:
            # one way for all prompts: a margin and a bare choice cannot stand side by side
            self._weighs[pick] = False
            return self.readings(prompts, pick.read)

    def weighs(self, pick: Pick = CHOOSING) -> bool:
        """Whether answers are weighed and not read: an easy question is asked first, once, to find out.

        A generator that gives no log-probabilities is read; so is one whose answer to that does not begin with a label,
        as with models that think aloud.
        """
        if not isinstance(self.generator, Weighing):
            return False
        if pick not in self._weighs:
            try:
                self.generator.log_probabilities("", pick.sample, pick.labels)
                self._weighs[pick] = True
            except (UnweighedError, UnansweredError):
                self._weighs[pick] = False
        return self._weighs[pick]

    def facts(self, pick: Pick | None = None) -> dict[str, Any]:
        """Who is asked, and whether its answers are weighed (None: it could not be asked); no pick, always read."""
        signature = getattr(self.generator, "signature", type(self.generator).__qualname__)
        try:
            weighs: bool | None = pick is not None and self.weighs(pick)
        except EndpointError:
            # the first question that counts will say why; neither way is claimed until then
            weighs = None
        return {"generator": str(signature), "weighs": weighs}

    def _numbers(self, prompts: Sequence[str], ask: Callable[[str], float]) -> np.ndarray:
        """One number a prompt, in order."""
        import numpy as np

        found = [float("nan") if number is None else number for number in self._each(prompts, ask)]
        numbers: np.ndarray = np.array(found, dtype=np.float64)
        self.unread += int(np.isnan(numbers).sum())
        return numbers

    def _each(self, prompts: Sequence[str], ask: Callable[[str], Found]) -> list[Found | None]:
        """What asking gives for each prompt, in order, None where there was no answer; the same is asked once."""

        def asked(prompt: str) -> Found | None:
            try:
                return ask(prompt)
            except UnansweredError:
                return None

        once, places = distinct(prompts)
        if self.concurrency == 1:
            found = [asked(prompt) for prompt in once]
        else:
            with ThreadPoolExecutor(self.concurrency) as pool:
                found = list(pool.map(asked, once))
        return [found[place] for place in places]
