"""Check whether a model's sentence has the requested meaning, with our own detection and lexicon.

Two sentences are compared: the negating words, affixes and implicit negatives that only one of them has, and their
antonyms. Each reverses the meaning once. An odd number of reversals is a negation, an even number keeps the meaning.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from litotes.detection import Clause, find_cues, main_clause
from litotes.detection.classification.oppositions import Opposition, oppositions
from litotes.detection.detector import find_negations
from litotes.detection.hedges import find_hedges
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Token
from litotes.synthesis.meaning_checks import meaning_change
from litotes.types import Hedge, Negation, Span

SENTENTIAL = ("verbal", "absolute", "approximate")
FUNCTIONAL = word_set("functional_opposites")
AUXILIARIES = frozenset({"be", "have", "do"})
SHARED_WORDS = 0.4
UNCONFIRMED = "no antonym or negative word that the lexicon knows"
CANCELLED = "two reversals cancel each other out"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reason against a sentence, or "" and the cue that carries its meaning."""

    reason: str = ""
    cue: str = ""


@dataclass(frozen=True)
class SentencePolarity:
    """The negation cues of a sentence, by type, and its hedges."""

    document: Document
    ignored: tuple[Span, ...] = ()
    """Spans that do not count, besides the hedges: a drawn cue with a "not" that the lexicon has no hedge for."""

    @cached_property
    def negators(self) -> dict[str, list[str]]:
        """The cues of each type, in order, without those that belong to a hedge: I am not sure whether …"""
        by_type: dict[str, list[str]] = {cue_type: [] for cue_type in (*SENTENTIAL, "affixal", "implicit")}
        for sentence in self.document.sentences:
            for cue in find_cues(sentence):
                if cue.type in SENTENTIAL and not self._is_ignored(cue.spans[0]):
                    by_type[cue.type].append(cue.text)
            for negation in find_negations(sentence):
                if negation.kind in {"affixal", "implicit"} and not self._is_ignored(negation.cue_spans[0]):
                    by_type[negation.kind].append(_cue_text(negation))
        return by_type

    @cached_property
    def denying(self) -> frozenset[str]:
        """The whole words that carry a negation: unsafe, failed, never."""
        words = {cue.lower() for cue_type in (*SENTENTIAL, "implicit") for cue in self.negators[cue_type]}
        for sentence in self.document.sentences:
            for negation in find_negations(sentence):
                if negation.kind == "affixal":
                    words |= {t.lower for t in sentence.tokens if _overlaps((t.start, t.end), negation.cue_spans[0])}
        return frozenset(words)

    @cached_property
    def hedges(self) -> tuple[Hedge, ...]:
        return tuple(hedge for sentence in self.document.sentences for hedge in find_hedges(sentence))

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(token for sentence in self.document.sentences for token in sentence.tokens)

    def _is_ignored(self, span: Span) -> bool:
        hedged = (other for hedge in self.hedges for other in hedge.cue_spans)
        return any(_overlaps(span, other) for other in (*self.ignored, *hedged))


def check_negation(before: SentencePolarity, after: SentencePolarity, kind: str) -> Verdict:
    """Check that `after` negates `before` by a cue of this kind: verbal, absolute, affixal or lexical."""
    gained = {cue_type: len(after.negators[cue_type]) - len(before.negators[cue_type]) for cue_type in after.negators}
    operators = sum(gained[cue_type] for cue_type in SENTENTIAL)
    if lost := _unfaithful(before, after):
        return Verdict(lost)
    if kind in {"verbal", "absolute"}:
        reason = _operator_failure(before, after, gained, kind)
        new = new_cues(before, after, kind) or new_cues(after, before, *SENTENTIAL)
        return Verdict(reason, new[0] if new else "")
    if operators:
        return Verdict("a negating word is added or removed as well")
    if kind == "affixal":
        new = new_cues(before, after, "affixal") or new_cues(after, before, "affixal")
        if not gained["affixal"] or not new:
            return Verdict("no word was negated by an affix")
        return Verdict("" if reversals(before, after) % 2 else CANCELLED, new[0])
    if gained["affixal"]:
        return Verdict("its negation is of another kind")
    pairs = _opposed(before, after, scales=True)
    if not gained["implicit"] and not pairs:
        return Verdict(UNCONFIRMED, _new_word(before, after))
    new = new_cues(before, after, "implicit") or [pair.right for pair in pairs] or [_new_word(before, after)]
    odd = (abs(gained["implicit"]) + bool(pairs)) % 2
    return Verdict("" if odd else CANCELLED, new[0])


def _operator_failure(before: SentencePolarity, after: SentencePolarity, gained: dict[str, int], kind: str) -> str:
    operators = sum(gained[cue_type] for cue_type in SENTENTIAL)
    if operators % 2 == 0:
        return "it negates twice" if operators else "no negation was added"
    if operators > 0 and gained[kind] <= 0:
        return "its negation is of another kind"
    if reversals(before, after) % 2 == 0:
        return CANCELLED
    single = [side.document.sentences[0] for side in (before, after) if len(side.document.sentences) == 1]
    clauses = [clause for clause in map(main_clause, single) if isinstance(clause, Clause)]
    if len(clauses) == 2 and clauses[0].negative == clauses[1].negative:
        return "the negation does not reach the main clause"
    return ""


