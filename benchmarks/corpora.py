"""Measure how well litotes.detect finds cues and scopes in two annotated corpora.

python benchmarks/corpora.py --data DIR [--split dev|train] [--half report|select|all] [--errors N]

The corpora are CD-SCO (the *SEM 2012 shared task: F1 of cues, scope tokens and exact scopes, with the system's own
cues) and the abstracts of BioScope (F1 of negation and speculation cues, exact spans). benchmarks/corpora.tsv lists
which of our kinds each corpus annotates. The rules were built on CD-SCO train and on the select half of BioScope, so
report dev and the report half.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from litotes.detection.detector import detect_all
from litotes.types import Detection, Hedge, Negation

PUNCTUATION = re.compile(r"[\W_]+")
# Tokens that attach to the token before or after them when a sentence is joined into text.
ATTACH_LEFT = frozenset({".", ",", "?", "!", ";", ":", ")", "'s", "n't", "'re", "'ve", "'ll", "'d", "'m", "'", "''"})
ATTACH_RIGHT = frozenset({"(", "``"})
Rules = dict[tuple[str, str], tuple[str, frozenset[str]]]


@dataclass
class Score:
    """Counts of true positives, false positives and false negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __str__(self) -> str:
        precision = self.tp / max(1, self.tp + self.fp)
        recall = self.tp / max(1, self.tp + self.fn)
        f1 = 2 * self.tp / max(1, 2 * self.tp + self.fp + self.fn)
        return f"P {100 * precision:.1f}  R {100 * recall:.1f}  F1 {100 * f1:.1f}  (gold {self.tp + self.fn})"


@dataclass
class GoldNegation:
    """A negation of CD-SCO: the text of the cue by token, and the tokens of the scope."""

    cue: dict[int, str] = field(default_factory=dict)
    scope: set[int] = field(default_factory=set)


def guidelines(corpus: str) -> Rules:
    """Return (layer, kind) → (takes, words) for one corpus."""
    lines = (line for line in Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines() if line[:1] != "#")
    return {
        (row["layer"], row["kind"]): (row["takes"], frozenset(w.replace("~", " ") for w in row["words"].split()))
        for row in csv.DictReader(lines, delimiter="\t")
        if row["corpus"] == corpus
    }


def annotated(rules: Rules, layer: str, text: str, found: Negation | Hedge) -> bool:
    """Return whether a corpus annotates this cue."""
    takes, words = rules.get((layer, found.kind), ("none", frozenset[str]()))
    name = text[slice(*whole_word(text, *found.cue_spans[0]))] if found.kind == "affixal" else found.cue
    return (takes == "all") != (name.lower() in words) if takes != "none" else False


def shrunk(rules: Rules, text: str, found: Negation | Hedge) -> tuple[tuple[int, int], ...]:
    """Return the spans of the cue as the corpus annotates them: "no" in "no one"."""
    spans = found.cue_spans
    if found.cue.lower() in rules["negation", "shrinks"][1]:
        start = spans[0][0]
        return ((start, start + len(text[start:].split(maxsplit=1)[0])),)
    return spans


