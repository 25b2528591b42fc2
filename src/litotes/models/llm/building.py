"""`llm:MODEL`: the client and the adapter that a prompt asks for."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from typing import TYPE_CHECKING

from litotes.errors import InputError
from litotes.llm import Client, local_server
from litotes.models.causal import is_here, load_causal
from litotes.models.llm.adapters import Asked, ChoiceLlm, PointwiseLlm, SimilarityLlm
from litotes.models.llm.asking import Questions
from litotes.models.llm.listwise import STEP, WINDOW, WORDS, ListwiseLlm
from litotes.models.loading import Settings

if TYPE_CHECKING:
    from litotes.types import Generator

PROMPTS = ("choice", "similarity", "pointwise", "listwise")
LOCAL = "local"
LINE = 32
"""tokens of an answer that is a number or a word"""
NUMBER = 8
"""tokens of a passage's number in an order, its brackets and what stands between"""


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
    window: int = WINDOW,
    step: int = STEP,
    words: int = WORDS,
) -> SimilarityLlm | PointwiseLlm | ListwiseLlm:
    """`llm:MODEL` behind an OpenAI-compatible endpoint, on this machine, or any generator under a name.

    On this machine are `llm:smollm2`, `llm:FOLDER` with a model or an adapter, and `llm:FILE.gguf`, through
    transformers; and `llm:local`, SmolLM2 served by llama.cpp.

    `window`, `step` and `words` are for the prompt listwise. Asked by another prompt than choice, the model says so in
    its name, so that the results of two prompts stand side by side.
    """
    if prompt not in PROMPTS:
        raise InputError(f"prompt is {prompt!r}; expected {', '.join(PROMPTS[:-1])} or {PROMPTS[-1]}")
    model = name.partition(":")[2]
    longest = max(LINE, NUMBER * window) if prompt == "listwise" else LINE
    with ExitStack() as stack:
        if generator is None and is_here(model):
            generator = load_causal(model, settings)
        elif generator is None and model == LOCAL:
            server = stack.enter_context(local_server())
            generator = completing(server.model, server.base_url, max_tokens=longest)
        elif generator is None and style == "completion":
            generator = completing(model, base_url, key=key, concurrency=concurrency, max_tokens=longest)
        elif generator is None:
            generator = Client(model, base_url=base_url, key=key, style=style, concurrency=concurrency)
        questions = Questions(generator, concurrency=concurrency)
        adapter: Asked
        if prompt == "listwise":
            adapter = ListwiseLlm(f"{name}+listwise", questions, window=window, step=step, words=words)
        elif prompt == "choice":
            adapter = ChoiceLlm(name, questions)
        else:
            kind = PointwiseLlm if prompt == "pointwise" else SimilarityLlm
            adapter = kind(f"{name}+{prompt}", questions)
        # the local server lives as long as the model that asks it
        weakref.finalize(adapter, stack.pop_all().close)
    return adapter


def completing(
    model: str, base_url: str | None, *, key: str | None = None, concurrency: int = 1, max_tokens: int = LINE
) -> Client:
    """A client for base and small models: they continue the prompt, so the answer is the rest of its line."""
    return Client(
        model,
        base_url=base_url,
        key=key,
        style="completion",
        stop=("\n",),
        max_tokens=max_tokens,
        concurrency=concurrency,
    )
