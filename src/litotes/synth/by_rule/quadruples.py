"""Quadruples by rule: two ways to say a thing and two to deny it, so that the count of cues joins the wrong ones.

The shop is open = The shop is not closed, against The shop is closed = The shop is not open. The ways are a negated
verb, an antonym or affix as the predicate, both at once, another cue for the same, and openings that hold a clause true
or false ("It is a myth that …"). Every text has a side and a number of cues; of the squares they make, one is drawn in
which most texts have an opposite with as many cues and an equivalent with more or fewer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product

from litotes.data.quadruples import Quadruple
from litotes.detection import Clause
from litotes.lexicon import table, word_set
from litotes.parse import Document, Parser
from litotes.parse import parser as load_parser
from litotes.rewrite import Options, View, apply, clauses_of, structure_failure, task, view
from litotes.synth.by_rule.triples import PARTIAL
from litotes.synth.cue_counting import bag
from litotes.synth.filters import LONGEST, SHORTEST
from litotes.synth.sources import Anchor
from litotes.types import Rewrite

OPPOSITES = ("lexical", "affixal")
MANY = word_set("universal_quantifiers") | {"many", "much"}
"""words that "not" and an opposite reach differently: no lack of many members is not many members"""
OPENED = 0.5
"""the share of anchors whose texts are also put behind openings, where a square of plain texts is to be had"""
LEAST_MISLED = 2
"""texts of a quadruple that counting cues sorts wrongly"""
BATCH = 256
Square = tuple["Side", "Side", "Side", "Side"]


@dataclass(frozen=True, slots=True)
class Side:
    """A text, whether it says what the anchor says or denies it, and how it was made."""

    text: str
    same: bool
    way: str
    world: str = ""
    """whose claim it is, where an opening says so: only texts of one world are equivalent or opposite"""

    @property
    def cues(self) -> int:
        """How many cues of negation it holds."""
        return len(bag(self.text))


def quadruples(
    anchors: Sequence[Anchor], *, seed: int, counts: Counter[str], reader: Parser | None = None
) -> Iterator[Quadruple]:
    """The quadruples of some anchors, at most two of each; what is dropped is counted by its reason."""
    reader = reader or load_parser()
    maker = _Maker(seed)
    documents = reader.pipe((anchor.text for anchor in anchors), batch=BATCH)
    at = 0
    while batch := list(islice(documents, BATCH)):
        for anchor, sides in zip(anchors[at : at + len(batch)], maker.sides(batch, counts, reader), strict=True):
            found = _squares(sides, random.Random(f"{seed}{anchor.text}"))
            counts["anchor without a quadruple"] += not found
            yield from (_quadruple(f"{anchor.id}/square/{number}", one) for number, one in enumerate(found))
        at += len(batch)


class _Maker:
    """The tasks of a run, and what they make of an anchor."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.options = Options(seed=seed, vary=True)
        self.negate = task("negate", "verbal", self.options)
        self.opposite = [task("negate", kind, self.options) for kind in OPPOSITES]
        self.restate = task("paraphrase", "equivalent", self.options)

    def sides(self, batch: Sequence[Document], counts: Counter[str], reader: Parser) -> Iterator[list[Side]]:
        """All that is made of each anchor, in two steps: from the anchor, and from what the first step made."""
        turned = _kept(batch, [self._turned(view(document)) for document in batch], counts, reader)
        flat = [one for row in turned for one in row]
        again = iter(_kept([document for _, document in flat], [self._again(*one) for one in flat], counts, reader))
        for document, row in zip(batch, turned, strict=True):
            made = [(Side(document.text, True, "anchor"), document)] if row else []
            for rewrite, parsed in row:
                made.append((Side(str(rewrite), False, rewrite.kind), parsed))
                for other, deeper in next(again):
                    # the negation of an opposite says the anchor again; another cue for a negation still denies it
                    made.append((Side(str(other), other.kind == "verbal", f"{other.kind} {rewrite.kind}"), deeper))
            yield [side for side, _ in made] + self._opened(made)

    def _turned(self, seen: View) -> list[Rewrite]:
        """The plain denials of a plain statement: its verb negated, its predicate exchanged."""
        negated = apply(seen, self.negate) if _statement(seen) else None
        if not negated:
            return []
        ways = self.opposite if _of_the_predicate(seen, negated) else ()
        return [negated, *(one for one in (apply(seen, way) for way in ways) if one and _predicate(seen, one))]

    def _again(self, one: Rewrite, document: Document) -> list[Rewrite]:
        found = apply(view(document), self.restate if one.kind == "verbal" else self.negate)
        return [found] if found else []

    def _opened(self, made: Sequence[tuple[Side, Document]]) -> list[Side]:
        """The texts behind a pair of openings, one that holds them true and one that holds them false."""
        if not made:
            return []
        draw = random.Random(f"{self.seed}opened{made[0][0].text}")
        if any(side.way in OPPOSITES for side, _ in made) and draw.random() >= OPENED:
            return []
        row = draw.choice(list(table("reports")))
        world = "" if row["world"] == "plain" else row["world"]
        found: list[Side] = []
        for side, document in made:
            for template, holds in ((row["asserts"], True), (row["denies"], False)):
                opened = apply(view(document), task("frame", "opening", replace(self.options, cue=template)))
                if opened:
                    found.append(Side(str(opened), side.same == holds, "opening", world))
        return found


