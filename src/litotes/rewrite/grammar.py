"""Verb groups: the position of "not", do-support, agreement, contractions."""

from __future__ import annotations

from functools import lru_cache

from litotes.detection import Clause
from litotes.lexicon import table
from litotes.lexicon.morphology import inflect, lemma
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Draft, Options
from litotes.rewrite.letters import capital, capitalised

DO = {"VBZ": "does", "VBP": "do", "VBD": "did", "VB": "do"}
SINGULAR = {"am": "is", "'m": "is", "are": "is", "were": "was", "have": "has", "do": "does", "'re": "is", "'ve": "has"}
PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
AWKWARD_SUBJECT = 5


@lru_cache(maxsize=1)
def contracted_forms() -> dict[str, str]:
    """Return the contraction with "not" of each auxiliary that has one: is → isn't."""
    return {r["form"]: r["contracted"] for r in table("auxiliaries") if r["contracted"]}


@lru_cache(maxsize=1)
def adverb_places() -> dict[str, str]:
    return table("adverbs").mapping("adverb", "place")


def guesses(clause: Clause) -> bool:
    """Match "She must have left", which is a guess and no duty."""
    return clause.operator == "must" and any(t.lower in {"have", "'ve"} for t in clause.auxiliaries[1:])


def follows_negation(adverb: Token) -> bool:
    """Return whether "not" precedes this adverb: "doesn't often", but "probably doesn't"."""
    place = adverb_places().get(adverb.lower)
    return place == "after" if place else adverb.lower.endswith("ly")


def full_form(clause: Clause) -> str:
    """Return the finite word in full: 's → is or has, 'll → will, wo → will."""
    word = clause.finite.lower
    if word == "'s":
        return "has" if clause.operator == "have" else "is"
    if word == "'d":
        return "had" if clause.operator == "have" else "would"
    return {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "ca": "can", "wo": "will", "sha": "shall"}.get(
        word, word
    )


def negated(word: str, sentence: Sentence, options: Options) -> tuple[str, str]:
    """Return an auxiliary with its negation, and the cue: ("isn't", "n't") or ("is not", "not")."""
    short = contracted_forms().get(word, "")
    if not options.contractions or not short:
        return f"{word} not", "not"
    mark = apostrophe(sentence)
    return short.replace("'", mark), f"n{mark}t"


def apostrophe(sentence: Sentence) -> str:
    """Return the apostrophe that this text uses."""
    return "’" if "’" in sentence.text and "'" not in sentence.text else "'"


def negate_operator(draft: Draft, clause: Clause, options: Options) -> Draft:
    """Put "not" on the auxiliary: is → isn't, could → could not, 'll → won't."""
    finite, sentence = clause.finite, clause.sentence
    full = full_form(clause)
    clitic = finite.text[0] in "'’"
    adverb = None if clause.inverted else outscoping_adverb(clause)
    contracted = contracted_forms().get(full, "")
    if clause.inverted and full == "am" and options.contractions:
        contracted = "aren't"
    if options.contractions and contracted and adverb is None:
        draft.cue = "n" + apostrophe(sentence) + "t"
        return _contract(draft, clause, contracted.replace("'", apostrophe(sentence)), clitic)
    draft.cue = "not"
    at = finite
    if adverb is not None:
        at = adverb
    elif clause.inverted and clause.subject is not None:
        if _subject_is_long(clause) and contracted:
            draft.cue = "n" + apostrophe(sentence) + "t"
            return _contract(draft, clause, contracted.replace("'", apostrophe(sentence)), clitic)
        at = sentence.right(clause.subject)
    if clitic and at is finite and (full not in {"is", "are", "am"} or not options.contractions):
        draft.replace(finite, f" {full} not")
    elif full == "can" and at is finite and not clause.inverted:
        draft.after(finite, "not", glued=True)
    else:
        draft.after(at, "not")
    return draft


def _contract(draft: Draft, clause: Clause, contracted: str, clitic: bool) -> Draft:
    finite = clause.finite
    if clitic:
        return draft.replace(finite, " " + contracted)
    if contracted.startswith(finite.lower):
        tail = contracted[len(finite.lower) :]
        return draft.after(finite, tail.upper() if finite.text.isupper() and len(finite.text) > 1 else tail, glued=True)
    return draft.replace(finite, same_case(contracted, finite.text))


def _subject_is_long(clause: Clause) -> bool:
    assert clause.subject is not None
    return len(clause.sentence.phrase(clause.subject)) > AWKWARD_SUBJECT


