"""Which sentences of a passage may be turned, and which of their denials still read well where they stand."""

from __future__ import annotations

import re
from itertools import pairwise

from litotes.detection import Clause, main_clause, sentential
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Document, Sentence, Token
from litotes.synth.by_rule.core import hidden_verb, set_apart
from litotes.synth.by_rule.nouns import NOUNS, is_a
from litotes.synth.by_rule.words import words
from litotes.types import Rewrite

SHORTEST, LONGEST = 5, 24
# phrases that only the sentence before explains
CONNECTING = re.compile(
    r"\b(?:at the time|as well|as a (?:result|consequence)|for (?:example|instance)|in (?:addition|particular|turn)"
    r"|(?:in|by) contrast|in fact|on the (?:other hand|contrary))\b|\.\.",
    re.IGNORECASE,
)


def turnable(document: Document) -> list[Sentence]:
    """Single clauses of a fair length, before nothing that leans on them."""
    following = [*document.sentences[1:], None]
    return [
        sentence
        for number, sentence in enumerate(document.sentences)
        if SHORTEST <= len(sentence.tokens) <= LONGEST and _whole(sentence) and _single(sentence)
        if set_apart(document, number) and not _leans_back(following[number])
    ]


def _whole(sentence: Sentence) -> bool:
    """From a word with a capital to a full stop, with nothing that leads over or is left over from markup."""
    text = sentence.text[sentence.start : sentence.end]
    leading = sentence.tokens[1].tag == "," and sentence.tokens[0].tag not in NOUNS
    complete = text[0].isalnum() and text[0] == text[0].upper() and text.endswith(".") and "[" not in text
    return complete and not leading and CONNECTING.search(text) is None


def _single(sentence: Sentence) -> bool:
    """One clause, which denies at most once and argues nothing."""
    clause = main_clause(sentence)
    if not isinstance(clause, Clause) or clause.mood != "declarative" or clause.subject is None:
        return False
    arguing = any(
        t.lower in words("particles") | words("reasoning")
        or (t.lower in {"as", "long"} and t.dep in {"mark", "advmod"})
        for t in sentence.tokens
    )
    joined = any(t.tag[:1] in "VM" for t in sentence.children(clause.verb, "conj", "parataxis", "ccomp"))
    denied = len(sentential(clause.cues)) > len(clause.negations)
    # half of them fail when half of them succeed
    hidden = any(hidden_verb(sentence, t) or t.lower == "half" for t in sentence.tokens)
    return not (arguing or joined or denied or hidden or _trails(sentence))


def _trails(sentence: Sentence) -> bool:
    """…, combining languages; …, with both sides withdrawing; …, which is old; in which it stands"""
    for before, token in pairwise(sentence.tokens):
        relative = token.tag in {"WDT", "WP", "WRB", "WP$"}
        if before.tag == "," and (relative or token.tag in {"VBG", "VBN"} or token.lower in {"with", "not", "most"}):
            return True
        if before.tag == "IN" and relative:
            return True
    return False


def _leans_back(sentence: Sentence | None) -> bool:
    return sentence is not None and sentence.tokens[0].lower in words("backward")


def fits(sentence: Sentence, rewrite: Rewrite) -> bool:
    """Whether the denial turns what the sentence says, and says it as a person would."""
    clause = main_clause(sentence)
    return isinstance(clause, Clause) and not any(objects(clause, rewrite) for objects in OBJECTIONS)


def _odd_never(clause: Clause, rewrite: Rewrite) -> bool:
    """It was never opened in 2017; it never owns sixty canvases: only what is done time and again is never done."""
    if rewrite.cue.lower() != "never":
        return False
    told = {t.lower for t in clause.sentence.tokens}
    counted = any(t.tag == "CD" for t in clause.sentence.tokens)
    often = bool(told & {"times", "twice", "once", "every", "each", "lot"})
    open_ended = clause.sentence.child(clause.verb, "xcomp") is not None
    done = lemma(clause.verb.lower, "V") in words("activities") - words("light_verbs")
    habit = clause.tense in {"VBZ", "VBP"} and done
    lasting = lemma(clause.verb.lower, "V") in {"become", "continue", "develop", "remain", "stay"}
    perfect = clause.operator == "have" and clause.verb.tag in {"VBN", "VBD"} and not lasting
    return counted or often or open_ended or not (habit or perfect)


def _no_such_thing(clause: Clause, rewrite: Rewrite) -> bool:
    """It is no app that lets passengers book."""
    attribute = clause.sentence.child(clause.verb, "attr")
    return rewrite.cue.lower() == "no" and attribute is not None and not clause.existential


