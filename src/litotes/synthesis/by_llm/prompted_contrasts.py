"""Contrasts by a language model: for each kind of the taxonomy, two queries and two passages from a document.

The texts must differ, have the length of a query and of a search result, be of the requested kind according to our own
classification, and pass the model's own check of which passage answers which query.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from litotes.data.writing_rule import FUNCTION_WORDS, lower_words
from litotes.detection.classification import RulesEngine
from litotes.errors import InputError
from litotes.lexicon import table
from litotes.lexicon.morphology import lemma
from litotes.llm.answers import Request, ask
from litotes.parse import Parser
from litotes.synthesis.by_llm import contrast_prompts, self_checks
from litotes.synthesis.by_llm.contrast_prompts import ANTONYMS, CUED, MODES, QUANTIFIED
from litotes.synthesis.by_llm.schemas import Quantified, Shape
from litotes.synthesis.filters import DISTANCE
from litotes.synthesis.sources import Anchor
from litotes.types import Contrast, Generator

KINDS = (*CUED, *ANTONYMS, *QUANTIFIED)
# The two quantifier forms that a kind contrasts; the first belongs to q1.
FORMS = {"contradiction": ("all", "some_not"), "contrary": ("all", "no"), "subcontrary": ("some", "some_not")}
DOCUMENT_WORDS = (12, 400)
QUERY_WORDS = (2, 30)
PASSAGE_WORDS = (6, 120)
# The share of the first passage that must come from the document: weak models copy the worked example instead.
GROUNDED = 0.2


@dataclass(frozen=True, slots=True)
class ContrastRequest:
    """A request about one document, for one kind or for all quantifier kinds at once."""

    anchor: Anchor
    kinds: tuple[str, ...]
    request: Request


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contrast before its checks, the document that it was made from, and the chosen antonyms."""

    contrast: Contrast
    document: str
    antonyms: tuple[str, str] = ("", "")


def contrasts(
    anchors: Sequence[Anchor],
    *,
    generator: Generator,
    seed: int,
    counts: Counter[str],
    concurrency: int = 1,
    mode: str = "free",
    kinds: Sequence[str] = KINDS,
    parser: Parser | None = None,
) -> Iterator[Contrast]:
    """Yield at most one contrast per kind and document; count what is dropped by reason.

    In mode "free" the second passage answers the second query in its own words; in mode "controlled" it is the first
    passage with the negation reversed.
    """
    if mode not in MODES:
        raise InputError(f"mode is {mode!r}: expected {' or '.join(MODES)}")
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise InputError(f"kinds are {', '.join(unknown) or 'empty'}: expected one or more of {', '.join(KINDS)}")
    asked = list(_requests(anchors, kinds, mode, seed, counts))
    candidates = _candidates(asked, generator, mode, counts, concurrency)
    correct = _of_requested_kind(candidates, mode, counts, parser)
    yield from self_checks.relevant(correct, generator=generator, seed=seed, counts=counts, concurrency=concurrency)


def requests(anchors: Sequence[Anchor], *, seed: int, mode: str = "free") -> Iterator[Request]:
    """Yield the requests about each document, without the two self-checks per candidate."""
    yield from (asked.request for asked in _requests(anchors, KINDS, mode, seed, Counter()))


def _requests(
    anchors: Sequence[Anchor], kinds: Sequence[str], mode: str, seed: int, counts: Counter[str]
) -> Iterator[ContrastRequest]:
    quantified = tuple(kind for kind in kinds if kind in QUANTIFIED)
    shortest, longest = DOCUMENT_WORDS
    for anchor in anchors:
        if not shortest <= len(anchor.text.split()) <= longest:
            counts[f"document not between {shortest} and {longest} words"] += 1
            continue
        for kind in (kind for kind in kinds if kind not in QUANTIFIED):
            cue = random.Random(f"{seed}{anchor.id}{kind}").choice(drawable_cues(kind)) if kind in CUED else ""
            yield ContrastRequest(anchor, (kind,), contrast_prompts.pairing(kind, anchor.text, mode=mode, cue=cue))
        if quantified:
            yield ContrastRequest(anchor, quantified, contrast_prompts.quantified(anchor.text, mode=mode))


