"""Do two texts deserve the same answer? A guard for caches, memories and searches for duplicates."""

from __future__ import annotations

from litotes.guard.guard import Guard, GuardCounts, same_answer
from litotes.guard.operating_point import OperatingPoint, fit
from litotes.guard.tiers import Tier
from litotes.guard.verdict import REASONS, Verdict

__all__ = ["REASONS", "Guard", "GuardCounts", "OperatingPoint", "Tier", "Verdict", "fit", "same_answer"]
