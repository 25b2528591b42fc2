"""The square of opposition over the subject: contradiction, contrary, subcontrary."""

from __future__ import annotations

from collections.abc import Sequence

from litotes.detection import Clause, NoClause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.affirmative import affirm_clause
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.grammar import agree, agreeing, base_form, negate_operator, negate_with_do, negated
from litotes.rewrite.joined_subjects import is_mutual, joined_subject
from litotes.rewrite.letters import opens_sentence
from litotes.rewrite.never import always
from litotes.rewrite.polarity import adjust_polarity_items
from litotes.rewrite.removal import restore_polarity_items
from litotes.rewrite.subjects import OBJECT_CASE, Subject, subject_of

NO_QUANTIFIER = "the subject has no quantifier"
UNIVERSAL = frozenset({"all", "every", "each", "everyone", "everybody", "everything", "both", "the", "they"})
INDEFINITE = frozenset({"a", "an"})
EXISTENTIAL = frozenset({"some", "several", "someone", "somebody", "something"})
PRONOUN = {
    "one": ("everyone", "someone", "no one"),
    "body": ("everybody", "somebody", "nobody"),
    "thing": ("everything", "something", "nothing"),
}


# "These men pushing the car is a scene": the verb agrees with something other than the plural noun
SINGULAR_VERBS = frozenset({"is", "was", "has", "does", "'s"})


TOGETHER = word_set("collective_verbs")
HELD_TOGETHER = word_set("held_together")
TWOFOLD = word_set("twofold_nouns")
EXCEPTORS = frozenset({"except", "excluding", "besides", "save"})


def has_floated_quantifier(clause: Clause) -> bool:
    """Match a floated quantifier: "They are all here." """
    return any(
        t.lower in {"all", "both", "each"} for t in clause.sentence.tokens[clause.finite.i - 1 : clause.verb.i + 3]
    )


def _form(clause: Clause, subject: Subject) -> str:
    """Return the corner of the square: A (all are), E (none is), I (some are), O (some are not), or "".

    "one" is an I about a single thing: "A man is riding a bicycle."
    """
    quantifier = subject.quantifier
    if subject.counted:
        # "at least forty" and "no" are not the only two cases
        return ""
    definite = quantifier in {"the", "they"}
    if definite and _of_two_or_contracted(clause, subject):
        return ""
    if definite and (has_floated_quantifier(clause) or clause.finite.lower in SINGULAR_VERBS or clause.tense == "VBZ"):
        return ""
    if quantifier in {"they", *INDEFINITE} and (clause.question_tag or clause.sentence.child(clause.verb, "conj")):
        return ""
    if quantifier == "they" and (_as_a_group(clause) or clause.finite.lower in {"may", "might", "must"}):
        return ""
    if quantifier == "they" and lemma(clause.verb.lower, "V") in HELD_TOGETHER:
        # "We have two hundred offices." "They say love is blind."
        return ""
    if quantifier in {"the", "all"} and subject.head.lower in TWOFOLD:
        # "none of my parents": there are two
        return ""
    if (
        quantifier == "all"
        and subject.head.i == subject.first.i
        and not subject.partitive
        and subject.last.i > subject.first.i
    ):
        # "All you have to do is ask."
        return ""
    if definite and (clause.base in TOGETHER or clause.sentence.child(clause.verb, "attr") is not None):
        # "The papers include a map": what they contain together is not said of each
        return ""
    if quantifier == "both" and is_mutual(clause.sentence):
        return ""
    if quantifier == "both" and (_joins_verbs(clause) or subject.partitive or subject.head.i != subject.first.i + 1):
        # only "both men", not "both of the men" or "both the A and the B"
        return ""
    if quantifier in UNIVERSAL:
        return "" if clause.negative else "A"
    if quantifier in {"no", "none", "nobody", "no one", "nothing"}:
        return "E"
    if quantifier in EXISTENTIAL and subject.first.tag != "CD":
        if clause.operator == "be" and clause.sentence.child(clause.verb, "ccomp", "csubj") is not None:
            # "Something you should know is that …"
            return ""
        if clause.existential:
            return "" if clause.negative else "I"
        return "O" if clause.negative else "I"
    if quantifier in INDEFINITE and not clause.negative and _is_single_event(clause) and not _of_many(clause, subject):
        return "one"
    return ""


def _of_two_or_contracted(clause: Clause, subject: Subject) -> bool:
    """Match "the two countries", of which "neither" is said, and "we're", which cannot follow "none of us"."""
    two = any(t.lower == "two" for t in clause.sentence.children(subject.head, "nummod"))
    return two or (subject.quantifier == "they" and clause.finite.text[0] in "'’")


def _joins_verbs(clause: Clause) -> bool:
    """Match "Both lamps are cheap and use little power"."""
    joined = [v for v in clause.sentence.children(clause.verb, "conj") if v.tag[:2] == "VB"]
    return any(clause.sentence.child(v, "nsubj") is None for v in joined)


def _as_a_group(clause: Clause) -> bool:
    """Match "They met each other halfway." and "We sang together." """
    return bool(
        clause.sentence.words
        & {"together", "both", "each", "another", "alone", "apart", "too", "also", "only", "same", "common"}
    )


