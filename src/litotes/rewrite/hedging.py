"""Hedging: the claim and its polarity stay, its certainty drops. One way of attaching for each class of cue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from litotes.detection import Clause, Fragment
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect
from litotes.lexicon.words import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options, lot
from litotes.rewrite.frames import framed, unframeable
from litotes.rewrite.grammar import base_form, full_form

MODALS = frozenset(
    {"can", "could", "will", "would", "shall", "should", "may", "might", "must", "ought", "need", "dare"}
)
# Obligation as often as inference, or a wish, or stiff in most sentences: never drawn, only used when asked for.
TWO_FACED = frozenset(
    {"must", "should", "ought", "hope", "hoping", "hopefully", "wish", "tend", "theoretically", "felt", "seeming like"}
    | {"almost", "nearly", "felt like", "not all are clear", "hard to pin down exactly"}
)
ENDPOINTS = frozenset({"almost", "nearly"})


@dataclass(frozen=True, slots=True)
class Hedge:
    """A hedge cue: how it attaches to a clause, and how much certainty it leaves."""

    cue: str
    size: str
    attach: str
    frames: tuple[str, ...]
    strength: float
    reason: str


@lru_cache(maxsize=1)
def hedges() -> dict[str, Hedge]:
    """Every cue, the paper's and ours, by name."""
    rows = (*table("hedges"), *table("hedges_ours"))
    return {
        r["cue"]: Hedge(
            r["cue"],
            r["size"],
            r["attach"],
            tuple(f.strip() for f in r["frame"].split("|") if f.strip()),
            float(r["strength"] or 0),
            r["reason"],
        )
        for r in rows
    }


def hedge(size: str) -> Callable[[Sentence, Clause | Fragment, Options], Draft | Decline]:
    """The rules for hedges of one size: "word" or "phrase"."""

    def rules(sentence: Sentence, clause: Clause | Fragment, options: Options) -> Draft | Decline:
        if isinstance(clause, Fragment):
            return Decline(clause.reason)
        if (
            clause.mood in {"imperative", "yes-no", "wh", "wh-subject"}
            or clause.question_tag
            or sentence.tokens[-1].lower == "?"
        ):
            return Decline("a question or a command claims nothing that could be hedged")
        if options.cue:
            return _with_cue(clause, options)
        return _drawn(clause, size, options)

    return rules


def _with_cue(clause: Clause, options: Options) -> Draft | Decline:
    found = hedges()[options.cue]
    if found.attach == "none":
        return Decline(f"“{found.cue}” cannot hedge a clause: {found.reason}")
    return ATTACH[found.attach](clause, found, options.seed)


