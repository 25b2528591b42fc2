"""Queries for a sentence and its denial, in three styles: a question, keywords as people type them, the statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.detection import Clause, main_clause
from litotes.lexicon import word_set
from litotes.lexicon.morphology import inflect, lemma
from litotes.parse import Sentence, Token
from litotes.rewrite.letters import capital
from litotes.synth.by_rule.core import NOT, Core, core
from litotes.synth.by_rule.nouns import Naming, full_name, plain, resolved, telling
from litotes.synth.by_rule.questions import questions
from litotes.synth.by_rule.words import words

# with weights for the draw: a statement can nearly always be had, a question less often
STYLES = {"question": 4, "keywords": 3, "statement": 2}
LONGEST_STATEMENT = 20
FEWEST, MOST = 3, 12
ARTICLES = frozenset({"a", "an", "the"})
HAVE = frozenset({"has", "have", "had", "'ve"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"})
TIMES = word_set("time_nouns")


@dataclass(frozen=True, slots=True)
class Pair:
    """A query for each of two documents, in one style."""

    style: str
    first: str
    second: str
    focus: str = ""
    """what a question asks for: subject, object, adjunct"""


def pairs(first: Sentence, second: Sentence, known: Naming) -> Iterator[Pair]:
    """Every pair of queries that tells the two sentences apart."""
    one, other = main_clause(first), main_clause(second)
    if not isinstance(one, Clause) or not isinstance(other, Clause):
        return
    yield from _question_pairs(one, other, known)
    for style, form in (("keywords", keywords), ("statement", statement)):
        made = form(one, known), form(other, known)
        if all(made) and made[0] != made[1]:
            yield Pair(style, *made)


def _question_pairs(one: Clause, other: Clause, known: Naming) -> Iterator[Pair]:
    """The same question of both: on the same part, answered by the same words, opened by the same asking word."""
    seen: set[tuple[str, str]] = set()
    for contracted in (False, True):
        asked = {(q.focus, q.answer, _asking(q.text)): q for q in questions(other, known, contracted=contracted)}
        for question in questions(one, known, contracted=contracted):
            match = asked.get((question.focus, question.answer, _asking(question.text)))
            if match is None or match.text == question.text or _recased(question.text, match.text):
                continue
            for change in (str, _written_out) if question.focus == "subject" else (str,):
                made = change(question.text), change(match.text)
                if made not in seen:
                    seen.add(made)
                    yield Pair("question", f"{capital(made[0])}?", f"{capital(made[1])}?", question.focus)


def _recased(first: str, second: str) -> bool:
    """Whether the two parses disagree about what is a name."""
    spelt = {word.lower(): word for word in first.split()}
    return any(spelt.get(word.lower(), word) != word for word in second.split())


def _asking(text: str) -> str:
    found = re.search(r"\b(who|what|when|where|which \w+)\b", text)
    return found[0] if found else ""


CONTRACTED = ((re.compile(r"\bcan['’]t\b"), "cannot"), (re.compile(r"\bwon['’]t\b"), "will not"))
NEGATED = re.compile(r"(?<=\w)n['’]t\b")


def _written_out(text: str) -> str:
    """doesn't → does not, which only a question on the subject allows"""
    for pattern, full in CONTRACTED:
        text = pattern.sub(full, text)
    return NEGATED.sub(" not", text)


def statement(clause: Clause, known: Naming) -> str:
    """The sentence itself; "" where a word of it points out of it."""
    del known
    sentence = clause.sentence
    if clause.subject is None or clause.mood != "declarative" or len(sentence.tokens) > LONGEST_STATEMENT:
        return ""
    if not resolved(sentence.tokens, bound=True) or sentence.tokens[-1].lower != "." or not _bound(clause):
        return ""
    if clause.subject.tag in {"DT", "JJ", "CD", "PDT"} and sentence.child(clause.subject, "prep") is None:
        # Some have been reprinted: some of what?
        return ""
    return sentence.text[sentence.start : sentence.end].strip(" .")


def _bound(clause: Clause) -> bool:
    """Whether "its" and "their" can speak of the subject; of "his" and "her" one cannot be sure."""
    owners = {t.lower for t in clause.sentence.tokens if t.tag == "PRP$"}
    if clause.subject is None or clause.existential:
        return not owners
    return owners <= ({"their"} if clause.subject.tag in {"NNS", "NNPS"} else {"its"})


def keywords(clause: Clause, known: Naming) -> str:
    """The winter ferry does not run on Sundays. → winter ferry not running sundays"""
    parts = _existing(clause) if clause.existential else _parts(clause, known)
    if parts is None:
        return ""
    before, group, after = parts
    tokens = (*before, *after)
    if not resolved(tokens) or not plain(tokens):
        return ""
    text = " ".join(part for part in (_typed(clause.sentence, before), group, _typed(clause.sentence, after)) if part)
    if not clause.existential and clause.subject is not None:
        name = full_name(clause.sentence, clause.subject, known).lower().removeprefix("the ")
        text = f"{name} {text.split(' ', 1)[1]}" if name else text
    if not after and not group.replace("not", "").strip():
        # The aims are: what they are stands elsewhere
        return ""
    content = sum(telling(t) for t in tokens)
    return text if FEWEST <= len(text.split()) <= MOST and content >= FEWEST - 1 else ""


