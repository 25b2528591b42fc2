"""Contrasts by rule: a passage, the same with one sentence turned, and a query for each.

Queries come in three styles: a question on the subject ("which ferries run in winter"), keywords, and the statement.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from litotes.detection import Clause, main_clause
from litotes.parse import Document, Parser, Sentence
from litotes.parse import parser as load_parser
from litotes.rewrite import Task, pipe, task
from litotes.synth.sources import Anchor
from litotes.types import Contrast, Rewrite

KINDS = ("verbal", "absolute", "affixal", "lexical", "exceptor", "contradiction", "contrary")
# The taxonomy's names for what the rewriter makes.
TAXONOMY = {"verbal": "sentential", "absolute": "sentential", "lexical": "lexical"}
SHORTEST, LONGEST = 5, 18


def contrasts(
    anchors: Sequence[Anchor], *, seed: int, counts: Counter[str], reader: Parser | None = None
) -> Iterator[Contrast]:
    """One contrast a passage and drawn kind; a passage none of whose sentences can be turned is counted."""
    reader = reader or load_parser()
    tasks = [task("negate", kind) for kind in KINDS]
    for anchor, document in zip(anchors, reader.pipe([anchor.text for anchor in anchors]), strict=True):
        draw = random.Random(f"{seed}{anchor.id}")
        sentences = [s for s in document.sentences if SHORTEST <= len(s.tokens) <= LONGEST]
        draw.shuffle(sentences)
        made = next((found for s in sentences if (found := _turned(s, tasks, draw, reader)) is not None), None)
        if made is None:
            counts["passage without a sentence that can be turned"] += 1
            continue
        contrast = _contrast(anchor, document, *made, draw, reader)
        counts["kept" if contrast is not None else "no query could be asked"] += 1
        if contrast is not None:
            yield contrast


def _turned(
    sentence: Sentence, tasks: Sequence[Task], draw: random.Random, reader: Parser
) -> tuple[Sentence, Rewrite] | None:
    """A negation of the sentence, of a kind by lot among those that fit; rare kinds first half of the time."""
    text = sentence.text[sentence.start : sentence.end]
    made = [rewrite for rewrite in next(pipe([text], tasks, verify=True, reader=reader)) if rewrite]
    if not made:
        return None
    if draw.random() < 0.5:
        made = [rewrite for rewrite in made if rewrite.kind not in {"verbal", "absolute"}] or made
    return sentence, draw.choice(made)


def _contrast(
    anchor: Anchor, document: Document, sentence: Sentence, rewrite: Rewrite, draw: random.Random, reader: Parser
) -> Contrast | None:
    turned = document.text[: sentence.start] + str(rewrite) + document.text[sentence.end :]
    asked = [query(reader.parse(text), style) for style in STYLES for text in (rewrite.text, str(rewrite))]
    pairs = [(STYLES[i // 2], asked[i], asked[i + 1]) for i in range(0, len(asked), 2) if asked[i] and asked[i + 1]]
    pairs = [pair for pair in pairs if pair[1] != pair[2]]
    if not pairs:
        return None
    style, first, second = draw.choice(pairs)
    kind = TAXONOMY.get(rewrite.kind, rewrite.kind)
    return Contrast(f"{anchor.id}/{rewrite.kind}", first, second, document.text, turned, kind, style)


STYLES = ("question", "keywords", "statement")
# no question is asked of these: no [ferry], some ferries, all ferries
ARTICLES = frozenset({"a", "an", "the", "this", "that", "these", "those"})
QUANTIFIED = frozenset({"no", "some", "all", "every", "each", "any", "both", "neither", "either", "another"})


def query(document: Document, style: str) -> str:
    """The query a sentence answers, in one style; "" where the rules have none."""
    if not document.sentences:
        return ""
    sentence = document.sentences[0]
    clause = main_clause(sentence)
    if not isinstance(clause, Clause) or clause.subject is None or clause.mood != "declarative":
        return ""
    if clause.subject.tag == "PRP":
        # whom or what "they" were, only the passage says
        return ""
    if style == "statement":
        return _stripped(sentence.text[sentence.start : sentence.end])
    return _keywords(sentence) if style == "keywords" else _subject_question(clause)


def _stripped(text: str) -> str:
    return text.strip(' .!?"“”')


def _keywords(sentence: Sentence) -> str:
    """The winter ferry does not run on Sundays. → winter ferry not run on sundays"""
    left_out = [
        token
        for token in sentence.tokens
        if token.lower in ARTICLES
        or token.tag in {"EX", ","}
        or (token.dep in {"aux", "auxpass"} and token.tag != "TO")
    ]
    text, at = "", sentence.start
    for token in left_out:
        text += sentence.text[at : token.start]
        at = token.end
    text += sentence.text[at : sentence.end]
    return _stripped(" ".join(text.replace("n't", " not").replace("n’t", " not").split()).lower())


def _subject_question(clause: Clause) -> str:
    """The old ferries run in winter. → which old ferries run in winter"""
    sentence, subject = clause.sentence, clause.subject
    if subject is None or subject.tag not in {"NN", "NNS"}:
        return ""
    phrase = sentence.phrase(subject)
    opening = phrase[0]
    leads = opening.i == 0 and opening.tag in {"DT", "PRP$"} and opening.lower not in QUANTIFIED
    if not leads or phrase[-1].i > clause.finite.i or len(phrase) < 2:
        return ""
    rest = sentence.text[phrase[1].start : sentence.end]
    return f"which {_stripped(rest)}"