def _drawn(clause: Clause, size: str, options: Options) -> Draft | Decline:
    """Try cues in an order drawn by seed and sentence until one attaches."""
    number = lot(clause.sentence, options.seed)
    past = clause.tense == "VBD" or full_form(clause) in {"was", "were", "did", "had"}
    speaker = clause.subject is not None and clause.subject.lower in {"i", "we"}
    inside, around = _drawable(size, past=past, negative=clause.negative, speaker=speaker)
    around = [] if unframeable(clause) else around
    for pool in (inside, around) if number % 2 else (around, inside):
        for turn in range(len(pool)):
            answer = ATTACH[(found := pool[(number // 2 + turn) % len(pool)]).attach](clause, found, number)
            if isinstance(answer, Draft):
                return answer
    return Decline("no hedge of this size attaches here")


@lru_cache(maxsize=16)
def _drawable(size: str, *, past: bool, negative: bool, speaker: bool) -> tuple[list[Hedge], list[Hedge]]:
    """The cues that suit a clause, within it and around it: nobody says they supposedly did what they did."""
    found = [h for h in hedges().values() if h.size == size and h.attach != "none"]
    # "could have won" says as often that nobody won
    found = [h for h in found if h.cue not in TWO_FACED and not (h.cue == "could" and past)]
    if negative:
        found = [h for h in found if not any(f.split("{")[0].rstrip().endswith(("whether", "if")) for f in h.frames)]
    if speaker:
        found = [h for h in found if h.cue in FIRST_PERSON or all(f.startswith("I am not") for f in h.frames or ("",))]
    return [h for h in found if h.attach != "frame"], [h for h in found if h.attach == "frame"]


FIRST_PERSON = frozenset(
    {"probably", "possibly", "perhaps", "maybe", "may", "might", "could", "think", "believe", "guess", "suppose"}
)


def _adverb(clause: Clause, found: Hedge, number: int) -> Draft | Decline:
    # The drug works. → The drug probably works.   It is safe. → It is probably safe.
    sentence = clause.sentence
    draft = Draft(sentence, "hedge-adverb", found.cue, "none")
    if clause.subject is None or clause.subject.i > clause.finite.i:
        return _initial(clause, found, number)
    negator = sentence.after(clause.finite)
    contracted = negator is not None and negator.lower == "n't"
    before_finite = contracted or clause.operator in {"", "do"}
    if clause.existential and clause.operator == "be":
        before_finite = contracted
    if before_finite:
        return draft.before(_first_of_group(clause), found.cue)
    return draft.after(clause.finite, found.cue)


def _first_of_group(clause: Clause) -> Token:
    """The verb, or the adverb that stands right before it."""
    place = clause.finite
    previous = clause.sentence.before(place)
    floor = clause.sentence.right(clause.subject).i if clause.subject is not None else -1
    while previous is not None and previous.i > floor and previous.tag == "RB" and previous.head == clause.verb.i:
        place, previous = previous, clause.sentence.before(previous)
    return place


def _initial(clause: Clause, found: Hedge, number: int) -> Draft | Decline:
    # The bus is late. → Maybe the bus is late.
    first = clause.sentence.tokens[0]
    second = clause.sentence.after(first)
    if first.lower in {"so", "and", "but", "or", "well", "then"}:
        return Decline("the sentence opens with a word that no hedge can stand before")
    if not first.text[0].isalnum() or clause.subject is None or (second is not None and second.lower == ":"):
        return Decline("the sentence does not open with its subject")
    return Draft(clause.sentence, "hedge-initial", found.cue, "none").before(first, found.cue)


def _degree(clause: Clause, found: Hedge, number: int) -> Draft | Decline:
    # The results are strange. → The results are somewhat strange.
    adjective = clause.sentence.child(clause.verb, "acomp")
    if (
        adjective is None
        or adjective.i < clause.finite.i
        or any(t.tag == "CD" for t in clause.sentence.tokens[adjective.i - 2 : adjective.i])
        or adjective.tag not in {"JJ", "VBN"}
        or clause.sentence.child(adjective, "advmod", "conj") is not None
    ):
        return Decline(f"“{found.cue}” needs a predicate adjective to modify")
    gradable = adjective.lower not in UNGRADED and not adjective.lower.endswith(("ible", "al", "ic"))
    if found.cue in ENDPOINTS and gradable:
        return Decline(f"“{found.cue}” needs an adjective with an end point")
    if found.cue not in ENDPOINTS and not gradable:
        return Decline(f"“{adjective.text}” has no degrees")
    if clause.negative:
        return Decline(f"“not {found.cue}” would deny the degree")
    return Draft(clause.sentence, "hedge-degree", found.cue, "none").before(adjective, found.cue)


UNGRADED = word_set("ungraded_adjectives")


def _modal(clause: Clause, found: Hedge, number: int) -> Draft | Decline:
    # It is safe. → It might be safe.   She left. → She might have left.   He doesn't know. → He might not know.
    modal = found.frames[0]
    if clause.operator == "can" and modal in {"may", "might"} and not clause.negative and not clause.inverted:
        return Draft(clause.sentence, "hedge-modal", found.cue, "none").replace(clause.finite, f"{modal} be able to")
    if clause.operator in MODALS:
        if clause.operator == "will" and modal in {"might", "may", "could"} and not clause.negative:
            return _replace_finite(clause, found, modal)
        return Decline("the clause already has a modal")
    past = clause.tense == "VBD" or full_form(clause) in {"was", "were", "did", "had"}
    if clause.negative and modal == "could":
        return _frame(clause, replace(found, frames=("It could be that {clause}",)), number)
    if (past and modal in {"should", "ought to"}) or (
        clause.negative and modal in {"could", "should", "ought to", "must"}
    ):
        return Decline(f"“{modal}” would be a reproach or a prohibition here, not a hedge")
    if clause.subject is None or clause.subject.i > clause.finite.i:
        return Decline("no subject stands before the verb")
    if (
        clause.verb.lower == "used"
        or clause.finite.lower == "used"
        or (full_form(clause) == "had" and past and clause.finite.i != clause.verb.i)
    ):
        return Decline("the verb form leaves no room for a modal")
    return _replace_finite(clause, found, f"{modal} have" if past else modal)


def _replace_finite(clause: Clause, found: Hedge, modal: str) -> Draft | Decline:
    sentence, finite = clause.sentence, clause.finite
    perfect = modal.endswith(" have")
    draft = Draft(sentence, "hedge-modal", found.cue, "none")
    clitic = finite.text[0] in "'’"
    negator = sentence.after(finite)
    negated = negator is not None and negator.lower in {"not", "n't"}
    head = modal.split(" have", maxsplit=1)[0]
    words = f"{head} not" if negated else head
    last = negator if negated and negator is not None else finite
    joined = [v for v in sentence.children(clause.verb, "conj") if v.tag in {"VBZ", "VBD", "VBP"}]
    if joined:
        return Decline("a second verb shares the subject; a modal would change its form too")
    if clause.operator == "will":
        return draft.replace(finite, (" " if clitic else "") + head)
    if clause.operator == "do":
        verb = clause.verb
        draft.replace(finite, words + (" have" if perfect else ""), until=last)
        if perfect:
            draft.replace(verb, inflect(base_form(clause.verb), "VBN"))
        return draft
    base = {"be": "be", "have": "have"}.get(clause.operator, clause.base)
    if perfect:
        words += f" have {inflect(base, 'VBN')}"
    else:
        words += f" {base}"
    spaced = " " + words if clitic else words
    return draft.replace(finite, same_case(spaced, finite.text), until=last)


def _raising(clause: Clause, found: Hedge, number: int) -> Draft | Decline:
    # The plan works. → The plan seems to work.   It was empty. → It seemed to be empty.
    verb = found.frames[0]
    sentence, finite = clause.sentence, clause.finite
    if (
        clause.operator in MODALS
        or clause.operator == "do"
        or clause.negative
        or (clause.existential and verb == "tend")
    ):
        return Decline(f"“{verb} to” does not fit this verb form")
    if clause.subject is None or clause.subject.i > finite.i or clause.base in {verb, "seem", "appear", "tend", "use"}:
        return Decline(f"“{verb} to” does not fit here")
    if [v for v in sentence.children(clause.verb, "conj") if v.tag in {"VBZ", "VBD", "VBP"}]:
        return Decline("a second verb shares the subject; a raising verb would change its form too")
    past = clause.tense == "VBD"
    if verb == "tend" and (past or clause.verb.tag == "VBG" or clause.operator == "have"):
        return Decline("“tend to” speaks of habits, not of one event")
    base = {"be": "be", "have": "have"}.get(clause.operator, clause.base)
    full = full_form(clause)
    if past:
        tag = "VBD"
    elif full in {"is", "has"} or clause.tense == "VBZ":
        tag = "VBZ"
    else:
        tag = "VBP"
    inner = f"have {inflect(base, 'VBN')}" if past and clause.operator not in {"be", "have"} and number % 2 else base
    tag = "VBZ" if inner.startswith("have ") and _singular(clause) else ("VBP" if inner.startswith("have ") else tag)
    if full == "had":
        inner, tag = "have", "VBD"
    new = f"{inflect(verb, tag)} to {inner}"
    clitic = finite.text[0] in "'’"
    return Draft(sentence, "hedge-raising", found.cue, "none").replace(
        finite, same_case((" " if clitic else "") + new, finite.text)
    )


def _singular(clause: Clause) -> bool:
    subject = clause.subject
    if subject is None or clause.sentence.child(subject, "cc") is not None:
        return False
    return subject.lower in {"he", "she", "it", "this", "that", "everyone", "someone"} or subject.tag in {
        "NN",
        "NNP",
        "VBG",
    }


def _frame(clause: Clause, found: Hedge, number: int) -> Draft | Decline:
    # The drug works. → It is possible that the drug works.
    return framed(
        clause, found.frames[number % len(found.frames)], Draft(clause.sentence, "hedge-frame", found.cue, "pair")
    )


ATTACH: dict[str, Callable[[Clause, Hedge, int], Draft | Decline]] = {
    "adverb": _adverb,
    "initial": _initial,
    "degree": _degree,
    "modal": _modal,
    "raising": _raising,
    "frame": _frame,
}
