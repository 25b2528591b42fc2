"""Predicates that share a subject share its negation: "prohibits and restricts" → "doesn't prohibit or restrict"."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Token
from litotes.rewrite.draft import Draft
from litotes.rewrite.grammar import adverb_places, base_form

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "expl")
THEN = frozenset({"then", "so", "thus", "therefore"})
SERIAL = frozenset({"go", "come", "try"})


def shared_predicates(clause: Clause) -> list[Token]:
    """Return the verbs coordinated with the main verb that have neither a subject nor an auxiliary of their own."""
    sentence = clause.sentence
    verbs: list[Token] = []
    queue = sentence.children(clause.verb, "conj")
    while queue:
        verb = queue.pop(0)
        apart = sentence.child(verb, *SUBJECTS, "aux", "auxpass", "neg", "mark") is not None
        no_longer = any(t.lower in {"longer", "never"} for t in sentence.children(verb, "advmod"))
        if apart or no_longer or not _same_form(clause, verb):
            return []
        if _past_a_clause(clause, verbs[-1] if verbs else clause.verb, verb):
            break
        verbs.append(verb)
        queue += sentence.children(verb, "conj")
    if any(not _adjacent(clause, verb) for verb in verbs):
        return []
    joining = [cc.lower for token in (clause.verb, *verbs) for cc in sentence.children(token, "cc")]
    return verbs if joining and set(joining) <= {"and", "or"} else []


def unjoined_conjunct(clause: Clause) -> bool:
    """Match "wrote & published" and "lived and thrived" where the second verb would keep its tense after "did not"."""
    sentence = clause.sentence
    joining, second = sentence.after(clause.verb), None
    if joining is not None and (joining.tag == "CC" or joining.lower == "&"):
        second = sentence.after(joining)
    if second is None or clause.operator or clause.tense not in {"VBD", "VBZ"} or second.tag[:1] != "V":
        return False
    inflected = inflect(lemma(second.lower, "V"), clause.tense) == second.lower
    return inflected and second.lower != base_form(second) and second not in shared_predicates(clause)


def _past_a_clause(clause: Clause, earlier: Token, verb: Token) -> bool:
    """Match "waited until the rain stopped [and called a taxi]": the verb may belong to the clause in between."""
    between = clause.sentence.children(earlier, "advcl", "ccomp", "relcl")
    return any(earlier.i < c.i < verb.i and clause.sentence.child(c, *SUBJECTS) is not None for c in between)


def outscoped_conjunct(clause: Clause) -> str:
    """Return an adverb such as "probably" that keeps a joined predicate out of the negation, or ""."""
    for verb in shared_predicates(clause):
        for adverb in clause.sentence.children(verb, "advmod"):
            if (
                adverb.lower not in THEN
                and adverb.i < verb.i
                and (adverb_places().get(adverb.lower) == "before" or adverb.lower in {"nearly", "almost"})
            ):
                return adverb.text
    return ""


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
    if not clause.operator and clause.mood != "imperative":
        for verb in verbs:
            base = base_form(verb)
            if base != verb.lower:
                draft.replace(verb, base)
    join_under_one(draft, clause)


def join_under_one(draft: Draft, clause: Clause) -> None:
    """Put "or" for "and" between predicates under one negation: "never deletes or moves a file"."""
    sentence, verbs = clause.sentence, shared_predicates(clause)
    if not verbs or (base_form(clause.verb) in SERIAL and len(verbs) == 1 and verbs[0].i == clause.verb.i + 2):
        return
    for token in (clause.verb, *verbs):
        conjunction = sentence.child(token, "cc")
        if conjunction is not None and conjunction.lower == "and" and not _then(clause, conjunction):
            draft.replace(conjunction, "or")


def _then(clause: Clause, conjunction: Token) -> bool:
    following = clause.sentence.after(conjunction)
    return following is not None and following.lower in THEN
