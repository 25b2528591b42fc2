"""The guard: verdicts on pairs of texts at an operating point, with counters and a log of what it rejected."""

from __future__ import annotations

import json
import logging
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from numbers import Real
from pathlib import Path
from threading import Lock
from typing import Any, cast

import numpy as np

from litotes.detection.answer_words import without_answer_words
from litotes.detection.language import non_english_text_reason
from litotes.errors import InputError
from litotes.guard.deciding_words import deciding_words
from litotes.guard.normalising import agree
from litotes.guard.operating_point import OperatingPoint, read_operating_point
from litotes.guard.tiers import Tier, best_tier, load_tier
from litotes.guard.verdict import ERROR, Verdict
from litotes.models.pair.heads import SAME

ON_ERROR = ("reject", "accept", "raise")
_log = logging.getLogger("litotes.guard")


@dataclass(frozen=True, slots=True)
class GuardCounts:
    """What a guard has judged since it was made."""

    calls: int
    """pairs"""
    accepted: int
    rejected: dict[str, int]
    """pairs by reason"""
    errors: int
    """pairs that could not be judged; they are among the accepted or the rejected, as `on_error` says"""


class Guard:
    """Say whether the answer to one text also answers another.

    `tier` is "rules", "mini" or "base", the folder of a pair model, or an object with the methods of
    `litotes.guard.Tier`; the default is the best that is installed.
    `threshold` is a score from 0 to 1 or a file of `litotes guard fit`; the default is the one in the model's card,
    which was chosen for precision. `on_error` decides about a pair that cannot be judged (not English, empty, too long,
    or the model fails): "reject", "accept" or "raise". With `log`, rejected pairs are logged with their texts, at the
    level INFO of the logger "litotes.guard", or appended to a file of JSON lines if it is a path. With `explain=False`,
    verdicts name no words, which saves time.

    A guard is thread-safe.
    """

    def __init__(
        self,
        tier: str | Path | Tier | None = None,
        *,
        threshold: float | str | Path | None = None,
        on_error: str = "reject",
        log: bool | str | Path = True,
        explain: bool = True,
        device: str | None = None,
    ) -> None:
        if on_error not in ON_ERROR:
            raise InputError(f"on_error is {on_error!r}; expected {', '.join(ON_ERROR)}")
        self._on_error, self._explain = on_error, explain
        self._log = _log_file(log)
        if isinstance(tier, str | Path) or tier is None:
            tier = load_tier(None if tier is None else str(tier), device=device)
        self._tier: Tier = _checked(tier)
        self._point: OperatingPoint | None = None
        self.threshold = self._chosen(threshold)
        self._lock, self._counts, self._errors = Lock(), Counter[str](), 0

    def __repr__(self) -> str:
        return f"<Guard {self.tier}, threshold {self.threshold:.4f}>"

    @property
    def tier(self) -> str:
        """The name of the tier."""
        return self._tier.name

    @property
    def model(self) -> str:
        """The fingerprint of the tier's weights, or ""."""
        return self._tier.model

    @property
    def operating_point(self) -> OperatingPoint | None:
        """The threshold with its measured precision and recall; None if the threshold was given as a number."""
        return self._point

    @property
    def counts(self) -> GuardCounts:
        """What was judged so far."""
        with self._lock:
            rejected = {reason: count for reason, count in sorted(self._counts.items()) if reason}
            accepted = self._counts[""]
            return GuardCounts(accepted + sum(rejected.values()), accepted, rejected, self._errors)

    def judge(self, new: str, cached: str) -> Verdict:
        """Return the verdict on a new text and one whose answer is known."""
        return self.judge_all([new], [cached])[0]

    def judge_all(self, new: Sequence[str], cached: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each new text and the cached one at the same position, read in common batches."""
        verdicts = self._judged(new, cached)
        self._record(verdicts)
        return verdicts

    def first(self, new: str, cached: Sequence[str]) -> tuple[int, Verdict] | None:
        """Return the index and the verdict of the first cached text with the same answer; None if there is none.

        Give the candidates of a cache in its order, nearest first. All are judged together, and counted.
        """
        verdicts = self.judge_all([new] * len(cached), cached)
        return next(((place, verdict) for place, verdict in enumerate(verdicts) if verdict.same), None)

    def scores(self, new: Sequence[str], cached: Sequence[str]) -> list[float]:
        """Return only the scores, uncounted. Pairs that cannot be judged have the score 0."""
        return [verdict.score for verdict in self._judged(new, cached)]

    def verdicts(self, new: Sequence[str], cached: Sequence[str]) -> list[Verdict]:
        """Return verdicts that are neither counted nor logged, for measurements."""
        return self._judged(new, cached)

    def _judged(self, new: Sequence[str], cached: Sequence[str]) -> list[Verdict]:
        for name, texts in (("new", new), ("cached", cached)):
            if isinstance(texts, str) or not isinstance(texts, Sequence):
                kind = type(texts).__name__
                raise InputError(f"{name} is {kind}; expected a list of texts. `judge` takes two texts")
        if len(new) != len(cached):
            raise InputError(f"{len(new)} new and {len(cached)} cached texts; expected as many of both")
        pairs = list(zip(new, cached, strict=True))
        found: list[Verdict | None] = [self._without_model(one, other) for one, other in pairs]
        left = [number for number, verdict in enumerate(found) if verdict is None]
        for number, verdict in zip(left, self._read([pairs[number] for number in left]), strict=True):
            found[number] = verdict
        return [verdict for verdict in found if verdict is not None]

    def _chosen(self, threshold: float | str | Path | None) -> float:
        if isinstance(threshold, str | Path):
            self._point = read_operating_point(threshold)
            # A folder may be named in several ways, so the weights count, if there are any.
            if (self._point.model or self._point.tier) != (self.model or self.tier):
                raise InputError(
                    f"the threshold in {threshold} was fitted to the tier {self._point.tier} with the weights "
                    f"{self._point.model[:12] or '(none)'}; this guard has {self.tier} with "
                    f"{self._tier.model[:12] or '(none)'}. Fit it again: litotes guard fit PAIRS --tier {self.tier}"
                )
            return self._point.threshold
        if threshold is None:
            self._point = self._tier.operating_point
            return self._point.threshold
        if isinstance(threshold, bool) or not isinstance(threshold, Real) or not 0 <= threshold <= 1:
            raise InputError(f"threshold is {threshold!r}; expected a number from 0 to 1 or a file")
        return float(threshold)

    def _without_model(self, new: str, cached: str) -> Verdict | None:
        """Judge a pair that needs no model: bad input, or texts that agree after normalising."""
        reason = ""
        for name, text in (("new", new), ("cached", cached)):
            if not isinstance(text, str):
                raise InputError(f"the {name} text is {text!r}; expected a text")
            empty = "" if text.strip() else f"the {name} text is empty"
            reason = reason or empty
        if not reason and agree(*without_answer_words(new, cached)):
            return Verdict(new, cached, same=True, score=1.0, reason=SAME)
        reason = reason or non_english_text_reason(new) or non_english_text_reason(cached)
        try:
            reason = reason or self._tier.refusal(new, cached)
        except Exception as error:  # the user decides what a failing tier means
            return self._failed(new, cached, f"{type(error).__name__}: {error}", error)
        return self._failed(new, cached, reason) if reason else None

    def _failed(self, new: str, cached: str, reason: str, cause: Exception | None = None) -> Verdict:
        if self._on_error == "raise":
            raise InputError(f"{reason}: {new[:60]!r}, {cached[:60]!r}") from cause
        return Verdict(new, cached, same=self._on_error == "accept", score=0.0, reason=ERROR, error=reason)

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """Judge pairs with the tier."""
        if not pairs:
            return []
        try:
            bare = [without_answer_words(*pair) for pair in pairs]
            rows = np.asarray(self._tier.probabilities([new for new, _ in bare], [cached for _, cached in bare]))
            if rows.shape != (len(pairs), len(self._tier.labels)):
                raise ValueError(f"the tier returned an array of shape {rows.shape}")
        except Exception as error:  # the user decides what a failing tier means
            return [self._failed(*pair, f"{type(error).__name__}: {error}", error) for pair in pairs]
        return [self._verdict(new, cached, row) for (new, cached), row in zip(pairs, rows, strict=True)]

    def _verdict(self, new: str, cached: str, row: np.ndarray) -> Verdict:
        found = dict(zip(self._tier.labels, row.tolist(), strict=True))
        score = found.pop(SAME)
        if not math.isfinite(score):
            return self._failed(new, cached, f"the score is {score}")
        same = score >= self.threshold
        reason = SAME if same else max(found, key=lambda name: found[name])
        verdict = Verdict(new, cached, same=same, score=score, reason=reason)
        if same or not self._explain:
            return verdict
        return replace(verdict, words=deciding_words(new, cached, reason))

    def _record(self, verdicts: Iterable[Verdict]) -> None:
        """Count verdicts, and log those that reject."""
        rejected = []
        with self._lock:
            for verdict in verdicts:
                self._counts["" if verdict.same else verdict.reason] += 1
                self._errors += bool(verdict.error)
                rejected += [] if verdict.same else [verdict]
            if isinstance(self._log, Path) and rejected:
                self._write(rejected, self._log)
        if self._log is True:
            for verdict in rejected:
                _log.info("%s | %r | %r", verdict, verdict.new, verdict.cached)

    def _write(self, rejected: Sequence[Verdict], path: Path) -> None:
        """Append verdicts to the file of rejected pairs. A full disk must not lose a verdict."""
        lines = "".join(json.dumps(one.line(), ensure_ascii=False) + "\n" for one in rejected)
        try:
            with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(lines)
        except OSError as error:
            _log.warning("rejected pairs could not be written to %s: %s", path, error)


def _checked(tier: Any) -> Tier:
    """Return a tier; refuse an object that lacks what a guard needs."""
    parts = ("name", "labels", "model", "probabilities", "refusal")
    missing = [part for part in parts if not hasattr(tier, part)]
    if missing:
        raise InputError(
            f"tier is {tier!r}; expected a name, a folder, or an object that also has {', '.join(missing)}"
        )
    if SAME not in tier.labels:
        raise InputError(f"the labels of the tier {tier.name} are {list(tier.labels)}; expected {SAME!r} among them")
    return cast("Tier", tier)


def _log_file(log: bool | str | Path) -> bool | Path:
    """Return whether rejected pairs are logged, or the file for them; refuse one that cannot be written."""
    if isinstance(log, bool):
        return log
    if not isinstance(log, str | Path) or not str(log) or Path(log).is_dir() or not Path(log).parent.is_dir():
        raise InputError(f"log is {log!r}; expected True, False, or a file in an existing folder")
    return Path(log)


_loading = Lock()


@lru_cache(maxsize=4)
def _guard(tier: str) -> Guard:
    return Guard(tier)


def same_answer(new: str, cached: str, *, tier: str | None = None) -> Verdict:
    """Return whether the answer to `cached` also answers `new`, and why.

    A tier is loaded once; the default is the best that is installed. For many pairs, other thresholds and other ways to
    handle errors, use `Guard`.
    """
    with _loading:
        guard = _guard(tier or best_tier())
    return guard.judge(new, cached)
