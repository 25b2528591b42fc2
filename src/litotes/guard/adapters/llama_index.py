"""The guard in LlamaIndex: an evaluator of answers, and a filter for a cache of questions.

Importing this module needs llama-index-core; the rest of litotes does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import Field, PrivateAttr

from litotes.errors import InputError, require
from litotes.guard.adapters.common import guard_of
from litotes.guard.guard import Guard
from litotes.guard.verdict import Verdict

VERDICT_KEY = "litotes_guard"
"""The key of a marked node's metadata that has the verdict, as JSON values."""
_NEEDS = {"extra": "frameworks", "why": "the guard in LlamaIndex"}
_evaluation: Any = require("llama_index.core.evaluation", **_NEEDS)
_schema: Any = require("llama_index.core.schema", **_NEEDS)
_postprocessor: Any = require("llama_index.core.postprocessor.types", **_NEEDS).BaseNodePostprocessor
_DIFFERENCES = {
    "opposite": "one says the opposite of the other",
    "direction": "they go in opposite directions",
    "number": "they have different numbers",
    "name": "they name different persons, places or things",
    "scope": "they apply to different cases",
    "modality": "they differ in tense, or in what is possible, certain or required",
    "topic": "they are about different things",
}


class GuardEvaluator(_evaluation.BaseEvaluator):  # type: ignore[misc]
    """LlamaIndex's `BaseEvaluator`: does the response say the same as the reference answer?

    `guard` is a `Guard` or the name of a tier; the default is `Guard()`. Only the two answers are compared. The query
    and the contexts are copied into the result.
    """

    def __init__(self, guard: Guard | str | None = None) -> None:
        self._guard = guard_of(guard)

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        reference: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Return an `EvaluationResult`: whether the response passes, its score from 0 to 1, and why.

        A pair that cannot be judged gives an invalid result; the guard's `on_error` decides whether it passes. Other
        arguments are part of LlamaIndex's interface and have no effect.
        """
        verdict = await asyncio.to_thread(
            self._guard.judge, _given("response", response), _given("reference", reference)
        )
        return _evaluation.EvaluationResult(
            query=query,
            contexts=contexts,
            response=response,
            passing=verdict.same,
            score=verdict.score,
            feedback=_feedback(verdict),
            invalid_result=bool(verdict.error),
            invalid_reason=verdict.error or None,
        )

    def _get_prompts(self) -> dict[str, Any]:
        """Return no prompts: there is no language model."""
        return {}

    def _update_prompts(self, prompts: dict[str, Any]) -> None:
        """Do nothing: there are no prompts."""


class GuardPostprocessor(_postprocessor):  # type: ignore[misc]
    """LlamaIndex's `BaseNodePostprocessor`, for an index of questions that were answered before.

    It removes the nodes whose question does not deserve the same answer as the query. `guard` is a `Guard` or the name
    of a tier; the default is `Guard()`. The question of a node is its text, or what its metadata has at
    `question_key`. With `remove=False`, all nodes stay, and copies of them have the verdict in their metadata at
    "litotes_guard". Neither an embedding nor a prompt includes it.
    """

    guard: Guard | str | None = Field(default=None, frozen=True)
    question_key: str | None = None
    remove: bool = True
    _loaded: Guard = PrivateAttr()

    def __init__(
        self,
        guard: Guard | str | None = None,
        *,
        question_key: str | None = None,
        remove: bool = True,
        callback_manager: Any = None,
    ) -> None:
        loaded = guard_of(guard)
        given = {} if callback_manager is None else {"callback_manager": callback_manager}
        super().__init__(guard=guard, question_key=question_key, remove=remove, **given)
        self._loaded = loaded

    @classmethod
    def class_name(cls) -> str:
        """Return the class name that LlamaIndex writes into its files."""
        return "GuardPostprocessor"

    def _postprocess_nodes(self, nodes: list[Any], query_bundle: Any = None) -> list[Any]:
        """Return the nodes in the same order, without those that deserve another answer, or all of them marked."""
        if query_bundle is None:
            raise InputError("there is no query; expected query_bundle or query_str, which the nodes are compared with")
        questions = [self._question(node.node) for node in nodes]
        verdicts = self._loaded.judge_all([query_bundle.query_str] * len(nodes), questions)
        pairs = zip(nodes, verdicts, strict=True)
        if self.remove:
            return [node for node, verdict in pairs if verdict.same]
        return [_marked(node, verdict) for node, verdict in pairs]

    def _question(self, node: Any) -> str:
        """Return the question of a node."""
        if self.question_key is None:
            return str(node.get_content(metadata_mode=_schema.MetadataMode.NONE))
        found = node.metadata.get(self.question_key)
        if not isinstance(found, str):
            raise InputError(
                f"{self.question_key!r} in the metadata of node {node.node_id} is {found!r}; expected a question"
            )
        return found


def _given(name: str, text: str | None) -> str:
    """Return an answer; refuse one that is missing."""
    if not isinstance(text, str):
        raise InputError(f"the {name} is {text!r}; expected a text: response and reference are compared")
    return text


def _marked(node: Any, verdict: Verdict) -> Any:
    """Return a copy with the verdict in its metadata; the node in the index stays as it is."""
    inner = node.node
    hidden = {
        name: [*(key for key in getattr(inner, name) if key != VERDICT_KEY), VERDICT_KEY]
        for name in ("excluded_embed_metadata_keys", "excluded_llm_metadata_keys")
    }
    marked = inner.model_copy(update={"metadata": {**inner.metadata, VERDICT_KEY: verdict.line()}, **hidden})
    return _schema.NodeWithScore(node=marked, score=node.score)


def _feedback(verdict: Verdict) -> str:
    """Say in a sentence or two what the guard found."""
    if verdict.error:
        return f"The response and the reference could not be compared: {verdict.error}."
    if verdict.same:
        return "The response says the same as the reference."
    why = _DIFFERENCES.get(verdict.reason, verdict.reason)
    ours, theirs = (f"“{words}”" if words else "nothing in its place" for words in verdict.words)
    named = f" The response has {ours}, and the reference has {theirs}." if any(verdict.words) else ""
    return f"The response does not say the same as the reference: {why}.{named}"
