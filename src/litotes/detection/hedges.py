"""Which words lower the certainty of a claim, and what they reach: from the cue to the end of its clause."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from litotes.detection.spans import merged
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import TAGS
from litotes.parse import Sentence, Token
from litotes.types import Hedge

LETTERS = {"modal": "M", "adv": "R", "verb": "V", "noun": "N", "adj": "JR", "conj": "IWC", "phrase": ""}
NOT_POSSIBLY = frozenset({"as", "where", "if", "when", "not", "best", "every", "all", "any", "each", "only"})
ASKING = word_set("asking_verbs")
DISCOVERING = word_set("discovering_verbs")
CLAUSES = ("ccomp", "xcomp", "oprd", "csubj", "csubjpass")


class Cue(NamedTuple):
    """A hedge of the lexicon, by one form of its first word."""

    rest: tuple[str, ...]
    letters: str
    name: str
    strength: float
    guard: str


@lru_cache(maxsize=1)
def _entries() -> dict[str, list[Cue]]:
    found: dict[str, list[Cue]] = {}
    for row in table("hedge_cues"):
        first, *rest = row["cue"].split()
        tags = TAGS.get(row["pos"], ())
        forms = {first} if rest and row["pos"] == "phrase" else {first, *(inflect(first, tag) for tag in tags)}
        for form in forms:
            cue = Cue(tuple(rest), LETTERS[row["pos"]], row["cue"], float(row["strength"]), row["guard"])
            found.setdefault(form, []).append(cue)
    for cues in found.values():
        cues.sort(key=lambda cue: -len(cue.rest))
    return found


def hedges(sentence: Sentence) -> Iterator[Hedge]:
    """Every hedge of a sentence, in order."""
    entries = _entries()
    end = -1
    for token in sentence.tokens:
        if token.i <= end or token.lower not in entries:
            continue
        for cue in entries[token.lower]:
            places = _places(sentence, token, cue)
            if not places or (cue.letters and token.tag[:1] not in cue.letters):
                continue
            if cue.guard and not GUARDS[cue.guard](sentence, token):
                continue
            yield _hedge(sentence, token, places, cue)
            end = places[-1] if len(places) == places[-1] - places[0] + 1 else token.i
            break


def _places(sentence: Sentence, token: Token, cue: Cue) -> tuple[int, ...]:
    if not cue.rest:
        return (token.i,)
    if cue.rest[0] == "…":
        last = next((t for t in sentence.tokens[token.i + 1 : token.i + 12] if t.lower == cue.rest[1]), None)
        return (token.i, last.i) if last is not None else ()
    following = sentence.tokens[token.i + 1 : token.i + 1 + len(cue.rest)]
    return (token.i, *(t.i for t in following)) if tuple(t.lower for t in following) == cue.rest else ()


def _hedge(sentence: Sentence, token: Token, places: tuple[int, ...], cue: Cue) -> Hedge:
    spans = merged(sentence, places)
    text = " … ".join(sentence.text[start:end] for start, end in spans)
    scope = merged(sentence, _reach(sentence, token, set(places)))
    kind = "phrase" if len(places) > 1 else "word"
    rule = f"“{cue.name}” is a hedge" + (f" ({REASONS[cue.guard]})" if cue.guard else "")
    return Hedge(text, spans, scope, cue.strength, kind, rule)


def _reach(sentence: Sentence, token: Token, cue: set[int]) -> list[int]:
    """What stands after the cue inside the clause it hedges; of a describing adjective, its noun."""
    head = sentence.tokens[token.head]
    if token.tag[:1] == "J" and token.dep == "amod":
        inside = [t.i for t in sentence.tokens[token.i + 1 : sentence.right(head).i + 1] if t.i not in cue]
        return _unpunctuated(sentence, inside)
    top = token
    if token.dep in {"aux", "auxpass", "advmod", "mark", "acomp", "attr", "npadvmod", "prep", "neg"}:
        top = head
    joined = [t.i for t in sentence.children(top, "cc", "conj") if t.i > token.i]
    last = min(joined) - 1 if joined and top.tag[:1] in "VM" else sentence.right(top).i
    inside = [t.i for t in sentence.tokens[token.i + 1 : last + 1] if t.i not in cue]
    return _unpunctuated(sentence, inside)


def _unpunctuated(sentence: Sentence, places: list[int]) -> list[int]:
    """Without punctuation at the end."""
    while places and sentence.tokens[places[-1]].tag in {".", ",", ":", "''"}:
        places.pop()
    return places


def _epistemic(sentence: Sentence, token: Token) -> bool:
    """It could rain; but not "could not", "as soon as she could", "he could swim", "could be detected"."""
    verb = sentence.tokens[token.head]
    denied = any(t.lower in {"no", "none", "nobody", "never", "nothing", "neither"} for t in sentence.tokens[: token.i])
    if verb.i == token.i or denied or sentence.child(verb, "neg") is not None:
        return False
    passive = sentence.child(verb, "auxpass") is not None
    subject = sentence.child(verb, "nsubj", "nsubjpass")
    person = subject is not None and subject.lower in {"i", "we", "you", "he", "she", "they", "who"}
    perfect = any(t.lower == "have" for t in sentence.children(verb, "aux"))
    if passive:
        return verb.lower not in DISCOVERING
    return perfect or verb.lower == "be" or not person


def _clause(sentence: Sentence, token: Token) -> bool:
    """I think it works; it is thought to work"""
    if any(c.i > token.i and c.tag[:1] != "W" for c in sentence.children(token, *CLAUSES)):
        return True
    before, following = sentence.before(token), sentence.after(token)
    passive = token.tag == "VBN" and sentence.child(token, "auxpass") is not None
    if passive and following is not None and following.lower == "to":
        # is believed to date from 1640
        return True
    # It works, I think.
    ends = following is None or following.tag in {".", ","} or following.lower == "so"
    return before is not None and before.lower in {"i", "we"} and ends


def _complement(sentence: Sentence, token: Token) -> bool:
    """It appears to work, that it works; but not: it appeared in May."""
    following = sentence.after(token)
    well = following is not None and following.lower == "well"
    return well or sentence.child(token, "ccomp", "xcomp", "oprd", "acomp", "attr") is not None


def _that(sentence: Sentence, token: Token) -> bool:
    """the possibility that …, the idea is that …"""
    following = [t.lower for t in sentence.tokens[token.i + 1 : token.i + 4]]
    return "that" in following or following[:1] == ["of"] or "whether" in following


def _predicate(sentence: Sentence, token: Token) -> bool:
    return token.dep in {"acomp", "attr", "oprd", "ROOT", "conj"}


def _attributive(sentence: Sentence, token: Token) -> bool:
    return token.dep == "amod"


def _possible(sentence: Sentence, token: Token) -> bool:
    """It is possible that …, a possible cause; but not: as soon as possible, make it possible to."""
    before, following = sentence.before(token), sentence.after(token)
    if before is not None and before.lower in NOT_POSSIBLY:
        return False
    if any(
        t.lower in {"make", "makes", "made", "making", "render"} for t in sentence.tokens[max(0, token.i - 4) : token.i]
    ):
        return False
    return following is None or following.lower != "to" or sentence.tokens[token.head].lower in {"may", "might"}


def _undecided(sentence: Sentence, token: Token) -> bool:
    """whether it works; not: whether or not"""
    return [t.lower for t in sentence.tokens[token.i + 1 : token.i + 3]] != ["or", "not"]


def _possibility(sentence: Sentence, token: Token) -> bool:
    """It may rain; not: may I go? may the best one win"""
    following = sentence.after(token)
    asks = following is not None and following.lower in {"i", "we"}
    return not asks and not (token.lower == "may" and token.i == 0)


def _loosely(sentence: Sentence, token: Token) -> bool:
    """It is kind of late; not: what kind of car, this sort of thing"""
    before = sentence.before(token)
    after = sentence.tokens[token.i + 2] if token.i + 2 < len(sentence.tokens) else None
    named = before is not None and (before.tag[:1] in "DWJ" or before.tag == "PRP$")
    return not named and after is not None and after.tag[:1] in "JVR"


def _evidence(sentence: Sentence, token: Token) -> bool:
    """The data suggest a link; not: I suggest the trout, we suggest that you leave."""
    subject = sentence.child(token, "nsubj")
    speaks = subject is not None and subject.lower in {"i", "we", "you", "he", "she", "they"}
    claimed = sentence.child(token, "ccomp")
    asked = sentence.child(claimed, "nsubj") if claimed is not None else None
    return not speaks or (claimed is not None and (asked is None or asked.lower not in {"i", "we", "you"}))


def _impersonal(sentence: Sentence, token: Token) -> bool:
    """It sounds like rain."""
    subject = sentence.child(token, "nsubj")
    return subject is not None and subject.lower in {"it", "this", "that"}


def _asked(sentence: Sentence, token: Token) -> bool:
    """We asked if it works."""
    before = sentence.before(token)
    return before is not None and before.lower in ASKING


def _passive(sentence: Sentence, token: Token) -> bool:
    """is considered to be"""
    return token.tag == "VBN" and sentence.child(token, "auxpass") is not None and _complement(sentence, token)


GUARDS = {
    "epistemic": _epistemic,
    "clause": _clause,
    "complement": _complement,
    "that": _that,
    "predicate": _predicate,
    "attributive": _attributive,
    "possible": _possible,
    "asked": _asked,
    "passive": _passive,
    "undecided": _undecided,
    "possibility": _possibility,
    "evidence": _evidence,
    "impersonal": _impersonal,
    "loosely": _loosely,
}
REASONS = {
    "epistemic": "of what may be, not of what one is able to do",
    "clause": "with the clause it holds back from",
    "complement": "with a complement",
    "that": "of a clause",
    "predicate": "as a predicate",
    "attributive": "before its noun",
    "possible": "of what may be",
    "asked": "after a verb of asking",
    "passive": "in the passive",
    "undecided": "with an open question",
    "possibility": "of what may be",
    "evidence": "of evidence",
    "impersonal": "of an impression",
    "loosely": "not of a kind of thing",
}
