"""A client for any OpenAI-compatible endpoint."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from litotes.errors import EndpointError, InputError, MissingError, NoLogProbabilitiesError, require
from litotes.llm.budget import Budget
from litotes.llm.log_probabilities import checked_labels, label_log_probabilities
from litotes.llm.payloads import Capabilities, ModelInput, ModelSettings, max_answer_tokens, request_body
from litotes.llm.rate_limiter import RateLimiter
from litotes.llm.replies import FailedRequestError, answer_text, is_completion, translate_error, usage, written_text
from litotes.llm.retries import RetryableError, retrying
from litotes.llm.usage import Usage, prompt_tokens, tokens

OPENAI_URL = "https://api.openai.com/v1"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
Result = TypeVar("Result")


class Client:
    """A model behind an endpoint, as a `Generator` that many threads can share.

    `base_url`, `key` and `model` default to OPENAI_BASE_URL, OPENAI_API_KEY and LITOTES_LLM_MODEL. Style "chat" sends
    system and prompt as messages. Style "completion" joins them, for few-shot prompts to base or small models, and
    needs `stop`. `structured` is how a schema is sent: "schema" (JSON schema), "json" (JSON mode) or "none". A
    temperature or seed of None is not sent. Nothing connects before the first request.
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
        self.settings = ModelSettings(model, style, structured, temperature, max_tokens, seed, tuple(stop))
        self.base_url = _checked_url(base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL)
        self.budget = budget or Budget()
        self._key = key or os.environ.get("OPENAI_API_KEY") or ""
        self._timeout, self._attempts, self._longest_wait = timeout, attempts, longest_wait
        self._rate_limiter = RateLimiter(requests_per_minute)
        self._retrying = retrying(
            attempts=attempts, backoff=backoff, longest_wait=longest_wait, before_sleep=self._pause_if_rate_limited
        )
        self._slots = threading.BoundedSemaphore(concurrency)
        self._capabilities = Capabilities()
        self._lock = threading.Lock()
        self._api: Any = None

    @property
    def signature(self) -> str:
        """What an answer depends on besides its prompt; part of the cache key."""
        return json.dumps(asdict(self.settings), sort_keys=True)

    def generate(self, system: str, prompt: str) -> str:
        """Return the model's answer, or raise UnansweredError, EndpointError or BudgetError."""
        return self._ask(ModelInput(system, prompt), answer_text)

    def generate_structured(self, system: str, prompt: str, schema_json: dict[str, Any]) -> str:
        """Do the same under a JSON schema, if the endpoint can enforce one. The caller still validates the answer."""
        return self._ask(ModelInput(system, prompt, schema_json), answer_text)

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """Return the natural logarithm of each label's probability as the first token of the answer.

        All listed tokens that equal the label up to spaces and case count. A label that is not listed is at most as
        likely as the least likely token that is, so it gets that token's value; if no label is listed, UnansweredError
        is raised. NoLogProbabilitiesError means that the endpoint gives no log-probabilities; it is not asked again.
        """
        checked = checked_labels(labels)
        model_input = ModelInput(system, prompt, log_probabilities=True)
        values = self._ask(model_input, lambda reply: label_log_probabilities(reply, checked))
        if values is None:
            self._capabilities = replace(self._capabilities, alternatives=0)
            raise self._no_log_probabilities()
        return values

    def _ask(self, model_input: ModelInput, read: Callable[[Any], Result]) -> Result:
        try:
            result: Result = self._retrying(self._request, model_input, read)
            return result
        except FailedRequestError as error:
            if error.wait is not None and error.wait > self._longest_wait:
                advice = f"{error} and asks to wait {error.wait:,.0f} s: run again then"
            else:
                tried = f", tried {self._attempts} times" if self._attempts > 1 else ""
                advice = f"{error}{tried}: {error.advice}"
            raise EndpointError(f"{self._endpoint} {advice}") from error

    def _pause_if_rate_limited(self, error: RetryableError, seconds: float) -> None:
        """Let every thread wait, not only the one whose request was refused."""
        if isinstance(error, FailedRequestError) and error.rate_limited:
            self._rate_limiter.pause(seconds)

    def _request(self, model_input: ModelInput, read: Callable[[Any], Result]) -> Result:
        """Send one request within the limits, and count what it used."""
        sent = prompt_tokens(model_input.system, model_input.prompt, model_input.schema_json)
        most = Usage(sent, max_answer_tokens(self.settings, model_input))
        used: Usage | None = None
        with self._slots:
            self.budget.reserve(most)
            try:
                reply = self._send(model_input)
                used = usage(reply) or Usage(most.tokens_in, tokens(written_text(reply)))
                return read(reply)
            except FailedRequestError as error:
                used = most if error.billed else None
                raise
            finally:
                self.budget.settle(most, used)

    def _send(self, model_input: ModelInput) -> Any:
        """Return the endpoint's reply, after leaving out whatever the endpoint refuses."""
        openai = require("openai", extra="llm", why="the llm client")
        api = self._connection(openai)
        create = api.chat.completions.create if self.settings.style == "chat" else api.completions.create
        while True:
            capabilities = self._capabilities
            if model_input.log_probabilities and not capabilities.alternatives:
                raise self._no_log_probabilities()
            self._rate_limiter.wait()
            try:
                reply = create(**request_body(self.settings, capabilities, model_input))
            except (openai.OpenAIError, ValueError) as error:
                reduced = capabilities.after(error)
                if reduced is None:
                    raise self._translated(error) from error
                self._capabilities = reduced
                continue
            if not is_completion(reply):
                advice = "check the base URL, which usually ends in /v1"
                raise FailedRequestError("sent a reply that holds no completion", advice=advice)
            return reply

    def _connection(self, openai: Any) -> Any:
        """Return the official client. Its own retries are off: they bypass the budget and the shared rate limit."""
        with self._lock:
            if self._api is None:
                if not self._key and self.base_url == OPENAI_URL:
                    advice = "set OPENAI_API_KEY or pass key; for another endpoint, set OPENAI_BASE_URL"
                    raise MissingError(f"{OPENAI_URL} needs a key: {advice}")
                parts = urlsplit(self.base_url)
                # A server on this machine is not reached through a proxy.
                options: dict[str, Any] = {"trust_env": False} if parts.hostname in LOOPBACK else {}
                if parts.username:
                    # The library logs the URLs it requests, so name and password are passed separately.
                    options["auth"] = (unquote(parts.username), unquote(parts.password or ""))
                self._api = openai.OpenAI(
                    base_url=self._plain_url,
                    api_key=self._key or "none",
                    timeout=self._timeout,
                    max_retries=0,
                    http_client=openai.DefaultHttpxClient(**options) if options else None,
                )
            return self._api

    @property
    def _plain_url(self) -> str:
        """The base URL without the name and password that it may contain."""
        parts = urlsplit(self.base_url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def _endpoint(self) -> str:
        """The endpoint's name in messages."""
        return f"the endpoint at {self._plain_url.partition('?')[0]}"

    def _no_log_probabilities(self) -> NoLogProbabilitiesError:
        return NoLogProbabilitiesError(
            f"{self._endpoint} gives no log-probabilities: ask it for text (generate), or use another"
        )

    def _translated(self, error: Exception) -> Exception:
        meaning = translate_error(error, model=self.settings.model, timeout=self._timeout, secret=self._key)
        return EndpointError(f"{self._endpoint} {meaning}") if isinstance(meaning, EndpointError) else meaning


def _checked_url(url: str) -> str:
    """Return a usable base URL without a trailing slash."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        # The part before an @ may be a password.
        without_password = url.rpartition("@")[2]
        raise InputError(f"the base URL is {without_password!r}: expected one such as http://127.0.0.1:8080/v1")
    return url.rstrip("/")
