"""Trains towers: one with the settings given, or one for every line of a file of settings, measured as they come.

python scripts/train_mini.py --data triples.jsonl contrasts.jsonl=0.5 --base minilm --out RUN --set epochs=2 lr=2e-4
python scripts/train_mini.py --data triples.jsonl --replay pairs.jsonl --out RUNS --runs runs.jsonl --measure MODULE:F

A share after a data file's name draws that share of its examples. A line of --runs is a JSON object: "name", and
settings that differ from the others'. The function of --measure takes the model and gives scores by name. Every run
leaves a folder with run.json, curves.jsonl and tower/, which load_tower reads; OUT/summary.jsonl has a line a run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from litotes.errors import InputError, LitotesError
from litotes.train import Example, TowerTraining, read_examples, train_tower

Measure = Callable[[Any], Mapping[str, float]]


def main() -> int:
    """Reads the examples once and trains all the runs on them; a run that fails leaves its reason in the summary."""
    options = _options()
    try:
        examples, files = _read(options.data, options.seed)
        replay, more = _read(options.replay, options.seed)
        measure = _function(options.measure) if options.measure else None
        failed = 0
        for name, settings in _runs(options):
            failed += not _train(name, settings, examples, replay, [*files, *more], measure, options)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, metavar="FILE[=SHARE]")
    parser.add_argument("--replay", nargs="*", default=[], metavar="FILE[=SHARE]", help="pairs of query and positive")
    parser.add_argument("--base", default="minilm", help="minilm, mpnet or a folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings for all runs")
    parser.add_argument("--runs", type=Path, help="JSON lines: a name and settings, a run each")
    parser.add_argument("--measure", default="", metavar="MODULE:FUNCTION")
    parser.add_argument("--device", default=None)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _read(names: list[str], seed: int) -> tuple[list[Example], list[dict[str, Any]]]:
    examples: list[Example] = []
    files: list[dict[str, Any]] = []
    for name in names:
        path, _, share = name.partition("=")
        reading = read_examples(path)
        wanted = round(len(reading.examples) * float(share or 1))
        drawn = random.Random(seed).sample(list(reading.examples), wanted)
        examples += drawn
        files.append(reading.line() | {"used": len(drawn)})
        print(json.dumps(files[-1]), flush=True)
    return examples, files


def _runs(options: argparse.Namespace) -> list[tuple[str, TowerTraining]]:
    """The name and the settings of every run."""
    common: dict[str, Any] = {"base": options.base, "seed": options.seed}
    for pair in options.set:
        name, _, value = pair.partition("=")
        common[name] = _value(value)
    if not options.runs:
        return [("run", _settings(common))]
    lines = [json.loads(line) for line in options.runs.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(str(line.pop("name", at)), _settings(common | line)) for at, line in enumerate(lines)]


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _settings(given: dict[str, Any]) -> TowerTraining:
    known = {field.name for field in fields(TowerTraining)}
    unknown = sorted(set(given) - known)
    if unknown:
        raise InputError(f"there is no setting {', '.join(unknown)}; expected {', '.join(sorted(known))}")
    kinds = given.get("positive_kinds", ())
    return TowerTraining(**given | {"positive_kinds": (kinds,) if isinstance(kinds, str) else tuple(kinds)})


def _function(name: str) -> Measure:
    module, _, function = name.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    found: Measure = getattr(importlib.import_module(module), function)
    return found


def _train(
    name: str,
    settings: TowerTraining,
    examples: list[Example],
    replay: list[Example],
    files: list[dict[str, Any]],
    measure: Measure | None,
    options: argparse.Namespace,
) -> bool:
    """One run; its line in the summary."""
    started = time.monotonic()
    line: dict[str, Any] = {"name": name, "settings": settings.plain()}
    try:
        trained = train_tower(
            settings,
            examples,
            replay=replay,
            out=options.out / name,
            manifest=files,
            evaluate=measure,
            watch=lambda noted: print(json.dumps({"name": name, **noted}), flush=True),
            device=options.device,
        )
        scores = [noted["scores"] for noted in trained.curves if "scores" in noted]
        line |= {"scores": scores[-1] if scores else {}, "steps": trained.steps}
    except InputError as error:
        line["error"] = str(error)
    line["seconds"] = round(time.monotonic() - started, 1)
    with (options.out / "summary.jsonl").open("a", encoding="utf-8") as summary:
        summary.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)
    return "error" not in line


if __name__ == "__main__":
    raise SystemExit(main())
