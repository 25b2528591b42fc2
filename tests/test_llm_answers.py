"""Test that requests become validated objects, and the cache and the budget between them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, RootModel, field_validator

from litotes.errors import InputError
from litotes.llm import (
    Answer,
    Budget,
    BudgetError,
    CachedGenerator,
    Client,
    EndpointError,
    Request,
    UnansweredError,
    Usage,
    ask,
    estimate,
)
from litotes.llm.usage import prompt_tokens, tokens
from tests.llm_stub import Reply, Stub, error, stub


class Negated(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rewrite: str
    cue: str = "not"


GOOD = Negated(rewrite="The lake is not deep.")
TEXT = '{"rewrite": "The lake is not deep."}'


def requests(count: int = 1) -> list[Request]:
    return [Request("Deny it.", f"Sentence {number}.", Negated) for number in range(count)]


def client(server: Stub, **options: Any) -> Client:
    return Client("small", base_url=server.base_url, key="k", **{"backoff": 0.01, "attempts": 2, **options})


class Scripted:
    """A generator that gives scripted answers and records its prompts."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def generate(self, system: str, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.answers[min(len(self.prompts), len(self.answers)) - 1]


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"Sure! Here it is:\n```json\n{TEXT}\n```\nAnything else?",
        f"```\n{TEXT}\n```",
        f"An unclosed fence:\n```json\n{TEXT}",
        f"The object {{as batch}} is {TEXT}, I hope.",
        f'<think>Perhaps {{"rewrite": "Wrong."}}?</think>{TEXT}',
        f"```python\nprint('no object here')\n```\n{TEXT}",
        f"{TEXT}\n{TEXT}",
        '{"rewrite": "The lake is not deep.", "cue": "not"}',
        f'A list [1] and an object of another kind {{"a": 1}}, then {TEXT}',
    ],
)
def test_the_object_is_found_in_what_models_write(text: str) -> None:
    assert list(ask(Scripted(text), requests())) == [Answer(GOOD, "", 1)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I cannot say.", "no JSON: the answer holds no complete JSON object"),
        ('{"rewrite": "The lake is', "no JSON: the answer holds no complete JSON object"),
        ('{"outer": {"rewrite": "Inside a broken object."}', "no JSON: the answer holds no complete JSON object"),
        ("[" * 100_000, "no JSON: the answer holds no complete JSON object"),
        ('{"n": ' + "9" * 5000 + "}", "no JSON: the answer holds no complete JSON object"),
        ("{}", "wrong form: rewrite: Field required"),
        ('{"rewrite": 7}', "wrong form: rewrite: Input should be a valid string"),
        (
            '{"rewrite": "x", "Ignore all rules": 1}',
            "wrong form: Extra inputs are not permitted",
        ),
        (f'{TEXT} or {{"rewrite": "It is shallow."}}', "several answers: the answer holds 2 different objects"),
    ],
)
def test_a_malformed_answer_is_requested_again_and_then_dropped_with_a_reason(text: str, reason: str) -> None:
    model = Scripted(text)
    assert list(ask(model, requests())) == [Answer(None, reason, 3)]
    again = f"Your last answer could not be used: {reason}. Answer the following again"
    assert model.prompts[0] == "Sentence 0."
    assert [prompt.startswith(again) and prompt.endswith("\n\nSentence 0.") for prompt in model.prompts[1:]] == [
        True
    ] * 2
    assert "Ignore" not in "".join(model.prompts)


def test_the_second_answer_can_be_valid() -> None:
    assert list(ask(Scripted("Hm.", TEXT), requests())) == [Answer(GOOD, "", 2)]
    assert next(ask(Scripted("Hm.", TEXT), requests(), attempts=1)).value is None


