"""Anchors from Wikipedia: a model names topics of a domain; each page is fetched, checked and split into passages.

Pages come through the MediaWiki API as plain text. A page is refused if it is missing, a disambiguation page, not in
English, or a stub. The text is licensed CC BY-SA 4.0: if you pass on data that was made from it, name Wikipedia and the
page, whose title is part of each anchor's id.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode, urlsplit

from litotes.detection import non_english_reason
from litotes.errors import InputError, MissingError
from litotes.llm.retries import RetryableError, retry_after, retrying
from litotes.parse import Parser, load_parser
from litotes.synthesis.sources.anchor import Anchor
from litotes.types import Generator

API = "https://en.wikipedia.org/w/api.php"
TIMEOUT, ATTEMPTS, LONGEST_WAIT = 20.0, 4, 60.0
LARGEST = 16 * 2**20
SHORTEST_PAGE = 150
FEWEST_SENTENCES, MOST_SENTENCES = 3, 6
TOPICS_PER_REQUEST = 25
BUSY = (429, 503)
# Sections without prose.
BACK_MATTER = frozenset(
    {"see also", "references", "notes", "footnotes", "citations", "sources", "bibliography", "further reading"}
    | {"external links", "works cited", "gallery", "discography", "filmography", "publications", "explanatory notes"}
)
_HEADING = re.compile(r"^\s*(=+)\s*(.*?)\s*\1\s*$")
_INVALID_TITLE = re.compile(r"[#<>\[\]|{}\x00-\x1f]")
# The remains of formulas and of pronunciations, which plain text does not show.
_FORMULA = re.compile(r"\{\\displaystyle")
_EMPTY_BRACKETS = re.compile(r"\s*\((?:[\s,;:]|listen)*\)")
_SENTENCE_END = re.compile(r"[.!?][\"”'’)\]]*$")
Fetch = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Page:
    """A page's passages, or the reason why it was refused."""

    title: str
    anchors: tuple[Anchor, ...] = ()
    reason: str = ""


def topics(generator: Generator, domain: str, count: int) -> list[str]:
    """Ask a model for titles of pages in a domain. It may return fewer than `count`."""
    from litotes.llm.answers import ask
    from litotes.synthesis.by_llm import prompts
    from litotes.synthesis.by_llm.schemas import Topics

    if count < 1 or not domain.strip():
        raise InputError(f"{count} topics of the domain {domain!r}: expected at least one, and the name of a domain")
    titles: dict[str, str] = {}
    while len(titles) < count:
        request = prompts.topics(domain, min(TOPICS_PER_REQUEST, count - len(titles)), list(titles.values()))
        answer = next(ask(generator, [request]))
        if not isinstance(answer.value, Topics):
            if titles:
                break
            raise InputError(f"the model named no topics of {domain!r} ({answer.reason}); try another model")
        before = len(titles)
        for title in answer.value.topics:
            titles.setdefault(title.casefold(), title)
        if len(titles) == before:
            break
    return list(titles.values())[:count]


def usable_titles(titles: Iterable[str], *, base: str = API, counts: Counter[str]) -> list[str]:
    """Return the titles whose pages can be used; count the others by reason, because a model may invent titles."""
    usable = []
    for title in titles:
        result = page(title, base=base)
        if result.reason:
            counts[result.reason] += 1
        else:
            usable.append(result.title)
    return usable


def pages(
    titles: Iterable[str],
    *,
    base: str = API,
    fetch: Fetch | None = None,
    counts: Counter[str] | None = None,
    parser: Parser | None = None,
) -> Iterator[Anchor]:
    """Yield the passages of some pages.

    With `counts`, a refused page is counted by reason, because a model may name pages that do not exist. Without
    `counts`, a refused page is an error.
    """
    for title in titles:
        result = page(title, base=base, fetch=fetch, parser=parser)
        if result.reason and counts is None:
            raise InputError(f"the page {title!r} cannot be used: {result.reason}; choose another title")
        if counts is not None:
            counts[f"page refused: {result.reason}" if result.reason else "pages"] += 1
        yield from result.anchors