def check_hedge(before: Document, after: Document, kind: str, cue: str) -> Verdict:
    """Check that `after` says the same less certainly, with the drawn cue or another one of its size."""
    span = _span(after, cue)
    old, new = SentencePolarity(before), SentencePolarity(after)
    added = Counter(hedge.cue.lower() for hedge in new.hedges)
    added.subtract(hedge.cue.lower() for hedge in old.hedges)
    other_cues = [hedge.cue for hedge in new.hedges if added[hedge.cue.lower()] > 0 and hedge.kind == kind]
    if (span is None or _span(before, cue) is not None) and not other_cues:
        return Verdict("no hedge of this size was added")
    new = SentencePolarity(after, () if span is None else (span,))
    if lost := _unfaithful(old, new):
        return Verdict(lost)
    operators_differ = any(len(old.negators[name]) != len(new.negators[name]) for name in SENTENTIAL)
    if operators_differ or reversals(old, new) % 2:
        return Verdict("the polarity of the claim changed")
    return Verdict("", cue if span is not None else other_cues[0])


def check_paraphrase(before: SentencePolarity, after: SentencePolarity, kind: str) -> Verdict:
    """Check that `after` means the same as `before`; kind "equivalent" needs another cue as well."""
    reason = meaning_change(before.document, after.document)
    if reason or kind != "equivalent":
        return Verdict(reason)
    changed = new_cues(before, after, *before.negators) or [pair.right for pair in _opposed(before, after)]
    changed = changed or new_cues(after, before, *before.negators)
    return Verdict("", changed[0]) if changed else Verdict("its negation is expressed as before")


def reversals(before: SentencePolarity, after: SentencePolarity) -> int:
    """Return how often the meaning is reversed between the two."""
    counted = sum(abs(len(after.negators[name]) - len(before.negators[name])) for name in before.negators)
    return counted + (1 if _opposed(before, after) else 0)


def new_cues(before: SentencePolarity, after: SentencePolarity, *types: str) -> list[str]:
    """Return the cues of these types that only `after` has."""
    old = Counter(cue.lower() for name in types for cue in before.negators[name])
    new = []
    for cue in (cue for name in types for cue in after.negators[name]):
        old[cue.lower()] -= 1
        if old[cue.lower()] < 0:
            new.append(cue)
    return new


def _new_word(before: SentencePolarity, after: SentencePolarity) -> str:
    """Return the first content word that only `after` has."""
    old = {form for token in before.tokens for form in _forms(token)}
    return next((token.text for token in after.tokens if _is_content_word(token) and not _forms(token) & old), "")


def _opposed(before: SentencePolarity, after: SentencePolarity, *, scales: bool = False) -> list[Opposition]:
    """Return the antonyms of the two, without words that carry a negation, because those are counted already.

    Words on a scale (sometimes, never) differ without cancelling a negation; `scales` includes them, for sentences that
    differ in one word only.
    """
    excluded = before.denying | after.denying | FUNCTIONAL
    pairs = oppositions(before.document.sentences, after.document.sentences, scales=scales)
    return [
        pair
        for pair in pairs
        if not any(word in excluded for side in (pair.left, pair.right) for word in side.lower().split())
    ]


def _unfaithful(before: SentencePolarity, after: SentencePolarity) -> str:
    """Return why `after` is about something else or says only a part, or "": too many words were lost."""
    forms = {form for token in after.tokens for form in _forms(token)}
    words = [token for token in before.tokens if token.text[0].isalnum()]
    content = [token for token in words if _is_content_word(token)]
    lost = [token for token in content if not _forms(token) & forms]
    shared = sum(bool(_forms(token) & forms) for token in words)
    if len(lost) > max(1, len(content) / 2) or shared < SHARED_WORDS * len(words):
        return "most of the text is lost"
    return ""


def _is_content_word(token: Token) -> bool:
    """Whether it is a noun, verb, adjective or number, but not an auxiliary."""
    return token.tag[:1] in "NVJC" and token.tag != "CC" and lemma(token.lower, "V") not in AUXILIARIES


def _forms(token: Token) -> set[str]:
    letter = token.tag[:1] if token.tag[:1] in "NVJR" else "N"
    return {token.lower, lemma(token.lower, letter), lemma(token.lower, "V")}


def _span(document: Document, cue: str) -> Span | None:
    """Return where a cue occurs, in any of its forms: it looks like, isn't clear."""
    wanted = cue.lower().split()
    for sentence in document.sentences:
        for at in range(len(sentence.tokens) - len(wanted) + 1):
            part = sentence.tokens[at : at + len(wanted)]
            if all(_matches(token, word) for token, word in zip(part, wanted, strict=True)):
                return part[0].start, part[-1].end
    return None


def _matches(token: Token, word: str) -> bool:
    return word in _forms(token) or (word == "not" and token.lower == "n't")


def _overlaps(left: Span, right: Span) -> bool:
    return left[0] < right[1] and right[0] < left[1]


def _cue_text(negation: Negation) -> str:
    """Return the cue; an affix with its hyphen: un-, -less."""
    if negation.kind != "affixal" or negation.event_span is None:
        return negation.cue
    is_prefix = negation.cue_spans[0][0] < negation.event_span[0]
    cue = negation.cue.strip("-").lower()
    return f"{cue}-" if is_prefix else f"-{cue}"