def outscoping_adverb(clause: Clause) -> Token | None:
    """Return an adverb that "not" follows: "will probably come"."""
    adverb = None
    token = clause.sentence.after(clause.finite)
    while token is not None and token.tag == "RB" and token.i != clause.verb.i:
        temporal = token.lower in {"eventually", "finally", "later", "then"} and clause.finite.tag == "MD"
        if adverb_places().get(token.lower) != "before" or temporal:
            break
        adverb = token
        token = clause.sentence.after(token)
    return adverb


def do_support_place(clause: Clause) -> Token:
    """Return the token that "did not" precedes: the verb, or an adverb that the negation should reach."""
    sentence, place = clause.sentence, clause.finite
    token = sentence.before(place)
    floor = sentence.right(clause.subject).i if clause.subject and clause.subject.i < place.i else -1
    if clause.subject is not None and sentence.right(clause.subject).lower in {"all", "both", "each"}:
        floor = min(floor, sentence.right(clause.subject).i - 1)
    while token is not None and token.i > floor and (token.tag in {"RB", "DT", "PDT", "RBR"} or token.lower == "all"):
        first = sentence.tokens[token.head]
        if token.dep == "conj" and first.tag == "RB" and first.head in {clause.verb.i, place.i} and first.i > floor:
            # slowly but surely
            place, token = first, sentence.before(first)
            continue
        if token.head not in {clause.verb.i, place.i} and token.lower not in {"all", "both", "each"}:
            break
        if not follows_negation(token) or token.lower in {"already", "still"}:
            break
        place = token
        token = sentence.before(token)
    return place


def negate_with_do(draft: Draft, clause: Clause, options: Options) -> Draft:
    """Negate with "do": went → did not go, with the agreement and tense of the verb."""
    finite = clause.finite
    did_not, draft.cue = negated(DO[clause.tense], clause.sentence, options)
    if in_headline(finite):
        did_not = " ".join(capital(word) for word in did_not.split())
    base = same_case(clause.base, finite.text) if finite.i else clause.base
    place = do_support_place(clause)
    if place.i == finite.i:
        first = capital(did_not) if finite.i == 0 and capitalised(finite) else did_not
        if finite.text[0] in "'’":
            # I've a train to catch. → I don't have a train to catch.
            first = f" {first}"
        return draft.replace(finite, f"{first} {base}")
    draft.before(place, did_not)
    return draft.replace(finite, base)


def in_headline(token: Token) -> bool:
    """Match a verb with a capital inside the sentence: "Mayor Vows Faster Repairs"."""
    return token.i > 0 and capitalised(token) and token.tag[:1] == "V" and not token.text.isupper()


def base_form(token: Token) -> str:
    return lemma(token.lower, token.tag if token.tag[:1] == "V" else "VB")


def agree(draft: Draft, clause: Clause, *, plural: bool) -> Draft:
    """Make the finite word agree with a subject whose number the rewrite changed."""
    new = agreeing(clause, plural=plural)
    if new != clause.finite.lower:
        spaced = " " + new if clause.finite.text[0] in "'’" and not new.startswith("'") else new
        draft.replace(clause.finite, same_case(spaced, clause.finite.text))
    return draft


def agreeing(clause: Clause, *, plural: bool) -> str:
    """Return the finite word in the singular or plural."""
    word = clause.finite.lower
    if clause.operator and clause.operator not in {"be", "have", "do"}:
        return word
    table_ = PLURAL if plural else SINGULAR
    if word in table_:
        return table_[word]
    if clause.operator or clause.tense == "VBD":
        return word
    if plural and clause.tense == "VBZ":
        return base_form(clause.finite)
    if not plural and clause.tense == "VBP":
        return inflect(base_form(clause.finite), "VBZ")
    return word


def end_of_clause(clause: Clause) -> Token:
    """Return the last token of the predicate, before closing punctuation, a question tag or another clause."""
    sentence, last = clause.sentence, clause.verb
    stop = clause.question_tag[0].i if clause.question_tag else len(sentence.tokens)
    for child in sentence.children(clause.verb):
        if child.i < clause.verb.i:
            continue
        joins_noun = child.dep in {"cc", "conj"} and not any(
            c.tag[:1] in "VM" for c in sentence.children(clause.verb, "conj")
        )
        if (child.dep in {"advcl", "cc", "conj", "parataxis", "punct"} and not joins_noun) or child.i >= stop:
            break
        last = sentence.right(child)
    while last.i > clause.verb.i and last.tag in {".", ",", ":", "''"}:
        last = sentence.tokens[last.i - 1]
    return last
