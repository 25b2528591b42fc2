"""Data sets: files in, our types out."""

from litotes.data.contrasts import open_contrasts, read_contrasts, taxonomy_benchmark

__all__ = ["open_contrasts", "read_contrasts", "taxonomy_benchmark"]
