"""The main clause: its finite verb, its subject, its mood, and the negations that reach it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from litotes.detect.cues import cues, sentential
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import INVARIANT, inflect, known, lemma
from litotes.parse import Sentence, Token
from litotes.types import Cue

FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
SUBJECT = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
BOUNDARY = frozenset({"relcl", "advcl", "ccomp", "acl", "xcomp", "pcomp", "csubj", "csubjpass", "parataxis"})
SUBORDINATORS = word_set("subordinators")
MODAL_VERBS = frozenset({"need", "dare"})
WH = frozenset({"WP", "WDT", "WRB", "WP$"})
NO_FINITE_VERB = "no finite verb in the main clause"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A sentence without a main clause we can read, and why."""

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
    """the finite word's Penn tag, mended where the tagger must be wrong"""
    auxiliaries: tuple[Token, ...]
    subject: Token | None
    mood: str
    """declarative, imperative, yes-no, wh, wh-subject, inverted"""
    question_tag: tuple[Token, ...] = field(default=())
    """the tokens of ", isn't she" """

    @cached_property
    def operator(self) -> str:
        """The lemma of the finite word when it takes "not" itself (be, have, do, a modal), else ""."""
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
        return cues(self.sentence)

    @cached_property
    def negations(self) -> tuple[Cue, ...]:
        """The cues that negate this clause."""
        return tuple(cue for cue in sentential(self.cues) if self._reached(cue))

    @property
    def negative(self) -> bool:
        return bool(self.negations)

    @cached_property
    def inverted(self) -> bool:
        """Whether the finite word stands before the subject."""
        return self.mood in {"yes-no", "wh", "inverted"}

    @cached_property
    def notional_subject(self) -> Token | None:
        """What exists, in "there is …"; otherwise the subject."""
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
        if at in self.question_tag:
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


@lru_cache(maxsize=1)
def _operators() -> dict[str, str]:
    forms = {row["form"]: row["lemma"] for row in table("auxiliaries")}
    forms |= {row["clitic"]: row["verb"] for row in table("clitics") if row["clitic"] != "'s"}
    return forms


def operator(sentence: Sentence, finite: Token, verb: Token) -> str:
    """Which auxiliary `finite` is, or "" for a verb that needs do-support."""
    word = finite.lower
    if word == "'s":
        return "have" if _is_has(sentence, finite, verb) else "be"
    if word == "'d":
        return "have" if _is_had(sentence, finite, verb) else "would"
    found = _operators().get(word, "")
    if found in {"have", "do"} and finite.i == verb.i:
        # "He has a dog" takes do-support; "I do." and "They have." (ellipsis) do not
        return found if _elliptic(sentence, verb) or _far_participle(sentence, verb) else ""
    if not found and word in MODAL_VERBS and finite.i != verb.i:
        return word
    return found


def _elliptic(sentence: Sentence, verb: Token) -> bool:
    following = sentence.after(verb)
    stops = following is None or following.tag in {".", ",", ":"} or following.lower in {"too", "and", "but"}
    objects = sentence.child(verb, "dobj", "attr", "acomp", "xcomp", "ccomp", "prt")
    return stops and objects is None and sentence.child(verb, "nsubj") is not None


def _far_participle(sentence: Sentence, verb: Token) -> bool:
    """Which of them have the police questioned?"""
    asks = sentence.tokens[-1].lower == "?" and sentence.tokens[0].tag in WH | {"IN"}
    return asks and verb.lower in {"have", "has", "had"} and any(t.tag == "VBN" for t in sentence.tokens[verb.i + 2 :])


PERFECT_ONLY = frozenset(
    {"been", "got", "had", "become", "come", "gone", "happened", "begun", "lived", "grown", "gotten"}
)


def _is_has(sentence: Sentence, clitic: Token, verb: Token) -> bool:
    if verb.i == clitic.i or verb.tag not in {"VBN", "VBD"}:
        return False
    between = {t.lower for t in sentence.tokens[clitic.i + 1 : verb.i]}
    if between & {"been", "just", "already", "never", "ever", "recently"} or verb.lower in PERFECT_ONLY:
        return True
    return sentence.child(verb, "dobj") is not None and sentence.child(verb, "agent") is None


