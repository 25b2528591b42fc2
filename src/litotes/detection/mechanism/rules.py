"""The mechanism by rules: predicates in the queries, quantifier patterns, antonyms, none; each with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, tee

from litotes.detection.affixes import PREFIXES, carries
from litotes.detection.find import negations
from litotes.detection.lexical import QUANTIFIED, exceptor_entries, implicit_entries
from litotes.detection.mechanism.exclusions import addition, exclusion
from litotes.detection.mechanism.oppositions import Opposition, oppositions
from litotes.detection.mechanism.quantifiers import Form, form
from litotes.lexicon import word_set
from litotes.logic import relation
from litotes.parse import MAX_CHARACTERS, Document, Parser, Sentence
from litotes.parse import parser as load_parser
from litotes.types import Classification, Contrast, Negation

# lose, leave, hide: weak negatives that with their partner are just two opposites
HALVES = word_set("antonym_halves")
TEXTS = ("q1", "q2", "doc1", "doc2")
ORDER = ("exceptor", "sentential", "affixal", "implicit")
# Two documents are one edited when so many of their words are the same.
EDITED = 0.6
FUNCTIONAL = word_set("functional_opposites")


@dataclass(frozen=True, slots=True)
class Predicate:
    """A negating predicate of a query that the other query does not have."""

    negation: Negation
    where: str
    weak: bool


class RulesEngine:
    """Sorts contrasts into the taxonomy with the detector and the lexicon alone."""

    name = "rules"

    def __init__(self, reader: Parser | None = None) -> None:
        self._reader = reader

    def classify(self, contrast: Contrast) -> Classification:
        """The contrast's kind, by the first of the four steps that finds one."""
        return next(self.classify_all([contrast]))

    def classify_all(self, contrasts: Iterable[Contrast]) -> Iterator[Classification]:
        """The same over many; the texts of several contrasts are parsed together."""
        reader = self._reader or load_parser()
        ahead, behind = tee(contrasts)
        texts = (text for one in ahead for text in (one.q1, one.q2 or "", one.doc1, one.doc2))
        documents = reader.pipe(texts)
        for contrast in behind:
            yield self.of_parsed(contrast.id, dict(zip(TEXTS, islice(documents, len(TEXTS)), strict=True)))

    def of_parsed(self, name: str, parsed: dict[str, Document]) -> Classification:
        """The same for texts that are already parsed, by "q1", "q2", "doc1", "doc2"."""
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
        found = _predicates(parsed)
        strong = _choose([p for p in found if not p.weak])
        if strong is not None:
            return Classification(name, *strong, "predicates", self.name)
        pattern = _crosswise_pattern(parsed)
        if pattern is not None:
            return Classification(name, *pattern, "quantifiers", self.name)
        pairs = oppositions(parsed["q1"].sentences, parsed["q2"].sentences) if _about_the_same(parsed) else []
        weak = _choose([p for p in found if not (p.negation.cue.lower() in HALVES and pairs)])
        if weak is not None:
            return Classification(name, *weak, "predicates", self.name)
        pairs = pairs or _edited_words(parsed)
        if pairs:
            best = pairs[0]
            return Classification(name, best.sort, f"{best.left} / {best.right}", "antonyms", self.name)
        added = next((cue for sentence in parsed["q1"].sentences if (cue := addition(sentence))), "")
        if added:
            return Classification(name, "exceptor", f"{added} (q1)", "predicates", self.name)
        loose = _loose(parsed)
        if loose is not None:
            return Classification(name, *loose, "predicates", self.name)
        return Classification(name, "none", "no predicate, quantifier pattern or antonym was found", "none", self.name)


def _query_pattern(parsed: dict[str, Document]) -> tuple[str, str] | None:
    """all … (q1) against some … not (q2)"""
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
    """A quantifier of a query against one of the other side's document."""
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
    """all rooms have a view / no rooms have a view: half of the words at least are the same"""
    return 2 * len(left & right) >= min(len(left), len(right)) > 0


def _on_topic(query: Document, sentence: Sentence) -> bool:
    """Whether a sentence speaks of what the query asks: two words of it, at least."""
    words = {token.lower for token in sentence.tokens if len(token.lower) > 3}
    return len(_content(query) & words) >= 2


def _forms(sentences: Sequence[Sentence]) -> list[Form]:
    return [found for sentence in sentences if (found := form(sentence)) is not None]


def _predicates(parsed: dict[str, Document]) -> list[Predicate]:
    """The negations that only one of the queries holds."""
    found: list[Predicate] = []
    own = {name: _negations(parsed[name]) for name in ("q1", "q2")}
    for same in (_key, _kind, _denied):
        own["q1"], own["q2"] = _cancelled(own["q1"], own["q2"], same)
    for name, negations_ in own.items():
        found += [Predicate(negation, name, weak) for negation, weak in negations_]
    return found


Own = list[tuple[Negation, bool]]


def _cancelled(left: Own, right: Own, same: Callable[[Negation], tuple[str, ...]]) -> tuple[Own, Own]:
    """What is left of two lists when each negation is set against one of the other that is the same."""
    rest = list(right)
    kept: Own = []
    for negation, weak in left:
        match = next((one for one in rest if same(one[0]) == same(negation)), None)
        if match is None:
            kept.append((negation, weak))
        else:
            rest.remove(match)
    return kept, rest


