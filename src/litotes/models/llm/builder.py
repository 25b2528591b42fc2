"""Build `llm:MODEL`: the generator, and the ranker for its prompt."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from typing import TYPE_CHECKING

from litotes.errors import InputError
from litotes.llm import Client, local_server
from litotes.models.causal import is_local, load_causal
from litotes.models.llm.listwise import STEP, WINDOW, WORDS, ListwiseLlm
from litotes.models.llm.questions import PromptRunner
from litotes.models.llm.rankers import ChoiceLlm, LlmAdapter, PointwiseLlm, SimilarityLlm
from litotes.models.loading import Settings

if TYPE_CHECKING:
    from litotes.types import Generator

PROMPTS = ("choice", "similarity", "pointwise", "listwise")
LOCAL = "local"
SHORT_ANSWER_TOKENS = 32
"""tokens of an answer that is a number or a word"""
TOKENS_PER_RANK = 8
"""tokens of one passage in an order: its number, brackets and separator"""


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
    """Build a ranker from `llm:MODEL` behind an OpenAI-compatible endpoint, a local model, or any `generator`.

    Local models are `llm:smollm2`, `llm:FOLDER` with a model or an adapter, and `llm:FILE.gguf`, through transformers,
    and `llm:local`, SmolLM2 served by llama.cpp.

    `window`, `step` and `words` belong to the prompt listwise. A prompt other than choice is part of
    the model's name, so that results of several prompts can be compared.
    """
    if prompt not in PROMPTS:
        raise InputError(f"prompt is {prompt!r}; expected {', '.join(PROMPTS[:-1])} or {PROMPTS[-1]}")
    model = name.partition(":")[2]
    max_tokens = max(SHORT_ANSWER_TOKENS, TOKENS_PER_RANK * window) if prompt == "listwise" else SHORT_ANSWER_TOKENS
    with ExitStack() as stack:
        if generator is None and is_local(model):
            generator = load_causal(model, settings)
        elif generator is None and model == LOCAL:
            server = stack.enter_context(local_server())
            generator = completion_client(server.model, server.base_url, max_tokens=max_tokens)
        elif generator is None and style == "completion":
            generator = completion_client(model, base_url, key=key, concurrency=concurrency, max_tokens=max_tokens)
        elif generator is None:
            generator = Client(model, base_url=base_url, key=key, style=style, concurrency=concurrency)
        runner = PromptRunner(generator, concurrency=concurrency)
        adapter: LlmAdapter
        if prompt == "listwise":
            adapter = ListwiseLlm(f"{name}+listwise", runner, window=window, step=step, words=words)
        elif prompt == "choice":
            adapter = ChoiceLlm(name, runner)
        else:
            kind = PointwiseLlm if prompt == "pointwise" else SimilarityLlm
            adapter = kind(f"{name}+{prompt}", runner)
        # The local server runs as long as the ranker exists.
        weakref.finalize(adapter, stack.pop_all().close)
    return adapter


def completion_client(
    model: str,
    base_url: str | None,
    *,
    key: str | None = None,
    concurrency: int = 1,
    max_tokens: int = SHORT_ANSWER_TOKENS,
) -> Client:
    """Return a client for base and small models, which continue the prompt: the answer is the rest of its line."""
    return Client(
        model,
        base_url=base_url,
        key=key,
        style="completion",
        stop=("\n",),
        max_tokens=max_tokens,
        concurrency=concurrency,
    )
