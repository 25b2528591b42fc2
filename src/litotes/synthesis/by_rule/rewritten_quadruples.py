"""Quadruples by rule: two ways to say something and two ways to deny it, in which counting cues misleads.

The shop is open = The shop is not closed, against The shop is closed = The shop is not open. The ways are a negated
verb, an antonym or affix as the predicate, both at once, another cue with the same meaning, and openings that declare a
clause true or false ("It is a myth that …"). Each text either agrees with the anchor or denies it, and has a number of
cues. Of all possible quadruples, one is drawn in which most texts have as many cues as an opposite and more or fewer
than their equivalent.
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
from litotes.parse import Document, Parser, load_parser
from litotes.rewrite import Options, RewriteInput, apply_task, clauses_of, prepare, structure_failure, task
from litotes.synthesis.by_rule.rewritten_triples import PARTIAL
from litotes.synthesis.cue_counting import cue_bag
from litotes.synthesis.filters import LONGEST, SHORTEST
from litotes.synthesis.fluency import RewriteCheck, checked_rows
from litotes.synthesis.sources import Anchor
from litotes.types import Rewrite

OPPOSITES = ("lexical", "affixal")
MANY = word_set("universal_quantifiers") | {"many", "much"}
"""Words for which "not" and an opposite differ: no lack of many members is not many members."""
SHARE_OPENED = 0.5
"""The share of anchors that get openings although a quadruple of plain texts is possible."""
LEAST_MISLED = 2
"""Texts of a quadruple that counting cues classifies wrongly."""
BATCH = 256
Square = tuple["Statement", "Statement", "Statement", "Statement"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A text, whether it agrees with the anchor or denies it, and how it was made."""

    text: str
    agrees: bool
    way: str
    world: str = ""
    """Whose claim it is, if an opening says so. Only texts of one world are equivalent or opposite."""

    @property
    def cues(self) -> int:
        """The number of negation cues."""
        return len(cue_bag(self.text))


def quadruples(
    anchors: Sequence[Anchor],
    *,
    seed: int,
    counts: Counter[str],
    check: RewriteCheck | None = None,
    parser: Parser | None = None,
) -> Iterator[Quadruple]:
    """Yield at most two quadruples per anchor; count what is dropped by reason. `check` can refuse rewrites."""
    parser = parser or load_parser()
    rewriter = _Rewriter(seed, check)
    documents = parser.pipe((anchor.text for anchor in anchors), batch=BATCH)
    at = 0
    while batch := list(islice(documents, BATCH)):
        rows = rewriter.statements(batch, counts, parser)
        for anchor, statements in zip(anchors[at : at + len(batch)], rows, strict=True):
            squares = _squares(statements, random.Random(f"{seed}{anchor.text}"))
            counts["anchor without a quadruple"] += not squares
            yield from (_quadruple(f"{anchor.id}/square/{number}", square) for number, square in enumerate(squares))
        at += len(batch)


class _Rewriter:
    """The rewriting tasks of a run, applied to batches of anchors."""

    def __init__(self, seed: int, check: RewriteCheck | None = None) -> None:
        self.seed = seed
        self.check = check
        self.options = Options(seed=seed, vary=True)
        self.negate = task("negate", "verbal", self.options)
        self.opposite = [task("negate", kind, self.options) for kind in OPPOSITES]
        self.restate = task("paraphrase", "equivalent", self.options)

    def statements(self, batch: Sequence[Document], counts: Counter[str], parser: Parser) -> Iterator[list[Statement]]:
        """Yield all statements made from each anchor, in two steps: from the anchor, and from the first rewrites."""
        negations = checked_rows([self._negations(prepare(document)) for document in batch], self.check, counts)
        first = _verified(batch, negations, counts, parser)
        flat = [pair for row in first for pair in row]
        again = checked_rows([self._again(*pair) for pair in flat], self.check, counts)
        second = iter(_verified([document for _, document in flat], again, counts, parser))
        for document, row in zip(batch, first, strict=True):
            made = [(Statement(document.text, True, "anchor"), document)] if row else []
            for rewrite, parsed in row:
                made.append((Statement(str(rewrite), False, rewrite.kind), parsed))
                for other, deeper in next(second):
                    # The negation of an opposite agrees with the anchor; another cue for a negation still denies it.
                    way = f"{other.kind} {rewrite.kind}"
                    made.append((Statement(str(other), other.kind == "verbal", way), deeper))
            yield [statement for statement, _ in made] + self._with_openings(made)

    def _negations(self, anchor: RewriteInput) -> list[Rewrite]:
        """Return the plain negations of a plain statement: its verb negated, its predicate replaced by an opposite."""
        negated = apply_task(anchor, self.negate) if _is_statement(anchor) else None
        if not negated:
            return []
        tasks = self.opposite if _negates_predicate(anchor, negated) else ()
        opposites = (apply_task(anchor, task) for task in tasks)
        return [negated, *(rewrite for rewrite in opposites if rewrite and _changes_predicate(anchor, rewrite))]

    def _again(self, rewrite: Rewrite, document: Document) -> list[Rewrite]:
        again = apply_task(prepare(document), self.restate if rewrite.kind == "verbal" else self.negate)
        return [again] if again else []

    def _with_openings(self, made: Sequence[tuple[Statement, Document]]) -> list[Statement]:
        """Return the texts after a pair of openings, one that declares them true and one that declares them false."""
        if not made:
            return []
        draw = random.Random(f"{self.seed}opened{made[0][0].text}")
        if any(statement.way in OPPOSITES for statement, _ in made) and draw.random() >= SHARE_OPENED:
            return []
        row = draw.choice(list(table("reports")))
        world = "" if row["world"] == "plain" else row["world"]
        opened: list[Statement] = []
        for statement, document in made:
            for template, declares_true in ((row["asserts"], True), (row["denies"], False)):
                opening = task("frame", "opening", replace(self.options, cue=template))
                rewrite = apply_task(prepare(document), opening)
                if rewrite:
                    opened.append(Statement(str(rewrite), statement.agrees == declares_true, "opening", world))
        return opened


