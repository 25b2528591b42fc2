"""Choose by aspect whether "never" fits: of habits, states of the past and the perfect, not of one scene or time."""

from __future__ import annotations

from itertools import pairwise

from litotes.detection import Clause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Token
from litotes.rewrite.grammar import full_form

TIMES = word_set("time_nouns")
STATES = word_set("present_states")
UNITS = TIMES | {"cent", "dollar", "euro", "mile", "minute", "percent", "pound", "second"}
PASSIVE_STATES = word_set("passive_states")
SAYING = word_set("saying_verbs")
SEEMING = frozenset({"feel", "look", "smell", "sound", "taste"})
TRANSIENT = word_set("transient_adjectives")
AT_A_TIME = frozenset({"yesterday", "today", "tonight", "tomorrow", "ago", "now", "currently", "then", "later", "soon"})
DEICTIC = frozenset({"last", "next", "this", "that", "one"})
OPEN_ENDED = frozenset({"since", "before", "until", "till", "like", "without", "of", "as", "than", "by"})


def one_off(clause: Clause) -> str:
    """Return why "never" sounds wrong in this clause, or ""."""
    if clause.mood == "imperative":
        return "a request for one time is not denied by “never”" if _dated(clause) and _once(clause) else ""
    if clause.mood in {"yes-no", "wh-subject"} and not _habitual(clause) and not _perfect(clause):
        return "“never” does not ask about one time"
    under_way = clause.verb.tag == "VBG" or any(a.lower == "being" for a in clause.auxiliaries)
    if under_way and clause.verb.i != clause.finite.i:
        return "“never” does not deny a scene that goes on"
    if clause.verb.lower == "born":
        return "“never” does not deny a birth"
    if clause.operator == "be" and _be_is_main(clause):
        return _with_be(clause)
    if any(t.lower == "somewhere" for t in clause.sentence.children(clause.verb)):
        return ""
    wishes = clause.operator == "would" and lemma(clause.verb.lower, "V") in {"like", "love", "prefer", "hate"}
    if wishes or _measured(clause):
        return "“never” does not deny a wish or a measure"
    reason = _said_or_permitted(clause)
    if reason:
        return reason
    present = clause.tense in {"VBZ", "VBP"} and not clause.operator
    if present and lemma(clause.verb.lower, "V") in STATES:
        return "“never” does not deny a state that lasts"
    passive = clause.operator == "be" and full_form(clause) in {"is", "are"} and clause.verb.tag == "VBN"
    if passive and lemma(clause.verb.lower, "V") in STATES | PASSIVE_STATES:
        return "“never” does not deny a state that lasts"
    perfect, habitual = _perfect(clause), _habitual(clause)
    if not habitual and _lasts(clause):
        return "“never” does not deny a duration"
    if not perfect and not habitual and _dated(clause):
        return "“never” does not deny an event of one time"
    if habitual and _dated(clause, habitual=True):
        return "“never” does not deny an event of one time"
    joined = any(v.tag[:1] == "V" for v in clause.sentence.children(clause.verb, "conj"))
    return "“never” would reach only the first of the joined verbs" if joined and clause.tense == "VBD" else ""


def _once(clause: Clause) -> bool:
    """Match a polite request, and one for a stated time: "Please call me on Monday", "Come back in six weeks"."""
    polite = any(t.lower in {"please", "kindly"} for t in clause.sentence.tokens)
    return polite or _dated(clause, habitual=True)


def _perfect(clause: Clause) -> bool:
    return clause.operator == "have" and clause.finite.i != clause.verb.i


def _habitual(clause: Clause) -> bool:
    present = clause.tense in {"VBZ", "VBP"} and not clause.operator
    return present or (clause.operator in {"be", "do"} and full_form(clause) in {"is", "are", "am", "do", "does"})


def _said_or_permitted(clause: Clause) -> str:
    """Match what is said once, permitted or advised: "The minister says that …", "may cancel", "had better go"."""
    sentence, verb = clause.sentence, clause.verb
    if any(a.lower == "already" for a in sentence.children(verb, "advmod")):
        return "“never” does not deny that something happened early"
    following = sentence.after(clause.finite)
    if clause.operator == "may" or (following is not None and following.lower in {"better", "best", "rather"}):
        return "“never” does not deny a permission or an advice for one time"
    if clause.operator == "would" and lemma(verb.lower, "V") == "be" and sentence.child(verb, "acomp") is not None:
        return "“never” does not deny a wish or a measure"
    predicate = sentence.child(verb, "attr")
    if clause.finite.tag == "MD" and lemma(verb.lower, "V") == "be" and predicate is not None:
        return "“never” does not deny what something is"
    if clause.tense not in {"VBZ", "VBP"} or clause.operator:
        return ""
    said = lemma(verb.lower, "V") in SAYING and sentence.child(verb, "ccomp", "dobj", "xcomp") is not None
    seems = lemma(verb.lower, "V") in SEEMING and sentence.child(verb, "acomp", "advcl", "oprd", "ccomp") is not None
    return "“never” does not deny what is said or seems so now" if said or seems else ""


