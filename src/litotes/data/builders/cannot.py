"""Build CANNOT from its four public sources: negated pairs, as many paraphrases, and both orders of each.

The paper's paraphrases come from a PEGASUS model, ours from the rewriter's rules. If no rule fits a sentence, its
negation is paraphrased instead, or another sentence gets a second paraphrase. Negated pairs without a counterpart are
left out and counted.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from litotes.data.builders.source_files import Files, Source, objects, plain, table
from litotes.data.lines import text_lines
from litotes.data.pairing import balance, distinct_pairs, refusal, with_swapped
from litotes.rewrite import rewrite_texts, task
from litotes.types import LabelledPair, Rewrite

SOURCES = (
    Source("nan-nli", "nan.csv of NaN-NLI (premise, hypothesis, label)", "https://github.com/joey234/nan-nli"),
    Source(
        "wikifactcheck",
        "JSON lines of WikiFactCheck-English (claim, refuted)",
        "https://github.com/wikifactcheck-english/wikifactcheck-english",
    ),
    Source(
        "glue-diagnostic",
        "diagnostic-full.tsv of GLUE (Premise, Hypothesis, Label)",
        "https://gluebenchmark.com/diagnostics",
    ),
    Source(
        "reviews",
        "sentiment labelled sentences, one per line before a tab (Kotzias et al., 2015)",
        "https://archive.ics.uci.edu/dataset/331/sentiment+labelled+sentences",
    ),
)
LONGEST_REVIEW = 33
BATCH = 128
PARAPHRASES = ("equivalent", "voice", "fronting", "cleft", "synonym", "contraction")
# These fit nearly everything and change little, so they are drawn only if nothing else fits.
MINOR = frozenset({"cleft", "contraction"})
_AUXILIARY = re.compile(
    r"\b(?:am|is|are|was|were|do|does|did|have|has|had|can|could|must|might|may|should|ought|will|would|cannot)\b"
    r"|['’](?:m|re|ve|ll|d)\b|\b(?:he|she|it|that|there)['’]s\b|n['’]t\b",
    re.IGNORECASE,
)
# A name or a number inside a sentence.
_NAMED = re.compile(r"(?<=[^.!?:\"“]\s)[A-Z][\w'’-]+|\b\d[\d.,:/-]*")


def build(files: Files, *, seed: int = 0, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield every pair of the given sources, with its label: 1 for the same meaning, 0 for a contradiction."""
    negated = (pair for name, read in READERS.items() for path in files.get(name, ()) for pair in read(path, counts))
    pairs = distinct_pairs(_with_paraphrases(negated, seed, counts), counts=counts)
    return with_swapped(balance(pairs, counts=counts), counts=counts)