def _is_statement(anchor: RewriteInput) -> bool:
    """Whether it is one declarative sentence without negation. "Some did" and "some did not" may both be true."""
    if len(anchor.sentences) != 1 or anchor.sentences[0][2]:
        return False
    sentence, clause, _ = anchor.sentences[0]
    if not isinstance(clause, Clause) or clause.subject is None or clause.negative or clause.mood != "declarative":
        return False
    if clause.question_tag or clause.finite.lower in {"may", "might"} or sentence.tokens[-1].lower == "?":
        return False
    first = sentence.left(clause.subject)
    return first.tag != "CD" and not any(token.lower in PARTIAL for token in sentence.tokens)


def _negates_predicate(anchor: RewriteInput, negated: Rewrite) -> bool:
    """Whether "not" applies to the predicate only: "not every room has one" is not "every room lacks one"."""
    sentence, clause, _ = anchor.sentences[0]
    if not isinstance(clause, Clause) or clause.subject is None:
        return False
    after_subject = all(edit.start >= clause.subject.end for edit in negated.edits)
    return after_subject and not any(token.lower in MANY for token in sentence.tokens)


def _changes_predicate(anchor: RewriteInput, rewrite: Rewrite) -> bool:
    """Whether the replaced word is the verb or its complement, so that "not" negates the same thing."""
    _, clause, _ = anchor.sentences[0]
    if not isinstance(clause, Clause):
        return False
    complement = clause.sentence.child(clause.verb, "acomp", "oprd")
    places = {clause.verb.start} | ({complement.start} if complement is not None else set())
    return rewrite.edits[0].start in places


def _verified(
    documents: Sequence[Document], rows: Sequence[Sequence[Rewrite]], counts: Counter[str], parser: Parser
) -> list[list[tuple[Rewrite, Document]]]:
    """Return the rewrites whose own parse is as expected, with that parse."""
    parsed = parser.pipe((str(rewrite) for row in rows for rewrite in row), batch=BATCH)
    verified: list[list[tuple[Rewrite, Document]]] = []
    for document, row in zip(documents, rows, strict=True):
        clauses = clauses_of(document) if row else []
        pairs = [(rewrite, next(parsed)) for rewrite in row]
        good = [(rewrite, again) for rewrite, again in pairs if not structure_failure(clauses, rewrite, again)]
        counts["does not parse as expected"] += len(pairs) - len(good)
        verified.append(good)
    return verified


def _squares(statements: Sequence[Statement], draw: random.Random) -> list[Square]:
    """Return a square of plain texts and one with openings, each if it is possible."""
    fit = [one for one in _each_once(statements) if SHORTEST <= len(one.text.split()) <= LONGEST]
    plain = [statement for statement in fit if statement.way != "opening"]
    worlds = {statement.world for statement in fit if statement.way == "opening"}
    pools = [plain, *([statement for statement in fit if statement.world == world] for world in sorted(worlds))]
    squares = [_square(pool, draw, opened=number > 0) for number, pool in enumerate(pools)]
    return [square for square in squares if square is not None]


def _square(pool: Sequence[Statement], draw: random.Random, *, opened: bool) -> Square | None:
    """Draw four texts, among those that mislead a counter of cues the most."""
    agreeing = draw.sample([one for one in pool if one.agrees], sum(one.agrees for one in pool))
    denying = draw.sample([one for one in pool if not one.agrees], sum(not one.agrees for one in pool))
    pairs = list(product(permutations(agreeing, 2), permutations(denying, 2)))
    squares: list[Square] = [(*a, *b) for a, b in pairs if opened == any(one.way == "opening" for one in (*a, *b))]
    best = max(squares, key=_misled, default=None)
    return best if best is not None and _misled(best) >= LEAST_MISLED else None


def _misled(square: Square) -> int:
    """Return how many texts have as many cues as the opposite beside them, and not as many as their equivalent."""
    a1, a2, b1, b2 = (statement.cues for statement in square)
    return sum((a1 == b1 != a2, a2 == b2 != a1, b1 == a1 != b2, b2 == a2 != b1)) or (abs(a1 - a2) > 1) * 2


def _each_once(statements: Iterable[Statement]) -> list[Statement]:
    """Return each text once, without texts that both agree and deny."""
    by_text: dict[str, set[bool]] = {}
    for statement in statements:
        by_text.setdefault(statement.text.lower(), set()).add(statement.agrees)
    unique = {one.text.lower(): one for one in statements if len(by_text[one.text.lower()]) == 1}
    return list(unique.values())


def _quadruple(name: str, square: Square) -> Quadruple:
    a1, a2, b1, b2 = square
    ways = sorted({statement.way for statement in square} - {"anchor", "verbal"})
    cues = (a1.cues, a2.cues, b1.cues, b2.cues)
    return Quadruple(name, a1.text, a2.text, b1.text, b2.text, cues, ways[0], "+".join(ways))
