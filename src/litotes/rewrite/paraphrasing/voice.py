"""Active ↔ passive: The firm bought a rival. ↔ A rival was bought by the firm."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.detection import Clause, NoClause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.grammar import PLURAL, SINGULAR, base_form, full_form
from litotes.rewrite.letters import capital, capitalised, in_title_case, keeps_capital
from litotes.rewrite.subjects import OBJECT_CASE

SUBJECT_CASE = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
NO_PASSIVE = word_set("no_passive")
TIMES = word_set("time_nouns")
COLLECTIVES = word_set("collectives")
QUANTIFIERS = word_set("scope_words")
PLACES = frozenset({"indoors", "outdoors", "outside", "inside", "home"})
LONGEST = 5


def voice(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Change the voice of a clause that has both arguments."""
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    if (
        clause.mood != "declarative"
        or clause.subject is None
        or clause.question_tag
        or sentence.root.i != clause.verb.i
        or in_title_case(sentence)
    ):
        return Decline("only a plain statement changes its voice")
    if (
        sentence.left(clause.subject).i != 0
        or sentence.child(clause.verb, "conj", "xcomp", "ccomp", "prt", "dative", "oprd", "expl") is not None
    ):
        return Decline("the clause has more than a subject, a verb and an object")
    if any(cue.tokens[0] < clause.finite.i for cue in clause.negations) or _quantified(clause):
        return Decline("the new order would change what the negation or quantifier reaches")
    if sentence.child(clause.verb, "agent") is not None:
        return _to_active(clause)
    return _to_passive(clause)


def _quantified(clause: Clause) -> bool:
    sentence = clause.sentence
    if any(a.lower in QUANTIFIERS for a in sentence.children(clause.verb, "advmod")):
        return True
    object_ = sentence.child(clause.verb, "dobj")
    arguments = [t for noun in (clause.subject, object_) if noun is not None for t in sentence.phrase(noun)]
    return any(t.lower in QUANTIFIERS for t in arguments)


def _to_passive(clause: Clause) -> Draft | Decline:
    """The surgeon reviewed the scans. → The scans were reviewed by the surgeon."""
    sentence, verb = clause.sentence, clause.verb
    object_ = sentence.child(verb, "dobj")
    passive = sentence.child(verb, "auxpass") is not None
    if object_ is None or clause.subject is None or object_.i < verb.i or passive or base_form(verb) in NO_PASSIVE:
        return Decline("there is no object that could become the subject")
    subject = sentence.phrase(clause.subject)
    reason = _argument_problem(clause, subject, object_)
    if reason:
        return Decline(reason)
    first, last = sentence.left(object_), sentence.right(object_)
    conjunction = sentence.child(object_, "cc")
    plural = object_.tag in {"NNS", "NNPS"} or object_.lower in {"them", "us"}
    plural = plural or (conjunction is not None and conjunction.lower == "and")
    group = _passive_group(clause, plural)
    if group is None:
        return Decline("the verb form has no passive")
    agent = _shifted(sentence, subject[0], subject[-1], OBJECT_CASE)
    new_subject = _shifted(sentence, first, last, SUBJECT_CASE)
    new = f"{capital(new_subject) if capitalised(subject[0]) else new_subject} {group} by {agent}"
    return Draft(sentence, "passive", "", "none").replace(subject[0], new, until=last)


def _argument_problem(clause: Clause, subject: Sequence[Token], object_: Token) -> str:
    """Return why subject and object cannot be exchanged, or ""."""
    sentence = clause.sentence
    target = sentence.phrase(object_)
    if any(t.tag == "CC" for t in subject) or subject[0].tag in {"WP", "VBG"} or object_.lower in PLACES:
        return "the clause has more than a subject, a verb and an object"
    between = sentence.tokens[subject[-1].i + 1 : clause.finite.i]
    if subject[-1].i >= clause.finite.i or any(t.tag != "RB" for t in between):
        return "the subject is interrupted"
    long = len(subject) > LONGEST or len(target) > LONGEST or target[0].i != clause.verb.i + 1
    if long or any(t.lower == "," for t in (*subject, *target)):
        return "the parts of the clause are too long or interrupted"
    bound = any(t.tag in {"PRP$", "POS"} for t in target) or sentence.child(object_, "relcl", "acl") is not None
    if bound or (subject[0].tag in {"PRP", "DT", "EX"} and len(subject) == 1):
        return "the object refers back to the subject or carries a clause"
    name = object_.tag == "NNPS" and sentence.child(object_, "det") is None
    if name or object_.lower in COLLECTIVES or object_.lower == "me" or sentence.child(object_, "prep") is not None:
        return "the new subject's person or number is uncertain"
    rest = sentence.tokens[target[-1].i + 1 :]
    timed = any(lemma(t.lower, "N") in TIMES or (len(t.text) == 4 and t.text.isdecimal()) for t in rest)
    if not timed and any(t.tag not in {".", ":", "''", "RB"} for t in rest):
        return "what follows the object would be read with the agent"
    return ""


