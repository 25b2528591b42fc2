"""Train the model that declines bad rewrites: python -m scripts.train_doubt --data DIR [--measure]

It writes src/litotes/rewrite/doubt.safetensors. The labels are those of docs/reading/doubt_labels.tsv: a hash of each
rewrite, and what a reader said of it. The rewrites are made again, from the anchors in DIR and from our own sentences
in docs/reading/registers.txt, and those that are no longer the same are left out. What the truth tables of the tests
accept counts as good. --measure writes nothing: it holds out a fifth of the texts at a time, and prints what the model
would decline of each kind.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litotes import rewrite
from litotes.errors import LitotesError, MissingError, require
from litotes.parse import Document, load_parser
from litotes.rewrite.doubt import SEPARATOR, DoubtModel, is_doubtful, load_doubt_model
from litotes.rewrite.doubt_features import edit_features, sentence_features
from litotes.types import Rewrite
from scripts.reading import row_hash, sentences

FILE = Path(__file__).parents[1] / "src" / "litotes" / "rewrite" / "doubt.safetensors"
TABLES = Path(__file__).parents[1] / "tests" / "tables"
READING = Path(__file__).parents[1] / "docs" / "reading"
DRAWS = ((777001, 300, 250), (777002, 420, 150), (20261219, 60, 60))
"""the seed of a draw, its texts per file of anchors, and those of the file of paragraphs"""
RARE = 2
"""A feature counts if so many rewrites have it."""
STRENGTH = 0.06
"""The inverse of the penalty on large weights, chosen on held-out texts."""
SMALL = 5
"""Features whose weights are both below so many of 127 steps are left out."""
FOLDS = 5
BAD, ODD = frozenset({"ungrammatical", "wrong"}), frozenset({"odd"})


@dataclass(frozen=True, slots=True)
class Row:
    """A rewrite with its label, and its features."""

    text: str
    kind: str
    rule: str
    label: str
    features: tuple[str, ...]
    ours: bool
    """whether the text is one of our sentences, not an anchor"""

    def names(self) -> Iterator[str]:
        """Return the features, for all rules and for the row's own."""
        for feature in self.features:
            yield f"{SEPARATOR}{feature}"
            yield f"{self.rule}{SEPARATOR}{feature}"

    @property
    def fold(self) -> int:
        return int(hashlib.sha256(self.text.encode()).hexdigest(), 16) % FOLDS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    try:
        rows = labelled_rows(options.data)
        if options.measure:
            measure(rows)
        else:
            save(Weights([*rows, *accepted_rows()]), FILE)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def labelled_rows(data: Path) -> list[Row]:
    """Make the rewrites again, and return those that have a label."""
    labels = {row["hash"]: row["label"] for row in _labels()}
    tasks = [*rewrite.all_tasks(rewrite.Options(unchecked=True)), rewrite.task("affirm", "affirm", UNCHECKED)]
    rows: dict[str, Row] = {}
    drawn = list(_texts(data))
    for (file, text), document in zip(drawn, load_parser("").pipe(text for _, text in drawn), strict=True):
        for result, features in _rewrites(document, tasks):
            key = row_hash(file, result.kind, text, str(result))
            if key in labels:
                rows[key] = Row(text, result.kind, result.rule, labels[key], features, file == "registers")
    print(f"{len(rows)} of {len(labels)} labelled rewrites are the same as when they were read", flush=True)
    if not rows:
        raise MissingError(f"no labelled rewrite can be made from {data}; expected the folder that has anchors/")
    return list(rows.values())


