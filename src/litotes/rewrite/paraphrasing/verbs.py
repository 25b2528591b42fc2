"""Verbs that express "not" in one word: did not succeed = failed, lacks = does not have."""

from __future__ import annotations

from functools import lru_cache

from litotes.detection import Clause, is_affixal, is_implicit
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Token
from litotes.rewrite.draft import Draft, Options, Outcome
from litotes.rewrite.grammar import DO, base_form, negate_operator, negated
from litotes.rewrite.letters import all_capitals
from litotes.rewrite.lexical import STATIVE
from litotes.rewrite.removal import drop_not

# "stopped" does not quite mean "did not continue", nor "stayed" always "did not leave"
ONE_WAY = frozenset(
    {"stop", "continue", "keep", "stay", "leave", "die", "remain", "miss", "reject", "refuse", "have", "disallow"}
)


# "not leave" = "stay", but not in "not leave him alone" and "was not left alone"
INTRANSITIVE = frozenset({"leave", "stay", "stop", "survive", "succeed", "change", "vary", "move", "sleep", "speak"})

# "the bill was not passed" does not mean "was failed"
NO_PASSIVE = frozenset({"pass", "attend"})
STAYING = frozenset({"stay", "stop"})
UNIVERSAL = word_set("universal_quantifiers")


@lru_cache(maxsize=1)
def _verbs() -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]]:
    """Return verbs A → B for which "not A" means "B", and the reverse, by verb and frame ("", "to V" or "V-ing")."""
    there: dict[tuple[str, str], str] = {}
    back: dict[tuple[str, str], str] = {}
    for row in table("equivalents"):
        left, right = row["negative_phrase"].split(), row["equivalent"].split()
        if row["kind"] != "verb" or left[0] != "not" or right[0] in {"be", "V"}:
            continue
        frame = " ".join(left[2:])
        if frame != " ".join(right[1:]) or frame not in {"", "to V", "V-ing"}:
            continue
        there.setdefault((left[1], frame), right[0])
        if right[0] not in ONE_WAY:
            back.setdefault((right[0], frame), left[1])
    return there, back


# "can't remember" is not "can forget": the negation reaches the modal
MODAL_SCOPE = frozenset({"can", "could", "may", "might", "must", "should", "need", "ought", "shall"})


def verb(clause: Clause, options: Options) -> Outcome:
    # did not succeed → failed;  failed to win → did not win;  lacks → does not have
    negator = verbal_not(clause)
    if negator is not None and clause.mood in {"declarative", "wh-subject"} and clause.operator not in MODAL_SCOPE:
        return _opposite_instead(clause, negator)
    if clause.negative or clause.mood != "declarative" or (clause.operator and clause.finite.i == clause.verb.i):
        return None
    base, frame = base_form(clause.verb), _frame(clause)
    if base in {"fail", "neglect"} and frame == "to V":
        return _not_instead(clause, options)
    _, back = _verbs()
    other = back.get((base, frame))
    if other is None:
        return None
    draft = Draft(clause.sentence, "verb", clause.verb.text, "same")
    draft.flips = 0 if is_implicit(base) else 1
    return _negated_verb(draft, clause, other, options)


def _opposite_instead(clause: Clause, negator: Token) -> Outcome:
    """Replace a negated verb by its opposite: did not succeed → failed."""
    there, _ = _verbs()
    sentence, main = clause.sentence, clause.verb
    base = base_form(main)
    named = negator.text[0].isupper() and negator.i > 0 and not all_capitals(sentence)
    if named or has_universal_subject(clause) or any(t.tag == "RB" for t in sentence.tokens[negator.i + 1 : main.i]):
        # "A Do Not Enter sign", "do not quite agree"
        return None
    other = there.get((base, _frame(clause)))
    if other == "lack" and sentence.child(main, "dobj") is None:
        return None
    if other is not None and base in INTRANSITIVE and sentence.child(main, "dobj", "auxpass") is not None:
        return None
    if base in NO_PASSIVE and sentence.child(main, "auxpass") is not None:
        return None
    if base in STAYING and sentence.child(main, "prep") is not None:
        # "did not stay in the garden" is not "left in the garden"
        return None
    if any(token.lower in UNIVERSAL for token in sentence.tokens[main.i :]):
        # "did not accept all of them" is not "rejected all of them"
        other = None
    if any(t.lower in {*NO, "yet", "either", "anymore", "much", "many"} for t in sentence.tokens[main.i :]):
        return None
    if other is None:
        return _fail_instead(clause, negator)
    draft = Draft(sentence, "verb", main.text, "same")
    draft.flips = 0 if is_implicit(other) or is_implicit(base) or is_affixal(other) else 1
    if clause.finite.lower in {"do", "does", "did"}:
        drop_not(draft, clause, negator, base=other)
    else:
        drop_not(draft, clause, negator)
        draft.replace(main, inflect(other, main.tag))
    return draft


