"""Hedging: the claim and its polarity stay the same, its certainty drops. Each class of cue attaches in its own way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from litotes.detection import Clause, NoClause
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options, stable_draw
from litotes.rewrite.frames import framed, opens_clause, unframeable
from litotes.rewrite.grammar import base_form, full_form
from litotes.rewrite.hedgeable import unhedgeable

MODALS = frozenset(
    {"can", "could", "will", "would", "shall", "should", "may", "might", "must", "ought", "need", "dare"}
)
# also an obligation or a wish, or stiff in most sentences: never drawn, only used on request
AMBIGUOUS_HEDGES = frozenset(
    {"must", "should", "ought", "hope", "hoping", "hopefully", "wish", "tend", "theoretically", "felt", "seeming like"}
    | {"almost", "nearly", "felt like", "not all are clear", "hard to pin down exactly"}
)
ENDPOINTS = frozenset({"almost", "nearly"})


@dataclass(frozen=True, slots=True)
class HedgeCue:
    """A hedge cue: how it attaches to a clause, and how much certainty it leaves."""

    cue: str
    size: str
    attach: str
    frames: tuple[str, ...]
    strength: float
    reason: str


@lru_cache(maxsize=1)
def hedge_cues() -> dict[str, HedgeCue]:
    """Return every cue, the paper's and ours, by name."""
    rows = (*table("hedges"), *table("hedges_ours"))
    return {
        r["cue"]: HedgeCue(
            r["cue"],
            r["size"],
            r["attach"],
            tuple(f.strip() for f in r["frame"].split("|") if f.strip()),
            float(r["strength"] or 0),
            r["reason"],
        )
        for r in rows
    }


