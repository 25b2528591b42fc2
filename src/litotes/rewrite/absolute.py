"""Absolute negation: no, none, nobody, nothing, never, neither … nor, with agreement adjusted."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.detection.operators import MODAL_VERBS
from litotes.detection.reliability import UNRELIABLE
from litotes.lexicon import word_set
from litotes.lexicon.morphology import known, lemma
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.aspect import SAYING, UNITS, one_off
from litotes.rewrite.captions import caption
from litotes.rewrite.coordination import shared_predicates
from litotes.rewrite.draft import Decline, Draft, Options, Outcome, first_answer
from litotes.rewrite.grammar import guesses
from litotes.rewrite.joined_subjects import both_subject, either_subject, joined_subject
from litotes.rewrite.letters import all_capitals
from litotes.rewrite.never import always, finish_negation, never, put_never
from litotes.rewrite.outscoped import INVERTED, outscoping_opening
from litotes.rewrite.polarity import adjust_polarity_items
from litotes.rewrite.quantified import contrary
from litotes.rewrite.questions import senseless_question
from litotes.rewrite.subjects import Subject, counted_as_one, subject_of

NO_PRONOUN = {
    "someone": "no one",
    "somebody": "nobody",
    "something": "nothing",
    "everyone": "no one",
    "everybody": "nobody",
    "everything": "nothing",
    "anyone": "no one",
    "anybody": "nobody",
    "anything": "nothing",
}
OBJECT_VERBS = word_set("object_negating_verbs")
INDEFINITE = frozenset({"a", "an", "some", "several", "many", "all", "every", "each", "any", "most", "much"})
INDEFINITE |= {"numerous", "multiple", "various", "countless"}


def existential(clause: Clause, options: Options) -> Outcome:
    # There is a cat. → There is no cat.   Is there some milk? → Is there no milk?
    if not clause.existential:
        return None
    subject = subject_of(clause)
    if subject is None or subject.first.i < clause.finite.i:
        return put_never(clause, "existential")
    if subject.head.lower in {"bit", "sort", "kind", "couple", "number", "lot"} and subject.first.lower == "a":
        return Decline(f"“a {subject.head.lower} of” is not denied by “no”")
    if any(a.lower == "still" for a in clause.sentence.children(clause.verb, "advmod")):
        return put_never(clause, "existential")
    draft = Draft(clause.sentence, "existential", "no")
    if subject.first.lower in NO_PRONOUN:
        return draft.replace(subject.first, NO_PRONOUN[subject.first.lower])
    if subject.first.lower in {"the", "this", "that"} or subject.first.tag in {"PRP$", "NNP", "PRP"}:
        return put_never(clause, "existential")
    joined = clause.sentence.child(subject.head, "conj")
    if joined is not None and clause.sentence.left(joined).tag == "CD":
        return Decline("two counted things are not denied by one “no”")
    return _put_no(draft, clause, subject)


def _put_no(draft: Draft, clause: Clause, subject: Subject) -> Draft:
    """Replace the determiner by "no", or insert "no" if there is none."""
    first = subject.first
    draft.cue = "no"
    if subject.partitive:
        draft.cue = "none"
        return draft.replace(first, same_case("none of", first.text), until=subject.quantifier_end)
    if first.lower in INDEFINITE or first.tag == "CD" or subject.quantifier == "several":
        return draft.replace(first, same_case("no", first.text), until=subject.quantifier_end)
    return draft.before(first, "no")


def pronoun_subject(clause: Clause, options: Options) -> Outcome:
    # Everyone came. → No one came.   Something happened. → Nothing happened.
    subject = clause.subject
    if subject is None or clause.mood == "imperative":
        return None
    first = clause.sentence.left(subject)
    negative = NO_PRONOUN.get(first.lower)
    if negative is None:
        return None
    draft = Draft(clause.sentence, "pronoun-subject", negative)
    return finish_negation(draft.replace(first, same_case(negative, first.text)), clause)


def quantified_subject(clause: Clause, options: Options) -> Outcome:
    # A man is walking. → No man is walking.   All of the boys left. → None of the boys left.
    if clause.subject is None or clause.mood in {"imperative", "wh", "inverted"} or clause.existential:
        return None
    subject = subject_of(clause)
    if (
        subject is None
        or not subject.quantifier
        or subject.quantifier in {"the", "no", "none", "neither", "both", "few"}
    ):
        return None
    if subject.head.tag[:1] not in "NV" or (
        clause.sentence.child(subject.head, "conj") is not None and subject.head.i < clause.finite.i
    ):
        return None
    if clause.mood == "declarative" and subject.first.i > clause.finite.i:
        return None
    if counted_as_one(clause.sentence, subject.head):
        return Decline("“a record 3,000 …” is not denied by “no”")
    if subject.first.tag == "CD" and subject.head.tag == "NNP":
        # "Twelve-year-old Ana Ruiz"
        return None
    if subject.first.lower in {"a", "an"} and clause.tense in {"VBZ", "VBP"} and clause.base in SAYING:
        return Decline("“no …” does not deny what is said now")
    if clause.operator in {"must", "shall"} and subject.first.lower in {"all", "every", "each"}:
        return Decline("“no … must” forbids; it does not deny a duty")
    draft = Draft(clause.sentence, "quantified-subject", "no")
    collective = _collective(clause, subject)
    if collective is not None:
        return finish_negation(
            draft.replace(subject.first, same_case("no", subject.first.text), until=collective), clause
        )
    following = clause.sentence.after(subject.quantifier_end)
    if (
        following is not None
        and following.tag in {"DT", "PRP$"}
        and subject.quantifier == "all"
        and not subject.partitive
    ):
        draft.cue = "none"
        return finish_negation(draft.replace(subject.first, same_case("none of", subject.first.text)), clause)
    if subject.first.text in {"A", "One"} and subject.first.i > 0 and not all_capitals(clause.sentence):
        # "During the withdrawal, A Company …": a name
        return None
    if subject.quantifier == "one" and subject.first.i == subject.head.i:
        return None
    return finish_negation(_put_no(draft, clause, subject), clause)


def verbs_joined_by_but(clause: Clause, options: Options) -> Outcome:
    # "Sales rose in June but fell in July.": "no sales …" would leave the second verb without a subject
    joining = clause.sentence.child(clause.verb, "cc")
    second = clause.sentence.child(clause.verb, "conj")
    if joining is None or second is None or joining.lower not in {"but", "yet"} or second.tag[:1] != "V":
        return None
    own = clause.sentence.child(second, "nsubj", "nsubjpass", "expl") is not None
    return None if own else Decline(f"“{joining.lower}” joins two verbs; “no” or “never” would reach only one")


def infinitive_as_subject(clause: Clause, options: Options) -> Outcome:
    # "For a goalkeeper to score is unusual."
    opening = clause.sentence.tokens[: clause.finite.i]
    if not opening or opening[0].lower != "for" or any(t.lower == "," for t in opening):
        return None
    infinitive = any(t.tag == "TO" for t in opening)
    return Decline("the subject is a clause, so “no” would modify the wrong noun") if infinitive else None


def limited_by_only(clause: Clause, options: Options) -> Outcome:
    # "Dogs are allowed only in winter."
    sentence = clause.sentence
    only = next((t for t in sentence.tokens[clause.verb.i + 1 :] if t.lower == "only"), None)
    if only is None or only.dep != "advmod" or sentence.tokens[only.head].dep not in {"prep", "pobj"}:
        return None
    return Decline("“only” after the verb restricts what is denied")


def guess(clause: Clause, options: Options) -> Outcome:
    # "She must have forgotten her keys."
    if not guesses(clause):
        return None
    return Decline("“must have” is a guess, which “can't have” denies; use the kind verbal")


def _collective(clause: Clause, subject: Subject) -> Token | None:
    """Return the "of" in "a group of people are …", where the verb agrees with the people."""
    noun = clause.sentence.after(subject.first)
    of = clause.sentence.after(noun) if noun is not None else None
    plural = clause.finite.lower in {"are", "were", "have", "'re", "'ve"} or clause.tense == "VBP"
    if (
        subject.first.lower == "a"
        and noun is not None
        and noun.lower in COLLECTIVES
        and of is not None
        and of.lower == "of"
        and plural
    ):
        return of
    return None


COLLECTIVES = word_set("collectives")


def bare_plural(clause: Clause, options: Options) -> Outcome:
    # People are crossing the river. → No people are crossing the river.
    subject = clause.subject
    if subject is None or clause.mood != "declarative" or subject.tag != "NNS" or subject.i > clause.finite.i:
        return None
    first = clause.sentence.left(subject)
    if subject.text[0].isupper() and subject.i > 0 and not all_capitals(clause.sentence):
        return None
    if clause.operator == "must":
        return Decline("“no … must” forbids; it does not deny a duty")
    if clause.tense == "VBP" and clause.base in SAYING and clause.sentence.child(clause.verb, "ccomp") is not None:
        return Decline("“no …” does not deny what is said now")
    determined = clause.sentence.child(subject, "det", "poss", "conj", "nummod") is not None
    if determined or first.tag not in {"NNS", "JJ", "NN", "VBG", "VBN"} or not known(subject.lower, "N"):
        return None
    return finish_negation(Draft(clause.sentence, "bare-plural", "no").before(first, "no"), clause)


def indefinite_object(clause: Clause, options: Options) -> Outcome:
    # She has a dog. → She has no dog.   I told somebody. → I told nobody.
    holding = lemma(clause.verb.lower, "V") in HOLDING
    if clause.mood not in {"declarative", "yes-no"} or (clause.verb.tag == "VBG" and not holding):
        return None
    target = clause.sentence.child(clause.verb, "dobj")
    if target is None or target.i < clause.verb.i or lemma(clause.verb.lower, "V") not in OBJECT_VERBS:
        pronoun = target is not None and target.lower in {"someone", "somebody", "something"}
        if not pronoun or target is None:
            return None
    first = clause.sentence.left(target)
    draft = Draft(clause.sentence, "indefinite-object", "no")
    if target.lower in {"someone", "somebody", "something"}:
        draft.cue = NO_PRONOUN[target.lower]
        return draft.replace(target, draft.cue)
    joined = clause.sentence.child(target, "conj") is not None or clause.sentence.child(clause.verb, "conj") is not None
    numeral = first.tag == "CD" and target.tag == "NNS"
    if not (first.lower in {"a", "an", "some"} or numeral) or first.head != target.i or joined:
        return None
    following = clause.sentence.after(first)
    if (
        (following is not None and following.lower in {"few", "lot", "little", "bit", "couple", "number"})
        or (following is not None and following.tag in {"RB", "RBR"})
        or target.lower in MEASURES | UNITS
        or lemma(target.lower, "N") in UNITS
    ):
        return None
    return draft.replace(first, "no")


# "is holding no umbrella"
HOLDING = frozenset({"carry", "have", "hold", "offer", "provide", "sell", "wear"})
MEASURES = word_set("light_objects")


def indefinite_predicate(clause: Clause, options: Options) -> Outcome:
    # It was a mistake. → It was no mistake.
    noun = clause.sentence.child(clause.verb, "attr")
    if clause.mood != "declarative" or noun is None or clause.operator != "be" or clause.finite.i != clause.verb.i:
        return None
    first = clause.sentence.left(noun)
    following = clause.sentence.after(first)
    counted = following is not None and following.lower in {
        "lot",
        "few",
        "little",
        "bit",
        "number",
        "couple",
        "member",
        "kind",
    }
    if (
        first.lower not in {"a", "an"}
        or first.i != clause.finite.i + 1
        or counted
        or clause.sentence.child(noun, "conj") is not None
        or noun.i > first.i + 2
        or clause.sentence.child(noun, "prep", "relcl", "acl", "compound") is not None
    ):
        return None
    return Draft(clause.sentence, "indefinite-predicate", "no").replace(first, "no")


def none_of(clause: Clause, options: Options) -> Outcome:
    # The girls are playing football. → None of the girls are playing football.
    subject = subject_of(clause)
    if subject is None or subject.quantifier not in {"the", "they"} or not one_off(clause):
        return None
    answer = contrary(clause.sentence, clause, options)
    return answer if isinstance(answer, Draft) else None


def let_us(clause: Clause, options: Options) -> Outcome:
    # Let's go. → Let's never go.
    sentence = clause.sentence
    for token in sentence.tokens if "let" in sentence.words else ():
        following, previous = sentence.after(token), sentence.before(token)
        if previous is not None and previous.lower not in {",", "so", "now", "then", '"', "“"}:
            continue
        if token.lower == "let" and following is not None and following.lower == "'s":
            return adjust_polarity_items(Draft(sentence, "let-us", "never").after(following, "never"), clause)
    return None


def imperative(clause: Clause, options: Options) -> Outcome:
    # Open the valve. → Never open the valve.
    if clause.mood != "imperative":
        return None
    if clause.sentence.tokens[0].lower in {"so", "little"}:
        return Decline(INVERTED)
    if one_off(clause):
        return Decline(one_off(clause))
    following = clause.sentence.after(clause.verb)
    if clause.verb.lower == "thank" and following is not None and following.lower == "you":
        return Decline("“thank you” is a set phrase")
    draft = Draft(clause.sentence, "imperative", "never")
    if clause.finite.lower == "do" and clause.finite.i != clause.verb.i:
        return draft.replace(clause.finite, same_case("never", clause.finite.text))
    joined = clause.sentence.child(clause.verb, "cc")
    if joined is not None and joined.i > clause.verb.i and not shared_predicates(clause):
        return Decline("“never” would reach only the first of the joined commands")
    previous = clause.sentence.before(clause.finite)
    if previous is not None and previous.lower == "always":
        return draft.replace(previous, same_case("never", previous.text))
    draft.before(clause.finite, "never")
    return finish_negation(draft, clause)


def only_subject(clause: Clause, options: Options) -> Outcome:
    # "Only adults may enter.": "only adults may never enter" denies something else
    if clause.subject is not None and clause.sentence.left(clause.subject).lower == "only":
        return Decline("“only” in the subject would outscope the negation")
    return None


def dare_question(clause: Clause, options: Options) -> Outcome:
    # "Dare we ask?": "never dare we ask?" is not a question
    if clause.sentence.tokens[0].lower in MODAL_VERBS and clause.sentence.tokens[-1].lower == "?":
        return Decline("a question with “dare” or “need” takes no absolute negator")
    return None


RULES = (
    outscoping_opening,
    senseless_question,
    dare_question,
    let_us,
    imperative,
    infinitive_as_subject,
    limited_by_only,
    guess,
    verbs_joined_by_but,
    existential,
    only_subject,
    pronoun_subject,
    both_subject,
    either_subject,
    joined_subject,
    quantified_subject,
    bare_plural,
    always,
    indefinite_object,
    indefinite_predicate,
    none_of,
    never,
)


def absolute(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Negate with an absolute negator."""
    if isinstance(clause, NoClause):
        return Decline(clause.reason) if clause.reason in UNRELIABLE else caption(sentence, options)
    return first_answer(RULES, clause, options, "no rule for absolute negation fits")
