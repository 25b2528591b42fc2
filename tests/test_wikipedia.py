"""Test Wikipedia pages with a real local server that answers like the MediaWiki API."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from litotes.errors import InputError, MissingError
from litotes.parse import load_parser
from litotes.synthesis.sources.wikipedia import page, pages, passages, topics

SENTENCE = "The {} mill by the river grinds rye and barley for the three villages below the hill."
NUMBERS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
PROSE = " ".join(SENTENCE.format(number) for number in NUMBERS)
MILL = f"{PROSE}\n\n\n== History ==\n{PROSE}\n== See also ==\nThe dam. The weir. The pond.\n"


def _page(title: str, extract: str, **more: Any) -> dict[str, Any]:
    return {"query": {"pages": [{"title": title, "pagelanguage": "en", "extract": extract, **more}]}}


PAGES: dict[str, Any] = {
    "Tide mill": _page("Tide mill", MILL),
    "Tidal mill": _page("Tide mill", MILL),
    "Nowhere": {"query": {"pages": [{"title": "Nowhere", "missing": True}]}},
    "Mill": _page("Mill", MILL, pageprops={"disambiguation": ""}),
    "Moulin": _page("Moulin", MILL, pagelanguage="fr"),
    "Stub": _page("Stub", "A mill is a building."),
    "List": _page("List", "Mill one\nMill two\n" * 200),
    "Limit": {"error": {"code": "ratelimited", "info": "You have been rate limited"}},
    "Odd": {"pages": []},
}


@dataclass
class Wiki:
    """The server's URL, the queries it received, and how often it will answer that it is busy."""

    base: str
    asked: list[dict[str, str]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    busy: int = 0
    wait: str = "0"


@pytest.fixture
def wiki(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiki]:
    # A server on this machine is not reached through a proxy.
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    state = Wiki("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = {key: value[0] for key, value in parse_qs(urlsplit(self.path).query).items()}
            state.asked.append(query)
            state.agents.append(self.headers["User-Agent"])
            status, body = 200, b"<html>no API here</html>"
            if state.busy:
                status, state.busy = 429, state.busy - 1
            elif query["titles"] == "Broken":
                status = 500
            elif query["titles"] != "Home":
                body = json.dumps(PAGES[query["titles"]]).encode()
            self.send_response(status)
            self.send_header("Retry-After", state.wait)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.base = f"http://127.0.0.1:{server.server_port}/w/api.php"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_page_becomes_passages_of_three_to_six_sentences(wiki: Wiki) -> None:
    result = page("Tide_mill", base=wiki.base)
    assert result.reason == ""
    # Ten sentences above the heading and ten below it, five and five each, and nothing of "See also".
    assert [len(load_parser().parse(anchor.text).sentences) for anchor in result.anchors] == [5, 5, 5, 5]
    assert result.anchors[0].text == " ".join(SENTENCE.format(number) for number in NUMBERS[:5])
    assert result.anchors[0].id.startswith("wikipedia-Tide_mill-")
    assert wiki.asked[0]["titles"] == "Tide mill"
    assert wiki.asked[0]["explaintext"] == "1"
    assert wiki.agents[0].startswith("litotes/")


def test_a_redirect_has_the_title_of_its_target(wiki: Wiki) -> None:
    assert page("Tidal mill", base=wiki.base) == page("Tide mill", base=wiki.base)


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("Nowhere", "there is no such page"),
        ("Mill", "it is a disambiguation page"),
        ("Moulin", "it is not in English"),
        ("Stub", "it has fewer than 150 words"),
        ("List", "it has no passage of English prose"),
    ],
)
def test_unusable_pages_have_a_reason(wiki: Wiki, title: str, reason: str) -> None:
    assert page(title, base=wiki.base).reason == reason


@pytest.mark.parametrize("title", ["", "  ", "a|b", "x#y", "{{cite}}", "x" * 300])
def test_an_invalid_title_is_not_requested(wiki: Wiki, title: str) -> None:
    assert page(title, base=wiki.base).reason == "it is not a valid title"
    assert wiki.asked == []


