"""Classify by rules in four steps: negative words, quantifier patterns, antonyms, none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, tee

from litotes.detection.affixes import PREFIXES, has_negating_affix
from litotes.detection.classification.oppositions import Opposition, oppositions
from litotes.detection.classification.quantifiers import QuantifierForm, quantifier_form
from litotes.detection.detector import find_negations
from litotes.detection.exclusion import split_query
from litotes.detection.parsed_cues import QUANTIFIED, exceptor_entries, implicit_entries
from litotes.lexicon import word_set
from litotes.logic import relation
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence, load_parser
from litotes.types import Classification, Contrast, Negation

# weak negatives that, with their partner, are merely two opposites: "lose", "leave", "hide"
ANTONYM_HALVES = word_set("antonym_halves")
TEXTS = ("q1", "q2", "doc1", "doc2")
ORDER = ("exceptor", "sentential", "affixal", "implicit")
# two documents count as edits of each other if this share of their words is the same
EDITED = 0.6
FUNCTIONAL = word_set("functional_opposites")


@dataclass(frozen=True, slots=True)
class Predicate:
    """A negating word of one query that the other query does not have."""

    negation: Negation
    where: str
    weak: bool


class RulesEngine:
    """Classifies contrasts with the detector and the lexicon alone."""

    name = "rules"

    def __init__(self, parser: Parser | str = "") -> None:
        self._parser = parser

    def classify(self, contrast: Contrast) -> Classification:
        """Return the contrast's kind, from the first of the four steps that finds one."""
        return next(self.classify_all([contrast]))

    def classify_all(self, contrasts: Iterable[Contrast]) -> Iterator[Classification]:
        """Classify many contrasts as a stream; the texts of several contrasts are parsed together."""
        ahead, behind = tee(contrasts)
        texts = (text for one in ahead for text in (one.q1, one.q2 or "", one.doc1, one.doc2))
        documents = load_parser(self._parser).pipe(texts)
        for contrast in behind:
            yield self.classify_parsed(contrast.id, dict(zip(TEXTS, islice(documents, len(TEXTS)), strict=True)))

    def classify_parsed(self, name: str, parsed: dict[str, Document]) -> Classification:
        """Classify a contrast that is already parsed: its documents by "q1", "q2", "doc1" and "doc2"."""
        long = next((place for place, document in parsed.items() if len(document.text) > MAX_CHARACTERS), "")
        if long:
            reason = f"{long} is longer than {MAX_CHARACTERS:,} characters and was not read"
            return Classification(name, "", reason, "unread", self.name)
        pattern = _query_pattern(parsed)
        if pattern is not None:
            return Classification(name, *pattern, "quantifiers", self.name)
        affixed = _affixed_pair(parsed)
        if affixed is not None:
            return Classification(name, "affixal", affixed, "predicates", self.name)
        predicates = _predicates(parsed)
        strong = _choose([p for p in predicates if not p.weak])
        if strong is not None:
            return Classification(name, *strong, "predicates", self.name)
        pattern = _crosswise_pattern(parsed)
        if pattern is not None:
            return Classification(name, *pattern, "quantifiers", self.name)
        pairs = oppositions(parsed["q1"].sentences, parsed["q2"].sentences) if _about_the_same(parsed) else []
        weak = _choose([p for p in predicates if not (p.negation.cue.lower() in ANTONYM_HALVES and pairs)])
        if weak is not None:
            return Classification(name, *weak, "predicates", self.name)
        pairs = pairs or _edited_words(parsed)
        if pairs:
            best = pairs[0]
            return Classification(name, best.kind, f"{best.left} / {best.right}", "antonyms", self.name)
        added = next((cue for sentence in parsed["q1"].sentences if (cue := _addition_cue(sentence))), "")
        if added:
            return Classification(name, "exceptor", f"{added} (q1)", "predicates", self.name)
        loose = _by_form_alone(parsed)
        if loose is not None:
            return Classification(name, *loose, "predicates", self.name)
        return Classification(name, "none", "no predicate, quantifier pattern or antonym was found", "none", self.name)


def _query_pattern(parsed: dict[str, Document]) -> tuple[str, str] | None:
    """Match quantifiers of the two queries: "all …" (q1) against "some … not" (q2)."""
    if not _alike(_content(parsed["q1"]), _content(parsed["q2"])):
        return None
    forms = [_forms(parsed[name].sentences) for name in ("q1", "q2")]
    for left in forms[0]:
        for right in forms[1]:
            kind = relation(left.sign, right.sign)
            if kind:
                return kind, f"{left.sign} “{left.words}” (q1) against {right.sign} “{right.words}” (q2)"
    return None


