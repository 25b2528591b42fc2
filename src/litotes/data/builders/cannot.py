"""CANNOT from its four public sources: negated pairs, as many paraphrases, both orders of each.

The paper's paraphrases come from a PEGASUS model; ours from the rewriter's rules. Where no rule fits the sentence, its
negation is paraphrased instead, or a second paraphrase of another sentence makes up for it; negated pairs that then
still lack a counterpart are left out and counted.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from litotes.data.builders.files import Files, Source, objects, plain, table
from litotes.data.lines import text_lines
from litotes.data.pairing import balance, each_once, refusal, with_swapped
from litotes.rewrite import pipe, task
from litotes.types import Pair, Rewrite

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
        "sentiment labelled sentences, one a line before a tab (Kotzias et al., 2015)",
        "https://archive.ics.uci.edu/dataset/331/sentiment+labelled+sentences",
    ),
)
LONGEST_REVIEW = 33
BATCH = 128
PARAPHRASES = ("equivalent", "voice", "fronting", "cleft", "synonym", "contraction")
# these two fit nearly everything and change little, so they are drawn only when nothing else fits
PLAIN = frozenset({"cleft", "contraction"})
_AUXILIARY = re.compile(
    r"\b(?:am|is|are|was|were|do|does|did|have|has|had|can|could|must|might|may|should|ought|will|would|cannot)\b"
    r"|['’](?:m|re|ve|ll|d)\b|\b(?:he|she|it|that|there)['’]s\b|n['’]t\b",
    re.IGNORECASE,
)
# a name or a number inside a sentence
_NAMED = re.compile(r"(?<=[^.!?:\"“]\s)[A-Z][\w'’-]+|\b\d[\d.,:/-]*")


def build(files: Files, *, seed: int = 0, counts: Counter[str]) -> Iterator[Pair]:
    """Every pair of the sources that were given, with its label: 1 the same meaning, 0 contradiction."""
    negated = (pair for name, read in READERS.items() for path in files.get(name, ()) for pair in read(path, counts))
    found = each_once(_paraphrased(negated, seed, counts), counts=counts)
    return with_swapped(balance(found, counts=counts), counts=counts)


def nan_nli(path: Path, counts: Counter[str]) -> Iterator[Pair]:
    """The contradictions of NaN-NLI, as they are."""
    for number, (_, row) in enumerate(table(path, ("premise", "hypothesis", "label")), start=1):
        if row["label"] == "contradiction":
            yield _contradiction("nan-nli", number, row["premise"], row["hypothesis"])
        else:
            counts["nan-nli: no contradiction"] += 1


def wikifactcheck(path: Path, counts: Counter[str]) -> Iterator[Pair]:
    """Claims with the refutations people wrote; many change more than the polarity, so the filters are strict here."""
    for number, (_, row) in enumerate(objects(path, ("claim",)), start=1):
        claim, refuted = _ended(row["claim"]), _ended(str(row.get("refuted") or ""))
        reason = "without a refutation" if not refuted else refusal(claim, refuted) or _other_names(claim, refuted)
        if reason:
            counts[f"wikifactcheck: {reason}"] += 1
        else:
            yield _contradiction("wikifactcheck", number, claim, refuted)


def glue_diagnostic(path: Path, counts: Counter[str]) -> Iterator[Pair]:
    """The contradictions of GLUE's diagnostic set that are near enough; its quotation marks are not quoting."""
    for number, (_, row) in enumerate(table(path, ("Premise", "Hypothesis", "Label"), quoted=False), start=1):
        premise, hypothesis = plain(row["Premise"]), plain(row["Hypothesis"])
        reason = "no contradiction" if row["Label"] != "contradiction" else refusal(premise, hypothesis)
        if reason:
            counts[f"glue-diagnostic: {reason}"] += 1
        else:
            yield _contradiction("glue-diagnostic", number, premise, hypothesis)


def reviews(path: Path, counts: Counter[str]) -> Iterator[Pair]:
    """Review sentences with an auxiliary verb, negated by rule."""
    sentences = (plain(line.partition("\t")[0]) for line in text_lines(path))
    fitting = (text for text in sentences if _fits(text, counts))
    for number, row in enumerate(pipe(fitting, [task("negate", "verbal")], verify=True), start=1):
        made = row[0]
        if made:
            yield _contradiction(f"reviews-{path.stem}", number, made.text, str(made), made.kind, made.cue)
        else:
            counts[f"reviews: {made.reason}"] += 1


READERS: dict[str, Callable[[Path, Counter[str]], Iterator[Pair]]] = {
    "nan-nli": nan_nli,
    "wikifactcheck": wikifactcheck,
    "glue-diagnostic": glue_diagnostic,
    "reviews": reviews,
}


def _contradiction(name: str, number: int, first: str, second: str, kind: str = "contradiction", cue: str = "") -> Pair:
    return Pair(f"{name}-{number}/{kind}", plain(first), plain(second), 0, kind, cue)


def _fits(text: str, counts: Counter[str]) -> bool:
    if len(text.split()) > LONGEST_REVIEW:
        counts[f"reviews: more than {LONGEST_REVIEW} words"] += 1
        return False
    if not _AUXILIARY.search(text):
        counts["reviews: no auxiliary verb"] += 1
        return False
    return True


def _ended(text: str) -> str:
    """A claim with its full stop: WikiFactCheck leaves it out here and there, on one side of a pair."""
    text = plain(text)
    return text + "." if text and text[-1] not in ".!?\"'”’" else text


def _other_names(first: str, second: str) -> str:
    """CANNOT's script drops pairs whose named entities differ; we compare capitals inside the sentence, and numbers."""
    ours, theirs = (set(_NAMED.findall(text)) for text in (first, second))
    return "names or numbers differ" if ours != theirs else ""


def _paraphrased(pairs: Iterator[Pair], seed: int, counts: Counter[str]) -> Iterator[Pair]:
    """Each contradiction, and after it a paraphrase of one of its texts, where a rule has one."""
    tasks = [task("paraphrase", kind) for kind in PARAPHRASES]
    owed = 0
    while batch := list(islice(pairs, BATCH)):
        texts = [text for pair in batch for text in (pair.premise, pair.hypothesis)]
        made = pipe(texts, tasks, verify=True)
        for pair in batch:
            found = [*_drawn(pair, next(made), seed), *_drawn(pair, next(made), seed)]
            yield pair
            if not found:
                counts["no paraphrase rule fits"] += 1
                owed += 1
            yield from found[:1]
            if owed and len(found) > 1:
                owed -= 1
                yield found[1]


def _drawn(pair: Pair, row: Sequence[Rewrite], seed: int) -> list[Pair]:
    """One paraphrase of a text, drawn among the kinds that fit."""
    fitting = [rewrite for rewrite in row if rewrite]
    telling = [rewrite for rewrite in fitting if rewrite.kind not in PLAIN] or fitting
    if not telling:
        return []
    made = random.Random(f"{seed}{telling[0].text}").choice(telling)
    name = pair.id.rsplit("/", 1)[0]
    return [Pair(f"{name}/{made.kind}", made.text, str(made), 1, made.kind, made.cue)]
