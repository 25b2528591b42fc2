"""A semantic cache for LangChain's models, on any of its vector stores, with the guard.

LangChain's own semantic caches return the answer without the prompt that it belongs to, so a guard cannot wrap them.
Importing this module needs langchain-core; the rest of litotes does not.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from litotes.errors import InputError, require
from litotes.guard.adapters.candidates import CANDIDATES, check_candidates
from litotes.guard.adapters.common import guard_of
from litotes.guard.guard import Guard

SCOPE, ANSWER = "litotes_scope", "litotes_answer"
"""The keys of an entry's metadata: the hash of all that must match exactly, and the answer as JSON."""
_UNFILTERED = 10
"""how many times more entries are asked for if the store cannot filter by scope"""
_WHY = "LangChain's cache"
_base: Any = require("langchain_core.caches", extra="caches", why=_WHY).BaseCache
_log = logging.getLogger("litotes.guard")


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked, in two parts."""

    text: str
    """the text of the last human message, or the whole prompt if it is not one of a chat; "" if there is none"""
    scope: str
    """a hash of everything else: the model and its settings, the system prompt, the history"""


class GuardedCache(_base):  # type: ignore[misc]
    """A cache for `set_llm_cache` that returns an answer only if the guard accepts the question it was given to.

    `store` is a LangChain vector store, which has the questions and, in their metadata, the answers. `guard` is a
    `Guard` or the name of a tier; the default is `Guard()`. `candidates` is how many of the nearest questions the guard
    judges. The guard compares the last human messages. The model, its settings and all other messages must be equal;
    their hash is `litotes_scope` in the metadata. `filter` turns that hash into the `filter` of the store's search,
    such as `lambda scope: {"litotes_scope": scope}`. Without it, the store is asked for ten times as many entries.
    """

    def __init__(
        self,
        store: Any,
        guard: Guard | str | None = None,
        *,
        candidates: int = CANDIDATES,
        filter: Callable[[str], Any] | None = None,
    ) -> None:
        if not isinstance(store, require("langchain_core.vectorstores", extra="caches", why=_WHY).VectorStore):
            raise InputError(f"the store is {type(store).__name__}; expected a LangChain VectorStore")
        self.candidates = check_candidates(candidates)
        self.guard = guard_of(guard)
        self.store = store
        self._filter = filter
        self._added: list[str] = []

    def lookup(self, prompt: str, llm_string: str) -> list[Any] | None:
        """Return the answer to the nearest question that the guard accepts, or None."""
        request = request_of(prompt, llm_string)
        if not request.text:
            return None
        return self._chosen(request, self.store.similarity_search(request.text, **self._search(request)))

    async def alookup(self, prompt: str, llm_string: str) -> list[Any] | None:
        """Do the same asynchronously; the guard runs in a thread."""
        request = request_of(prompt, llm_string)
        if not request.text:
            return None
        found = await self.store.asimilarity_search(request.text, **self._search(request))
        return await asyncio.to_thread(self._chosen, request, found)

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:
        """Store an answer. One to a prompt without a human text, or that JSON cannot hold, is not stored."""
        if documents := _documents(request_of(prompt, llm_string), return_val):
            added = self.store.add_documents(documents)
            self._added.extend(added)

    async def aupdate(self, prompt: str, llm_string: str, return_val: Sequence[Any]) -> None:
        """Do the same asynchronously."""
        if documents := _documents(request_of(prompt, llm_string), return_val):
            added = await self.store.aadd_documents(documents)
            self._added.extend(added)

    def clear(self, **options: Any) -> None:
        """Delete what this object has stored. Vector stores have no common way to delete the entries of others.

        `options` are passed to the store's `delete`.
        """
        added, self._added = self._added, []
        if added:
            self.store.delete(added, **options)

    async def aclear(self, **options: Any) -> None:
        """Do the same asynchronously."""
        added, self._added = self._added, []
        if added:
            await self.store.adelete(added, **options)

    def _search(self, request: Request) -> dict[str, Any]:
        if self._filter is None:
            return {"k": self.candidates * _UNFILTERED}
        return {"k": self.candidates, "filter": self._filter(request.scope)}

    def _chosen(self, request: Request, documents: Sequence[Any]) -> list[Any] | None:
        """Let the guard choose among the documents of the same scope."""
        same = [document for document in documents if document.metadata.get(SCOPE) == request.scope]
        nearest = same[: self.candidates]
        found = self.guard.first(request.text, [document.page_content for document in nearest])
        return None if found is None else _generations(nearest[found[0]].metadata[ANSWER])


def request_of(prompt: str, llm_string: str) -> Request:
    """Split a prompt, as LangChain gives it to a cache: that of a chat is a list of messages in JSON."""
    messages = _messages(prompt)
    if messages is None:
        return Request(prompt.strip() and prompt, _hash(llm_string))
    text = ""
    for message in reversed(messages):
        if message["kwargs"].get("type") == "human":
            text, message["kwargs"]["content"] = _split(message["kwargs"].get("content"))
            break
    return Request(text, _hash([llm_string, messages]))


def _messages(prompt: str) -> list[dict[str, Any]] | None:
    """Return the messages of a chat without their ids; None if the prompt is something else."""
    try:
        found = json.loads(prompt)
    except ValueError:
        return None
    if not isinstance(found, list) or not found:
        return None
    for one in found:
        if not (isinstance(one, dict) and one.get("lc") == 1 and isinstance(one.get("kwargs"), dict)):
            return None
        one["kwargs"].pop("id", None)
    return found


def _split(content: Any) -> tuple[str, Any]:
    """Return the text of a message and the content without it; images and other parts stay."""
    if not isinstance(content, list):
        return (content, "") if isinstance(content, str) and content.strip() else ("", content)
    texts: list[str] = []
    rest: list[Any] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
            rest.append("")
        elif isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
            texts.append(part["text"])
            rest.append({**part, "text": ""})
        else:
            rest.append(part)
    text = "\n".join(texts)
    return (text, rest) if text.strip() else ("", content)


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _documents(request: Request, generations: Sequence[Any]) -> list[Any]:
    """Return the document to store, or none."""
    if not request.text:
        return []
    messages = require("langchain_core.messages", extra="caches", why=_WHY)
    rows = []
    for one in generations:
        row: dict[str, Any] = {"text": one.text, "info": one.generation_info}
        if (message := getattr(one, "message", None)) is not None:
            row["message"] = messages.message_to_dict(message)
        rows.append(row)
    try:
        answer = json.dumps(rows)
    except (TypeError, ValueError) as error:
        _log.warning("an answer is not cached, because it cannot be written as JSON: %s", error)
        return []
    kind = require("langchain_core.documents", extra="caches", why=_WHY).Document
    return [kind(page_content=request.text, metadata={SCOPE: request.scope, ANSWER: answer})]


def _generations(answer: str) -> list[Any]:
    """Return the generations that `_documents` wrote."""
    outputs = require("langchain_core.outputs", extra="caches", why=_WHY)
    messages = require("langchain_core.messages", extra="caches", why=_WHY)
    found = []
    for row in json.loads(answer):
        if "message" in row:
            (message,) = messages.messages_from_dict([row["message"]])
            found.append(outputs.ChatGeneration(message=message, generation_info=row["info"]))
        else:
            found.append(outputs.Generation(text=row["text"], generation_info=row["info"]))
    return found
