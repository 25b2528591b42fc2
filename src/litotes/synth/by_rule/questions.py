"""Questions a clause answers: on its subject, its object, its time and its place.

A question is asked of a clause and of its denial alike, so that each belongs to one document: what does the museum
sell, what does the museum not sell. Where a rule is not sure of its words, it asks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.detection import Clause
from litotes.detection.operators import WH
from litotes.lexicon import word_set
from litotes.lexicon.morphology import lemma
from litotes.parse import Token
from litotes.rewrite.grammar import agreeing
from litotes.rewrite.letters import PROPER
from litotes.synth.by_rule.core import Core, asked, core, named_subject
from litotes.synth.by_rule.nouns import NOUNS, Naming, asked_for, is_a, quantified, resolved, telling, text_of
from litotes.synth.by_rule.words import words

FEWEST = 3
TIMES = word_set("time_nouns")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, for what, and what answers it."""

    focus: str
    """subject, object, when or where"""
    answer: str
    """as it stands in the text, articles left out"""
    text: str
    """without a capital and a question mark"""


def questions(clause: Clause, known: Naming, *, contracted: bool = False) -> Iterator[Question]:
    """Every question the clause answers for sure; `contracted` asks "what doesn't it" for "what does it not"."""
    found = core(clause)
    if found is None:
        return
    for focus, rule in RULES:
        for answer, kept, text in rule(found, known, contracted):
            if text and _tells(kept, text, vague=focus == "subject" and "which" not in text):
                yield Question(focus, _bare(answer), " ".join(text.split()))


Asked = Iterator[tuple[str, Sequence[Token], str]]


def _on_subject(core: Core, known: Naming, contracted: bool) -> Asked:
    """The old boats run in winter. → which boats run in winter"""
    del contracted
    sentence, clause, subject = core.sentence, core.clause, core.subject
    joined = sentence.child(subject, "conj") is not None
    wh = ("what" if _things(core) else "") if joined else asked_for(sentence, subject, known)
    kept = (*core.fronted, *core.predicate)
    if not wh or not resolved(kept):
        return
    attribute = sentence.child(clause.verb, "attr")
    if attribute is not None and (wh in {"what", "who"} or not _indefinite(core, attribute) or attribute.lower in wh):
        # What is the capital: the complement is what one would ask for
        return
    predicate = text_of(core.predicate, sentence)
    plural = joined or subject.tag in {"NNS", "NNPS"}
    if wh in {"what", "who"} and plural:
        finite = agreeing(clause, plural=False)
        before = text_of(core.adverbs, sentence)
        predicate = f"{before} {finite}{sentence.text[clause.finite.end : core.predicate[-1].end]}"
    front = f"{text_of(core.fronted, sentence)}, " if core.fronted else ""
    told = (subject, *kept) if wh.startswith("which") else kept
    yield text_of(core.phrase, sentence), told, f"{front}{wh} {predicate}"


def _things(core: Core) -> bool:
    """pottery and maps: joined, and none of them a person"""
    nouns = [t for t in core.phrase if t.tag in NOUNS]
    return resolved(core.phrase) and not any(
        is_a("persons", t) or t.tag in PROPER or quantified(core.sentence, t) for t in nouns
    )


def _indefinite(core: Core, attribute: Token) -> bool:
    article = core.sentence.child(attribute, "det")
    return attribute.tag in {"NN", "NNS"} and (article is None or article.lower in {"a", "an", "no", "not"})


def _on_object(core: Core, known: Naming, contracted: bool) -> Asked:
    """The museum sells old maps. → what does the museum sell"""
    sentence, verb = core.sentence, core.clause.verb
    noun = sentence.child(verb, "dobj")
    others = sentence.child(verb, "dative", "prt", "xcomp", "ccomp", "oprd", "auxpass") is not None
    if noun is None or others or (lemma(verb.lower, "V") == "include" and core.subject.tag != "NN"):
        return
    phrase = sentence.phrase(noun)
    if lemma(verb.lower, "V") in words("light_verbs") or phrase[0].i != verb.i + 1 or not _whole(core, phrase):
        return
    joined = sentence.child(noun, "conj") is not None
    wh = "what" if joined else asked_for(sentence, noun, known)
    if not wh or quantified(sentence, noun) or noun.lower in word_set("light_objects"):
        return
    following = next((t for t in core.tail if t.i == phrase[-1].i + 1), None)
    if following is not None and following.tag == "IN" and following.lower not in words("verbal_prepositions"):
        # the private beach across the road: it may say which beach
        return
    yield from _inverted(core, known, contracted, wh, phrase)


def _on_complement(core: Core, known: Naming, contracted: bool) -> Asked:
    """The price depends on the season. → what does the price depend on"""
    sentence, verb = core.sentence, core.clause.verb
    adjective = sentence.child(verb, "acomp")
    for preposition in sentence.children(adjective or verb, "prep"):
        noun = sentence.child(preposition, "pobj")
        stranded = _stranded(verb, adjective, preposition)
        if noun is None or not stranded or quantified(sentence, noun) or noun.lower in TIMES:
            continue
        phrase = sentence.phrase(noun)
        if not _whole(core, phrase) or sentence.child(noun, "conj") is not None:
            continue
        wh = "who" if is_a("persons", noun) else "what"
        yield from _inverted(core, known, contracted, wh, phrase)