def _is_single_event(clause: Clause) -> bool:
    """Match a single event ("A man is riding …", "a bus stopped"). "A whale is a mammal" speaks of every whale."""
    progressive = clause.verb.tag == "VBG" and clause.operator == "be"
    return clause.mood == "declarative" and not clause.existential and (progressive or clause.tense == "VBD")


def _of_many(clause: Clause, subject: Subject) -> bool:
    """Match "A group of dogs" and "a young woman's hat": "no" would modify the wrong noun."""
    phrase = clause.sentence.phrase(subject.head)
    return subject.head.tag != "NN" or any(t.lower in {"of", "'s", "’s", ","} for t in phrase)


def _ready(clause: Clause | NoClause) -> tuple[Clause, Subject, str] | Decline:
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    subject = subject_of(clause)
    if subject is None or clause.mood not in {"declarative", "yes-no"}:
        return Decline(NO_QUANTIFIER)
    if clause.mood == "declarative" and subject.first.i > clause.finite.i and not clause.existential:
        return Decline(NO_QUANTIFIER)
    asks = clause.sentence.tokens[0].tag in {"WRB", "WP", "WDT"} or (clause.inverted and clause.tense == "MD")
    # the verb's own subject, or the noun that a misattached verb depends on
    own = clause.subject is not None and clause.subject.head in {clause.verb.i, clause.subject.i}
    joined = clause.sentence.child(subject.head, "conj") is not None
    if subject.head.lower == "one" or not own or joined or clause.sentence.quoted(subject.first):
        return Decline(NO_QUANTIFIER)
    if asks or not clause.sentence.words.isdisjoint(EXCEPTORS):
        return Decline("an exception or a question word restricts the subject")
    form = _form(clause, subject)
    if not form or (subject.head.tag[:1] not in "NPD" and subject.quantifier not in {"all", "some", "none", "several"}):
        return Decline(NO_QUANTIFIER)
    return clause, subject, form


