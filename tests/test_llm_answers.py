"""Requests in, validated objects out; the cache and the budget on the way."""

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
    Cached,
    Client,
    EndpointError,
    Request,
    UnansweredError,
    Usage,
    ask,
    estimate,
)
from litotes.llm.budget import prompt_tokens, tokens
from tests.llm_stub import Reply, Stub, error, stub


class Turned(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rewrite: str
    cue: str = "not"


GOOD = Turned(rewrite="The lake is not deep.")
TEXT = '{"rewrite": "The lake is not deep."}'


def requests(count: int = 1) -> list[Request]:
    return [Request("Deny it.", f"Sentence {number}.", Turned) for number in range(count)]


def client(server: Stub, **options: Any) -> Client:
    return Client("small", base_url=server.base_url, key="k", **{"backoff": 0.01, "attempts": 2, **options})


class Scripted:
    """A generator that says what it is told to, and remembers its prompts."""

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
        f"The object {{as asked}} is {TEXT}, I hope.",
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
def test_what_is_malformed_is_asked_again_and_then_dropped_with_a_reason(text: str, reason: str) -> None:
    model = Scripted(text)
    assert list(ask(model, requests())) == [Answer(None, reason, 3)]
    again = f"Your last answer could not be used: {reason}. Answer the following again"
    assert model.prompts[0] == "Sentence 0."
    assert [prompt.startswith(again) and prompt.endswith("\n\nSentence 0.") for prompt in model.prompts[1:]] == [
        True
    ] * 2
    assert "Ignore" not in "".join(model.prompts)


def test_a_second_answer_can_be_good() -> None:
    assert list(ask(Scripted("Hm.", TEXT), requests())) == [Answer(GOOD, "", 2)]
    assert next(ask(Scripted("Hm.", TEXT), requests(), attempts=1)).value is None


def test_a_validator_of_the_schema_is_told_to_the_model() -> None:
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


def test_nothing_asked_is_nothing_answered() -> None:
    assert list(ask(Scripted(TEXT), [])) == []
    assert list(ask(Scripted(TEXT), [], concurrency=4)) == []


@pytest.mark.parametrize("concurrency", [1, 3])
def test_answers_come_in_order_and_requests_are_read_as_needed(concurrency: int) -> None:
    read: list[int] = []

    def source() -> Iterator[Request]:
        for number in range(100):
            read.append(number)
            yield Request("", str(number), Turned)

    class Echo:
        def generate(self, system: str, prompt: str) -> str:
            return json.dumps({"rewrite": prompt})

    answers = ask(Echo(), source(), concurrency=concurrency)
    assert read == []
    first = [next(answers).value for _ in range(10)]
    assert first == [Turned(rewrite=str(number)) for number in range(10)]
    assert len(read) <= 10 + 2 * concurrency
    assert len(list(answers)) == 90


def test_attempts_and_concurrency_below_one_are_refused_before_anything_is_asked() -> None:
    with pytest.raises(InputError, match="attempts is 0"):
        ask(Scripted(TEXT), requests(), attempts=0)
    with pytest.raises(InputError, match="concurrency is 0"):
        ask(Scripted(TEXT), requests(), concurrency=0)


def test_over_http_malformed_then_good_with_the_schema_sent() -> None:
    with stub(Reply(text="Not JSON."), Reply(text=TEXT)) as server:
        assert list(ask(client(server), requests())) == [Answer(GOOD, "", 2)]
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == Turned.model_json_schema()
    assert server.bodies[1]["messages"][1]["content"].startswith("Your last answer could not be used: no JSON")


def test_a_refusal_is_an_answer_and_the_run_goes_on() -> None:
    with stub(Reply(text=None, refusal="No."), Reply(finish="length"), Reply(text=""), Reply()) as server:
        refused, mended = ask(client(server), requests(2))
    assert refused == Answer(None, "refused: the model declined to answer (No.)", 1)
    assert mended == Answer(GOOD, "", 3)
    assert "cut off: the answer reached max_tokens" in server.bodies[2]["messages"][1]["content"]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_server_that_fails_is_an_error_after_the_answers_before_it(concurrency: int) -> None:
    with stub(Reply(), error(500, "Oops")) as server:
        answers = ask(client(server, concurrency=1), requests(4), concurrency=concurrency)
        if concurrency == 1:
            assert next(answers).value == GOOD
        with pytest.raises(EndpointError, match="failed \\(500: Oops\\), tried 2 times"):
            list(answers)


def test_requests_run_side_by_side() -> None:
    with stub(Reply(seconds=0.15)) as server:
        assert len(list(ask(client(server, concurrency=3), requests(9), concurrency=6))) == 9
    assert server.most_at_once == 3


def test_a_rerun_from_the_cache_asks_nothing(tmp_path: Path) -> None:
    with stub(Reply(), Reply(text="Hm."), Reply(text=None, refusal="No.")) as server:
        first = Cached(client(server), tmp_path / "answers")
        answers = list(ask(first, requests(2)))
        assert (first.hits, first.misses, len(server)) == (0, 3, 3)
    # the server is gone, and where it was does not matter
    second = Cached(Client("small", base_url="http://127.0.0.1:9/v1", attempts=1), tmp_path / "answers")
    assert list(ask(second, requests(2))) == answers
    assert [(answer.value, answer.attempts) for answer in answers] == [(GOOD, 1), (None, 2)]
    assert (second.hits, second.misses) == (3, 0)
    assert second.holds("Deny it.", "Sentence 0.", Turned.model_json_schema())
    assert not second.holds("Deny it.", "Sentence 0.")


def test_other_settings_prompts_and_schemas_are_other_questions(tmp_path: Path) -> None:
    with stub() as server:
        for options in ({}, {"temperature": 1.0}, {"seed": 1}, {"max_tokens": 9}, {"stop": ["."]}):
            Cached(client(server, **options), tmp_path).generate("s", "p")
        assert len(server) == 5
        again = Cached(client(server, timeout=9, attempts=1), tmp_path)
        again.generate("s", "p")
        assert (again.hits, len(server)) == (1, 5)
        again.generate("sp", "")
        again.generate_structured("s", "p", {"type": "object"})
        again.generate_structured("s", "p", {"type": "array"})
        assert len(server) == 8


def test_a_kept_answer_can_be_read_by_people_and_a_spoilt_one_is_asked_for_again(tmp_path: Path) -> None:
    Cached(Scripted("Naïve \ud83d."), tmp_path).generate("s", "p")
    [path] = tmp_path.rglob("*.json")
    assert "Naïve" in path.read_text(encoding="utf-8", errors="replace")
    assert Cached(Scripted("other"), tmp_path).generate("s", "p") == "Naïve \ud83d."
    for spoilt in ("", '{"answer": ', "[]", '{"answer": 7}', '{"unanswered": "mood", "detail": ""}'):
        path.write_text(spoilt, encoding="utf-8")
        assert Cached(Scripted("again"), tmp_path).generate("s", "p") == "again"
    assert not list(tmp_path.rglob("*.partial"))


def test_a_failed_request_is_not_kept(tmp_path: Path) -> None:
    with stub(error(500, "Oops"), error(500, "Oops"), Reply(text="now")) as server:
        cached = Cached(client(server), tmp_path)
        with pytest.raises(EndpointError):
            cached.generate("s", "p")
        assert cached.generate("s", "p") == "now"


def test_threads_that_ask_the_same_at_once_pay_once(tmp_path: Path) -> None:
    with stub(Reply(seconds=0.2, text="one")) as server:
        cached = Cached(client(server), tmp_path)
        threads = [threading.Thread(target=cached.generate, args=("s", "p")) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (len(server), cached.hits, cached.misses) == (1, 4, 1)


PROCESS = """
import sys
from litotes.llm import Cached
class Loud:
    def generate(self, system, prompt):
        return f"{prompt}: " + "x" * 20000
cached = Cached(Loud(), sys.argv[1])
for turn in range(200):
    assert cached.generate("s", str(turn)) == f"{turn}: " + "x" * 20000
print(cached.hits, cached.misses)
"""


def test_processes_may_share_a_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROCESS, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert len(list(tmp_path.rglob("*.json"))) == 200
    assert not list(tmp_path.rglob("*.partial"))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "200 0\n"


def test_a_file_is_no_folder_to_keep_answers_in(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    with pytest.raises(InputError, match="notes is a file: expected a folder"):
        Cached(Scripted("x"), tmp_path / "notes")


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_stops_the_run_and_a_rerun_goes_on_from_the_cache(tmp_path: Path, concurrency: int) -> None:
    # each request reserves `most` and uses 40: the third fits beside two finished ones, the fourth beside three no more
    most = prompt_tokens("Deny it.", "Sentence 0.", Turned.model_json_schema()) + 20
    with stub(Reply(usage=(30, 10))) as server:
        first = client(server, max_tokens=20, budget=Budget(max_tokens=100 + most))
        answers = ask(Cached(first, tmp_path), requests(6), concurrency=concurrency)
        with pytest.raises(BudgetError) as caught:
            list(answers)
        assert first.budget.spent == Usage(90, 30)
        assert len(server) == first.budget.requests == 3
        refusal = f"the budget of {100 + most} tokens has no room for the next answer (up to {most} tokens): "
        assert str(caught.value).startswith(refusal)
        assert "3 answers took 120 tokens. Raise the cap and run again with the same cache" in str(caught.value)
        second = client(server, max_tokens=20, budget=Budget(max_tokens=1000))
        assert [answer.value for answer in ask(Cached(second, tmp_path), requests(6))] == [GOOD] * 6
        assert second.budget.spent == Usage(90, 30)
        assert len(server) == 6


def test_a_budget_may_be_money() -> None:
    # 1,000 in and 100 out at 2 and 10 a million: 0.003 each
    budget = Budget(max_cost=0.0075, price_in=2, price_out=10)
    for _ in range(2):
        budget.reserve(Usage(1000, 100))
        budget.settle(Usage(1000, 100), Usage(1000, 100))
    assert budget.cost == pytest.approx(0.006)
    with pytest.raises(BudgetError, match=r"a cost of 0.0075 has no room .* took 2,200 tokens, costing 0.006"):
        budget.reserve(Usage(1000, 100))


def test_a_request_waits_for_those_under_way_before_it_is_refused() -> None:
    budget = Budget(max_tokens=100)
    budget.reserve(Usage(10, 70))
    waiting = threading.Thread(target=budget.reserve, args=(Usage(10, 40),))
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    budget.settle(Usage(10, 70), Usage(10, 5))
    waiting.join(5)
    assert not waiting.is_alive()
    assert budget.spent.total == 15


def test_an_estimate_counts_tokens_and_money_and_leaves_out_what_is_kept(tmp_path: Path) -> None:
    class Word(BaseModel):
        word: str

    asked = [Request("abcdefghi", "ninechars" * count, Word) for count in (1, 3)]
    # 2 tokens of system, 2 and 6 of prompt, 12 of frame, and the schema
    schema = tokens(json.dumps(Word.model_json_schema()))
    found = estimate(asked, answer_tokens=50, price_in=100, price_out=1000)
    assert (found.requests, found.cached) == (2, 0)
    assert found.usage == Usage(2 * (2 + 12 + schema) + 2 + 6, 100)
    assert found.cost == pytest.approx((found.usage.tokens_in * 100 + 100 * 1000) / 1e6)
    cached = Cached(Scripted('{"word": "x"}'), tmp_path)
    list(ask(cached, asked[:1]))
    left = estimate(asked, cached=cached)
    assert (left.requests, left.cached, left.usage.tokens_out, left.cost) == (1, 1, 200, 0)
    assert str(left).startswith("1 request (beside 1 in the cache): about ")
    assert estimate([]).usage == Usage()


def test_tokens_are_counted_by_sort_of_letter() -> None:
    assert tokens("") == 0
    assert tokens("ninechars" * 2) == 4
    assert tokens('{":}') == 3  # four marks at 1.5 a token: 2.7
    assert tokens("λ→") == 3


def test_an_unanswered_prompt_reaches_those_who_ask_without_a_schema(tmp_path: Path) -> None:
    with stub(Reply(finish="content_filter")) as server:
        cached = Cached(client(server), tmp_path)
        for _ in range(2):
            with pytest.raises(UnansweredError, match="filtered: the endpoint's content filter stopped the answer"):
                cached.generate("s", "p")
    assert len(server) == 1
