"""Public data sets from their files: one small module each, with its home and `load(folder, split)` → our types."""

from litotes.data.sets.halves import HALVES, half

__all__ = ["HALVES", "half"]
