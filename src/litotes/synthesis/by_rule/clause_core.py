"""The parts of a clause that a query is built from: fronted phrase, subject, verb group and predicate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litotes.detection import Clause
from litotes.detection.clauses import BOUNDARY
from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.grammar import DO, contracted_forms, full_form
from litotes.synthesis.by_rule.noun_phrases import NOUNS, Names, full_name, plain, quantified, resolved, text_of
from litotes.synthesis.by_rule.query_words import query_words

LONGEST_SUBJECT = 9
STOPS = frozenset({"cc", "conj", "parataxis", "punct"})
NOT = frozenset({"not", "n't"})


@dataclass(frozen=True, slots=True)
class ClauseCore:
    """A declarative main clause without gaps, from its fronted phrase to the end of its predicate."""

    clause: Clause
    subject: Token
    fronted: Sequence[Token]
    """A prepositional phrase before the subject, without its comma."""
    phrase: Sequence[Token]
    """The subject's phrase."""
    adverbs: Sequence[Token]
    """Adverbs between the subject and the finite word: now, often."""
    group: Sequence[Token]
    """From the finite word to the verb, both included; after a copula, also its "not"."""
    tail: Sequence[Token]
    """From the word after the verb to the end of the predicate."""

    @property
    def sentence(self) -> Sentence:
        return self.clause.sentence

    @property
    def predicate(self) -> Sequence[Token]:
        return (*self.adverbs, *self.group, *self.tail)

    @property
    def negator(self) -> Token | None:
        """The "not" on the finite word."""
        return next((t for t in self.group if t.lower in NOT and t.i <= self.clause.finite.i + 2), None)

    @property
    def invertible(self) -> bool:
        """Whether the clause has no negation, or only "not" or "never" in its verb group."""
        inside = {t.i for t in (*self.adverbs, *self.group) if t.lower in NOT or t.lower == "never"}
        return all(set(cue.tokens) <= inside for cue in self.clause.negations) and len(self.clause.negations) <= 1


def clause_core(clause: Clause) -> ClauseCore | None:
    """Return the parts of a clause, or None if they are not in the plain order."""
    sentence, subject, finite, verb = clause.sentence, clause.subject, clause.finite, clause.verb
    if subject is None or clause.mood != "declarative" or clause.question_tag or subject.head != verb.i:
        return None
    phrase = sentence.phrase(subject)
    fronted = _fronted(sentence, sentence.tokens[: phrase[0].i], verb)
    if fronted is None or phrase[-1].i >= finite.i or finite.i > verb.i:
        return None
    adverbs = sentence.tokens[phrase[-1].i + 1 : finite.i]
    after = sentence.after(verb)
    negated = verb.i == finite.i and after is not None and after.lower in NOT
    group = sentence.tokens[finite.i : verb.i + 1 + negated]
    after_verb = _tail(sentence, verb)
    if after_verb is None:
        return None
    tail = after_verb[negated:]
    if any(t.tag != "RB" for t in adverbs) or (adverbs and clause.operator):
        return None
    if any(t.tag == "," for t in group) or (any(t.tag == "," for t in phrase) and not _plain_list(phrase)):
        return None
    if not plain((*fronted, *phrase, *adverbs, *group, *tail)) or any(_stray(sentence, t, verb) for t in group):
        return None
    if any(hidden_verb(sentence, t) for t in tail) or (tail and tail[-1].tag in {"CC", "IN", "DT", "TO", "PRP$"}):
        return None
    return ClauseCore(clause, subject, fronted, phrase, adverbs, group, tail)


def _fronted(sentence: Sentence, tokens: Sequence[Token], verb: Token) -> Sequence[Token] | None:
    """Return the prepositional phrase before the subject ("In winter, …"); None if anything else is there."""
    front = tokens[:-1] if tokens and tokens[-1].tag == "," else tokens
    if not front:
        return None if tokens else ()
    first = front[0]
    whole = first.dep == "prep" and first.head == verb.i and sentence.right(first).i == front[-1].i
    known_preposition = first.lower in query_words("fronted_prepositions")
    return front if whole and all(t.tag != "," for t in front) and known_preposition else None


