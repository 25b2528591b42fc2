"""Exceptors: what is said of all becomes true of all but one."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.lexicon import table
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options, stable_draw
from litotes.rewrite.grammar import SINGULAR, agree, full_form
from litotes.rewrite.letters import capital, capitalised, lowered, opens_sentence
from litotes.rewrite.quantified import SINGULAR_VERBS, TWOFOLD, has_floated_quantifier
from litotes.rewrite.subjects import OBJECT_CASE, Subject, phrase_of

NEGATIVE = frozenset({"no", "no one", "nobody", "nothing", "none"})
UNIVERSAL = frozenset({"all", "every", "each", "everyone", "everybody", "everything"})
APPROXIMATE = frozenset({"almost", "nearly", "practically", "virtually", "pretty", "most"})
EXCEPTION = {
    "everyone": "one person",
    "everybody": "one person",
    "no one": "one person",
    "nobody": "one person",
    "everything": "one thing",
    "nothing": "one thing",
}


def exceptor_cues() -> tuple[str, ...]:
    """Return the exceptors that a rewrite may use."""
    return tuple(row["cue"] for row in table("exceptors") if row["use"] == "rewrite")


def exceptor(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # All members voted. → All members except one voted.   Everyone came. → Everyone except one person came.
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    cue = options.cue or (_draw_cue(sentence, options.seed) if options.vary else "except")
    if clause.negative and not _negative_subject(clause):
        return Decline("the clause is already negative")
    if clause.mood == "inverted":
        return Decline("the verb precedes its subject, which leaves no place for an exception")
    phrases = [phrase_of(sentence, head) for head in _noun_phrases(clause)]
    for phrase in sorted((p for p in phrases if p is not None), key=lambda p: p.quantifier == "the"):
        draft = (
            _all_but_one(clause, phrase, options.cue)
            if phrase.quantifier == "the"
            else _except_one(clause, phrase, cue)
        )
        if draft is not None:
            return draft
    return everyone_but(clause, cue) or Decline("nothing here is said of all, so nothing can be excepted")


EVERYONE = {"i": "me my mine myself", "he": "him his himself", "she": "her hers herself"}
EVERYONE |= {"we": "us our ours ourselves"}  # they are as often things
NARROWING = frozenset({"only", "just", "even", "also", "too", "alone", "together", "both", "all", "each", "another"})


def everyone_but(clause: Clause, cue: str) -> Draft | None:
    """Except the subject: She passed the exam. → Everyone except her passed the exam."""
    sentence, subject = clause.sentence, clause.subject
    if subject is None or subject.tag != "PRP" or subject.lower not in EVERYONE or clause.question_tag:
        return None
    if not opens_sentence(sentence, subject) or sentence.child(clause.verb, "conj", "parataxis") is not None:
        # "In 1995 he …", "he came and saw": the rest would be said of everyone too
        return None
    words = {t.lower for t in sentence.tokens if t.i != subject.i}
    own = {subject.lower, *EVERYONE[subject.lower].split()}
    if clause.mood != "declarative" or subject.i > clause.finite.i or words & (own | NARROWING) or clause.negative:
        return None
    if subject.head not in {clause.verb.i, subject.i} or sentence.child(subject, "conj") is not None:
        return None
    noun = sentence.child(clause.verb, "attr")
    if noun is not None and (noun.tag != "NN" or sentence.left(noun).lower not in {"a", "an"}):
        # "He is the captain." and "They are students.": a unique role or a plural cannot be said of everyone
        return None
    word = f"everyone {cue} {OBJECT_CASE[subject.lower]}"
    draft = Draft(sentence, "everyone-but", cue, "pair")
    draft.replace(subject, capital(word) if capitalised(subject) else word)
    if clause.finite.text[0] in "'’":
        full = full_form(clause)
        return draft.replace(clause.finite, f" {SINGULAR.get(full, full)}")
    return agree(draft, clause, plural=False)


def _draw_cue(sentence: Sentence, seed: int) -> str:
    """Draw one of the unambiguous exceptors: "besides" can also add, "save" and "bar" look like verbs."""
    cues = [cue for cue in exceptor_cues() if cue.split()[0] not in {"besides", "save", "bar"}]
    return cues[stable_draw(sentence, seed) // 2 % len(cues)]


def _negative_subject(clause: Clause) -> bool:
    return clause.subject is not None and clause.sentence.left(clause.subject).lower in NEGATIVE


def _noun_phrases(clause: Clause) -> list[Token]:
    """Return the subject, the objects, and the objects of prepositions on the verb."""
    heads = [clause.notional_subject] if clause.notional_subject is not None else []
    heads += clause.sentence.children(clause.verb, "dobj", "dative")
    for preposition in clause.sentence.children(clause.verb, "prep", "agent"):
        heads += clause.sentence.children(preposition, "pobj")
    return heads


def _all_but_one(clause: Clause, phrase: Subject, cue: str) -> Draft | None:
    """The members voted. → All but one of the members voted."""
    sentence, first = clause.sentence, phrase.first
    disagrees = clause.finite.lower in SINGULAR_VERBS or clause.tense == "VBZ"
    subject = clause.subject is not None and phrase.head.i == clause.subject.i and first.lower == "the"
    if (
        not subject
        or disagrees
        or has_floated_quantifier(clause)
        or cue not in {"", "except"}
        or sentence.child(phrase.head, "conj") is not None
        or phrase.head.lower in TWOFOLD
        or any(t.lower == "two" for t in sentence.children(phrase.head, "nummod"))
    ):
        return None
    words = f"{'All' if capitalised(first) else 'all'} but one of {lowered(sentence, first)}"
    return Draft(sentence, "all-but-one", "but", "pair").replace(first, words)


def _except_one(clause: Clause, phrase: Subject, cue: str) -> Draft | None:
    """Every seat is taken. → Every seat except one is taken."""
    sentence, word = clause.sentence, phrase.quantifier
    inside = {t.lower for t in sentence.phrase(phrase.head)}
    if inside & {cue.split()[0] for cue in exceptor_cues()} or inside & APPROXIMATE:
        # "pretty much every" already allows for one exception
        return None
    following = sentence.after(phrase.first)
    subject = clause.subject is not None and sentence.inside(phrase.first, clause.subject)
    if word not in UNIVERSAL and not (word in NEGATIVE and (subject or clause.existential)):
        return None
    if word == "each" and following is not None and following.lower == "other":
        return None
    if word == "all" and not phrase.partitive and (phrase.head.tag == "NN" or phrase.head.i == phrase.first.i):
        # "all day", "all that": nothing that can be excepted
        return None
    last = phrase.last
    while last.tag in {",", ".", ":"}:
        last = sentence.tokens[last.i - 1]
    clause_inside = sentence.child(phrase.head, "relcl", "acl") is not None
    if clause_inside and any(t.lower == "," for t in sentence.tokens[phrase.head.i : last.i]):
        # "All members, who had paid, voted": no place for "except one"
        return None
    return Draft(sentence, "except-one", cue, "pair").after(last, f"{cue} {EXCEPTION.get(word, 'one')}")
