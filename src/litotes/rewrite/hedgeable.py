"""Which claims can be hedged: not what is certain, commanded, performed by saying it, or a denial that is reported."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Sentence
from litotes.rewrite.grammar import guesses
from litotes.rewrite.letters import in_title_case
from litotes.rewrite.set_phrases import find_set_phrase

CERTAINTY = word_set("certainty")
HEDGING = word_set("hedging_adverbs")
ATTITUDES = word_set("own_attitudes")
DENYING = word_set("denying_verbs")
DEONTIC = word_set("deontic")
INTERJECTIONS = word_set("interjections")
FEELINGS = frozenset({"afraid", "certain", "glad", "grateful", "happy", "proud", "sorry", "sure", "thankful"})
OBLIGING = frozenset({"have", "need"})
WITHOUT_DOUBT = tuple(
    tuple(phrase.split())
    for phrase in ("without a doubt", "no doubt", "of course", "for sure", "in fact", "beyond doubt")
)


def unhedgeable(sentence: Sentence, clause: Clause) -> str:
    """Return why the claim of a clause must not be hedged, or ""."""
    if sentence.tokens[0].lower in INTERJECTIONS:
        return "the sentence opens with an exclamation"
    if in_title_case(sentence):
        return "a title is not hedged"
    participle = clause.subject is not None and clause.subject.tag == "VBN" and clause.subject.i == 0
    if clause.mood == "inverted" or participle:
        return "the verb precedes its subject, which leaves no place for a hedge"
    match = find_set_phrase(sentence, clause, "hedge")
    if match is not None:
        words = sentence.text[sentence.tokens[match.first].start : sentence.tokens[match.last].end]
        return f"“{words}” is a set phrase"
    certain = _certain(sentence, clause)
    if certain:
        return f"“{certain}” asserts the claim, so a hedge would contradict it"
    adverb = any(a.lower in HEDGING for a in sentence.children(clause.verb, "advmod"))
    if adverb or clause.operator == "might" or guesses(clause) or _seems(sentence, clause):
        return "the claim is already hedged"
    first = sentence.tokens[0]
    if first.tag in {"WRB", "WP", "WDT"} and first.head == clause.verb.i and not first.lower.endswith("ever"):
        return "the sentence is a question, or the title of one"
    return _obliged(clause) or _performed(clause) or _denied(clause)


def _certain(sentence: Sentence, clause: Clause) -> str:
    """Return the word that says the claim is certain: "definitely", "without a doubt"."""
    predicate = sentence.child(clause.verb, "acomp", "attr") or clause.verb
    for adverb in (*sentence.children(clause.verb, "advmod"), *sentence.children(predicate, "advmod")):
        if adverb.lower in CERTAINTY:
            return adverb.text
    words = [t.lower for t in sentence.tokens]
    for phrase in WITHOUT_DOUBT:
        for at in range(len(words) - len(phrase) + 1):
            if tuple(words[at : at + len(phrase)]) == phrase and (at == 0 or sentence.tokens[at - 1].lower == ","):
                return " ".join(phrase)
    return ""


def _seems(sentence: Sentence, clause: Clause) -> bool:
    """Match "It seems that …" and "She appears to be ill", but not "He appeared at noon"."""
    complement = sentence.child(clause.verb, "xcomp", "ccomp", "oprd", "acomp")
    return complement is not None and lemma(clause.verb.lower, "V") in {"seem", "appear"}


def _obliged(clause: Clause) -> str:
    """Match what is commanded: "must carry", "must be paid", "have to leave". "Must have left" is a guess."""
    if clause.operator in DEONTIC:
        group = {t.lower for t in (*clause.auxiliaries[1:], clause.verb)}
        passive = any(t.dep == "auxpass" for t in clause.auxiliaries)
        guess = clause.operator == "must" and bool(group & {"have", "'ve", *(() if passive else ("be",))})
        return "" if guess else f"“{clause.finite.text}” commands or advises; a hedge would weaken the command"
    infinitive = clause.sentence.child(clause.verb, "xcomp")
    to = infinitive is not None and any(a.lower == "to" for a in clause.sentence.children(infinitive, "aux"))
    if to and not clause.operator and lemma(clause.verb.lower, "V") in OBLIGING:
        return f"“{clause.verb.text} to” obliges; a hedge would weaken the duty"
    return ""


def _performed(clause: Clause) -> str:
    """Match what the speaker does by saying it, or cannot doubt: "We apologise", "I love it"."""
    subject = clause.subject
    own = subject is not None and subject.lower in {"i", "we"}
    plain = clause.operator in {"", "do", "be", "have"}
    if own and plain and lemma(clause.verb.lower, "V") in ATTITUDES:
        return f"nobody doubts what they themselves {lemma(clause.verb.lower, 'V')}"
    feeling = clause.sentence.child(clause.verb, "acomp")
    if own and clause.operator == "be" and feeling is not None and feeling.lower in FEELINGS:
        return f"nobody doubts that they themselves are {feeling.lower}"
    return ""


def _denied(clause: Clause) -> str:
    """Match "The minister denied that …": the hedge would be on the report, or deny twice."""
    sentence, verb = clause.sentence, clause.verb
    if lemma(verb.lower, "V") not in DENYING or clause.operator in {"can", "could"}:
        return ""
    reported = sentence.child(verb, "ccomp", "xcomp", "dobj") is not None
    return "a denial that is reported is not hedged" if reported else ""