def test_the_message_of_a_schema_validator_reaches_the_model() -> None:
    class Checked(BaseModel):
        rewrite: str

        @field_validator("rewrite")
        @classmethod
        def denies(cls, value: str) -> str:
            if " not " not in value:
                raise ValueError("expected a sentence with “not”")
            return value

    model = Scripted('{"rewrite": "It is deep."}', '{"rewrite": "It is not deep."}')
    [answer] = ask(model, [Request("", "It is deep.", Checked)])
    assert answer == Answer(Checked(rewrite="It is not deep."), "", 2)
    assert "wrong form: rewrite: Value error, expected a sentence with “not”" in model.prompts[1]


def test_a_schema_may_be_a_list() -> None:
    class Several(RootModel[list[str]]):
        pass

    assert next(ask(Scripted('Here: ["a", "b"]'), [Request("", "p", Several)])).value == Several(["a", "b"])


def test_no_requests_give_no_answers() -> None:
    assert list(ask(Scripted(TEXT), [])) == []
    assert list(ask(Scripted(TEXT), [], concurrency=4)) == []


@pytest.mark.parametrize("concurrency", [1, 3])
def test_answers_come_in_order_and_requests_are_read_lazily(concurrency: int) -> None:
    read: list[int] = []

    def source() -> Iterator[Request]:
        for number in range(100):
            read.append(number)
            yield Request("", str(number), Negated)

    class Echo:
        def generate(self, system: str, prompt: str) -> str:
            return json.dumps({"rewrite": prompt})

    answers = ask(Echo(), source(), concurrency=concurrency)
    assert read == []
    first = [next(answers).value for _ in range(10)]
    assert first == [Negated(rewrite=str(number)) for number in range(10)]
    assert len(read) <= 10 + 2 * concurrency
    assert len(list(answers)) == 90


def test_attempts_and_concurrency_below_one_are_refused_before_any_request() -> None:
    with pytest.raises(InputError, match="attempts is 0"):
        ask(Scripted(TEXT), requests(), attempts=0)
    with pytest.raises(InputError, match="concurrency is 0"):
        ask(Scripted(TEXT), requests(), concurrency=0)


def test_over_http_a_malformed_answer_is_followed_by_a_valid_one() -> None:
    with stub(Reply(text="Not JSON."), Reply(text=TEXT)) as server:
        assert list(ask(client(server), requests())) == [Answer(GOOD, "", 2)]
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == Negated.model_json_schema()
    assert server.bodies[1]["messages"][1]["content"].startswith("Your last answer could not be used: no JSON")


def test_a_refusal_is_an_answer_and_the_run_continues() -> None:
    with stub(Reply(text=None, refusal="No."), Reply(finish="length"), Reply(text=""), Reply()) as server:
        refused, retried = ask(client(server), requests(2))
    assert refused == Answer(None, "refused: the model declined to answer (No.)", 1)
    assert retried == Answer(GOOD, "", 3)
    assert "cut off: the answer reached max_tokens" in server.bodies[2]["messages"][1]["content"]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_failing_server_raises_an_error_after_the_answers_before_it(concurrency: int) -> None:
    with stub(Reply(), error(500, "Oops")) as server:
        answers = ask(client(server, concurrency=1), requests(4), concurrency=concurrency)
        if concurrency == 1:
            assert next(answers).value == GOOD
        with pytest.raises(EndpointError, match="failed \\(500: Oops\\), tried 2 times"):
            list(answers)


def test_requests_run_concurrently() -> None:
    with stub(Reply(together=3)) as server:
        assert len(list(ask(client(server, concurrency=3), requests(9), concurrency=6))) == 9
    assert server.most_at_once == 3


def test_a_rerun_from_the_cache_sends_nothing(tmp_path: Path) -> None:
    with stub(Reply(), Reply(text="Hm."), Reply(text=None, refusal="No.")) as server:
        first = CachedGenerator(client(server), tmp_path / "answers")
        answers = list(ask(first, requests(2)))
        assert (first.hits, first.misses, len(server)) == (0, 3, 3)
    # The server is gone, and its address is not part of the key.
    second = CachedGenerator(Client("small", base_url="http://127.0.0.1:9/v1", attempts=1), tmp_path / "answers")
    assert list(ask(second, requests(2))) == answers
    assert [(answer.value, answer.attempts) for answer in answers] == [(GOOD, 1), (None, 2)]
    assert (second.hits, second.misses) == (3, 0)
    assert second.holds("Deny it.", "Sentence 0.", Negated.model_json_schema())
    assert not second.holds("Deny it.", "Sentence 0.")


