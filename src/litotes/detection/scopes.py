"""How far a negation reaches: the tokens of its scope, by the shape of the sentence around its cue.

The scopes are those of the ConanDoyle-neg guidelines: the cue left out, the subject of a negated clause in,
joined clauses, connectives and asides out.
"""

from __future__ import annotations

from dataclasses import dataclass

from litotes.lexicon import word_set
from litotes.parse import Sentence, Token

SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
# What hangs on a verb without being part of what it says: He did not pause, [however,] [but] [bounded on].
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
class Reach:
    """The tokens a cue reaches, the rule that says so, and the head of what is denied."""

    tokens: frozenset[int]
    rule: str
    head: Token | None = None


NOTHING = Reach(frozenset(), "the cue stands alone")


def clausal(sentence: Sentence, cue: Token) -> Reach:
    """A word that denies its clause: not, n't, never, nor, no longer, nothing, no …"""
    head = _governor(sentence, cue)
    following = sentence.after(cue)
    alone = following is None or following.tag in PAUSES
    if cue.dep == "intj" or (head.i == cue.i and alone and cue.tag in {"UH", "RB", "DT"}):
        # "No, I went home."
        return NOTHING
    before = sentence.before(cue)
    answers = before is not None and before.tag == "RB"
    thinks = before is not None and before.i == head.i != cue.i and head.tag[:1] == "V" and head.dep != "aux"
    final = following is None or following.tag in {".", "''"}
    if cue.lower == "not" and final and (answers or thinks):
        # Certainly not. / I think not.
        return NOTHING
    if _joined(sentence, cue, head):
        return _joined_phrase(sentence, head, cue)
    at = head
    for _ in sentence.tokens:
        if at.tag[:1] in "VM" and at.dep != "amod":
            return clause(sentence, at, cue)
        parent = sentence.tokens[at.head]
        if at.dep == "prep" and at.lower in {"with", "of"} and at.i != head.i:
            # with no [sign of life]
            return Reach(_cut(sentence, _whole(sentence, head), cue), f"the phrase after “{at.lower}” is denied", head)
        if at.dep == "appos" or parent.i == at.i:
            return Reach(_cut(sentence, _whole(sentence, at), cue), "a phrase without a verb is denied", at)
        at = parent
    return NOTHING


def _governor(sentence: Sentence, cue: Token) -> Token:
    """The word a cue modifies, or the cue itself where it is a phrase of its own (nothing, nobody)."""
    modifies = cue.dep in {"neg", "det", "advmod", "preconj", "cc", "advcl"} or cue.tag in {"RB", "DT", "CC"}
    head = sentence.tokens[cue.head] if modifies else cue
    if cue.lower == "nor":
        # …, nor [could I understand it]
        later = next((t for t in sentence.children(head, "conj") if t.i > cue.i), None)
        return later if later is not None else head
    return head


def _joined(sentence: Sentence, cue: Token, head: Token) -> bool:
    """facts and not [legends]"""
    before = sentence.before(cue)
    set_against = before is not None and before.lower in {"and", "but", "or", "yet", ","}
    part = head.dep in {"conj", "appos"} or cue.lower == "not"
    return set_against and part and head.i > cue.i and head.tag[:1] not in "VM"


def _joined_phrase(sentence: Sentence, head: Token, cue: Token) -> Reach:
    """The denied phrase, with the subject and verb it shares with the phrase it is set against."""
    found = set(_whole(sentence, head))
    verb = sentence.tokens[head.head]
    for _ in sentence.tokens:
        if verb.tag[:1] in "VM" or verb.head == verb.i:
            break
        verb = sentence.tokens[verb.head]
    if verb.tag[:1] not in "VM" or verb.i > cue.i:
        return Reach(_cut(sentence, found, cue), "a joined phrase is denied", head)
    found = {i for i in found if i > cue.i}
    for _ in sentence.tokens:
        found.add(verb.i)
        for child in sentence.children(verb, *SUBJECTS, "aux", "auxpass"):
            found |= {i for i in _whole(sentence, child) if i < cue.i}
        if verb.dep != "xcomp":
            break
        verb = sentence.tokens[verb.head]
    return Reach(_cut(sentence, found, cue), "a joined phrase is denied, with the clause it shares", head)


