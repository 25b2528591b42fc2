"""Test log-probabilities of labels: over HTTP, through cache and recording, and from endpoints that give none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.llm import (
    Budget,
    BudgetError,
    CachedGenerator,
    Client,
    EndpointError,
    LocalServer,
    NoLogProbabilitiesError,
    Recorder,
    Replay,
    SupportsLogProbabilities,
    UnansweredError,
    Usage,
)
from litotes.models import load
from tests.llm_stub import Reply, Stub, error, stub

REFUSED = error(400, "Unknown parameter: 'logprobs'.")
Tokens = dict[str, float]


def client(server: Stub, **options: Any) -> Client:
    return Client("small", base_url=server.base_url, key="k", **{"backoff": 0.01, "attempts": 3, **options})


def completion(*positions: Tokens, finish: str = "length") -> Reply:
    """Return a completion as OpenAI and vLLM send it. Each position maps its alternatives to their probabilities."""
    taken = [max(position, key=lambda token: position[token]) for position in positions]
    listed = {
        "tokens": taken,
        "token_logprobs": [log(position[token]) for position, token in zip(positions, taken, strict=True)],
        "top_logprobs": [
            {token: log(probability) for token, probability in position.items()} for position in positions
        ],
    }
    return reply_with({"text": "".join(taken), "finish_reason": finish, "logprobs": listed})


def chat(*positions: Tokens, text: bool = False) -> Reply:
    """Return a chat's list of tokens; llama.cpp sends the same for a completion (`text`)."""
    content, taken = [], []
    for position in positions:
        listed = [{"token": token, "logprob": log(share), "bytes": None} for token, share in position.items()]
        taken.append(max(position, key=lambda token: position[token]))
        content.append({**listed[list(position).index(taken[-1])], "top_logprobs": listed})
    said: dict[str, Any] = {"text": "".join(taken)} if text else {"message": message("".join(taken))}
    return reply_with({**said, "finish_reason": "length", "logprobs": {"content": content}})


