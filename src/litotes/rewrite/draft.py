"""Collect edits: a rule describes what changes, and the draft takes care of spacing, case and articles."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from litotes.detection import Clause
from litotes.lexicon.morphology import article
from litotes.parse import Sentence, Token
from litotes.rewrite.letters import all_capitals, capital, capitalised, keeps_capital, opens_sentence
from litotes.types import Edit, apply_edits

_NEXT_WORD = re.compile(r"\s+[\"'“‘(]?([\w][\w'’-]*)")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a rewrite."""

    contractions: bool = True
    cue: str = ""
    seed: int = 0
    vary: bool = False
    """draw contractions and exceptors per sentence instead of taking the default, for training data"""
    unchecked: bool = False
    """return rewrites that are likely to be bad, too"""


def stable_draw(sentence: Sentence, seed: int) -> int:
    """Return a number that depends only on the seed and the sentence."""
    return _stable_draw(sentence.text[sentence.start : sentence.end], seed)


@lru_cache(maxsize=1024)
def _stable_draw(text: str, seed: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}\0{text}".encode("utf-8", "replace"), digest_size=6).digest(), "big")


@dataclass(frozen=True, slots=True)
class Decline:
    """The reason why a kind of rewrite does not apply."""

    reason: str


@dataclass(slots=True)
class Draft:
    """The edits of one rewrite, collected by a rule."""

    sentence: Sentence
    rule: str
    cue: str = ""
    polarity_check: str = "cue"
    """How the polarity is checked. "cue": the number of negation cues changes by an odd number. "pair": the lexicon
    guarantees the change, as in open → closed. "none": the number of cues stays the same. "same", for paraphrases: the
    change in cues and the `flips` cancel out, as in not possible → impossible."""
    kind: str = ""
    """The kind of this rewrite, where the rules chose among kinds; else that of the task."""
    flips: int = 0
    """How many changes of polarity come from antonyms, which the counter of cues does not see."""
    pieces: list[tuple[int, int, str]] = field(default_factory=list)

    def replace(self, token: Token, new: str, *, until: Token | None = None) -> Draft:
        """Replace a token, or everything from it up to `until`."""
        self.pieces.append((token.start, (until or token).end, new))
        return self

    def before(self, token: Token, words: str) -> Draft:
        """Insert words before a token. At the start of a sentence, the capital moves to the inserted words."""
        if capitalised(token) and opens_sentence(self.sentence, token):
            self.pieces.append((token.start, token.start, capital(words) + " "))
            if not keeps_capital(self.sentence, token):
                self.pieces.append((token.start, token.start + 1, token.text[0].lower()))
        else:
            self.pieces.append((token.start, token.start, words + " "))
        return self

    def after(self, token: Token, words: str, *, glued: bool = False) -> Draft:
        """Insert words after a token."""
        self.pieces.append((token.end, token.end, words if glued else " " + words))
        return self

    def delete(self, token: Token, *, until: Token | None = None) -> Draft:
        """Delete tokens and the white space on one side. The next word takes over the capital of a sentence."""
        last = until or token
        following = self.sentence.after(last)
        previous = self.sentence.before(token)
        if opens_sentence(self.sentence, token) and following is not None:
            self.pieces.append((token.start, following.start, ""))
            if capitalised(token) and following.text[:1].islower():
                self.pieces.append((following.start, following.start + 1, following.text[0].upper()))
        else:
            start = previous.end if previous is not None else token.start
            glued = previous is not None and start == token.start and not previous.tag[0].isalpha()
            if glued and following is not None:
                # after a quotation mark or a bracket, the space behind goes
                self.pieces.append((start, following.start, ""))
            else:
                self.pieces.append((start, last.end, ""))
        return self

    def edits(self) -> tuple[Edit, ...] | None:
        """Return the edits sorted and merged, with articles corrected. None if two changes overlap."""
        pieces = [(s, e, n.upper()) for s, e, n in self.pieces] if all_capitals(self.sentence) else self.pieces
        merged = _merge(self.sentence.text, pieces)
        if merged is None:
            return None
        return _edits(self.sentence.text, self._write_out_have(self._mend_articles(merged)))

    def _write_out_have(self, pieces: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Write 've out where the words before it change: could've → couldn't have."""
        if "'ve" not in self.sentence.words:
            return pieces
        written = list(pieces)
        for token in self.sentence.tokens[1:]:
            if token.lower != "'ve" or _touched(token, pieces):
                continue
            if any(end == token.start and new for _, end, new in pieces):
                written.append((token.start, token.end, " have"))
        return written

    def _mend_articles(self, pieces: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        if self.sentence.words.isdisjoint({"a", "an"}):
            return pieces
        text = self.sentence.text
        corrected = list(pieces)
        for token in self.sentence.tokens:
            if token.lower not in {"a", "an"} or token.tag != "DT" or _touched(token, pieces):
                continue
            old = _NEXT_WORD.match(text, token.end)
            tail = [p for p in pieces if p[0] >= token.end]
            if old is None or not tail or tail[0][0] > old.end():
                continue
            new_text = apply_edits(
                text[token.end :], _edits(text[token.end :], [(s - token.end, e - token.end, n) for s, e, n in tail])
            )
            new = _NEXT_WORD.match(new_text)
            if new is None or article(old[1]) != token.lower or article(new[1]) == token.lower:
                continue
            fresh = article(new[1])
            corrected.append((token.start, token.end, capital(fresh) if token.text[0].isupper() else fresh))
        return corrected


def _touched(token: Token, pieces: list[tuple[int, int, str]]) -> bool:
    return any(s < token.end and e > token.start for s, e, _ in pieces)


def _merge(text: str, pieces: list[tuple[int, int, str]]) -> list[tuple[int, int, str]] | None:
    """Sort the pieces by position. Insertions at the same position keep their order."""
    ordered = sorted(pieces, key=lambda p: (p[0], p[1]))
    for (_, end, _), (start, _, _) in pairwise(ordered):
        if start < end:
            return None
    return ordered


def _edits(text: str, pieces: list[tuple[int, int, str]]) -> tuple[Edit, ...]:
    edits: list[Edit] = []
    for start, end, new in sorted(pieces, key=lambda p: (p[0], p[1])):
        if edits and edits[-1].end == start:
            last = edits.pop()
            edits.append(Edit(last.start, last.old + text[start:end], last.new + new))
        else:
            edits.append(Edit(start, text[start:end], new))
    return tuple(edit for edit in edits if edit.old != edit.new)


Outcome = Draft | Decline | None
Rule = Callable[[Clause, Options], Outcome]


def first_answer(rules: tuple[Rule, ...], clause: Clause, options: Options, otherwise: str) -> Draft | Decline:
    """Return the first answer of the rules, a draft or a reason."""
    for rule in rules:
        answer = rule(clause, options)
        if answer is not None:
            return answer
    return Decline(otherwise)
