"""Contrasts that exclude: what is wanted, without one thing; a document without it, and one that has it.

Three ways to come by them: a list with one member taken out; a passage without its last sentence, against one with it;
and two passages on things of one kind. The queries' wordings are a table, exclusion_cues.tsv.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from litotes.detection import Clause, main_clause
from litotes.lexicon import table
from litotes.lexicon.morphology import lemma
from litotes.parse import Document
from litotes.rewrite.letters import capital
from litotes.synth.by_rule.core import Core, asked, core, named_subject
from litotes.synth.by_rule.lists import Listing, listings
from litotes.synth.by_rule.nouns import Naming, asked_for, naming, resolved, text_of
from litotes.synth.by_rule.topics import Partner, Partners, Topic, asides, kind_words, mentions, named, topic
from litotes.synth.by_rule.words import words


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A query that leaves something out, one that asks for it, and the document of each."""

    first: str
    second: str
    without: str
    """the document that the first query is after"""
    having: str
    """the first one's trap, which the second is after"""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to exclude: which wordings fit, what stands in their gaps, and the two documents."""

    frames: tuple[str, ...]
    gaps: dict[str, str]
    without: str
    having: str
    mirrored: dict[str, str] | None = None
    """what stands in the gaps of the second query, where that differs"""


def wordings(frame: str) -> list[tuple[str, str]]:
    """The wordings of one frame: the query that leaves something out, and the one that asks for it."""
    return [(row["query"], row["mirror"]) for row in table("exclusion_cues") if row["frame"] == frame]


def exclusions(name: str, document: Document, draw: random.Random, partners: Partners) -> Iterator[Exclusion]:
    """The exclusions that a passage gives, in an order by lot; the sources take turns."""
    if not document.sentences:
        return
    known = naming(document)
    about = topic(document, known)
    sources = [
        list(_listed(document, known, about)),
        list(_aside(document, about)),
        list(_paired(name, document, about, draw, partners)),
    ]
    draw.shuffle(sources)
    for ways in sources:
        draw.shuffle(ways)
        for way in ways:
            query, mirror = draw.choice([wording for frame in way.frames for wording in wordings(frame)])
            second = _worded(mirror, way.gaps if way.mirrored is None else way.mirrored)
            yield Exclusion(_worded(query, way.gaps), second, way.without, way.having)


def _worded(wording: str, gaps: dict[str, str]) -> str:
    """The wording with its gaps filled; a whole sentence opens with a capital."""
    text = wording.format(**gaps)
    return capital(text) if wording.endswith(("?", ".")) else text


def _listed(document: Document, known: Naming, about: Topic | None) -> Iterator[Way]:
    """The museum shows pottery, maps and coins. → which museum shows pottery and maps but not coins"""
    for sentence in document.sentences:
        clause = main_clause(sentence)
        if not isinstance(clause, Clause) or clause.negative:
            continue
        found = core(clause)
        for listing in listings(sentence):
            for number in listing.deletable():
                if mentions(document, listing.members[number], listing.heads[number]) > 1:
                    continue
                without = document.text[: listing.start] + listing.without(number) + document.text[listing.end :]
                y = named(listing.members[number], listing.heads[number], sentence)
                if about is not None:
                    yield Way(("mention",), {"k": about.text, **y}, without, document.text)
                if found is not None and not found.fronted and _inside(found, listing) and _plain_verb(found):
                    for frame, gaps in _asked_by_list(found, listing, number, known):
                        yield Way((frame,), {**gaps, **y}, without, document.text)


def _inside(found: Core, listing: Listing) -> bool:
    """Whether the list lies in the predicate, and no number before it counts its members."""
    kept = {t.i for t in found.tail}
    counted = any(t.tag == "CD" for t in found.tail if t.end <= listing.start)
    return not counted and all(t.i in kept for member in listing.members for t in member)


def _plain_verb(found: Core) -> bool:
    """Not: is a simple app for lists and notes"""
    return found.sentence.child(found.clause.verb, "attr") is None


def _asked_by_list(found: Core, listing: Listing, number: int, known: Naming) -> Iterator[tuple[str, dict[str, str]]]:
    """Which museum shows pottery and maps; what does the museum show; a museum with pottery and maps."""
    sentence, verb = found.sentence, lemma(found.clause.verb.lower, "V")
    rest, short = [t for t in found.tail if t.start >= listing.end], listing.without(number)
    tail = text_of(rest, sentence)
    wh = asked_for(sentence, found.subject, known)
    direct = listing.heads[0].dep == "dobj" and found.tail[0].start == listing.start
    if wh.startswith("which") and resolved(found.predicate) and not rest:
        lead = [t for t in found.predicate if t.end <= listing.start]
        yield "list", {"head": f"{wh} {text_of(lead, sentence)} {short}"}
        singular = found.subject.tag in {"NN", "NNP"}
        if direct and singular and verb in words("having_verbs"):
            yield "with", {**kind_words(wh.removeprefix("which ")), "rest": short}
    subject = named_subject(found, known) if verb != "include" or found.subject.tag == "NN" else ""
    if direct and verb not in words("light_verbs") and subject and resolved(rest):
        question = asked(found, subject, tail, contracted=False)
        if question:
            yield "asked", {"q": f"what {question}"}


def _aside(document: Document, about: Topic | None) -> Iterator[Way]:
    """What is known about Lowick Bay Clinic apart from the new wing"""
    if about is None:
        return
    for aside in asides(document, about):
        frames = ("topic", "mention") if aside.apart else ("mention",)
        yield Way(frames, {"k": about.text, **aside.words}, aside.without, aside.having)


def _paired(
    name: str, document: Document, about: Topic | None, draw: random.Random, partners: Partners
) -> Iterator[Way]:
    """clinics other than Lowick Bay Clinic"""
    if about is None or not about.kind:
        return
    other = partners.other(Partner(name, about.text, document.text), about.kind, draw)
    if other is not None:
        kind = kind_words(about.kind)
        yield Way(("pair",), {**kind, "y": about.text}, other.text, document.text, {**kind, "y": other.name})