def clause(sentence: Sentence, verb: Token, cue: Token) -> Reach:
    """The clause that `verb` heads: its subject, auxiliaries and complements."""
    found = set(_under(sentence, verb, cue))
    rule = "the clause of its verb is denied"
    matrix = sentence.tokens[verb.head]
    if verb.dep == "ccomp" and matrix.lower == "let" and matrix.i + 1 in found:
        # Let's not argue.
        found.add(matrix.i)
    if sentence.child(verb, *SUBJECTS) is None:
        shared = _shared_subject(sentence, verb)
        if shared is not None:
            found |= set(_whole(sentence, shared))
            rule = "the clause of its verb is denied, with the subject it shares"
        elif verb.dep == "xcomp" and cue.i > verb.i:
            found |= _raised(sentence, verb, cue)
    return Reach(_cut(sentence, found, cue), rule, verb)


def _raised(sentence: Sentence, verb: Token, cue: Token) -> set[int]:
    """[He seemed to] know nothing."""
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
    """Everything `head` dominates."""
    found = [head.i]
    for child in sentence.children(head):
        found += _whole(sentence, child)
    return found


def _under(sentence: Sentence, verb: Token, cue: Token) -> list[int]:
    """What a clause's verb dominates, but for connectives, joined clauses and asides."""
    found = [verb.i]
    for child in sentence.children(verb):
        if child.dep not in OUTSIDE and not _aside(sentence, verb, cue, child):
            found += _whole(sentence, child)
    if verb.i > cue.i or any(t.i == cue.i for t in sentence.children(verb)):
        found += _alternatives(sentence, verb)
    return found


def _alternatives(sentence: Sentence, verb: Token) -> list[int]:
    """does not smoke [or use drugs]; must not copy, [distribute or modify] it"""
    chain, at = [verb], verb
    while (joined := sentence.child(at, "conj")) is not None and joined.i > at.i:
        chain.append(joined)
        at = joined
    either = [t for one in chain for t in sentence.children(one, "cc") if t.lower == "or"]
    if not either or any(sentence.child(one, *SUBJECTS) is not None for one in chain[1:]):
        return []
    return [i for i in _whole(sentence, chain[1]) if i > verb.i] + [either[0].i] if len(chain) > 1 else []


def _aside(sentence: Sentence, verb: Token, cue: Token, child: Token) -> bool:
    """However, therefore, sir; what opens the sentence before a comma; a clause set off by one."""
    first, last = sentence.left(child), sentence.right(child)
    before, after = sentence.before(first), sentence.after(last)
    opened = before is not None and before.tag in PAUSES
    closed = after is None or after.tag in PAUSES
    if child.dep == "advmod":
        if child.tag == "WRB":
            # the reason [why] I could not come
            return child.i < verb.i and first.i > 0
        plain = child.tag == "RB" and child.dep != "neg"
        early = child.i < cue.i and (child.lower in ASIDES or (child.i < verb.i and (plain or closed)))
        return early or (child.lower in ASIDES and opened and closed)
    if child.dep in {"prep", "npadvmod"} and child.i < cue.i and child.i < verb.i:
        subject = sentence.child(verb, *SUBJECTS)
        return closed or subject is None or child.i < subject.i
    if child.dep == "npadvmod" and opened and closed and child.i > cue.i:
        # You are wrong, sir.
        return True
    if child.dep == "ccomp" and child.i < verb.i:
        # I can't see, so I don't know: two clauses run together
        run_on = closed or any(t.i > child.i for t in sentence.children(child, "punct", "cc"))
        return run_on and sentence.child(child, *SUBJECTS) is not None
    if child.dep == "prep" and child.lower == "with" and opened and child.i > cue.i:
        return True
    return child.dep == "advcl" and (child.i < verb.i or opened or first.lower in REASONS)