def _is_had(sentence: Sentence, clitic: Token, verb: Token) -> bool:
    following = sentence.after(clitic)
    while following is not None and following.tag in {"RB"} and following.lower not in {"better", "best"}:
        following = sentence.after(following)
    if following is None:
        return False
    return following.lower in {"better", "best", "been"} or following.tag == "VBN"


def main_clause(sentence: Sentence) -> Clause | Fragment:
    """The sentence's main clause, or why there is none to be had."""
    if not any(c.isalpha() for t in sentence.tokens for c in t.text):
        return Fragment("there are no words here")
    tag = _question_tag(sentence)
    verb = _main_verb(sentence, tag)
    if verb is None:
        return Fragment(NO_FINITE_VERB)
    return clause_at(sentence, verb, tag)


def clause_at(sentence: Sentence, verb: Token, tag: tuple[Token, ...] = ()) -> Clause | Fragment:
    """The clause that `verb` heads."""
    auxiliaries = tuple(a for a in sentence.children(verb, "aux", "auxpass") if a.tag != "TO")
    finite = auxiliaries[0] if auxiliaries else verb
    if not auxiliaries and any(a.tag == "TO" for a in sentence.children(verb, "aux")):
        return Fragment(NO_FINITE_VERB)
    subject = _subject(sentence, verb)
    tense = _tense(sentence, verb, finite, subject)
    if not tense:
        return Fragment(NO_FINITE_VERB)
    if finite.i == verb.i and finite.lower not in _operators() and _unknown(sentence, verb):
        return Fragment(f"“{verb.text}” is not a verb the dictionary knows")
    previous = sentence.before(finite)
    if previous is not None and previous.tag == "POS" and not auxiliaries:
        return Fragment("“’s” before the verb may stand for “has” or mark a possessor")
    mood = _mood(sentence, verb, finite, subject, tense)
    return Clause(sentence, verb, finite, tense, auxiliaries, subject, mood, tag)


def _unknown(sentence: Sentence, verb: Token) -> bool:
    """A word no dictionary has, in a text that shows no other sign of English."""
    if verb.tag[:1] != "V" or known(verb.lower, "N"):
        return not known(verb.lower, "V")
    english = any(t.tag in {"DT", "PRP", "IN", "TO", "MD"} and t.text.isascii() for t in sentence.tokens)
    return not known(verb.lower, "V") and not (english and verb.text.isascii() and verb.text.isalpha())


def _question_tag(sentence: Sentence) -> tuple[Token, ...]:
    """The tokens of a closing ", isn't she?"."""
    tokens = sentence.tokens
    end = len(tokens) - 1
    while end >= 0 and tokens[end].lower in {"?", '"', "'", "”", "!", "."}:
        end -= 1
    for length in (4, 3):
        part = tokens[end - length + 1 : end + 1] if end - length + 1 > 1 else ()
        if not part or part[0].lower != "," or (part[-1].tag != "PRP" and part[-1].lower != "there"):
            continue
        negated = length == 4
        if part[1].lower in _operators() and (not negated or part[2].lower in {"n't", "not"}):
            return tuple(part)
    return ()


def _main_verb(sentence: Sentence, tag: tuple[Token, ...]) -> Token | None:
    root = sentence.root
    if root in tag:
        inside = {t.i for t in tag}
        candidates = [c for c in sentence.children(root) if c.i not in inside and c.tag[:1] in "VM"]
        if not candidates:
            return None
        root = candidates[0]
    verb = _verbal(sentence, root)
    if verb is None:
        return None
    return _past_subordinate(sentence, _past_reduced_relative(sentence, _first_of_two(sentence, verb)))


def _verbal(sentence: Sentence, root: Token) -> Token | None:
    """The root when it is (or must be) a verb; else the finite verb the parser hung under a noun."""
    if root.tag[:1] in "VM":
        return root
    finite = sentence.child(root, "aux", "auxpass")
    if finite is not None and finite.tag in FINITE:
        return root if known(root.lower, "V") or finite.lower in _operators() else None
    subject = sentence.child(root, "nsubj", "nsubjpass")
    if subject is not None and subject.i < root.i and known(root.lower, "V") and root.tag in {"NN", "NNS", "JJ"}:
        return root
    if root.tag in {"UH", "RB", ",", ".", "LS"}:
        return next((c for c in sentence.children(root) if c.tag in FINITE or c.tag == "VB"), None)
    if (
        root.lower == "like"
        and sentence.child(root, "nsubj") is None
        and root.i > 0
        and sentence.tokens[0].tag == "PRP"
    ):
        return root
    return _orphans(sentence, root)


