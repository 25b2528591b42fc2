"""Invented results, in the format of litotes bench and of training runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from litotes.data.result_files import ItemRow, Provenance, write_rows

BASE, TUNED, WORDS = "dense:minilm", "dense:/models/litotes-mini", "bm25"
KINDS = ("affixal", "contradiction", "exceptor", "immediate", "implicit", "sentential")
PERTURBATIONS = ("critical_negation", "base_unrelated_trans", "critical_antonym", "minor_case")


def result(model: str, task: str, measure: str, value: float | None, **other: Any) -> dict[str, Any]:
    """Return a line of results.json whose interval is the value ± 3."""
    line = {"model": model, "task": task, "split": "dev", "slice": "all", "measure": measure, "value": value}
    line |= {"low": None if value is None else value - 3, "high": None if value is None else value + 3, "n": 200}
    return line | {"signature": f"litotes:0|task:{task}|model:{model}"} | other


def headlines(model: str, nevir: float, general: float | None) -> list[dict[str, Any]]:
    """Return a model's headlines in every suite. A model without vectors has no general mean (None)."""
    results = [
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
        results.append(result(model, "general mean", "mean", general, split="dev, test"))
    return results


def by_kind(model: str, accuracy: float) -> list[dict[str, Any]]:
    """Return results on the taxonomy that get a little worse from kind to kind."""
    results = [result(model, "taxonomy", "pairwise accuracy", accuracy)]
    for place, kind in enumerate(KINDS):
        fields = {"slice": f"kind: {kind}", "n": 30}
        right = accuracy - 4 * place
        results.append(result(model, "taxonomy", "pairwise accuracy", right, **fields))
        results.append(result(model, "taxonomy", "prefers the negated document", (100 - right) / 2, **fields))
        results.append(result(model, "taxonomy", "prefers the other document", (100 - right) / 4, **fields))
        results.append(result(model, "taxonomy", "both reversed", (100 - right) / 8, **fields))
    return results


def drops(model: str, ratio: float) -> list[dict[str, Any]]:
    """Return results on DEMETR whose drop halves from one perturbation to the next."""
    results = []
    for place, name in enumerate(PERTURBATIONS):
        fields = {"slice": f"perturbation: {name}", "split": "all", "low": 0.0, "high": 1.0}
        results.append(result(model, "demetr", "ratio", ratio / 2**place, **fields))
        results.append(result(model, "demetr", "ratio over unrelated", ratio / 2**place, **fields))
    return results


def series(folder: Path, model: str, similarities: list[float]) -> dict[str, Any]:
    """Write the rows of `series` (negated sentences, and one with swapped words), and return its headline."""
    line = result(model, "series", "drop", 0.2, split="shipped", slice="degree: negation", low=0.1, high=0.3)
    values = [("negation", value) for value in similarities] + [("word swap", 0.1)]
    rows = [
        ItemRow(str(place), 1 - value, {"series": name}, {"itself": 1, "impaired": value})
        for place, (name, value) in enumerate(values)
    ]
    write_rows(folder, rows, Provenance(model, "series", "shipped", line["signature"]), "series")
    return line


def maxsim(model: str, pair: str, no_without: float) -> dict[str, Any]:
    """Return the token similarities of a query and a document; `no_without` is that of "no" and "without"."""
    matrix = [
        [0.1, 0.2, 0.1, 0.9, 0.1],
        [0.1, no_without, 0.2, 0.2, 0.1],
        [0.0, 0.3, 0.8, 0.1, 0.1],
        [0.2, 0.1, 0.1, 0.1, 0.3],
    ]
    tokens = {"query_tokens": ["soup", "no", "salt", "$"], "document_tokens": ["a", "without", "salt", "broth", "."]}
    return {"model": model, "pair": pair, **tokens, "matrix": matrix}


def write_bench(folder: Path) -> Path:
    """Write a folder of benchmark results with some data for every figure."""
    folder.mkdir(parents=True, exist_ok=True)
    results: list[dict[str, Any]] = []
    for model, nevir, general, ratio in ((BASE, 8.0, 77.0, 0.2), (TUNED, 20.0, 78.0, 0.6), (WORDS, 2.0, None, 0.3)):
        results += [*headlines(model, nevir, general), *by_kind(model, 40 + nevir), *drops(model, ratio)]
        spread = [0.9 - nevir / 40 + place / 200 for place in range(40)]
        results.append(series(folder, model, [40 * value for value in spread] if model == WORDS else spread))
    (folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
    record = {WORDS: {"fingerprint": "1", "facts": {}, "skipped": {"banking77": "the task needs vectors"}}}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    late = [
        maxsim(model, pair, no_without)
        for pair in ("soup", "stew")
        for model, no_without in (("late:old", 0.2), ("late:new", 0.7))
    ]
    (folder / "maxsim.json").write_text(json.dumps(late), encoding="utf-8")
    return folder


def write_training(folder: Path) -> Path:
    """Write the folder of a training run: a loss per step, and another measure at two steps."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[dict[str, Any]] = [{"step": step, "epoch": step / 10, "loss": 1 / step} for step in range(1, 11)]
    lines += [{"step": step, "nevir": 8.0 + step, "note": "select half"} for step in (5, 10)]
    (folder / "curves.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder
