"""The same claim with another cue: not possible = impossible, never = not ever, failed to win = did not win."""

from __future__ import annotations

from functools import lru_cache

from litotes.detection import Clause, NoClause
from litotes.lexicon import table
from litotes.lexicon.morphology import lemma
from litotes.lexicon.word_pairs import forbids_exchange, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options, Outcome
from litotes.rewrite.grammar import DO, agree, base_form, end_of_clause, negate_operator, negate_with_do, negated
from litotes.rewrite.paraphrasing.patterns import contiguous_phrase
from litotes.rewrite.paraphrasing.verbs import NO, has_universal_subject, verb, verbal_not
from litotes.rewrite.removal import drop_not
from litotes.rewrite.subjects import quantifiers

ANY = {"no": "any", "nothing": "anything", "nobody": "anybody", "no one": "anyone", "nowhere": "anywhere"}
ANY |= {"none": "any", "none of": "any of", "neither": "either", "neither of": "either of"}


@lru_cache(maxsize=1)
def _opposites() -> dict[str, str]:
    """Return adjectives A and B for which "not A" means "B", in both directions."""
    opposites: dict[str, str] = {}
    for row in table("equivalents"):
        if row["kind"] == "immediate" and row["pos"] == "adj":
            opposites.setdefault(row["negative_phrase"], row["equivalent"])
            opposites.setdefault(row["equivalent"], row["negative_phrase"])
    for row in table("exact_affixes"):
        if row["pos"] == "adj":
            opposites.setdefault(row["positive"], row["negative"])
            opposites.setdefault(row["negative"], row["positive"])
    return opposites


@lru_cache(maxsize=1)
def _negative_adjectives() -> frozenset[str]:
    return frozenset(row["negative"] for row in table("exact_affixes"))


