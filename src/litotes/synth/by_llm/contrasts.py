"""Contrasts by a language model: per kind of the taxonomy, two queries and two passages from a document.

What comes back must differ, have the length of a query and of a search result, be of the kind that was asked for (our
own classification mechanism says so), and pass the model's own check of which passage answers which query.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from litotes.data.writing_rule import SMALL, words
from litotes.detection.mechanism import RulesEngine
from litotes.errors import InputError
from litotes.lexicon import table
from litotes.lexicon.morphology import lemma
from litotes.llm.answers import Request, ask
from litotes.parse import Parser
from litotes.synth.by_llm import check, contrast_prompts
from litotes.synth.by_llm.contrast_prompts import ANTONYMS, CUED, MODES, QUANTIFIED
from litotes.synth.by_llm.schemas import Quantified, Shape
from litotes.synth.filters import DISTANCE
from litotes.synth.sources import Anchor
from litotes.types import Contrast, Generator

KINDS = (*CUED, *ANTONYMS, *QUANTIFIED)
# Which of the four quantifier forms a kind sets against each other; the first belongs to q1.
SIDES = {"contradiction": ("all", "some_not"), "contrary": ("all", "no"), "subcontrary": ("some", "some_not")}
DOCUMENT_WORDS = (12, 400)
QUERY_WORDS = (2, 30)
PASSAGE_WORDS = (6, 120)
# So much of the first passage must come from the document: weak models copy the worked example instead.
GROUNDED = 0.2


@dataclass(frozen=True, slots=True)
class Question:
    """A request about one document: for a kind, or for all quantifier kinds at once."""

    anchor: Anchor
    kinds: tuple[str, ...]
    request: Request


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contrast before its checks, the document it was made from, and the antonyms that were chosen."""

    contrast: Contrast
    document: str
    pair: tuple[str, str] = ("", "")


def contrasts(
    anchors: Sequence[Anchor],
    *,
    generator: Generator,
    seed: int,
    counts: Counter[str],
    concurrency: int = 1,
    mode: str = "free",
    kinds: Sequence[str] = KINDS,
    reader: Parser | None = None,
) -> Iterator[Contrast]:
    """Every kept contrast of some documents, at most one a kind and document; what is dropped is counted by its reason.

    In mode "free" the second passage answers the second query in its own words; in mode "controlled" it is the first
    passage with the negation turned.
    """
    if mode not in MODES:
        raise InputError(f"mode is {mode!r}: expected {' or '.join(MODES)}")
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise InputError(f"no contrasts of the kind {', '.join(unknown) or '(none)'}: expected {', '.join(KINDS)}")
    questions = list(_questions(anchors, kinds, mode, seed, counts))
    made = _candidates(questions, generator, mode, counts, concurrency)
    sorted_ones = _of_their_kind(made, mode, counts, reader)
    yield from check.relevant(sorted_ones, generator=generator, seed=seed, counts=counts, concurrency=concurrency)


def requests(anchors: Sequence[Anchor], *, seed: int, mode: str = "free") -> Iterator[Request]:
    """What will be asked of each document at the least; two self-checks for every candidate come on top."""
    yield from (question.request for question in _questions(anchors, KINDS, mode, seed, Counter()))


def _questions(
    anchors: Sequence[Anchor], kinds: Sequence[str], mode: str, seed: int, counts: Counter[str]
) -> Iterator[Question]:
    quantified = tuple(kind for kind in kinds if kind in QUANTIFIED)
    shortest, longest = DOCUMENT_WORDS
    for anchor in anchors:
        if not shortest <= len(anchor.text.split()) <= longest:
            counts[f"document not between {shortest} and {longest} words"] += 1
            continue
        for kind in (kind for kind in kinds if kind not in QUANTIFIED):
            cue = random.Random(f"{seed}{anchor.id}{kind}").choice(drawable(kind)) if kind in CUED else ""
            yield Question(anchor, (kind,), contrast_prompts.pairing(kind, anchor.text, mode=mode, cue=cue))
        if quantified:
            yield Question(anchor, quantified, contrast_prompts.quantified(anchor.text, mode=mode))


