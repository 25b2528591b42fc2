"""Contrasts by rule: a passage, the same with one sentence turned, and a query for each; and contrasts that exclude.

At most one of each a passage. Everything is drawn from the seed and the anchor's id alone, so the same anchor gives the
same contrast in any block.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.data.writing_rule import breaches
from litotes.parse import Document, Parser, Sentence
from litotes.parse import parser as load_parser
from litotes.rewrite import pipe, task
from litotes.synth.by_rule.exclusions import exclusions
from litotes.synth.by_rule.nouns import naming
from litotes.synth.by_rule.queries import STYLES, Pair, pairs
from litotes.synth.by_rule.topics import Partners
from litotes.synth.by_rule.turning import fits, turnable
from litotes.synth.sources import Anchor
from litotes.types import Contrast, Rewrite

KINDS = ("verbal", "absolute", "affixal", "lexical", "exceptor", "contradiction", "contrary")
# The taxonomy's names for what the rewriter makes.
TAXONOMY = {"verbal": "sentential", "absolute": "sentential", "lexical": "lexical"}
SENTENTIAL = frozenset({"verbal", "absolute"})
TRIED_SENTENCES, TRIED_REWRITES = 5, 10
TYPED = 0.3


def contrasts(
    anchors: Sequence[Anchor],
    *,
    seed: int,
    counts: Counter[str],
    reader: Parser | None = None,
    word_rule: bool = False,
    partners: Partners | None = None,
) -> Iterator[Contrast]:
    """A turned sentence and an exclusion of each passage that gives them; what gives none is counted by its reason.

    With `word_rule`, queries with a word that only one of the documents has are dropped (NevIR's rule). `partners` are
    passages to set these against, a thing of a kind against a thing of that kind.
    """
    reader = reader or load_parser()
    partners = partners or Partners(())
    documents = list(reader.pipe(anchor.text for anchor in anchors))
    turned = _turned(anchors, documents, seed, reader)
    for anchor, document, choices in zip(anchors, documents, turned, strict=True):
        draw = random.Random(f"{seed}{anchor.id}")
        made = _turned_contrast(anchor, document, choices, draw, counts, word_rule)
        if made is not None:
            counts["kept"] += 1
            yield made
        made = _exclusion_contrast(anchor, document, draw, counts, partners, word_rule)
        if made is not None:
            counts["kept"] += 1
            yield made


def partners_among(anchors: Sequence[Anchor], *, reader: Parser | None = None) -> Partners:
    """The passages that others can be set against, read once for a whole run."""
    documents = (reader or load_parser()).pipe(anchor.text for anchor in anchors)
    return Partners(zip((anchor.id for anchor in anchors), documents, strict=True))


@dataclass(frozen=True, slots=True)
class Turned:
    """A sentence of a passage, and its denial."""

    sentence: Sentence
    rewrite: Rewrite
    parsed: Document
    """the denial, read again"""


def _turned(anchors: Sequence[Anchor], documents: Sequence[Document], seed: int, reader: Parser) -> list[list[Turned]]:
    """For each passage the denials to choose from; all sentences in one stream, and all their denials in another."""
    sentences: list[tuple[int, Sentence]] = []
    draws = [random.Random(f"{seed}{anchor.id}turn") for anchor in anchors]
    for number, document in enumerate(documents):
        fitting = turnable(document)
        draws[number].shuffle(fitting)
        sentences += ((number, sentence) for sentence in fitting[:TRIED_SENTENCES])
    texts = (sentence.text[sentence.start : sentence.end] for _, sentence in sentences)
    rows = pipe(texts, [task("negate", kind) for kind in KINDS], verify=True, reader=reader)
    found: list[list[tuple[Sentence, Rewrite]]] = [[] for _ in anchors]
    for (number, sentence), row in zip(sentences, rows, strict=True):
        found[number] += ((sentence, rewrite) for rewrite in row if rewrite and fits(sentence, rewrite))
    chosen = [_some(made, draw) for made, draw in zip(found, draws, strict=True)]
    parsed = reader.pipe(str(rewrite) for made in chosen for _, rewrite in made)
    return [[Turned(sentence, rewrite, next(parsed)) for sentence, rewrite in made] for made in chosen]


def _some(made: list[tuple[Sentence, Rewrite]], draw: random.Random) -> list[tuple[Sentence, Rewrite]]:
    """A few by lot, rare kinds first half of the time."""
    draw.shuffle(made)
    if draw.random() < 0.5:
        made.sort(key=lambda one: one[1].kind in SENTENTIAL)
    return made[:TRIED_REWRITES]


def _turned_contrast(
    anchor: Anchor,
    document: Document,
    choices: Sequence[Turned],
    draw: random.Random,
    counts: Counter[str],
    word_rule: bool,
) -> Contrast | None:
    """The style is drawn first, and then what gives it, so that no style is rarer than it must be."""
    if not choices:
        counts["passage without a sentence that can be turned"] += 1
        return None
    known = naming(document)
    asked = [(one, pair) for one in choices for pair in pairs(one.sentence, one.parsed.sentences[0], known)]
    made = [(pair.focus or pair.style, _contrast(anchor, document, one, pair)) for one, pair in asked]
    kept = [(focus, one) for focus, one in made if not (word_rule and breaches(one))]
    if not kept:
        counts["a query has a word of one document only" if made else "no query could be asked"] += 1
        return None
    style = _style({one.style for _, one in kept}, draw)
    focuses = sorted({focus for focus, one in kept if one.style == style})
    focus = draw.choice(focuses)
    # the choices are in an order by lot: the first that asks for this is a fair draw
    of_focus = [one for found, one in kept if found == focus and one.style == style]
    same = [one for one in of_focus if one.id == of_focus[0].id and one.doc2 == of_focus[0].doc2]
    return _typed(draw.choice(same), draw)


def _style(offered: set[str], draw: random.Random) -> str:
    """A style by lot; the rarer one weighs more, and steps in where the one drawn is not to be had."""
    drawn = draw.choices(list(STYLES), weights=list(STYLES.values()))[0]
    return drawn if drawn in offered else next(style for style in STYLES if style in offered)


def _contrast(anchor: Anchor, document: Document, one: Turned, pair: Pair) -> Contrast:
    start, end = one.sentence.start, one.sentence.end
    denied = document.text[:start] + str(one.rewrite) + document.text[end:]
    kind = TAXONOMY.get(one.rewrite.kind, one.rewrite.kind)
    name = f"{anchor.id}/{one.rewrite.kind}"
    return Contrast(name, pair.first, pair.second, document.text, denied, kind, pair.style)


def _typed(contrast: Contrast, draw: random.Random) -> Contrast:
    """Some questions as people type them: without a capital, without a question mark."""
    if contrast.style != "question" or contrast.q2 is None or draw.random() > TYPED:
        return contrast
    first, second = (query[:1].lower() + query[1:].rstrip("?") for query in (contrast.q1, contrast.q2))
    return Contrast(contrast.id, first, second, contrast.doc1, contrast.doc2, contrast.kind, contrast.style)


def _exclusion_contrast(
    anchor: Anchor,
    document: Document,
    draw: random.Random,
    counts: Counter[str],
    partners: Partners,
    word_rule: bool,
) -> Contrast | None:
    refused = 0
    for made in exclusions(anchor.id, document, draw, partners):
        documents = made.without, made.having
        found = Contrast(f"{anchor.id}/exclusion", made.first, made.second, *documents, "exceptor", "exclusion")
        if not (word_rule and breaches(found)):
            return found
        refused += 1
    counts["exclusion: a query has a word of one document only" if refused else "nothing to exclude"] += 1
    return None
