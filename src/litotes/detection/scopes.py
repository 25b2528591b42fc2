"""Find the scope of a negation: the tokens that it denies, by the structure of the sentence around its cue.

The scopes follow the guidelines of ConanDoyle-neg: the cue is not part of its scope, the subject of a negated clause
is, and coordinated clauses, connectives and parentheticals are not.
"""

from __future__ import annotations

from dataclasses import dataclass

from litotes.detection.scope_limits import PAUSES, limited, whole
from litotes.lexicon import table, word_set
from litotes.parse import Sentence, Token

SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
# dependents of a verb that are not part of what it says: "He did not pause, [however,] [but] [bounded on]."
OUTSIDE = frozenset({"cc", "conj", "parataxis", "intj", "mark", "meta", "preconj", "punct", "dep"})
ASIDES = word_set("asides")
AUXILIARIES = frozenset(table("auxiliaries").column("form"))
REASONS = frozenset({"because", "unless", "so"})
EXCEPTIONS = frozenset({"save", "except"})
QUESTIONS = frozenset({"how", "that", "whether", "what"})
COPULAS = frozenset({"be", "am", "is", "are", "was", "were"})
RAISING = frozenset({"seem", "seems", "seemed", "appear", "appears", "appeared"}) | COPULAS
RAISING_TOO = frozenset(
    {"have", "has", "had", "going", "profess", "professed", "claim", "claimed", "pretend", "pretended"}
)


@dataclass(frozen=True, slots=True)
class Scope:
    """The tokens in a cue's scope, the rule that decided, and the head of what is denied."""

    tokens: frozenset[int]
    rule: str
    head: Token | None = None


EMPTY_SCOPE = Scope(frozenset(), "the cue has no scope")


def clausal_scope(sentence: Sentence, cue: Token) -> Scope:
    """Return the scope of a word that denies its clause: not, n't, never, nor, no longer, nothing, no …"""
    head = _governor(sentence, cue)
    following = sentence.after(cue)
    alone = following is None or following.tag in PAUSES
    if cue.dep == "intj" or (head.i == cue.i and alone and cue.tag in {"UH", "RB", "DT"}):
        # "No, I went home."
        return EMPTY_SCOPE
    before = sentence.before(cue)
    answers = before is not None and before.tag == "RB"
    verb = before is not None and before.i == head.i != cue.i and head.tag[:1] == "V" and head.dep != "aux"
    thinks = verb and head.lower not in AUXILIARIES
    final = following is None or following.tag in {".", "''"}
    if cue.lower == "not" and final and (answers or thinks):
        # "Certainly not." and "I think not.", but "[I have] not."
        return EMPTY_SCOPE
    if _is_conjunct(sentence, cue, head):
        return _conjunct_scope(sentence, head, cue)
    at = head
    for _ in sentence.tokens:
        # "There came no sound save the wind": the parser takes "save" for a verb
        if at.tag[:1] in "VM" and at.dep != "amod" and at.lower not in EXCEPTIONS:
            return clause_scope(sentence, at, cue)
        parent = sentence.tokens[at.head]
        if at.dep == "prep" and at.lower in {"with", "of"} and at.i != head.i:
            # "with no [sign of life]"
            return Scope(
                limited(sentence, whole(sentence, head), cue), f"the phrase after “{at.lower}” is denied", head
            )
        if at.dep == "appos" or parent.i == at.i:
            return Scope(limited(sentence, whole(sentence, at), cue), "a phrase without a verb is denied", at)
        at = parent
    return EMPTY_SCOPE


def _governor(sentence: Sentence, cue: Token) -> Token:
    """Return the word that a cue modifies, or the cue itself if it is a phrase of its own ("nothing", "nobody")."""
    modifies = cue.dep in {"neg", "det", "advmod", "preconj", "cc", "advcl"} or cue.tag in {"RB", "DT", "CC"}
    head = sentence.tokens[cue.head] if modifies else cue
    if cue.lower == "nor":
        # "…, nor [could I understand it]"
        later = next((t for t in sentence.children(head, "conj") if t.i > cue.i), None)
        return later if later is not None else head
    return head


def _is_conjunct(sentence: Sentence, cue: Token, head: Token) -> bool:
    """Match "facts and not [legends]"."""
    before = sentence.before(cue)
    set_against = before is not None and before.lower in {"and", "but", "or", "yet", ","}
    part = head.dep in {"conj", "appos"} or cue.lower == "not"
    return set_against and part and head.i > cue.i and head.tag[:1] not in "VM"