@lru_cache(maxsize=len(CUED))
def drawable(kind: str) -> tuple[str, ...]:
    """The cues of a sentence-level kind that are drawn for a prompt."""
    if kind == "sentential":
        return ("not", "no", "never")
    if kind == "exceptor":
        # but, save and bar need an "all" before them, which makes poor queries
        rows = [row for row in table("exceptors") if row["use"] == "rewrite" and row["guard"] != "quantified"]
        return tuple(row["cue"] for row in rows)
    if kind == "affixal":
        return tuple(sorted({row["affix"] for row in table("affixes") if row["use"] == "rewrite"}))
    rows = [row for row in table("implicit_words") if row["pos"] == "verb" and row["strength"] == "strong"]
    return tuple(sorted({row["word"] for row in rows}))


def _candidates(
    questions: Sequence[Question], generator: Generator, mode: str, counts: Counter[str], concurrency: int
) -> list[Candidate]:
    found: list[Candidate] = []
    answers = ask(generator, (question.request for question in questions), concurrency=concurrency)
    for question, answer in zip(questions, answers, strict=True):
        if not isinstance(answer.value, Shape):
            for kind in question.kinds:
                counts[f"no {kind}: {check.kind_of_trouble(answer)}"] += 1
            continue
        found += (_candidate(question.anchor, kind, answer.value, mode) for kind in question.kinds)
    return found


def _candidate(anchor: Anchor, kind: str, value: Shape, mode: str) -> Candidate:
    texts: dict[str, str] = value.model_dump()
    if isinstance(value, Quantified):
        one, other = SIDES[kind]
        texts |= {"q1": texts[f"query_{one}"], "q2": texts[f"query_{other}"]}
        texts |= {"doc1": texts[f"passage_{one}"], "doc2": texts[f"passage_{other}"]}
    name = f"{anchor.id}/llm/{kind}/{mode}"
    made = Contrast(name, texts["q1"], texts["q2"], texts["doc1"], texts["doc2"], kind, mode)
    return Candidate(made, anchor.text, (texts.get("word1", "").lower(), texts.get("word2", "").lower()))


def _of_their_kind(
    candidates: Sequence[Candidate], mode: str, counts: Counter[str], reader: Parser | None
) -> list[Contrast]:
    """The contrasts that are in form and, as far as our own mechanism can tell, of the kind that was asked for."""
    formed: list[Contrast] = []
    for candidate in candidates:
        reason = _misshapen(candidate, mode)
        if reason:
            counts[f"{candidate.contrast.kind}: {reason}"] += 1
        else:
            formed.append(candidate.contrast)
    found: list[Contrast] = []
    for contrast, sorting in zip(formed, RulesEngine(reader).classify_all(formed), strict=True):
        # the lexicon cannot know every pair of antonyms, but it knows an operator when it sees one
        unknown = sorting.kind == "none" and contrast.kind in ANTONYMS
        if sorting.kind == contrast.kind or unknown:
            found.append(contrast)
        else:
            counts[f"{contrast.kind}: reads as {sorting.kind or 'nothing'}"] += 1
    return found


def _misshapen(candidate: Candidate, mode: str) -> str:
    contrast = candidate.contrast
    q1, q2, doc1, doc2 = texts = (contrast.q1, contrast.q2 or "", contrast.doc1, contrast.doc2)
    if len({text.casefold() for text in texts}) < len(texts):
        return "two of the texts are the same"
    for name, bounds, pair in (("query", QUERY_WORDS, (q1, q2)), ("passage", PASSAGE_WORDS, (doc1, doc2))):
        if not all(bounds[0] <= len(text.split()) <= bounds[1] for text in pair):
            return f"a {name} is not between {bounds[0]} and {bounds[1]} words"
    told = words(doc1) - SMALL
    if len(told & words(candidate.document)) < GROUNDED * len(told):
        return "the first passage is not from the document"
    if mode == "controlled" and Levenshtein.distance(doc1, doc2, score_cutoff=DISTANCE) > DISTANCE:
        return f"the passages are more than {DISTANCE} characters apart"
    if candidate.pair == ("", ""):
        return ""
    first, second = candidate.pair
    if first.endswith(second) or second.endswith(first):
        return "one word is the other with an affix"
    at_home = _holds(q1, first) and _holds(doc1, first) and _holds(q2, second) and _holds(doc2, second)
    return "" if at_home else "a chosen word is missing where it should stand"


def _holds(text: str, word: str) -> bool:
    """Whether a word stands in a text, in any form: increase, increased."""
    wanted = _forms(word)
    return any(_forms(found) & wanted for found in words(text)) or word in text.lower()


def _forms(word: str) -> set[str]:
    return {word} | {lemma(word, letter) for letter in "NVJ"}