def hedge(size: str) -> Callable[[Sentence, Clause | NoClause, Options], Draft | Decline]:
    """Return the rules for hedges of one size: "word" or "phrase"."""

    def rules(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
        if isinstance(clause, NoClause):
            return Decline(clause.reason)
        if (
            clause.mood in {"imperative", "yes-no", "wh", "wh-subject"}
            or clause.question_tag
            or sentence.tokens[-1].lower == "?"
        ):
            return Decline("a question or a command makes no claim that could be hedged")
        reason = unhedgeable(sentence, clause)
        if reason:
            return Decline(reason)
        if options.cue:
            return _with_cue(clause, options)
        return _draw_cue(clause, size, options)

    return rules


def _with_cue(clause: Clause, options: Options) -> Draft | Decline:
    cue = hedge_cues()[options.cue]
    if cue.attach == "none":
        return Decline(f"“{cue.cue}” cannot hedge a clause: {cue.reason}")
    return ATTACH[cue.attach](clause, cue, options.seed)


def _draw_cue(clause: Clause, size: str, options: Options) -> Draft | Decline:
    """Try cues in an order drawn by seed and sentence until one attaches."""
    number = stable_draw(clause.sentence, options.seed)
    past = clause.tense == "VBD" or full_form(clause) in {"was", "were", "did", "had"}
    speaker = clause.subject is not None and clause.subject.lower in {"i", "we"}
    inside, around = _drawable(size, past=past, negative=clause.negative, speaker=speaker)
    around = [] if unframeable(clause) else around
    for pool in (inside, around) if number % 2 else (around, inside):
        for turn in range(len(pool)):
            answer = ATTACH[(cue := pool[(number // 2 + turn) % len(pool)]).attach](clause, cue, number)
            if isinstance(answer, Draft):
                return answer
    return Decline("no hedge of this size attaches here")


@lru_cache(maxsize=16)
def _drawable(size: str, *, past: bool, negative: bool, speaker: bool) -> tuple[list[HedgeCue], list[HedgeCue]]:
    """Return the cues that suit a clause. Nobody says that they supposedly did what they did."""
    cues = [h for h in hedge_cues().values() if h.size == size and h.attach != "none"]
    # "could have won" often means that nobody won
    cues = [h for h in cues if h.cue not in AMBIGUOUS_HEDGES and not (h.cue == "could" and past)]
    if negative:
        cues = [h for h in cues if not any(f.split("{")[0].rstrip().endswith(("whether", "if")) for f in h.frames)]
    if speaker:
        cues = [h for h in cues if h.cue in FIRST_PERSON or all(f.startswith("I am not") for f in h.frames or ("",))]
    return [h for h in cues if h.attach != "frame"], [h for h in cues if h.attach == "frame"]


FIRST_PERSON = frozenset(
    {"probably", "possibly", "perhaps", "maybe", "may", "might", "could", "think", "believe", "guess", "suppose"}
)


def _adverb(clause: Clause, cue: HedgeCue, number: int) -> Draft | Decline:
    # The drug works. → The drug probably works.   It is safe. → It is probably safe.
    sentence = clause.sentence
    draft = Draft(sentence, "hedge-adverb", cue.cue, "none")
    if clause.subject is None or clause.subject.i > clause.finite.i:
        return _initial(clause, cue, number)
    negator = sentence.after(clause.finite)
    contracted = negator is not None and negator.lower == "n't"
    before_finite = contracted or clause.operator in {"", "do"}
    if clause.existential and clause.operator == "be":
        before_finite = contracted
    denied = clause.negations and clause.negations[0].tokens[0] < clause.finite.i
    place = _first_of_group(clause)
    following = place if before_finite else sentence.after(clause.finite)
    if denied:
        return _initial(clause, cue, number)
    if following is not None and _is_adverb_of_its_own(following):
        return Decline("an adverb has no good place here")
    if before_finite:
        return draft.before(place, cue.cue)
    return draft.after(clause.finite, cue.cue)


def _is_adverb_of_its_own(token: Token) -> bool:
    """Match "hardly" and "happily", which do not follow another adverb: "would possibly happily stay"."""
    return token.tag == "RB" and token.lower.endswith("ly")


def _first_of_group(clause: Clause) -> Token:
    """Return the verb, or the adverb right before it."""
    place = clause.finite
    previous = clause.sentence.before(place)
    floor = clause.sentence.right(clause.subject).i if clause.subject is not None else -1
    while previous is not None and previous.i > floor and previous.tag == "RB" and previous.head == clause.verb.i:
        place, previous = previous, clause.sentence.before(previous)
    return place


def _initial(clause: Clause, cue: HedgeCue, number: int) -> Draft | Decline:
    # The bus is late. → Maybe the bus is late.
    first = clause.sentence.tokens[0]
    second = clause.sentence.after(first)
    if first.lower in {"so", "and", "but", "or", "well", "then"}:
        return Decline("the sentence opens with a word that no hedge can precede")
    if not opens_clause(clause):
        return Decline("what opens the sentence is not part of the clause")
    if not first.text[0].isalnum() or clause.subject is None or (second is not None and second.lower == ":"):
        return Decline("the sentence does not open with its subject")
    return Draft(clause.sentence, "hedge-initial", cue.cue, "none").before(first, cue.cue)


def _degree(clause: Clause, cue: HedgeCue, number: int) -> Draft | Decline:
    # The results are strange. → The results are somewhat strange.
    adjective = clause.sentence.child(clause.verb, "acomp")
    if (
        adjective is None
        or adjective.i < clause.finite.i
        or any(t.tag == "CD" for t in clause.sentence.tokens[adjective.i - 2 : adjective.i])
        or adjective.tag not in {"JJ", "VBN"}
        or clause.sentence.child(adjective, "advmod", "conj") is not None
    ):
        return Decline(f"“{cue.cue}” needs a predicate adjective to modify")
    gradable = adjective.lower not in UNGRADED and not adjective.lower.endswith(("ible", "al", "ic"))
    if cue.cue in ENDPOINTS and gradable:
        return Decline(f"“{cue.cue}” needs an adjective with an end point")
    if cue.cue not in ENDPOINTS and not gradable:
        return Decline(f"“{adjective.text}” has no degrees")
    if clause.negative:
        return Decline(f"“not {cue.cue}” would deny the degree")
    return Draft(clause.sentence, "hedge-degree", cue.cue, "none").before(adjective, cue.cue)


UNGRADED = word_set("ungraded_adjectives")


def _modal(clause: Clause, cue: HedgeCue, number: int) -> Draft | Decline:
    # It is safe. → It might be safe.   She left. → She might have left.   He doesn't know. → He might not know.
    modal = cue.frames[0]
    if clause.operator == "can" and modal in {"may", "might"} and not clause.negative and not clause.inverted:
        return Draft(clause.sentence, "hedge-modal", cue.cue, "none").replace(clause.finite, f"{modal} be able to")
    if clause.operator in MODALS:
        if clause.operator == "will" and modal in {"might", "may", "could"} and not clause.negative:
            return _replace_finite(clause, cue, modal)
        return Decline("the clause already has a modal")
    past = clause.tense == "VBD" or full_form(clause) in {"was", "were", "did", "had"}
    if clause.negative and modal == "could":
        return _frame(clause, replace(cue, frames=("It could be that {clause}",)), number)
    if (past and modal in {"should", "ought to"}) or (
        clause.negative and modal in {"could", "should", "ought to", "must"}
    ):
        return Decline(f"“{modal}” would be a reproach or a prohibition here, not a hedge")
    if clause.subject is None or clause.subject.i > clause.finite.i:
        return Decline("no subject precedes the verb")
    if (
        clause.verb.lower == "used"
        or clause.finite.lower == "used"
        or (full_form(clause) == "had" and past and clause.finite.i != clause.verb.i)
    ):
        return Decline("the verb form leaves no room for a modal")
    return _replace_finite(clause, cue, f"{modal} have" if past else modal)


def _replace_finite(clause: Clause, cue: HedgeCue, modal: str) -> Draft | Decline:
    sentence, finite = clause.sentence, clause.finite
    perfect = modal.endswith(" have")
    draft = Draft(sentence, "hedge-modal", cue.cue, "none")
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


def _raising(clause: Clause, cue: HedgeCue, number: int) -> Draft | Decline:
    # The plan works. → The plan seems to work.   It was empty. → It seemed to be empty.
    verb = cue.frames[0]
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
        return Decline("“tend to” describes habits, not a single event")
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
    return Draft(sentence, "hedge-raising", cue.cue, "none").replace(
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


def _frame(clause: Clause, cue: HedgeCue, number: int) -> Draft | Decline:
    # The drug works. → It is possible that the drug works.
    return framed(clause, cue.frames[number % len(cue.frames)], Draft(clause.sentence, "hedge-frame", cue.cue, "pair"))


ATTACH: dict[str, Callable[[Clause, HedgeCue, int], Draft | Decline]] = {
    "adverb": _adverb,
    "initial": _initial,
    "degree": _degree,
    "modal": _modal,
    "raising": _raising,
    "frame": _frame,
}