def _tail(sentence: Sentence, verb: Token) -> Sequence[Token] | None:
    """Return the predicate after the verb, up to a joined predicate or an afterthought.

    Return None if a clause in the predicate is interrupted: the announcement that Lonergan, the writer, …
    """
    last = verb
    for child in sentence.children(verb):
        if child.i < verb.i:
            continue
        before = sentence.tokens[sentence.left(child).i - 1]
        if child.dep in STOPS or (child.dep == "advcl" and before.tag == ","):
            break
        last = sentence.right(child)
    tail = sentence.tokens[verb.i + 1 : last.i + 1]
    for token in tail:
        if token.tag == "," and not _joins_nouns(sentence, token):
            if any(t.dep in BOUNDARY for t in tail if t.i < token.i):
                return None
            tail = sentence.tokens[verb.i + 1 : token.i]
            break
    return tail[:-1] if tail and tail[-1].tag in {".", ",", ":"} else tail


def _joins_nouns(sentence: Sentence, comma: Token) -> bool:
    """Whether the comma is between joined nouns or adjectives: pottery, maps and coins; a rough, brown skin."""
    head = sentence.tokens[comma.head]
    if head.i > comma.i:
        return True
    return any(joined.i > comma.i and joined.tag[:1] in "NJCR" for joined in sentence.children(head, "conj"))


def ends_cleanly(document: Document, number: int) -> bool:
    """Whether this sentence and the one before it end with punctuation, so that the parser split them correctly."""
    ends = [sentence.tokens[-1].text[-1] for sentence in document.sentences[max(0, number - 1) : number + 1]]
    return all(end in '.!?"”)' for end in ends)


def hidden_verb(sentence: Sentence, token: Token) -> bool:
    """Whether a "plural noun" is probably a verb: is run by volunteers and closes in January."""
    before, after = sentence.before(token), sentence.after(token)
    if token.tag != "NNS" or before is None or before.tag != "CC" or after is None:
        return False
    stem = lemma(token.lower, "V")
    return (
        known(stem, "V") and inflect(stem, "VBZ") == token.lower and after.tag in {"IN", "DT", "RB", "PRP$", "TO", "RP"}
    )


def _plain_list(tokens: Sequence[Token]) -> bool:
    """Whether the tokens are only nouns, articles and adjectives: pottery, old maps and the coins."""
    return all(t.tag in NOUNS or t.tag in {",", "CC", "DT", "JJ"} for t in tokens)


def _stray(sentence: Sentence, token: Token, verb: Token) -> bool:
    """Whether a word in the verb group belongs elsewhere."""
    return verb.i not in {token.head, token.i} and sentence.tokens[token.head].head != verb.i


def named_subject(core: ClauseCore, names: Names) -> str:
    """Return the subject as a query about something else names it; "" if only the passage says what it is."""
    sentence, subject = core.sentence, core.subject
    name = full_name(sentence, subject, names)
    if name:
        return name
    relative = sentence.child(subject, "relcl", "appos") is not None
    if len(core.phrase) > LONGEST_SUBJECT or relative or quantified(sentence, subject) or not resolved(core.phrase):
        return ""
    return text_of(core.phrase, sentence)


def inverted_clause(core: ClauseCore, subject: str, tail: str, *, contracted: bool) -> str:
    """Return auxiliary, subject and verb in the order of a question; "" if that is impossible.

    Examples: does the ferry not run in winter; isn't the ferry open.
    """
    clause, negator = core.clause, core.negator
    auxiliary = full_form(clause) if clause.operator else DO.get(clause.tense, "")
    if not auxiliary or not core.invertible:
        return ""
    rest = [t.text for t in core.group[1:] if negator is None or t.i != negator.i] if clause.operator else [clause.base]
    adverbs = [t.text for t in core.adverbs]
    short = contracted_forms().get(auxiliary, "")
    if negator is not None and contracted and short:
        order = [short, subject, *adverbs, *rest]
    else:
        order = [auxiliary, subject, *(["not"] if negator is not None else []), *adverbs, *rest]
    return " ".join(word for word in (*order, tail) if word)
