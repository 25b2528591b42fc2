"""Data sets: files in, our types out."""

from litotes.data.contrasts import read_contrasts, taxonomy_benchmark

__all__ = ["read_contrasts", "taxonomy_benchmark"]