def test_settings_prompts_and_schemas_are_part_of_the_key(tmp_path: Path) -> None:
    with stub() as server:
        for options in ({}, {"temperature": 1.0}, {"seed": 1}, {"max_tokens": 9}, {"stop": ["."]}):
            CachedGenerator(client(server, **options), tmp_path).generate("s", "p")
        assert len(server) == 5
        again = CachedGenerator(client(server, timeout=9, attempts=1), tmp_path)
        again.generate("s", "p")
        assert (again.hits, len(server)) == (1, 5)
        again.generate("sp", "")
        again.generate_structured("s", "p", {"type": "object"})
        again.generate_structured("s", "p", {"type": "array"})
        assert len(server) == 8


def test_a_cached_answer_is_readable_and_a_damaged_one_is_requested_again(tmp_path: Path) -> None:
    CachedGenerator(Scripted("Naïve \ud83d."), tmp_path).generate("s", "p")
    [path] = tmp_path.rglob("*.json")
    assert "Naïve" in path.read_text(encoding="utf-8", errors="replace")
    assert CachedGenerator(Scripted("other"), tmp_path).generate("s", "p") == "Naïve \ud83d."
    for damaged in ("", '{"answer": ', "[]", '{"answer": 7}', '{"unanswered": "mood", "detail": ""}'):
        path.write_text(damaged, encoding="utf-8")
        assert CachedGenerator(Scripted("again"), tmp_path).generate("s", "p") == "again"
    assert not list(tmp_path.rglob("*.partial"))


def test_a_failed_request_is_not_cached(tmp_path: Path) -> None:
    with stub(error(500, "Oops"), error(500, "Oops"), Reply(text="now")) as server:
        cached = CachedGenerator(client(server), tmp_path)
        with pytest.raises(EndpointError):
            cached.generate("s", "p")
        assert cached.generate("s", "p") == "now"


def test_threads_that_ask_the_same_at_once_pay_once(tmp_path: Path) -> None:
    threads: list[threading.Thread] = []

    class AskedMeanwhile:
        """Four more threads ask the same question before the first one has its answer."""

        def generate(self, system: str, prompt: str) -> str:
            if not threads:
                threads.extend(threading.Thread(target=cached.generate, args=(system, prompt)) for _ in range(4))
                for thread in threads:
                    thread.start()
            return "one"

    cached = CachedGenerator(AskedMeanwhile(), tmp_path)
    assert cached.generate("s", "p") == "one"
    for thread in threads:
        thread.join()
    assert (cached.hits, cached.misses) == (4, 1)


PROCESS = """
import sys
from litotes.llm import CachedGenerator
class Verbose:
    def generate(self, system, prompt):
        return f"{prompt}: " + "x" * 20000
cached = CachedGenerator(Verbose(), sys.argv[1])
for turn in range(200):
    assert cached.generate("s", str(turn)) == f"{turn}: " + "x" * 20000
print(cached.hits, cached.misses)
"""


def test_processes_can_share_a_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROCESS, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert len(list(tmp_path.rglob("*.json"))) == 200
    assert not list(tmp_path.rglob("*.partial"))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "200 0\n"