def whole_word(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span extended to the letters around it."""
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return start, end


def read_cdsco(file: Path) -> Iterator[tuple[list[str], list[GoldNegation]]]:
    """Yield the words and the negations of each sentence in a CD-SCO file."""
    for block in file.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line]
        if not rows:
            continue
        negations: list[GoldNegation] = []
        if rows[0][7] != "***":
            negations = [GoldNegation() for _ in range((len(rows[0]) - 7) // 3)]
        for i, row in enumerate(rows):
            for k, negation in enumerate(negations):
                if row[7 + 3 * k] != "_":
                    negation.cue[i] = row[7 + 3 * k].lower()
                if row[8 + 3 * k] != "_" and not PUNCTUATION.fullmatch(row[3]):
                    negation.scope.add(i)
        yield [row[3] for row in rows], negations


def together(words: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return the words joined into text, and the span of each word."""
    text, spans, before = "", [], ""
    for word in words:
        shown = '"' if word in {"``", "''"} else word
        split_cannot = word == "not" and before.lower() == "can"
        if text and word not in ATTACH_LEFT and before not in ATTACH_RIGHT and not split_cannot:
            text += " "
        spans.append((len(text), len(text) + len(shown)))
        text += shown
        before = word
    return text, spans


def by_token(detection: Detection, spans: list[tuple[int, int]], words: list[str], rules: Rules) -> list[GoldNegation]:
    """Return the detected negations in the form of the corpus."""
    negations = []
    for negation in detection.negations:
        if not annotated(rules, "negation", detection.text, negation):
            continue
        tokens = GoldNegation()
        cue = shrunk(rules, detection.text, negation)
        for start, end in cue:
            for i, (first, last) in enumerate(spans):
                if start < last and end > first:
                    tokens.cue[i] = detection.text[max(start, first) : min(end, last)].lower()
        for start, end in (*negation.scope, *(negation.cue_spans if cue != negation.cue_spans else ())):
            touched = {i for i, (first, last) in enumerate(spans) if start < last and end > first}
            tokens.scope |= {i for i in touched if not PUNCTUATION.fullmatch(words[i])}
        if negation.kind != "affixal":
            tokens.scope -= set(tokens.cue)
        negations.append(tokens)
    return negations


def measure_cdsco(file: Path, errors: int) -> None:
    rules = guidelines("cdsco")
    gold = list(read_cdsco(file))
    texts = [together(words) for words, _ in gold]
    cue, tokens, exact = Score(), Score(), Score()
    wrong: list[str] = []
    for (words, wanted), (text, spans), detection in zip(gold, texts, detect_all(t for t, _ in texts), strict=True):
        mine = by_token(detection, spans, words, rules)
        left = list(mine)
        for want in wanted:
            match = next((m for m in left if m.cue == want.cue), None)
            close = match or next((m for m in left if m.cue.keys() & want.cue.keys()), None)
            if close is not None:
                left.remove(close)
            got = close.scope if close is not None else set()
            cue.tp += match is not None
            cue.fn += match is None
            tokens.tp += len(got & want.scope)
            tokens.fp += len(got - want.scope)
            tokens.fn += len(want.scope - got)
            exact.tp += match is not None and bool(want.scope) and match.scope == want.scope
            exact.fn += bool(want.scope) and (match is None or match.scope != want.scope)
            if match is None:
                wrong.append(f"missed {' '.join(want.cue.values())}: {text}")
        for spurious in left:
            cue.fp += 1
            exact.fp += bool(spurious.scope)
            tokens.fp += len(spurious.scope)
            wrong.append(f"spurious {' '.join(spurious.cue.values())}: {text}")
    print(
        f"{file.name}: {len(gold)} sentences\n  cues          {cue}\n  scope tokens  {tokens}\n  exact scopes  {exact}"
    )
    print("\n".join(wrong[:errors]))


def read_bioscope(file: Path) -> Iterator[tuple[str, str, dict[str, set[tuple[tuple[int, int], ...]]]]]:
    """Yield the id, the text and the cue spans by layer of each sentence in BioScope."""
    for sentence in ElementTree.parse(file).getroot().iter("sentence"):
        parts: list[str] = []
        spans: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        _walk(sentence, parts, spans)
        layers: dict[str, set[tuple[tuple[int, int], ...]]] = defaultdict(set)
        for (layer, _), where in spans.items():
            layers[layer].add(tuple(where))
        yield sentence.get("id", ""), "".join(parts), layers


def _walk(node: ElementTree.Element, parts: list[str], spans: dict[tuple[str, str], list[tuple[int, int]]]) -> None:
    start = sum(map(len, parts))
    parts.append(node.text or "")
    for child in node:
        _walk(child, parts, spans)
        parts.append(child.tail or "")
    if node.tag == "cue":
        spans[node.get("type", ""), node.get("ref", "")].append((start, sum(map(len, parts))))


def half_of(name: str) -> str:
    return "select" if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0 else "report"


def cue_spans(rules: Rules, text: str, found: Negation | Hedge) -> tuple[tuple[int, int], ...]:
    """Return the spans as BioScope has them: its cues are whole words, such as cannot and unable."""
    start, end = found.cue_spans[0]
    can = re.search(r"\bcan ?$", text[:start], re.IGNORECASE) if found.cue.lower() == "not" else None
    if can is not None:
        return ((can.start(), end),)
    if found.kind == "affixal":
        return (whole_word(text, start, end),)
    return shrunk(rules, text, found)


def _inside(found: Negation | Hedge, hedges: Iterable[Hedge]) -> bool:
    """Return whether the cue is inside a hedge. BioScope counts "not clear" as speculation only."""
    start, end = found.cue_spans[0]
    return any(first <= start and end <= last for hedge in hedges for first, last in hedge.cue_spans)


def measure_bioscope(file: Path, half: str, errors: int) -> None:
    rules = guidelines("bioscope")
    rows = [row for row in read_bioscope(file) if half in {"all", half_of(row[0])}]
    scores: dict[str, Score] = {"negation": Score(), "speculation": Score()}
    missed: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, text, gold), detection in zip(rows, detect_all(text for _, text, _ in rows), strict=True):
        layers: Iterable[tuple[str, Iterable[Negation | Hedge]]] = (
            ("negation", detection.negations),
            ("speculation", detection.hedges),
        )
        for layer, cues in layers:
            mine = {
                cue_spans(rules, text, cue)
                for cue in cues
                if annotated(rules, layer, text, cue) and not (layer == "negation" and _inside(cue, detection.hedges))
            }
            scores[layer].tp += len(mine & gold[layer])
            scores[layer].fp += len(mine - gold[layer])
            scores[layer].fn += len(gold[layer] - mine)
            for name, spans in (("missed", gold[layer] - mine), ("spurious", mine - gold[layer])):
                missed[f"{layer} {name}"].update(" … ".join(text[a:b].lower() for a, b in cue) for cue in spans)
    print(f"{file.name}: {len(rows)} sentences, {half}")
    for layer, score in scores.items():
        print(f"  {layer:12}  {score}")
    if errors:
        for name, counts in missed.items():
            print(f"  {name}: {', '.join(f'{cue} {n}' for cue, n in counts.most_common(errors))}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder with cdsco/ and bioscope/")
    options.add_argument("--split", choices=("dev", "train"), default="dev")
    options.add_argument("--half", choices=("report", "select", "all"), default="report")
    options.add_argument("--errors", type=int, default=0, help="the number of errors to print")
    chosen = options.parse_args()
    name = {"train": "training", "dev": "dev"}[chosen.split]
    measure_cdsco(next((chosen.data / "cdsco").glob(f"*CD-SCO-{name}-*.txt")), chosen.errors)
    measure_bioscope(chosen.data / "bioscope" / "abstracts.xml", chosen.half, chosen.errors)


if __name__ == "__main__":
    main()