Parts = tuple[Sequence[Token], str, Sequence[Token]]


def _existing(clause: Clause) -> Parts | None:
    """There is no footbridge at the mill. → no footbridge at mill"""
    sentence = clause.sentence
    if clause.verb.lower not in {"is", "are"} or clause.subject is None or clause.subject.i != 0:
        return None
    rest = sentence.tokens[clause.verb.i + 1 :]
    negated = bool(rest) and rest[0].lower in NOT
    said = [t for t in rest[negated:] if t.tag != "."]
    if any(t.tag in {",", ":"} or t.dep in {"conj", "advcl", "relcl"} for t in said):
        return None
    return (), "no" if negated else "", [t for t in said if t.lower != "any"]


def _parts(clause: Clause, known: Naming) -> Parts | None:
    found = core(clause)
    if found is None or found.fronted or (found.clause.negations and not found.invertible and not _no(found)):
        return None
    sentence, verb = found.sentence, clause.verb
    thing = sentence.child(verb, "dobj")
    if lemma(verb.lower, "V") == "have" and clause.operator in {"", "do"} and thing is not None:
        # The clinic has a pharmacy. → clinic with pharmacy
        if sentence.child(thing, "nummod") is not None or sentence.child(verb, "xcomp") is not None or found.adverbs:
            return None
        without = found.negator is not None or _is_no(found.tail[0])
        tail = [t for t in found.tail if not (t.lower in {"no", "any"} and t.dep == "det")]
        return found.phrase, "without" if without else "with", tail
    return found.phrase, _group(found), found.tail


def _no(found: Core) -> bool:
    """has no pharmacy; no seat is free"""
    return any(_is_no(t) for t in (found.phrase[0], *found.tail[:1]))


def _is_no(token: Token) -> bool:
    return token.lower == "no" and token.tag == "DT"


def _group(found: Core) -> str:
    """The verb group as people type it: without forms of be, with its negation."""
    clause, negator, verb = found.clause, found.negator, found.clause.verb
    said = [t for t in (*found.adverbs, *found.group) if negator is None or t.i != negator.i]
    base = lemma(verb.lower, "V")
    denial = [] if negator is None else ["not"]
    finite = clause.finite.lower
    others = [t.lower for t in said if t.i != clause.finite.i]
    if clause.tense == "MD":
        # cannot bring dogs
        modal = {"ca": "can", "wo": "will", "sha": "shall"}.get(finite, finite)
        return " ".join(["cannot" if denial and modal == "can" else " ".join([modal, *denial]), *others])
    if any(t.lower in BE for t in said):
        # not approved for children
        return " ".join([*denial, *(t.lower for t in said if t.lower not in BE | HAVE)])
    if (
        clause.tense in {"VBZ", "VBP"}
        and base in words("activities") - words("light_verbs")
        and clause.operator in {"", "do"}
    ):
        # not running sundays
        return " ".join([*denial, *(t.lower for t in said if t.tag == "RB"), inflect(base, "VBG")])
    if denial:
        return " ".join([finite, *denial, *others])
    return " ".join(others) if clause.finite.i != verb.i else " ".join(t.lower for t in said)


def _typed(sentence: Sentence, tokens: Sequence[Token]) -> str:
    """Lower case, articles and commas left out, no preposition before a time."""
    text = ""
    end = -1
    for token in tokens:
        if (token.lower in ARTICLES and not _needed(sentence, token)) or token.tag in {",", "."}:
            continue
        if _dated(sentence, token):
            continue
        text += (" " if text and token.start != end else "") + token.text.lower()
        end = token.end
    return text


PARTS = frozenset({"all", "any", "both", "each", "half", "many", "most", "none", "some"})


def _needed(sentence: Sentence, article: Token) -> bool:
    """eighteen euros a day; some of the boats"""
    before = sentence.before(article)
    whole = sentence.tokens[before.head] if before is not None and before.lower == "of" else None
    partitive = whole is not None and (whole.tag == "CD" or whole.lower in PARTS)
    noun = sentence.tokens[article.head]
    measure = article.lower != "the" and lemma(noun.lower, "NN") in TIMES and noun.dep in {"pobj", "npadvmod"}
    after = sentence.after(article)
    amount = after is not None and after.lower in {"lot", "few", "little", "bit"}
    return sentence.tokens[article.head].dep == "npadvmod" or partitive or amount or measure


def _dated(sentence: Sentence, token: Token) -> bool:
    """on Sundays → sundays"""
    if token.lower not in {"on", "in"} or token.dep != "prep":
        return False
    noun = sentence.child(token, "pobj") if sentence.tokens[token.head].tag[:1] in "VM" else None
    short = noun is not None and sentence.after(token) == noun
    return short and noun is not None and (noun.tag == "CD" or lemma(noun.lower, "NN") in TIMES)
