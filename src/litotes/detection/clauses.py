"""Find the main clause: its finite verb, its subject, its mood, and the negations that reach it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from litotes.detection.cues import find_cues, sentential_cues
from litotes.detection.main_verb import FINITE, SUBJECT, main_verb, question_tag
from litotes.detection.mending import mended
from litotes.detection.operators import WH, operator, operators
from litotes.detection.reliability import INNER, doubt, is_inner
from litotes.lexicon import word_set
from litotes.lexicon.morphology import INVARIANT, inflect, known, lemma
from litotes.parse import Sentence, Token
from litotes.types import Cue

BOUNDARY = frozenset({"relcl", "advcl", "ccomp", "acl", "xcomp", "pcomp", "csubj", "csubjpass", "parataxis"})
NO_FINITE_VERB = "no finite verb in the main clause"


@dataclass(frozen=True, slots=True)
class NoClause:
    """The reason why a sentence has no main clause that the rules can use."""

    reason: str


@dataclass(frozen=True)
class Clause:
    """The main clause of a sentence, as the rewriting rules see it."""

    sentence: Sentence
    verb: Token
    """the content verb or the copula"""
    finite: Token
    """the word that carries tense: an auxiliary, a modal or the verb itself"""
    tense: str
    """the Penn tag of the finite word, corrected where the tagger must be wrong"""
    auxiliaries: tuple[Token, ...]
    subject: Token | None
    mood: str
    """declarative, imperative, yes-no, wh, wh-subject, inverted"""
    question_tag: tuple[Token, ...] = field(default=())
    """the tokens of ", isn't she" """

    @cached_property
    def operator(self) -> str:
        """The lemma of the finite word if it takes "not" itself (be, have, do, a modal), or ""."""
        return operator(self.sentence, self.finite, self.verb)

    @cached_property
    def base(self) -> str:
        """The dictionary form of the finite word."""
        if self.finite.lower == "lay" and self.sentence.child(self.verb, "dobj") is not None:
            return "lay"
        return lemma(self.finite.lower, "V")

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """All cues of the sentence."""
        return find_cues(self.sentence)

    @cached_property
    def negations(self) -> tuple[Cue, ...]:
        """The cues that negate this clause."""
        return tuple(cue for cue in sentential_cues(self.cues) if self._reached(cue))

    @property
    def negative(self) -> bool:
        return bool(self.negations)

    @cached_property
    def inverted(self) -> bool:
        """Whether the finite word precedes the subject."""
        return self.mood in {"yes-no", "wh", "inverted"}

    @cached_property
    def notional_subject(self) -> Token | None:
        """The subject, or what exists in "there is …"."""
        if self.subject is not None and self.subject.dep == "expl" and self.subject.lower == "there":
            return self.sentence.child(self.verb, "attr", "nsubj", "dobj")
        return self.subject

    @property
    def existential(self) -> bool:
        return self.subject is not None and self.subject.lower == "there" and self.subject.dep == "expl"

    def _reached(self, cue: Cue) -> bool:
        if cue.text.lower() == "without":
            return False
        at = self.sentence.tokens[cue.tokens[0]]
        if self.sentence.quoted(at) and not self.sentence.quoted(self.finite):
            # "the song “Nobody But Me”"
            return False
        if at in self.question_tag or (cue.type == "verbal" and _is_contrasted(self.sentence, at)):
            return False
        if self.subject is not None and self.subject.i in {at.i, at.head if at.dep == "det" else at.i}:
            return True
        for _ in self.sentence.tokens:
            if at.i == self.verb.i:
                return True
            if at in self.auxiliaries and at.head == self.verb.i:
                return True
            parent = self.sentence.tokens[at.head]
            if at.dep in BOUNDARY or at.dep == "appos" or at.head == at.i:
                return False
            if at.dep == "conj" and parent.i == self.verb.i:
                return False
            if at.dep == "prep" and (at.lower == "with" or parent.tag.startswith("N")):
                return False
            at = parent
        return False


def _is_contrasted(sentence: Sentence, negator: Token) -> bool:
    """Match "It was her idea, not mine." """
    previous, following = sentence.before(negator), sentence.after(negator)
    comma = previous is not None and previous.lower in {",", "and", "or", "but", "-"}
    return comma and (following is None or following.tag[:1] not in "VM")


# a rewriter and its checks ask for the clause of the same sentence in short succession
@lru_cache(maxsize=1024)
def main_clause(sentence: Sentence) -> Clause | NoClause:
    """Return the main clause of a sentence, or the reason why there is none. Its sentence has a mended parse."""
    if not any(c.isalpha() for t in sentence.tokens for c in t.text):
        return NoClause("there are no words here")
    sentence = mended(sentence)
    tag = question_tag(sentence)
    verb = main_verb(sentence, tag)
    if verb is None:
        return NoClause(NO_FINITE_VERB)
    clause = clause_at(sentence, verb, tag)
    if isinstance(clause, Clause) and is_inner(sentence, clause.verb, clause.finite):
        return NoClause(INNER)
    return clause


def clause_at(sentence: Sentence, verb: Token, tag: tuple[Token, ...] = ()) -> Clause | NoClause:
    """Return the clause that `verb` heads, or the reason why it cannot be used."""
    auxiliaries = tuple(a for a in sentence.children(verb, "aux", "auxpass") if a.tag != "TO")
    finite = auxiliaries[0] if auxiliaries else verb
    if not auxiliaries and any(a.tag == "TO" for a in sentence.children(verb, "aux")):
        return NoClause(NO_FINITE_VERB)
    subject = _subject(sentence, verb)
    tense = _tense(sentence, verb, finite, subject)
    if not tense:
        return NoClause(NO_FINITE_VERB)
    if finite.i == verb.i and finite.lower not in operators() and _unknown(sentence, verb):
        return NoClause(f"“{verb.text}” is not a verb the dictionary knows")
    if finite.i == verb.i and _disagrees(sentence, finite, subject, tense):
        return NoClause(f"“{verb.text}” does not agree with its subject")
    if verb.tag == "VBG" and operators().get(finite.lower) == "have" and len(auxiliaries) == 1:
        return NoClause(f"“{finite.text} … {verb.text}” is not a verb group")
    previous = sentence.before(finite)
    if previous is not None and previous.tag == "POS" and not auxiliaries:
        return NoClause("“’s” before the verb may stand for “has” or mark a possessor")
    if finite.i == 0 and finite.i == verb.i and subject is None and _is_note(sentence, verb, tense):
        return NoClause(NO_FINITE_VERB)
    if _participle_caption(sentence, verb, finite, subject, tense):
        return NoClause(NO_FINITE_VERB)
    reason = doubt(sentence, verb, finite, subject, tense)
    if reason:
        return NoClause(reason)
    mood = _mood(sentence, verb, finite, subject, tense)
    return Clause(sentence, verb, finite, tense, auxiliaries, subject, mood, tag)


PREFIXES = ("re", "un", "over", "out", "mis", "dis", "co", "pre", "de", "under", "inter")


def _unknown(sentence: Sentence, verb: Token) -> bool:
    """Match a word that is no verb in the dictionary, even without its prefix, and a name in capitals."""
    word = verb.lower
    if verb.text.isupper() and len(word) > 2 and verb.i > 0 and any(t.text.islower() for t in sentence.tokens):
        return True
    if known(word, "V"):
        return False
    stems = [word.removeprefix(prefix).lstrip("-") for prefix in PREFIXES if word.startswith(prefix)]
    return not any(len(stem) > 2 and known(stem, "V") for stem in stems)


def _participle_caption(sentence: Sentence, verb: Token, finite: Token, subject: Token | None, tense: str) -> bool:
    """Match "Crackers coated with spread": a participle that is read as a past tense only for lack of a finite verb."""
    if subject is None or finite.i != verb.i:
        return False
    if subject.tag == "VBN" and verb.lower not in operators():
        # "Attached find the agreements"
        return True
    following = sentence.after(verb)
    if tense == "VBD" and _is_compound_participle(sentence, verb, subject):
        return True
    if tense != "VBD" or sentence.child(verb, "dobj") is not None:
        return False
    if (
        subject.i == 0
        and subject.tag == "NN"
        and verb.tag == "VBN"
        and following is not None
        and following.tag in {"IN", "JJ", "TO"}
    ):
        # "Driver fined after crash": a headline
        return True
    if verb.lower not in CAPTION_PARTICIPLES:
        doing = any(t.tag == "VBG" for t in sentence.children(subject, "acl"))
        if not doing or inflect(lemma(verb.lower, "V"), "VBN") != verb.lower:
            return False
    determiner = sentence.child(subject, "det", "poss")
    indefinite = determiner is None or determiner.lower in {"a", "an", "some"}
    return indefinite and subject.tag in {"NN", "NNS"}


def _is_note(sentence: Sentence, verb: Token, tense: str) -> bool:
    """Match "Wound clean and dry" and "Reflexes absent": a noun and its adjective, read as a verb without a subject."""
    following = sentence.after(verb)
    noun = tense in {"VBD", "VBZ"} and following is not None and following.tag in {"JJ", "VBN"}
    return noun and known(verb.lower, "N") and lemma(verb.lower, "V") not in LINKING


LINKING = frozenset(
    {"be", "look", "feel", "seem", "smell", "taste", "sound", "get", "stay", "keep", "come", "go", "run"}
)


def _is_compound_participle(sentence: Sentence, verb: Token, subject: Token) -> bool:
    """Match "a sink next to a curtain [covered] tub": a participle between two nouns, the first of them in a phrase."""
    previous, following = sentence.before(verb), sentence.after(verb)
    if previous is None or following is None or verb.lower not in CAPTION_PARTICIPLES:
        return False
    apart = previous.i != subject.i and previous.tag in {"NN", "NNS"}
    indefinite = sentence.left(subject).lower in {"a", "an", "some"}
    return apart and indefinite and following.tag in {"NN", "NNS", "JJ"}


CAPTION_PARTICIPLES = word_set("caption_participles")


def _disagrees(sentence: Sentence, finite: Token, subject: Token | None, tense: str) -> bool:
    """Match "A bathroom sink next to a toilet": a plural verb after a singular subject is a noun."""
    if subject is None:
        return False
    if tense == "VBZ" and finite.lower not in operators() and subject.lower in {"few", "several", "many"}:
        # "A few guys at a bar": a plural noun
        return True
    if tense != "VBP" or subject.i > finite.i or finite.lower in {"am", "are", "m", "re"}:
        return False
    if subject.lower in {"he", "she", "it", "anyone", "anybody", "everyone", "someone", "somebody", "nobody"}:
        return True
    article = sentence.child(subject, "det", "poss")
    joined = sentence.child(subject, "cc", "conj") is not None
    singular = article is not None and article.lower in {"a", "an", "this", "that", "every", "each", "else"}
    # "anyone else's app keep crashing"
    singular = singular or any(t.lower == "else" for t in sentence.tokens[: subject.i])
    return singular and subject.tag == "NN" and not joined and subject.lower not in COLLECTIVES


COLLECTIVES = word_set("collectives")


def _subject(sentence: Sentence, verb: Token) -> Token | None:
    there = sentence.child(verb, "expl")
    if there is not None:
        return there
    subject = sentence.child(verb, *SUBJECT)
    if subject is None and verb.tag == "NNS" and verb.i != sentence.root.i:
        return sentence.root
    if subject is None and verb.tag in {"NN", "NNS"}:
        return sentence.child(verb, "compound", "nmod")
    head = sentence.tokens[verb.head]
    if subject is not None and subject.tag in WH and verb.dep == "ccomp" and head.dep == "relcl":
        # "Nothing [that he says] is true."
        subject = None
    if subject is None and head.i < verb.i:
        if head.dep == "relcl" and verb.dep == "ccomp":
            head = sentence.tokens[head.head]
        # the noun that a misattached verb depends on, or the subject of the verb it was mistaken for
        if head.tag[:1] == "N" and verb.dep in {"relcl", "acl", "ccomp"}:
            return sentence.tokens[head.head] if head.dep == "conj" else head
        return sentence.child(head, *SUBJECT) if verb.dep in {"conj", "ccomp", "advcl", "dep"} else None
    return subject


def _tense(sentence: Sentence, verb: Token, finite: Token, subject: Token | None) -> str:
    """Return the corrected Penn tag of the finite word, or "" if nothing here is finite."""
    if finite.i != verb.i or finite.lower in operators():
        if finite.tag in FINITE:
            return finite.tag
        if finite.tag == "VB" and finite.lower in {"have", "do", "are", "am"}:
            return "VBP"
        return "VB" if finite.tag == "VB" else ""
    if finite.tag in {"VBP", "VB"} and finite.lower in INVARIANT and _third_singular(subject):
        return "VBD"
    dated = any(t.lower in {"yesterday", "ago"} for t in sentence.tokens)
    if finite.lower in INVARIANT and finite.tag in {"VBP", "VB"} and subject is not None and dated:
        # "I read it yesterday."
        return "VBD"
    if (
        finite.lower in INVARIANT
        and subject is None
        and finite.i == 0
        and any(joined.tag == "VB" for joined in sentence.children(verb, "conj"))
    ):
        return "VB"
    if finite.lower == "lay" and finite.tag == "VBD" and sentence.child(verb, "dobj") is not None:
        return "VBP"
    base = lemma(finite.lower, "V")
    if finite.tag == "VBD" and finite.lower == base and finite.lower not in INVARIANT:
        # "run" tagged as past: the form itself is present
        return "VBP"
    if finite.tag in {"VBP", "VB"} and finite.lower != base and inflect(base, "VBD") == finite.lower:
        # "forgot" tagged as present: the form itself is past
        return "VBD"
    if finite.tag in FINITE:
        return finite.tag
    if finite.tag == "VB":
        return "VBP" if subject is not None and subject.i < verb.i else "VB"
    if finite.tag == "VBN" and subject is not None and subject.i < verb.i:
        return "VBD" if inflect(lemma(finite.lower, "V"), "VBD") == finite.lower else ""
    if finite.tag == "VBN" and finite.i == 0 and _dropped_subject(sentence, finite):
        return "VBD"
    if finite.tag in {"NN", "NNS", "NNP", "JJ"} and subject is not None:
        base = lemma(finite.lower, "V")
        return next((tag for tag in ("VBZ", "VBD") if inflect(base, tag) == finite.lower and base != finite.lower), "")
    return ""


def _dropped_subject(sentence: Sentence, verb: Token) -> bool:
    """Match "Stayed here for three nights." and "Bought this for my son." """
    following = sentence.after(verb)
    past = inflect(lemma(verb.lower, "V"), "VBD") == verb.lower
    return (
        past
        and following is not None
        and (following.lower in {"here", "this", "it"} or (following.lower == "to" and verb.lower == "used"))
    )


def _third_singular(subject: Token | None) -> bool:
    if subject is None:
        return False
    clause = subject.dep in {"csubj", "csubjpass"}
    return clause or subject.lower in {"he", "she", "it", "this", "that"} or subject.tag in {"NN", "NNP"}


def _asks_without_mark(sentence: Sentence, finite: Token) -> bool:
    """Match "do you like jazz", a question of chat."""
    return finite.i == 0 and sentence.tokens[-1].tag != "." and finite.lower in ASKING


ASKING = frozenset({"do", "does", "did", "is", "are", "was", "can", "could", "will", "would", "have", "has"})


def _mood(sentence: Sentence, verb: Token, finite: Token, subject: Token | None, tense: str) -> str:
    asks = any(t.lower == "?" for t in sentence.tokens[-3:]) or _asks_without_mark(sentence, finite)
    if subject is None:
        if tense == "VB" or (tense == "VBP" and finite.lower in {"do", "be"} and verb.tag == "VB"):
            return "imperative"
        if finite.tag in {"VB", "VBP"} and finite.i == verb.i and finite.lower == lemma(verb.lower, "V"):
            return "imperative"
        return "declarative"
    wh_before = next((t for t in sentence.tokens[: finite.i] if t.tag in WH and sentence.inside(t, verb)), None)
    if finite.i < subject.i:
        if asks or wh_before is not None:
            return "wh" if wh_before is not None else "yes-no"
        return "inverted"
    if asks and wh_before is not None and sentence.inside(wh_before, subject):
        return "wh-subject"
    if tense == "VB" and subject.i > finite.i:
        return "imperative"
    return "declarative"
