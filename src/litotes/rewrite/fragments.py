"""Fragments without a finite verb: clinical notes, headlines, reviews, titles. "No fever." → "Fever." """

from __future__ import annotations

from litotes.detection import Clause, NoClause, find_cues, sentential_cues
from litotes.detection.clauses import NO_FINITE_VERB
from litotes.lexicon.morphology import inflect, lemma
from litotes.lexicon.word_pairs import mass_nouns, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Outcome

NOTES = frozenset({"patient", "pt", "patients"})
SUBJECT = ("nsubj", "nsubjpass")


def clinical_denial(clause: Clause) -> Draft | None:
    # Denies pain. → Reports pain.   Patient denies fever. → Patient reports fever.
    verb = clause.verb
    if lemma(verb.lower, "V") != "deny" or clause.operator or clause.sentence.child(verb, "dobj") is None:
        return None
    subject = clause.subject
    if clause.mood == "imperative" or (subject is not None and subject.lower not in NOTES):
        return None
    new = same_case(inflect("report", clause.tense), verb.text)
    return Draft(clause.sentence, "clinical-denial", verb.text, "pair").replace(verb, new)


def opening_no(sentence: Sentence) -> Outcome:
    # No acute distress. → Acute distress.   No known allergies. → Known allergies.
    first = sentence.tokens[0]
    following = sentence.after(first)
    if first.lower not in {"no", "without"} or following is None or following.tag[:1] not in "NJV":
        return None
    root = sentence.root
    if following.tag == "VBG" or root.tag[:1] != "N" or root.head != root.i:
        return Decline(f"“{first.text} {following.text}” is a set phrase or a ban")
    return Draft(sentence, "fragment-no", first.text).delete(first)


def opening_not(sentence: Sentence) -> Outcome:
    # Not worth the money. → Worth the money.
    first = sentence.tokens[0]
    following = sentence.after(first)
    if first.lower != "not" or following is None or following.tag not in {"JJ", "VBN", "VBG", "IN", "NN", "NNS", "DT"}:
        return None
    if following.lower in {"that", "for", "all", "every", "only", "until", "as"}:
        return None
    return Draft(sentence, "fragment-not", first.text).delete(first)


CONDITIONS = frozenset({"distress", "pain", "discomfort", "danger", "doubt", "trouble"})
"""What one is in, without an article."""


def with_no(sentence: Sentence, token: Token, noun: Token) -> Draft | None:
    # a pump with no moving parts → a pump with moving parts   in no distress → in distress
    previous = sentence.before(token)
    plural = noun.tag in {"NNS", "NNPS"} or noun.lower in mass_nouns() or noun.lower == "people"
    fits = previous is not None and (
        (previous.lower == "with" and plural) or (previous.lower == "in" and noun.lower in CONDITIONS)
    )
    if not fits:
        return None
    return Draft(sentence, "with-no", token.text).delete(token)


def fragment(sentence: Sentence, clause: NoClause) -> Draft | Decline:
    """Negate the predicate of a fragment, or give the reason why there is no clause."""
    return predicate(sentence) if clause.reason == NO_FINITE_VERB else Decline(clause.reason)


def predicate(sentence: Sentence) -> Draft | Decline:
    # Tolerating fluids. → Not tolerating fluids.   Driver fined after crash. → Driver not fined after crash.
    root = sentence.root
    if root.tag not in {"VBG", "VBN", "JJ"} or sentential_cues(find_cues(sentence)):
        return Decline(NO_FINITE_VERB)
    if any(t.tag in {"VBZ", "VBD", "VBP", "MD", "TO", "WP", "WRB", "UH", ":"} for t in sentence.tokens):
        return Decline(NO_FINITE_VERB)
    subject = sentence.child(root, *SUBJECT)
    if sentence.tokens[-1].lower in {"?", "!"} or sentence.child(root, "conj", "cc") is not None:
        return Decline(NO_FINITE_VERB)
    if subject is None:
        return _bare_predicate(sentence, root)
    first = sentence.left(subject)
    if (
        first.i != 0
        or sentence.right(subject).i != subject.i
        or any(t.tag in {"DT", "CD", "PRP", "PRP$"} for t in sentence.tokens[: subject.i + 1])
    ):
        return Decline(NO_FINITE_VERB)
    place = sentence.tokens[subject.i + 1]
    if not place.tag[0].isalpha() or (place.tag == "RB" and place.head != root.i):
        return Decline(NO_FINITE_VERB)
    return Draft(sentence, "fragment", "not").before(place, "not")


def _bare_predicate(sentence: Sentence, root: Token) -> Draft | Decline:
    first = sentence.tokens[0]
    if root.i > 1 or (root.i == 1 and not (first.tag == "RB" and first.head == root.i)):
        return Decline(NO_FINITE_VERB)
    if root.tag == "JJ" or sentence.text[sentence.start : sentence.end].rstrip(".").count(" ") < 1:
        return Decline(NO_FINITE_VERB)
    return Draft(sentence, "fragment", "not").before(first, "not")
