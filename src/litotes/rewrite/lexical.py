"""Lexical negation: an antonym, or an implicit negative in its own frame (manage to → fail to)."""

from __future__ import annotations

from functools import lru_cache

from litotes.detection import Clause, NoClause
from litotes.lexicon import antonym_pairs, other_word, table, word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.lexicon.word_pairs import forbids_exchange, mass_nouns, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.affixal import SET_PHRASES, exchangeable
from litotes.rewrite.draft import Decline, Draft, Options, Outcome
from litotes.rewrite.grammar import base_form, in_headline
from litotes.rewrite.letters import capital
from litotes.rewrite.targets import targets

STATIVE = word_set("never_fails")


@lru_cache(maxsize=1)
def _implicit() -> dict[str, list[dict[str, str]]]:
    by_verb: dict[str, list[dict[str, str]]] = {}
    for row in table("implicit"):
        if row["pos"] == "verb" and row["positive_frame"] != "bare" and row["direction"] in {"both", "there"}:
            by_verb.setdefault(row["positive"].split()[0], []).append(row)
    return by_verb


@lru_cache(maxsize=1)
def _implicit_adjectives() -> dict[str, tuple[str, str]]:
    """Return the implicit negative of each adjective, and its frame."""
    rows = [row for row in table("implicit") if row["pos"] == "adj" and row["direction"] in {"both", "there"}]
    return {row["positive"]: (row["negative"], row["positive_frame"]) for row in reversed(rows)}