def _conjunct_scope(sentence: Sentence, head: Token, cue: Token) -> Scope:
    """Return the scope of a denied conjunct: the phrase, and the subject and verb that both conjuncts share."""
    tokens = set(whole(sentence, head))
    verb = sentence.tokens[head.head]
    for _ in sentence.tokens:
        if verb.tag[:1] in "VM" or verb.head == verb.i:
            break
        verb = sentence.tokens[verb.head]
    if verb.tag[:1] not in "VM" or verb.i > cue.i:
        return Scope(limited(sentence, tokens, cue), "a joined phrase is denied", head)
    tokens = {i for i in tokens if i > cue.i}
    for _ in sentence.tokens:
        tokens.add(verb.i)
        for child in sentence.children(verb, *SUBJECTS, "aux", "auxpass"):
            tokens |= {i for i in whole(sentence, child) if i < cue.i}
        if verb.dep != "xcomp":
            break
        verb = sentence.tokens[verb.head]
    return Scope(limited(sentence, tokens, cue), "a joined phrase is denied, with the clause it shares", head)


def clause_scope(sentence: Sentence, verb: Token, cue: Token) -> Scope:
    """Return the scope of a clause that `verb` heads: its subject, auxiliaries and complements."""
    tokens = set(_under(sentence, verb, cue))
    rule = "the clause of its verb is denied"
    matrix = sentence.tokens[verb.head]
    if verb.dep == "ccomp" and matrix.lower == "let" and matrix.i + 1 in tokens:
        # "Let's not argue."
        tokens.add(matrix.i)
    subject = sentence.child(verb, *SUBJECTS)
    if subject is not None and subject.i > matrix.i:
        tokens |= _fronted_question(sentence, verb, matrix, subject)
    if subject is None:
        shared = _shared_subject(sentence, verb)
        if shared is not None:
            tokens |= set(whole(sentence, shared)) | _shared_modal(sentence, verb)
            rule = "the clause of its verb is denied, with the subject it shares"
        elif verb.dep == "xcomp" and (cue.i > verb.i or matrix.lower in COPULAS):
            tokens |= _matrix_clause(sentence, verb, cue)
    return Scope(limited(sentence, tokens | _exception(sentence, cue), cue), rule, verb)


def _fronted_question(sentence: Sentence, verb: Token, matrix: Token, subject: Token) -> set[int]:
    """Return a question that is the object of the verb: "[What the note meant] I could not guess"."""
    asks = next((t for t in sentence.children(verb) if t.tag in {"WP", "WRB"} and t.i < matrix.i), None)
    return set(range(asks.i, subject.i)) if asks is not None and verb.dep == "ccomp" else set()


def _exception(sentence: Sentence, cue: Token) -> set[int]:
    """Return an exception to what is denied, up to the end of the clause: "Nothing moved [save a cat]"."""
    for token in sentence.tokens[cue.i + 1 :]:
        if token.lower in EXCEPTIONS or (token.lower == "but" and token.tag == "IN"):
            last = sentence.right(token) if token.dep in {"prep", "dep", "advcl"} else token
            return set(range(token.i, last.i + 1))
        if token.tag in {":", ".", "CC"}:
            break
    return set()


def _matrix_clause(sentence: Sentence, verb: Token, cue: Token) -> set[int]:
    """Return the matrix clause of a raising verb: "[He seemed to] know nothing", "[She is] not to be disturbed"."""
    matrix = sentence.tokens[verb.head]
    if matrix.lower in RAISING or matrix.lower in RAISING_TOO:
        return {t for t in _under(sentence, matrix, cue) if t <= verb.i}
    return set()


def _shared_subject(sentence: Sentence, verb: Token) -> Token | None:
    at = verb
    for _ in sentence.tokens:
        if at.dep != "conj":
            return None
        at = sentence.tokens[at.head]
        subject = sentence.child(at, *SUBJECTS)
        if subject is not None:
            return subject
    return None


def _shared_modal(sentence: Sentence, verb: Token) -> set[int]:
    """Return the modal that a bare verb shares: "You [could] wait and ask nothing"."""
    first = sentence.tokens[verb.head]
    if verb.tag != "VB" or verb.dep != "conj" or sentence.child(verb, "aux") is not None:
        return set()
    return {t.i for t in sentence.children(first, "aux") if t.tag == "MD"}


def _under(sentence: Sentence, verb: Token, cue: Token) -> list[int]:
    """Return everything that a clause's verb dominates, except connectives, coordinated clauses and parentheticals."""
    tokens = [verb.i]
    for child in sentence.children(verb):
        if child.dep not in OUTSIDE and not _is_parenthetical(sentence, verb, cue, child):
            tokens += whole(sentence, child)
    if verb.i > cue.i or any(t.i == cue.i for t in sentence.children(verb)):
        tokens += _alternatives(sentence, verb)
    return tokens


def _alternatives(sentence: Sentence, verb: Token) -> list[int]:
    """Return alternatives that are denied too: "does not smoke [or use drugs]", "must not copy [or modify] it"."""
    chain, at = [verb], verb
    while (joined := sentence.child(at, "conj")) is not None and joined.i > at.i:
        chain.append(joined)
        at = joined
    either = [t for one in chain for t in sentence.children(one, "cc") if t.lower == "or"]
    if not either or any(sentence.child(one, *SUBJECTS) is not None for one in chain[1:]):
        return []
    return [i for i in whole(sentence, chain[1]) if i > verb.i] + [either[0].i] if len(chain) > 1 else []


