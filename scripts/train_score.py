"""Train litotes-score on the output of score_data.py, score_round_trips.py and score_surprise.py.

    python -m scripts.train_score --pairs PAIRS --out RUN

It takes half an hour on a GPU. The same command resumes an interrupted run. There are three stages: MEMBERS metrics
with the same start, each with the pairs in another order (RUN/0, RUN/1 and so on), and their mean; TEACHERS metrics
that also learn a language model's log-probabilities (RUN/teacher-0 and so on), and their mean; then the mean of the
members is trained further with the teachers' predictions. RUN/model is the result. --member trains one of the members;
the command without it then trains what is missing. --without leaves out sources, for an ablation. The settings were
chosen on the *select* halves of the development files; docs/history/litotes-score.md lists the runs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import LitotesError
from litotes.models.scorer import load_scorer, save_scorer
from litotes.models.scorer.build import CARD
from litotes.training.averaging import average
from litotes.training.examples import Example
from litotes.training.likeness_cost import CostShape, fit_likeness_cost
from litotes.training.metric import UNRATED, MetricTraining, train_metric
from litotes.training.surprisal import guesses
from scripts.score_surprise import ROUND_TRIPS, rows, surprisal

MEMBERS = 4
SHARPNESS, OFFSET = 1.2, 2.1
"""The mean's logit is multiplied by the first, because means are less extreme, and the second is added, because free
paraphrases score too low without it. Chosen on *select*."""
COST = CostShape(points=6.6, free=0.9, short=0.65, long=16, long_spread=5, lowest=OFFSET - 2.88)
"""What a text loses if it is unlike its reference or clumsy; it orders translations. Chosen on *select* and on WMT's
training rows, with members that had not seen them (docs/history/litotes-score.md)."""
SETTINGS = MetricTraining(lr=7e-4, batch=512, epochs=2)
TEACHERS = 5
TEACHER_SETTINGS = replace(SETTINGS, surprisal_weight=0.5)
"""For the metrics that learn a language model's log-probabilities, and whose predictions are learned in the end."""
LAST = tuple(replace(SETTINGS, lr=4e-4, epochs=1, order=7, surprisal_weight=weight) for weight in (0.1, 0.3))
"""The last runs, which start from the mean of the members and also learn the teachers' predictions."""
LAST_SHARE = 0.6
"""The share of the pairs in the last runs."""
# How often each pair of a source is used; the fraction is the probability of one more use.
TIMES = {
    "paraphrases": 0.8,
    "negations": 0.4,
    "quadruples": 0.3,
    "written": 2,
    "passages": 0.5,
    "changed sentences": 0.7,
    "omissions": 0.6,
    "substitutions": 2,
    "graded": 3,
    "crossed": 1,
    "edits": 1,
    "perturbations": 0.6,
    "stsb": 2,
    "wmt": 1.5,
    "wmt likeness": 1,
    "wmt negated": 1,
    "wmt perturbed": 0.7,
    "drifted": 0.7,
    "translated": 5,
    ROUND_TRIPS: 0,
}
# Other numbers where log-probabilities are learned.
SURPRISAL_TIMES = {"written": 0.7, "crossed": 0.8, ROUND_TRIPS: 1}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True, help="the folder that score_data.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default=None)
    parser.add_argument("--member", type=int, choices=range(MEMBERS), help="train only this member")
    parser.add_argument("--without", nargs="+", default=[], choices=TIMES, metavar="SOURCE", help=", ".join(TIMES))
    options = parser.parse_args()
    out, device = options.out, options.device
    examples = draw_examples(options.pairs, TIMES | dict.fromkeys(options.without, 0))
    print(json.dumps(Counter(example.kind for example in examples)), flush=True)
    try:
        for order in range(MEMBERS) if options.member is None else (options.member,):
            _train(replace(SETTINGS, order=order), examples, out / str(order), device)
        if options.member is None:
            mean = average([out / str(order) for order in range(MEMBERS)], out / "mean")
            scorer = load_scorer(train_with_surprisal(mean, options.pairs, out, device), device=device)
            scorer.model.outer.weight.data *= SHARPNESS
            scorer.model.outer.bias.data *= SHARPNESS
            scorer.model.outer.bias.data += OFFSET
            scorer.model.likeness = fit_likeness_cost(scorer, rated_translations(examples), COST)
            print(save_scorer(scorer, out / "model"), flush=True)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def train_with_surprisal(mean: Path, pairs: Path, out: Path, device: str | None) -> Path:
    """Train the mean of the members further with the teachers' predictions; return the mean of the last runs."""
    examples = draw_examples(pairs, TIMES | SURPRISAL_TIMES)
    targets = surprisal(pairs)
    folders = [out / f"teacher-{number}" for number in range(TEACHERS)]
    for number, folder in enumerate(folders):
        _train(replace(TEACHER_SETTINGS, order=number), without_fifth(examples, number), folder, device, targets)
    teacher = load_scorer(average(folders, out / "teacher"), device=device)
    draw = random.Random(0)
    selected = [example for example in examples if draw.random() < LAST_SHARE]
    texts = list(dict.fromkeys((example.query, example.positive) for example in selected))
    targets = dict(zip(texts, guesses(teacher, texts), strict=True))
    scorer = load_scorer(mean, device=device)
    scorer.model.surprise = teacher.model.surprise
    start = str(save_scorer(scorer, out / "start"))
    for config in LAST:
        _train(replace(config, start=start), selected, out / f"last-{config.surprisal_weight}", device, targets)
    return average([out / f"last-{config.surprisal_weight}" for config in LAST], out / "last")


def _train(
    config: MetricTraining,
    examples: Sequence[Example],
    folder: Path,
    device: str | None,
    targets: Mapping[tuple[str, str], np.ndarray] | None = None,
) -> None:
    """Train a metric if it does not exist yet."""
    if not (folder / "model" / CARD).exists():
        train_metric(config, examples, out=folder, log_probabilities=targets, device=device, progress=_print_line)


def draw_examples(folder: Path, times: Mapping[str, float]) -> list[Example]:
    """Draw the pairs of each source as often as `times` says; the draw is always the same."""
    draw = random.Random(0)
    examples = []
    for row in rows(folder, round_trips=times[ROUND_TRIPS] > 0):
        whole, part = divmod(times[row["source"]], 1)
        score = UNRATED if row["score"] is None else row["score"]
        example = Example(row["reference"], row["candidate"], kind=row["source"], score=score)
        examples += [example] * (int(whole) + (draw.random() < part))
    return examples


def without_fifth(examples: Sequence[Example], teacher: int) -> list[Example]:
    """Leave out a fifth of WMT's references, on which the teacher can be evaluated."""
    references = {example.query for example in examples if example.kind == "wmt"}
    left_out = {reference for reference in references if fifth_of(reference) == teacher}
    return [example for example in examples if example.query not in left_out]


def fifth_of(reference: str) -> int:
    return int(hashlib.sha256(reference.encode()).hexdigest(), 16) % TEACHERS


def rated_translations(examples: Sequence[Example]) -> list[tuple[str, str, float]]:
    """Return WMT's references, candidates and ratings, each once."""
    wmt = (example for example in examples if example.kind == "wmt" and example.query != example.positive)
    return list(dict.fromkeys((example.query, example.positive, example.score or 0.0) for example in wmt))


def _print_line(line: Mapping[str, Any]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
