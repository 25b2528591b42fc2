"""Find the scope of a negation: the tokens that it denies, by the structure of the sentence around its cue.

The scopes follow the guidelines of ConanDoyle-neg: the cue is not part of its scope, the subject of a negated clause
is, and coordinated clauses, connectives and parentheticals are not.
"""

from __future__ import annotations

from dataclasses import dataclass

from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
# dependents of a verb that are not part of what it says: "He did not pause, [however,] [but] [bounded on]."
OUTSIDE = frozenset({"cc", "conj", "parataxis", "intj", "mark", "meta", "preconj", "punct", "dep"})
PAUSES = frozenset({",", ":", ".", "``", "''", "-LRB-", "-RRB-", "HYPH"})
ASIDES = word_set("asides")
REASONS = frozenset({"because", "unless", "so"})
ADDRESSES = ([",", "my", "dear"], [",", "my", "good"])
AFTERTHOUGHTS = word_set("afterthoughts")
RAISING = frozenset(
    {"seem", "seems", "seemed", "appear", "appears", "appeared", "be", "am", "is", "are", "was", "were"}
)
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
    thinks = before is not None and before.i == head.i != cue.i and head.tag[:1] == "V" and head.dep != "aux"
    final = following is None or following.tag in {".", "''"}
    if cue.lower == "not" and final and (answers or thinks):
        # "Certainly not." and "I think not."
        return EMPTY_SCOPE
    if _is_conjunct(sentence, cue, head):
        return _conjunct_scope(sentence, head, cue)
    at = head
    for _ in sentence.tokens:
        if at.tag[:1] in "VM" and at.dep != "amod":
            return clause_scope(sentence, at, cue)
        parent = sentence.tokens[at.head]
        if at.dep == "prep" and at.lower in {"with", "of"} and at.i != head.i:
            # "with no [sign of life]"
            return Scope(_cut(sentence, _whole(sentence, head), cue), f"the phrase after “{at.lower}” is denied", head)
        if at.dep == "appos" or parent.i == at.i:
            return Scope(_cut(sentence, _whole(sentence, at), cue), "a phrase without a verb is denied", at)
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
    tokens = set(_whole(sentence, head))
    verb = sentence.tokens[head.head]
    for _ in sentence.tokens:
        if verb.tag[:1] in "VM" or verb.head == verb.i:
            break
        verb = sentence.tokens[verb.head]
    if verb.tag[:1] not in "VM" or verb.i > cue.i:
        return Scope(_cut(sentence, tokens, cue), "a joined phrase is denied", head)
    tokens = {i for i in tokens if i > cue.i}
    for _ in sentence.tokens:
        tokens.add(verb.i)
        for child in sentence.children(verb, *SUBJECTS, "aux", "auxpass"):
            tokens |= {i for i in _whole(sentence, child) if i < cue.i}
        if verb.dep != "xcomp":
            break
        verb = sentence.tokens[verb.head]
    return Scope(_cut(sentence, tokens, cue), "a joined phrase is denied, with the clause it shares", head)


def clause_scope(sentence: Sentence, verb: Token, cue: Token) -> Scope:
    """Return the scope of a clause that `verb` heads: its subject, auxiliaries and complements."""
    tokens = set(_under(sentence, verb, cue))
    rule = "the clause of its verb is denied"
    matrix = sentence.tokens[verb.head]
    if verb.dep == "ccomp" and matrix.lower == "let" and matrix.i + 1 in tokens:
        # "Let's not argue."
        tokens.add(matrix.i)
    if sentence.child(verb, *SUBJECTS) is None:
        shared = _shared_subject(sentence, verb)
        if shared is not None:
            tokens |= set(_whole(sentence, shared))
            rule = "the clause of its verb is denied, with the subject it shares"
        elif verb.dep == "xcomp" and cue.i > verb.i:
            tokens |= _matrix_clause(sentence, verb, cue)
    return Scope(_cut(sentence, tokens, cue), rule, verb)


def _matrix_clause(sentence: Sentence, verb: Token, cue: Token) -> set[int]:
    """Return the matrix clause of a raising verb: "[He seemed to] know nothing." """
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


def _whole(sentence: Sentence, head: Token) -> list[int]:
    """Return everything that `head` dominates."""
    tokens = [head.i]
    for child in sentence.children(head):
        tokens += _whole(sentence, child)
    return tokens


def _under(sentence: Sentence, verb: Token, cue: Token) -> list[int]:
    """Return everything that a clause's verb dominates, except connectives, coordinated clauses and parentheticals."""
    tokens = [verb.i]
    for child in sentence.children(verb):
        if child.dep not in OUTSIDE and not _is_parenthetical(sentence, verb, cue, child):
            tokens += _whole(sentence, child)
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
    return [i for i in _whole(sentence, chain[1]) if i > verb.i] + [either[0].i] if len(chain) > 1 else []


