"""Whether a model's sentence says what it was asked to say, by our own counter of negations and our own lexicon.

Two sentences are set against each other: the negating words, affixes and implicit negatives that only one of them
holds, and their antonyms. Each turns the meaning once; an odd number of turns denies, an even number says the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from litotes.detection import Clause, cues, main_clause
from litotes.detection.find import negations
from litotes.detection.hedges import hedges
from litotes.detection.mechanism.oppositions import Opposition, oppositions
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Token
from litotes.synth.meaning import change
from litotes.types import Hedge, Negation, Span

SENTENTIAL = ("verbal", "absolute", "approximate")
FUNCTIONAL = word_set("functional_opposites")
AUXILIARIES = frozenset({"be", "have", "do"})
KEPT = 0.4
UNCONFIRMED = "no antonym or negative word that the lexicon knows"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reason against a sentence, or "" and the cue that makes it what it is."""

    reason: str = ""
    cue: str = ""


@dataclass(frozen=True)
class View:
    """A sentence as the check sees it: what negates in it, by sort, and what hedges."""

    document: Document
    aside: tuple[Span, ...] = ()
    """places that do not count beside the hedges: the "not" of a drawn cue the lexicon does not know as a hedge"""

    @cached_property
    def negators(self) -> dict[str, list[str]]:
        """sort → the cues of that sort, in order, less what belongs to a hedge: I am not sure whether …"""
        found: dict[str, list[str]] = {sort: [] for sort in (*SENTENTIAL, "affixal", "implicit")}
        for sentence in self.document.sentences:
            for cue in cues(sentence):
                if cue.sort in SENTENTIAL and not self._aside(cue.spans[0]):
                    found[cue.sort].append(cue.text)
            for negation in negations(sentence):
                if negation.kind in {"affixal", "implicit"} and not self._aside(negation.cue_spans[0]):
                    found[negation.kind].append(_shown(negation))
        return found

    @cached_property
    def denying(self) -> frozenset[str]:
        """The words that carry a negation, whole: unsafe, failed, never."""
        found = {cue.lower() for sort in (*SENTENTIAL, "implicit") for cue in self.negators[sort]}
        for sentence in self.document.sentences:
            for negation in negations(sentence):
                if negation.kind == "affixal":
                    found |= {t.lower for t in sentence.tokens if _overlaps((t.start, t.end), negation.cue_spans[0])}
        return frozenset(found)

    @cached_property
    def hedges(self) -> tuple[Hedge, ...]:
        return tuple(hedge for sentence in self.document.sentences for hedge in hedges(sentence))

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(token for sentence in self.document.sentences for token in sentence.tokens)

    def _aside(self, span: Span) -> bool:
        hedged = (place for hedge in self.hedges for place in hedge.cue_spans)
        return any(_overlaps(span, place) for place in (*self.aside, *hedged))


def negation(before: View, after: View, kind: str) -> Verdict:
    """Whether `after` denies `before` in the way called `kind`: verbal, absolute, affixal or lexical."""
    gained = {sort: len(after.negators[sort]) - len(before.negators[sort]) for sort in after.negators}
    operators = sum(gained[sort] for sort in SENTENTIAL)
    if lost := _unfaithful(before, after):
        return Verdict(lost)
    if kind in {"verbal", "absolute"}:
        reason = _operator_failure(before, after, gained, kind)
        new = new_cues(before, after, kind) or new_cues(after, before, *SENTENTIAL)
        return Verdict(reason, new[0] if new else "")
    if operators:
        return Verdict("a negating word comes or goes as well")
    if kind == "affixal":
        new = new_cues(before, after, "affixal") or new_cues(after, before, "affixal")
        if not gained["affixal"] or not new:
            return Verdict("no word was turned by a negating affix")
        return Verdict("" if turns(before, after) % 2 else "two turns cancel each other out", new[0])
    if gained["affixal"]:
        return Verdict("its negation is of another kind")
    pairs = _opposed(before, after, scales=True)
    if not gained["implicit"] and not pairs:
        return Verdict(UNCONFIRMED, _new_word(before, after))
    new = new_cues(before, after, "implicit") or [pair.right for pair in pairs] or [_new_word(before, after)]
    odd = (abs(gained["implicit"]) + bool(pairs)) % 2
    return Verdict("" if odd else "two turns cancel each other out", new[0])


def _operator_failure(before: View, after: View, gained: dict[str, int], kind: str) -> str:
    operators = sum(gained[sort] for sort in SENTENTIAL)
    if operators % 2 == 0:
        return "it negates twice" if operators else "no negation was added"
    if operators > 0 and gained[kind] <= 0:
        return "its negation is of another kind"
    if turns(before, after) % 2 == 0:
        return "two turns cancel each other out"
    sides = [main_clause(view.document.sentences[0]) for view in (before, after) if len(view.document.sentences) == 1]
    clauses = [clause for clause in sides if isinstance(clause, Clause)]
    if len(clauses) == 2 and clauses[0].negative == clauses[1].negative:
        return "the negation does not reach the main clause"
    return ""