def _statement(seen: View) -> bool:
    """One sentence, which states something and denies nothing; "some did" and "some did not" may both be true."""
    if len(seen.sentences) != 1 or seen.sentences[0][2]:
        return False
    sentence, clause, _ = seen.sentences[0]
    if not isinstance(clause, Clause) or clause.subject is None or clause.negative or clause.mood != "declarative":
        return False
    if clause.question_tag or clause.finite.lower in {"may", "might"} or sentence.tokens[-1].lower == "?":
        return False
    first = sentence.left(clause.subject)
    return first.tag != "CD" and not any(token.lower in PARTIAL for token in sentence.tokens)


def _of_the_predicate(seen: View, negated: Rewrite) -> bool:
    """Whether "not" reaches the predicate and no more: "not every room has one" is not "every room lacks one"."""
    sentence, clause, _ = seen.sentences[0]
    if not isinstance(clause, Clause) or clause.subject is None:
        return False
    behind = all(edit.start >= clause.subject.end for edit in negated.edits)
    return behind and not any(token.lower in MANY for token in sentence.tokens)


def _predicate(seen: View, rewrite: Rewrite) -> bool:
    """Whether the exchanged word is what the clause says of its subject: "not" then turns the same thing."""
    _, clause, _ = seen.sentences[0]
    if not isinstance(clause, Clause):
        return False
    complement = clause.sentence.child(clause.verb, "acomp", "oprd")
    places = {clause.verb.start} | ({complement.start} if complement is not None else set())
    return rewrite.edits[0].start in places


def _kept(
    documents: Sequence[Document], rows: Sequence[Sequence[Rewrite]], counts: Counter[str], reader: Parser
) -> list[list[tuple[Rewrite, Document]]]:
    """The rewrites whose own parse is what it should be, with it."""
    parsed = reader.pipe((str(rewrite) for row in rows for rewrite in row), batch=BATCH)
    kept: list[list[tuple[Rewrite, Document]]] = []
    for document, row in zip(documents, rows, strict=True):
        views = clauses_of(document) if row else []
        found = [(rewrite, next(parsed)) for rewrite in row]
        good = [(rewrite, again) for rewrite, again in found if not structure_failure(views, rewrite, again)]
        counts["does not parse as it should"] += len(found) - len(good)
        kept.append(good)
    return kept


def _squares(sides: Sequence[Side], draw: random.Random) -> list[Square]:
    """A square of plain texts, and one with openings, each where it can be had."""
    fit = [side for side in _each_once(sides) if SHORTEST <= len(side.text.split()) <= LONGEST]
    plain = [side for side in fit if side.way != "opening"]
    worlds = {side.world for side in fit if side.way == "opening"}
    pools = [plain, *([side for side in fit if side.world == world] for world in sorted(worlds))]
    found = [_square(pool, draw, opened=number > 0) for number, pool in enumerate(pools)]
    return [square for square in found if square is not None]


def _square(pool: Sequence[Side], draw: random.Random, *, opened: bool) -> Square | None:
    """Four texts by lot, of those that mislead a counter of cues the most."""
    same = draw.sample([side for side in pool if side.same], sum(side.same for side in pool))
    denied = draw.sample([side for side in pool if not side.same], sum(not side.same for side in pool))
    pairs = list(product(permutations(same, 2), permutations(denied, 2)))
    squares: list[Square] = [(*a, *b) for a, b in pairs if opened == any(side.way == "opening" for side in (*a, *b))]
    best = max(squares, key=_misled, default=None)
    return best if best is not None and _misled(best) >= LEAST_MISLED else None


def _misled(square: Square) -> int:
    """How many of the texts have as many cues as the opposite beside them, and not as many as their equivalent."""
    a1, a2, b1, b2 = (side.cues for side in square)
    return sum((a1 == b1 != a2, a2 == b2 != a1, b1 == a1 != b2, b2 == a2 != b1)) or (abs(a1 - a2) > 1) * 2


def _each_once(sides: Iterable[Side]) -> list[Side]:
    """Each text once; one that stands on both sides is none."""
    by_text: dict[str, set[bool]] = {}
    for side in sides:
        by_text.setdefault(side.text.lower(), set()).add(side.same)
    found = {side.text.lower(): side for side in sides if len(by_text[side.text.lower()]) == 1}
    return list(found.values())


def _quadruple(name: str, square: Square) -> Quadruple:
    a1, a2, b1, b2 = square
    ways = sorted({side.way for side in square} - {"anchor", "verbal"})
    cues = (a1.cues, a2.cues, b1.cues, b2.cues)
    return Quadruple(name, a1.text, a2.text, b1.text, b2.text, cues, ways[0], "+".join(ways))
