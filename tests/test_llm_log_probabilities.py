"""How likely each label is: over the wire, through cache and recording, and where an endpoint cannot say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import pytest

from litotes.errors import InputError, MissingError
from litotes.llm import (
    Budget,
    BudgetError,
    Cached,
    Client,
    EndpointError,
    LocalServer,
    Recorder,
    Replay,
    UnansweredError,
    UnweighedError,
    Usage,
    Weighing,
    local_server,
)
from litotes.models import load
from tests.llm_stub import Reply, Stub, error, stub

REFUSED = error(400, "Unknown parameter: 'logprobs'.")
Tokens = dict[str, float]


def client(server: Stub, **options: Any) -> Client:
    return Client("small", base_url=server.base_url, key="k", **{"backoff": 0.01, "attempts": 3, **options})


def completed(*places: Tokens, finish: str = "length") -> Reply:
    """A completion as OpenAI and vLLM send it; the likeliest token of each place is the one taken. Shares, not logs."""
    taken = [max(place, key=lambda token: place[token]) for place in places]
    given = {
        "tokens": taken,
        "token_logprobs": [log(place[token]) for place, token in zip(places, taken, strict=True)],
        "top_logprobs": [{token: log(share) for token, share in place.items()} for place in places],
    }
    return sent({"text": "".join(taken), "finish_reason": finish, "logprobs": given})


def chatted(*places: Tokens, text: bool = False) -> Reply:
    """A chat's list of tokens; llama.cpp sends the same for a completion (`text`)."""
    content, taken = [], []
    for place in places:
        listed = [{"token": token, "logprob": log(share), "bytes": None} for token, share in place.items()]
        taken.append(max(place, key=lambda token: place[token]))
        content.append({**listed[list(place).index(taken[-1])], "top_logprobs": listed})
    said: dict[str, Any] = {"text": "".join(taken)} if text else {"message": message("".join(taken))}
    return sent({**said, "finish_reason": "length", "logprobs": {"content": content}})


def message(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def sent(choice: dict[str, Any]) -> Reply:
    used = {"prompt_tokens": 30, "completion_tokens": 1, "total_tokens": 31}
    made = {"id": "1", "object": "completion", "created": 0, "model": "small", "choices": [{"index": 0, **choice}]}
    return Reply(raw=json.dumps({**made, "usage": used}).encode())


def shares(found: Sequence[float]) -> list[float]:
    return [exp(one) for one in found]


def test_a_completion_lists_its_likeliest_tokens_and_those_of_a_label_are_added_up() -> None:
    listed = {" 1": 0.5, "1": 0.2, " 2": 0.1, "\n": 0.05}
    with stub(completed(listed)) as server:
        made = client(server, style="completion", stop=["\n"], max_tokens=50)
        found = made.log_probabilities("Judge.", "Which one?", ("1", "2"))
    assert shares(found) == pytest.approx([0.7, 0.1])
    wanted = {"model": "small", "prompt": "Judge.\n\nWhich one?", "temperature": 0.0, "seed": 0}
    # a blank may come first, as a token of its own; a stop would hide a line end that is the first token
    assert server.bodies == [{**wanted, "max_tokens": 2, "logprobs": 20}]
    assert (made.budget.spent, made.budget.requests) == (Usage(30, 1), 1)
    assert isinstance(made, Weighing)


def test_a_chat_lists_its_likeliest_tokens_whatever_their_case() -> None:
    with stub(chatted({"Yes": 0.3, "YES": 0.1, " yes": 0.1, "No": 0.25, "Well": 0.2})) as server:
        found = client(server).log_probabilities("", "Is it so?", ("Yes", "No"))
    assert shares(found) == pytest.approx([0.5, 0.25])
    asked = server.bodies[0]
    assert (asked["logprobs"], asked["top_logprobs"], asked["max_tokens"]) == (True, 20, 1)


def test_a_blank_before_the_answer_is_not_the_answer() -> None:
    # after the blank 2 is likeliest; "1" right at the start is a rare way to begin
    places = ({" ": 0.6, "\n": 0.2, "1": 0.01}, {"2": 0.75, "1": 0.2})
    for reply in (completed(*places), chatted(*places, text=True)):
        with stub(reply) as server:
            found = client(server, style="completion").log_probabilities("", "p", ("1", "2"))
        assert shares(found) == pytest.approx([0.2, 0.75])


def test_what_follows_a_word_is_not_the_answer() -> None:
    with stub(completed({" Well": 0.6, " 1": 0.3}, {" 2": 0.9})) as server:
        found = client(server, style="completion").log_probabilities("", "p", ("1", "2"))
    assert shares(found) == pytest.approx([0.3, 0.3])


def test_a_label_that_is_not_listed_is_at_most_as_likely_as_what_is() -> None:
    with stub(chatted({"1": 0.8, "The": 0.1, "It": 0.02})) as server:
        found = client(server).log_probabilities("", "p", ("1", "2"))
    assert shares(found) == pytest.approx([0.8, 0.02])


def test_no_label_among_the_tokens_is_no_answer() -> None:
    with stub(chatted({"Well": 0.8, "12": 0.1})) as server, pytest.raises(UnansweredError) as caught:
        client(server).log_probabilities("", "p", ("1", "2"))
    assert caught.value.kind == "no label"
    assert len(server) == 1


@pytest.mark.parametrize("style", ["chat", "completion"])
def test_an_endpoint_that_refuses_is_remembered_and_still_gives_text(style: str) -> None:
    with stub(REFUSED, REFUSED, Reply(text="1")) as server:
        made = client(server, style=style)
        for _ in range(3):
            with pytest.raises(UnweighedError, match="gives no log-probabilities: ask it for text"):
                made.log_probabilities("", "p", ("1", "2"))
        assert made.generate("", "p") == "1"
    name = "top_logprobs" if style == "chat" else "logprobs"
    assert [body.get(name) for body in server.bodies] == [20, 5, None]
    assert made.budget.requests == 1


def test_an_endpoint_that_lists_fewer_is_asked_for_fewer_from_then_on() -> None:
    refusal = error(400, "Invalid value for 'logprobs': 20 is greater than the maximum of 5")
    with stub(refusal, completed({" 1": 0.5, " 2": 0.4})) as server:
        made = client(server, style="completion")
        for _ in range(2):
            assert shares(made.log_probabilities("", "p", ("1", "2"))) == pytest.approx([0.5, 0.4])
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
def test_a_reply_without_them_is_paid_for_and_remembered(choice: dict[str, Any]) -> None:
    with stub(sent({"finish_reason": "length", **choice})) as server:
        made = client(server)
        for _ in range(2):
            with pytest.raises(UnweighedError):
                made.log_probabilities("", "p", ("1", "2"))
    assert len(server) == made.budget.requests == 1


def test_an_empty_answer_says_nothing_about_the_endpoint() -> None:
    with stub(sent({"finish_reason": "stop", "message": message("")}), chatted({"1": 0.5, "2": 0.25})) as server:
        made = client(server)
        with pytest.raises(UnansweredError, match="empty"):
            made.log_probabilities("", "p", ("1", "2"))
        assert shares(made.log_probabilities("", "p", ("1", "2"))) == pytest.approx([0.5, 0.25])


def test_a_filtered_prompt_is_said_to_be() -> None:
    reply = completed({" 1": 1.0}, finish="content_filter")
    with stub(reply) as server, pytest.raises(UnansweredError, match="filtered"):
        client(server, style="completion").log_probabilities("", "p", ("1", "2"))


def test_trouble_is_tried_again_and_the_budget_holds() -> None:
    with stub(error(500, "Oops"), error(429, "Slow down"), chatted({"1": 0.5, "2": 0.5})) as server:
        made = client(server, budget=Budget(max_tokens=50))
        assert shares(made.log_probabilities("", "p", ("1", "2"))) == pytest.approx([0.5, 0.5])
        assert (len(server), made.budget.requests) == (3, 1)
        # 31 of 50 tokens are spent, and a prompt is at least its frame and a token
        with pytest.raises(BudgetError, match="no room"):
            made.log_probabilities("", "word " * 40, ("1", "2"))
    with stub(error(400, "temperature is out of range")) as server, pytest.raises(EndpointError) as caught:
        client(server).log_probabilities("", "p", ("1", "2"))
    assert not isinstance(caught.value, UnweighedError)


@pytest.mark.parametrize("labels", [(), ("1",), ("1", " "), ("Yes", "yes"), "12"])
def test_labels_are_two_words_or_more(labels: Sequence[str]) -> None:
    with pytest.raises(InputError, match="expected two or more words that differ"):
        Client("small", base_url="http://127.0.0.1:9/v1").log_probabilities("", "p", labels)


class Scripted:
    """Weighs from a table, counts how often it is asked, and has no likely label where the table says None."""

    signature = "scripted"

    def __init__(self, table: dict[str, list[float] | None], *, weighs: bool = True) -> None:
        self.table, self.asked, self._weighs = table, 0, weighs

    def generate(self, system: str, prompt: str) -> str:
        return "text"

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        self.asked += 1
        if not self._weighs:
            raise UnweighedError("this one gives no log-probabilities")
        found = self.table[prompt]
        if found is None:
            raise UnansweredError("no label")
        return found


class Mute:
    """Gives text and nothing else."""

    def generate(self, system: str, prompt: str) -> str:
        return "1"


def test_the_cache_keeps_them_and_what_was_no_answer(tmp_path: Path) -> None:
    model = Scripted({"a": [-0.5, -1.5], "b": None})
    for _ in range(2):
        kept = Cached(model, tmp_path)
        assert kept.log_probabilities("", "a", ("1", "2")) == [-0.5, -1.5]
        with pytest.raises(UnansweredError, match="no label"):
            kept.log_probabilities("", "b", ("1", "2"))
    assert (model.asked, kept.hits, kept.misses) == (2, 2, 0)
    # other labels, and text, are other questions
    kept.log_probabilities("", "a", ("1", "3"))
    assert model.asked == 3
    assert kept.generate("", "a") == "text"
    for path in tmp_path.rglob("*.json"):
        spoilt = json.loads(path.read_text(encoding="utf-8")) | {"log_probabilities": ["much", "little"]}
        path.write_text(json.dumps(spoilt), encoding="utf-8")
    assert Cached(model, tmp_path).log_probabilities("", "a", ("1", "2")) == [-0.5, -1.5]
    assert model.asked == 4


def test_the_cache_passes_on_that_there_are_none(tmp_path: Path) -> None:
    model = Scripted({}, weighs=False)
    for _ in range(2):
        with pytest.raises(UnweighedError, match="this one gives no"):
            Cached(model, tmp_path).log_probabilities("", "a", ("1", "2"))
    assert model.asked == 1
    with pytest.raises(UnweighedError, match="Mute gives no log-probabilities"):
        Cached(Mute(), tmp_path).log_probabilities("", "a", ("1", "2"))


def test_a_recording_gives_them_again(tmp_path: Path) -> None:
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
    with pytest.raises(MissingError, match="holds no answer to this prompt"):
        replay.log_probabilities("", "c", ("Yes", "No"))


def test_a_recording_of_text_has_none(tmp_path: Path) -> None:
    path = tmp_path / "recorded.jsonl"
    recorder = Recorder(Mute(), path)
    recorder.generate("", "a")
    with pytest.raises(UnweighedError, match="Mute gives no log-probabilities"):
        recorder.log_probabilities("", "a", ("1", "2"))
    with pytest.raises(UnweighedError, match="holds no log-probabilities"):
        Replay(path).log_probabilities("", "a", ("1", "2"))
    path.write_text('{"key": "k", "log_probabilities": "much"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        Replay(path)


def chooser(server: Stub) -> Any:
    return load("llm:small", base_url=server.base_url, key="k")


def test_choices_are_weighed_where_the_endpoint_weighs() -> None:
    with stub(chatted({"1": 0.6, "2": 0.3})) as server:
        model = chooser(server)
        assert model.facts()["weighs"] is True
        choices = model.choose(["dry weeks"], ["no rain"], ["rain"])
    # always the document shown first, twice as likely: asked in both orders, that is no preference
    assert choices.tolist() == [pytest.approx([log(2), -log(2)])]
    # one easy question to find out, then one an order
    assert len(server) == 3
    assert all(body["top_logprobs"] == 20 for body in server.bodies)


def test_choices_are_read_once_and_for_all_where_it_does_not() -> None:
    with stub(REFUSED, REFUSED, Reply(text="1")) as server:
        model = chooser(server)
        choices = model.choose(["dry weeks", "wet weeks"], ["no rain", "rain"], ["rain", "no rain"])
        assert model.facts()["weighs"] is False
        model.choose(["cold weeks"], ["snow"], ["sun"])
    assert choices.tolist() == [[1, -1], [1, -1]]
    # two refusals, then two orders of three items, none of which asks for weights
    assert len(server) == 2 + 6
    assert not any("logprobs" in body for body in server.bodies[2:])


def test_an_endpoint_that_stops_weighing_is_read_from_the_start() -> None:
    weighed, plain = chatted({"1": 0.6, "2": 0.3}), Reply(text="2")
    with stub(weighed, weighed, plain) as server:
        model = chooser(server)
        assert model.facts()["weighs"] is True
        before = model.fingerprint
        assert model.choose(["dry weeks"], ["no rain"], ["rain"]).tolist() == [[-1, 1]]
        assert model.facts()["weighs"] is False
        assert model.fingerprint != before


def test_a_model_that_thinks_first_is_read() -> None:
    with stub(chatted({"<think>": 1.0}), Reply(text="<think>Hm.</think>2")) as server:
        model = chooser(server)
        assert model.facts()["weighs"] is False
        assert model.choose(["dry weeks"], ["rain"], ["no rain"]).tolist() == [[-1, 1]]


@pytest.fixture(scope="module")
def served() -> Iterator[LocalServer]:
    with local_server(context=1024) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("style", ["chat", "completion"])
def test_a_real_model_weighs_in_both_styles(served: LocalServer, style: str, tmp_path: Path) -> None:
    made = Client(served.model, base_url=served.base_url, key="local", style=style, timeout=300, stop=["\n"])
    prompt = "Is the sea salty? Reply with one word: Yes or No.\nAnswer:"
    yes, no = made.log_probabilities("", prompt, ("Yes", "No"))
    assert yes < 0 > no
    assert exp(yes) + exp(no) <= 1
    assert made.budget.spent.tokens_out <= 2
    # the same question with the labels turned round
    assert made.log_probabilities("", prompt, ("No", "Yes")) == pytest.approx([no, yes], abs=1e-3)
    with pytest.raises(UnansweredError, match="no label"):
        made.log_probabilities("", prompt, ("zeppelin", "quaternion"))
    kept = Cached(made, tmp_path)
    assert kept.log_probabilities("", prompt, ("Yes", "No")) == kept.log_probabilities("", prompt, ("Yes", "No"))
    assert kept.hits == 1