def contradiction(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # All members voted. → Some members did not vote.   No members voted. → Some members voted.
    ready = _ready(clause)
    if isinstance(ready, Decline):
        return ready
    clause, subject, form = ready
    if clause.operator in {"must", "shall"} and not clause.negative:
        # "some … mustn't" would forbid instead of freeing
        return Decline("“must not” forbids; it does not deny a duty")
    if subject.quantifier == "both":
        return Decline("“both” has no contradiction of this form")
    if subject.quantifier == "they" and sentence.child(clause.verb, "dobj") is not None and not _each_alone(clause):
        return Decline("what “we” or “they” did may have been done together")
    if subject.quantifier in {"every", "each"} and any(t.tag == "PRP$" for t in sentence.tokens[clause.finite.i :]):
        return Decline("a pronoun in the predicate is bound by the singular subject")
    if form == "A":
        draft = _plural_some(_requantify(Draft(sentence, "A-O"), clause, subject, "some"), subject)
        return _negated_verb(draft, clause, subject, options)
    if form == "E":
        draft = Draft(sentence, "E-I", subject.first.text)
        restore_polarity_items(draft, clause)
        return _agreeing(_requantify(draft, clause, subject, "some"), clause, subject, "some")
    if form in {"I", "one"}:
        draft = Draft(sentence, "I-E", "no")
        return adjust_polarity_items(
            _agreeing(_requantify(draft, clause, subject, "no"), clause, subject, "no"), clause
        )
    return _all_are(clause, subject, options, "O-A")


def _each_alone(clause: Clause) -> bool:
    """Match "We know the way": thoughts and postures are not shared."""
    return lemma(clause.verb.lower, "V") in ALONE


ALONE = word_set("done_alone")


def contrary(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # All members voted. → No members voted.   No members voted. → All members voted.
    ready = _ready(clause)
    if isinstance(ready, Decline):
        return (isinstance(clause, Clause) and _of_two_or_of_times(clause, options)) or ready
    clause, subject, form = ready
    if form == "A":
        draft = Draft(sentence, "A-E", "no")
        return adjust_polarity_items(
            _agreeing(_requantify(draft, clause, subject, "no"), clause, subject, "no"), clause
        )
    if form == "E" and not clause.existential:
        draft = Draft(sentence, "E-A", subject.first.text)
        restore_polarity_items(draft, clause)
        return _agreeing(_requantify(draft, clause, subject, "all"), clause, subject, "all")
    return Decline("only a universal or a negative subject has a contrary")


def _of_two_or_of_times(clause: Clause, options: Options) -> Draft | None:
    """Tom and Ann agreed. → Neither Tom nor Ann agreed.   He always wins. → He never wins."""
    sentence = clause.sentence
    if clause.negative or clause.question_tag or clause.mood != "declarative" or _as_a_group(clause):
        return None
    if sentence.child(clause.verb, "conj", "parataxis", "ccomp") is not None:
        return None
    if any(t.lower == "always" for t in sentence.children(clause.verb, "advmod")):
        answer = always(clause, options)
    elif clause.subject is not None and _each_of_two(clause, sentence.phrase(clause.subject)):
        answer = joined_subject(clause, options)
    else:
        return None
    return answer if isinstance(answer, Draft) else None


def _each_of_two(clause: Clause, phrase: Sequence[Token]) -> bool:
    """Return whether the claim holds of each of the two: not of "two men and a boy", nor of what they share."""
    sentence = clause.sentence
    counted = any(t.tag == "CD" or t.lower in {"some", ",", "or"} for t in phrase)
    shared = clause.base in TOGETHER or sentence.child(clause.verb, "attr") is not None
    following = sentence.after(phrase[-1])
    addressed = following is not None and following.lower == ","
    return opens_sentence(sentence, phrase[0]) and not counted and not shared and not addressed


def subcontrary(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # Some members voted. → Some members did not vote.   … and back.
    ready = _ready(clause)
    if isinstance(ready, Decline):
        return ready
    clause, subject, form = ready
    if form == "I" and not clause.existential:
        return _negated_verb(Draft(sentence, "I-O"), clause, subject, options)
    if form == "O":
        return affirm_clause(clause, options)
    return Decline("only a subject with “some” has a subcontrary")


def _all_are(clause: Clause, subject: Subject, options: Options, rule: str) -> Draft | Decline:
    positive = affirm_clause(clause, options)
    if isinstance(positive, Decline):
        return positive
    positive.rule = rule
    return _requantify(positive, clause, subject, "all")


def _negated_verb(draft: Draft, clause: Clause, subject: Subject, options: Options) -> Draft:
    """Negate the verb, in the number of "some …": Some members did not vote."""
    plural = subject.quantifier not in {"everyone", "everybody", "everything", "someone", "somebody", "something"}
    word = agreeing(clause, plural=plural) if subject.quantifier in {"every", "each"} else clause.finite.lower
    if clause.inverted:
        draft.cue = "not"
        draft.after(subject.last, "not")
    elif clause.operator:
        if word != clause.finite.lower:
            are_not, draft.cue = negated(word, clause.sentence, options)
            draft.replace(clause.finite, are_not)
        else:
            negate_operator(draft, clause, options)
    elif subject.quantifier in {"every", "each"} and clause.tense == "VBZ":
        do_not, draft.cue = negated("do", clause.sentence, options)
        draft.replace(clause.finite, f"{do_not} {base_form(clause.finite)}")
    else:
        negate_with_do(draft, clause, options)
    return adjust_polarity_items(draft, clause)


def _requantify(draft: Draft, clause: Clause, subject: Subject, target: str) -> Draft:
    """Replace the subject's quantifier by "some", "no" or "all". A "no" is the rewrite's cue."""
    first = subject.first
    word = _quantifier(draft.sentence, subject, target)
    if target == "no":
        draft.cue = word.removesuffix(" of")
    if subject.quantifier == "the":
        return draft.before(first, word)
    if subject.quantifier == "they":
        # They agreed. → None of them agreed.
        return draft.replace(first, same_case(f"{word} {OBJECT_CASE[first.lower]}", first.text))
    return draft.replace(first, same_case(word, first.text), until=subject.quantifier_end)


def _quantifier(sentence: Sentence, subject: Subject, target: str) -> str:
    """Return the word for "some", "no" or "all" that fits this subject: none of, nobody, neither."""
    old = subject.quantifier.replace(" ", "")
    pronoun = next((PRONOUN[ending] for ending in PRONOUN if old.endswith(ending) and len(old) > 4), None)
    if pronoun is not None:
        return pronoun[{"all": 0, "some": 1, "no": 2}[target]]
    if subject.quantifier == "both":
        return "neither"
    following = sentence.after(subject.quantifier_end)
    determined = following is not None and following.tag in {"DT", "PRP$"} and subject.quantifier == "all"
    if subject.partitive or determined or subject.quantifier in {"the", "they"}:
        return {"no": "none"}.get(target, target) + " of"
    return "none" if target == "no" and subject.head.i == subject.first.i else target


def _agreeing(draft: Draft, clause: Clause, subject: Subject, target: str) -> Draft:
    """Put nouns and verb into the number that the new quantifier requires."""
    noun = subject.head
    if subject.quantifier == "both" and target == "no" and noun.tag == "NNS":
        draft.replace(noun, lemma(noun.lower, "N"))
        return agree(draft, clause, plural=False)
    if subject.quantifier == "no" and target == "all" and noun.tag == "NN":
        draft.replace(noun, inflect(noun.lower, "NNS"))
        return agree(draft, clause, plural=True)
    if subject.quantifier == "no" and target == "some" and noun.tag == "NN" and not clause.existential:
        draft.replace(noun, inflect(noun.lower, "NNS"))
        return agree(draft, clause, plural=True)
    if subject.partitive and subject.plural and target in {"some", "all"}:
        return agree(draft, clause, plural=True)
    return draft


def _plural_some(draft: Draft, subject: Subject) -> Draft:
    if subject.quantifier in {"every", "each"} and subject.head.tag == "NN" and not subject.partitive:
        draft.replace(subject.head, inflect(subject.head.lower, "NNS"))
    return draft
