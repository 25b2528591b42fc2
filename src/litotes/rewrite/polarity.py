"""Polarity items change with the negation: some/any, already/yet, too/either, a lot of/much."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from litotes.detection import Clause
from litotes.detection.clauses import BOUNDARY
from litotes.lexicon import table, word_set
from litotes.lexicon.morphology import lemma
from litotes.lexicon.word_pairs import mass_nouns, same_case
from litotes.parse import Sentence, Token
from litotes.rewrite.draft import Draft
from litotes.rewrite.echoes import turn_echo
from litotes.rewrite.grammar import end_of_clause, full_form
from litotes.types import Cue

TIMES = word_set("time_nouns") | {
    "degree",
    "distance",
    "extent",
    "kilometre",
    "kilometer",
    "metre",
    "meter",
    "mile",
    "way",
}
Item = tuple[tuple[str, ...], str, str, str]


@lru_cache(maxsize=1)
def _items() -> dict[str, list[Item]]:
    by_first: dict[str, list[Item]] = {}
    for row in table("polarity"):
        words = tuple(row["positive"].split())
        by_first.setdefault(words[0], []).append((words, row["negative"], row["pos"], row["move"]))
    return by_first


def adjust_polarity_items(draft: Draft, clause: Clause) -> Draft:
    """Change the positive polarity items that a negation on the clause's verb reaches."""
    items = _items()
    floor = clause.finite.i
    if clause.subject is not None and (clause.inverted or clause.subject.i < floor):
        floor = clause.sentence.right(clause.subject).i + 1
    for token in clause.sentence.tokens[floor:]:
        if (
            token.lower in items
            and not token.text[0].isupper()
            and in_reach(clause, token)
            and not _apart(clause, token)
        ):
            for words, negative, pos, move in items[token.lower]:
                part = clause.sentence.tokens[token.i : token.i + len(words)]
                if tuple(t.lower for t in part) == words and _fits(draft, clause, part[0], part[-1], pos):
                    if move == "end" and token.head not in {clause.verb.i, clause.finite.i}:
                        break
                    _turn(draft, clause, part[0], part[-1], negative, move)
                    break
    turn_echo(draft, clause, negated=True)
    return draft


NEEDING = frozenset(
    {
        ("whatsoever", ""),
        ("let", "alone"),
        ("other", "than"),
        *(("in", unit) for unit in ("ages", "weeks", "months", "years")),
        *(("even", one) for one in ("1", "one", "a")),
    }
)
"""Phrases that need a negation."""
SOME = frozenset({"any", "anyone", "anybody", "anything", "anywhere"})


def stranded(sentence: Sentence, cue: Cue) -> str:
    """Return a phrase after a cue that could not stand without it, or ""."""
    if cue.type in {"affixal", "implicit"}:
        # "He was unable to stand, let alone walk"
        return ""
    words = [token.lower for token in sentence.tokens[cue.tokens[0] + 1 :]]
    if "except" in words and (cue.type == "absolute" or not SOME.isdisjoint(words)):
        # "nobody … except the cleaner", "not … anything except the postage"
        return "except"
    if fixed := _fixed(sentence, cue, words):
        return fixed
    if ("so", "much", "as") in zip(words, words[1:], words[2:], strict=False):
        return "so much as"
    pairs = ((first, rest) for first, second in pairwise([*words, ""]) for rest in (second, ""))
    return next((f"{first} {rest}".strip() for first, rest in pairs if (first, rest) in NEEDING), "")


def _fixed(sentence: Sentence, cue: Cue, words: list[str]) -> str:
    """Return "in no time", "no way" at the end, or "nothing like", if the cue is part of it."""
    first = cue.tokens[0]
    negator, before = sentence.tokens[first].lower, sentence.tokens[first - 1].lower if first else ""
    if negator == "no" and before == "in" and words[:1] == ["time"]:
        return "in no time"
    if negator == "no" and words[:1] == ["way"] and (len(words) == 1 or words[1] in {".", "!", "?"}):
        return "no way"
    quite = words[1:2] if words[:1] in (["quite"], ["much"], ["remotely"]) else words[:1]
    return "nothing like" if negator == "nothing" and quite == ["like"] else ""


