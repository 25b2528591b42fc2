"""Which sentences of a passage can be negated, and which of their negations read well in the passage."""

from __future__ import annotations

import re
from itertools import pairwise

from litotes.detection import Clause, main_clause, sentential_cues
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Sentence, Token
from litotes.synthesis.by_rule.clause_core import ends_cleanly, hidden_verb
from litotes.synthesis.by_rule.noun_phrases import NOUNS, is_a
from litotes.synthesis.by_rule.query_words import query_words
from litotes.types import Rewrite

SHORTEST, LONGEST = 5, 24
# Phrases that refer to the sentence before.
CONNECTING = re.compile(
    r"\b(?:at the time|as well|as a (?:result|consequence)|for (?:example|instance)|in (?:addition|particular|turn)"
    r"|(?:in|by) contrast|in fact|on the (?:other hand|contrary))\b|\.\.",
    re.IGNORECASE,
)


def negatable_sentences(document: Document) -> list[Sentence]:
    """Return the sentences with a single clause and a moderate length that the next sentence does not refer to."""
    following = [*document.sentences[1:], None]
    return [
        sentence
        for number, sentence in enumerate(document.sentences)
        if SHORTEST <= len(sentence.tokens) <= LONGEST and _is_complete(sentence) and _is_single_clause(sentence)
        if ends_cleanly(document, number) and not _refers_back(following[number])
    ]


def _is_complete(sentence: Sentence) -> bool:
    """Whether it runs from a capital to a full stop, without a connecting phrase and without remains of markup."""
    text = sentence.text[sentence.start : sentence.end]
    introduced = sentence.tokens[1].tag == "," and sentence.tokens[0].tag not in NOUNS
    complete = text[0].isalnum() and text[0] == text[0].upper() and text.endswith(".") and "[" not in text
    return complete and not introduced and CONNECTING.search(text) is None


def _is_single_clause(sentence: Sentence) -> bool:
    """Whether it is one clause with at most one negation and without an argument."""
    clause = main_clause(sentence)
    if not isinstance(clause, Clause) or clause.mood != "declarative" or clause.subject is None:
        return False
    arguing = any(
        t.lower in query_words("particles") | query_words("reasoning")
        or (t.lower in {"as", "long"} and t.dep in {"mark", "advmod"})
        for t in sentence.tokens
    )
    joined = any(t.tag[:1] in "VM" for t in sentence.children(clause.verb, "conj", "parataxis", "ccomp"))
    negated_twice = len(sentential_cues(clause.cues)) > len(clause.negations)
    # Half of them fail if half of them succeed.
    hidden = any(hidden_verb(sentence, t) or t.lower == "half" for t in sentence.tokens)
    return not (arguing or joined or negated_twice or hidden or _has_trailing_clause(sentence))


def _has_trailing_clause(sentence: Sentence) -> bool:
    """Whether it ends in an addition: …, combining languages; …, with both sides withdrawing; …, which is old."""
    for before, token in pairwise(sentence.tokens):
        relative = token.tag in {"WDT", "WP", "WRB", "WP$"}
        if before.tag == "," and (relative or token.tag in {"VBG", "VBN"} or token.lower in {"with", "not", "most"}):
            return True
        if before.tag == "IN" and relative:
            return True
    return False


def _refers_back(sentence: Sentence | None) -> bool:
    return sentence is not None and sentence.tokens[0].lower in query_words("backward")


def reads_well(sentence: Sentence, rewrite: Rewrite) -> bool:
    """Whether the rewrite negates what the sentence says, in words that a person would use."""
    clause = main_clause(sentence)
    return isinstance(clause, Clause) and not any(objection(clause, rewrite) for objection in OBJECTIONS)


