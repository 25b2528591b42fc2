"""Negate with "never" in its natural position; and what every absolute negator requires of the rest of the clause."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Token
from litotes.rewrite.aspect import one_off
from litotes.rewrite.coordination import join_under_one
from litotes.rewrite.draft import Decline, Draft, Options, Outcome
from litotes.rewrite.grammar import base_form, follows_negation, in_headline, outscoping_adverb
from litotes.rewrite.outscoped import INVERTED
from litotes.rewrite.polarity import adjust_polarity_items
from litotes.rewrite.verbal import locative_inversion, turn_question_tag

CLASHING = frozenset({"just", "only", "first", "soon", "almost", "nearly", "once", "twice"})


FREQUENCY = frozenset({"always", "sometimes", "often", "usually", "frequently"})


def always(clause: Clause, options: Options) -> Outcome:
    # He always wins. → He never wins.
    for token in clause.sentence.children(clause.verb, "advmod"):
        after_subject = clause.subject is None or token.i > clause.subject.i
        if token.lower in FREQUENCY and after_subject and token.i < clause.verb.i + 3:
            draft = Draft(clause.sentence, "always", "never")
            if token.i > clause.verb.i and clause.finite.i == clause.verb.i and not clause.operator:
                return None
            degree = clause.sentence.children(token, "advmod")
            first = degree[0] if degree else token
            return draft.replace(first, same_case("never", first.text), until=token)
    return None


def never(clause: Clause, options: Options) -> Outcome:
    # The mayor signed the bill. → The mayor never signed the bill.
    inverted = locative_inversion(clause, options)
    if inverted is not None:
        return Decline(INVERTED)
    return put_never(clause, "never")


def put_never(clause: Clause, rule: str) -> Draft | Decline:
    sentence = clause.sentence
    draft = Draft(sentence, rule, "never")
    still = _still(clause)
    if still is not None and clause.mood == "declarative" and (not clause.operator or still.i > clause.finite.i):
        # She still bakes bread. → She no longer bakes bread.
        draft.cue = "no longer"
        return finish_negation(draft.replace(still, "no longer"), clause)
    reason = one_off(clause) if rule == "never" else ""
    if reason:
        return Decline(reason)
    adverbs = [a for a in sentence.children(clause.verb, "advmod") if a.i < clause.verb.i]
    clash = next((a for a in adverbs if a.lower in CLASHING), None)
    if clash is not None:
        return Decline(f"“never” does not combine with “{clash.lower}”")
    following = sentence.after(clause.finite)
    if following is not None and following.lower in {"not", "n't"}:
        return Decline("the negation here belongs to a set phrase")
    ever = next((a for a in adverbs if a.lower == "ever"), None)
    if ever is not None:
        # Have they ever won? → Have they never won?
        return finish_negation(draft.replace(ever, "never"), clause)
    if clause.operator and following is not None and following.tag == "CC":
        return Decline("two auxiliaries are coordinated; a negation would reach only one")
    if clause.operator == "do" and not clause.inverted and clause.finite.i != clause.verb.i:
        # I do know. → I never know.
        tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}.get(clause.finite.lower, "VBP")
        draft.replace(clause.finite, "never").replace(clause.verb, inflect(base_form(clause.verb), tag))
        return finish_negation(draft, clause)
    if clause.inverted:
        copular_question = clause.mood == "wh" and clause.finite.i == clause.verb.i
        if clause.subject is None or not clause.operator or clause.mood == "inverted" or copular_question:
            return Decline(INVERTED)
        draft.after(sentence.right(clause.subject), "never")
    elif clause.operator:
        held = following is not None and following.lower in {"better", "rather", "best"}
        place = following if held else outscoping_adverb(clause)
        draft.after(place or clause.finite, "never")
    else:
        if clause.subject is not None and clause.subject.i > clause.verb.i:
            return Decline(INVERTED)
        place = _place(clause)
        draft.before(place, "Never" if in_headline(place) else "never")
    return finish_negation(draft, clause)


def _still(clause: Clause) -> Token | None:
    adverbs = [a for a in clause.sentence.children(clause.verb, "advmod") if a.lower == "still"]
    return next((a for a in adverbs if a.i < clause.verb.i or clause.existential), None)


def _place(clause: Clause) -> Token:
    """Return the token that "never" precedes: the verb, or the adverbs that it should reach."""
    place = clause.finite
    previous = clause.sentence.before(place)
    while (
        previous is not None and previous.tag == "RB" and previous.head == clause.verb.i and follows_negation(previous)
    ):
        if clause.subject is not None and previous.i <= clause.sentence.right(clause.subject).i:
            break
        place, previous = previous, clause.sentence.before(previous)
    return place


def finish_negation(draft: Draft, clause: Clause) -> Draft:
    adjust_polarity_items(draft, clause)
    if draft.cue == "never":
        join_under_one(draft, clause)
    turn_question_tag(draft, clause)
    return draft