def lexical(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    """Replace the predicate, or else a modifier, by its antonym or implicit negative."""
    if sentence.tokens[0].lower == "so" and "that" in sentence.words and isinstance(clause, Clause) and clause.inverted:
        return Decline("“so … that” gives a consequence, which would not fit the opposite")
    for token in targets(sentence, clause):
        answer = _implicit_verb(sentence, clause, token) or _particle(sentence, token) or _antonym(sentence, token)
        if answer is not None:
            return answer
    if isinstance(clause, Clause):
        answer = _fail_to(clause)
        if answer is not None:
            return answer
    return Decline("no word here has an antonym or an implicit negative that fits its frame")


def _antonym(sentence: Sentence, token: Token) -> Outcome:
    # The shop is open. → The shop is closed.   Prices rose. → Prices fell.
    tag = "JJ" if token.tag in {"VBN", "VBG"} and token.dep in {"amod", "acomp"} else token.tag
    tag = {"RP": "RB"}.get(tag, tag)
    for pair in antonym_pairs().get((token.lower, tag), ()):
        if (
            exchangeable(sentence, token, pair, "antonyms")
            and _suits_subject(sentence, token)
            and _not_joined_to_own_antonym(sentence, token, pair.other)
            and not _one_of_several(sentence, token)
        ):
            other = other_word(pair, tag)
            return Draft(sentence, "antonym", other, "pair").replace(token, same_case(other, token.text))
    previous = sentence.before(token)
    if previous is not None and (previous.lower, token.lower) in SET_PHRASES:
        return None
    following = sentence.after(token)
    if forbids_exchange("implicit", token.lower, following.lower if following else "", attributive=False):
        return None
    if token.tag == "JJ" and token.dep == "acomp" and token.lower in _implicit_adjectives():
        other, frame = _implicit_adjectives()[token.lower]
        following = sentence.after(token)
        if frame == "adj_to" and following is not None and following.lower != "to" and following.tag[0].isalpha():
            # "happy to help", but not "happy with the help"
            return None
        return Draft(sentence, "implicit-adjective", other, "pair").replace(token, other)
    return None


def _particle(sentence: Sentence, token: Token) -> Outcome:
    # Switch on the fan. → Switch off the fan.   A child climbing up a ladder. → A child climbing down a ladder.
    if token.dep not in {"prt", "prep", "advmod"} or token.tag not in {"RP", "IN", "RB"}:
        return None
    verb = sentence.tokens[token.head]
    following = sentence.after(token)
    if following is not None and following.lower in {"with", "to", "of", "against"}:
        # "came up with an idea"
        return None
    for row in table("particles"):
        if row["particle"] == token.lower and verb.tag[:1] == "V" and base_form(verb) in row["verbs"].split("|"):
            return Draft(sentence, "particle", row["opposite"], "pair").replace(token, row["opposite"])
    return None


@lru_cache(maxsize=1)
def _animate() -> frozenset[str]:
    return frozenset(table("animate").column("word"))


def _suits_subject(sentence: Sentence, verb: Token) -> bool:
    """Reject postures of things: a castle stands but does not sit."""
    if verb.tag[:1] != "V" or base_form(verb) not in {"sit", "stand", "lie", "sleep", "wake"}:
        return True
    subject = sentence.child(verb, "nsubj") or sentence.tokens[verb.head]
    return subject.lower in _animate() or (subject.tag == "NNP" and verb.dep == "ROOT")


def _not_joined_to_own_antonym(sentence: Sentence, token: Token, other: str) -> bool:
    """Reject pairs such as "black and white" and "old and young"."""
    alike = (t for t in sentence.tokens if t.tag[:1] == token.tag[:1])
    return other not in sentence.words and not any(lemma(t.lower, t.tag) == other for t in alike)


def _one_of_several(sentence: Sentence, token: Token) -> bool:
    """Match "neat and tidy" and "a larger hall and a larger budget": the opposite of one would not fit the other."""
    joined = token.tag[:1] == "J" and (token.dep == "conj" or sentence.child(token, "conj") is not None)
    return joined or sum(t.lower == token.lower for t in sentence.tokens) > 1


def _implicit_verb(sentence: Sentence, clause: Clause | NoClause, token: Token) -> Outcome:
    # She managed to finish. → She failed to finish.   Only verbs in the table.
    if token.tag[:1] != "V":
        return None
    undone = _undone().get(base_form(token), [])
    if undone and any(t.lower.startswith(("any", "ever", "yet")) for t in sentence.tokens[token.i + 1 :]):
        # "denied that he had ever met her": without "deny", nothing licenses "ever"
        undone = []
    for row in (*_implicit().get(base_form(token), ()), *undone):
        draft = _in_frame(sentence, token, row)
        if draft is not None:
            return draft
    return None


@lru_cache(maxsize=1)
def _undone() -> dict[str, list[dict[str, str]]]:
    """Return verbs whose opposite has the same frame, in the other direction: refused to sign → agreed to sign."""
    by_verb: dict[str, list[dict[str, str]]] = {}
    for row in table("implicit"):
        same_frame = row["positive_frame"] == row["negative_frame"] and row["direction"] in {"both", "back"}
        if row["pos"] == "verb" and same_frame and row["relation"] == "opposite" and row["negative"] != "stop":
            back = {**row, "positive": row["negative"], "negative": row["positive"]}
            by_verb.setdefault(row["negative"].split()[0], []).append(back)
    return by_verb


def _can_lack(sentence: Sentence, verb: Token) -> bool:
    """Match "has a garden" (→ "lacks a garden"), but not "has two tickets", "is having fun" or "has something"."""
    object_ = sentence.child(verb, "dobj")
    modal = any(a.tag == "MD" for a in sentence.children(verb, "aux"))
    worn = sentence.right(verb).lower == "on"
    fewer = object_ is not None and any(a.tag == "JJR" for a in sentence.children(object_, "amod"))
    if fewer or modal or worn or sentence.child(verb, "prt", "advmod") is not None:
        return False
    if object_ is None or verb.tag == "VBG" or object_.tag[:1] != "N" or sentence.child(object_, "nummod") is not None:
        return False
    subject = sentence.child(verb, "nsubj")
    if subject is not None and subject.tag == "PRP" and subject.lower != "it" and object_.lower not in mass_nouns():
        return False
    determiner = sentence.child(object_, "det", "poss")
    return determiner is None or determiner.lower in {"a", "an", "any"}


def _in_frame(sentence: Sentence, verb: Token, row: dict[str, str]) -> Draft | None:
    frame, new_frame = row["positive_frame"], row["negative_frame"]
    following = sentence.after(verb)
    if forbids_exchange("implicit", base_form(verb), following.lower if following else "", attributive=False):
        return None
    if row["negative"] == "lack" and not _can_lack(sentence, verb):
        return None
    particle = row["positive"].split()[1:]
    last = verb
    if particle:
        following = sentence.after(verb)
        if following is None or following.lower != particle[0]:
            return None
        last = following
    elif sentence.child(verb, "prt") is not None:
        return None
    if not _has_frame(sentence, verb, last, frame):
        return None
    negative = same_case(inflect(row["negative"], verb.tag), verb.text)
    draft = Draft(sentence, f"implicit-{frame}", negative, "pair")
    inner = _inner_verb(sentence, verb, last, frame)
    if frame == new_frame:
        return draft.replace(verb, negative, until=last)
    if inner is None:
        return None
    if (frame, new_frame) == ("np_to", "from_ing"):
        to = sentence.tokens[inner.i - 1]
        if to.lower != "to":
            return None
        draft.replace(verb, negative)
        return draft.replace(to, f"from {inflect(base_form(inner), 'VBG')}", until=inner)
    if (frame, new_frame) == ("to", "ing") and sentence.tokens[inner.i - 1].lower == "to":
        draft.replace(verb, negative)
        return draft.replace(sentence.tokens[inner.i - 1], inflect(base_form(inner), "VBG"), until=inner)
    if (frame, new_frame) == ("ing", "to"):
        draft.replace(verb, negative, until=last)
        return draft.replace(inner, f"to {base_form(inner)}")
    return None


def _has_frame(sentence: Sentence, verb: Token, last: Token, frame: str) -> bool:
    object_ = sentence.child(verb, "dobj")
    infinitive = sentence.child(verb, "xcomp", "ccomp")
    to = infinitive is not None and any(a.lower == "to" for a in sentence.children(infinitive, "aux"))
    passive = sentence.child(verb, "auxpass") is not None
    if frame == "np":
        followed = passive and infinitive is None
        from_ = any(t.lower == "from" for t in sentence.tokens[verb.i + 1 : sentence.right(verb).i])
        return not from_ and ((object_ is not None and object_.i > verb.i and infinitive is None) or followed)
    if frame == "to":
        return to and object_ is None and infinitive is not None and sentence.child(infinitive, "nsubj") is None
    if frame == "np_to":
        subject = sentence.child(infinitive, "nsubj") if infinitive is not None else None
        return to and (object_ is not None or subject is not None) and not passive
    if frame == "that":
        clause = sentence.child(verb, "ccomp")
        return (
            clause is not None
            and clause.i > verb.i
            and not to
            and clause.tag in {"VBZ", "VBP", "VBD", "VB", "VBN", "VBG", "MD"}
            and not _wh(sentence, clause)
        )
    if frame == "ing":
        following = sentence.after(last)
        return following is not None and following.tag == "VBG"
    if frame == "none":
        return (
            object_ is None
            and infinitive is None
            and sentence.child(verb, "prep", "prt", "acomp", "attr") is None
            and not passive
        )
    return False


def _wh(sentence: Sentence, clause: Token) -> bool:
    first = sentence.left(clause)
    return first.tag in {"WP", "WRB", "WDT"} or first.lower in {"whether", "if"}


def _inner_verb(sentence: Sentence, verb: Token, last: Token, frame: str) -> Token | None:
    if frame == "ing":
        return sentence.after(last)
    return sentence.child(verb, "xcomp", "ccomp")


def _fail_to(clause: Clause) -> Outcome:
    # The engine started. → The engine failed to start.
    verb, sentence = clause.verb, clause.sentence
    base = base_form(verb)
    if (
        clause.operator in {"be", "do", "can", "could", "may", "might", "must", "should", "shall", "ought"}
        or clause.mood not in {"declarative"}
        or base in STATIVE
    ):
        return None
    if (
        verb.tag not in {"VBD", "VBZ", "VBP", "VB", "VBN"}
        or sentence.child(verb, "auxpass") is not None
        or clause.subject is None
    ):
        return None
    if (
        (verb.tag in {"VBN", "VB"} and not clause.auxiliaries)
        or sentence.child(verb, "conj") is not None
        or clause.finite.lower in {"got", "get", "gets"}
    ):
        return None
    tag = clause.tense if clause.finite.i == verb.i else verb.tag
    if tag == "VBP" and clause.subject.lower == "i":
        return None
    adverbs = {a.lower for a in sentence.children(verb, "advmod")}
    previous = sentence.before(verb)
    if previous is not None and previous.tag == "RB" and previous.lower not in {"not", "n't"}:
        # "would highly recommend": the adverb would modify "fail"
        return None
    if adverbs & {"just", "only", "even", "also", "almost", "sometimes", "often", "soon", "first"}:
        return None
    new = f"{inflect('fail', tag)} to {base}"
    if in_headline(verb):
        new = f"{inflect('fail', tag)} to {capital(base)}"
    return Draft(sentence, "fail-to", inflect("fail", tag), "pair").replace(verb, same_case(new, verb.text))