def _odd_never(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether "never" is odd because the action is not a habit: It was never opened in 2017."""
    if rewrite.cue.lower() != "never":
        return False
    words = {t.lower for t in clause.sentence.tokens}
    counted = any(t.tag == "CD" for t in clause.sentence.tokens)
    often = bool(words & {"times", "twice", "once", "every", "each", "lot"})
    open_ended = clause.sentence.child(clause.verb, "xcomp") is not None
    activity = lemma(clause.verb.lower, "V") in query_words("activities") - query_words("light_verbs")
    habit = clause.tense in {"VBZ", "VBP"} and activity
    lasting = lemma(clause.verb.lower, "V") in {"become", "continue", "develop", "remain", "stay"}
    perfect = clause.operator == "have" and clause.verb.tag in {"VBN", "VBD"} and not lasting
    return counted or often or open_ended or not (habit or perfect)


def _no_before_complement(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether "no" is before a complement: It is no app that lets passengers book."""
    attribute = clause.sentence.child(clause.verb, "attr")
    return rewrite.cue.lower() == "no" and attribute is not None and not clause.existential


def _split_number(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether "no" replaces a part of an amount or of a name: It takes no and a half hours; it sells no tonnes."""
    del clause
    odd = re.search(r"\bno (?:and|or|to|\w+ing|various|several|numerous)\b", str(rewrite), re.IGNORECASE) is not None
    word = re.search(r"\bno (\w+)", str(rewrite), re.IGNORECASE)
    return odd or (
        word is not None and word[1] in query_words("units") | query_words("peoples") | query_words("languages")
    )


def _counted_subject(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether the subject is counted, so that the negation is ambiguous: Four titles haven't been won."""
    subject = clause.notional_subject or clause.verb
    numbered = any(t.tag == "CD" for t in clause.sentence.phrase(subject) if t.i <= subject.i)
    measured = is_a("vague_nouns", subject) and clause.sentence.child(subject, "prep") is not None
    return rewrite.kind == "verbal" and (numbered or measured)


def _odd_none(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether "no" or "none" is odd as the subject: No open day is held every year; no symptoms range from …"""
    if rewrite.kind not in {"contradiction", "contrary"} and rewrite.cue.lower() not in {"no", "none"}:
        return False
    subject = clause.notional_subject or clause.verb
    rest = {t.lower for t in clause.sentence.tokens if t.i > clause.sentence.left(subject).i}
    together = clause.base in word_set("collective_verbs") or is_a("vague_nouns", subject)
    return together or bool(rest & query_words("unlike_none"))


def _negative_polarity_item(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether words remain that only a negation allows: It recovered for years; it has much effect."""
    lasting = re.search(r"\bfor (?:years|long|decades|months|centuries)\b", str(rewrite)) is not None
    return (clause.negative and lasting) or any(edit.new.strip() == "much" for edit in rewrite.edits)


def _failing_thing(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether something fails that cannot try: The island fails to hold a colony."""
    subject = clause.subject
    can_try = subject is not None and (is_a("persons", subject) or is_a("actors", subject))
    return rewrite.rule == "fail-to" and not (can_try and clause.tense in {"VBD", "MD"})


def _odd_opposite(clause: Clause, rewrite: Rewrite) -> bool:
    """Whether the opposite of a verb or noun does not fit: The growers buy it to shops; the fifth nonmember."""
    sentence, subject = clause.sentence, clause.subject
    if rewrite.kind not in {"affixal", "lexical"} or rewrite.rule == "fail-to":
        return False
    starts = {edit.start + sentence.start for edit in rewrite.edits}
    replaced = [token for token in sentence.tokens if token.start in starts]
    # "The old wing was opened": a word in the subject says which wing, so its opposite negates nothing.
    in_subject = subject is not None and any(sentence.inside(token, subject) for token in replaced)
    # It lacks unclear origins.
    twice = any(cue.type == "affixal" for cue in clause.cues) or any(t.lower == "different" for t in sentence.tokens)
    return (
        in_subject
        or (twice and rewrite.kind == "lexical")
        or any(_is_fixed(sentence, token, rewrite.kind) for token in replaced)
    )


def _is_fixed(sentence: Sentence, token: Token, kind: str) -> bool:
    """Whether a word should not be replaced: a noun, an adverb, one of two adjectives, a verb with its preposition."""
    before, head = sentence.before(token), sentence.tokens[token.head]
    compared = before is not None and before.lower in {"more", "most", "less", "least", "too", "so"}
    after = sentence.after(token)
    listed = after is not None and (after.tag == "," or after.lower == "enough")
    if compared or listed or token.tag[:1] in "NR" or sentence.child(token, "conj", "xcomp", "advcl") is not None:
        return True
    if token.dep in {"acomp", "oprd"}:
        # The bell fell noisy.
        return lemma(head.lower, "V") not in {"be", "become", "remain", "seem"}
    if token.dep == "amod":
        # "before negligible production": only an object or a complement carries the claim.
        return kind == "affixal" or head.dep not in {"dobj", "attr"}
    if token.tag[:1] != "V" or token.dep == "prep":
        return False
    bound = any(t.lower in query_words("binding_prepositions") for t in sentence.children(token, "prep"))
    return bound or token.dep != "ROOT" or lemma(token.lower, "V") not in query_words("opposing")


OBJECTIONS = (
    _odd_never,
    _no_before_complement,
    _split_number,
    _counted_subject,
    _odd_none,
    _negative_polarity_item,
    _failing_thing,
    _odd_opposite,
)
