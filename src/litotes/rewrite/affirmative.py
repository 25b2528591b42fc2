"""Remove a negation, wherever it is: one rule per cue; verbs are inflected and polarity items restored."""

from __future__ import annotations

from litotes.detection import Clause, NoClause, clause_at, find_cues
from litotes.lexicon import affix_pairs
from litotes.lexicon.morphology import article, inflect
from litotes.lexicon.word_pairs import mass_nouns, other_word, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.echoes import ELLIPSIS, elliptic_contrast
from litotes.rewrite.fragments import opening_no, opening_not, with_no
from litotes.rewrite.grammar import agree, base_form
from litotes.rewrite.letters import capital, capitalised
from litotes.rewrite.outscoped import INVERTED, UNLESS, outscoped_by_unless
from litotes.rewrite.polarity import stranded
from litotes.rewrite.questions import subject_end
from litotes.rewrite.removal import ANY, FULL, drop_do, off_auxiliary, restore_polarity_items
from litotes.rewrite.verbal import turn_question_tag
from litotes.types import Cue

NO_WORD = {
    "nobody": "somebody",
    "no one": "someone",
    "no-one": "someone",
    "nothing": "something",
    "nowhere": "somewhere",
    "none": "some",
    "none of": "some of",
}
QUANTIFIED = frozenset(
    {"all", "every", "everyone", "everybody", "everything", "both", "only", "many", "much", "a", "any", "one", "most"}
)
DROPPED = frozenset(
    {
        "by no means",
        "in no way",
        "hardly",
        "scarcely",
        "barely",
        "on no account",
        "under no circumstances",
        "in no case",
    }
)
OFTEN = frozenset({"rarely", "seldom", "hardly ever", "scarcely ever", "barely ever"})