def _is_parenthetical(sentence: Sentence, verb: Token, cue: Token, child: Token) -> bool:
    """Match "however", "therefore" and "sir", an opening phrase before a comma, and a clause set off by a comma."""
    first, last = sentence.left(child), sentence.right(child)
    before, after = sentence.before(first), sentence.after(last)
    opened = before is not None and before.tag in PAUSES
    closed = after is None or after.tag in PAUSES
    if child.dep == "advmod":
        if child.tag == "WRB":
            # "the reason [why] I could not come", but "Why could he not come?"
            return child.i < verb.i and before is not None and before.tag not in PAUSES
        plain = child.tag == "RB" and child.dep != "neg"
        early = child.i < cue.i and (child.lower in ASIDES or (child.i < verb.i and (plain or closed)))
        return early or (child.lower in ASIDES and opened and closed)
    if child.dep in {"prep", "npadvmod"} and child.i < cue.i and child.i < verb.i:
        subject = sentence.child(verb, *SUBJECTS)
        return closed or subject is None or child.i < subject.i
    if child.dep == "npadvmod" and opened and closed and child.i > cue.i:
        # "You are wrong, sir."
        return True
    if child.dep == "ccomp" and child.i < verb.i:
        # "I can't see, so I don't know": two clauses run together
        run_on = closed or any(t.i > child.i for t in sentence.children(child, "punct", "cc"))
        return run_on and sentence.child(child, *SUBJECTS) is not None
    if child.dep == "prep" and child.lower == "with" and opened and child.i > cue.i:
        return True
    if first.lower in QUESTIONS and child.i > cue.i:
        # "I cannot see, Anna, [how it works]"
        return False
    return child.dep == "advcl" and (child.i < verb.i or opened or first.lower in REASONS)


def complement_scope(sentence: Sentence, cue: Token) -> Scope:
    """Return the scope of a preposition: "without [a word]"."""
    tokens = set(whole(sentence, cue))
    inner = sentence.child(cue, "pobj", "pcomp", "dobj", "xcomp", "prep")
    return Scope(limited(sentence, tokens, cue), "what follows the cue is denied", inner)


def affixal_scope(sentence: Sentence, word: Token) -> Scope:
    """Return the scope of a word with a negating affix: the noun it modifies, or the clause whose predicate it is."""
    first = word
    while first.dep == "conj" and sentence.tokens[first.head].tag[:1] == word.tag[:1]:
        first = sentence.tokens[first.head]
    head = sentence.tokens[first.head]
    following = sentence.after(word)
    if word.tag == "RB" and following is not None and following.lower == ",":
        # "Unfortunately, we lost."
        return Scope(frozenset({word.i}), "the adverb alone is denied", word)
    if (word.tag[:1] in "JV" and first.dep == "amod") or first.dep == "compound":
        return _noun_scope(sentence, word, head)
    if first.dep == "advmod" and head.tag[:1] in "JR":
        # "an in[credibly old] clock"
        return Scope(
            frozenset(i for i in whole(sentence, head) if i >= word.i), "what the adverb qualifies is denied", word
        )
    if first.dep in {"acomp", "attr", "advmod", "oprd"} and head.tag[:1] in "VM":
        scope = clause_scope(sentence, head, word)
        others = set(whole(sentence, first)) - set(whole(sentence, word)) if first.i != word.i else set()
        others |= {i for t in sentence.children(word, "cc", "conj") for i in whole(sentence, t)}
        return Scope(scope.tokens - others | {word.i}, "the clause of the predicate is denied", word)
    if first.dep in {"ROOT", "conj", "ccomp", "relcl", "advcl", "xcomp"} and word.tag[:1] == "V":
        scope = clause_scope(sentence, word, word)
        return Scope(scope.tokens | {word.i}, scope.rule, word)
    if word.tag[:1] == "N":
        left = {t.i for t in sentence.children(word, "det", "poss", "amod") if t.i < word.i}
        return Scope(frozenset({*left, word.i}), "the noun alone is denied", word)
    inner = {i for t in sentence.children(word) if t.dep not in OUTSIDE for i in whole(sentence, t)}
    return Scope(frozenset(inner) | {word.i}, "the word alone is denied", word)


def _noun_scope(sentence: Sentence, word: Token, noun: Token) -> Scope:
    """Return the scope of an attributive adjective: "[an] un[limited field of work]"."""
    tokens = {word.i, noun.i}
    for child in sentence.children(noun):
        before = child.dep in {"det", "poss", "nummod", "compound"} and child.i < noun.i
        if before or child.dep == "prep":
            tokens |= set(whole(sentence, child))
    tokens |= {t.i for t in sentence.children(word, "advmod")}
    return Scope(frozenset(tokens), "the noun it describes is denied", word)