def _negated_verb(draft: Draft, clause: Clause, base: str, options: Options) -> Draft:
    """Replace the verb by `base` under a negation."""
    if clause.operator:
        negate_operator(draft, clause, options)
        return draft.replace(clause.verb, inflect(base, clause.verb.tag))
    do_not, _ = negated(DO[clause.tense], clause.sentence, options)
    return draft.replace(clause.verb, same_case(f"{do_not} {base}", clause.verb.text))


def _fail_instead(clause: Clause, negator: Token) -> Outcome:
    """did not start → failed to start"""
    verb = clause.verb
    base = base_form(verb)
    if (
        clause.finite.lower not in {"do", "does", "did"}
        or clause.finite.i == verb.i
        or base in STATIVE
        or negator.i != clause.finite.i + 1
    ):
        return None
    if verb.i != negator.i + 1 or clause.sentence.child(verb, "conj") is not None:
        return None
    fail = inflect("fail", {"do": "VBP", "does": "VBZ", "did": "VBD"}[clause.finite.lower])
    return Draft(clause.sentence, "fail-to", negator.text, "same").replace(clause.finite, f"{fail} to", until=negator)


def _not_instead(clause: Clause, options: Options) -> Outcome:
    """failed to win → did not win"""
    sentence = clause.sentence
    infinitive = sentence.child(clause.verb, "xcomp")
    to = sentence.before(infinitive) if infinitive is not None else None
    if infinitive is None or to is None or to.lower != "to" or to.i != clause.verb.i + 1:
        return None
    draft = Draft(sentence, "fail-to", clause.verb.text, "same")
    if clause.operator:
        negate_operator(draft, clause, options)
        form = inflect(base_form(infinitive), clause.verb.tag)
        return draft.replace(clause.verb, form, until=infinitive)
    do_not, _ = negated(DO[clause.tense], sentence, options)
    return draft.replace(clause.verb, same_case(do_not, clause.verb.text), until=to)


def _frame(clause: Clause) -> str:
    """Return what follows the verb: "", "to V" or "V-ing"."""
    sentence, main = clause.sentence, clause.verb
    infinitive = sentence.child(main, "xcomp")
    if infinitive is not None:
        if any(a.lower == "to" for a in sentence.children(infinitive, "aux")):
            return "to V"
        return "V-ing" if infinitive.tag == "VBG" else "other"
    if sentence.child(main, "prt", "ccomp", "acomp") is not None:
        return "other"
    return ""


def verbal_not(clause: Clause) -> Token | None:
    """Return the "not" or "n't" on this clause's finite verb. That of "not every room" is on its subject."""
    for cue in clause.negations:
        if cue.type == "verbal":
            negator = clause.sentence.tokens[cue.tokens[0]]
            return negator if negator.i > clause.finite.i else None
    return None


def has_universal_subject(clause: Clause) -> bool:
    """Return whether the subject is universal: "all the doors are not open" may deny it of each or of some."""
    if clause.subject is None:
        return False
    before = clause.sentence.tokens[clause.sentence.left(clause.subject).i : clause.verb.i]
    return any(token.lower in UNIVERSAL for token in before)


NO = {"any": "no", "anything": "nothing", "anybody": "nobody", "anyone": "no one", "anywhere": "nowhere"}
