"""Remove "not" from a verb: restore auxiliaries, undo do-support, restore polarity items."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.lexicon.morphology import inflect
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Token
from litotes.rewrite.draft import Draft
from litotes.rewrite.echoes import turn_echo
from litotes.rewrite.grammar import base_form
from litotes.rewrite.letters import capital, capitalised
from litotes.rewrite.polarity import in_reach


def drop_not(draft: Draft, clause: Clause, negator: Token, *, base: str = "", instead: str = "") -> None:
    """Remove "not" or "n't" from the finite verb. `base` replaces the verb, and the adverb `instead` the "not"."""
    finite = clause.finite
    if finite.lower in {"do", "does", "did"} and clause.verb.i != finite.i and not clause.inverted:
        if negator.i == finite.i + 1:
            drop_do(draft, clause, finite, negator, base=base, instead=instead)
        else:
            draft.delete(negator)
            drop_do(draft, clause, finite, base=base, instead=instead)
        return
    if negator.i == finite.i + 1:
        full = FULL.get(finite.lower)
        if full is not None:
            draft.replace(finite, same_case(full, finite.text), until=negator)
        else:
            draft.pieces.append((finite.end, negator.end, ""))
    else:
        draft.delete(negator)
    if instead:
        draft.after(negator if negator.i == finite.i + 1 else finite, instead)


def off_auxiliary(draft: Draft, clause: Clause | None, verb: Token, negator: Token) -> None:
    """Restore the auxiliary: isn't → is, won't → will, doesn't go → goes, don't! → (nothing)."""
    if verb.lower in FULL:
        draft.replace(verb, same_case(FULL[verb.lower], verb.text), until=negator)
    elif verb.lower == "ai":
        draft.replace(verb, same_case(_aint(clause), verb.text), until=negator)
        _undouble(draft, clause)
    elif verb.lower == "ought" and clause is not None and _bare_verb_follows(clause, negator):
        draft.replace(verb, same_case("ought to", verb.text), until=negator)
    elif verb.lower == "need" and clause is not None and clause.verb.i != verb.i:
        draft.replace(verb, "need to", until=negator)
    elif (
        clause is not None
        and verb.lower in {"do", "does", "did"}
        and clause.verb.i != verb.i
        and clause.mood in {"declarative", "wh-subject", "imperative"}
    ):
        drop_do(draft, clause, verb, negator)
    elif (
        clause is not None
        and clause.inverted
        and verb.lower == "are"
        and clause.subject is not None
        and clause.subject.lower == "i"
    ):
        draft.replace(verb, same_case("am", verb.text), until=negator)
    else:
        draft.pieces.append((verb.end, negator.end, ""))


def _bare_verb_follows(clause: Clause, negator: Token) -> bool:
    following = clause.sentence.after(negator)
    return following is not None and following.tag == "VB"


def _undouble(draft: Draft, clause: Clause | None) -> None:
    """Remove a second negator that only agrees with the first: "I ain't got no money"."""
    for cue in clause.negations[1:] if clause is not None else ():
        if cue.text.lower() == "no":
            draft.replace(draft.sentence.tokens[cue.tokens[0]], "some")
            draft.polarity_check = "pair"


def _aint(clause: Clause | None) -> str:
    subject = clause.subject.lower if clause is not None and clause.subject is not None else ""
    perfect = clause is not None and clause.verb.tag in {"VBN", "VBD"} and clause.verb.i != clause.finite.i
    if perfect:
        return "has" if subject in {"he", "she", "it"} else "have"
    owner = clause.subject if clause is not None else None
    if owner is not None and owner.tag in {"NN", "NNP"} and clause is not None:
        return "are" if clause.sentence.child(owner, "conj") is not None else "is"
    return {"i": "am", "he": "is", "she": "is", "it": "is", "there": "is", "that": "is", "this": "is"}.get(
        subject, "are"
    )


def drop_do(
    draft: Draft, clause: Clause, do: Token, negator: Token | None = None, *, base: str = "", instead: str = ""
) -> None:
    """Undo do-support: did (not) go → went. Adverbs in between stay."""
    # "didn't get caught": "get" takes the tense
    target = clause.auxiliaries[1] if len(clause.auxiliaries) > 1 else clause.verb
    base = base or base_form(target)
    last = negator or do
    following = clause.sentence.tokens[last.i + 1] if last.i + 1 < len(clause.sentence.tokens) else last
    if clause.mood == "imperative" or base == "be":
        new = base
    else:
        new = inflect(base, {"do": "VBP", "does": "VBZ", "did": "VBD"}[do.lower])
    initial = capitalised(do)
    draft.pieces.append((do.start, following.start, instead + " " if instead else ""))
    if following.i == target.i:
        draft.replace(target, capital(new) if initial else new)
    else:
        if initial:
            draft.pieces.append((following.start, following.start + 1, following.text[0].upper()))
        draft.replace(target, new)


def restore_polarity_items(draft: Draft, clause: Clause) -> None:
    """Restore polarity items: any → some, yet → already, either → too, anymore → still, at all → (nothing)."""
    sentence = clause.sentence
    floor = clause.finite.i
    _restore_before(draft, clause)
    complement_verb = sentence.child(clause.verb, "ccomp")
    for token in sentence.tokens[floor + 1 :]:
        word, following = token.lower, sentence.after(token)
        believed = (
            complement_verb is not None
            and complement_verb.i > clause.verb.i
            and sentence.inside(token, complement_verb)
        )
        if (not believed and not in_reach(clause, token)) or sentence.tokens[token.i - 1].lower == "without":
            continue
        if believed and word == "ever":
            # "I don't think he ever came." → "I think he came."
            draft.delete(token)
            continue
        if word in ANY and token.tag in {"DT", "NN", "PRP", "RB"}:
            if following is not None and following.lower in {"more", "longer"} and word == "any":
                draft.delete(token, until=following)
                _still(draft, clause)
            else:
                draft.replace(token, same_case(ANY[word], token.text))
        elif word == "anymore":
            draft.delete(token)
            _still(draft, clause)
        elif word == "yet" and token.dep != "cc":
            draft.delete(token)
            if clause.auxiliaries and clause.finite.lower not in {"do", "does", "did"}:
                place = sentence.right(clause.subject) if clause.inverted and clause.subject else _after_negator(clause)
                draft.after(place, "already")
        elif word == "either" and _of_two(clause, token):
            draft.replace(token, "one")
        elif word == "either" and (following is None or following.tag in {".", ",", ":"}):
            draft.replace(token, "too")
        elif word == "at" and following is not None and following.lower == "all":
            draft.delete(token, until=following)
        elif word == "much" and token.dep == "advmod" and token.head == clause.verb.i == token.i - 1:
            draft.replace(token, "a lot")
        elif word == "ever" and token.head == clause.verb.i:
            draft.replace(token, "sometimes")
        elif word == "or" and token.dep == "cc" and sentence.tokens[token.head].i == clause.verb.i:
            _join_back(draft, clause, token)
    turn_echo(draft, clause, negated=False)


def _of_two(clause: Clause, either: Token) -> bool:
    """Match "either of the letters", but not "either, of course"."""
    following = clause.sentence.after(either)
    third = clause.sentence.after(following) if following is not None and following.lower == "of" else None
    return third is not None and third.tag in {"DT", "PRP", "PRP$", "CD", "NNP", "NNS"}


def _restore_before(draft: Draft, clause: Clause) -> None:
    """Restore the adverb before the finite verb: still hasn't come → has come, nobody ever → somebody sometimes."""
    before = clause.sentence.before(clause.finite)
    if before is not None and before.lower == "still" and before.tag == "RB" and before.i > 0:
        draft.delete(before)
    if before is not None and before.lower == "ever":
        draft.replace(before, "sometimes")


