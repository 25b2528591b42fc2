"""Language models as rankers: choose a document, or score a similarity, as the hedging paper asks it."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from litotes.errors import InputError
from litotes.llm import Client, UnansweredError, local_server
from litotes.models.adapter import Adapter, distinct, pairs_of
from litotes.models.loading import Settings

if TYPE_CHECKING:
    import numpy as np

    from litotes.types import Generator

CHOICE = """\
Document 1: {first}
Document 2: {second}
Query: {query}

One of these two documents answers the query better than the other. Reply with its number only: 1 or 2.
Answer:"""
SIMILARITY = """\
How close in meaning are the sentences S1 and S2? Reply with one number between -1.0 (they say the opposite) and 1.0 \
(they say the same); decimals are welcome.
S1: {first}
S2: {second}
Score:"""
LABELS = ("1", "2")
PROMPTS = ("choice", "similarity")
LOCAL = "local"

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
# A number that stands alone: no part of S1 or 0,5; no "8/10", "80%" or "8 out of 10".
_NUMBER = re.compile(r"(?<![\w.,/-])[-−+]?(?:\d+(?:\.\d+)?|\.\d+)(?![\w/%]|[.,]\d|\s*(?:/|%|out of\b))")
# "0.5 to 0.7", "1 or 2"
_SEVERAL = re.compile(rf"{_NUMBER.pattern}\s*(?:to|or|and|&|–|-)\s*(?:document\s*)?{_NUMBER.pattern}", re.IGNORECASE)
_PREAMBLE = re.compile(r"(?:(?:the\s+)?(?:score|similarity|answer)\b(?:\s+is)?|[\s:=*_#\"'“`(])*", re.IGNORECASE)
# "Document 2 is more relevant, unlike document 1"
_CHOSEN = re.compile(r"document\s+([12])\b\W*(?:$|is\s+(?:the\s+)?(?:more|most)\s+relevant)", re.IGNORECASE)


@runtime_checkable
class Weighing(Protocol):
    """A generator that can say how likely each of a few answers is, instead of giving one."""

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> Sequence[float]: ...


class Questions:
    """Many prompts to one generator; what could not be read is NaN and counted."""

    def __init__(self, generator: Generator, *, concurrency: int = 1) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency is {concurrency}; expected 1 or more")
        self.generator = generator
        self.concurrency = concurrency
        self.unread = 0

    def readings(self, prompts: Sequence[str], read: Callable[[str], float]) -> np.ndarray:
        """What `read` makes of the answer to each prompt."""
        return self._numbers(prompts, lambda prompt: read(self.generator.generate("", prompt)))

    def preferences(self, prompts: Sequence[str]) -> np.ndarray:
        """Above 0 where the first label is preferred: by log-probability where the generator gives them."""
        generator = self.generator
        if not isinstance(generator, Weighing):
            return self.readings(prompts, read_choice)

        def margin(prompt: str) -> float:
            first, second = generator.log_probabilities("", prompt, LABELS)
            return first - second

        return self._numbers(prompts, margin)

    def facts(self) -> dict[str, Any]:
        signature = getattr(self.generator, "signature", type(self.generator).__qualname__)
        return {"generator": str(signature), "weighs": isinstance(self.generator, Weighing)}

    def _numbers(self, prompts: Sequence[str], ask: Callable[[str], float]) -> np.ndarray:
        """One number a prompt, in order; the same prompt is asked once."""
        import numpy as np

        def asked(prompt: str) -> float:
            try:
                return ask(prompt)
            except UnansweredError:
                return float("nan")

        once, places = distinct(prompts)
        if self.concurrency == 1:
            found = [asked(prompt) for prompt in once]
        else:
            with ThreadPoolExecutor(self.concurrency) as pool:
                found = list(pool.map(asked, once))
        numbers: np.ndarray = np.array(found, dtype=np.float64)[places]
        self.unread += int(np.isnan(numbers).sum())
        return numbers


class SimilarityLlm(Adapter):
    """Scores a query and a document from −1 to 1."""

    family = "llm"
    libraries = ("openai",)

    def __init__(self, name: str, questions: Questions) -> None:
        super().__init__(name)
        self._questions = questions

    @property
    def unread(self) -> int:
        """How many answers could not be read so far."""
        return self._questions.unread

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity the model names for each pair; NaN where it named none."""
        return similarities(self._questions, queries, documents)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"similarity": SIMILARITY}, **self._questions.facts()}


class ChoiceLlm(SimilarityLlm):
    """Chooses between two documents, asked in both orders; scores a single document as SimilarityLlm does."""

    def choose(self, queries: Sequence[str], first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        """One row an item, as `litotes.types.Chooser` says; their mean is the preference, `position_bias` the bias."""
        import numpy as np

        asked, ones = pairs_of(queries, first)
        _, others = pairs_of(queries, second)
        items = list(zip(asked, ones, others, strict=True))
        shown = [CHOICE.format(query=query, first=one, second=other) for query, one, other in items]
        swapped = [CHOICE.format(query=query, first=other, second=one) for query, one, other in items]
        return np.stack([self._questions.preferences(shown), -self._questions.preferences(swapped)], axis=1)

    def details(self) -> dict[str, Any]:
        return {"prompts": {"choice": CHOICE, "similarity": SIMILARITY}, **self._questions.facts()}


def similarities(questions: Questions, first: Sequence[str], second: Sequence[str]) -> np.ndarray:
    """What the similarity prompt gives for texts side by side."""
    pairs = zip(*pairs_of(first, second), strict=True)
    return questions.readings([SIMILARITY.format(first=one, second=other) for one, other in pairs], read_similarity)


def read_similarity(answer: str) -> float:
    """The number from −1 to 1 an answer opens with, or the only one it holds; NaN rather than a guess."""
    found = _stated(_said(answer))
    number = float(found.replace("−", "-")) if found is not None else float("nan")
    return number if -1 <= number <= 1 else float("nan")


def read_choice(answer: str) -> float:
    """1 for the first document, −1 for the second, NaN where an answer names neither or both."""
    said = _said(answer)
    chosen = _CHOSEN.match(said)
    label = chosen[1] if chosen else _stated(said)
    return {"1": 1.0, "2": -1.0}.get(label or "", float("nan"))


def _said(answer: str) -> str:
    """An answer without the model's thinking and without what leads up to it."""
    text = _THOUGHT.sub("", answer).strip()
    preamble = _PREAMBLE.match(text)
    return text[preamble.end() :] if preamble else text


def _stated(said: str) -> str | None:
    """The number an answer opens with; else the only one in it."""
    opening = _NUMBER.match(said)
    if opening and not _SEVERAL.match(said):
        return opening[0]
    named = set(_NUMBER.findall(said))
    return named.pop() if len(named) == 1 else None


def position_bias(choices: np.ndarray) -> float:
    """From −1, always the document shown second, to 1, always the one shown first; NaN where nothing could be read."""
    import numpy as np

    towards_first_shown = np.sign(choices) * np.array([1.0, -1.0])
    readable = towards_first_shown[~np.isnan(towards_first_shown)]
    return float(readable.mean()) if readable.size else float("nan")


def build(
    name: str,
    settings: Settings,
    *,
    prompt: str = "choice",
    generator: Generator | None = None,
    base_url: str | None = None,
    key: str | None = None,
    style: str = "chat",
    concurrency: int = 1,
) -> SimilarityLlm | ChoiceLlm:
    """`llm:MODEL` behind an OpenAI-compatible endpoint, `llm:local` on this machine, or any generator under a name."""
    if prompt not in PROMPTS:
        raise InputError(f"prompt is {prompt!r}; expected {' or '.join(PROMPTS)}")
    model = name.partition(":")[2]
    with ExitStack() as stack:
        if generator is None and model == LOCAL:
            server = stack.enter_context(local_server())
            generator = completing(server.model, server.base_url)
        elif generator is None and style == "completion":
            generator = completing(model, base_url, key=key, concurrency=concurrency)
        elif generator is None:
            generator = Client(model, base_url=base_url, key=key, style=style, concurrency=concurrency)
        kind = ChoiceLlm if prompt == "choice" else SimilarityLlm
        adapter = kind(name, Questions(generator, concurrency=concurrency))
        # the local server lives as long as the model that asks it
        weakref.finalize(adapter, stack.pop_all().close)
    return adapter


def completing(model: str, base_url: str | None, *, key: str | None = None, concurrency: int = 1) -> Client:
    """A client for base and small models: they continue the prompt, so the answer is the rest of its line."""
    return Client(
        model, base_url=base_url, key=key, style="completion", stop=("\n",), max_tokens=32, concurrency=concurrency
    )
