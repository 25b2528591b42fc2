"""Set phrases: one table says what a rewrite does with each, so that no rule takes them word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from litotes.detection import Clause, NoClause, clause_at
from litotes.detection.mended_clauses import CONDITIONAL, SUBORDINATORS
from litotes.lexicon import table
from litotes.lexicon.word_pairs import same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Decline, Draft, Options, Outcome

LONGEST_GAP = 5
CLOSING = frozenset({".", ",", ":", "IN", "''", "-RRB-"})
INTRODUCING = frozenset({"please", "kindly", "well", "so", "and", "but", "hi", "hello", "hey", "also", "just", "now"})
Negate = Callable[[Clause, Options], Draft | Decline]


@dataclass(frozen=True, slots=True)
class SetPhrase:
    """A row of the table, compiled."""

    phrase: str
    action: str
    of: frozenset[str]
    instead: str
    anchored: bool
    closing: bool
    words: tuple[tuple[frozenset[str], frozenset[str], bool], ...]
    """for each place: the words or the Penn tags that fit, and whether it can be left out; none of both is a gap"""


@dataclass(frozen=True, slots=True)
class Match:
    """A set phrase in a sentence, from its first to its last token."""

    row: SetPhrase
    first: int
    last: int


@lru_cache(maxsize=1)
def set_phrases() -> dict[str, list[SetPhrase]]:
    """Return the set phrases by their possible first words."""
    by_first: dict[str, list[SetPhrase]] = {}
    for row in table("set_phrases"):
        parts = row["phrase"].split()
        places = [part for part in parts if part not in {"^", "$"}]
        compiled = SetPhrase(
            row["phrase"],
            row["action"],
            frozenset(row["of"].split()),
            row["with"],
            parts[0] == "^",
            parts[-1] == "$",
            tuple(_place(part) for part in places),
        )
        for word in compiled.words[0][0]:
            by_first.setdefault(word, []).append(compiled)
    return by_first


def _place(part: str) -> tuple[frozenset[str], frozenset[str], bool]:
    optional = part.endswith("?")
    names = part.removesuffix("?").split("|") if part != "…" else []
    words = frozenset(name for name in names if not name.startswith("/"))
    tags = frozenset(name[1:] for name in names if name.startswith("/"))
    return words, tags, optional


def find_set_phrase(sentence: Sentence, clause: Clause | NoClause, operation: str) -> Match | None:
    """Return the first set phrase of a sentence that concerns an operation and the main clause."""
    for match in _matches(sentence):
        if operation in match.row.of and (match.row.anchored or _concerns(clause, match.first, match.last)):
            return match
    return None


# every kind of rewrite asks for the phrases of the same sentence
@lru_cache(maxsize=1024)
def _matches(sentence: Sentence) -> tuple[Match, ...]:
    """Return every set phrase of a sentence, in order."""
    rows = set_phrases()
    found: list[Match] = []
    openings = _openings(sentence)
    for token in sentence.tokens:
        for row in rows.get(token.lower, ()):
            if row.anchored and token.i not in openings:
                continue
            last = _matched(sentence, row, token.i)
            if last >= 0:
                found.append(Match(row, token.i, last))
    return tuple(found)


def _openings(sentence: Sentence) -> set[int]:
    """Return where a set phrase may open: the first word, and the word after an opening "If …,".

    Marks and introductions are passed over: "Please, note that …".
    """
    starts = [0]
    if sentence.tokens[0].lower in SUBORDINATORS | CONDITIONAL:
        starts += [t.i + 1 for t in sentence.tokens if t.lower == ","][:1]
    found = set()
    for start in starts:
        words = (t.i for t in sentence.tokens[start:] if t.text[0].isalnum() and t.lower not in INTRODUCING)
        found.add(next(words, start))
    return found


def _concerns(clause: Clause | NoClause, first: int, last: int) -> bool:
    if isinstance(clause, NoClause):
        return True
    return any(first <= token.i <= last for token in (clause.verb, clause.finite))


def _matched(sentence: Sentence, row: SetPhrase, first: int) -> int:
    """Return the last token of the phrase that begins at `first`, or -1."""
    ends = {first - 1}
    for words, tags, optional in row.words:
        following: set[int] = set(ends) if optional else set()
        for end in ends:
            if not words and not tags:
                following |= set(range(end + 1, min(end + 1 + LONGEST_GAP, len(sentence.tokens))))
            elif end + 1 < len(sentence.tokens):
                token = sentence.tokens[end + 1]
                if token.lower in words or token.tag in tags:
                    following.add(end + 1)
        ends = following
    if row.closing:
        ends = {end for end in ends if end + 1 == len(sentence.tokens) or sentence.tokens[end + 1].tag in CLOSING}
    return max(ends, default=-1)


def apply_set_phrase(
    sentence: Sentence, clause: Clause | NoClause, operation: str, options: Options, negate: Negate
) -> Outcome:
    """Do what the table says if the sentence has a set phrase; None if there is none."""
    match = find_set_phrase(sentence, clause, operation)
    if match is None:
        return None
    first, last = sentence.tokens[match.first], sentence.tokens[match.last]
    if match.row.action == "complement":
        if operation in {"negate", "affirm"}:
            return _complement(sentence, clause, last, options, negate)
        return Decline(_reason(sentence, first, last)) if _finite_complement(sentence, last) else None
    if match.row.action == "instead":
        draft = Draft(sentence, "set-phrase", "n't", "pair")
        please = sentence.before(first)
        start = please if please is not None and please.lower == "please" else first
        return draft.replace(start, same_case(match.row.instead, start.text), until=last)
    return Decline(_reason(sentence, first, last))


def _reason(sentence: Sentence, first: Token, last: Token) -> str:
    return f"“{sentence.text[first.start : last.end]}” is a set phrase"


def _complement(
    sentence: Sentence, clause: Clause | NoClause, last: Token, options: Options, negate: Negate
) -> Outcome:
    """Negate what follows the phrase: a gerund, an infinitive or a clause."""
    if last.tag == "VBG":
        return Draft(sentence, "complement", "not").before(last, "not")
    if last.lower == "to":
        return Draft(sentence, "complement", "not").before(last, "not")
    verb = _finite_complement(sentence, last)
    inner = clause_at(sentence, verb) if verb is not None else None
    if not isinstance(inner, Clause):
        return None
    answer = negate(inner, options)
    if isinstance(answer, Draft):
        answer.rule = "complement"
    return answer


def _finite_complement(sentence: Sentence, last: Token) -> Token | None:
    """Return the verb of the clause right after the phrase."""
    for verb in _verbs_after(sentence, last):
        subject = sentence.child(verb, "nsubj", "nsubjpass", "expl")
        if subject is None or subject.i <= last.i:
            continue
        between = sentence.tokens[last.i + 1 : sentence.left(subject).i]
        return verb if len(between) <= 1 else None
    return None


def _verbs_after(sentence: Sentence, last: Token) -> Iterator[Token]:
    for token in sentence.tokens[last.i + 1 :]:
        if token.tag[:1] in "VM" and token.dep not in {"aux", "auxpass"}:
            yield token
