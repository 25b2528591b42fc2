"""Made-up results, as litotes bench and a training run would write them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

BASE, TUNED, WORDS = "dense:minilm", "dense:/models/litotes-mini", "bm25"
KINDS = ("affixal", "contradiction", "exceptor", "immediate", "implicit", "sentential")
PERTURBATIONS = ("critical_negation", "base_unrelated_trans", "critical_antonym", "minor_case")


def result(model: str, task: str, measure: str, value: float | None, **other: Any) -> dict[str, Any]:
    """One line of results.json; the interval is three to either side."""
    line = {"model": model, "task": task, "split": "dev", "slice": "all", "measure": measure, "value": value}
    line |= {"low": None if value is None else value - 3, "high": None if value is None else value + 3, "n": 200}
    return line | {"signature": f"litotes:0|task:{task}|model:{model}"} | other


def headlines(model: str, nevir: float, general: float | None) -> list[dict[str, Any]]:
    """A model's headline on every suite; without vectors there is no general mean."""
    found = [
        result(model, "nevir", "pairwise accuracy", nevir),
        result(model, "nevir", "tied", 0.5),
        result(model, "excluir", "right rank", 60 + nevir / 4),
        result(model, "cannot-wmt", "Spearman", 10 + nevir, split="eval"),
        result(model, "cannot-wmt", "AUC", 50 + nevir, split="eval", slice="scale: 0/1"),
        result(model, "cannot-wmt", "Spearman", 40.0, split="eval", slice="scale: graded"),
        result(model, "m3-counterfactual", "Spearman", 16.0, split="level3"),
        result(model, "stsb", "Spearman", 82.0),
    ]
    if general is not None:
        found.append(result(model, "general mean", "mean", general, split="dev, test"))
    return found


def by_kind(model: str, accuracy: float) -> list[dict[str, Any]]:
    """The taxonomy, a little worse from kind to kind."""
    found = [result(model, "taxonomy", "pairwise accuracy", accuracy)]
    for place, kind in enumerate(KINDS):
        where = {"slice": f"kind: {kind}", "n": 30}
        right = accuracy - 4 * place
        found.append(result(model, "taxonomy", "pairwise accuracy", right, **where))
        found.append(result(model, "taxonomy", "prefers the negated document", (100 - right) / 2, **where))
        found.append(result(model, "taxonomy", "prefers the other document", (100 - right) / 4, **where))
        found.append(result(model, "taxonomy", "both reversed", (100 - right) / 8, **where))
    return found


def drops(model: str, ratio: float) -> list[dict[str, Any]]:
    """DEMETR, with a drop that halves from row to row."""
    found = []
    for place, name in enumerate(PERTURBATIONS):
        where = {"slice": f"perturbation: {name}", "split": "all", "low": 0.0, "high": 1.0}
        found.append(result(model, "demetr", "ratio", ratio / 2**place, **where))
        found.append(result(model, "demetr", "ratio over unrelated", ratio / 2**place, **where))
    return found


def series(folder: Path, model: str, similarities: list[float]) -> dict[str, Any]:
    """The headline of `series`, and its rows under the signature's key: negated sentences, and one that is not."""
    line = result(model, "series", "drop", 0.2, split="shipped", slice="degree: negation", low=0.1, high=0.3)
    key = sha256(line["signature"].encode()).hexdigest()[:8]
    rows = [("negation", value) for value in similarities] + [("word swap", 0.1)]
    lines = [
        {"id": str(place), "value": 1 - value, "groups": {"series": name}, "numbers": {"itself": 1, "impaired": value}}
        for place, (name, value) in enumerate(rows)
    ]
    (folder / "rows").mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in lines)
    (folder / "rows" / f"model--series--shipped--{key}.jsonl").write_text(text, encoding="utf-8")
    return line


def maxsim(model: str, pair: str, hears: float) -> dict[str, Any]:
    """A query of four tokens and a document of five; `hears` is what "no" makes of "without"."""
    matrix = [
        [0.1, 0.2, 0.1, 0.9, 0.1],
        [0.1, hears, 0.2, 0.2, 0.1],
        [0.0, 0.3, 0.8, 0.1, 0.1],
        [0.2, 0.1, 0.1, 0.1, 0.3],
    ]
    tokens = {"query_tokens": ["soup", "no", "salt", "$"], "document_tokens": ["a", "without", "salt", "broth", "."]}
    return {"model": model, "pair": pair, **tokens, "matrix": matrix}


def write_bench(folder: Path) -> Path:
    """A bench folder with something of everything."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []
    for model, nevir, general, ratio in ((BASE, 8.0, 77.0, 0.2), (TUNED, 20.0, 78.0, 0.6), (WORDS, 2.0, None, 0.3)):
        found += [*headlines(model, nevir, general), *by_kind(model, 40 + nevir), *drops(model, ratio)]
        spread = [0.9 - nevir / 40 + place / 200 for place in range(40)]
        found.append(series(folder, model, [40 * value for value in spread] if model == WORDS else spread))
    (folder / "results.json").write_text(json.dumps(found), encoding="utf-8")
    record = {WORDS: {"fingerprint": "1", "facts": {}, "skipped": {"banking77": "the task needs vectors"}}}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    late = [
        maxsim(name, pair, hears) for pair in ("soup", "stew") for name, hears in (("late:old", 0.2), ("late:new", 0.7))
    ]
    (folder / "maxsim.json").write_text(json.dumps(late), encoding="utf-8")
    return folder


def write_training(folder: Path) -> Path:
    """A training run's folder: a loss each step, and a measure now and then."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[dict[str, Any]] = [{"step": step, "epoch": step / 10, "loss": 1 / step} for step in range(1, 11)]
    lines += [{"step": step, "nevir": 8.0 + step, "note": "select half"} for step in (5, 10)]
    (folder / "curves.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder
