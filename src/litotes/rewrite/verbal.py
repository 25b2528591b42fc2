"""Verbal negation: "not" or "n't" on the finite verb of the main clause, or on the quantifier that outscopes it."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.detection.operators import MODAL_VERBS
from litotes.lexicon.morphology import known, lemma
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.coordination import join_predicates
from litotes.rewrite.draft import Decline, Draft, Options, Outcome, first_answer
from litotes.rewrite.grammar import (
    DO,
    base_form,
    contracted_forms,
    full_form,
    guesses,
    negate_operator,
    negate_with_do,
    negated,
)
from litotes.rewrite.letters import capital, capitalised, lowered
from litotes.rewrite.outscoped import INVERTED, outscoping_opening
from litotes.rewrite.polarity import adjust_polarity_items
from litotes.rewrite.questions import inner_negation, senseless_question
from litotes.rewrite.subjects import counted_as_one, quantifiers


def only_subject(clause: Clause, options: Options) -> Outcome:
    # Only members may vote. → Not only members may vote.
    if clause.subject is None or clause.mood != "declarative":
        return None
    first = clause.sentence.left(clause.subject)
    if first.lower != "only" or first.i > clause.finite.i:
        return None
    return Draft(clause.sentence, "only-subject", "not").before(first, "not")


def universal_subject(clause: Clause, options: Options) -> Outcome:
    # Everyone came. → Not everyone came.   Each member voted. → Not every member voted.
    if clause.subject is None or clause.mood != "declarative" or clause.subject.i > clause.finite.i:
        return None
    first = clause.sentence.left(clause.subject)
    row = quantifiers().get(first.lower)
    if row is None or not row["negated"] or (first.dep in {"advmod", "nummod", "quantmod"} and first.lower != "all"):
        return None
    if first.lower in {"many", "much"} and first.tag not in {"JJ", "DT"}:
        return None
    following = clause.sentence.after(first)
    if first.lower == "both" and following is not None and following.lower != "of":
        return Decline("“not both” is stilted without “of”; try the kind absolute")
    if first.lower.startswith("any") and not _free_choice(clause):
        # "Any claim shall be made in writing", "Any child knows it"
        return Decline("“any” outscopes a negated verb; try the kind absolute")
    draft = Draft(clause.sentence, "universal-subject", "not")
    words = row["negated"]
    if first.lower == "each":
        following = clause.sentence.after(first)
        words = "not every one" if following is not None and following.lower == "of" else words
    if capitalised(first):
        words = capital(words)
    return draft.replace(first, words)


def _free_choice(clause: Clause) -> bool:
    """Match free choice: "Anyone can …". Otherwise "any" needs a modal."""
    return clause.operator in {"can", "could", "may", "will", "would"}


# "At least 40 people were injured", "half of them left", "either Ana or Luis came"
BOUNDS = frozenset(
    {
        "half",
        "almost",
        "nearly",
        "either",
        ("at", "least"),
        ("at", "most"),
        ("more", "than"),
        ("fewer", "than"),
        ("less", "than"),
    }
)


AMOUNTS = frozenset({"handful", "couple", "number", "majority", "minority", "dozen"})


def existential_subject(clause: Clause, options: Options) -> Outcome:
    # Some people are waiting. → There aren't any people waiting.
    if clause.subject is None or clause.mood != "declarative" or clause.existential:
        return None
    sentence = clause.sentence
    first = sentence.left(clause.subject)
    some = first.lower in {"some", "several", "someone", "somebody", "something"} or _a_few(sentence, first)
    if first.i > clause.finite.i:
        return None
    if counted_as_one(sentence, clause.subject):
        return Decline("a number in the subject outscopes a negated verb, so the result would not contradict")
    following = sentence.after(first)
    if first.lower in BOUNDS or (following is not None and (first.lower, following.lower) in BOUNDS):
        return Decline(f"“{first.lower} …” outscopes a negated verb, so the result would not contradict")
    if first.lower == "a" and clause.subject.lower in AMOUNTS and _of(sentence, clause.subject):
        return Decline(f"“a {clause.subject.lower} of” outscopes a negated verb, so the result would not contradict")
    if not some:
        return None
    following = sentence.after(first)
    if following is not None and following.tag == "CD":
        return None
    place = clause.verb.tag in {"VBG", "VBN"} or sentence.child(clause.verb, "prep", "advmod") is not None
    bare = (
        sentence.child(clause.verb, "acomp", "attr") is None and sentence.right(clause.subject).i == clause.finite.i - 1
    )
    if clause.operator != "be" or len(clause.auxiliaries) > 1 or not place or not bare:
        return Decline(
            f"“{first.lower}” outscopes a negated verb, so “{first.lower} … not” would not contradict; "
            "try the kinds absolute or contradiction"
        )
    draft = Draft(sentence, "existential-subject")
    full = full_form(clause)
    are_not, draft.cue = negated(full, sentence, options)
    any_ = {"someone": "anyone", "somebody": "anybody", "something": "anything"}.get(first.lower, "any")
    there = "There" if capitalised(first) else "there"
    last = following if _a_few(sentence, first) else None
    draft.replace(first, f"{there} {are_not} {any_}", until=last)
    draft.delete(clause.finite)
    return draft


def _of(sentence: Sentence, noun: Token) -> bool:
    following = sentence.after(noun)
    return following is not None and following.lower == "of"


def _a_few(sentence: Sentence, first: Token) -> bool:
    following = sentence.after(first)
    return first.lower == "a" and following is not None and following.lower == "few"


def let_us(clause: Clause, options: Options) -> Outcome:
    # Let's go home. → Let's not go home.
    sentence = clause.sentence
    for token in sentence.tokens if "let" in sentence.words else ():
        following, previous = sentence.after(token), sentence.before(token)
        if previous is not None and previous.lower not in {",", "so", "now", "then", '"', "“"}:
            continue
        if token.lower == "let" and token.tag[:1] == "V" and following is not None and following.lower == "'s":
            return Draft(sentence, "let-us", "not").after(following, "not")
    return None


def imperative(clause: Clause, options: Options) -> Outcome:
    # Close the door. → Don't close the door.   Do come in. → Don't come in.
    if clause.mood != "imperative":
        return None
    sentence = clause.sentence
    if sentence.tokens[0].lower in {"so", "little"}:
        # "So do I."
        return Decline(INVERTED)
    following = sentence.after(clause.verb)
    if clause.verb.lower == "thank" and following is not None and following.lower == "you":
        return Decline("“thank you” is a set phrase")
    do_not, cue = negated("do", sentence, options)
    draft = Draft(sentence, "imperative", cue)
    if clause.finite.lower == "do" and clause.finite.i != clause.verb.i:
        return draft.replace(clause.finite, same_case(do_not, clause.finite.text))
    place = clause.finite
    first = sentence.tokens[0]
    if first.lower == "let" and first.i < place.i:
        # Let the others know. → Don't let the others know.
        place = first
    previous = sentence.before(place)
    if (
        previous is not None
        and previous.tag == "RB"
        and previous.head == clause.verb.i
        and previous.lower in {"always", "just", "only"}
    ):
        place = previous
    draft.before(place, do_not)
    return _after_core(draft, clause)


def locative_inversion(clause: Clause, options: Options) -> Outcome:
    # On the hill stood a castle. → A castle didn't stand on the hill.
    sentence, verb = clause.sentence, clause.verb
    if clause.finite.i != verb.i or clause.mood not in {"declarative", "inverted"}:
        return None
    first = sentence.tokens[0]
    late = next((t for t in sentence.children(verb, "nsubj", "dobj", "attr") if t.i > verb.i), None)
    participle = first.i == verb.i - 1 and first.tag in {"VBN", "JJ"} and clause.operator == "be"
    early = next((t for t in sentence.children(verb, "nsubj", "nsubjpass", "csubj", "expl") if t.i < verb.i), None)
    if participle:
        # Gone are the days. → The days aren't gone.
        early = None
    if early is not None or late is None or first.i == verb.i:
        return None
    if first.lower in {"here", "there"} and first.i == verb.i - 1:
        return Decline(INVERTED)
    if not participle and (first.tag not in {"IN", "TO"} or first.dep != "prep"):
        return None
    if sentence.left(late).i != verb.i + 1 or sentence.tokens[verb.i - 1].lower == ",":
        return Decline(INVERTED)
    if any(t.dep == "conj" for t in sentence.children(late)):
        return Decline(INVERTED)
    stop = next((t for t in sentence.tokens[verb.i + 1 :] if t.tag in {".", ",", ":"}), sentence.tokens[-1])
    last = sentence.tokens[stop.i - 1] if stop.tag in {".", ",", ":"} else stop
    front = sentence.text[first.start : sentence.tokens[verb.i - 1].end]
    subject = sentence.text[sentence.left(late).start : last.end]
    be = clause.operator == "be"
    middle, cue = negated(full_form(clause) if be else DO[clause.tense], sentence, options)
    if not be:
        middle += f" {base_form(verb)}"
    head = capital(subject) if capitalised(first) else subject
    new = f"{head} {middle} {lowered(sentence, first)}{front[len(first.text) :]}"
    return Draft(sentence, "locative-inversion", cue).replace(first, new, until=last)


def other_inversion(clause: Clause, options: Options) -> Outcome:
    # "So do I.", "Only then did we see it.", "Here comes the bus.": no verbal negation keeps the order
    previous = clause.sentence.before(clause.finite)
    if previous is not None and previous.lower == "so" and clause.subject is not None and clause.subject.i > previous.i:
        return Decline(INVERTED)
    return Decline(INVERTED) if clause.mood == "inverted" else None


def better_or_rather(clause: Clause, options: Options) -> Outcome:
    # You had better leave. → You had better not leave.   I would rather stay. → I would rather not stay.
    following = clause.sentence.after(clause.finite)
    if following is None or clause.inverted:
        return None
    if following.lower in {"better", "best"} and _bare_after(clause, following):
        return _after_core(Draft(clause.sentence, "had-better", "not").after(following, "not"), clause)
    if following.lower == "rather" and clause.operator == "would":
        if any(t.lower == "than" for t in clause.sentence.tokens[following.i :]):
            return Decline("“would rather … than” states a preference, which “not” does not deny")
        wished = clause.sentence.after(following)
        if wished is not None and wished.tag in {"PRP", "DT", "NNP", "NN", "PRP$"}:
            return Decline("“would rather” has a clause of its own here")
        return _after_core(Draft(clause.sentence, "would-rather", "not").after(following, "not"), clause)
    return None


def _bare_after(clause: Clause, better: Token) -> bool:
    """Match "had better [leave]", but not "had better luck"."""
    verb = clause.sentence.after(better)
    if verb is None or clause.finite.lower not in {"had", "'d"} or not known(verb.lower, "V"):
        return False
    bare = verb.tag == "VB" or lemma(verb.lower, "V") == verb.lower
    return bare and (verb.tag == "VB" or clause.finite.lower == "'d" or not known(verb.lower, "N"))


def dare_question(clause: Clause, options: Options) -> Outcome:
    # Dare we ask? → Dare we not ask?
    first, second = clause.sentence.tokens[0], clause.sentence.after(clause.sentence.tokens[0])
    asks = clause.sentence.tokens[-1].lower == "?"
    if first.lower not in MODAL_VERBS or second is None or second.tag != "PRP" or not asks:
        return None
    return Draft(clause.sentence, "dare-question", "not").after(second, "not")


def have_got_to(clause: Clause, options: Options) -> Outcome:
    # He has got to leave. → He doesn't have to leave.
    following = clause.sentence.after(clause.finite)
    to = clause.sentence.after(following) if following is not None else None
    if (
        clause.operator not in {"have", "be"}
        or following is None
        or following.lower != "got"
        or to is None
        or to.lower != "to"
    ):
        return None
    do = "does" if full_form(clause) in {"has", "is"} else "do"
    do_not, cue = negated(do, clause.sentence, options)
    space = " " if clause.finite.text[0] in "'’" else ""
    return Draft(clause.sentence, "have-got-to", cue).replace(clause.finite, f"{space}{do_not} have", until=following)


def epistemic_must(clause: Clause, options: Options) -> Outcome:
    # There must be a reason. → There can't be a reason.   She must have left. → She can't have left.
    following = clause.sentence.after(clause.finite)
    negative = following is not None and following.lower in {"not", "n't"}
    guess = guesses(clause) or clause.existential or _identifies(clause)
    if clause.operator != "must" or clause.inverted or negative or not guess:
        return None
    words, cue = negated("can", clause.sentence, options)
    draft = Draft(clause.sentence, "epistemic-must", cue)
    return _after_core(draft.replace(clause.finite, words.replace("can not", "cannot")), clause)


def _identifies(clause: Clause) -> bool:
    """Match "That must be [the doctor]", but not "This must be clean"."""
    who = clause.sentence.child(clause.verb, "attr", "npadvmod")
    pointed = clause.subject is not None and clause.subject.lower in {"that", "this", "it"}
    if who is None or not pointed or clause.verb.lower != "be" or not clause.sentence.words.isdisjoint(DEADLINES):
        return False
    article = clause.sentence.child(who, "det")
    return who.tag == "NNP" or (article is not None and article.lower == "the")


DEADLINES = frozenset({"by", "before", "until", "least"})


def on_operator(clause: Clause, options: Options) -> Outcome:
    # The drug is safe. → The drug isn't safe.   Did you call? → Didn't you call?
    if not clause.operator:
        return None
    following = clause.sentence.after(clause.finite)
    if following is not None and following.lower in {"not", "n't"}:
        # "I can't wait to see it."
        return Decline("the negation here belongs to a set phrase")
    if following is not None and following.tag == "CC" and clause.finite.i != clause.verb.i - 1:
        # "They are and always will be friends."
        return Decline("two auxiliaries are coordinated; a negation would reach only one")
    if clause.operator == "have" and clause.finite.i == clause.verb.i and clause.sentence.tokens[-1].lower == "?":
        # "Which of them haven't the police questioned?"
        options = Options(contractions=True)
    return _after_core(negate_operator(Draft(clause.sentence, "operator"), clause, options), clause)


def with_do(clause: Clause, options: Options) -> Outcome:
    # Taxes rise. → Taxes don't rise.   She put it down. → She didn't put it down.
    if clause.tense not in {"VBZ", "VBP", "VBD"} or clause.inverted:
        return Decline(INVERTED)
    if clause.subject is None and clause.finite.tag == "VBN":
        return Decline("no finite verb in the main clause")
    return _after_core(negate_with_do(Draft(clause.sentence, "do-support"), clause, options), clause)


def _after_core(draft: Draft, clause: Clause) -> Draft:
    """Adjust what a negated verb affects: polarity items, coordinated predicates, the question tag."""
    adjust_polarity_items(draft, clause)
    join_predicates(draft, clause)
    turn_question_tag(draft, clause)
    return draft


def turn_question_tag(draft: Draft, clause: Clause) -> None:
    """Reverse the question tag: "She isn't nice, isn't she?" → "is she?" """
    if not clause.question_tag or clause.mood == "imperative":
        return
    verb, *rest = clause.question_tag[1:]
    if rest[0].lower in {"n't", "not"}:
        if verb.lower in {"ca", "wo", "sha"}:
            full = {"ca": "can", "wo": "will", "sha": "shall"}[verb.lower]
            draft.replace(verb, full, until=rest[0])
        elif verb.lower == "are" and rest[-1].lower == "i":
            draft.replace(verb, "am", until=rest[0])
        else:
            draft.pieces.append((rest[0].start, rest[0].end, "")) if rest[0].lower == "n't" else draft.delete(rest[0])
        return
    if verb.lower in contracted_forms():
        draft.replace(verb, negated(verb.lower, clause.sentence, Options())[0])
    else:
        draft.after(rest[-1], "not")


RULES = (
    outscoping_opening,
    only_subject,
    universal_subject,
    existential_subject,
    let_us,
    dare_question,
    imperative,
    senseless_question,
    inner_negation,
    better_or_rather,
    have_got_to,
    locative_inversion,
    other_inversion,
    epistemic_must,
    on_operator,
    with_do,
)


def verbal(clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Negate the main clause's verb."""
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    return first_answer(RULES, clause, options, "no rule for verbal negation fits")
