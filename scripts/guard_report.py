"""Measure a tier of the guard at its shipped threshold: python -m scripts.guard_report TIER --split test

It prints the AUC on the pairs of same-answer, precision and recall at the threshold, and the share of accepted pairs of
each kind, with 95% intervals. The threshold was chosen on the split dev; look at test once, at the end.
"""

from __future__ import annotations

import argparse
import sys

from litotes.data.benchmarks.same_answer import same_answer_pairs
from litotes.errors import LitotesError
from litotes.guard import Guard
from litotes.stats import auc, interval, point, wilson


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tier")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    options = parser.parse_args()
    try:
        for line in report(options.tier, options.split):
            print(line)
    except LitotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def report(tier: str, split: str) -> list[str]:
    """Return the lines of the report."""
    pairs = same_answer_pairs(split)
    guard = Guard(tier, log=False, explain=False)
    verdicts = guard.judge_all([pair.new for pair in pairs], [pair.cached for pair in pairs])
    same, accepted = [pair.same for pair in pairs], [verdict.same for verdict in verdicts]
    area = auc([int(one) for one in same], [verdict.score for verdict in verdicts])
    low, high = interval(area, len(pairs))
    right = sum(one and kept for one, kept in zip(same, accepted, strict=True))
    lines = [
        f"{guard!r} on {len(pairs)} pairs of same-answer {split}",
        f"AUC {100 * point(area, len(pairs)):.1f} ({100 * low:.1f} to {100 * high:.1f})",
        _share("precision", right, sum(accepted)),
        _share("recall", right, sum(same)),
    ]
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        kept = [one for one, pair in zip(accepted, pairs, strict=True) if pair.kind == kind]
        lines.append(_share(f"accepted, {kind}", sum(kept), len(kept)))
    return lines


def _share(name: str, found: int, total: int) -> str:
    if not total:
        return f"{name}: none of 0"
    low, high = wilson(found, total)
    return f"{name} {found / total:.3f} ({low:.3f} to {high:.3f}), {found} of {total}"


if __name__ == "__main__":
    raise SystemExit(main())
