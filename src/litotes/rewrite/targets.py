"""Choose the word of a clause to exchange: the main predicate first, else the most informative modifier."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.detection import Clause, NoClause, is_implicit
from litotes.detection.clauses import BOUNDARY
from litotes.parse import Sentence, Token

COMPLEMENTS = ("acomp", "attr", "oprd")
MODIFYING = frozenset({"amod", "advmod", "acl", "pobj", "prep", "attr", "dobj", "nsubj", "nsubjpass"})
SPOKEN = frozenset({"clearly", "frankly", "honestly", "hopefully", "naturally", "personally", "seriously"})
MODIFIED = ("dobj", "attr", "nsubj", "nsubjpass", "pobj", "conj", "dative")


def targets(sentence: Sentence, clause: Clause | NoClause) -> Iterator[Token]:
    """Return candidates in the order in which an editor would try them."""
    if isinstance(clause, Clause):
        yield from _predicates(clause)
        yield from _modifiers(sentence, clause.verb)
    else:
        yield from _modifiers(sentence, sentence.root)


def _predicates(clause: Clause) -> Iterator[Token]:
    sentence, verb = clause.sentence, clause.verb
    complement = sentence.child(verb, *COMPLEMENTS)
    if complement is not None:
        yield complement
        if complement.dep == "acomp":
            yield from sentence.children(complement, "conj")
    yield verb
    for particle in sentence.children(verb, "prt", "advmod"):
        if particle.i > verb.i:
            yield particle
    infinitive = sentence.child(verb, "xcomp")
    if infinitive is not None and not is_implicit(verb.lower):
        yield infinitive
    complement_verb = sentence.child(verb, "ccomp") or (
        sentence.child(complement, "ccomp") if complement is not None else None
    )
    if complement_verb is not None:
        inner = sentence.child(complement_verb, *COMPLEMENTS)
        yield from (t for t in (inner, complement_verb) if t is not None)
    purpose = sentence.child(verb, "advcl")
    if purpose is not None and purpose.tag == "VB" and clause.mood == "imperative":
        yield purpose


def _modifiers(sentence: Sentence, head: Token) -> Iterator[Token]:
    """Return adjectives and adverbs of the main clause, those of objects before those of subjects, then nouns."""
    inside = [t for t in sentence.tokens if t.dep in MODIFYING and _same_clause(sentence, t, head)]
    order = {dep: place for place, dep in enumerate(MODIFIED)}
    adjectives = [t for t in inside if (t.dep == "amod" or t.tag in {"JJS", "JJR"}) and _is_argument(sentence, t, head)]
    yield from sorted(adjectives, key=lambda t: order.get(sentence.tokens[t.head].dep, len(order)))
    # not the adverb of a sentence: "Honestly, it was fine"
    adverbs = [t for t in inside if t.dep == "advmod" and t.tag == "RB" and t.head == head.i]
    adverbs = [t for t in adverbs if t.i > 0 or t.lower not in SPOKEN]
    yield from (t for t in adverbs if t.i > head.i or t.lower.endswith("ly"))
    yield from (t for t in inside if t.dep in {"acl", "prep"} and t.tag in {"VBG", "VBN", "IN", "RP"})
    yield from (t for t in inside if t.dep in {"attr", "dobj", "nsubj", "nsubjpass"} and t.tag in {"NN", "NNS"})


def _is_argument(sentence: Sentence, adjective: Token, head: Token) -> bool:
    """Return whether the noun is an argument of the clause or of a preposition on its verb, not a deeper one."""
    noun = sentence.tokens[adjective.head]
    if noun.dep != "pobj":
        return True
    preposition = sentence.tokens[noun.head]
    return preposition.head == head.i


def _same_clause(sentence: Sentence, token: Token, head: Token) -> bool:
    at = token
    for _ in sentence.tokens:
        if at.i == head.i:
            return True
        if at.head == at.i or (at.dep in BOUNDARY and at.i != token.i) or (at.dep == "conj" and at.tag[:1] == "V"):
            return False
        at = sentence.tokens[at.head]
    return False
