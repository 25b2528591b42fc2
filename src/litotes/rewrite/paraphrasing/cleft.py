"""Cleft the subject: Two students found it. → It was two students that found it."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.lexicon import word_set
from litotes.parse import Sentence
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.grammar import full_form
from litotes.rewrite.letters import capitalised, in_title_case, lowered

LONGEST_SUBJECT = 6
QUANTIFIED = word_set("never_clefted")
SUBJECTS = ("nsubj", "nsubjpass", "expl")
TITLES = word_set("titles_without_article")
UNNATURAL = "this subject is not clefted in natural English"


def cleft(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # A dentist invented the machine. → It was a dentist that invented the machine.
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    if clause.mood != "declarative" or clause.subject is None or clause.existential or clause.question_tag:
        return Decline("only the subject of a statement can be clefted")
    first, last = sentence.left(clause.subject), sentence.right(clause.subject)
    if _unnatural(clause):
        return Decline(UNNATURAL)
    past = clause.tense == "VBD" or full_form(clause) in {"was", "were", "had", "did"}
    opening = f"{'It' if capitalised(first) else 'it'} {'was' if past else 'is'} "
    draft = Draft(sentence, "cleft", "", "none").replace(first, opening + lowered(sentence, first))
    return draft.after(last, "that")


def _unnatural(clause: Clause) -> bool:
    """Match subjects that sound odd in a cleft: pronouns, quantifiers, bare nouns, long ones, those of "be"."""
    sentence, subject = clause.sentence, clause.subject
    if subject is None or subject.tag in {"PRP", "EX", "DT", "WP", "WDT"} or subject.dep == "csubj":
        return True
    first, last = sentence.left(subject), sentence.right(subject)
    following = sentence.after(last)
    apart = (
        following is None or following.i not in {clause.finite.i, clause.finite.i - 1} or first.tag in {"VBG", "VBN"}
    )
    copula = clause.operator == "be" and clause.finite.i == clause.verb.i
    commas = any(t.lower == "," for t in sentence.phrase(subject))
    interrupted = commas or following is None or following.tag in {",", "HYPH", ":"}
    denied = bool(clause.negations) and clause.negations[0].tokens[0] <= last.i
    long = first.i != 0 or last.i - first.i >= LONGEST_SUBJECT or last.tag in {"CC", ",", "IN"}
    # "It is bees that …"
    bare = first.i == subject.i and subject.tag in {"NN", "NNS"}
    bare = bare or (first.i == subject.i and subject.lower in TITLES) or in_title_case(sentence)
    beside = any(sentence.child(v, *SUBJECTS) is not None for v in sentence.children(clause.verb, "conj"))
    modal = clause.operator in {"shall", "must", "may", "should"}
    return bare or beside or modal or apart or copula or interrupted or denied or long or first.lower in QUANTIFIED
