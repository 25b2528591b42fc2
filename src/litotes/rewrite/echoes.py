"""Short clauses that echo the polarity of the clause before them: "and so did I" ↔ "and neither did I"."""

from __future__ import annotations

from litotes.detection import Clause
from litotes.detection.operators import operators
from litotes.parse import Token
from litotes.rewrite.draft import Draft

NEGATIVE = frozenset({"neither", "nor"})
ELLIPSIS = "a second clause leaves its verb out and contrasts with the first"


def turn_echo(draft: Draft, clause: Clause, *, negated: bool) -> None:
    """Let the echo follow the clause: "She sang, and so did I." → "She didn't sing, and neither did I." """
    for token in clause.sentence.tokens[clause.verb.i + 1 :]:
        if not _echoes(clause, token, frozenset({"so"}) if negated else NEGATIVE):
            continue
        previous = clause.sentence.tokens[token.i - 1]
        joined = "" if previous.lower == "and" else "and "
        draft.replace(token, "neither" if negated else f"{joined}so")
        # a cue of its own comes or goes with the echo
        draft.polarity_check = "pair"
        return


def _echoes(clause: Clause, token: Token, words: frozenset[str]) -> bool:
    """Match "and so did I": the word, an auxiliary, and a subject that ends the clause."""
    tokens = clause.sentence.tokens
    if token.lower not in words or token.i + 2 >= len(tokens):
        return False
    previous, auxiliary, subject = tokens[token.i - 1], tokens[token.i + 1], tokens[token.i + 2]
    joined = previous.lower == "and" or (token.lower == "nor" and previous.lower == ",")
    if not joined or auxiliary.lower not in operators() or subject.tag[:1] not in "PNDJ":
        return False
    return not any(t.tag[:1] == "V" for t in tokens[subject.i + 1 :])


def elliptic_contrast(clause: Clause) -> bool:
    """Match "I like olives, but my wife doesn't": the second clause lives on the polarity of the first."""
    words = [t for t in clause.sentence.tokens[clause.verb.i + 1 :] if t.text[0].isalnum() or t.lower == "n't"]
    while words and words[-1].lower in {"n't", "not", "too", "either"}:
        words.pop()
    if len(words) < 3 or words[-1].lower not in operators() or words[-2].tag[:1] not in "PN":
        return False
    return any(t.lower in {"but", "and"} for t in words[:-2])