def _apart(clause: Clause, token: Token) -> bool:
    """Match what follows a comma or a bracket after the verb: "…, some of them new"."""
    between = clause.sentence.tokens[clause.verb.i + 1 : token.i]
    apart = any(t.lower in {",", ";", ":", "-", "--", "–", "—", "("} for t in between)
    return apart and token.dep in {"det", "appos", "npadvmod"}


def in_reach(clause: Clause, token: Token) -> bool:
    """Return whether a token is in the main clause or in an infinitive under it, not in a finite clause of its own."""
    at = token
    for _ in clause.sentence.tokens:
        if at.i == clause.verb.i:
            return True
        parent = clause.sentence.tokens[at.head]
        if at.head == at.i or (at.dep in BOUNDARY and at.dep != "xcomp"):
            return False
        if at.dep == "conj" and (parent.i == clause.verb.i or at.tag[:1] in "VM"):
            return False
        at = parent
    return False


def _fits(draft: Draft, clause: Clause, first: Token, last: Token, pos: str) -> bool:
    following = clause.sentence.after(last)
    tag = following.tag if following is not None else "."
    if pos == "determiner" and following is not None and lemma(following.lower, "N") in TIMES:
        # "some months ago"
        return False
    if pos == "determiner":
        # neither "some 200 people" nor "some day" nor the emphatic "some party!"
        return (tag not in {"CD", "."} and (following is None or following.lower not in {"day", "more"})) or (
            tag == "." and first.dep in {"dobj", "pobj"}
        )
    if first.lower == "still" and draft.cue in {"no longer", "never"}:
        return False
    if first.lower in {"too", "as"}:
        return tag in {".", ",", ":", "''", "-RRB-"} or following is None
    if pos == "degree" and draft.cue in {"no", "none"}:
        return False
    if pos == "degree":
        return tag in {"JJ", "RB", "VBN"} and first.dep == "advmod" and first.i > clause.finite.i
    if first.lower == "a" and last.lower == "little":
        return following is not None and following.lower in mass_nouns()
    if first.lower == "a" and last.lower == "few":
        # not "for a few months": only an object becomes "any"
        return clause.sentence.tokens[last.head].dep in {"dobj", "attr"}
    if pos == "quantity":
        return tag[:1] in "NJDP"
    return True


def _turn(draft: Draft, clause: Clause, first: Token, last: Token, negative: str, move: str) -> None:
    if negative == "ever" and first.i > clause.verb.i:
        draft.delete(first)
        return
    if move == "end" and negative == "yet" and _other_clause(clause) and clause.finite.i == first.i - 1:
        # "They have already signed the lease that …" → "They haven't yet signed the lease that …"
        draft.replace(first, negative)
        return
    if move == "end":
        draft.delete(first, until=last)
        if draft.cue == "never":
            return
        if not _other_clause(clause):
            draft.after(end_of_clause(clause), negative)
        return
    if negative == "much" and (_plural_after(clause, last) or full_form(clause) in {"are", "were"}):
        negative = "many"
    draft.replace(first, same_case(negative, first.text), until=last)


def _other_clause(clause: Clause) -> bool:
    """Match "I already told you he left": at the end, "yet" would belong to the other clause."""
    later = [t for t in clause.sentence.tokens[clause.verb.i + 1 :] if t.tag in {"VBZ", "VBP", "VBD", "MD"}]
    tag = {t.i for t in clause.question_tag}
    return any(t.i not in tag for t in later)


def _plural_after(clause: Clause, last: Token) -> bool:
    noun = clause.sentence.child(last, "pobj")
    if noun is None:
        noun = next((t for t in clause.sentence.tokens[last.i + 1 :] if t.tag[:1] == "N"), None)
    return noun is not None and noun.tag in {"NNS", "NNPS"}
