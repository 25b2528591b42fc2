"""Move a final adjunct to the front: a clause with when, if or because, or a phrase of time or place."""

from __future__ import annotations

from litotes.detection import Clause, NoClause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options
from litotes.rewrite.grammar import base_form
from litotes.rewrite.letters import capital, capitalised, lowered

SUBORDINATORS = word_set("frontable_subordinators")
PLACE_OR_TIME = frozenset({"in", "on", "at", "during", "after", "before", "since", "throughout", "until"})
BOUND = word_set("place_bound_verbs")
LONGEST = 12
SPEAKERS = frozenset({"i", "me", "my", "we", "us", "our", "you", "your", "it"})
ASKED = word_set("saying_verbs") | {"ask", "decide", "forget", "know", "learn", "remember", "see", "tell", "wonder"}
TIMES = word_set("time_nouns")


def fronting(sentence: Sentence, clause: Clause | NoClause, options: Options) -> Draft | Decline:
    # We left when it rained. → When it rained, we left.
    if isinstance(clause, NoClause):
        return Decline(clause.reason)
    if clause.mood not in {"declarative", "imperative"} or clause.question_tag:
        return Decline("only statements and commands have adjuncts that can be fronted")
    opening = clause.subject if clause.subject is not None else clause.verb
    if sentence.left(opening).i != 0 or sentence.root.i != clause.verb.i:
        return Decline("something already precedes the subject")
    if sentence.child(clause.verb, "conj") is not None or any(t.tag in {"``", "''", "-LRB-"} for t in sentence.tokens):
        return Decline("the clause is coordinated with another or contains a quotation")
    if sentence.tokens[0].dep == "cc" or (clause.subject is None and clause.mood != "imperative"):
        return Decline("the clause depends on the previous one")
    adjunct = _adjunct(clause)
    if adjunct is None or not _movable(clause, adjunct):
        return Decline("the clause does not end with an adjunct")
    if _names_later(clause, adjunct):
        return Decline("a pronoun in the adjunct would precede what it refers to")
    return _front(clause, sentence.left(adjunct), sentence.right(adjunct))


def _movable(clause: Clause, adjunct: Token) -> bool:
    """Accept a short adjunct in one piece, without a comma, that is no predicate of "be" and not modified by "only"."""
    sentence = clause.sentence
    moved, previous = sentence.phrase(adjunct), sentence.before(sentence.left(adjunct))
    bare = sentence.child(clause.verb, "acomp", "attr") is None and clause.finite.i == clause.verb.i
    closing = [t for t in sentence.tokens[sentence.right(adjunct).i + 1 :] if t.tag in {".", ":"}]
    fixed = (
        # "This is when …", "he is in the garden", "in 1960 he was born"
        (clause.operator == "be" and bare) or clause.verb.lower == "born",
        any(t.lower in {";", "...", ":", "and", "or", "but"} or t.dep == "relcl" for t in moved),
        len(closing) > 1 or any(t.tag == ":" for t in closing),
        len(moved) > LONGEST or moved[0].i > LONGEST,
        previous is None or previous.lower in {",", ";"},
        any(t.lower == "only" for t in sentence.tokens),
        # "he waited until …", "one is dressed up while the other is not"
        adjunct.dep == "advcl" and (moved[0].lower == "until" or moved[-1].tag in {"RB", "MD", "VBZ", "VBP", "VBD"}),
        not sentence.tokens[0].text[0].isalpha(),
        # "its highest level since April", "has not said when it will open"
        moved[0].lower == "since" and any(t.tag in {"JJS", "RBS"} for t in sentence.tokens[: moved[0].i]),
        moved[0].tag == "WRB" and base_form(clause.verb) in ASKED,
    )
    return not any(fixed)


def _names_later(clause: Clause, adjunct: Token) -> bool:
    """Match "A man sits while he rests": after fronting, "he" would precede "a man"."""
    sentence = clause.sentence
    moved = sentence.phrase(adjunct)
    refers = any(t.tag in {"PRP", "PRP$"} and t.lower not in SPEAKERS for t in moved)
    first = moved[0].i
    if any(t.lower in {"they", "them", "their"} for t in moved):
        return clause.subject is None or clause.subject.lower != "they"
    introduced = any(
        t.lower in {"a", "an", "some", "one"} or (t.tag == "NNS" and sentence.child(t, "det", "poss") is None)
        for t in sentence.tokens[:first]
    )
    return refers and introduced


def _adjunct(clause: Clause) -> Token | None:
    sentence = clause.sentence
    final = len(sentence.tokens) - 1
    while final > 0 and sentence.tokens[final].tag in {".", ":"}:
        final -= 1
    for child in reversed(sentence.children(clause.verb)):
        if sentence.right(child).i != final or child.i < clause.verb.i:
            continue
        first = sentence.left(child)
        previous = sentence.before(first)
        measured = previous is not None and lemma(previous.lower, "N") in TIMES
        dated = previous is not None and previous.tag == "CD"
        if (
            measured
            or dated
            or (first.lower == "if" and base_form(clause.verb) in {"wonder", "ask", "know", "see", "check", "doubt"})
        ):
            # "20 days before it left", "wondering if it left"
            return None
        if child.dep == "advcl" and first.lower in SUBORDINATORS and child.tag != "VBG":
            return child if first.lower != "as" or sentence.child(child, "nsubj") is not None else None
        if child.dep in {"prep", "npadvmod"} and _loose(clause, child):
            return child
    return None


def _loose(clause: Clause, phrase: Token) -> bool:
    sentence = clause.sentence
    noun = sentence.child(phrase, "pobj") if phrase.dep == "prep" else phrase
    if noun is None or any(t.tag == "PRP" for t in sentence.phrase(phrase)):
        return False
    time = (
        noun.lower in TIMES
        or (noun.tag == "CD" and len(noun.text) == 4)
        or any(t.lower in TIMES for t in sentence.phrase(noun))
    )
    if phrase.dep == "npadvmod":
        return time and len(sentence.phrase(phrase)) > 1
    if phrase.lower not in PLACE_OR_TIME:
        return False
    if time:
        return True
    acts = clause.verb.tag == "VBG" or sentence.child(clause.verb, "dobj") is not None
    return (
        acts
        and phrase.lower in {"in", "on", "at"}
        and clause.base not in BOUND
        and noun.tag in {"NN", "NNS", "NNP"}
        and len(sentence.children(clause.verb, "prep")) == 1
        and clause.verb.tag == "VBG"
    )


def _front(clause: Clause, first: Token, last: Token) -> Draft:
    sentence = clause.sentence
    opening = sentence.tokens[0]
    moved = sentence.text[first.start : last.end]
    draft = Draft(sentence, "fronting", "", "none")
    head = capital(moved) if capitalised(opening) else moved
    draft.pieces.append((opening.start, opening.end, f"{head}, {lowered(sentence, opening)}"))
    before = sentence.tokens[first.i - 1]
    start = sentence.tokens[before.i - 1].end if before.lower == "," else before.end
    draft.pieces.append((start, last.end, ""))
    return draft