def _kind(negation: Negation) -> tuple[str, ...]:
    """nobody came / no one came: the same denial in other words"""
    return (negation.kind,)


def _denied(negation: Negation) -> tuple[str, ...]:
    """not safe / unsafe: one denial of each kind, of the same thing"""
    return (negation.event.lower() or negation.cue.lower(),)


def _loose(parsed: dict[str, Document]) -> tuple[str, str] | None:
    """A cue by its form alone: queries are fragments, and the tagger may take skips for a noun or save for a verb.

    Only words that the other query does not hold count.
    """
    words = {
        name: [token.lower for sentence in parsed[name].sentences for token in sentence.tokens] for name in ("q1", "q2")
    }
    denying = [name for name in words if any(not weak for _, weak in _negations(parsed[name]))]
    if not words["q2"] or len(denying) == 2:
        return None
    for kind, found in (("exceptor", _exceptor_form), ("affixal", _affixal_form), ("implicit", _implicit_form)):
        for name, other in (("q1", "q2"), ("q2", "q1")):
            for at, word in enumerate(words[name]):
                if word not in words[other] and found(words[name], at):
                    return kind, f"{word} ({name})"
    return None


def _exceptor_form(words: Sequence[str], at: int) -> bool:
    if words[at] in {"but", "beyond"} and not QUANTIFIED & set(words[:at]):
        return False
    return 0 < at < len(words) - 1 and any(not entry.rest for entry in exceptor_entries().get(words[at], ()))


def _affixal_form(words: Sequence[str], at: int) -> bool:
    return carries(words[at], "")


def _implicit_form(words: Sequence[str], at: int) -> bool:
    return any(not entry.rest and entry.pos == "V" for entry in implicit_entries().get(words[at], ()))


def _key(negation: Negation) -> tuple[str, ...]:
    return negation.kind, (
        negation.event or negation.cue
    ).lower() if negation.kind == "affixal" else negation.cue.lower()


def _negations(document: Document) -> list[tuple[Negation, bool]]:
    """A query's negations and whether each is weak; what only asks to leave something out is an exceptor."""
    found: list[tuple[Negation, bool]] = []
    for sentence in document.sentences:
        asked = exclusion(sentence)
        if asked is not None:
            found.append((asked, False))
        certain = {negation.cue_spans for negation in negations(sentence)}
        for negation in negations(sentence, weak=True):
            inside = asked is not None and negation.cue_spans[0][0] >= asked.cue_spans[0][0]
            answers = negation.cue.lower() == "no" and not negation.scope
            if not inside and not answers:
                found.append((negation, negation.cue_spans not in certain))
    return found


def _choose(found: Sequence[Predicate]) -> tuple[str, str] | None:
    """The kind the predicates speak for; an exceptor before an operator before an affix before a meaning."""
    for kind in ORDER:
        for predicate in found:
            if predicate.negation.kind == kind:
                return kind, f"{_shown(predicate.negation)} ({predicate.where})"
    return None


def _shown(negation: Negation) -> str:
    """un- in unpaved; otherwise the cue"""
    if negation.kind != "affixal":
        return negation.cue
    before = negation.event_span is not None and negation.event_span[0] < negation.cue_spans[0][0]
    return (
        f"-{negation.cue} in {negation.event}{negation.cue}"
        if before
        else f"{negation.cue}- in {negation.cue}{negation.event}"
    )


def _edited_words(parsed: dict[str, Document]) -> list[Opposition]:
    """Antonyms of the documents, where one is the other but for a few words."""
    words = [
        {token.lower for sentence in parsed[name].sentences for token in sentence.tokens} for name in ("doc1", "doc2")
    ]
    alike = len(words[0] & words[1]) / max(1, len(words[0] | words[1]))
    if alike < EDITED:
        return []
    pairs = oppositions(parsed["doc1"].sentences, parsed["doc2"].sentences, scales=False)
    return [pair for pair in pairs if pair.left.isalpha() and pair.right.isalpha() and not _functional(pair)]


def _functional(pair: Opposition) -> bool:
    """without / with: cues and function words, which in a document decide nothing"""
    return bool({pair.left.lower(), pair.right.lower()} & FUNCTIONAL)


def _affixed_pair(parsed: dict[str, Document]) -> str | None:
    """A word of one query that is a word of the other with a negating prefix."""
    words = [_content(parsed[name]) for name in ("q1", "q2")]
    for name, own, other in (("q1", words[0] - words[1], words[1]), ("q2", words[1] - words[0], words[0])):
        operator = any(n.kind == "sentential" for n, _ in _negations(parsed["q2" if name == "q1" else "q1"]))
        if operator:
            # unsafe / not safe: the other side denies as well
            continue
        for word in sorted(own):
            stem = next((w for w in other - (words[0] & words[1]) if _affixed(word, w)), "")
            if stem:
                return f"{word} ({name})"
    return None


def _about_the_same(parsed: dict[str, Document]) -> bool:
    """Two queries that share a word are about one thing; first aid kit / last minute flights are not."""
    return bool(_content(parsed["q1"]) & _content(parsed["q2"]))


def _content(document: Document) -> set[str]:
    return {token.lower for sentence in document.sentences for token in sentence.tokens if len(token.lower) > 3}


def _affixed(left: str, right: str) -> bool:
    """uncovered / covered"""
    return any(left == prefix + right for prefix in PREFIXES) and carries(left, "")
