"""Sentences in which something outscopes a negated verb, so that "not" would not deny them."""

from __future__ import annotations

from itertools import pairwise

from litotes.detection import Clause
from litotes.rewrite.coordination import outscoped_conjunct, unjoined_conjunct
from litotes.rewrite.draft import Decline, Options, Outcome
from litotes.rewrite.echoes import ELLIPSIS, elliptic_contrast

UNLESS = "“unless” outscopes the negation"
CONTRASTS = frozenset({(",", "not"), ("but", "not"), ("but", "without")})
CONTRASTING = frozenset(second for _, second in CONTRASTS)
CROWDS = frozenset({"dozens", "hundreds", "thousands", "millions", "billions"})
FRACTIONS = frozenset({"third", "thirds", "quarter", "quarters"})
INVERTED = "the verb precedes its subject in a way that no rule covers"


def outscoping_opening(clause: Clause, options: Options) -> Outcome:
    # "Sometimes we argue."   "The more we learn, the more we see."
    first, second = clause.sentence.tokens[0], clause.sentence.after(clause.sentence.tokens[0])
    if first.lower in {"sometimes", "occasionally", "often"} and first.i < clause.finite.i:
        return Decline(f"“{first.lower}” opens the sentence and outscopes a negated verb")
    if _correlative(clause):
        return Decline("“the more …, the more …” cannot be denied by one “not”")
    correlative = first.lower == "the" and second is not None and second.tag in {"RBR", "JJR"}
    if correlative and sum(t.tag in {"RBR", "JJR"} for t in clause.sentence.tokens) > 1:
        return Decline("“the more …, the more …” cannot be denied by one “not”")
    if clause.mood == "imperative" and first.lower == "guess" and second is not None and second.lower == "what":
        return Decline("“guess what” is a set phrase")
    if outscoped_by_unless(clause):
        return Decline(UNLESS)
    if first.lower == "only" and (clause.inverted or _inverted_be(clause)):
        # "Only in spring are the gates opened."
        return Decline(INVERTED)
    if elliptic_contrast(clause):
        return Decline(ELLIPSIS)
    if first.lower == "either" and _joins_a_clause(clause):
        return Decline("“either … or …” joins two clauses; a negation would reach only one")
    if _not_only(clause):
        return Decline("“not only … but …” says two things; a negation would reach only one")
    if _contrasts(clause):
        return Decline("“…, not …” contrasts two things; a second “not” would undo the contrast")
    amount = _amount(clause)
    if amount:
        return Decline(f"“{amount}” outscopes a negated verb; nothing is left for “no” to count")
    both = clause.sentence.before(clause.finite)
    if both is not None and both.lower == "both" and clause.finite.tag[:1] == "V":
        return Decline("“both … and …” joins two verbs; one “not” would not reach both")
    if unjoined_conjunct(clause):
        return Decline("a negation would reach only the first of the joined verbs")
    adverb = outscoped_conjunct(clause)
    if adverb:
        return Decline(f"“{adverb}” keeps the second verb out of the negation")
    return None


def _amount(clause: Clause) -> str:
    """Return "thousands", the "thirds" of "two thirds of voters" or the "half" of "half the eggs", or ""."""
    sentence, subject = clause.sentence, clause.subject
    if subject is None or subject.i > clause.finite.i:
        return ""
    if sentence.left(subject).lower == "half":
        return "half"
    following = sentence.after(subject)
    part = subject.lower in FRACTIONS and following is not None and following.lower == "of"
    return subject.lower if part or subject.lower in CROWDS else ""


def _joins_a_clause(clause: Clause) -> bool:
    second, joining = clause.sentence.child(clause.verb, "conj"), clause.sentence.child(clause.verb, "cc")
    if joining is None or joining.lower != "or":
        return False
    return second is not None and clause.sentence.child(second, "nsubj", "nsubjpass", "expl") is not None


def _not_only(clause: Clause) -> bool:
    """Match "They not only repaired the roof but …"."""
    if not {"not", "only", "but"} <= clause.sentence.words:
        return False
    words = [t.lower for t in clause.sentence.tokens[: clause.finite.i + 3]]
    return any(pair == ("not", "only") for pair in pairwise(words))


def _inverted_be(clause: Clause) -> bool:
    following = clause.sentence.after(clause.finite)
    return clause.operator == "be" and clause.subject is None and following is not None and following.tag == "DT"


def _contrasts(clause: Clause) -> bool:
    """Match "Lift with your legs, not your back" after the verb."""
    if clause.sentence.words.isdisjoint(CONTRASTING):
        return False
    tokens = clause.sentence.tokens[clause.verb.i :]
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return any((a.lower, b.lower) in CONTRASTS and c.tag != "VBG" for a, b, c in triples)


def _correlative(clause: Clause) -> bool:
    """Match "As the years pass, the more I learn": a comparative of its own after a comma, before its subject."""
    if "," not in clause.sentence.words:
        return False
    tokens = clause.sentence.tokens[: clause.finite.i]
    for comma, article, word in zip(tokens, tokens[1:], tokens[2:], strict=False):
        later = clause.sentence.tokens[word.i + 1] if word.i + 1 < len(clause.sentence.tokens) else word
        if comma.lower == "," and article.lower == "the" and word.tag in {"RBR", "JJR"} and later.tag != "NN":
            return True
    return False


def outscoped_by_unless(clause: Clause) -> bool:
    """Match "The offer ends in May unless we renew it": both with and without "not" it may be true."""
    tokens = clause.sentence.tokens if "unless" in clause.sentence.words else ()
    return any(t.lower == "unless" and tokens[t.head].head == clause.verb.i for t in tokens)