def message(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def reply_with(choice: dict[str, Any]) -> Reply:
    used = {"prompt_tokens": 30, "completion_tokens": 1, "total_tokens": 31}
    model = {"id": "1", "object": "completion", "created": 0, "model": "small", "choices": [{"index": 0, **choice}]}
    return Reply(raw=json.dumps({**model, "usage": used}).encode())


def probabilities(values: Sequence[float]) -> list[float]:
    return [exp(value) for value in values]


def test_the_tokens_that_equal_a_label_are_added_up_in_a_completion() -> None:
    listed = {" 1": 0.5, "1": 0.2, " 2": 0.1, "\n": 0.05}
    with stub(completion(listed)) as server:
        model = client(server, style="completion", stop=["\n"], max_tokens=50)
        values = model.log_probabilities("Judge.", "Which one?", ("1", "2"))
    assert probabilities(values) == pytest.approx([0.7, 0.1])
    wanted = {"model": "small", "prompt": "Judge.\n\nWhich one?", "temperature": 0.0, "seed": 0}
    # A space may come first as its own token; a stop sequence would hide a line end that is the first token.
    assert server.bodies == [{**wanted, "max_tokens": 2, "logprobs": 20}]
    assert (model.budget.spent, model.budget.requests) == (Usage(30, 1), 1)
    assert isinstance(model, SupportsLogProbabilities)


def test_the_tokens_that_equal_a_label_are_added_up_in_a_chat() -> None:
    with stub(chat({"Yes": 0.3, "YES": 0.1, " yes": 0.1, "No": 0.25, "Well": 0.2})) as server:
        values = client(server).log_probabilities("", "Is it so?", ("Yes", "No"))
    assert probabilities(values) == pytest.approx([0.5, 0.25])
    asked = server.bodies[0]
    assert (asked["logprobs"], asked["top_logprobs"], asked["max_tokens"]) == (True, 20, 1)


def test_a_space_before_the_answer_is_not_the_answer() -> None:
    # After the space, 2 is most likely; "1" as the very first token is rare.
    positions = ({" ": 0.6, "\n": 0.2, "1": 0.01}, {"2": 0.75, "1": 0.2})
    for reply in (completion(*positions), chat(*positions, text=True)):
        with stub(reply) as server:
            values = client(server, style="completion").log_probabilities("", "p", ("1", "2"))
        assert probabilities(values) == pytest.approx([0.2, 0.75])


def test_the_token_after_a_word_is_not_the_answer() -> None:
    with stub(completion({" Well": 0.6, " 1": 0.3}, {" 2": 0.9})) as server:
        values = client(server, style="completion").log_probabilities("", "p", ("1", "2"))
    assert probabilities(values) == pytest.approx([0.3, 0.3])


def test_a_label_that_is_not_listed_gets_the_lowest_listed_value() -> None:
    with stub(chat({"1": 0.8, "The": 0.1, "It": 0.02})) as server:
        values = client(server).log_probabilities("", "p", ("1", "2"))
    assert probabilities(values) == pytest.approx([0.8, 0.02])


def test_no_label_among_the_tokens_is_an_error() -> None:
    with stub(chat({"Well": 0.8, "12": 0.1})) as server, pytest.raises(UnansweredError) as caught:
        client(server).log_probabilities("", "p", ("1", "2"))
    assert caught.value.kind == "no label"
    assert len(server) == 1


@pytest.mark.parametrize("style", ["chat", "completion"])
def test_an_endpoint_that_refuses_is_not_asked_again_and_still_gives_text(style: str) -> None:
    with stub(REFUSED, REFUSED, Reply(text="1")) as server:
        model = client(server, style=style)
        for _ in range(3):
            with pytest.raises(NoLogProbabilitiesError, match="gives no log-probabilities: ask it for text"):
                model.log_probabilities("", "p", ("1", "2"))
        assert model.generate("", "p") == "1"
    name = "top_logprobs" if style == "chat" else "logprobs"
    assert [body.get(name) for body in server.bodies] == [20, 5, None]
    assert model.budget.requests == 1


def test_an_endpoint_that_lists_fewer_alternatives_is_asked_for_fewer_from_then_on() -> None:
    refusal = error(400, "Invalid value for 'logprobs': 20 is greater than the maximum of 5")
    with stub(refusal, completion({" 1": 0.5, " 2": 0.4})) as server:
        model = client(server, style="completion")
        for _ in range(2):
            assert probabilities(model.log_probabilities("", "p", ("1", "2"))) == pytest.approx([0.5, 0.4])
    assert [body["logprobs"] for body in server.bodies] == [20, 5, 5]


WITHOUT = {
    "nothing": {"message": message("1")},
    "null": {"message": message("1"), "logprobs": None},
    "no alternatives": {
        "message": message("1"),
        "logprobs": {"content": [{"token": "1", "logprob": -0.1, "bytes": None, "top_logprobs": []}]},
    },
    "another thing": {"message": message("1"), "logprobs": {"content": [{"token": "1", "logprob": None}]}},
}


@pytest.mark.parametrize("choice", WITHOUT.values(), ids=WITHOUT.keys())
def test_a_reply_without_log_probabilities_is_paid_for_and_remembered(choice: dict[str, Any]) -> None:
    with stub(reply_with({"finish_reason": "length", **choice})) as server:
        model = client(server)
        for _ in range(2):
            with pytest.raises(NoLogProbabilitiesError):
                model.log_probabilities("", "p", ("1", "2"))
    assert len(server) == model.budget.requests == 1


def test_an_empty_answer_does_not_rule_the_endpoint_out() -> None:
    with stub(reply_with({"finish_reason": "stop", "message": message("")}), chat({"1": 0.5, "2": 0.25})) as server:
        model = client(server)
        with pytest.raises(UnansweredError, match="empty"):
            model.log_probabilities("", "p", ("1", "2"))
        assert probabilities(model.log_probabilities("", "p", ("1", "2"))) == pytest.approx([0.5, 0.25])


def test_a_filtered_prompt_is_reported() -> None:
    reply = completion({" 1": 1.0}, finish="content_filter")
    with stub(reply) as server, pytest.raises(UnansweredError, match="filtered"):
        client(server, style="completion").log_probabilities("", "p", ("1", "2"))


def test_errors_are_retried_and_the_budget_applies() -> None:
    with stub(error(500, "Oops"), error(429, "Slow down"), chat({"1": 0.5, "2": 0.5})) as server:
        model = client(server, budget=Budget(max_tokens=50))
        assert probabilities(model.log_probabilities("", "p", ("1", "2"))) == pytest.approx([0.5, 0.5])
        assert (len(server), model.budget.requests) == (3, 1)
        # 31 of 50 tokens are spent; the prompt alone needs more than the rest.
        with pytest.raises(BudgetError, match="no room"):
            model.log_probabilities("", "word " * 40, ("1", "2"))
    with stub(error(400, "temperature is out of range")) as server, pytest.raises(EndpointError) as caught:
        client(server).log_probabilities("", "p", ("1", "2"))
    assert not isinstance(caught.value, NoLogProbabilitiesError)


@pytest.mark.parametrize("labels", [(), ("1",), ("1", " "), ("Yes", "yes"), "12"])
def test_labels_must_be_two_or_more_words(labels: Sequence[str]) -> None:
    with pytest.raises(InputError, match="expected two or more words that differ"):
        Client("small", base_url="http://127.0.0.1:9/v1").log_probabilities("", "p", labels)


class Scripted:
    """Gives log-probabilities from a table and counts its calls; None in the table means that no label is listed."""

    signature = "scripted"

    def __init__(self, table: dict[str, list[float] | None], *, supported: bool = True) -> None:
        self.table, self.calls, self._supported = table, 0, supported

    def generate(self, system: str, prompt: str) -> str:
        return "text"

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        self.calls += 1
        if not self._supported:
            raise NoLogProbabilitiesError("this one gives no log-probabilities")
        values = self.table[prompt]
        if values is None:
            raise UnansweredError("no label")
        return values


class TextOnly:
    """Gives text, but no log-probabilities."""

    def generate(self, system: str, prompt: str) -> str:
        return "1"


def test_the_cache_keeps_log_probabilities_and_missing_answers(tmp_path: Path) -> None:
    model = Scripted({"a": [-0.5, -1.5], "b": None})
    for _ in range(2):
        cached = CachedGenerator(model, tmp_path)
        assert cached.log_probabilities("", "a", ("1", "2")) == [-0.5, -1.5]
        with pytest.raises(UnansweredError, match="no label"):
            cached.log_probabilities("", "b", ("1", "2"))
    assert (model.calls, cached.hits, cached.misses) == (2, 2, 0)
    # Other labels, and text, are other questions.
    cached.log_probabilities("", "a", ("1", "3"))
    assert model.calls == 3
    assert cached.generate("", "a") == "text"
    for path in tmp_path.rglob("*.json"):
        damaged = json.loads(path.read_text(encoding="utf-8")) | {"log_probabilities": ["much", "little"]}
        path.write_text(json.dumps(damaged), encoding="utf-8")
    assert CachedGenerator(model, tmp_path).log_probabilities("", "a", ("1", "2")) == [-0.5, -1.5]
    assert model.calls == 4


def test_the_cache_keeps_that_there_are_no_log_probabilities(tmp_path: Path) -> None:
    model = Scripted({}, supported=False)
    for _ in range(2):
        with pytest.raises(NoLogProbabilitiesError, match="this one gives no"):
            CachedGenerator(model, tmp_path).log_probabilities("", "a", ("1", "2"))
    assert model.calls == 1
    with pytest.raises(NoLogProbabilitiesError, match="TextOnly gives no log-probabilities"):
        CachedGenerator(TextOnly(), tmp_path).log_probabilities("", "a", ("1", "2"))


def test_a_recording_replays_log_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "recorded.jsonl"
    recorder = Recorder(Scripted({"a": [-0.5, -1.5], "b": None}), path)
    assert recorder.log_probabilities("", "a", ("Yes", "No")) == [-0.5, -1.5]
    with pytest.raises(UnansweredError):
        recorder.log_probabilities("", "b", ("Yes", "No"))
    recorder.generate("", "a")
    replay = Replay(path)
    assert len(replay) == 3
    assert replay.log_probabilities("", "a", ("yes", "no")) == [-0.5, -1.5]
    assert replay.generate("", "a") == "text"
    with pytest.raises(UnansweredError, match="no label"):
        replay.log_probabilities("", "b", ("Yes", "No"))
    with pytest.raises(MissingError, match="has no answer to this prompt"):
        replay.log_probabilities("", "c", ("Yes", "No"))


def test_a_recording_of_text_has_no_log_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "recorded.jsonl"
    recorder = Recorder(TextOnly(), path)
    recorder.generate("", "a")
    with pytest.raises(NoLogProbabilitiesError, match="TextOnly gives no log-probabilities"):
        recorder.log_probabilities("", "a", ("1", "2"))
    with pytest.raises(NoLogProbabilitiesError, match="has no log-probabilities"):
        Replay(path).log_probabilities("", "a", ("1", "2"))
    path.write_text('{"key": "k", "log_probabilities": "much"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        Replay(path)


def chooser(server: Stub) -> Any:
    return load("llm:small", base_url=server.base_url, key="k")


def test_choices_use_log_probabilities_if_the_endpoint_gives_them() -> None:
    with stub(chat({"1": 0.6, "2": 0.3})) as server:
        model = chooser(server)
        assert model.facts()["weighs"] is True
        choices = model.choose(["dry weeks"], ["no rain"], ["rain"])
    # The document shown first is always twice as likely: over both orders, that is no preference.
    assert choices.tolist() == [pytest.approx([log(2), -log(2)])]
    # One easy question to find out, then one per order.
    assert len(server) == 3
    assert all(body["top_logprobs"] == 20 for body in server.bodies)


def test_choices_are_read_from_text_if_the_endpoint_gives_no_log_probabilities() -> None:
    with stub(REFUSED, REFUSED, Reply(text="1")) as server:
        model = chooser(server)
        choices = model.choose(["dry weeks", "wet weeks"], ["no rain", "rain"], ["rain", "no rain"])
        assert model.facts()["weighs"] is False
        model.choose(["cold weeks"], ["snow"], ["sun"])
    assert choices.tolist() == [[1, -1], [1, -1]]
    # Two refusals, then two orders of three items, none of which asks for log-probabilities.
    assert len(server) == 2 + 6
    assert not any("logprobs" in body for body in server.bodies[2:])


def test_an_endpoint_that_stops_giving_log_probabilities_is_read_from_the_start() -> None:
    weighed, plain = chat({"1": 0.6, "2": 0.3}), Reply(text="2")
    with stub(weighed, weighed, plain) as server:
        model = chooser(server)
        assert model.facts()["weighs"] is True
        before = model.fingerprint
        assert model.choose(["dry weeks"], ["no rain"], ["rain"]).tolist() == [[-1, 1]]
        assert model.facts()["weighs"] is False
        assert model.fingerprint != before


def test_a_model_that_thinks_first_is_read_from_text() -> None:
    with stub(chat({"<think>": 1.0}), Reply(text="<think>Hm.</think>2")) as server:
        model = chooser(server)
        assert model.facts()["weighs"] is False
        assert model.choose(["dry weeks"], ["rain"], ["no rain"]).tolist() == [[-1, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["chat", "completion"])
def test_a_real_model_gives_log_probabilities_in_both_styles(
    local_llm: LocalServer, style: str, tmp_path: Path
) -> None:
    model = Client(local_llm.model, base_url=local_llm.base_url, key="local", style=style, timeout=300, stop=["\n"])
    prompt = "Is the sea salty? Reply with one word: Yes or No.\nAnswer:"
    yes, no = model.log_probabilities("", prompt, ("Yes", "No"))
    assert yes < 0 > no
    assert exp(yes) + exp(no) <= 1
    assert model.budget.spent.tokens_out <= 2
    # The same question with the labels in the other order.
    assert model.log_probabilities("", prompt, ("No", "Yes")) == pytest.approx([no, yes], abs=1e-3)
    with pytest.raises(UnansweredError, match="no label"):
        model.log_probabilities("", prompt, ("zeppelin", "quaternion"))
    cached = CachedGenerator(model, tmp_path)
    assert cached.log_probabilities("", prompt, ("Yes", "No")) == cached.log_probabilities("", prompt, ("Yes", "No"))
    assert cached.hits == 1