def accepted_rows() -> list[Row]:
    """Return the rewrites that the truth tables accept, as good ones."""
    found = []
    for path in sorted(TABLES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            task = rewrite.task(row["op"], row["kind"], rewrite.Options(cue=row.get("cue", ""), unchecked=True))
            document = next(iter(load_parser("").pipe([row["text"]])))
            for result, features in _rewrites(document, [task]):
                if str(result) in row["accept"]:
                    found.append(Row(row["text"], result.kind, result.rule, "good", features, True))
    return found


UNCHECKED = rewrite.Options(unchecked=True)


def _labels() -> list[dict[str, str]]:
    with (READING / "doubt_labels.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def _texts(data: Path) -> Iterator[tuple[str, str]]:
    files = sorted((data / "anchors").iterdir()) if (data / "anchors").is_dir() else []
    for seed, count, paragraphs in DRAWS:
        for file in files:
            drawn = sentences(file, paragraphs if file.suffix == ".jsonl" else count, seed)
            yield from ((file.stem, text) for text in drawn)
    for line in (READING / "registers.txt").read_text(encoding="utf-8").splitlines():
        yield "registers", line


def _rewrites(document: Document, tasks: Sequence[rewrite.Task]) -> Iterator[tuple[Rewrite, tuple[str, ...]]]:
    prepared = rewrite.prepare(document)
    if not prepared.sentences:
        return
    sentence, clause, _ = prepared.sentences[0]
    for task in tasks:
        result = rewrite.apply_task(prepared, task)
        if result:
            features = (*sentence_features(sentence, clause), *edit_features(sentence, result.edits))
            yield result, tuple(dict.fromkeys(features))


class Weights:
    """Two logistic regressions on the features of rows: whether a rewrite is odd, and whether it is bad."""

    def __init__(self, rows: Sequence[Row]) -> None:
        linear = require("sklearn.linear_model", extra="train", why="training the model that declines bad rewrites")
        counted = Counter(name for row in rows for name in row.names())
        self.names = sorted(name for name, count in counted.items() if count >= RARE)
        self._places = {name: place for place, name in enumerate(self.names)}
        matrix = self._matrix(rows)
        fitted = [
            linear.LogisticRegression(C=STRENGTH, solver="liblinear").fit(matrix, [row.label in labels for row in rows])
            for labels in (ODD, BAD)
        ]
        self.weights = np.stack([model.coef_[0] for model in fitted], axis=1)
        self.bias = np.array([model.intercept_[0] for model in fitted])

    def _matrix(self, rows: Iterable[Row]) -> Any:
        sparse = require("scipy.sparse", extra="train", why="training the model that declines bad rewrites")
        indices: list[int] = []
        ends = [0]
        for row in rows:
            indices += [self._places[name] for name in row.names() if name in self._places]
            ends.append(len(indices))
        return sparse.csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(ends) - 1, len(self.names)))


def save(trained: Weights, path: Path) -> None:
    """Write the weights in eight bits. Small ones are left out."""
    step = float(np.abs(trained.weights).max()) / 127
    rounded = np.round(trained.weights / step).astype(np.int8)
    kept = np.flatnonzero(np.abs(rounded).max(axis=1) >= SMALL)
    names = "\n".join(trained.names[place] for place in kept)
    library = require("safetensors.numpy", extra="train", why="saving the model that declines bad rewrites")
    library.save_file(
        {
            "features": np.frombuffer(names.encode("utf-8"), dtype=np.uint8),
            "weights": rounded[kept],
            "step": np.array([step], dtype=np.float32),
            "bias": trained.bias.astype(np.float32),
        },
        path,
    )
    print(f"{path}: {len(kept)} features, {path.stat().st_size} bytes")


def measure(rows: Sequence[Row]) -> None:
    """Print the shares of bad and odd rewrites of each kind, before and after the model, on held-out texts."""
    judged: list[tuple[Row, bool]] = []
    accepted = accepted_rows()
    for fold in range(FOLDS):
        path = FILE.with_suffix(".held")
        save(Weights([*(row for row in rows if row.fold != fold), *accepted]), path)
        model = load_doubt_model(path)
        path.unlink()
        held = [row for row in rows if row.fold == fold]
        judged += [(row, _is_declined(model, row)) for row in held]
    print("kind\ttexts\trewrites\tkept, %\tbad, %\tbad of kept, %\todd, %\todd of kept, %")
    for kind in dict.fromkeys(row.kind for row in rows):
        for name, sources in (("all", {False, True}), ("anchors", {False}), ("registers", {True})):
            own = [row for row, _ in judged if row.kind == kind and row.ours in sources]
            kept = [row for row, doubtful in judged if row.kind == kind and row.ours in sources and not doubtful]
            shares = [_share(part, labels) for labels in (BAD, ODD) for part in (own, kept)]
            print(kind, name, len(own), f"{100 * len(kept) / max(len(own), 1):.0f}", *shares, sep="\t")


def _is_declined(model: DoubtModel, row: Row) -> bool:
    chances = model.chances(row.rule, model.places(row.features)) if row.rule in model.rules else (0.0, 0.0)
    return is_doubtful(row.kind, *chances)


def _share(rows: Sequence[Row], labels: frozenset[str]) -> str:
    return f"{100 * sum(row.label in labels for row in rows) / len(rows):.1f}" if rows else "–"


if __name__ == "__main__":
    raise SystemExit(main())