def test_refused_pages_are_counted_for_a_model_and_are_errors_for_a_user(wiki: Wiki) -> None:
    counts: Counter[str] = Counter()
    anchors = list(pages(["Nowhere", "Tide mill", "Mill"], base=wiki.base, counts=counts))
    assert len(anchors) == 4
    refused = "page refused: "
    assert counts == {f"{refused}there is no such page": 1, f"{refused}it is a disambiguation page": 1, "pages": 1}
    with pytest.raises(InputError, match="'Nowhere' cannot be used: there is no such page"):
        list(pages(["Nowhere"], base=wiki.base))


def test_a_busy_server_is_asked_again(wiki: Wiki) -> None:
    wiki.busy = 2
    assert len(page("Tide mill", base=wiki.base).anchors) == 4
    assert len(wiki.asked) == 3


def test_a_server_that_stays_busy_or_asks_for_an_hour_is_given_up(wiki: Wiki) -> None:
    wiki.busy = 99
    with pytest.raises(MissingError, match="status 429"):
        page("Tide mill", base=wiki.base)
    assert len(wiki.asked) == 4
    wiki.wait = "3600"
    with pytest.raises(MissingError, match="asks to wait 3,600 s; try later"):
        page("Tide mill", base=wiki.base)
    assert len(wiki.asked) == 5


@pytest.mark.parametrize(
    ("title", "error", "message"),
    [
        ("Broken", MissingError, "status 500"),
        ("Limit", MissingError, "You have been rate limited"),
        ("Home", InputError, "is not that of a MediaWiki API"),
        ("Odd", InputError, "is not that of a MediaWiki API"),
    ],
)
def test_server_errors(wiki: Wiki, title: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        page(title, base=wiki.base)


def test_an_unreachable_server_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(MissingError, match=r"127.0.0.1:9 cannot be reached .* seed:passages"):
        page("Tide mill", base="http://127.0.0.1:9/w/api.php")


@pytest.mark.parametrize("base", ["file:///etc/passwd", "en.wikipedia.org", "http://", "http://127.0.0.1/?a=b"])
def test_an_invalid_url_is_refused(base: str) -> None:
    with pytest.raises(InputError, match="is not the URL of a MediaWiki API"):
        page("Tide mill", base=base)


def test_passages_do_not_cross_headings_and_skip_lists_and_formulas() -> None:
    text = (
        "One mill stands here. Two mills stand there ( ; ).\nThree mills are gone.\nA caption without an end\n"
        "== Theory ==\nThe wheel turns. It is {\\displaystyle x} wide. It stops.\n"
        "== Works ==\nOnly one sentence here.\n"
        "== Notes ==\nIt is old. It is large. It is red.\n=== Sub ===\nIt is far. It is near. It is lost.\n"
        "== Legacy ==\nThe mill is loved. The mill is painted. The mill is sung of.\n"
    )
    assert list(passages(text)) == [
        "One mill stands here. Two mills stand there. Three mills are gone.",
        "The mill is loved. The mill is painted. The mill is sung of.",
    ]
    assert list(passages("")) == []


class Namer:
    """A model with scripted answers."""

    def __init__(self, *rounds: str) -> None:
        self.rounds = list(rounds)
        self.prompts: list[str] = []

    def generate(self, system: str, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.rounds.pop(0)


def test_topics_are_requested_until_there_are_enough_or_none_are_new() -> None:
    model = Namer('{"topics": ["Tide mill", "Weir", "tide mill"]}', '{"topics": ["Weir", "Sluice", "Dam"]}')
    assert topics(model, "water power", 4) == ["Tide mill", "Weir", "Sluice", "Dam"]
    assert '"already": ["Tide mill", "Weir"]' in model.prompts[1]
    assert topics(Namer('{"topics": ["Weir"]}', '{"topics": ["weir"]}'), "water power", 9) == ["Weir"]
    assert topics(Namer('{"topics": ["Weir", "Dam", "Pond"]}'), "water power", 2) == ["Weir", "Dam"]


def test_no_topics_and_an_empty_domain_are_errors() -> None:
    with pytest.raises(InputError, match="named no topics of 'water power'"):
        topics(Namer("no", "no", "no"), "water power", 2)
    with pytest.raises(InputError, match="expected at least one"):
        topics(Namer(), " ", 2)
