"""Anchors from Wikipedia: a model names topics of a domain, each page is fetched, checked and cut into passages.

Pages come through the MediaWiki API as plain text. A page is refused when it is missing, a disambiguation page, not in
English or a stub. The text is licensed CC BY-SA 4.0: whoever passes on what was made from it names Wikipedia and the
page, whose title is part of each anchor's id.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode, urlsplit

from litotes.detection import foreign
from litotes.errors import InputError, MissingError
from litotes.llm.pace import delay, retry_after
from litotes.parse import Parser
from litotes.parse import parser as load_parser
from litotes.synth.sources.anchor import Anchor
from litotes.types import Generator

API = "https://en.wikipedia.org/w/api.php"
TIMEOUT, TRIES, LONGEST_WAIT = 20.0, 4, 60.0
LARGEST = 16 * 2**20
SHORTEST_PAGE = 150
FEWEST, MOST = 3, 6
ROUND = 25
BUSY = (429, 503)
# Sections without prose.
BACK_MATTER = frozenset(
    {"see also", "references", "notes", "footnotes", "citations", "sources", "bibliography", "further reading"}
    | {"external links", "works cited", "gallery", "discography", "filmography", "publications", "explanatory notes"}
)
_HEADING = re.compile(r"^\s*(=+)\s*(.*?)\s*\1\s*$")
_NO_TITLE = re.compile(r"[#<>\[\]|{}\x00-\x1f]")
# What is left of formulas and of pronunciations that the plain text does not show.
_FORMULA = re.compile(r"\{\\displaystyle")
_EMPTY = re.compile(r"\s*\((?:[\s,;:]|listen)*\)")
_CLOSED = re.compile(r"[.!?][\"”'’)\]]*$")
Fetch = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Page:
    """A page's passages, or the reason why it was refused."""

    title: str
    anchors: tuple[Anchor, ...] = ()
    reason: str = ""


def topics(generator: Generator, domain: str, count: int) -> list[str]:
    """Titles of pages in a domain, as a model names them; fewer than `count` when it has no more to name."""
    from litotes.llm.answers import ask
    from litotes.synth.by_llm import prompts
    from litotes.synth.by_llm.schemas import Topics

    if count < 1 or not domain.strip():
        raise InputError(f"{count} topics of the domain {domain!r}: expected at least one, and a domain's name")
    found: dict[str, str] = {}
    while len(found) < count:
        request = prompts.topics(domain, min(ROUND, count - len(found)), list(found.values()))
        answer = next(ask(generator, [request]))
        if not isinstance(answer.value, Topics):
            if found:
                break
            raise InputError(f"the model named no topics of {domain!r} ({answer.reason}); try another model")
        before = len(found)
        for title in answer.value.topics:
            found.setdefault(title.casefold(), title)
        if len(found) == before:
            break
    return list(found.values())[:count]


def checked(titles: Iterable[str], *, base: str = API, counts: Counter[str]) -> list[str]:
    """The titles whose pages can be used, the others counted by their reasons: a model may name what is not there."""
    found = []
    for title in titles:
        answer = page(title, base=base)
        if answer.reason:
            counts[answer.reason] += 1
        else:
            found.append(answer.title)
    return found


def pages(
    titles: Iterable[str],
    *,
    base: str = API,
    fetch: Fetch | None = None,
    counts: Counter[str] | None = None,
    reader: Parser | None = None,
) -> Iterator[Anchor]:
    """The passages of some pages, page by page.

    A refused page is counted by its reason when there is something to count in: a model may name pages that do not
    exist. Without `counts` the titles are the caller's own, and a refused one is an error.
    """
    for title in titles:
        found = page(title, base=base, fetch=fetch, reader=reader)
        if found.reason and counts is None:
            raise InputError(f"the page {title!r} cannot be used: {found.reason}; choose another title")
        if counts is not None:
            counts[f"page refused: {found.reason}" if found.reason else "pages"] += 1
        yield from found.anchors


def page(title: str, *, base: str = API, fetch: Fetch | None = None, reader: Parser | None = None) -> Page:
    """One page, fetched, checked and cut into passages of 3 to 6 sentences; redirects are followed."""
    title = " ".join(title.replace("_", " ").split())
    if not title or _NO_TITLE.search(title) or len(title.encode("utf-8", "replace")) > 255:
        return Page(title, reason="this is no title of a page")
    asked = {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "prop": "extracts|info|pageprops",
        "ppprop": "disambiguation",
        "explaintext": "1",
        "redirects": "1",
        "titles": title,
    }
    row = _row((fetch or download)(f"{_checked(base)}?{urlencode(asked)}"), base)
    text = row.get("extract") or ""
    reason = _refusal(row, text)
    if reason:
        return Page(title, reason=reason)
    found = str(row.get("title") or title)
    made = tuple(_anchor(found, passage) for passage in passages(text, reader=reader))
    return Page(found, made) if made else Page(found, reason="it has no passage of English prose")


