"""Questions that a clause answers: about its subject, its object, its time and its place.

The same question is built for a clause and for its negation, so that each belongs to one document: what does the museum
sell, what does the museum not sell. A rule that is not certain of the wording builds no question.
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
from litotes.synthesis.by_rule.clause_core import ClauseCore, clause_core, inverted_clause, named_subject
from litotes.synthesis.by_rule.noun_phrases import (
    NOUNS,
    Names,
    is_a,
    is_content_word,
    quantified,
    question_word,
    resolved,
    text_of,
)
from litotes.synthesis.by_rule.query_words import query_words

FEWEST_WORDS = 3
TIMES = word_set("time_nouns")


@dataclass(frozen=True, slots=True)
class ClauseQuestion:
    """A question, what it asks for, and the words that answer it."""

    focus: str
    """What it asks for: subject, object or adjunct."""
    answer: str
    """The words of the text that answer it, without articles."""
    text: str
    """The question, without a capital and a question mark."""


def questions(clause: Clause, names: Names, *, contracted: bool = False) -> Iterator[ClauseQuestion]:
    """Yield every question that the clause certainly answers; `contracted` uses "doesn't it" for "does it not"."""
    core = clause_core(clause)
    if core is None:
        return
    for focus, rule in RULES:
        for answer, tokens, text in rule(core, names, contracted):
            if text and _is_specific(tokens, text, vague=focus == "subject" and "which" not in text):
                yield ClauseQuestion(focus, _without_articles(answer), " ".join(text.split()))


Questions = Iterator[tuple[str, Sequence[Token], str]]
"""Answer, tokens of the question, and its text."""


def _on_subject(core: ClauseCore, names: Names, contracted: bool) -> Questions:
    """Ask for the subject: The old boats run in winter. → which boats run in winter"""
    del contracted
    sentence, clause, subject = core.sentence, core.clause, core.subject
    joined = sentence.child(subject, "conj") is not None
    wh = ("what" if _are_things(core) else "") if joined else question_word(sentence, subject, names)
    rest = (*core.fronted, *core.predicate)
    if not wh or not resolved(rest):
        return
    attribute = sentence.child(clause.verb, "attr")
    if attribute is not None and (wh in {"what", "who"} or not _indefinite(core, attribute) or attribute.lower in wh):
        # "What is the capital": one would ask for the complement instead.
        return
    predicate = text_of(core.predicate, sentence)
    plural = joined or subject.tag in {"NNS", "NNPS"}
    if wh in {"what", "who"} and plural:
        finite = agreeing(clause, plural=False)
        before = text_of(core.adverbs, sentence)
        predicate = f"{before} {finite}{sentence.text[clause.finite.end : core.predicate[-1].end]}"
    front = f"{text_of(core.fronted, sentence)}, " if core.fronted else ""
    tokens = (subject, *rest) if wh.startswith("which") else rest
    yield text_of(core.phrase, sentence), tokens, f"{front}{wh} {predicate}"


def _are_things(core: ClauseCore) -> bool:
    """Whether no joined noun of the subject is a person or a name: pottery and maps."""
    nouns = [t for t in core.phrase if t.tag in NOUNS]
    return resolved(core.phrase) and not any(
        is_a("persons", t) or t.tag in PROPER or quantified(core.sentence, t) for t in nouns
    )


def _indefinite(core: ClauseCore, attribute: Token) -> bool:
    article = core.sentence.child(attribute, "det")
    return attribute.tag in {"NN", "NNS"} and (article is None or article.lower in {"a", "an", "no", "not"})


def _on_object(core: ClauseCore, names: Names, contracted: bool) -> Questions:
    """Ask for the object: The museum sells old maps. → what does the museum sell"""
    sentence, verb = core.sentence, core.clause.verb
    noun = sentence.child(verb, "dobj")
    others = sentence.child(verb, "dative", "prt", "xcomp", "ccomp", "oprd", "auxpass") is not None
    if noun is None or others or (lemma(verb.lower, "V") == "include" and core.subject.tag != "NN"):
        return
    phrase = sentence.phrase(noun)
    if (
        lemma(verb.lower, "V") in query_words("light_verbs")
        or phrase[0].i != verb.i + 1
        or not _in_predicate(core, phrase)
    ):
        return
    joined = sentence.child(noun, "conj") is not None
    wh = "what" if joined else question_word(sentence, noun, names)
    if not wh or quantified(sentence, noun) or noun.lower in word_set("light_objects"):
        return
    following = next((t for t in core.tail if t.i == phrase[-1].i + 1), None)
    if following is not None and following.tag == "IN" and following.lower not in query_words("verbal_prepositions"):
        # "the private beach across the road": the phrase may say which beach.
        return
    yield from _inverted(core, names, contracted, wh, phrase)


def _on_complement(core: ClauseCore, names: Names, contracted: bool) -> Questions:
    """Ask for the object of a preposition: The price depends on the season. → what does the price depend on"""
    sentence, verb = core.sentence, core.clause.verb
    adjective = sentence.child(verb, "acomp")
    for preposition in sentence.children(adjective or verb, "prep"):
        noun = sentence.child(preposition, "pobj")
        stranded = _can_be_stranded(verb, adjective, preposition)
        if noun is None or not stranded or quantified(sentence, noun) or noun.lower in TIMES:
            continue
        phrase = sentence.phrase(noun)
        if not _in_predicate(core, phrase) or sentence.child(noun, "conj") is not None:
            continue
        wh = "who" if is_a("persons", noun) else "what"
        yield from _inverted(core, names, contracted, wh, phrase)


def _can_be_stranded(verb: Token, adjective: Token | None, preposition: Token) -> bool:
    """Whether the preposition can end the question: what does it depend on, who is it safe for."""
    if adjective is None:
        return f"{lemma(verb.lower, 'V')}_{preposition.lower}" in query_words("stranding")
    return adjective.lower in query_words("stranding_adjectives") and preposition.lower in {"for", "to"}


def _on_time_or_place(core: ClauseCore, names: Names, contracted: bool) -> Questions:
    """Ask for time or place: The ferry runs on Sundays. → when does the ferry run"""
    sentence, clause, verb = core.sentence, core.clause, core.clause.verb
    if clause.tense == "VBD" or (clause.operator == "have" and clause.finite.i != verb.i):
        # Nobody asks when a thing was not built.
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
        # Nobody asks where it does not stand.
        phrases["where"] = []
    for wh, candidates in phrases.items():
        if len(candidates) != 1 or sentence.tokens[candidates[0][0].head].i != verb.i:
            continue
        phrase = candidates[0]
        inside = _in_predicate(core, phrase) and not core.fronted
        if inside or list(phrase) == list(core.fronted):
            yield from _inverted(core, names, contracted, wh, phrase)


def _times(core: ClauseCore) -> int:
    """Return how many times of day, days or seasons the clause names."""
    nouns = [t for t in (*core.fronted, *core.tail) if t.dep in {"pobj", "npadvmod"}]
    return sum(t.tag == "CD" or lemma(t.lower, "NN") in TIMES for t in nouns)


def _when_or_where(core: ClauseCore, preposition: Token, noun: Token) -> str:
    year = noun.tag == "CD" and len(noun.text) == 4 and noun.text.isdigit()
    article = core.sentence.child(noun, "det")
    if article is not None and article.lower not in {"the", "a", "an"}:
        return ""
    if year or lemma(noun.lower, "NN") in TIMES:
        return "when" if preposition.lower in query_words("when_prepositions") else ""
    if preposition.lower not in query_words("where_prepositions") or core.sentence.child(noun, "conj") is not None:
        return ""
    named = noun.tag in PROPER and preposition.lower in {"in", "at", "near"} and len(noun.text) > 2
    foreign = any(t.lower in query_words("languages") | query_words("no_places") for t in core.sentence.phrase(noun))
    return "where" if (named or is_a("places", noun)) and not foreign else ""


def _inverted(core: ClauseCore, names: Names, contracted: bool, wh: str, answer: Sequence[Token]) -> Questions:
    """Build the question without the words that answer it."""
    sentence, subject = core.sentence, named_subject(core, names)
    removed = {t.i for t in answer}
    tail = [t for t in core.tail if t.i not in removed]
    fronted = [t for t in core.fronted if t.i not in removed]
    following = next((t for t in tail if t.i == answer[-1].i + 1), None)
    torn = following is not None and (following.tag in WH or following.lower == "that")
    if not subject or torn or not resolved((*fronted, *tail, *answer)):
        return
    if core.clause.operator == "have" and sentence.child(core.subject, "conj") is not None:
        # Which treasury had wars and building projects drained?
        return
    pieces = [text_of(run, sentence) for run in _runs(tail)]
    text = inverted_clause(core, subject, " ".join(pieces), contracted=contracted)
    front = f"{text_of(fronted, sentence)}, " if fronted else ""
    tokens = (*fronted, *core.phrase, core.clause.verb, *tail)
    yield text_of(answer, sentence), tokens, f"{front}{wh} {text}" if text else ""


def _runs(tokens: Sequence[Token]) -> list[list[Token]]:
    """Group adjacent tokens."""
    runs: list[list[Token]] = []
    for token in tokens:
        if runs and runs[-1][-1].i == token.i - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _in_predicate(core: ClauseCore, phrase: Sequence[Token]) -> bool:
    """Whether the whole phrase is in the predicate."""
    places = {t.i for t in core.tail}
    return all(t.i in places for t in phrase)


def _is_specific(tokens: Sequence[Token], text: str, *, vague: bool) -> bool:
    """Whether the question can find a passage; "who" and "what" are vaguer than "which ferry"."""
    content = sum(is_content_word(t) for t in tokens)
    return content >= FEWEST_WORDS + vague and len(text.split()) > FEWEST_WORDS


def _without_articles(answer: str) -> str:
    words = answer.lower().split()
    return " ".join("and" if word == "or" else word for word in words if word not in {"a", "an", "the", "any", "some"})


RULES = (
    ("subject", _on_subject),
    ("object", _on_object),
    ("object", _on_complement),
    ("adjunct", _on_time_or_place),
)