def equivalent(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Paraphrase with another cue."""
    if isinstance(clause, Clause):
        for rule in RULES:
            answer = rule(clause, options)
            if answer is not None:
                return answer
    return contiguous_phrase(sentence) or Decline("no equivalent with another cue fits")


def adjective(clause: Clause, options: Options) -> Outcome:
    # is not possible → is impossible;  is closed → is not open
    sentence = clause.sentence
    word = _predicate_adjective(clause)
    if word is None or word.lower not in _opposites():
        return None
    other = _opposites()[word.lower]
    negator = verbal_not(clause)
    following = sentence.after(word)
    barred = forbids_exchange("affixes", word.lower, following.lower if following else "", attributive=False)
    if barred or (negator is None and other in _negative_adjectives()):
        # "available" could become "not unavailable", but nobody says so
        return None
    draft = Draft(sentence, "adjective", word.text, "same")
    if other not in _negative_adjectives() and word.lower not in _negative_adjectives():
        draft.flips = 1
    if negator is not None:
        if has_universal_subject(clause):
            return None
        drop_not(draft, clause, negator)
    elif clause.negative or clause.mood == "imperative" or _quantified_subject(clause):
        return None
    else:
        negate_operator(draft, clause, options)
    if following is not None and following.lower in PREPOSITIONS.get(other, {}):
        draft.replace(following, PREPOSITIONS[other][following.lower])
    return draft.replace(word, same_case(other, word.text))


def _quantified_subject(clause: Clause) -> bool:
    """Match "All the windows were shut": after a new "not" the scope would be ambiguous."""
    return clause.subject is not None and clause.sentence.left(clause.subject).lower in quantifiers()


def _predicate_adjective(clause: Clause) -> Token | None:
    """Return the bare adjective after "be", or a participle used as one: "The shop is closed." """
    sentence, verb = clause.sentence, clause.verb
    if clause.operator not in {"be", "will", "would", "have"}:
        return None
    word = sentence.child(verb, "acomp")
    modifying = ["advmod", "npadvmod", "conj"]
    if word is None:
        passive = sentence.child(verb, "auxpass") is not None
        if not passive or sentence.child(verb, "agent", "dobj", "xcomp", "oprd") is not None:
            return None
        word, modifying = verb, ["advmod", "npadvmod"]
    elif lemma(verb.lower, "V") != "be" or word.i < clause.finite.i:
        return None
    modified = any(a.lower not in {"not", "n't"} for a in sentence.children(word, *modifying))
    between = [t for t in sentence.tokens[clause.finite.i + 1 : word.i] if t.lower not in {"not", "n't", "been", "be"}]
    floating = any(t.lower in {"both", "all", "each"} or t.tag == "RB" for t in between)
    return None if modified or floating else word


# "absent from" = "not present in"
PREPOSITIONS = {"absent": {"at": "from", "in": "from"}, "present": {"from": "in"}}


def no_longer(clause: Clause, options: Options) -> Outcome:
    # no longer open → not open anymore;  not open anymore → no longer open
    sentence = clause.sentence
    for cue in clause.negations:
        if cue.text.lower() == "no longer":
            first, last = sentence.tokens[cue.tokens[0]], sentence.tokens[cue.tokens[-1]]
            draft = Draft(sentence, "no-longer", "no longer", "same")
            if clause.operator:
                draft.delete(first, until=last)
                negate_operator(draft, clause, options)
            else:
                _do_at(draft, clause, first, last, options, "")
            end = end_of_clause(clause)
            if any(t.lower == "," for t in sentence.tokens[clause.finite.i : end.i]):
                return None
            return draft.after(end, "anymore")
    negator = verbal_not(clause)
    more = next((t for t in sentence.tokens[clause.finite.i :] if t.lower in {"anymore"}), None)
    longer = next(
        (
            t
            for t in sentence.tokens[clause.finite.i :]
            if t.lower == "any" and _next_is(sentence, t, {"longer", "more"})
        ),
        None,
    )
    if negator is None or clause.inverted or (more is None and longer is None):
        return None
    draft = Draft(sentence, "no-longer", "not", "same")
    if more is not None:
        draft.delete(more)
    elif longer is not None:
        draft.delete(longer, until=sentence.after(longer))
    drop_not(draft, clause, negator, instead="no longer")
    return draft


def _next_is(sentence: Sentence, token: Token, words: set[str]) -> bool:
    following = sentence.after(token)
    closing = sentence.after(following) if following is not None else None
    return following is not None and following.lower in words and (closing is None or closing.tag[:1] not in "NJ")


def _do_at(draft: Draft, clause: Clause, first: Token, last: Token, options: Options, adverb: str) -> None:
    """Put do-support in the adverb's place: never smokes → doesn't ever smoke."""
    do_not, _ = negated(DO[clause.tense], clause.sentence, options)
    draft.replace(first, same_case(f"{do_not} {adverb}".strip(), first.text), until=last)
    draft.replace(clause.finite, clause.base)


def adverb(clause: Clause, options: Options) -> Outcome:
    # has never been → hasn't ever been;  rarely smokes → doesn't often smoke;  hasn't ever → has never
    sentence = clause.sentence
    partner = {
        "never": "ever",
        "rarely": "often",
        "seldom": "often",
        "by no means": "by any means",
        "in no way": "in any way",
    }
    for cue in clause.negations:
        word = cue.text.lower()
        first, last = sentence.tokens[cue.tokens[0]], sentence.tokens[cue.tokens[-1]]
        if word in partner and clause.mood in {"declarative", "yes-no", "wh"} and first.i < clause.verb.i + 2:
            draft = Draft(sentence, "adverb", cue.text, "same")
            if clause.operator and first.i < clause.finite.i:
                return None
            if clause.operator:
                draft.replace(first, partner[word], until=last)
                negate_operator(draft, clause, options)
            elif first.i < clause.finite.i:
                _do_at(draft, clause, first, last, options, partner[word])
            else:
                return None
            return draft
    negator = verbal_not(clause)
    ever = next(
        (t for t in sentence.children(clause.verb, "advmod") if t.lower == "ever" and t.i < clause.verb.i), None
    )
    if negator is not None and ever is not None and not clause.inverted:
        draft = Draft(sentence, "adverb", "not", "same").delete(ever)
        drop_not(draft, clause, negator, instead="never")
        return draft
    return None


def determiner(clause: Clause, options: Options) -> Outcome:
    # has no dog → doesn't have any dog;  doesn't have any milk → has no milk;  said nothing → didn't say anything;
    # likes neither of them → doesn't like either of them
    sentence = clause.sentence
    negator = verbal_not(clause)
    if negator is not None:
        item = next((t for t in sentence.tokens[clause.verb.i :] if t.lower in NO and _object_of(clause, t)), None)
        if item is None or clause.mood not in {"declarative", "imperative"}:
            return None
        no = "none" if _of_follows(item, sentence) else NO[item.lower]
        draft = Draft(sentence, "determiner", "not", "same").replace(item, no)
        drop_not(draft, clause, negator)
        return draft
    if any(token.lower == "nor" for token in sentence.tokens):
        return None
    for cue in clause.negations:
        token, last = sentence.tokens[cue.tokens[0]], sentence.tokens[cue.tokens[-1]]
        previous = sentence.tokens[token.i - 1]
        if clause.finite.text[0] in "'’" or previous.tag == "RB":
            # "I've no idea", "absolutely nothing"
            return None
        if cue.text.lower() == "neither" and token.dep != "det" and not _of_follows(token, sentence):
            # "drinks neither": "doesn't drink either" means something else
            return None
        if (
            cue.text.lower() in ANY
            and token.i > clause.finite.i
            and _object_of(clause, token)
            and clause.mood == "declarative"
        ):
            draft = Draft(sentence, "determiner", cue.text, "same").replace(token, ANY[cue.text.lower()], until=last)
            if clause.operator:
                return negate_operator(draft, clause, options)
            return negate_with_do(draft, clause, options)
    return None


def _of_follows(token: Token, sentence: Sentence) -> bool:
    following = sentence.after(token)
    return following is not None and following.lower == "of"


def _object_of(clause: Clause, token: Token) -> bool:
    """Return whether the word is an argument of this clause's verb, or determines one."""
    head = token if token.dep in {"dobj", "attr", "pobj", "nsubj"} else clause.sentence.tokens[token.head]
    if head.dep == "pobj" and clause.sentence.tokens[head.head].lower == "for":
        # "for nothing"
        return False
    if head.dep == "pobj":
        head = clause.sentence.tokens[clause.sentence.tokens[head.head].head]
        return head.i == clause.verb.i
    return head.dep in {"dobj", "attr", "nsubj", "advmod"} and head.head == clause.verb.i


def either_or(clause: Clause, options: Options) -> Outcome:
    # doesn't have either a lift or a ramp → has neither a lift nor a ramp
    sentence, negator = clause.sentence, verbal_not(clause)
    either = next(
        (t for t in sentence.tokens[clause.finite.i :] if t.lower == "either" and t.dep in {"preconj", "det", "cc"}),
        None,
    )
    other = next((t for t in sentence.tokens[either.i :] if t.lower == "or"), None) if either is not None else None
    if negator is None or either is None or other is None or clause.mood != "declarative":
        return None
    draft = Draft(sentence, "either-or", negator.text, "same").replace(either, "neither").replace(other, "nor")
    drop_not(draft, clause, negator)
    return draft


def neither(clause: Clause, options: Options) -> Outcome:
    # He neither drinks nor smokes. → He doesn't drink or smoke.
    sentence = clause.sentence
    first = next((sentence.tokens[c.tokens[0]] for c in clause.negations if c.text.lower() == "neither"), None)
    nor = next((t for t in sentence.tokens if t.lower == "nor"), None)
    if first is None or nor is None or clause.mood != "declarative":
        return None
    if first.dep == "det" or _of_follows(first, sentence):
        # "accepts neither of the offers, nor does he"
        return None
    if clause.subject is None or first.i < sentence.right(clause.subject).i:
        return None
    draft = Draft(sentence, "neither", "neither", "same").replace(nor, "or")
    if clause.operator:
        draft.delete(first)
        return negate_operator(draft, clause, options)
    if first.i == clause.finite.i - 1:
        _do_at(draft, clause, first, first, options, "")
        for joined in sentence.children(clause.verb, "conj"):
            if joined.tag == clause.verb.tag:
                draft.replace(joined, base_form(joined))
        return draft
    draft.delete(first)
    return negate_with_do(draft, clause, options)


def no_subject(clause: Clause, options: Options) -> Outcome:
    # No nurse saw it. → Not a single nurse saw it.   Nobody called. → No one called.
    sentence = clause.sentence
    if clause.subject is None or clause.mood not in {"declarative", "wh-subject"}:
        return None
    first = sentence.left(clause.subject)
    following = sentence.after(first)
    if first.i > clause.finite.i or not any(first.i == c.tokens[0] for c in clause.negations):
        return None
    draft = Draft(sentence, "no-subject", first.text, "same")
    if first.lower == "no" and following is not None and following.lower == "one":
        return draft.replace(first, same_case("nobody", first.text), until=following)
    if first.lower in {"nobody", "nothing"}:
        return draft.replace(first, same_case({"nobody": "no one", "nothing": "not a thing"}[first.lower], first.text))
    if first.lower == "no" and clause.subject.tag == "NN":
        return draft.replace(first, same_case("not a single", first.text))
    if first.lower == "none" and following is not None and following.lower == "of":
        if any(
            t.tag in {"NN", "NNP"} or t.lower in {"it", "this", "that"} for t in sentence.children(following, "pobj")
        ):
            # "none of it", "none of the milk"
            return None
        agree(draft, clause, plural=False)
        return draft.replace(first, same_case("not one", first.text))
    if first.lower == "not" and following is not None and following.lower in {"many", "much"}:
        few = "few" if following.lower == "many" else "little"
        return draft.replace(first, same_case(few, first.text), until=following)
    if first.lower == "few":
        return draft.replace(first, same_case("not many", first.text))
    if first.lower == "little":
        return draft.replace(first, same_case("not much", first.text))
    return None


RULES = (adjective, no_longer, adverb, either_or, determiner, verb, neither, no_subject)
