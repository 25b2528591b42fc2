"""Negate two subjects at once: Both men are tall. → Neither man is tall."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.lexicon.morphology import article, lemma
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence
from litotes.rewrite.draft import Decline, Draft, Options, Outcome
from litotes.rewrite.grammar import agree
from litotes.rewrite.never import finish_negation

MUTUAL = "“each other” needs a plural subject"


def is_mutual(sentence: Sentence) -> bool:
    """Match "Both sides blamed each other"."""
    pairs = zip(sentence.tokens, sentence.tokens[1:], strict=False)
    return any((a.lower, b.lower) in {("each", "other"), ("one", "another")} for a, b in pairs)


def both_subject(clause: Clause, options: Options) -> Outcome:
    # Both men are tall. → Neither man is tall.   Both of them came. → Neither of them came.
    if clause.subject is None or clause.mood == "imperative":
        return None
    sentence = clause.sentence
    subject = clause.subject
    first = sentence.left(subject)
    joined_verbs = [v for v in sentence.children(clause.verb, "conj") if v.tag[:2] == "VB"]
    if first.lower == "both" and is_mutual(sentence):
        return Decline(MUTUAL)
    if first.lower != "both" or any(sentence.child(v, "nsubj") is None for v in joined_verbs):
        return None
    draft = Draft(sentence, "both-subject", "neither")
    following = sentence.after(first)
    joined = sentence.child(subject, "cc")
    draft.replace(first, same_case("neither", first.text))
    if joined is not None and joined.lower == "and":
        draft.replace(joined, "nor")
        other = sentence.child(subject, "conj")
        agree(draft, clause, plural=other is not None and other.tag in {"NNS", "NNPS"})
        return draft
    if following is not None and following.lower == "of":
        return agree(draft, clause, plural=False)
    if following is not None and following.tag in {"DT", "PRP$"}:
        draft.after(first, "of")
        return agree(draft, clause, plural=False)
    if subject.tag == "NNS":
        draft.replace(subject, same_case(lemma(subject.lower, "N"), subject.text))
    return _singular_predicate(agree(draft, clause, plural=False), clause)


def either_subject(clause: Clause, options: Options) -> Outcome:
    # Either party may leave. → Neither party may leave.   Either Ana or Luis came. → Neither Ana nor Luis came.
    sentence, subject = clause.sentence, clause.subject
    if subject is None or clause.mood != "declarative" or subject.i > clause.finite.i:
        return None
    first = sentence.left(subject)
    if first.lower != "either":
        return None
    draft = Draft(sentence, "either-subject", "neither").replace(first, same_case("neither", first.text))
    joined = sentence.child(subject, "cc")
    if joined is not None and joined.lower == "or":
        draft.replace(joined, "nor")
    return finish_negation(draft, clause)


def _singular_predicate(draft: Draft, clause: Clause) -> Draft:
    """Adjust the predicate to a singular subject: "Neither brother is lawyers" → "is a lawyer"."""
    noun = clause.sentence.child(clause.verb, "attr")
    if noun is not None and noun.tag == "NNS" and clause.operator == "be" and not noun.lower.endswith("people"):
        first = clause.sentence.left(noun)
        singular = lemma(noun.lower, "N")
        if first.i == noun.i:
            draft.replace(noun, f"{article(singular)} {singular}")
        elif first.tag == "JJ":
            draft.replace(noun, singular)
            draft.before(first, article(first.text))
    return draft


def joined_subject(clause: Clause, options: Options) -> Outcome:
    # Tom and Mary are here. → Neither Tom nor Mary is here.
    subject, sentence = clause.subject, clause.sentence
    if subject is None or clause.mood != "declarative" or subject.i > clause.finite.i:
        return None
    conjunction, other = sentence.child(subject, "cc"), sentence.child(subject, "conj")
    if conjunction is None or other is None or conjunction.lower != "and" or sentence.child(other, "conj") is not None:
        return None
    if other.i > clause.finite.i or subject.tag[:1] not in "NP" or sentence.right(subject).i != sentence.right(other).i:
        return None
    if sentence.left(other).i != conjunction.i + 1 or conjunction.i != subject.i + 1:
        return None
    first = sentence.left(subject)
    if any(t.lower in {"each", "both", "all"} for t in sentence.tokens[clause.finite.i :]):
        return None
    shared = sentence.child(other, "det", "poss", "nummod") is None and first.tag in {"DT", "PRP$", "CD", "JJ"}
    if shared or first.tag == "CD" or sentence.left(other).tag == "CD":
        return None
    draft = Draft(sentence, "joined-subject", "neither")
    draft.before(first, "neither")
    draft.replace(conjunction, "nor")
    people = clause.sentence.child(clause.verb, "attr")
    plural = other.tag in {"NNS", "NNPS"} or other.lower in {"i", "you", "they", "we"}
    plural = plural or (people is not None and people.lower == "people")
    agree(draft, clause, plural=plural)
    return finish_negation(draft if plural else _singular_predicate(draft, clause), clause)