def _is_parenthetical(sentence: Sentence, verb: Token, cue: Token, child: Token) -> bool:
    """Match "however", "therefore" and "sir", an opening phrase before a comma, and a clause set off by a comma."""
    first, last = sentence.left(child), sentence.right(child)
    before, after = sentence.before(first), sentence.after(last)
    opened = before is not None and before.tag in PAUSES
    closed = after is None or after.tag in PAUSES
    if child.dep == "advmod":
        if child.tag == "WRB":
            # "the reason [why] I could not come"
            return child.i < verb.i and first.i > 0
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
    return child.dep == "advcl" and (child.i < verb.i or opened or first.lower in REASONS)


def _cut(sentence: Sentence, tokens: set[int] | list[int], cue: Token) -> frozenset[int]:
    """Cut a scope at a dash, a semicolon, ", for", ", since" or ", sir", and remove punctuation from its ends."""
    low, high = 0, len(sentence.tokens)
    for token in sentence.tokens:
        breaks = token.tag == ":" and token.lower not in {"...", "-"}
        if breaks and token.i < cue.i:
            low = token.i + 1
        following = sentence.after(token)
        afterthought = token.lower == "," and following is not None and following.lower in AFTERTHOUGHTS
        addressed = [t.lower for t in sentence.tokens[token.i : token.i + 3]] in ADDRESSES
        # "not a doctor [but a nurse]"
        instead = token.lower == "but" and token.tag == "CC"
        afterthought = afterthought or addressed or instead
        if token.i > cue.i and (breaks or afterthought):
            high = token.i
            break
    kept = sorted(i for i in set(tokens) - _own_negation(sentence, cue) if low <= i < high and i != cue.i)
    while kept and sentence.tokens[kept[-1]].tag in PAUSES:
        kept.pop()
    while kept and sentence.tokens[kept[0]].tag in PAUSES:
        kept.pop(0)
    return frozenset(kept)


def _own_negation(sentence: Sentence, cue: Token) -> set[int]:
    """Return conjuncts with a negation of their own: "no sound [and no movement]"."""
    tokens: set[int] = set()
    for token in sentence.tokens:
        own = next((t for t in sentence.children(token, "det", "neg") if t.lower in {"no", "not"}), None)
        if token.dep == "conj" and token.tag[:1] == "N" and own is not None and own.i > cue.i:
            before = sentence.before(own)
            tokens |= set(_whole(sentence, token)) | ({before.i} if before is not None else set())
    return tokens


def complement_scope(sentence: Sentence, cue: Token) -> Scope:
    """Return the scope of a preposition: "without [a word]"."""
    tokens = set(_whole(sentence, cue))
    inner = sentence.child(cue, "pobj", "pcomp", "dobj", "xcomp", "prep")
    return Scope(_cut(sentence, tokens, cue), "what follows the cue is denied", inner)


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
    if first.dep in {"acomp", "attr", "advmod", "oprd"} and head.tag[:1] in "VM":
        scope = clause_scope(sentence, head, word)
        others = set(_whole(sentence, first)) - set(_whole(sentence, word)) if first.i != word.i else set()
        others |= {i for t in sentence.children(word, "cc", "conj") for i in _whole(sentence, t)}
        return Scope(scope.tokens - others | {word.i}, "the clause of the predicate is denied", word)
    if first.dep in {"ROOT", "conj", "ccomp", "relcl", "advcl", "xcomp"} and word.tag[:1] == "V":
        scope = clause_scope(sentence, word, word)
        return Scope(scope.tokens | {word.i}, scope.rule, word)
    if word.tag[:1] == "N":
        left = {t.i for t in sentence.children(word, "det", "poss", "amod") if t.i < word.i}
        return Scope(frozenset({*left, word.i}), "the noun alone is denied", word)
    inner = {i for t in sentence.children(word) if t.dep not in OUTSIDE for i in _whole(sentence, t)}
    return Scope(frozenset(inner) | {word.i}, "the word alone is denied", word)


def _noun_scope(sentence: Sentence, word: Token, noun: Token) -> Scope:
    """Return the scope of an attributive adjective: "[an] un[limited field of work]"."""
    tokens = {word.i, noun.i}
    for child in sentence.children(noun):
        before = child.dep in {"det", "poss", "nummod", "compound"} and child.i < noun.i
        if before or child.dep == "prep":
            tokens |= set(_whole(sentence, child))
    tokens |= {t.i for t in sentence.children(word, "advmod")}
    return Scope(frozenset(tokens), "the noun it describes is denied", word)
