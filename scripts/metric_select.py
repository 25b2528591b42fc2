"""Measure a metric on the halves of the development files, in steps that can run on different machines.

    python -m scripts.metric_select collect --data DIR --out PAIRS
    python -m scripts.metric_select score PAIRS MODEL --out SCORES.npz
    python -m scripts.metric_select measure PAIRS SCORES.npz --half select

DIR has cannot_wmt/ and demetr/. Our own tables are in tests/tables/metric: texts with a changed number or name, free
restatements, and texts that are hedged or no longer hedged. MODEL is the folder of a pair model with the head `score`.
PAIRS gets pairs.json.gz, with every pair of texts once, and items.json.gz, with what to measure. The second step is for
a GPU; no step needs the parser. Settings are chosen on the half *select*. The tables are measured with *report* only,
as a whole. The figures are those of `litotes bench`, by the same functions.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from litotes.data.benchmarks import cannot_wmt, demetr
from litotes.data.halves import half_of
from litotes.data.items import BINARY, GRADED, ScoredPair
from litotes.data.result_files import Provenance
from litotes.errors import InputError, LitotesError
from litotes.evaluation.figures import Figure, average, fold, share
from litotes.evaluation.scoring import CachedScorer
from litotes.evaluation.tasks.demetr import DemetrTask
from litotes.evaluation.tasks.demetr import figures as demetr_figures
from litotes.evaluation.tasks.similarity import SimilarityTask
from litotes.evaluation.tasks.similarity import figures as similarity_figures
from litotes.models import load
from litotes.stats import spearman
from scripts.mini_data import lines_of
from scripts.rerank_select import Pairs

BASES = ("dense:minilm", "dense:mpnet")
"""Encoders whose cosine is compared with the metric on WMT's rows."""
FOLDER = Path(__file__).parent.parent / "tests" / "tables" / "metric"
TABLES = ("changed", "restated", "hedged")
TRUTH = FOLDER / "pairs.jsonl"
OPPOSITE = "opposite"
LOW, HIGH = 0.35, 0.8
"""In the truth table, an opposite has less than the first share of the identical pair's score, a paraphrase more than
the second."""
CHANGED, RESTATED = 0.5, 0.6
"""The scores that a text with a changed number or name stays under, and that a restatement exceeds."""
FIRST = ("critical_negation", "critical_antonym")
"""The perturbations of DEMETR that are printed first."""
Row = Mapping[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting, scoring = commands.add_parser("collect"), commands.add_parser("score")
    measuring = commands.add_parser("measure")
    collecting.add_argument("--data", type=Path, required=True)
    collecting.add_argument("--out", type=Path, required=True)
    for command in (scoring, measuring):
        command.add_argument("pairs", type=Path)
    scoring.add_argument("model", help="the folder of a pair model")
    scoring.add_argument("--out", type=Path, required=True)
    measuring.add_argument("scores", type=Path)
    measuring.add_argument("--half", choices=("select", "report", "both"), default="select")
    options = parser.parse_args()
    try:
        if options.command == "collect":
            collect(options.data, options.out)
        elif options.command == "score":
            score(options.pairs, options.model, options.out)
        else:
            for line in measure(options.pairs, options.scores, options.half):
                print(line, flush=True)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def collect(data: Path, out: Path) -> None:
    """Write the items to measure, and each of their pairs once."""
    items: dict[str, list[Any]] = {"cannot-wmt": rated(data / "cannot_wmt")}
    items["demetr"] = [{"half": half_of(item.id), **asdict(item)} for item in demetr.load(data / "demetr")]
    items["truth table"] = [{"half": half_of(row["reference"]), **row} for row in lines_of(TRUTH)]
    items |= {name: list(lines_of(FOLDER / f"{name}.jsonl")) for name in TABLES}
    pairs = Pairs()
    for reference, candidate in asked(items):
        pairs.number(reference, candidate)
    out.mkdir(parents=True, exist_ok=True)
    write(out / "pairs.json.gz", {"texts": list(pairs.texts), "pairs": list(pairs.pairs)})
    write(out / "items.json.gz", items)
    print(f"{len(pairs.pairs)} pairs; " + ", ".join(f"{name}: {len(rows)}" for name, rows in items.items()))


def rated(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of CANNOT-WMT that no metric is trained on; WMT's rows with the cosine of each base."""
    rows = [row for row in cannot_wmt.load(folder) if cannot_wmt.held_out(row)]
    translated = [row for row in rows if row.source != cannot_wmt.CANNOT]
    cosines: dict[str, dict[str, float]] = {row.id: {} for row in translated}
    for name in BASES:
        print(f"the cosines of {name} …", flush=True)
        scorer = CachedScorer(load(name))
        values = scorer.pairs([row.reference for row in translated], [row.candidate for row in translated])
        for row, value in zip(translated, values, strict=True):
            cosines[row.id][name] = float(value)
    return [
        {
            "id": row.id,
            "half": half_of(row.candidate),
            "first": row.reference,
            "second": row.candidate,
            "grade": row.score,
            "scale": BINARY if row.source == cannot_wmt.CANNOT else GRADED,
            "cosines": cosines.get(row.id, {}),
        }
        for row in rows
    ]


def asked(items: Mapping[str, Sequence[Row]]) -> Iterator[tuple[str, str]]:
    """Yield every pair of a reference and a candidate that is needed. One that is compared with itself has a pair."""
    yield from ((row["first"], row["second"]) for row in items["cannot-wmt"])
    for row in items["demetr"]:
        if row["changed"]:
            texts = (row["translation"], row["perturbed"], demetr.EMPTY)
            yield from ((row["reference"], text) for text in texts)
    for name in ("truth table", *TABLES):
        for row in items.get(name, ()):
            yield from ((row["reference"], row[text]) for text in ("candidate", "reference"))


def score(folder: Path, model: str, out: Path) -> None:
    """Write the score of every pair. As in `litotes bench`, the longer text of a long pair is cut."""
    from litotes.models.pair.build import load_pair_scorer
    from litotes.models.pair.metric import PairMetric

    references, candidates = read_pairs(folder)
    scores = PairMetric(load_pair_scorer(model)).score(candidates, references, cut=True)
    np.savez_compressed(out, scores=scores)


def read_pairs(folder: Path) -> tuple[list[str], list[str]]:
    """Return the reference and the candidate of every pair."""
    content = read(folder / "pairs.json.gz")
    texts, pairs = content["texts"], content["pairs"]
    return [texts[first] for first, _ in pairs], [texts[second] for _, second in pairs]


class Scored:
    """The scores of a file as a ranker, so that the tasks of `litotes bench` can ask for them."""

    name = "scores"

    def __init__(self, folder: Path, file: Path) -> None:
        values = np.load(file)["scores"]
        references, candidates = read_pairs(folder)
        if len(values) != len(references):
            raise InputError(f"{file} has {len(values)} scores for the {len(references)} pairs of {folder}")
        self._scores = dict(zip(zip(references, candidates, strict=True), map(float, values), strict=True))

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        return np.array([self._scores[pair] for pair in zip(queries, documents, strict=True)])


def measure(folder: Path, file: Path, half: str) -> Iterator[str]:
    """Yield a line per figure of one half, or of both."""
    scored = Scored(folder, file)
    content: dict[str, list[Row]] = read(folder / "items.json.gz")
    items = {name: [row for row in rows if half in ("both", row.get("half"))] for name, rows in content.items()}
    parts = {
        "cannot-wmt-unseen": of_ratings(items["cannot-wmt"], scored),
        "demetr": of_demetr(items["demetr"], scored),
        "truth table": of_truth(items["truth table"], scored),
    }
    if half == "report":
        parts["tables"] = of_tables(content, scored)
    for task, figures in parts.items():
        for result in fold(figures, Provenance(scored.name, task, half, "")):
            name = f"{task}\t{result.slice}\t{result.measure}"
            yield f"{name}\t{result.value:.3f}\t{result.low:.3f} to {result.high:.3f}\tn {result.n}"


def of_ratings(rows: Sequence[Row], scored: Scored) -> list[Figure]:
    """Return Spearman over all rows, the AUC of the 0/1 rows, and Spearman of WMT's rows, also that of the cosines."""
    names = ("id", "first", "second", "grade", "scale")
    pairs = tuple(ScoredPair(**{name: row[name] for name in names}) for row in rows)
    found = similarity_figures(SimilarityTask("cannot-wmt-unseen", "eval", pairs).evaluate(CachedScorer(scored)))
    graded = [row for row in rows if row["scale"] == GRADED]
    grades = [row["grade"] for row in graded]
    for name in BASES:
        statistic = spearman(grades, [row["cosines"][name] for row in graded])
        found.append(Figure(f"Spearman of the cosine of {name}", statistic, len(graded), f"scale: {GRADED}"))
    return found


def of_demetr(rows: Sequence[Row], scored: Scored) -> list[Figure]:
    """Return each perturbation's drop over that of an unrelated text, and how often a translation scores higher."""
    items = tuple(demetr.Perturbed(**{name: row[name] for name in demetr.Perturbed.__slots__}) for row in rows)
    found = demetr_figures(DemetrTask("demetr", "all", items).evaluate(CachedScorer(scored)))
    first = [f"perturbation: {name}" for name in FIRST]
    kept = [figure for figure in found if figure.measure in ("ratio over unrelated", "noticed")]
    return sorted(kept, key=lambda figure: first.index(figure.slice) if figure.slice in first else len(first))


def of_truth(rows: Sequence[Row], scored: Scored) -> list[Figure]:
    """Return how many opposites and paraphrases have the right share of the identical pair's score."""
    itself, values = _itself(rows, scored), _values(rows, scored)
    opposite = np.array([row["kind"] == OPPOSITE for row in rows])
    shares = values / itself
    return [
        share(f"under {LOW} of the identical pair", list(shares[opposite] < LOW), slice="opposites"),
        share(f"over {HIGH} of the identical pair", list(shares[~opposite] > HIGH), slice="paraphrases"),
        average("mean score", list(itself), slice="identical"),
        average("lowest score", [float(itself.min())], slice="identical"),
    ]


def of_tables(content: Mapping[str, Sequence[Row]], scored: Scored) -> list[Figure]:
    """Return the figures of the tables: overall, and by kind."""
    found: list[Figure] = []
    for name in TABLES:
        rows = content.get(name, ())
        kinds = sorted({row["kind"] for row in rows})
        for kind in [None, *kinds] if rows else []:
            part = [row for row in rows if kind in (None, row["kind"])]
            values, where = _values(part, scored), f"{name}: {kind or 'all'}"
            if name == "changed":
                found.append(share(f"under {CHANGED}", list(values < CHANGED), slice=where))
            elif name == "restated":
                found.append(share(f"over {RESTATED}", list(values > RESTATED), slice=where))
            else:
                found.append(average("mean fall", list(_itself(part, scored) - values), slice=where))
    return found


def _values(rows: Sequence[Row], scored: Scored) -> np.ndarray:
    return scored.score([row["reference"] for row in rows], [row["candidate"] for row in rows])


def _itself(rows: Sequence[Row], scored: Scored) -> np.ndarray:
    references = [row["reference"] for row in rows]
    return scored.score(references, references)


def write(file: Path, content: object) -> None:
    # Without a time stamp, the same content gives the same file.
    file.write_bytes(gzip.compress(json.dumps(content, ensure_ascii=False).encode(), mtime=0))


def read(file: Path) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))


if __name__ == "__main__":
    raise SystemExit(main())
