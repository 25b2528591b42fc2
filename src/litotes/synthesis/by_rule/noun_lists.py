"""Lists of noun phrases in a sentence, and the lists with one member removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.detection.clauses import BOUNDARY
from litotes.parse import Sentence, Token
from litotes.synthesis.by_rule.noun_phrases import NOUNS, is_a, plain, resolved
from litotes.synthesis.by_rule.query_words import query_words

LONGEST_MEMBER = 6


@dataclass(frozen=True, slots=True)
class NounList:
    """A list of joined noun phrases: pottery, maps and coins."""

    sentence: Sentence
    heads: tuple[Token, ...]
    members: tuple[Sequence[Token], ...]
    serial_comma: bool
    """Whether a comma precedes "and": pottery, maps, and coins."""

    @property
    def start(self) -> int:
        return self.members[0][0].start

    @property
    def end(self) -> int:
        return self.members[-1][-1].end

    def text(self, member: int) -> str:
        tokens = self.members[member]
        return self.sentence.text[tokens[0].start : tokens[-1].end]

    def without(self, member: int) -> str:
        """Return the list with one member removed: pottery and coins."""
        others = [self.text(i) for i in range(len(self.members)) if i != member]
        if len(others) == 1:
            return others[0]
        comma = "," if self.serial_comma and len(others) > 2 else ""
        return f"{', '.join(others[:-1])}{comma} and {others[-1]}"

    def removable(self) -> Iterator[int]:
        """Yield the members that can be removed: never the first, because its words may belong to all members."""
        shared = self.members[0][0].tag in {"DT", "PRP$"} or any(t.tag == "POS" for t in self.members[0])
        for number in range(1, len(self.members)):
            head = self.heads[number]
            bare = head.tag == "NN" and self.members[number][0].tag not in {"DT", "CD", "PRP$"}
            following = self.sentence.after(self.members[number][-1])
            if following is not None and number == len(self.members) - 1 and following.tag in {"IN", "TO", "RP"}:
                # "two lifts and forty places for wheelchairs": the phrase may describe the last member only.
                continue
            # "the centre and shop": the article belongs to both.
            if head.tag in NOUNS and not is_a("vague_nouns", head) and not (shared and bare):
                yield number


def noun_lists(sentence: Sentence) -> Iterator[NounList]:
    """Yield the lists that are objects of a verb or of a preposition and have clear boundaries."""
    if any(t.lower in query_words("tying") for t in sentence.tokens):
        return
    for head in sentence.tokens:
        joined = head.tag in NOUNS and sentence.child(head, "conj") is not None
        agent = sentence.tokens[head.head].dep == "agent"
        if joined and head.dep in {"dobj", "pobj"} and not agent and not _subordinate(sentence, head):
            noun_list = _noun_list(sentence, head)
            if noun_list is not None:
                yield noun_list


def _noun_list(sentence: Sentence, head: Token) -> NounList | None:
    heads = [head]
    while (joined := sentence.children(heads[-1], "conj")) and len(joined) == 1:
        heads.append(joined[0])
    if joined or any(t.tag not in NOUNS for t in heads):
        return None
    starts = [sentence.left(t).i for t in heads]
    members: list[Sequence[Token]] = []
    serial = False
    for number, start in enumerate(starts[:-1]):
        inside = list(sentence.tokens[start : starts[number + 1]])
        separator: list[str] = []
        while inside and (inside[-1].tag == "," or inside[-1].lower == "and"):
            separator.insert(0, inside.pop().lower)
        last = number == len(starts) - 2
        if separator not in ([["and"], [",", "and"]] if last else [[","]]):
            return None
        serial = separator == [",", "and"]
        members.append(inside)
    members.append(sentence.tokens[starts[-1] : heads[-1].i + 1])
    if any(not _is_independent(member, noun) for member, noun in zip(members, heads, strict=True)):
        return None
    # "the shape and colour of the pots": a phrase after the last member may describe all members.
    complete = sentence.right(head).i == heads[-1].i
    # Two members are a list only if they are the whole object of a verb, or examples.
    enough = len(members) > 2 or head.dep == "dobj" or sentence.tokens[head.head].lower in {"as", "including"}
    return NounList(sentence, tuple(heads), tuple(members), serial) if complete and enough else None


def _is_independent(tokens: Sequence[Token], noun: Token) -> bool:
    """Whether the tokens are a short noun phrase that does not depend on the other members."""
    short = 0 < len(tokens) <= LONGEST_MEMBER and noun in tokens
    joining = any(t.tag[:2] in {"VB", "MD", "CC", "WP", "WD", "WR"} or t.tag == "," for t in tokens)
    return short and not joining and plain(tokens) and resolved(tokens)


def _subordinate(sentence: Sentence, token: Token) -> bool:
    """Whether the token is in a subordinate clause."""
    while token.head != token.i:
        if token.dep in BOUNDARY:
            return True
        token = sentence.tokens[token.head]
    return False