@lru_cache(maxsize=len(CUED))
def drawable_cues(kind: str) -> tuple[str, ...]:
    """Return the cues of a sentence-level kind that can be drawn for a prompt."""
    if kind == "sentential":
        return ("not", "no", "never")
    if kind == "exceptor":
        # "but", "save" and "bar" need an "all" before them, which gives poor queries.
        rows = [row for row in table("exceptors") if row["use"] == "rewrite" and row["guard"] != "quantified"]
        return tuple(row["cue"] for row in rows)
    if kind == "affixal":
        return tuple(sorted({row["affix"] for row in table("affixes") if row["use"] == "rewrite"}))
    rows = [row for row in table("implicit_words") if row["pos"] == "verb" and row["strength"] == "strong"]
    return tuple(sorted({row["word"] for row in rows}))


def _candidates(
    asked: Sequence[ContrastRequest], generator: Generator, mode: str, counts: Counter[str], concurrency: int
) -> list[Candidate]:
    candidates: list[Candidate] = []
    answers = ask(generator, (row.request for row in asked), concurrency=concurrency)
    for row, answer in zip(asked, answers, strict=True):
        if not isinstance(answer.value, Shape):
            for kind in row.kinds:
                counts[f"no {kind}: {self_checks.failure_type(answer)}"] += 1
            continue
        candidates += (_candidate(row.anchor, kind, answer.value, mode) for kind in row.kinds)
    return candidates


def _candidate(anchor: Anchor, kind: str, value: Shape, mode: str) -> Candidate:
    texts: dict[str, str] = value.model_dump()
    if isinstance(value, Quantified):
        first, second = FORMS[kind]
        texts |= {"q1": texts[f"query_{first}"], "q2": texts[f"query_{second}"]}
        texts |= {"doc1": texts[f"passage_{first}"], "doc2": texts[f"passage_{second}"]}
    name = f"{anchor.id}/llm/{kind}/{mode}"
    contrast = Contrast(name, texts["q1"], texts["q2"], texts["doc1"], texts["doc2"], kind, mode)
    return Candidate(contrast, anchor.text, (texts.get("word1", "").lower(), texts.get("word2", "").lower()))


def _of_requested_kind(
    candidates: Sequence[Candidate], mode: str, counts: Counter[str], parser: Parser | None
) -> list[Contrast]:
    """Return the well-formed contrasts that, as far as our own classification can tell, are of the requested kind."""
    formed: list[Contrast] = []
    for candidate in candidates:
        reason = _malformed(candidate, mode)
        if reason:
            counts[f"{candidate.contrast.kind}: {reason}"] += 1
        else:
            formed.append(candidate.contrast)
    correct: list[Contrast] = []
    for contrast, classified in zip(formed, RulesEngine(parser or "").classify_all(formed), strict=True):
        # The lexicon does not know every pair of antonyms, but it recognises all operators.
        unknown = classified.kind == "none" and contrast.kind in ANTONYMS
        if classified.kind == contrast.kind or unknown:
            correct.append(contrast)
        else:
            counts[f"{contrast.kind}: classified as {classified.kind or 'nothing'}"] += 1
    return correct


def _malformed(candidate: Candidate, mode: str) -> str:
    contrast = candidate.contrast
    q1, q2, doc1, doc2 = texts = (contrast.q1, contrast.q2 or "", contrast.doc1, contrast.doc2)
    if len({text.casefold() for text in texts}) < len(texts):
        return "two of the texts are the same"
    for name, bounds, pair in (("query", QUERY_WORDS, (q1, q2)), ("passage", PASSAGE_WORDS, (doc1, doc2))):
        if not all(bounds[0] <= len(text.split()) <= bounds[1] for text in pair):
            return f"a {name} is not between {bounds[0]} and {bounds[1]} words"
    content = lower_words(doc1) - FUNCTION_WORDS
    if len(content & lower_words(candidate.document)) < GROUNDED * len(content):
        return "the first passage is not from the document"
    if mode == "controlled" and Levenshtein.distance(doc1, doc2, score_cutoff=DISTANCE) > DISTANCE:
        return f"the passages are more than {DISTANCE} characters apart"
    if candidate.antonyms == ("", ""):
        return ""
    first, second = candidate.antonyms
    if first.endswith(second) or second.endswith(first):
        return "one word is the other with an affix"
    complete = _contains(q1, first) and _contains(doc1, first) and _contains(q2, second) and _contains(doc2, second)
    return "" if complete else "a chosen word is missing from a text"


def _contains(text: str, word: str) -> bool:
    """Whether a text contains a word in any form: increase, increased."""
    wanted = _forms(word)
    return any(_forms(other) & wanted for other in lower_words(text)) or word in text.lower()


def _forms(word: str) -> set[str]:
    return {word} | {lemma(word, letter) for letter in "NVJ"}