def hedging(before: Document, after: Document, kind: str, cue: str) -> Verdict:
    """Whether `after` says the same less certainly, by the drawn cue or another of its size."""
    place = _place(after, cue)
    old, new = View(before), View(after)
    fresh = Counter(hedge.cue.lower() for hedge in new.hedges)
    fresh.subtract(hedge.cue.lower() for hedge in old.hedges)
    found = [hedge.cue for hedge in new.hedges if fresh[hedge.cue.lower()] > 0 and hedge.kind == kind]
    if (place is None or _place(before, cue) is not None) and not found:
        return Verdict("no hedge of its size is seen")
    new = View(after, () if place is None else (place,))
    if lost := _unfaithful(old, new):
        return Verdict(lost)
    if any(len(old.negators[sort]) != len(new.negators[sort]) for sort in SENTENTIAL) or turns(old, new) % 2:
        return Verdict("the claim's polarity turned")
    return Verdict("", cue if place is not None else found[0])


def sameness(before: View, after: View, kind: str) -> Verdict:
    """Whether `after` says the same as `before`: restated, or equivalent, which needs another cue as well."""
    reason = change(before.document, after.document)
    if reason or kind != "equivalent":
        return Verdict(reason)
    changed = new_cues(before, after, *before.negators) or [pair.right for pair in _opposed(before, after)]
    changed = changed or new_cues(after, before, *before.negators)
    return Verdict("", changed[0]) if changed else Verdict("its negation is expressed as before")


def turns(before: View, after: View) -> int:
    """How often the meaning turns from one to the other."""
    counted = sum(abs(len(after.negators[sort]) - len(before.negators[sort])) for sort in before.negators)
    return counted + (1 if _opposed(before, after) else 0)


def new_cues(before: View, after: View, *sorts: str) -> list[str]:
    """The cues of these sorts that only `after` holds."""
    old = Counter(cue.lower() for sort in sorts for cue in before.negators[sort])
    found = []
    for cue in (cue for sort in sorts for cue in after.negators[sort]):
        old[cue.lower()] -= 1
        if old[cue.lower()] < 0:
            found.append(cue)
    return found


def _new_word(before: View, after: View) -> str:
    """The first content word that only `after` holds."""
    old = {form for token in before.tokens for form in _forms(token)}
    return next((token.text for token in after.tokens if _tells(token) and not _forms(token) & old), "")


def _opposed(before: View, after: View, *, scales: bool = False) -> list[Opposition]:
    """The antonyms of the two, less words that are counted already because they carry a negation.

    Words on a scale (sometimes, never) differ without cancelling a negation; they count only where a word is all that
    turned.
    """
    left_out = before.denying | after.denying | FUNCTIONAL
    found = oppositions(before.document.sentences, after.document.sentences, scales=scales)
    return [
        pair
        for pair in found
        if not any(word in left_out for side in (pair.left, pair.right) for word in side.lower().split())
    ]


def _unfaithful(before: View, after: View) -> str:
    """Why `after` is about something else, or tells only a part: words of the first that the second lost."""
    forms = {form for token in after.tokens for form in _forms(token)}
    words = [token for token in before.tokens if token.text[0].isalnum()]
    content = [token for token in words if _tells(token)]
    lost = [token for token in content if not _forms(token) & forms]
    kept = sum(bool(_forms(token) & forms) for token in words)
    if len(lost) > max(1, len(content) / 2) or kept < KEPT * len(words):
        return "most of the text is lost"
    return ""


def _tells(token: Token) -> bool:
    """Nouns, verbs, adjectives and numbers, less auxiliaries."""
    return token.tag[:1] in "NVJC" and token.tag != "CC" and lemma(token.lower, "V") not in AUXILIARIES


def _forms(token: Token) -> set[str]:
    letter = token.tag[:1] if token.tag[:1] in "NVJR" else "N"
    return {token.lower, lemma(token.lower, letter), lemma(token.lower, "V")}


def _place(document: Document, cue: str) -> Span | None:
    """Where a cue stands, in any of its forms: it looks like, isn't clear."""
    wanted = cue.lower().split()
    for sentence in document.sentences:
        for at in range(len(sentence.tokens) - len(wanted) + 1):
            part = sentence.tokens[at : at + len(wanted)]
            if all(_is(token, word) for token, word in zip(part, wanted, strict=True)):
                return part[0].start, part[-1].end
    return None


def _is(token: Token, word: str) -> bool:
    return word in _forms(token) or (word == "not" and token.lower == "n't")


def _overlaps(left: Span, right: Span) -> bool:
    return left[0] < right[1] and right[0] < left[1]


def _shown(negation: Negation) -> str:
    """un-, -less; otherwise the cue"""
    if negation.kind != "affixal" or negation.event_span is None:
        return negation.cue
    leads = negation.cue_spans[0][0] < negation.event_span[0]
    cue = negation.cue.strip("-").lower()
    return f"{cue}-" if leads else f"-{cue}"
