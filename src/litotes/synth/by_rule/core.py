"""The part of a sentence that a query keeps: what stands before the subject, the subject, the verb group, the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litotes.detection import Clause
from litotes.detection.clauses import BOUNDARY
from litotes.lexicon.morphology import inflect, known, lemma
from litotes.parse import Document, Sentence, Token
from litotes.rewrite.grammar import DO, contracted_forms, full_form
from litotes.synth.by_rule.nouns import NOUNS, Naming, full_name, plain, quantified, resolved, text_of
from litotes.synth.by_rule.words import words

LONGEST_SUBJECT = 9
STOPS = frozenset({"cc", "conj", "parataxis", "punct"})
NOT = frozenset({"not", "n't"})


@dataclass(frozen=True, slots=True)
class Core:
    """A declarative main clause in one piece, from its fronted phrase to the end of its predicate."""

    clause: Clause
    subject: Token
    fronted: Sequence[Token]
    """a prepositional phrase before the subject, its comma left out"""
    phrase: Sequence[Token]
    """the subject's"""
    adverbs: Sequence[Token]
    """between subject and finite word: now, often"""
    group: Sequence[Token]
    """from the finite word to the verb, both included; after a copula its "not" """
    tail: Sequence[Token]
    """from behind the verb to the end of the predicate"""

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
        """Whether the clause denies nothing, or only by "not" or "never" in its verb group."""
        inside = {t.i for t in (*self.adverbs, *self.group) if t.lower in NOT or t.lower == "never"}
        return all(set(cue.tokens) <= inside for cue in self.clause.negations) and len(self.clause.negations) <= 1


def core(clause: Clause) -> Core | None:
    """The clause in one piece, or None where its parts do not stand in the plain order."""
    sentence, subject, finite, verb = clause.sentence, clause.subject, clause.finite, clause.verb
    if subject is None or clause.mood != "declarative" or clause.question_tag or subject.head != verb.i:
        return None
    phrase = sentence.phrase(subject)
    fronted = _fronted(sentence, sentence.tokens[: phrase[0].i], verb)
    if fronted is None or phrase[-1].i >= finite.i or finite.i > verb.i:
        return None
    adverbs = sentence.tokens[phrase[-1].i + 1 : finite.i]
    after = sentence.after(verb)
    denied = verb.i == finite.i and after is not None and after.lower in NOT
    group = sentence.tokens[finite.i : verb.i + 1 + denied]
    behind = _tail(sentence, verb)
    if behind is None:
        return None
    tail = behind[denied:]
    if any(t.tag != "RB" for t in adverbs) or (adverbs and clause.operator):
        return None
    if any(t.tag == "," for t in group) or (any(t.tag == "," for t in phrase) and not _plain_list(phrase)):
        return None
    if not plain((*fronted, *phrase, *adverbs, *group, *tail)) or any(_stray(sentence, t, verb) for t in group):
        return None
    if any(hidden_verb(sentence, t) for t in tail) or (tail and tail[-1].tag in {"CC", "IN", "DT", "TO", "PRP$"}):
        return None
    return Core(clause, subject, fronted, phrase, adverbs, group, tail)


def _fronted(sentence: Sentence, tokens: Sequence[Token], verb: Token) -> Sequence[Token] | None:
    """In winter, …; None where something else than one prepositional phrase stands before the subject."""
    front = tokens[:-1] if tokens and tokens[-1].tag == "," else tokens
    if not front:
        return None if tokens else ()
    first = front[0]
    whole = first.dep == "prep" and first.head == verb.i and sentence.right(first).i == front[-1].i
    return (
        front if whole and all(t.tag != "," for t in front) and first.lower in words("fronted_prepositions") else None
    )


def _tail(sentence: Sentence, verb: Token) -> Sequence[Token] | None:
    """The predicate behind the verb, up to a joined predicate or an afterthought; None where one stands in a clause."""
    last = verb
    for child in sentence.children(verb):
        if child.i < verb.i:
            continue
        before = sentence.tokens[sentence.left(child).i - 1]
        if child.dep in STOPS or (child.dep == "advcl" and before.tag == ","):
            break
        last = sentence.right(child)
    found = sentence.tokens[verb.i + 1 : last.i + 1]
    for token in found:
        if token.tag == "," and not _lists(sentence, token):
            if any(t.dep in BOUNDARY for t in found if t.i < token.i):
                # the announcement that Lonergan, the writer, …
                return None
            found = sentence.tokens[verb.i + 1 : token.i]
            break
    return found[:-1] if found and found[-1].tag in {".", ",", ":"} else found


def _lists(sentence: Sentence, comma: Token) -> bool:
    """pottery, maps and coins: the comma stands between joined nouns"""
    head = sentence.tokens[comma.head]
    if head.i > comma.i:
        # a rough, brown skin
        return True
    return any(joined.i > comma.i and joined.tag[:1] in "NJCR" for joined in sentence.children(head, "conj"))


def set_apart(document: Document, number: int) -> bool:
    """Whether the sentence and the one before it end as sentences do, so that the parser cut at the right place."""
    ends = [sentence.tokens[-1].text[-1] for sentence in document.sentences[max(0, number - 1) : number + 1]]
    return all(end in '.!?"”)' for end in ends)


def hidden_verb(sentence: Sentence, token: Token) -> bool:
    """is run by volunteers and closes in January: a "plural" that may well be a verb"""
    before, after = sentence.before(token), sentence.after(token)
    if token.tag != "NNS" or before is None or before.tag != "CC" or after is None:
        return False
    stem = lemma(token.lower, "V")
    return (
        known(stem, "V") and inflect(stem, "VBZ") == token.lower and after.tag in {"IN", "DT", "RB", "PRP$", "TO", "RP"}
    )


def _plain_list(tokens: Sequence[Token]) -> bool:
    """Pottery, old maps and the coins: nothing but nouns and what leads them"""
    return all(t.tag in NOUNS or t.tag in {",", "CC", "DT", "JJ"} for t in tokens)


def _stray(sentence: Sentence, token: Token, verb: Token) -> bool:
    """A word in the verb group that belongs elsewhere."""
    return verb.i not in {token.head, token.i} and sentence.tokens[token.head].head != verb.i


def named_subject(core: Core, known: Naming) -> str:
    """The subject as a query on something else names it; "" where only the passage says who or what it is."""
    sentence, subject = core.sentence, core.subject
    name = full_name(sentence, subject, known)
    if name:
        return name
    relative = sentence.child(subject, "relcl", "appos") is not None
    if len(core.phrase) > LONGEST_SUBJECT or relative or quantified(sentence, subject) or not resolved(core.phrase):
        return ""
    return text_of(core.phrase, sentence)


def asked(core: Core, subject: str, tail: str, *, contracted: bool) -> str:
    """Auxiliary, subject, verb: does the ferry not run in winter; isn't the ferry open; "" where that cannot be."""
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