def _orphan(sentence: Sentence, root: Token, verb: Token) -> bool:
    """A finite verb mistaken for a modifier: [Emperor penguins] breed …; Study: [coffee] lowers …"""
    if verb.i < root.i or (verb.i == root.i + 1 and sentence.tokens[root.i].tag == "NNP" and verb.tag == "VBN"):
        return False
    if sentence.tokens[root.i + 1].lower == ":" and verb.tag in FINITE:
        return True
    own = sentence.child(verb, *SUBJECT, "mark", "aux", "auxpass", "agent") is not None
    relative = any(t.tag in WH or t.lower == "that" for t in sentence.tokens[root.i + 1 : verb.i])
    if own or relative or verb.dep not in {"relcl", "acl", "ccomp"}:
        return False
    if verb.tag in {"VBN", "VBD"}:
        # Every student handed in the essay: a past participle takes no object
        past = inflect(lemma(verb.lower, "V"), "VBD") == verb.lower
        caption = any(t.tag == "VBG" for t in sentence.tokens[root.i : verb.i])
        return past and not caption and (verb.tag == "VBD" or sentence.child(verb, "dobj") is not None)
    return verb.tag in {"VBZ", "VBP"}


def _plural_or_verb(sentence: Sentence, root: Token) -> bool:
    """A pirate boards the ship: "boards" taken for a plural, though a noun phrase follows it at once."""
    following, noun = sentence.after(root), sentence.child(root, "compound", "nmod")
    base = lemma(root.lower, "V")
    verb = known(root.lower, "V") and inflect(base, "VBZ") == root.lower
    return verb and noun is not None and following is not None and following.tag in {"DT", "PRP$", "PRP"}


def _orphans(sentence: Sentence, root: Token) -> Token | None:
    """The first orphaned verb under the root noun, under what it is joined to, or under its relative clause."""
    if root.i + 1 >= len(sentence.tokens):
        return None
    for noun in (root, *sentence.children(root, "conj")):
        found = next(
            (c for c in sentence.children(noun) if noun.i + 1 < len(sentence.tokens) and _orphan(sentence, noun, c)),
            None,
        )
        if found is not None:
            return found
    relative = sentence.child(root, "relcl")
    if relative is not None:
        # Everything [she said] was true.
        for child in sentence.children(relative, "ccomp"):
            own = sentence.child(child, *SUBJECT, "mark")
            if child.i > relative.i and child.tag in FINITE and (own is None or own.tag in WH):
                return child
    return None


def _first_of_two(sentence: Sentence, verb: Token) -> Token:
    """ "I agree," said Tom; He was late, so we left; It slows, it stops → the verb of the first clause."""
    for _ in range(3):
        said = next((c for c in sentence.children(verb, "ccomp", "advcl") if c.i < verb.i and c.tag[:1] in "VM"), None)
        if (
            said is None
            or sentence.child(said, "mark") is not None
            or (said.tag in {"VBG", "VBN"} and not sentence.child(said, "aux", "auxpass", "nsubj"))
        ):
            return verb
        first = sentence.left(said)
        if any(t.lower in SUBORDINATORS and t.tag in {"IN", "WRB"} for t in sentence.tokens[: said.i]):
            return verb
        bracketed = (first.i > 0 and sentence.tokens[first.i - 1].tag == "-LRB-") or first.tag == "-LRB-"
        if bracketed or not known(said.lower, "V"):
            return verb
        quoted = any(t.tag == "''" for t in sentence.tokens[said.i + 1 : verb.i])
        subjectless = sentence.child(said, *SUBJECT) is None and not (said.i == 0 and said.tag in FINITE) and not quoted
        if subjectless or first.tag in {"IN", *WH} or (first.lower == "had" and said.dep == "advcl"):
            return verb
        between = sentence.tokens[said.i + 1 : verb.i]
        if not any(t.lower in {",", ";", "-", "—", "–", "...", ":"} or t.tag == "''" for t in between):
            return verb
        verb = said
    return verb