def _split_number(clause: Clause, rewrite: Rewrite) -> bool:
    """It takes no and a half hours; it sells no tonnes; no various hypotheses; No polish deaths."""
    del clause
    odd = re.search(r"\bno (?:and|or|to|\w+ing|various|several|numerous)\b", str(rewrite), re.IGNORECASE) is not None
    found = re.search(r"\bno (\w+)", str(rewrite), re.IGNORECASE)
    return odd or (found is not None and found[1] in words("units") | words("peoples") | words("languages"))


def _counted_subject(clause: Clause, rewrite: Rewrite) -> bool:
    """Four titles haven't been won; a number of works weren't translated: of how many is it said?"""
    subject = clause.notional_subject or clause.verb
    numbered = any(t.tag == "CD" for t in clause.sentence.phrase(subject) if t.i <= subject.i)
    measured = is_a("vague_nouns", subject) and clause.sentence.child(subject, "prep") is not None
    return rewrite.kind == "verbal" and (numbered or measured)


def _odd_none(clause: Clause, rewrite: Rewrite) -> bool:
    """No open day is held every year; no walker must; no turbine often exhausts; no symptoms range from this to that"""
    if rewrite.kind not in {"contradiction", "contrary"} and rewrite.cue.lower() not in {"no", "none"}:
        return False
    subject = clause.notional_subject or clause.verb
    rest = {t.lower for t in clause.sentence.tokens if t.i > clause.sentence.left(subject).i}
    together = clause.base in word_set("collective_verbs") or is_a("vague_nouns", subject)
    return together or bool(rest & words("unlike_none"))


def _left_behind(clause: Clause, rewrite: Rewrite) -> bool:
    """It recovered for years; it has much effect: what only a denial could say"""
    lasting = re.search(r"\bfor (?:years|long|decades|months|centuries)\b", str(rewrite)) is not None
    return (clause.negative and lasting) or any(edit.new.strip() == "much" for edit in rewrite.edits)


def _failing_thing(clause: Clause, rewrite: Rewrite) -> bool:
    """The island fails to hold a colony: only who tries can fail."""
    subject = clause.subject
    tries = subject is not None and (is_a("persons", subject) or is_a("actors", subject))
    return rewrite.rule == "fail-to" and not (tries and clause.tense in {"VBD", "MD"})


def _odd_opposite(clause: Clause, rewrite: Rewrite) -> bool:
    """The growers buy it to shops; the fifth nonmember: opposites of verbs and nouns seldom fit where they stand."""
    sentence, subject = clause.sentence, clause.subject
    if rewrite.kind not in {"affixal", "lexical"} or rewrite.rule == "fail-to":
        return False
    starts = {edit.start + sentence.start for edit in rewrite.edits}
    turned = [token for token in sentence.tokens if token.start in starts]
    # The old wing was opened: a word of the subject says which, and denies nothing
    of_subject = subject is not None and any(sentence.inside(token, subject) for token in turned)
    # It lacks unclear origins
    twice = any(cue.sort == "affixal" for cue in clause.cues) or any(t.lower == "different" for t in sentence.tokens)
    return (
        of_subject
        or (twice and rewrite.kind == "lexical")
        or any(_fixed(sentence, token, rewrite.kind) for token in turned)
    )


def _fixed(sentence: Sentence, token: Token, kind: str) -> bool:
    """Whether a word is better left: a noun, an adverb, one of two adjectives, a verb bound to its preposition."""
    before, head = sentence.before(token), sentence.tokens[token.head]
    compared = before is not None and before.lower in {"more", "most", "less", "least", "too", "so"}
    after = sentence.after(token)
    listed = after is not None and (after.tag == "," or after.lower == "enough")
    if compared or listed or token.tag[:1] in "NR" or sentence.child(token, "conj", "xcomp", "advcl") is not None:
        return True
    if token.dep in {"acomp", "oprd"}:
        # The bell fell noisy
        return lemma(head.lower, "V") not in {"be", "become", "remain", "seem"}
    if token.dep == "amod":
        # before negligible production: only what the verb is about carries the claim
        return kind == "affixal" or head.dep not in {"dobj", "attr"}
    if token.tag[:1] != "V" or token.dep == "prep":
        return False
    bound = any(t.lower in words("binding_prepositions") for t in sentence.children(token, "prep"))
    return bound or token.dep != "ROOT" or lemma(token.lower, "V") not in words("opposing")


OBJECTIONS = (
    _odd_never,
    _no_such_thing,
    _split_number,
    _counted_subject,
    _odd_none,
    _left_behind,
    _failing_thing,
    _odd_opposite,
)