def _stranded(verb: Token, adjective: Token | None, preposition: Token) -> bool:
    """Whether the preposition may end the question: what does it depend on, who is it safe for."""
    if adjective is None:
        return f"{lemma(verb.lower, 'V')}_{preposition.lower}" in words("stranding")
    return adjective.lower in words("stranding_adjectives") and preposition.lower in {"for", "to"}


def _on_time_or_place(core: Core, known: Naming, contracted: bool) -> Asked:
    """The ferry runs on Sundays. → when does the ferry run"""
    sentence, clause, verb = core.sentence, core.clause, core.clause.verb
    if clause.tense == "VBD" or (clause.operator == "have" and clause.finite.i != verb.i):
        # nobody asks when a thing was not built
        return
    if any(t.lower == "never" for t in (*core.adverbs, *core.group)) or _times(core) > 1:
        return
    phrases: dict[str, list[Sequence[Token]]] = {"when": [], "where": []}
    for preposition in (t for t in (*core.fronted, *core.tail) if t.dep == "prep"):
        noun = sentence.child(preposition, "pobj")
        wh = _when_or_where(core, preposition, noun) if noun is not None else ""
        if wh:
            phrases[wh].append(sentence.phrase(preposition))
    if lemma(verb.lower, "V") in word_set("place_bound_verbs") and clause.operator != "be":
        # where does it not stand
        phrases["where"] = []
    for wh, found in phrases.items():
        if len(found) != 1 or sentence.tokens[found[0][0].head].i != verb.i:
            continue
        whole = _whole(core, found[0]) and not core.fronted
        if whole or list(found[0]) == list(core.fronted):
            yield from _inverted(core, known, contracted, wh, found[0])


def _times(core: Core) -> int:
    """How many times of day, days or seasons the clause names."""
    nouns = [t for t in (*core.fronted, *core.tail) if t.dep in {"pobj", "npadvmod"}]
    return sum(t.tag == "CD" or lemma(t.lower, "NN") in TIMES for t in nouns)


def _when_or_where(core: Core, preposition: Token, noun: Token) -> str:
    year = noun.tag == "CD" and len(noun.text) == 4 and noun.text.isdigit()
    article = core.sentence.child(noun, "det")
    if article is not None and article.lower not in {"the", "a", "an"}:
        return ""
    if year or lemma(noun.lower, "NN") in TIMES:
        return "when" if preposition.lower in words("when_prepositions") else ""
    if preposition.lower not in words("where_prepositions") or core.sentence.child(noun, "conj") is not None:
        return ""
    named = noun.tag in PROPER and preposition.lower in {"in", "at", "near"} and len(noun.text) > 2
    foreign = any(t.lower in words("languages") | words("no_places") for t in core.sentence.phrase(noun))
    return "where" if (named or is_a("places", noun)) and not foreign else ""


def _inverted(core: Core, known: Naming, contracted: bool, wh: str, left_out: Sequence[Token]) -> Asked:
    """The question without the words that answer it."""
    sentence, subject = core.sentence, named_subject(core, known)
    gone = {t.i for t in left_out}
    tail = [t for t in core.tail if t.i not in gone]
    fronted = [t for t in core.fronted if t.i not in gone]
    following = next((t for t in tail if t.i == left_out[-1].i + 1), None)
    torn = following is not None and (following.tag in WH or following.lower == "that")
    if not subject or torn or not resolved((*fronted, *tail, *left_out)):
        return
    if core.clause.operator == "have" and sentence.child(core.subject, "conj") is not None:
        # which treasury had wars and building projects drained
        return
    pieces = [text_of(piece, sentence) for piece in _pieces(tail)]
    text = asked(core, subject, " ".join(pieces), contracted=contracted)
    front = f"{text_of(fronted, sentence)}, " if fronted else ""
    kept = (*fronted, *core.phrase, core.clause.verb, *tail)
    yield text_of(left_out, sentence), kept, f"{front}{wh} {text}" if text else ""


def _pieces(tokens: Sequence[Token]) -> list[list[Token]]:
    """Runs of neighbours."""
    runs: list[list[Token]] = []
    for token in tokens:
        if runs and runs[-1][-1].i == token.i - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _whole(core: Core, phrase: Sequence[Token]) -> bool:
    """Whether the phrase lies in the predicate in full."""
    kept = {t.i for t in core.tail}
    return all(t.i in kept for t in phrase)


def _tells(tokens: Sequence[Token], text: str, *, vague: bool) -> bool:
    """Whether enough is said to find a passage by; who and what say less than which ferry."""
    content = sum(telling(t) for t in tokens)
    return content >= FEWEST + vague and len(text.split()) > FEWEST


def _bare(answer: str) -> str:
    told = answer.lower().split()
    return " ".join("and" if word == "or" else word for word in told if word not in {"a", "an", "the", "any", "some"})


RULES = (
    ("subject", _on_subject),
    ("object", _on_object),
    ("object", _on_complement),
    ("adjunct", _on_time_or_place),
)