def page(title: str, *, base: str = API, fetch: Fetch | None = None, parser: Parser | None = None) -> Page:
    """Fetch and check a page, and split it into passages of 3 to 6 sentences. Redirects are followed."""
    title = " ".join(title.replace("_", " ").split())
    if not title or _INVALID_TITLE.search(title) or len(title.encode("utf-8", "replace")) > 255:
        return Page(title, reason="it is not a valid title")
    query = {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "prop": "extracts|info|pageprops",
        "ppprop": "disambiguation",
        "explaintext": "1",
        "redirects": "1",
        "titles": title,
    }
    row = _row((fetch or download)(f"{_checked_url(base)}?{urlencode(query)}"), base)
    text = row.get("extract") or ""
    reason = _refusal(row, text)
    if reason:
        return Page(title, reason=reason)
    final_title = str(row.get("title") or title)
    anchors = tuple(_anchor(final_title, passage) for passage in passages(text, parser=parser))
    return Page(final_title, anchors) if anchors else Page(final_title, reason="it has no passage of English prose")


def _checked_url(base: str) -> str:
    parts = urlsplit(base)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
        raise InputError(f"{base!r} is not the URL of a MediaWiki API; expected one like {API}")
    return base


def _row(body: bytes, base: str) -> dict[str, Any]:
    """Return the only page in an API's answer."""
    expected = f"the answer of {base} is not that of a MediaWiki API; expected a URL like {API}"
    try:
        answer = json.loads(body)
        if "error" in answer:
            raise MissingError(f"the MediaWiki API at {base} refuses: {answer['error'].get('info', answer['error'])}")
        row = answer["query"]["pages"][0]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(expected) from error
    if not isinstance(row, dict):
        raise InputError(expected)
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
    """Return the body at a URL. A busy server is asked again, after the time it names."""
    agent = f"litotes/{version('litotes')} (negation data synthesis; urllib)"
    request = urllib.request.Request(url, headers={"User-Agent": agent, "Accept": "application/json"})
    host = urlsplit(url).netloc
    try:
        return retrying(attempts=ATTEMPTS, backoff=1.0, longest_wait=LONGEST_WAIT)(_body, request, host)
    except RetryableError as error:
        requested = f" and asks to wait {error.wait:,.0f} s" if error.wait else ""
        raise MissingError(f"{host} answers with {error}{requested}; try later, or use another URL") from error


def _body(request: urllib.request.Request, host: str) -> bytes:
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
            body: bytes = reply.read(LARGEST + 1)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in BUSY:
            wait = retry_after({name.lower(): value for name, value in error.headers.items()})
            raise RetryableError(f"status {error.code}", wait=wait) from error
        raise MissingError(f"{host} answers with status {error.code}; try later, or use another URL") from error
    except (OSError, http.client.HTTPException) as error:
        raise MissingError(
            f"{host} cannot be reached ({getattr(error, 'reason', error)}). Wikipedia pages need the internet; "
            "without it, use files or seed:passages as a source"
        ) from error
    if len(body) > LARGEST:
        raise InputError(f"{host} answers with more than {LARGEST:,} bytes, which is too long for a page")
    return body


def passages(text: str, *, parser: Parser | None = None) -> Iterator[str]:
    """Split plain text with headings into passages of 3 to 6 sentences.

    A passage is a paragraph or a part of one. A short paragraph is joined to the next one under the same heading. What
    remains at the end of a section is too short and is dropped.
    """
    parser = parser or load_parser()
    for section in _sections(text):
        pending: list[str] = []
        for document in parser.pipe(section):
            if any(map(non_english_reason, document.sentences)):
                continue
            pending += [document.text[s.start : s.end] for s in document.sentences]
            if len(pending) >= FEWEST_SENTENCES:
                yield from _split(pending)
                pending = []


def _sections(text: str) -> Iterator[list[str]]:
    """Yield the paragraphs under each heading, without notes, references and lists of works."""
    section: list[str] = []
    skipped_level = 0
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            yield section
            section = []
            level = len(heading[1])
            if not skipped_level or level <= skipped_level:
                skipped_level = level if heading[2].lower() in BACK_MATTER else 0
            continue
        paragraph = _EMPTY_BRACKETS.sub("", " ".join(line.replace("\u200b", "").split()))
        if not skipped_level and _SENTENCE_END.search(paragraph) and not _FORMULA.search(paragraph):
            section.append(paragraph)
    yield section


def _split(sentences: Sequence[str]) -> Iterator[str]:
    """Yield as few passages as possible, of similar length: seven sentences are four and three."""
    parts = -(-len(sentences) // MOST_SENTENCES)
    size, larger = divmod(len(sentences), parts)
    at = 0
    for part in range(parts):
        end = at + size + (part < larger)
        yield " ".join(sentences[at:end])
        at = end


def _anchor(title: str, passage: str) -> Anchor:
    name = re.sub(r"\W+", "_", title).strip("_")
    return Anchor(f"wikipedia-{name}-{hashlib.sha256(passage.encode()).hexdigest()[:12]}", passage)