def _shifted(sentence: Sentence, first: Token, last: Token, case: dict[str, str]) -> str:
    if first.i == last.i and first.lower in case:
        return case[first.lower]
    text = sentence.text[first.start : last.end]
    return text if keeps_capital(sentence, first) else text[0].lower() + text[1:]


def _passive_group(clause: Clause, plural: bool) -> str | None:
    """Return the passive verb group: did not read → was not read, has written → has been written."""
    sentence, verb = clause.sentence, clause.verb
    participle = inflect(base_form(verb), "VBN")
    between = [t.text for t in sentence.tokens[clause.finite.i + 1 : verb.i]]
    full = full_form(clause)
    number = PLURAL if plural else SINGULAR
    if not clause.operator:
        be = {"VBD": ("was", "were"), "VBZ": ("is", "are"), "VBP": ("is", "are")}[clause.tense][plural]
        adverbs = [t.text for t in sentence.tokens[: clause.finite.i] if t.tag == "RB" and t.head == verb.i]
        return " ".join([be, *adverbs, participle])
    if any(t.lower in {"n't"} for t in sentence.tokens[clause.finite.i + 1 : verb.i]):
        glue = True
        between = between[1:]
    else:
        glue = False
    if clause.operator == "do":
        be = {"did": ("was", "were")}.get(full, ("is", "are"))[plural]
        return " ".join([be + ("n't" if glue else ""), *between, participle])
    if clause.operator == "have" and verb.tag in {"VBN", "VBD"}:
        return " ".join([number.get(full, full) + ("n't" if glue else ""), *between, "been", participle])
    if clause.operator == "be" and verb.tag == "VBG":
        return " ".join([number.get(full, full) + ("n't" if glue else ""), *between, "being", participle])
    if verb.tag == "VB" and not glue:
        return " ".join([full, *between, "be", participle])
    return None


def _to_active(clause: Clause) -> Draft | Decline:
    """The scans were reviewed by the surgeon. → The surgeon reviewed the scans."""
    sentence, verb = clause.sentence, clause.verb
    agent = sentence.child(verb, "agent")
    assert agent is not None
    assert clause.subject is not None
    noun = sentence.child(agent, "pobj")
    if (
        noun is None
        or agent.i != verb.i + 1
        or len(clause.auxiliaries) != 1
        or clause.operator != "be"
        or clause.negative
    ):
        return Decline("this passive has no simple active form")
    subject = sentence.phrase(clause.subject)
    first, last = sentence.left(noun), sentence.right(noun)
    if (
        clause.finite.i != subject[-1].i + 1
        or len(subject) > LONGEST
        or last.i - first.i >= LONGEST
        or noun.tag[:1] not in "NP"
        or sentence.child(noun, "relcl", "acl") is not None
        or verb.i != clause.finite.i + 1
    ):
        return Decline("this passive has no simple active form")
    plural = noun.tag in {"NNS", "NNPS"} or noun.lower == "them" or sentence.child(noun, "cc") is not None
    tag = "VBD" if full_form(clause) in {"was", "were"} else ("VBP" if plural else "VBZ")
    active = inflect(base_form(verb), tag)
    new_subject = _shifted(sentence, first, last, SUBJECT_CASE)
    object_ = _shifted(sentence, subject[0], subject[-1], OBJECT_CASE)
    new = f"{capital(new_subject) if capitalised(subject[0]) else new_subject} {active} {object_}"
    return Draft(sentence, "active", "", "none").replace(subject[0], new, until=last)
