"""Cleft the subject: Two students found it. → It was two students that found it."""

from __future__ import annotations

from litotes.detect import Clause, Fragment
from litotes.parse import Sentence
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.grammar import full_form
from litotes.rewrite.letters import capitalised, lowered

LONGEST_SUBJECT = 6


def cleft(sentence: Sentence, clause: Clause | Fragment, options: Options) -> Draft | Decline:
    # A dentist invented the machine. → It was a dentist that invented the machine.
    if isinstance(clause, Fragment):
        return Decline(clause.reason)
    subject = clause.subject
    if clause.mood != "declarative" or subject is None or clause.existential or clause.question_tag:
        return Decline("only the subject of a statement can be clefted")
    if (
        (clause.operator == "be" and clause.finite.i == clause.verb.i)
        or subject.tag in {"PRP", "EX", "DT", "WP"}
        or subject.dep == "csubj"
    ):
        return Decline("this subject is not clefted in natural English")
    first, last = sentence.left(subject), sentence.right(subject)
    if last.tag in {"CC", ",", "IN"}:
        return Decline("this subject is not clefted in natural English")
    if (
        first.i != 0
        or last.i - first.i >= LONGEST_SUBJECT
        or (clause.negations and clause.negations[0].tokens[0] <= last.i)
    ):
        return Decline("this subject is not clefted in natural English")
    if first.lower in {
        "every",
        "everyone",
        "everything",
        "all",
        "some",
        "someone",
        "something",
        "each",
        "both",
        "many",
        "most",
        "few",
        "any",
        "only",
        "several",
        "almost",
        "another",
        "even",
    }:
        return Decline("a quantified subject is not clefted in natural English")
    if subject.tag in {"WP", "WDT"} or any(t.lower == "," for t in sentence.phrase(subject)):
        return Decline("this subject is not clefted in natural English")
    past = clause.tense == "VBD" or full_form(clause) in {"was", "were", "had", "did"}
    draft = Draft(sentence, "cleft", "", "none")
    opening = f"{'It' if capitalised(first) else 'it'} {'was' if past else 'is'} "
    draft.pieces.append((first.start, first.end, opening + lowered(sentence, first)))
    return draft.after(last, "that")