def _after_negator(clause: Clause) -> Token:
    last = clause.finite
    following = clause.sentence.after(last)
    return following if following is not None and following.lower in {"not", "n't"} else last


def _still(draft: Draft, clause: Clause) -> None:
    if clause.finite.lower in {"do", "does", "did"} and clause.verb.i != clause.finite.i:
        draft.pieces.append((clause.finite.start, clause.finite.start, "still "))
    elif clause.inverted and clause.subject is not None:
        draft.after(clause.sentence.right(clause.subject), "still")
    else:
        draft.after(_after_negator(clause), "still")


def _join_back(draft: Draft, clause: Clause, conjunction: Token) -> None:
    """Restore coordinated predicates: didn't prohibit or restrict → prohibited and restricted."""
    draft.replace(conjunction, "and")
    if clause.finite.lower in {"do", "does", "did"} and clause.mood == "declarative":
        tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[clause.finite.lower]
        for verb in clause.sentence.children(clause.verb, "conj"):
            if verb.tag in {"VB", "VBP"}:
                draft.replace(verb, inflect(base_form(verb), tag))


FULL = {"ca": "can", "wo": "will", "sha": "shall"}


ANY = {"any": "some", "anyone": "someone", "anybody": "somebody", "anything": "something", "anywhere": "somewhere"}