def _crosswise_pattern(parsed: dict[str, Document]) -> tuple[str, str] | None:
    """Match a quantifier of a query against one of the other query's document."""
    for query, document in (("q1", "doc2"), ("q2", "doc1")):
        for left in _forms(parsed[query].sentences):
            if left.sign in {"¬∃", "∃¬"}:
                continue
            for right in _forms([s for s in parsed[document].sentences if _on_topic(parsed[query], s)]):
                kind = relation(left.sign, right.sign)
                if kind:
                    evidence = f"{left.sign} “{left.words}” ({query}) against {right.sign} “{right.words}” ({document})"
                    return kind, evidence
    return None


def _alike(left: set[str], right: set[str]) -> bool:
    """Return whether at least half of the words are the same: "all rooms have a view", "no rooms have a view"."""
    return 2 * len(left & right) >= min(len(left), len(right)) > 0


def _on_topic(query: Document, sentence: Sentence) -> bool:
    """Return whether a sentence is about what the query asks: at least two of its words."""
    words = {token.lower for token in sentence.tokens if len(token.lower) > 3}
    return len(_content(query) & words) >= 2


def _forms(sentences: Sequence[Sentence]) -> list[QuantifierForm]:
    return [form for sentence in sentences if (form := quantifier_form(sentence)) is not None]


def _predicates(parsed: dict[str, Document]) -> list[Predicate]:
    """Return the negations that only one of the queries has."""
    predicates: list[Predicate] = []
    own = {name: _negations(parsed[name]) for name in ("q1", "q2")}
    for same in (_key, _kind, _denied):
        own["q1"], own["q2"] = _cancelled(own["q1"], own["q2"], same)
    for name, negations_ in own.items():
        predicates += [Predicate(negation, name, weak) for negation, weak in negations_]
    return predicates


Own = list[tuple[Negation, bool]]


def _cancelled(left: Own, right: Own, same: Callable[[Negation], tuple[str, ...]]) -> tuple[Own, Own]:
    """Remove from two lists the negations that have a counterpart in the other list."""
    rest = list(right)
    remaining: Own = []
    for negation, weak in left:
        match = next((one for one in rest if same(one[0]) == same(negation)), None)
        if match is None:
            remaining.append((negation, weak))
        else:
            rest.remove(match)
    return remaining, rest


def _kind(negation: Negation) -> tuple[str, ...]:
    """Compare by kind: "nobody came" and "no one came" are the same denial in other words."""
    return (negation.kind,)


def _denied(negation: Negation) -> tuple[str, ...]:
    """Compare by what is denied: "not safe" and "unsafe"."""
    return (negation.event.lower() or negation.cue.lower(),)


def _by_form_alone(parsed: dict[str, Document]) -> tuple[str, str] | None:
    """Find a cue by its form alone. Queries are fragments: the tagger may take "skips" for a noun or "save" for a verb.

    Only words that the other query does not have count.
    """
    words = {
        name: [token.lower for sentence in parsed[name].sentences for token in sentence.tokens] for name in ("q1", "q2")
    }
    denying = [name for name in words if any(not weak for _, weak in _negations(parsed[name]))]
    if not words["q2"] or len(denying) == 2:
        return None
    for kind, matches in (("exceptor", _exceptor_form), ("affixal", _affixal_form), ("implicit", _implicit_form)):
        for name, other in (("q1", "q2"), ("q2", "q1")):
            for at, word in enumerate(words[name]):
                if word not in words[other] and matches(words[name], at):
                    return kind, f"{word} ({name})"
    return None


def _exceptor_form(words: Sequence[str], at: int) -> bool:
    if words[at] in {"but", "beyond"} and not QUANTIFIED & set(words[:at]):
        return False
    return 0 < at < len(words) - 1 and any(not entry.rest for entry in exceptor_entries().get(words[at], ()))


def _affixal_form(words: Sequence[str], at: int) -> bool:
    return has_negating_affix(words[at], "")


def _implicit_form(words: Sequence[str], at: int) -> bool:
    return any(not entry.rest and entry.pos == "V" for entry in implicit_entries().get(words[at], ()))


def _key(negation: Negation) -> tuple[str, ...]:
    return negation.kind, (
        negation.event or negation.cue
    ).lower() if negation.kind == "affixal" else negation.cue.lower()