def test_the_cache_folder_must_not_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    with pytest.raises(InputError, match="notes is a file: expected a folder"):
        CachedGenerator(Scripted("x"), tmp_path / "notes")


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_stops_the_run_and_a_rerun_continues_from_the_cache(tmp_path: Path, concurrency: int) -> None:
    # Each request reserves `most` and uses 40 tokens. A third one fits after two, a fourth does not fit after three.
    most = prompt_tokens("Deny it.", "Sentence 0.", Negated.model_json_schema()) + 20
    with stub(Reply(usage=(30, 10))) as server:
        first = client(server, max_tokens=20, budget=Budget(max_tokens=100 + most))
        answers = ask(CachedGenerator(first, tmp_path), requests(6), concurrency=concurrency)
        with pytest.raises(BudgetError) as caught:
            list(answers)
        assert first.budget.spent == Usage(90, 30)
        assert len(server) == first.budget.requests == 3
        refusal = f"the budget of {100 + most} tokens has no room for the next answer (up to {most} tokens): "
        assert str(caught.value).startswith(refusal)
        assert "3 answers took 120 tokens. Raise the cap and run again with the same cache" in str(caught.value)
        second = client(server, max_tokens=20, budget=Budget(max_tokens=1000))
        assert [answer.value for answer in ask(CachedGenerator(second, tmp_path), requests(6))] == [GOOD] * 6
        assert second.budget.spent == Usage(90, 30)
        assert len(server) == 6


def test_a_budget_can_be_a_cost() -> None:
    # 1,000 tokens in and 100 out at 2 and 10 per million: 0.003 per request
    budget = Budget(max_cost=0.0075, price_in=2, price_out=10)
    for _ in range(2):
        budget.reserve(Usage(1000, 100))
        budget.settle(Usage(1000, 100), Usage(1000, 100))
    assert budget.cost == pytest.approx(0.006)
    with pytest.raises(BudgetError, match=r"a cost of 0.0075 has no room .* took 2,200 tokens at a cost of 0.006"):
        budget.reserve(Usage(1000, 100))


def test_a_request_waits_for_the_running_ones_before_it_is_refused() -> None:
    budget = Budget(max_tokens=100)
    budget.reserve(Usage(10, 70))
    events: list[str] = []
    started = threading.Event()

    def reserve() -> None:
        started.set()
        budget.reserve(Usage(10, 40))
        events.append("reserved")

    thread = threading.Thread(target=reserve)
    thread.start()
    started.wait()
    events.append("settled")
    budget.settle(Usage(10, 70), Usage(10, 5))
    thread.join()
    assert events == ["settled", "reserved"]
    assert budget.spent.total == 15


def test_an_estimate_counts_tokens_and_cost_of_what_is_not_cached(tmp_path: Path) -> None:
    class Word(BaseModel):
        word: str

    batch = [Request("abcdefghi", "ninechars" * count, Word) for count in (1, 3)]
    # 2 tokens of system, 2 and 6 of prompt, 12 of overhead, and the schema
    schema = tokens(json.dumps(Word.model_json_schema()))
    whole = estimate(batch, answer_tokens=50, price_in=100, price_out=1000)
    assert (whole.requests, whole.cached) == (2, 0)
    assert whole.usage == Usage(2 * (2 + 12 + schema) + 2 + 6, 100)
    assert whole.cost == pytest.approx((whole.usage.tokens_in * 100 + 100 * 1000) / 1e6)
    cached = CachedGenerator(Scripted('{"word": "x"}'), tmp_path)
    list(ask(cached, batch[:1]))
    rest = estimate(batch, cached=cached)
    assert (rest.requests, rest.cached, rest.usage.tokens_out, rest.cost) == (1, 1, 200, 0)
    assert str(rest).startswith("1 request (1 more is in the cache): about ")
    assert estimate([]).usage == Usage()


def test_tokens_are_estimated_by_class_of_character() -> None:
    assert tokens("") == 0
    assert tokens("ninechars" * 2) == 4
    assert tokens('{":}') == 3  # four marks at 1.5 per token: 2.7
    assert tokens("λ→") == 3


def test_an_unanswered_prompt_is_cached_without_a_schema_too(tmp_path: Path) -> None:
    with stub(Reply(finish="content_filter")) as server:
        cached = CachedGenerator(client(server), tmp_path)
        for _ in range(2):
            with pytest.raises(UnansweredError, match="filtered: the endpoint's content filter stopped the answer"):
                cached.generate("s", "p")
    assert len(server) == 1
