"""Predicates that share a subject share its negation: "prohibits and restricts" → "doesn't prohibit or restrict"."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Token
from litotes.rewrite.draft import Draft
from litotes.rewrite.grammar import base_form

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "expl")
SERIAL = frozenset({"go", "come", "try"})


def shared_predicates(clause: Clause) -> list[Token]:
    """Return the verbs coordinated with the main verb that have neither a subject nor an auxiliary of their own."""
    sentence = clause.sentence
    verbs: list[Token] = []
    queue = sentence.children(clause.verb, "conj")
    while queue:
        verb = queue.pop(0)
        if sentence.child(verb, *SUBJECTS, "aux", "auxpass", "neg", "mark") is not None or not _same_form(clause, verb):
            return []
        verbs.append(verb)
        queue += sentence.children(verb, "conj")
    if any(not _adjacent(clause, verb) for verb in verbs):
        return []
    joining = [cc.lower for token in (clause.verb, *verbs) for cc in sentence.children(token, "cc")]
    return verbs if joining and set(joining) <= {"and", "or"} else []


def _adjacent(clause: Clause, verb: Token) -> bool:
    """Return whether only adverbs separate the verb from its conjunction or comma."""
    at = clause.sentence.before(verb)
    while at is not None and at.tag in {"RB", "RBR"}:
        at = clause.sentence.before(at)
    return at is not None and (at.tag == "CC" or at.lower == ",")


def _same_form(clause: Clause, verb: Token) -> bool:
    """Return whether the coordinated verb fits under the same auxiliary."""
    if base_form(verb) == "be":
        return False
    if not clause.operator:
        if clause.tense == "VBD":
            past = verb.tag in {"VBD", "VBN"}
            return past and inflect(lemma(verb.lower, "V"), "VBD") == verb.lower
        return verb.tag == clause.tense or {verb.tag, clause.tense} == {"VBP", "VB"}
    if clause.finite.i == clause.verb.i:
        return False
    passive = clause.sentence.child(clause.verb, "auxpass") is not None
    return verb.tag == clause.verb.tag or (clause.verb.tag == "VBN" and verb.tag == "VBD" and not passive)


def join_predicates(draft: Draft, clause: Clause) -> None:
    """Put coordinated predicates under the negation: base forms after "did not", "or" instead of "and"."""
    verbs = shared_predicates(clause)
    if not verbs:
        return
    sentence = clause.sentence
    if not clause.operator and clause.mood != "imperative":
        for verb in verbs:
            base = base_form(verb)
            if base != verb.lower:
                draft.replace(verb, base)
    if base_form(clause.verb) in SERIAL and len(verbs) == 1 and verbs[0].i == clause.verb.i + 2:
        return
    for token in (clause.verb, *verbs):
        conjunction = sentence.child(token, "cc")
        if conjunction is not None and conjunction.lower == "and" and not _then(clause, conjunction):
            draft.replace(conjunction, "or")


def _then(clause: Clause, conjunction: Token) -> bool:
    following = clause.sentence.after(conjunction)
    return following is not None and following.lower in {"then", "so", "thus", "therefore"}
