"""Contrasts by rule: a passage, the passage with one sentence negated, and a query for each; and exclusions.

A passage gives at most one of each. All random choices depend on the seed and the anchor's id only, so an anchor gives
the same contrast in any block.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.data.writing_rule import breaches
from litotes.parse import Document, Parser, Sentence, load_parser
from litotes.rewrite import rewrite_texts, task
from litotes.synthesis.by_rule.exclusion_contrasts import exclusion_contrasts
from litotes.synthesis.by_rule.negatable_sentences import negatable_sentences, reads_well
from litotes.synthesis.by_rule.noun_phrases import collect_names
from litotes.synthesis.by_rule.queries import STYLES, QueryPair, query_pairs
from litotes.synthesis.by_rule.topics import Partners
from litotes.synthesis.fluency import RewriteCheck, checked_rows
from litotes.synthesis.sources import Anchor
from litotes.types import Contrast, Rewrite

KINDS = ("verbal", "absolute", "affixal", "lexical", "exceptor", "contradiction", "contrary")
# The taxonomy's names of the rewriter's kinds.
TAXONOMY = {"verbal": "sentential", "absolute": "sentential", "lexical": "lexical"}
SENTENTIAL = frozenset({"verbal", "absolute"})
MOST_SENTENCES, MOST_REWRITES = 5, 10
SHARE_TYPED = 0.3
"""The share of questions that are written as people type them."""


def contrasts(
    anchors: Sequence[Anchor],
    *,
    seed: int,
    counts: Counter[str],
    parser: Parser | None = None,
    word_rule: bool = False,
    partners: Partners | None = None,
    check: RewriteCheck | None = None,
) -> Iterator[Contrast]:
    """Yield a negation contrast and an exclusion contrast of each passage that allows them; count the rest by reason.

    With `word_rule`, a contrast is dropped if a query has a word that only one of the documents has (NevIR's rule).
    `partners` are passages that these are compared with: a thing of a kind against another thing of that kind. `check`
    can refuse negated sentences.
    """
    parser = parser or load_parser()
    partners = partners or Partners(())
    documents = list(parser.pipe(anchor.text for anchor in anchors))
    negated = _negated_sentences(anchors, documents, seed, counts, check, parser)
    for anchor, document, choices in zip(anchors, documents, negated, strict=True):
        draw = random.Random(f"{seed}{anchor.id}")
        contrast = _negation_contrast(anchor, document, choices, draw, counts, word_rule)
        if contrast is not None:
            counts["kept"] += 1
            yield contrast
        contrast = _exclusion_contrast(anchor, document, draw, counts, partners, word_rule)
        if contrast is not None:
            counts["kept"] += 1
            yield contrast


def partners_among(anchors: Sequence[Anchor], *, parser: Parser | None = None) -> Partners:
    """Return the passages that others can be compared with, parsed once for a whole run."""
    documents = (parser or load_parser()).pipe(anchor.text for anchor in anchors)
    return Partners(zip((anchor.id for anchor in anchors), documents, strict=True))


@dataclass(frozen=True, slots=True)
class NegatedSentence:
    """A sentence of a passage, and its negation."""

    sentence: Sentence
    rewrite: Rewrite
    parsed: Document
    """The parse of the negation."""


def _negated_sentences(
    anchors: Sequence[Anchor],
    documents: Sequence[Document],
    seed: int,
    counts: Counter[str],
    check: RewriteCheck | None,
    parser: Parser,
) -> list[list[NegatedSentence]]:
    """Return the negations to choose from, for each passage.

    All sentences are rewritten in one stream, and all their negations are parsed in another.
    """
    sentences: list[tuple[int, Sentence]] = []
    draws = [random.Random(f"{seed}{anchor.id}turn") for anchor in anchors]
    for number, document in enumerate(documents):
        negatable = negatable_sentences(document)
        draws[number].shuffle(negatable)
        sentences += ((number, sentence) for sentence in negatable[:MOST_SENTENCES])
    texts = (sentence.text[sentence.start : sentence.end] for _, sentence in sentences)
    rows = rewrite_texts(texts, [task("negate", kind) for kind in KINDS], verify=True, parser=parser)
    candidates: list[list[tuple[Sentence, Rewrite]]] = [[] for _ in anchors]
    for (number, sentence), row in zip(sentences, rows, strict=True):
        candidates[number] += ((sentence, rewrite) for rewrite in row if rewrite and reads_well(sentence, rewrite))
    chosen = [_sample(rewrites, draw) for rewrites, draw in zip(candidates, draws, strict=True)]
    passed = checked_rows([[rewrite for _, rewrite in pairs] for pairs in chosen], check, counts)
    chosen = [[pair for pair in pairs if pair[1] in row] for pairs, row in zip(chosen, passed, strict=True)]
    parsed = parser.pipe(str(rewrite) for rewrites in chosen for _, rewrite in rewrites)
    return [[NegatedSentence(sentence, rewrite, next(parsed)) for sentence, rewrite in rewrites] for rewrites in chosen]


def _sample(rewrites: list[tuple[Sentence, Rewrite]], draw: random.Random) -> list[tuple[Sentence, Rewrite]]:
    """Return a few rewrites in random order; half of the time, rare kinds come first."""
    draw.shuffle(rewrites)
    if draw.random() < 0.5:
        rewrites.sort(key=lambda candidate: candidate[1].kind in SENTENTIAL)
    return rewrites[:MOST_REWRITES]


def _negation_contrast(
    anchor: Anchor,
    document: Document,
    choices: Sequence[NegatedSentence],
    draw: random.Random,
    counts: Counter[str],
    word_rule: bool,
) -> Contrast | None:
    """Draw the style first and then a contrast in that style, so that no style is rarer than necessary."""
    if not choices:
        counts["no sentence of the passage can be negated"] += 1
        return None
    names = collect_names(document)
    candidates = [
        (pair.focus or pair.style, _contrast(anchor, document, negated, pair))
        for negated in choices
        for pair in query_pairs(negated.sentence, negated.parsed.sentences[0], names)
    ]
    allowed = [(focus, contrast) for focus, contrast in candidates if not (word_rule and breaches(contrast))]
    if not allowed:
        counts["a query has a word of one document only" if candidates else "no query could be asked"] += 1
        return None
    style = _style({contrast.style for _, contrast in allowed}, draw)
    chosen = draw.choice(sorted({focus for focus, contrast in allowed if contrast.style == style}))
    # The choices are in random order, so the first one with this focus is a fair draw.
    fitting = [contrast for focus, contrast in allowed if focus == chosen and contrast.style == style]
    same = [contrast for contrast in fitting if contrast.id == fitting[0].id and contrast.doc2 == fitting[0].doc2]
    return _as_typed(draw.choice(same), draw)


def _style(offered: set[str], draw: random.Random) -> str:
    """Draw a style by weight; if it is not offered, return the first one that is."""
    drawn = draw.choices(list(STYLES), weights=list(STYLES.values()))[0]
    return drawn if drawn in offered else next(style for style in STYLES if style in offered)


def _contrast(anchor: Anchor, document: Document, negated: NegatedSentence, pair: QueryPair) -> Contrast:
    start, end = negated.sentence.start, negated.sentence.end
    negated_text = document.text[:start] + str(negated.rewrite) + document.text[end:]
    kind = TAXONOMY.get(negated.rewrite.kind, negated.rewrite.kind)
    name = f"{anchor.id}/{negated.rewrite.kind}"
    return Contrast(name, pair.first, pair.second, document.text, negated_text, kind, pair.style)


def _as_typed(contrast: Contrast, draw: random.Random) -> Contrast:
    """Write some questions as people type them: without a capital and without a question mark."""
    if contrast.style != "question" or contrast.q2 is None or draw.random() > SHARE_TYPED:
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
    for exclusion in exclusion_contrasts(anchor.id, document, draw, partners):
        texts = (exclusion.first, exclusion.second, exclusion.without, exclusion.having)
        contrast = Contrast(f"{anchor.id}/exclusion", *texts, "exceptor", "exclusion")
        if not (word_rule and breaches(contrast)):
            return contrast
        refused += 1
    counts["exclusion: a query has a word of one document only" if refused else "nothing to exclude"] += 1
    return None
