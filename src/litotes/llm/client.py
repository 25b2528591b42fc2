"""One client for any OpenAI-compatible endpoint."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from litotes.errors import EndpointError, InputError, MissingError, UnweighedError, require
from litotes.llm.bodies import Dialect, Question, Settings, answer_tokens, body
from litotes.llm.budget import Budget, Usage, prompt_tokens, tokens
from litotes.llm.pace import Pace, delay
from litotes.llm.replies import TroubledError, is_completion, said, text, trouble, usage
from litotes.llm.weights import checked_labels, weights

OFFICIAL = "https://api.openai.com/v1"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
Found = TypeVar("Found")


class Client:
    """A model behind an endpoint, as a `Generator` that many threads can share.

    `base_url`, `key` and `model` come from the options or from OPENAI_BASE_URL, OPENAI_API_KEY and LITOTES_LLM_MODEL.
    Style "chat" sends system and prompt as messages; "completion" joins them, for few-shot prompts to base or small
    models, and wants `stop`. `structured` says how a schema reaches the endpoint: as a JSON schema, as JSON mode, or
    not at all. A temperature or seed of None is not sent. Nothing is connected before the first request.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        base_url: str | None = None,
        key: str | None = None,
        style: str = "chat",
        structured: str = "schema",
        temperature: float | None = 0.0,
        max_tokens: int = 1024,
        seed: int | None = 0,
        stop: Sequence[str] = (),
        timeout: float = 60.0,
        attempts: int = 5,
        backoff: float = 0.5,
        longest_wait: float = 60.0,
        requests_per_minute: float = 0,
        concurrency: int = 4,
        budget: Budget | None = None,
    ) -> None:
        model = model or os.environ.get("LITOTES_LLM_MODEL")
        if not model:
            raise InputError("no model was named: pass one, or set LITOTES_LLM_MODEL")
        for name, value in (("attempts", attempts), ("concurrency", concurrency)):
            if value < 1:
                raise InputError(f"{name} is {value}: expected at least 1")
        if timeout <= 0 or requests_per_minute < 0:
            raise InputError("timeout must be more than 0 seconds and requests_per_minute 0 (no limit) or more")
        self.settings = Settings(model, style, structured, temperature, max_tokens, seed, tuple(stop))
        self.base_url = _address(base_url or os.environ.get("OPENAI_BASE_URL") or OFFICIAL)
        self.budget = budget or Budget()
        self._key = key or os.environ.get("OPENAI_API_KEY") or ""
        self._timeout, self._attempts = timeout, attempts
        self._backoff, self._longest_wait = backoff, longest_wait
        self._pace = Pace(requests_per_minute)
        self._places = threading.BoundedSemaphore(concurrency)
        self._dialect = Dialect()
        self._lock = threading.Lock()
        self._api: Any = None

    @property
    def signature(self) -> str:
        """What an answer depends on beside its prompt; the cache files answers under it."""
        return json.dumps(asdict(self.settings), sort_keys=True)

    def generate(self, system: str, prompt: str) -> str:
        """The model's answer; UnansweredError, EndpointError or BudgetError where there is none."""
        return self._ask(Question(system, prompt), text)

    def generate_structured(self, system: str, prompt: str, schema_json: dict[str, Any]) -> str:
        """The same, with the endpoint held to a JSON schema where it can be. The answer is still to be validated."""
        return self._ask(Question(system, prompt, schema_json), text)

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """How likely each label is as the first token of the answer, as natural logarithms.

        Every listed token that is the label but for blanks and case counts. A label that is not listed is at most as
        likely as the least likely token that is, and gets that token's; where no label is listed, UnansweredError.
        UnweighedError where the endpoint gives no log-probabilities, which it is not asked for again.
        """
        wanted = checked_labels(labels)
        found = self._ask(Question(system, prompt, weighed=True), lambda reply: weights(reply, wanted))
        if found is None:
            self._dialect = replace(self._dialect, listed=0)
            raise self._unweighed()
        return found

    def _ask(self, question: Question, read: Callable[[Any], Found]) -> Found:
        failures = 0
        while True:
            try:
                return self._request(question, read)
            except TroubledError as found:
                failures += 1
                self._rest(found, failures)

    def _rest(self, found: TroubledError, failures: int) -> None:
        """Wait before the next try; EndpointError when there is to be none."""
        if failures == self._attempts:
            tried = f", tried {failures} times" if failures > 1 else ""
            raise EndpointError(f"{self._where} {found}{tried}: {found.advice}") from found
        backoff = delay(failures, first=self._backoff, longest=self._longest_wait)
        wait = backoff if found.wait is None else found.wait
        if wait > self._longest_wait:
            raise EndpointError(f"{self._where} {found} and asks to wait {wait:,.0f} s: run again then") from found
        if found.crowded:
            self._pace.hold(wait)
        else:
            time.sleep(wait)

    def _request(self, question: Question, read: Callable[[Any], Found]) -> Found:
        """One try within the limits, paid for."""
        sent = prompt_tokens(question.system, question.prompt, question.schema_json)
        most = Usage(sent, answer_tokens(self.settings, question))
        used: Usage | None = None
        with self._places:
            self.budget.reserve(most)
            try:
                reply = self._send(question)
                used = usage(reply) or Usage(most.tokens_in, tokens(said(reply)))
                return read(reply)
            except TroubledError as found:
                used = most if found.billed else None
                raise
            finally:
                self.budget.settle(most, used)

    def _send(self, question: Question) -> Any:
        """The endpoint's reply, in whatever dialect it takes."""
        openai = require("openai", extra="llm", why="the llm client")
        api = self._connection(openai)
        create = api.chat.completions.create if self.settings.style == "chat" else api.completions.create
        while True:
            dialect = self._dialect
            if question.weighed and not dialect.listed:
                raise self._unweighed()
            self._pace.wait()
            try:
                reply = create(**body(self.settings, dialect, question))
            except (openai.OpenAIError, ValueError) as error:
                changed = dialect.after(error)
                if changed is None:
                    raise self._named(trouble(error, self.settings.model, self._timeout, self._key)) from error
                self._dialect = changed
                continue
            if not is_completion(reply):
                advice = "check the base URL, which mostly ends in /v1"
                raise TroubledError("sent a reply that holds no completion", advice=advice)
            return reply

    def _connection(self, openai: Any) -> Any:
        """The official client, its own retries off so that ours are the ones that count."""
        with self._lock:
            if self._api is None:
                if not self._key and self.base_url == OFFICIAL:
                    advice = "set OPENAI_API_KEY or pass key; for another endpoint, set OPENAI_BASE_URL"
                    raise MissingError(f"{OFFICIAL} needs a key: {advice}")
                parts = urlsplit(self.base_url)
                # what runs on this machine is not reached through a proxy
                how: dict[str, Any] = {"trust_env": False} if parts.hostname in LOOPBACK else {}
                if parts.username:
                    # the library logs the addresses it asks: name and password travel beside them
                    how["auth"] = (unquote(parts.username), unquote(parts.password or ""))
                self._api = openai.OpenAI(
                    base_url=self._plain_url,
                    api_key=self._key or "none",
                    timeout=self._timeout,
                    max_retries=0,
                    http_client=openai.DefaultHttpxClient(**how) if how else None,
                )
            return self._api

    @property
    def _plain_url(self) -> str:
        """The base URL without the name and password it may carry."""
        parts = urlsplit(self.base_url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def _where(self) -> str:
        """The endpoint in messages."""
        return f"the endpoint at {self._plain_url.partition('?')[0]}"

    def _unweighed(self) -> UnweighedError:
        return UnweighedError(f"{self._where} gives no log-probabilities: ask it for text (generate), or use another")

    def _named(self, found: Exception) -> Exception:
        return EndpointError(f"{self._where} {found}") if isinstance(found, EndpointError) else found


def _address(url: str) -> str:
    """A base URL that can be one."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        # what stands before an @ may be a password
        said = url.rpartition("@")[2]
        raise InputError(f"the base URL is {said!r}: expected one such as http://127.0.0.1:8080/v1")
    return url.rstrip("/")
