"""Find the words that lower the certainty of a claim, and their scope: from the cue to the end of its clause."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from litotes.detection.spans import merged_spans
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import TAGS
from litotes.parse import Sentence, Token
from litotes.types import Hedge

LETTERS = {"modal": "M", "adv": "R", "verb": "V", "noun": "N", "adj": "JR", "conj": "IWC", "phrase": ""}
NOT_POSSIBLY = frozenset({"as", "where", "if", "when", "not", "best", "every", "all", "any", "each", "only"})
ASKING = word_set("asking_verbs")
DISCOVERING = word_set("discovering_verbs")
EXPLAINING = frozenset({"account", "explain", "imply", "indicate", "mean", "suggest"})
PERSONS = frozenset({"i", "we", "you", "he", "she", "they", "who"})
CLAUSES = ("ccomp", "xcomp", "oprd", "csubj", "csubjpass")


class HedgeEntry(NamedTuple):
    """A hedge of the lexicon, under one form of its first word."""

    rest: tuple[str, ...]
    letters: str
    name: str
    strength: float
    guard: str


@lru_cache(maxsize=1)
def _entries() -> dict[str, list[HedgeEntry]]:
    by_form: dict[str, list[HedgeEntry]] = {}
    for row in table("hedge_cues"):
        first, *rest = row["cue"].split()
        tags = TAGS.get(row["pos"], ())
        forms = {first} if rest and row["pos"] == "phrase" else {first, *(inflect(first, tag) for tag in tags)}
        for form in forms:
            entry = HedgeEntry(tuple(rest), LETTERS[row["pos"]], row["cue"], float(row["strength"]), row["guard"])
            by_form.setdefault(form, []).append(entry)
    for entries in by_form.values():
        entries.sort(key=lambda entry: -len(entry.rest))
    return by_form


def find_hedges(sentence: Sentence) -> Iterator[Hedge]:
    """Find every hedge of a sentence, in order."""
    entries = _entries()
    end = -1
    for token in sentence.tokens:
        if token.i <= end or token.lower not in entries:
            continue
        for entry in entries[token.lower]:
            places = _places(sentence, token, entry)
            if not places or (entry.letters and token.tag[:1] not in entry.letters):
                continue
            if entry.guard and not GUARDS[entry.guard](sentence, token):
                continue
            yield _hedge(sentence, token, places, entry)
            end = places[-1] if len(places) == places[-1] - places[0] + 1 else token.i
            break


def _places(sentence: Sentence, token: Token, entry: HedgeEntry) -> tuple[int, ...]:
    """Return the positions of the entry's words; "…" stands for other words between them."""
    if not entry.rest:
        return (token.i,)
    if entry.rest[0] == "…":
        last = next((t for t in sentence.tokens[token.i + 1 : token.i + 12] if t.lower == entry.rest[1]), None)
        return (token.i, last.i) if last is not None else ()
    following = sentence.tokens[token.i + 1 : token.i + 1 + len(entry.rest)]
    return (token.i, *(t.i for t in following)) if tuple(t.lower for t in following) == entry.rest else ()


def _hedge(sentence: Sentence, token: Token, places: tuple[int, ...], entry: HedgeEntry) -> Hedge:
    spans = merged_spans(sentence, places)
    text = " … ".join(sentence.text[start:end] for start, end in spans)
    scope = merged_spans(sentence, _scope(sentence, token, set(places)))
    kind = "phrase" if len(places) > 1 else "word"
    rule = f"“{entry.name}” is a hedge" + (f" ({REASONS[entry.guard]})" if entry.guard else "")
    return Hedge(text, spans, scope, entry.strength, kind, rule)


def _scope(sentence: Sentence, token: Token, cue: set[int]) -> list[int]:
    """Return the tokens after the cue in the clause that it hedges; for an attributive adjective, those of its noun."""
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
    """Remove punctuation from the end."""
    while places and sentence.tokens[places[-1]].tag in {".", ",", ":", "''"}:
        places.pop()
    return places


def _epistemic(sentence: Sentence, token: Token) -> bool:
    """Accept "It could rain"; reject "could not", "as soon as she could", "he could swim" and "could be detected"."""
    verb = sentence.tokens[token.head]
    denied = any(t.lower in {"no", "none", "nobody", "never", "nothing", "neither"} for t in sentence.tokens[: token.i])
    if verb.i == token.i or denied or sentence.child(verb, "neg") is not None:
        return False
    passive = sentence.child(verb, "auxpass") is not None
    subject = sentence.child(verb, "nsubj", "nsubjpass")
    person = subject is not None and subject.lower in PERSONS
    perfect = any(t.lower == "have" for t in sentence.children(verb, "aux"))
    if passive:
        return verb.lower not in DISCOVERING
    return perfect or verb.lower == "be" or not person


def _clause(sentence: Sentence, token: Token) -> bool:
    """Accept "I think it works" and "it is thought to work"."""
    if any(c.i > token.i and c.tag[:1] != "W" for c in sentence.children(token, *CLAUSES)):
        return True
    before, following = sentence.before(token), sentence.after(token)
    passive = token.tag == "VBN" and sentence.child(token, "auxpass") is not None
    if passive and following is not None and following.lower == "to":
        # "is believed to date from 1640"
        return True
    # "It works, I think."
    ends = following is None or following.tag in {".", ","} or following.lower == "so"
    return before is not None and before.lower in {"i", "we"} and ends