def _measured(clause: Clause) -> bool:
    """Match "approximately 30 times"."""
    noun = clause.sentence.child(clause.verb, "dobj")
    if noun is not None and lemma(noun.lower, "N") in UNITS and clause.sentence.child(noun, "nummod") is not None:
        # "took us four hours"
        return True
    tokens = clause.sentence.tokens[clause.verb.i :]
    near = {"approximately", "about", "around", "roughly", "nearly", "over"}
    return any(t.lower in near and n.tag == "CD" for t, n in pairwise(tokens))


def _be_is_main(clause: Clause) -> bool:
    return lemma(clause.verb.lower, "V") == "be" and clause.verb.i == clause.finite.i


def _with_be(clause: Clause) -> str:
    """Judge a copula by its predicate: "is never late", but not "is never the tallest" or "is never my brother"."""
    sentence, verb = clause.sentence, clause.verb
    if _dated(clause):
        return "“never” does not deny an event of one time"
    adjective = sentence.child(verb, "acomp")
    if adjective is not None:
        bare = adjective.tag == "JJ" and sentence.child(adjective, "advmod", "prep") is None
        past = full_form(clause) in {"was", "were"}
        compared = any(a.lower in {"more", "less", "as"} for a in sentence.children(adjective, "advmod"))
        if (adjective.lower in TRANSIENT or (past and bare)) and not compared:
            return ""
        return "“never” does not deny a lasting quality"
    if sentence.child(verb, "attr") is not None:
        return "“never” does not deny what something is"
    place = sentence.child(verb, "prep")
    if place is not None:
        noun = sentence.child(place, "pobj")
        state = noun is not None and sentence.child(noun, "det", "poss", "nummod") is None and noun.tag == "NN"
        moving = clause.subject is not None and clause.subject.tag == "PRP" and clause.subject.lower != "it"
        return "" if state or moving else "“never” does not deny a place that does not change"
    return "“never” does not deny what something is"


def _own(clause: Clause) -> list[Token]:
    """Return the adjuncts of the verb: prepositions, adverbs, nouns of time and clauses."""
    sentence, verb = clause.sentence, clause.verb
    found = list(sentence.children(verb, "prep", "advmod", "npadvmod", "advcl"))
    noun = sentence.child(verb, "dobj", "attr", "pobj")
    # the parser often attaches "on Sunday" to the noun before it
    found += sentence.children(noun, "prep", "npadvmod") if noun is not None else []
    for preposition in list(found):
        inner = sentence.child(preposition, "pobj") if preposition.dep == "prep" else None
        found += sentence.children(inner, "prep", "npadvmod") if inner is not None else []
    return found


def _dated(clause: Clause, *, habitual: bool = False) -> bool:
    """Match a time of its own: "yesterday", "on Sunday", "in 1987". Habits recur "on Sundays" and "in the morning"."""
    sentence = clause.sentence
    for token in _own(clause):
        if token.lower in AT_A_TIME:
            return True
        if token.dep == "npadvmod" and any(t.lower in DEICTIC for t in sentence.phrase(token)):
            return True
        if token.dep == "advcl":
            mark = sentence.child(token, "mark", "advmod")
            past = token.tag == "VBD" or any(a.tag == "VBD" for a in sentence.children(token, "aux", "auxpass"))
            if mark is not None and mark.lower in {"when", "as", "while", "after"} and past and not habitual:
                return True
        noun = sentence.child(token, "pobj") if token.dep == "prep" and token.lower not in OPEN_ENDED else None
        if noun is None:
            continue
        counted = sentence.child(noun, "nummod") is not None and lemma(noun.lower, "N") in UNITS
        if token.lower in {"in", "within", "after"} and counted:
            # "expires in six days": habits have no such term
            return True
        if habitual:
            continue
        year = noun.tag == "CD" and len(noun.text) == 4 and noun.text.isdecimal()
        clock = noun.tag == "CD" and token.lower in {"at", "around", "about"}
        if year or clock or lemma(noun.lower, "N") in TIMES:
            return True
    return False


def _lasts(clause: Clause) -> bool:
    """Match "for an hour"."""
    for token in clause.sentence.children(clause.verb, "prep"):
        noun = clause.sentence.child(token, "pobj") if token.lower == "for" else None
        if noun is not None and lemma(noun.lower, "N") in TIMES | {"minute", "hour", "second", "while"}:
            return True
    return False