def _past_reduced_relative(sentence: Sentence, verb: Token) -> Token:
    """Samples collected upstream contained nitrate → contained;  His aunt, convinced of it, sold → sold"""
    if verb.tag != "VBD" or sentence.child(verb, "dobj", "aux", "auxpass", "acomp", "attr") is not None:
        return verb
    set_off = verb.i > 0 and sentence.tokens[verb.i - 1].lower == ","
    for later in sentence.children(verb, "conj", "ccomp", "advcl", "dep"):
        if (
            later.i < verb.i
            or later.tag not in {"VBD", "VBZ", "VBP"}
            or sentence.child(later, *SUBJECT, "mark") is not None
        ):
            continue
        joined = sentence.child(verb, "cc") is not None
        direct = not any(t.lower in {",", ";", ":"} for t in sentence.tokens[verb.i : later.i])
        finite = later.tag != "VBD" or sentence.child(later, "dobj", "acomp", "attr", "aux") is not None
        if finite and (set_off or (direct and not joined)):
            return later
    return verb


def _past_subordinate(sentence: Sentence, verb: Token) -> Token:
    """When the squad arrived they saw it → saw, where the parser took "arrived" for the main verb"""
    opening = sentence.tokens[0]
    if opening.lower not in SUBORDINATORS or opening.head != verb.i or opening.dep not in {"advmod", "mark"}:
        return verb
    for later in sentence.children(verb, "ccomp", "conj", "advcl", "parataxis"):
        if later.i > verb.i and later.tag[:1] in "VM" and sentence.child(later, *SUBJECT) is not None:
            return later
    return verb


def _subject(sentence: Sentence, verb: Token) -> Token | None:
    there = sentence.child(verb, "expl")
    if there is not None:
        return there
    found = sentence.child(verb, *SUBJECT)
    if found is None and verb.tag == "NNS":
        return sentence.child(verb, "compound", "nmod")
    head = sentence.tokens[verb.head]
    if found is not None and found.tag in WH and verb.dep == "ccomp" and head.dep == "relcl":
        # Nothing [that he says] is true.
        found = None
    if found is None and head.i < verb.i:
        if head.dep == "relcl" and verb.dep == "ccomp":
            head = sentence.tokens[head.head]
        # the noun an orphaned verb hangs under, or the subject of the verb it was mistaken for
        if head.tag[:1] == "N" and verb.dep in {"relcl", "acl", "ccomp"}:
            return sentence.tokens[head.head] if head.dep == "conj" else head
        return sentence.child(head, *SUBJECT) if verb.dep in {"conj", "ccomp", "advcl", "dep"} else None
    return found


def _tense(sentence: Sentence, verb: Token, finite: Token, subject: Token | None) -> str:
    """The Penn tag of the finite word, mended; "" when nothing here is finite."""
    if finite.i != verb.i or finite.lower in _operators():
        if finite.tag in FINITE:
            return finite.tag
        if finite.tag == "VB" and finite.lower in {"have", "do", "are", "am"}:
            return "VBP"
        return "VB" if finite.tag == "VB" else ""
    if finite.tag in {"VBP", "VB"} and finite.lower in INVARIANT and _third_singular(subject):
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
    if finite.tag in {"VBP", "VB"} and finite.lower != base and inflect(base, "VBD") == finite.lower:
        # forgot tagged as present: the form itself says past
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
    """Stayed here for three nights. / Bought this for my son."""
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
    return subject.lower in {"he", "she", "it", "this", "that"} or subject.tag in {"NN", "NNP"}


def _mood(sentence: Sentence, verb: Token, finite: Token, subject: Token | None, tense: str) -> str:
    asks = any(t.lower == "?" for t in sentence.tokens[-3:])
    if subject is None:
        if tense == "VB" or (tense == "VBP" and finite.lower in {"do", "be"} and verb.tag == "VB"):
            return "imperative"
        if finite.tag in {"VB", "VBP"} and finite.i == verb.i and finite.lower == lemma(verb.lower, "V"):
            return "imperative"
        return "declarative"
    wh_before = next((t for t in sentence.tokens[: finite.i] if t.tag in WH and sentence.inside(t, verb)), None)
    if (finite.i < subject.i and subject.dep != "expl") or (subject.dep == "expl" and finite.i < subject.i):
        if asks or wh_before is not None:
            return "wh" if wh_before is not None else "yes-no"
        return "inverted"
    if asks and wh_before is not None and sentence.inside(wh_before, subject):
        return "wh-subject"
    if tense == "VB" and subject.i > finite.i:
        return "imperative"
    return "declarative"