def _complement(sentence: Sentence, token: Token) -> bool:
    """Accept "It appears to work" and "It appears that it works"; reject "it appeared in May"."""
    following = sentence.after(token)
    well = following is not None and following.lower == "well"
    return well or sentence.child(token, "ccomp", "xcomp", "oprd", "acomp", "attr") is not None


def _that(sentence: Sentence, token: Token) -> bool:
    """Accept "the possibility that …" and "the idea is that …"."""
    following = [t.lower for t in sentence.tokens[token.i + 1 : token.i + 4]]
    return "that" in following or following[:1] == ["of"] or "whether" in following


def _predicate(sentence: Sentence, token: Token) -> bool:
    return token.dep in {"acomp", "attr", "oprd", "ROOT", "conj"}


def _attributive(sentence: Sentence, token: Token) -> bool:
    return token.dep == "amod"


def _possible(sentence: Sentence, token: Token) -> bool:
    """Accept "It is possible that …" and "a possible cause"; reject "as soon as possible" and "make it possible to"."""
    before, following = sentence.before(token), sentence.after(token)
    if before is not None and before.lower in NOT_POSSIBLY:
        return False
    if any(
        t.lower in {"make", "makes", "made", "making", "render"} for t in sentence.tokens[max(0, token.i - 4) : token.i]
    ):
        return False
    return following is None or following.lower != "to" or sentence.tokens[token.head].lower in {"may", "might"}


def _undecided(sentence: Sentence, token: Token) -> bool:
    """Accept "whether it works"; reject "whether or not"."""
    return [t.lower for t in sentence.tokens[token.i + 1 : token.i + 3]] != ["or", "not"]


def _possibility(sentence: Sentence, token: Token) -> bool:
    """Accept "It may rain"; reject "may I go?" and "may the best one win"."""
    following = sentence.after(token)
    asks = following is not None and following.lower in {"i", "we"}
    return not asks and not (token.lower == "may" and token.i == 0)


def _loosely(sentence: Sentence, token: Token) -> bool:
    """Accept "It is kind of late"; reject "what kind of car" and "this sort of thing"."""
    before = sentence.before(token)
    after = sentence.tokens[token.i + 2] if token.i + 2 < len(sentence.tokens) else None
    named = before is not None and (before.tag[:1] in "DWJ" or before.tag == "PRP$")
    return not named and after is not None and after.tag[:1] in "JVR"


def _evidence(sentence: Sentence, token: Token) -> bool:
    """Accept "The data suggest a link"; reject "I suggest the trout" and "we suggest that you leave"."""
    subject = sentence.child(token, "nsubj")
    speaks = subject is not None and subject.lower in {"i", "we", "you", "he", "she", "they"}
    claimed = sentence.child(token, "ccomp")
    asked = sentence.child(claimed, "nsubj") if claimed is not None else None
    return not speaks or (claimed is not None and (asked is None or asked.lower not in {"i", "we", "you"}))


def _impersonal(sentence: Sentence, token: Token) -> bool:
    """Accept "It sounds like rain"."""
    subject = sentence.child(token, "nsubj")
    return subject is not None and subject.lower in {"it", "this", "that"}


def _asked(sentence: Sentence, token: Token) -> bool:
    """Accept "We asked if it works"."""
    before = sentence.before(token)
    return before is not None and before.lower in ASKING


def _passive(sentence: Sentence, token: Token) -> bool:
    """Accept "is considered to be"."""
    return token.tag == "VBN" and sentence.child(token, "auxpass") is not None and _complement(sentence, token)


def _open(sentence: Sentence, token: Token) -> bool:
    """Accept "unclear whether it works" and "the cause remains unclear"; reject "the instructions were unclear"."""
    verb = sentence.tokens[token.head].lower
    return _that(sentence, token) or verb in {"remain", "remains", "remained", "remaining"}


def _participle(sentence: Sentence, token: Token) -> bool:
    """Accept "suspected pneumonia" and "a fracture is suspected"; reject "she suspected him"."""
    return token.tag in {"VBN", "JJ"}


def _explains(sentence: Sentence, token: Token) -> bool:
    """Accept "That would explain the delay"; reject "I would go" and "it would often rain"."""
    verb = sentence.tokens[token.head]
    subject = sentence.child(verb, "nsubj")
    return verb.lower in EXPLAINING and (subject is None or subject.lower not in PERSONS)


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
    "open": _open,
    "participle": _participle,
    "explains": _explains,
}
REASONS = {
    "epistemic": "about what is possible, not about an ability",
    "clause": "with the clause that it weakens",
    "complement": "with a complement",
    "that": "with a clause",
    "predicate": "as a predicate",
    "attributive": "before its noun",
    "possible": "about what is possible",
    "asked": "after a verb of asking",
    "passive": "in the passive",
    "undecided": "with an open question",
    "possibility": "about what is possible",
    "evidence": "about evidence",
    "impersonal": "about an impression",
    "loosely": "before an adjective or verb",
    "open": "about an open question",
    "participle": "as a participle",
    "explains": "about what a thing would mean",
}