def _cut(sentence: Sentence, found: set[int] | list[int], cue: Token) -> frozenset[int]:
    """No scope runs past a dash or a semicolon, or past ", for", ", since", ", sir"; the edges hold no punctuation."""
    low, high = 0, len(sentence.tokens)
    for token in sentence.tokens:
        breaks = token.tag == ":" and token.lower not in {"...", "-"}
        if breaks and token.i < cue.i:
            low = token.i + 1
        following = sentence.after(token)
        afterthought = token.lower == "," and following is not None and following.lower in AFTERTHOUGHTS
        addressed = [t.lower for t in sentence.tokens[token.i : token.i + 3]] in ADDRESSES
        # not a doctor [but a nurse]
        instead = token.lower == "but" and token.tag == "CC"
        afterthought = afterthought or addressed or instead
        if token.i > cue.i and (breaks or afterthought):
            high = token.i
            break
    kept = sorted(i for i in set(found) - _denied_apart(sentence, cue) if low <= i < high and i != cue.i)
    while kept and sentence.tokens[kept[-1]].tag in PAUSES:
        kept.pop()
    while kept and sentence.tokens[kept[0]].tag in PAUSES:
        kept.pop(0)
    return frozenset(kept)


def _denied_apart(sentence: Sentence, cue: Token) -> set[int]:
    """no sound [and no movement]: a joined phrase with a negation of its own."""
    found: set[int] = set()
    for token in sentence.tokens:
        own = next((t for t in sentence.children(token, "det", "neg") if t.lower in {"no", "not"}), None)
        if token.dep == "conj" and token.tag[:1] == "N" and own is not None and own.i > cue.i:
            before = sentence.before(own)
            found |= set(_whole(sentence, token)) | ({before.i} if before is not None else set())
    return found


def complement(sentence: Sentence, cue: Token, *, rule: str = "what follows the cue is denied") -> Reach:
    """without [a word]"""
    found = set(_whole(sentence, cue))
    inner = sentence.child(cue, "pobj", "pcomp", "dobj", "xcomp", "prep")
    return Reach(_cut(sentence, found, cue), rule, inner)


def affixal(sentence: Sentence, word: Token) -> Reach:
    """A word with a negating affix: the noun it describes, or the clause it is the predicate of."""
    first = word
    while first.dep == "conj" and sentence.tokens[first.head].tag[:1] == word.tag[:1]:
        first = sentence.tokens[first.head]
    head = sentence.tokens[first.head]
    following = sentence.after(word)
    if word.tag == "RB" and following is not None and following.lower == ",":
        # Unfortunately, we lost.
        return Reach(frozenset({word.i}), "the adverb alone is denied", word)
    if (word.tag[:1] in "JV" and first.dep == "amod") or first.dep == "compound":
        return _described(sentence, word, head)
    if first.dep in {"acomp", "attr", "advmod", "oprd"} and head.tag[:1] in "VM":
        reach = clause(sentence, head, word)
        others = set(_whole(sentence, first)) - set(_whole(sentence, word)) if first.i != word.i else set()
        others |= {i for t in sentence.children(word, "cc", "conj") for i in _whole(sentence, t)}
        return Reach(reach.tokens - others | {word.i}, "the clause of the predicate is denied", word)
    if first.dep in {"ROOT", "conj", "ccomp", "relcl", "advcl", "xcomp"} and word.tag[:1] == "V":
        reach = clause(sentence, word, word)
        return Reach(reach.tokens | {word.i}, reach.rule, word)
    if word.tag[:1] == "N":
        left = {t.i for t in sentence.children(word, "det", "poss", "amod") if t.i < word.i}
        return Reach(frozenset({*left, word.i}), "the noun alone is denied", word)
    inner = {i for t in sentence.children(word) if t.dep not in OUTSIDE for i in _whole(sentence, t)}
    return Reach(frozenset(inner) | {word.i}, "the word alone is denied", word)


def _described(sentence: Sentence, word: Token, noun: Token) -> Reach:
    """[an] un[limited field of work]"""
    found = {word.i, noun.i}
    for child in sentence.children(noun):
        before = child.dep in {"det", "poss", "nummod", "compound"} and child.i < noun.i
        if before or child.dep == "prep":
            found |= set(_whole(sentence, child))
    found |= {t.i for t in sentence.children(word, "advmod")}
    return Reach(frozenset(found), "the noun it describes is denied", word)