def nan_nli(path: Path, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield the contradictions of NaN-NLI, unchanged."""
    for number, (_, row) in enumerate(table(path, ("premise", "hypothesis", "label")), start=1):
        if row["label"] == "contradiction":
            yield _contradiction("nan-nli", number, row["premise"], row["hypothesis"])
        else:
            counts["nan-nli: not a contradiction"] += 1


def wikifactcheck(path: Path, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield claims with the refutations that people wrote. Many change more than the polarity: filters are strict."""
    for number, (_, row) in enumerate(objects(path, ("claim",)), start=1):
        claim, refuted = _ended(row["claim"]), _ended(str(row.get("refuted") or ""))
        reason = "without a refutation" if not refuted else refusal(claim, refuted) or _other_names(claim, refuted)
        if reason:
            counts[f"wikifactcheck: {reason}"] += 1
        else:
            yield _contradiction("wikifactcheck", number, claim, refuted)


def glue_diagnostic(path: Path, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield the contradictions of GLUE's diagnostic set with similar texts. Its quotation marks do not quote fields."""
    for number, (_, row) in enumerate(table(path, ("Premise", "Hypothesis", "Label"), quoted=False), start=1):
        premise, hypothesis = plain(row["Premise"]), plain(row["Hypothesis"])
        reason = "not a contradiction" if row["Label"] != "contradiction" else refusal(premise, hypothesis)
        if reason:
            counts[f"glue-diagnostic: {reason}"] += 1
        else:
            yield _contradiction("glue-diagnostic", number, premise, hypothesis)


def reviews(path: Path, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield review sentences with an auxiliary verb, negated by rule."""
    sentences = (plain(line.partition("\t")[0]) for line in text_lines(path))
    fitting = (text for text in sentences if _fits(text, counts))
    for number, row in enumerate(rewrite_texts(fitting, [task("negate", "verbal")], verify=True), start=1):
        rewrite = row[0]
        if rewrite:
            name = f"reviews-{path.stem}"
            yield _contradiction(name, number, rewrite.text, str(rewrite), rewrite.kind, rewrite.cue)
        else:
            counts[f"reviews: {rewrite.reason}"] += 1


READERS: dict[str, Callable[[Path, Counter[str]], Iterator[LabelledPair]]] = {
    "nan-nli": nan_nli,
    "wikifactcheck": wikifactcheck,
    "glue-diagnostic": glue_diagnostic,
    "reviews": reviews,
}


def _contradiction(
    name: str, number: int, first: str, second: str, kind: str = "contradiction", cue: str = ""
) -> LabelledPair:
    return LabelledPair(f"{name}-{number}/{kind}", plain(first), plain(second), 0, kind, cue)


def _fits(text: str, counts: Counter[str]) -> bool:
    if len(text.split()) > LONGEST_REVIEW:
        counts[f"reviews: more than {LONGEST_REVIEW} words"] += 1
        return False
    if not _AUXILIARY.search(text):
        counts["reviews: no auxiliary verb"] += 1
        return False
    return True


def _ended(text: str) -> str:
    """Return a claim with its full stop, which WikiFactCheck sometimes omits on one side of a pair."""
    text = plain(text)
    return text + "." if text and text[-1] not in ".!?\"'”’" else text


def _other_names(first: str, second: str) -> str:
    """Compare names and numbers. CANNOT's script compares named entities; we compare capitalised words instead."""
    first_names, second_names = (set(_NAMED.findall(text)) for text in (first, second))
    return "names or numbers differ" if first_names != second_names else ""


def _with_paraphrases(pairs: Iterator[LabelledPair], seed: int, counts: Counter[str]) -> Iterator[LabelledPair]:
    """Yield each contradiction, and after it a paraphrase of one of its texts, if a rule has one."""
    tasks = [task("paraphrase", kind) for kind in PARAPHRASES]
    missing = 0
    while batch := list(islice(pairs, BATCH)):
        texts = [text for pair in batch for text in (pair.premise, pair.hypothesis)]
        rows = rewrite_texts(texts, tasks, verify=True)
        for pair in batch:
            paraphrases = [*_drawn(pair, next(rows), seed), *_drawn(pair, next(rows), seed)]
            yield pair
            if not paraphrases:
                counts["no paraphrase rule fits"] += 1
                missing += 1
            yield from paraphrases[:1]
            if missing and len(paraphrases) > 1:
                missing -= 1
                yield paraphrases[1]


def _drawn(pair: LabelledPair, row: Sequence[Rewrite], seed: int) -> list[LabelledPair]:
    """Draw one paraphrase of a text from the kinds that fit."""
    fitting = [rewrite for rewrite in row if rewrite]
    preferred = [rewrite for rewrite in fitting if rewrite.kind not in MINOR] or fitting
    if not preferred:
        return []
    rewrite = random.Random(f"{seed}{preferred[0].text}").choice(preferred)
    name = pair.id.rsplit("/", 1)[0]
    return [LabelledPair(f"{name}/{rewrite.kind}", rewrite.text, str(rewrite), 1, rewrite.kind, rewrite.cue)]
