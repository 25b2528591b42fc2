"""Questions: which of them can be negated so that the result asks something, and so that the answer changes."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.detection.operators import WH
from litotes.lexicon.morphology import lemma
from litotes.parse import Token
from litotes.rewrite.draft import Decline, Draft, Options, Outcome
from litotes.rewrite.grammar import full_form
from litotes.rewrite.polarity import adjust_polarity_items

ASKS_NOTHING = "a negated question of this kind asks nothing"
UNIVERSAL = frozenset({"all", "every", "each", "everyone", "everybody", "everything"})
PREDICATIVE = frozenset({"IN", "VBN", "VBG", "TO"})
HAPPENING = frozenset({"happen", "occur", "matter"})
CAUSING = frozenset({"make", "cause", "bring", "lead"})
PERMITTING = frozenset({"can", "could", "may", "should", "must", "would"})


def senseless_question(clause: Clause, options: Options) -> Outcome:
    # "How far is the station?", "When does it open?", "What did she say?": negated, they ask nothing
    if clause.mood == "yes-no" and clause.subject is not None and _offers_a_choice(clause, clause.subject):
        return Decline("the question asks for a choice, which “not” does not change")
    universal = clause.subject is not None and clause.sentence.left(clause.subject).lower in UNIVERSAL
    if clause.mood == "yes-no" and universal and clause.operator in PERMITTING:
        return Decline("a question about a duty of all has no plain negation")
    if clause.mood == "declarative" and clause.sentence.tokens[-1].lower == "?" and _echoes(clause):
        return Decline(ASKS_NOTHING)
    words = [t.lower for t in clause.sentence.tokens]
    counts = words[1:2] in (["many"], ["much"])
    if words[0] == "how" and words[-1] == "?" and clause.mood != "wh" and not counts:
        # "How long can rice stay fresh?", where the parser does not attach "how" to the verb
        return Decline(ASKS_NOTHING)
    if clause.mood not in {"wh", "wh-subject"}:
        return None
    if clause.mood == "wh" and clause.finite.lower == "'d":
        # "Where'd she go?"
        return Decline("“'d” may stand for “did”, “had” or “would”")
    word = _question_word(clause)
    if word is None:
        return None
    return Decline(ASKS_NOTHING) if _asks_nothing(clause, word) else None


def _echoes(clause: Clause) -> bool:
    """Match "You paid how much for it?"."""
    sentence = clause.sentence
    parts = {clause.verb.i, *(t.i for t in sentence.children(clause.verb, "dobj", "attr", "prep", "advmod"))}
    asking = (t for t in sentence.tokens[clause.verb.i + 1 : -1] if t.tag in WH and t.head in parts)
    return any(sentence.tokens[t.i + 1].lower != "," for t in asking)


def _question_word(clause: Clause) -> Token | None:
    return next((t for t in clause.sentence.tokens if t.tag in WH and t.i < clause.verb.i), None)


def _asks_nothing(clause: Clause, word: Token) -> bool:
    following = clause.sentence.after(word)
    copula = clause.operator == "be" and clause.finite.i == clause.verb.i
    verb = lemma(clause.verb.lower, "V")
    if word.lower == "why":
        return False
    if clause.mood == "wh-subject":
        # "What happens?", "Who is it?", "What is wrong?"
        identity = copula and any(t.tag in {"DT", "PRP"} for t in clause.sentence.children(clause.verb, "attr", "dobj"))
        return identity or (
            word.lower in {"what", "who"}
            and (verb in HAPPENING or (word.lower == "what" and verb in CAUSING) or (copula and word.lower == "what"))
        )
    if word.lower == "how":
        if following is not None and following.lower in {"many", "much"}:
            third = clause.sentence.after(following)
            # "How many of the invoices has she paid?", but "How much does it cost?"
            return third is None or third.lower != "of"
        return True
    if word.lower in {"which", "whose"} and not (copula and clause.mood == "wh"):
        return False
    if copula:
        return True
    # "What should I eat?" and "Where can we park?" have a negative; "What did she say?" and "When does it open?" do not
    named = following is not None and following.tag[:1] == "N"
    return clause.operator not in PERMITTING or (named and following is not None and following.lower == "time")


def inner_negation(clause: Clause, options: Options) -> Outcome:
    # Is the museum open? → Is the museum not open?   "Isn't the museum open?" would have the same answer.
    sentence, subject = clause.sentence, clause.subject
    if clause.mood != "yes-no" or subject is None or not clause.operator:
        return None
    following = sentence.after(clause.finite)
    if following is not None and following.lower in {"not", "n't"}:
        return None
    if [t.lower for t in sentence.tokens[-3:-1]] == ["or", "not"]:
        return Decline("the question already asks for the opposite")
    place = subject_end(clause, subject)
    polite = sentence.tokens[place.i + 1] if place.i + 1 < len(sentence.tokens) else place
    if polite.lower in {"please", "kindly"}:
        # Could you please call me? → Could you please not call me?
        place = polite
    if place.i + 1 < len(sentence.tokens) and sentence.tokens[place.i + 1].tag == "RB":
        adverb = sentence.tokens[place.i + 1]
        if adverb.lower == "ever" and adverb.head == clause.verb.i:
            # Have you ever flown? → Have you never flown?
            return Draft(sentence, "inner-negation", "never").replace(adverb, "never")
        if adverb.lower in {"really", "still", "probably", "actually"} and adverb.head == clause.verb.i:
            place = adverb
    draft = Draft(sentence, "inner-negation", "not").after(place, "not")
    return adjust_polarity_items(draft, clause)


def _offers_a_choice(clause: Clause, subject: Token) -> bool:
    """Match "Should we walk or take the bus?", but not "Did anyone call or write?"."""
    tokens = clause.sentence.tokens
    joined = any(t.lower == "or" and t.dep == "cc" for t in tokens[subject.i :])
    return joined and not any(t.lower.startswith("any") for t in tokens)


def subject_end(clause: Clause, subject: Token) -> Token:
    """Return the last token of the subject. After "be", a preposition on it is the predicate: "Is Tom in Rome?"."""
    sentence = clause.sentence
    last = sentence.right(subject)
    copula = clause.operator == "be" and clause.finite.i == clause.verb.i
    complements = sentence.children(clause.verb, "acomp", "attr", "prep", "advmod", "oprd")
    empty = not any(t.i > clause.verb.i for t in complements)
    if copula and empty and full_form(clause) in {"is", "are", "was", "were", "am"}:
        predicate = next((t for t in sentence.tokens[subject.i + 1 : last.i] if t.tag in PREDICATIVE), None)
        if predicate is not None:
            return sentence.tokens[predicate.i - 1]
    if copula and last.lower in {"here", "there"} and last.i > subject.i:
        # "Is the coach [here to stay]?"
        last = sentence.tokens[last.i - 1]
    while last.i > subject.i and last.tag in {".", ","}:
        last = sentence.tokens[last.i - 1]
    return last
