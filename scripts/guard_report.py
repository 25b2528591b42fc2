"""Choose the threshold of a tier of the guard, and measure a tier at its threshold:

    python -m scripts.guard_report TIER --fit 0.98
    python -m scripts.guard_report TIER --split test
    python -m scripts.guard_report cosine:minilm --split test

TIER is the name of a tier, or the folder of a pair model. The first command chooses the lowest threshold with that
precision on the dev pairs of same-answer, and writes it into the card of the tier's pair model. The second prints the
AUC on the pairs, precision and recall at the threshold, and the share of accepted pairs of each kind, with 95%
intervals. Look at test once, at the end. The third does the same for the cosine of an encoder, with the threshold that
has the highest F1 on dev.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

import numpy as np

from litotes.data.benchmarks.same_answer import same_answer_pairs
from litotes.errors import InputError, LitotesError
from litotes.files import write_atomically
from litotes.guard import Guard
from litotes.guard.operating_point import OperatingPoint, fit
from litotes.guard.tiers import MODELS
from litotes.models.pair.card import CARD, find_pair_model
from litotes.stats import auc, interval, point, wilson
from scripts.guard_figure import COSINE, pair_scores


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tier")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument(
        "--fit", type=float, metavar="PRECISION", help="choose the threshold on dev, and write it into the card"
    )
    options = parser.parse_args()
    try:
        if options.fit is not None:
            print(write_threshold(options.tier, options.fit))
            return 0
        for line in report(options.tier, options.split):
            print(line)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def write_threshold(tier: str, precision: float) -> OperatingPoint:
    """Choose the threshold of a tier on dev, and write it into the card of its pair model."""
    folder = find_pair_model(MODELS.get(tier, tier))
    if folder is None:
        raise InputError(
            f"{tier} has no pair model, and --fit writes into the card of one; expected mini, base or a folder"
        )
    pairs = same_answer_pairs("dev")
    guard = Guard(tier, threshold=0.5, log=False, explain=False)
    scores = guard.scores([pair.new for pair in pairs], [pair.cached for pair in pairs])
    same = [pair.same for pair in pairs]
    point = fit(scores, same, precision=precision, tier=tier, source="same-answer dev", model=guard.model)
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    # A folder may be named in several ways, so the card does not say how the tier was called.
    card["guard"] = {name: value for name, value in asdict(point).items() if name != "tier"}
    write_atomically(folder / CARD, json.dumps(card, indent=2) + "\n")
    return point


def report(tier: str, split: str) -> list[str]:
    """Return the lines of the report."""
    pairs = same_answer_pairs(split)
    if tier.startswith(COSINE):
        scores, threshold = pair_scores(tier, pairs), best_threshold(tier)
    else:
        guard = Guard(tier, log=False, explain=False)
        threshold = guard.threshold
        scores = np.array(guard.scores([pair.new for pair in pairs], [pair.cached for pair in pairs]))
    same, accepted = [pair.same for pair in pairs], (scores >= threshold).tolist()
    area = auc([int(one) for one in same], scores.tolist())
    low, high = interval(area, len(pairs))
    right = sum(one and kept for one, kept in zip(same, accepted, strict=True))
    lines = [
        f"{tier} at {threshold:.4f} on {len(pairs)} pairs of same-answer {split}",
        f"AUC {100 * point(area, len(pairs)):.1f} ({100 * low:.1f} to {100 * high:.1f})",
        _share("precision", right, sum(accepted)),
        _share("recall", right, sum(same)),
    ]
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        kept = [one for one, pair in zip(accepted, pairs, strict=True) if pair.kind == kind]
        lines.append(_share(f"accepted, {kind}", sum(kept), len(kept)))
    return lines


def best_threshold(name: str) -> float:
    """Return the threshold of a cosine with the highest F1 on dev."""
    pairs = same_answer_pairs("dev")
    scores, same = pair_scores(name, pairs), np.array([pair.same for pair in pairs])

    def f1(threshold: float) -> float:
        kept = scores >= threshold
        return float(2 * (kept & same).sum() / (kept.sum() + same.sum()))

    return max(map(float, np.unique(scores)), key=f1)


def _share(name: str, found: int, total: int) -> str:
    if not total:
        return f"{name}: none of 0"
    low, high = wilson(found, total)
    return f"{name} {found / total:.3f} ({low:.3f} to {high:.3f}), {found} of {total}"


if __name__ == "__main__":
    raise SystemExit(main())