def _checked(base: str) -> str:
    parts = urlsplit(base)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
        raise InputError(f"{base!r} is no address of a MediaWiki API; expected one like {API}")
    return base


def _row(body: bytes, base: str) -> dict[str, Any]:
    """The one page of an API's answer."""
    try:
        found = json.loads(body)
        if "error" in found:
            raise MissingError(f"the MediaWiki API at {base} refuses: {found['error'].get('info', found['error'])}")
        row = found["query"]["pages"][0]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"what {base} answers is not of a MediaWiki API; expected an address like {API}") from error
    if not isinstance(row, dict):
        raise InputError(f"what {base} answers is not of a MediaWiki API; expected an address like {API}")
    return row


def _refusal(row: dict[str, Any], text: str) -> str:
    if row.get("missing") or row.get("invalid"):
        return "there is no such page"
    if "disambiguation" in (row.get("pageprops") or {}):
        return "it is a disambiguation page"
    if str(row.get("pagelanguage", "en")).split("-")[0] != "en":
        return "it is not in English"
    return f"it has fewer than {SHORTEST_PAGE} words" if len(text.split()) < SHORTEST_PAGE else ""


def download(url: str) -> bytes:
    """The body behind an address; a busy server is asked again after the time it names."""
    agent = f"litotes/{version('litotes')} (negation data synthesis; urllib)"
    request = urllib.request.Request(url, headers={"User-Agent": agent, "Accept": "application/json"})
    place = urlsplit(url).netloc
    attempt = 1
    while True:
        try:
            return _body(request, place)
        except urllib.error.HTTPError as error:
            error.close()
            asked = retry_after({name.lower(): value for name, value in error.headers.items()})
            wait = asked if asked is not None else delay(attempt, first=1.0, longest=LONGEST_WAIT)
            if error.code not in BUSY or attempt == TRIES or wait > LONGEST_WAIT:
                later = f"; it asks to wait {asked:,.0f} s" if asked else ""
                raise MissingError(
                    f"{place} answers with status {error.code}{later}; try later, or another address"
                ) from error
            time.sleep(wait)
            attempt += 1


def _body(request: urllib.request.Request, place: str) -> bytes:
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
            body: bytes = reply.read(LARGEST + 1)
    except urllib.error.HTTPError:
        raise
    except (OSError, http.client.HTTPException) as error:
        raise MissingError(
            f"{place} cannot be reached ({getattr(error, 'reason', error)}). Wikipedia pages need the internet; "
            "without it, use files or seed:passages as a source"
        ) from error
    if len(body) > LARGEST:
        raise InputError(f"{place} answers with more than {LARGEST:,} bytes, which is no page")
    return body


def passages(text: str, *, reader: Parser | None = None) -> Iterator[str]:
    """Plain text with headings → passages of 3 to 6 sentences.

    A passage is a paragraph or a part of one; short paragraphs join the next, but never across a heading, and what is
    left under a heading in the end is too short to stand alone.
    """
    reader = reader or load_parser()
    for section in _sections(text):
        waiting: list[str] = []
        for document in reader.pipe(section):
            if any(map(foreign, document.sentences)):
                continue
            waiting += [document.text[s.start : s.end] for s in document.sentences]
            if len(waiting) >= FEWEST:
                yield from _cut(waiting)
                waiting = []


def _sections(text: str) -> Iterator[list[str]]:
    """The paragraphs of prose under each heading; notes, references and lists of works are left out."""
    section: list[str] = []
    left_out = 0
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            yield section
            section = []
            level = len(heading[1])
            if not left_out or level <= left_out:
                left_out = level if heading[2].lower() in BACK_MATTER else 0
            continue
        paragraph = _EMPTY.sub("", " ".join(line.replace("\u200b", "").split()))
        if not left_out and _CLOSED.search(paragraph) and not _FORMULA.search(paragraph):
            section.append(paragraph)
    yield section


def _cut(sentences: Sequence[str]) -> Iterator[str]:
    """As few passages as possible, as even as possible: seven sentences are four and three."""
    parts = -(-len(sentences) // MOST)
    size, larger = divmod(len(sentences), parts)
    at = 0
    for part in range(parts):
        end = at + size + (part < larger)
        yield " ".join(sentences[at:end])
        at = end


def _anchor(title: str, passage: str) -> Anchor:
    name = re.sub(r"\W+", "_", title).strip("_")
    return Anchor(f"wikipedia-{name}-{hashlib.sha256(passage.encode()).hexdigest()[:12]}", passage)
