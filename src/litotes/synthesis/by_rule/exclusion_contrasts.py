"""Contrasts whose query excludes one thing, with a document that lacks the thing and one that has it.

They come from three sources: a list with one member removed, a passage with and without one of its sentences, and two
passages about things of one kind. The wordings of the queries are in exclusion_cues.tsv.
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
from litotes.synthesis.by_rule.clause_core import ClauseCore, clause_core, inverted_clause, named_subject
from litotes.synthesis.by_rule.noun_lists import NounList, noun_lists
from litotes.synthesis.by_rule.noun_phrases import Names, collect_names, question_word, resolved, text_of
from litotes.synthesis.by_rule.query_words import query_words
from litotes.synthesis.by_rule.topics import Partner, Partners, Topic, asides, excluded_gaps, kind_gaps, mentions, topic


@dataclass(frozen=True, slots=True)
class ExclusionContrast:
    """A query that excludes something, a query that asks for it, and the document that answers each."""

    first: str
    second: str
    without: str
    """The document that answers the first query."""
    having: str
    """The document that answers the second query, and that the first one excludes."""


@dataclass(frozen=True, slots=True)
class ExclusionFrame:
    """One way to exclude something: the wordings that fit, the words for their gaps, and the two documents."""

    frames: tuple[str, ...]
    gaps: dict[str, str]
    without: str
    having: str
    second_gaps: dict[str, str] | None = None
    """The words for the gaps of the second query, if they differ."""


def wordings(frame: str) -> list[tuple[str, str]]:
    """Return the wordings of a frame: pairs of a query that excludes something and a query that asks for it."""
    return [(row["query"], row["mirror"]) for row in table("exclusion_cues") if row["frame"] == frame]


def exclusion_contrasts(
    name: str, document: Document, draw: random.Random, partners: Partners
) -> Iterator[ExclusionContrast]:
    """Yield the exclusions that a passage offers. The sources come in random order, and so do their exclusions."""
    if not document.sentences:
        return
    names = collect_names(document)
    about = topic(document, names)
    sources = [
        list(_from_lists(document, names, about)),
        list(_from_asides(document, about)),
        list(_from_partners(name, document, about, draw, partners)),
    ]
    draw.shuffle(sources)
    for frames in sources:
        draw.shuffle(frames)
        for frame in frames:
            query, mirror = draw.choice([wording for name in frame.frames for wording in wordings(name)])
            second = _fill(mirror, frame.gaps if frame.second_gaps is None else frame.second_gaps)
            yield ExclusionContrast(_fill(query, frame.gaps), second, frame.without, frame.having)


def _fill(wording: str, gaps: dict[str, str]) -> str:
    """Return the wording with its gaps filled. A complete sentence starts with a capital."""
    text = wording.format(**gaps)
    return capital(text) if wording.endswith(("?", ".")) else text


def _from_lists(document: Document, names: Names, about: Topic | None) -> Iterator[ExclusionFrame]:
    """Exclude a list member: The museum shows pottery, maps and coins. → which museum shows … but not coins"""
    for sentence in document.sentences:
        clause = main_clause(sentence)
        if not isinstance(clause, Clause) or clause.negative:
            continue
        core = clause_core(clause)
        for items in noun_lists(sentence):
            for number in items.removable():
                if mentions(document, items.members[number], items.heads[number]) > 1:
                    continue
                without = document.text[: items.start] + items.without(number) + document.text[items.end :]
                excluded = excluded_gaps(items.members[number], items.heads[number], sentence)
                if about is not None:
                    yield ExclusionFrame(("mention",), {"k": about.text, **excluded}, without, document.text)
                if core is not None and not core.fronted and _in_predicate(core, items) and _has_plain_verb(core):
                    for frame, gaps in _list_queries(core, items, number, names):
                        yield ExclusionFrame((frame,), {**gaps, **excluded}, without, document.text)


def _in_predicate(core: ClauseCore, items: NounList) -> bool:
    """Whether the list is in the predicate, and no number before it counts its members."""
    places = {t.i for t in core.tail}
    counted = any(t.tag == "CD" for t in core.tail if t.end <= items.start)
    return not counted and all(t.i in places for member in items.members for t in member)


def _has_plain_verb(core: ClauseCore) -> bool:
    """Whether the verb has no complement, as in "is a simple app for lists and notes"."""
    return core.sentence.child(core.clause.verb, "attr") is None


def _list_queries(core: ClauseCore, items: NounList, number: int, names: Names) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield frames with their gaps: which museum shows pottery and maps; what does the museum show; a museum with …"""
    sentence, verb = core.sentence, lemma(core.clause.verb.lower, "V")
    rest, short = [t for t in core.tail if t.start >= items.end], items.without(number)
    tail = text_of(rest, sentence)
    wh = question_word(sentence, core.subject, names)
    direct = items.heads[0].dep == "dobj" and core.tail[0].start == items.start
    if wh.startswith("which") and resolved(core.predicate) and not rest:
        lead = [t for t in core.predicate if t.end <= items.start]
        yield "list", {"head": f"{wh} {text_of(lead, sentence)} {short}"}
        singular = core.subject.tag in {"NN", "NNP"}
        if direct and singular and verb in query_words("having_verbs"):
            yield "with", {**kind_gaps(wh.removeprefix("which ")), "rest": short}
    subject = named_subject(core, names) if verb != "include" or core.subject.tag == "NN" else ""
    if direct and verb not in query_words("light_verbs") and subject and resolved(rest):
        question = inverted_clause(core, subject, tail, contracted=False)
        if question:
            yield "asked", {"q": f"what {question}"}


def _from_asides(document: Document, about: Topic | None) -> Iterator[ExclusionFrame]:
    """Exclude what one sentence adds: what is known about Lowick Bay Clinic apart from the new wing."""
    if about is None:
        return
    for aside in asides(document, about):
        frames = ("topic", "mention") if aside.separate else ("mention",)
        yield ExclusionFrame(frames, {"k": about.text, **aside.gaps}, aside.without, aside.having)


def _from_partners(
    name: str, document: Document, about: Topic | None, draw: random.Random, partners: Partners
) -> Iterator[ExclusionFrame]:
    """Exclude one thing of a kind: clinics other than Lowick Bay Clinic."""
    if about is None or not about.kind:
        return
    other = partners.other(Partner(name, about.text, document.text), about.kind, draw)
    if other is not None:
        kind = kind_gaps(about.kind)
        yield ExclusionFrame(("pair",), {**kind, "y": about.text}, other.text, document.text, {**kind, "y": other.name})
