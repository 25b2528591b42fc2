"""Queries for a sentence and its negation, in three styles: a question, keywords as people type them, a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.detection import Clause, main_clause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Sentence, Token
from litotes.rewrite.letters import capital
from litotes.synthesis.by_rule.clause_core import NOT, ClauseCore, clause_core
from litotes.synthesis.by_rule.noun_phrases import Names, full_name, is_content_word, plain, resolved
from litotes.synthesis.by_rule.query_words import query_words
from litotes.synthesis.by_rule.questions import questions

# The styles with their weights. A statement is nearly always possible, a question less often.
STYLES = {"question": 4, "keywords": 3, "statement": 2}
LONGEST_STATEMENT = 20
FEWEST_WORDS, MOST_WORDS = 3, 12
ARTICLES = frozenset({"a", "an", "the"})
HAVE = frozenset({"has", "have", "had", "'ve"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"})
TIMES = word_set("time_nouns")


@dataclass(frozen=True, slots=True)
class QueryPair:
    """A query for each of two documents, in one style."""

    style: str
    first: str
    second: str
    focus: str = ""
    """What a question asks for: subject, object or adjunct."""


def query_pairs(first: Sentence, second: Sentence, names: Names) -> Iterator[QueryPair]:
    """Yield every pair of queries that distinguishes the two sentences."""
    first_clause, second_clause = main_clause(first), main_clause(second)
    if not isinstance(first_clause, Clause) or not isinstance(second_clause, Clause):
        return
    yield from _question_pairs(first_clause, second_clause, names)
    for style, build in (("keywords", keywords), ("statement", statement)):
        queries = build(first_clause, names), build(second_clause, names)
        if all(queries) and queries[0] != queries[1]:
            yield QueryPair(style, *queries)


def _question_pairs(first: Clause, second: Clause, names: Names) -> Iterator[QueryPair]:
    """Yield the questions of both clauses that share their focus, their answer and their question word."""
    seen: set[tuple[str, str]] = set()
    for contracted in (False, True):
        by_key = {
            (q.focus, q.answer, _question_word(q.text)): q for q in questions(second, names, contracted=contracted)
        }
        for question in questions(first, names, contracted=contracted):
            match = by_key.get((question.focus, question.answer, _question_word(question.text)))
            if match is None or match.text == question.text or _differ_in_case(question.text, match.text):
                continue
            for form in (str, _without_contractions) if question.focus == "subject" else (str,):
                texts = form(question.text), form(match.text)
                if texts not in seen:
                    seen.add(texts)
                    yield QueryPair("question", f"{capital(texts[0])}?", f"{capital(texts[1])}?", question.focus)


def _differ_in_case(first: str, second: str) -> bool:
    """Whether the two parses disagree about what is a name."""
    spellings = {word.lower(): word for word in first.split()}
    return any(spellings.get(word.lower(), word) != word for word in second.split())


def _question_word(text: str) -> str:
    match = re.search(r"\b(who|what|when|where|which \w+)\b", text)
    return match[0] if match else ""


CONTRACTED = ((re.compile(r"\bcan['’]t\b"), "cannot"), (re.compile(r"\bwon['’]t\b"), "will not"))
NEGATED = re.compile(r"(?<=\w)n['’]t\b")


def _without_contractions(text: str) -> str:
    """Expand negations (doesn't → does not), which only a question about the subject allows."""
    for pattern, full in CONTRACTED:
        text = pattern.sub(full, text)
    return NEGATED.sub(" not", text)


def statement(clause: Clause, names: Names) -> str:
    """Return the sentence itself; "" if a word refers to something outside it."""
    del names
    sentence = clause.sentence
    if clause.subject is None or clause.mood != "declarative" or len(sentence.tokens) > LONGEST_STATEMENT:
        return ""
    if not resolved(sentence.tokens, bound=True) or sentence.tokens[-1].lower != "." or not _pronouns_bound(clause):
        return ""
    if clause.subject.tag in {"DT", "JJ", "CD", "PDT"} and sentence.child(clause.subject, "prep") is None:
        # "Some have been reprinted": some of what?
        return ""
    return sentence.text[sentence.start : sentence.end].strip(" .")


def _pronouns_bound(clause: Clause) -> bool:
    """Whether "its" and "their" can refer to the subject; for "his" and "her" this is not certain."""
    owners = {t.lower for t in clause.sentence.tokens if t.tag == "PRP$"}
    if clause.subject is None or clause.existential:
        return not owners
    return owners <= ({"their"} if clause.subject.tag in {"NNS", "NNPS"} else {"its"})


def keywords(clause: Clause, names: Names) -> str:
    """Return the keywords: The winter ferry does not run on Sundays. → winter ferry not running sundays"""
    parts = _existential_parts(clause) if clause.existential else _parts(clause)
    if parts is None:
        return ""
    before, group, after = parts
    tokens = (*before, *after)
    if not resolved(tokens) or not plain(tokens):
        return ""
    words = (_as_typed(clause.sentence, before), group, _as_typed(clause.sentence, after))
    text = " ".join(part for part in words if part)
    if not clause.existential and clause.subject is not None:
        name = full_name(clause.sentence, clause.subject, names).lower().removeprefix("the ")
        text = f"{name} {text.split(' ', 1)[1]}" if name else text
    if not after and not group.replace("not", "").strip():
        # "The aims are": the rest is elsewhere.
        return ""
    content = sum(is_content_word(t) for t in tokens)
    return text if FEWEST_WORDS <= len(text.split()) <= MOST_WORDS and content >= FEWEST_WORDS - 1 else ""


Parts = tuple[Sequence[Token], str, Sequence[Token]]
"""The words before the verb group, the verb group as typed, and the words after it."""


def _existential_parts(clause: Clause) -> Parts | None:
    """Take an existential clause apart: There is no footbridge at the mill. → no footbridge at mill"""
    sentence = clause.sentence
    if clause.verb.lower not in {"is", "are"} or clause.subject is None or clause.subject.i != 0:
        return None
    rest = sentence.tokens[clause.verb.i + 1 :]
    negated = bool(rest) and rest[0].lower in NOT
    words = [t for t in rest[negated:] if t.tag != "."]
    if any(t.tag in {",", ":"} or t.dep in {"conj", "advcl", "relcl"} for t in words):
        return None
    return (), "no" if negated else "", [t for t in words if t.lower != "any"]


def _parts(clause: Clause) -> Parts | None:
    core = clause_core(clause)
    if core is None or core.fronted or (core.clause.negations and not core.invertible and not _has_no(core)):
        return None
    sentence, verb = core.sentence, clause.verb
    thing = sentence.child(verb, "dobj")
    if lemma(verb.lower, "V") == "have" and clause.operator in {"", "do"} and thing is not None:
        # The clinic has a pharmacy. → clinic with pharmacy
        if sentence.child(thing, "nummod") is not None or sentence.child(verb, "xcomp") is not None or core.adverbs:
            return None
        without = core.negator is not None or _is_no(core.tail[0])
        tail = [t for t in core.tail if not (t.lower in {"no", "any"} and t.dep == "det")]
        return core.phrase, "without" if without else "with", tail
    return core.phrase, _verb_group(core), core.tail


def _has_no(core: ClauseCore) -> bool:
    """Whether the subject or the object begins with "no": has no pharmacy; no seat is free."""
    return any(_is_no(t) for t in (core.phrase[0], *core.tail[:1]))


def _is_no(token: Token) -> bool:
    return token.lower == "no" and token.tag == "DT"


def _verb_group(core: ClauseCore) -> str:
    """Return the verb group as people type it: without forms of be, with its negation."""
    clause, negator, verb = core.clause, core.negator, core.clause.verb
    words = [t for t in (*core.adverbs, *core.group) if negator is None or t.i != negator.i]
    base = lemma(verb.lower, "V")
    negation = [] if negator is None else ["not"]
    finite = clause.finite.lower
    others = [t.lower for t in words if t.i != clause.finite.i]
    if clause.tense == "MD":
        # cannot bring dogs
        modal = {"ca": "can", "wo": "will", "sha": "shall"}.get(finite, finite)
        return " ".join(["cannot" if negation and modal == "can" else " ".join([modal, *negation]), *others])
    if any(t.lower in BE for t in words):
        # not approved for children
        return " ".join([*negation, *(t.lower for t in words if t.lower not in BE | HAVE)])
    if (
        clause.tense in {"VBZ", "VBP"}
        and base in query_words("activities") - query_words("light_verbs")
        and clause.operator in {"", "do"}
    ):
        # not running sundays
        return " ".join([*negation, *(t.lower for t in words if t.tag == "RB"), inflect(base, "VBG")])
    if negation:
        return " ".join([finite, *negation, *others])
    return " ".join(others) if clause.finite.i != verb.i else " ".join(t.lower for t in words)


def _as_typed(sentence: Sentence, tokens: Sequence[Token]) -> str:
    """Return the words in lower case, without articles and commas, and without a preposition before a time."""
    text = ""
    end = -1
    for token in tokens:
        if (token.lower in ARTICLES and not _is_needed(sentence, token)) or token.tag in {",", "."}:
            continue
        if _precedes_time(sentence, token):
            continue
        text += (" " if text and token.start != end else "") + token.text.lower()
        end = token.end
    return text


PARTS = frozenset({"all", "any", "both", "each", "half", "many", "most", "none", "some"})


def _is_needed(sentence: Sentence, article: Token) -> bool:
    """Whether the phrase needs its article: eighteen euros a day; some of the boats."""
    before = sentence.before(article)
    whole = sentence.tokens[before.head] if before is not None and before.lower == "of" else None
    partitive = whole is not None and (whole.tag == "CD" or whole.lower in PARTS)
    noun = sentence.tokens[article.head]
    measure = article.lower != "the" and lemma(noun.lower, "NN") in TIMES and noun.dep in {"pobj", "npadvmod"}
    after = sentence.after(article)
    amount = after is not None and after.lower in {"lot", "few", "little", "bit"}
    return sentence.tokens[article.head].dep == "npadvmod" or partitive or amount or measure


def _precedes_time(sentence: Sentence, token: Token) -> bool:
    """Whether the word is a preposition before a time: on Sundays → sundays"""
    if token.lower not in {"on", "in"} or token.dep != "prep":
        return False
    noun = sentence.child(token, "pobj") if sentence.tokens[token.head].tag[:1] in "VM" else None
    short = noun is not None and sentence.after(token) == noun
    return short and noun is not None and (noun.tag == "CD" or lemma(noun.lower, "NN") in TIMES)