def _negations(document: Document) -> list[tuple[Negation, bool]]:
    """Return a query's negations and whether each is weak. What a query excludes counts as an exceptor."""
    asked = _exclusion(document.text)
    negations: list[tuple[Negation, bool]] = [] if asked is None else [(asked, False)]
    for sentence in document.sentences:
        certain = {negation.cue_spans for negation in find_negations(sentence)}
        for negation in find_negations(sentence, weak=True):
            inside = asked is not None and negation.cue_spans[0][0] >= asked.cue_spans[0][0]
            answers = negation.cue.lower() == "no" and not negation.scope
            if not inside and not answers:
                negations.append((negation, negation.cue_spans not in certain))
    return negations


def _exclusion(text: str) -> Negation | None:
    """Return what a query excludes, as an exceptor, or None."""
    found = split_query(text)
    if not found.cues:
        return None
    cue, start, event = found.cues[0], found.cue_spans[0], found.excluded_spans[0]
    rule = f"“{cue}” excludes what follows"
    return Negation(cue, (start,), found.excluded_spans, found.excluded[0], event, "exceptor", rule)


def _addition_cue(sentence: Sentence) -> str:
    """Return the cue of "In addition to Y, what else …", which asks for the others as "besides" does, or ""."""
    words = [token.lower for token in sentence.tokens]
    for at in range(len(words) - 2):
        if words[at : at + 3] == ["in", "addition", "to"] and {"other", "else", "others", "another"} & set(words):
            return "in addition to"
    return ""


def _choose(predicates: Sequence[Predicate]) -> tuple[str, str] | None:
    """Choose the kind: an exceptor before an operator before an affix before an implicit negative."""
    for kind in ORDER:
        for predicate in predicates:
            if predicate.negation.kind == kind:
                return kind, f"{_shown(predicate.negation)} ({predicate.where})"
    return None


def _shown(negation: Negation) -> str:
    """Return "un- in unpaved" for an affix, or else the cue."""
    if negation.kind != "affixal":
        return negation.cue
    before = negation.event_span is not None and negation.event_span[0] < negation.cue_spans[0][0]
    return (
        f"-{negation.cue} in {negation.event}{negation.cue}"
        if before
        else f"{negation.cue}- in {negation.cue}{negation.event}"
    )


def _edited_words(parsed: dict[str, Document]) -> list[Opposition]:
    """Return the antonyms of two documents that differ in only a few words."""
    words = [
        {token.lower for sentence in parsed[name].sentences for token in sentence.tokens} for name in ("doc1", "doc2")
    ]
    alike = len(words[0] & words[1]) / max(1, len(words[0] | words[1]))
    if alike < EDITED:
        return []
    pairs = oppositions(parsed["doc1"].sentences, parsed["doc2"].sentences, scales=False)
    return [pair for pair in pairs if pair.left.isalpha() and pair.right.isalpha() and not _functional(pair)]


def _functional(pair: Opposition) -> bool:
    """Match cues and function words, which decide nothing in a document: "without" and "with"."""
    return bool({pair.left.lower(), pair.right.lower()} & FUNCTIONAL)


def _affixed_pair(parsed: dict[str, Document]) -> str | None:
    """Return a word of one query that is a word of the other with a negating prefix."""
    words = [_content(parsed[name]) for name in ("q1", "q2")]
    for name, own, other in (("q1", words[0] - words[1], words[1]), ("q2", words[1] - words[0], words[0])):
        operator = any(n.kind == "sentential" for n, _ in _negations(parsed["q2" if name == "q1" else "q1"]))
        if operator:
            # "unsafe" and "not safe": the other query denies as well
            continue
        for word in sorted(own):
            stem = next((w for w in other - (words[0] & words[1]) if _affixed(word, w)), "")
            if stem:
                return f"{word} ({name})"
    return None


def _about_the_same(parsed: dict[str, Document]) -> bool:
    """Return whether two queries share a word. "First aid kit" and "last minute flights" do not."""
    return bool(_content(parsed["q1"]) & _content(parsed["q2"]))


def _content(document: Document) -> set[str]:
    return {token.lower for sentence in document.sentences for token in sentence.tokens if len(token.lower) > 3}


def _affixed(left: str, right: str) -> bool:
    """Match "uncovered" and "covered"."""
    return any(left == prefix + right for prefix in PREFIXES) and has_negating_affix(left, "")