def affirm(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Remove the negation of the main clause, or else the first one anywhere."""
    if isinstance(clause, NoClause):
        answer = opening_no(sentence) or opening_not(sentence)
        if answer is not None:
            return answer
    cues = clause.cues if isinstance(clause, Clause) else find_cues(sentence)
    if not cues:
        return Decline("nothing here is negated")
    if isinstance(clause, Clause) and outscoped_by_unless(clause):
        return Decline(UNLESS)
    if isinstance(clause, Clause) and clause.negations and elliptic_contrast(clause):
        return Decline(ELLIPSIS)
    main = clause.negations if isinstance(clause, Clause) else ()
    order = {"verbal": 0, "absolute": 0, "approximate": 1, "affixal": 2, "implicit": 3}
    tag = clause.question_tag if isinstance(clause, Clause) else ()
    rest = [c for c in cues if c not in main and not any(t.i in c.tokens for t in tag) and _removable(sentence, c)]
    for cue in (*main[:1], *sorted(rest, key=lambda c: order[c.type])):
        answer = _remove(sentence, clause, cue, main)
        if answer is not None:
            return answer
    return Decline(f"no rule removes “{cues[0].text}” here")


def _removable(sentence: Sentence, cue: Cue) -> bool:
    """Reject an affix that is not on a predicate, and "not" after "but" or before "until"."""
    token = sentence.tokens[cue.tokens[0]]
    if cue.type == "affixal":
        return token.dep in {"acomp", "attr", "oprd", "ROOT", "xcomp", "ccomp"} or _in_predicate(sentence, token)
    previous = sentence.before(token)
    return not sentence.quoted(token) and (previous is None or previous.lower not in {"but", ","})


def _in_predicate(sentence: Sentence, token: Token) -> bool:
    return token.dep in {"amod", "advmod"} and sentence.tokens[token.head].dep in {"attr", "dobj", "ROOT", "nsubj"}


def affirm_clause(clause: Clause, options: Options) -> Draft | Decline:
    """Turn a negative main clause into a positive one."""
    if outscoped_by_unless(clause):
        return Decline(UNLESS)
    if elliptic_contrast(clause):
        return Decline(ELLIPSIS)
    answer = _remove(clause.sentence, clause, clause.negations[0], clause.negations)
    if isinstance(answer, Draft) and len(clause.negations) > 1 and answer.polarity_check == "cue":
        return Decline("the clause has two negations; removing one would leave the other")
    return answer or Decline(f"the clause is already negative, and no rule removes “{clause.negations[0].text}” here")


def _remove(sentence: Sentence, clause: Clause | NoClause, cue: Cue, main: tuple[Cue, ...]) -> Draft | Decline | None:
    lost = stranded(sentence, cue)
    if lost:
        return Decline(f"“{lost}” needs the negation")
    token = sentence.tokens[cue.tokens[0]]
    word = cue.text.lower().replace("’", "'")
    owner = clause if isinstance(clause, Clause) and cue in main else _own_clause(sentence, token)
    if cue.type == "affixal":
        return _affix(sentence, token)
    if cue.type == "implicit":
        return None
    if cue.type == "verbal":
        return _not(sentence, owner, token, cue)
    last = sentence.tokens[cue.tokens[-1]]
    fronted = owner is not None and owner.mood == "inverted" and token.i < owner.finite.i
    if fronted and word in OFTEN and owner is not None:
        return _uninverted(Draft(sentence, "seldom", cue.text), owner, token, "often")
    if fronted and word not in {"never", "at no time", "at no point"}:
        # "Under no circumstances should you open it."
        return Decline(INVERTED)
    if word in {"never", "at no time", "at no point", "never again"}:
        return _never(sentence, owner, token, last)
    if word in {"no longer", "not any longer"}:
        return Draft(sentence, "no-longer", cue.text).replace(token, same_case("still", token.text), until=last)
    if word in NO_WORD:
        return _no_word(sentence, owner, token, last, NO_WORD[word], cue)
    if word in {"no", "no such", "not a single", "not one"}:
        return _no(sentence, owner, token, cue)
    if word in {"neither", "nor"}:
        return _neither(sentence, owner, token)
    if word == "without":
        return _without(sentence, token)
    if word in OFTEN:
        return Draft(sentence, "seldom", cue.text).replace(token, same_case("often", token.text), until=last)
    if word in {"few", "little"}:
        many = "many" if word == "few" else "much"
        return Draft(sentence, "few", cue.text).replace(token, same_case(many, token.text))
    if word in DROPPED:
        return _hardly(sentence, owner, token, last, cue)
    return None


def _own_clause(sentence: Sentence, token: Token) -> Clause | None:
    """Return the subordinate clause whose verb a cue depends on."""
    verb = sentence.tokens[token.head]
    if (
        token.dep not in {"neg", "advmod"}
        or verb.tag[:1] not in "VM"
        or sentence.child(verb, "aux", "auxpass", "nsubj") is None
    ):
        return None
    clause = clause_at(sentence, verb)
    return clause if isinstance(clause, Clause) and clause.finite.tag != "TO" else None


def _not(sentence: Sentence, clause: Clause | None, token: Token, cue: Cue) -> Draft | Decline | None:
    previous = sentence.before(token)
    following = sentence.after(token)
    quantified = following is not None and following.lower in QUANTIFIED and token.tag == "RB"
    if quantified and _not_verbal(sentence, token):
        # Not everyone came. → Everyone came.
        return Draft(sentence, "not-quantifier", token.text).delete(token)
    third = sentence.after(following) if following is not None else None
    if third is not None and following is not None and (following.lower, third.lower) in {("in", "the"), ("at", "all")}:
        last = sentence.after(third)
        if third.lower == "all" or (last is not None and last.lower in {"least", "slightest"}):
            return Decline(f"“{token.text} {following.text} {third.text} …” is a set phrase")
    if previous is None:
        return Decline(f"“{token.text}” opens the sentence and denies no quantifier")
    if clause is not None and clause.mood == "inverted" and clause.finite.i == 0:
        # "Don't you touch it."
        return Decline(INVERTED)
    if clause is not None and _until(clause):
        return Decline("removing “not” from “not … until” would change the time")
    if clause is not None and _contrast(clause, token):
        return Decline("“not … but …” contrasts two things; removing “not” would join them")
    draft = Draft(sentence, "not", cue.text)
    verb = clause.finite if clause is not None else previous
    # "would not even bother" → "would bother"
    last = following if following is not None and following.lower == "even" else token
    if (clause is not None and token.i == clause.finite.i + 1) or (
        verb.i == token.i - 1 and verb.lower in {*FULL, "do", "does", "did", "ai"}
    ):
        off_auxiliary(draft, clause, verb, last)
    else:
        draft.delete(token, until=last)
        if clause is not None and verb.lower in {"do", "does", "did"} and clause.mood in {"declarative", "wh-subject"}:
            drop_do(draft, clause, verb)
    if clause is not None:
        restore_polarity_items(draft, clause)
        turn_question_tag(draft, clause)
    return draft


def _until(clause: Clause) -> bool:
    """Match "did not see it until noon", but not "won't last until noon"."""
    sentence, verb = clause.sentence, clause.verb
    inner = sentence.child(verb, "xcomp")
    owners = {verb.i} if inner is None else {verb.i, inner.i}
    for token in sentence.tokens[verb.i :]:
        if token.lower == "until":
            head = sentence.tokens[token.head]
            owner = head.head if token.dep == "mark" else token.head
            if owner in owners and base_form(verb) not in DURATIVE:
                return True
    return False


DURATIVE = frozenset({"wait", "stay", "last", "remain", "continue", "sleep", "work", "live", "be", "keep"})


def _not_verbal(sentence: Sentence, token: Token) -> bool:
    previous = sentence.before(token)
    return previous is None or previous.tag not in {"MD", "VBZ", "VBP", "VBD", "VB"}


def _contrast(clause: Clause, token: Token) -> bool:
    """Match "He is not a doctor but a nurse." """
    for later in clause.sentence.tokens[token.i + 1 :]:
        if later.lower == "but" and later.dep == "cc":
            head = clause.sentence.tokens[later.head]
            following = clause.sentence.after(later)
            instead = following is not None and following.lower in {"rather", "instead"}
            if head.i != clause.verb.i or instead:
                return True
    return False


def _never(sentence: Sentence, clause: Clause | None, token: Token, last: Token) -> Draft | Decline:
    # She has never flown. → She has flown.   Never have I seen it. → I have seen it.
    draft = Draft(sentence, "never", token.text)
    following = sentence.after(last)
    if following is not None and following.tag == "IN":
        return Decline(f"“{last.text} {following.text} …” is a fixed phrase")
    if clause is None and following is not None and following.tag == "VBG" and token.i == 0:
        return Decline("a fragment without “never” would be no sentence")
    if clause is not None and clause.mood == "inverted" and token.i < clause.finite.i:
        answer = _uninverted(draft, clause, token, "")
        if isinstance(answer, Decline):
            return answer
    else:
        draft.delete(token, until=last)
    if clause is not None:
        restore_polarity_items(draft, clause)
    return draft


def _uninverted(draft: Draft, clause: Clause, token: Token, adverb: str) -> Draft | Decline:
    """Undo the inversion after a fronted negator: Never have I seen it. → I have seen it."""
    sentence, subject = clause.sentence, clause.subject
    if subject is None or sentence.left(subject).i != clause.finite.i + 1:
        return Decline(INVERTED)
    last = subject_end(clause, subject)
    words = sentence.text[sentence.left(subject).start : last.end]
    head = capital(words) if capitalised(token) else words
    adverb = f" {adverb}" if adverb else ""
    if clause.finite.lower in {"do", "does", "did"} and clause.finite.i != clause.verb.i:
        tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[clause.finite.lower]
        draft.replace(token, head + adverb, until=last)
        return draft.replace(clause.verb, inflect(base_form(clause.verb), tag))
    return draft.replace(token, f"{head} {clause.finite.lower}{adverb}", until=last)


def _no_word(
    sentence: Sentence, clause: Clause | None, first: Token, last: Token, some: str, cue: Cue
) -> Draft | Decline:
    # Nobody called. → Somebody called.   None of the boys was there. → Some of the boys were there.
    if first.i > 1 and sentence.tokens[first.i - 2].lower == "next":
        return Decline("“next to nothing” is a fixed phrase")
    draft = Draft(sentence, "no-word", cue.text)
    draft.replace(first, same_case(some, first.text), until=last)
    if clause is None:
        return draft
    if some.startswith("some of") and clause.subject is not None and first.i < clause.finite.i:
        noun = next(
            (
                t
                for t in sentence.phrase(clause.subject)
                if t.tag in {"NNS", "NNPS"} or t.lower in {"them", "us", "you"}
            ),
            None,
        )
        if noun is not None:
            agree(draft, clause, plural=True)
    restore_polarity_items(draft, clause)
    return draft


def _no(sentence: Sentence, clause: Clause | None, token: Token, cue: Cue) -> Draft | Decline | None:
    # There is no cat. → There is a cat.   No members voted. → Some members voted.
    last = sentence.tokens[cue.tokens[-1]]
    noun = sentence.tokens[token.head] if token.head != token.i else None
    following = sentence.after(last)
    if noun is None or noun.i < token.i or noun.tag[:1] not in "NV" or following is None:
        noun = next((t for t in sentence.tokens[last.i + 1 :] if t.tag[:1] == "N"), None)
    if noun is None or following is None or following.tag[:1] not in "NJVRDC":
        return None
    if clause is not None and clause.operator == "shall" and token.i < clause.finite.i:
        # "No party shall …": "a party shall" would oblige
        return Decline("“no … shall” forbids; without “no” it would oblige")
    if cue.text.lower() == "no" and (bare := with_no(sentence, token, noun)) is not None:
        return bare
    if following.tag in {"JJR", "RBR"} or following.lower in {"further", "farther", "later", "longer", "sooner"}:
        return Decline(f"removing “no” from “no {following.text}” would change the comparison")
    if cue.text.lower() == "no such":
        countable = noun.tag == "NN" and noun.lower not in mass_nouns()
        some = f"such {article(following.text)}" if countable else "such"
    elif noun.tag in {"NNS", "NNPS", "VBG"} or noun.lower in mass_nouns() or (clause and _plural(clause, noun)):
        some = "some"
    else:
        some = article(following.text)
    draft = Draft(sentence, "no", cue.text).replace(
        token, same_case(some, token.text) if token.text != "NO" else some.upper(), until=last
    )
    if clause is not None:
        restore_polarity_items(draft, clause)
    return draft


def _plural(clause: Clause, noun: Token) -> bool:
    """Match "No British aircraft were seen", where only the verb shows the number."""
    return clause.subject is not None and clause.subject.i == noun.i and clause.finite.lower in {"are", "were"}


def _neither(sentence: Sentence, clause: Clause | None, token: Token) -> Draft | Decline | None:
    # Neither Tom nor Mary likes fish. → Both Tom and Mary like fish.   Neither man is tall. → Both men are tall.
    if token.lower == "nor":
        return None
    nor = next((t for t in sentence.tokens[token.i + 1 :] if t.lower == "nor"), None)
    if any(t.lower in {"its", "his", "her"} for t in sentence.tokens[token.i :]):
        return Decline("“both” would not agree with the possessive that follows")
    draft = Draft(sentence, "neither", token.text)
    draft.replace(token, same_case("both", token.text))
    if nor is not None:
        following = sentence.after(nor)
        if (
            following is not None
            and following.tag in {"MD", "VBZ", "VBD", "VBP"}
            and following.dep in {"aux", "auxpass"}
        ):
            return Decline("“nor” begins a clause of its own")
        draft.replace(nor, "and")
    subject = (
        clause is not None
        and clause.subject is not None
        and token.i < clause.finite.i
        and sentence.inside(token, clause.subject)
    )
    if nor is None:
        noun = sentence.tokens[token.head]
        if token.dep == "det" and noun.tag == "NN":
            draft.replace(noun, inflect(noun.text, "NNS"))
        elif not subject:
            return None
    if subject and clause is not None:
        agree(draft, clause, plural=True)
        restore_polarity_items(draft, clause)
    return draft


def _without(sentence: Sentence, token: Token) -> Draft | Decline:
    # coffee without sugar → coffee with sugar
    following = sentence.after(token)
    previous = sentence.before(token)
    joined = previous is not None and previous.lower == "or"
    if joined or following is None or following.tag in {"VBG", "IN", "RB", ".", ","}:
        return Decline("“without” governs a verb here; removing it would need another sentence")
    draft = Draft(sentence, "without", token.text).replace(token, same_case("with", token.text))
    if following.lower == "any":
        draft.replace(following, "some")
    return draft


def _hardly(sentence: Sentence, clause: Clause | None, token: Token, last: Token, cue: Cue) -> Draft:
    # hardly any milk → some milk   could hardly hear → could hear
    following = sentence.after(last)
    draft = Draft(sentence, "hardly", cue.text)
    if following is not None and following.lower in ANY:
        return draft.replace(token, same_case(ANY[following.lower], token.text), until=following)
    draft.delete(token, until=last)
    if clause is not None:
        # hardly adds anything → adds something
        restore_polarity_items(draft, clause)
        turn_question_tag(draft, clause)
    return draft


def _affix(sentence: Sentence, token: Token) -> Draft | None:
    # She is unhappy. → She is happy.
    if token.dep == "conj" or sentence.child(token, "conj") is not None:
        # "invalid or unenforceable": both would have to change
        return None
    if token.tag[:1] == "V" and token.lower.startswith("un"):
        # "She unlocked the door": the door was locked before, and nothing is denied
        return None
    pair = next((p for p in affix_pairs().get((token.lower, token.tag), ()) if not p.negative and p.exchange), None)
    if pair is None or (token.i > 1 and sentence.tokens[token.i - 2].lower == "next"):
        return None
    draft = Draft(sentence, "affix", token.text, "pair")
    return draft.replace(token, same_case(other_word(pair, token.tag), token.text))
