"""Data sets and result files: files in, our types out."""

from litotes.data.benchmarks.taxonomy import open_contrasts, taxonomy_benchmark
from litotes.data.contrast_files import read_contrasts

__all__ = ["open_contrasts", "read_contrasts", "taxonomy_benchmark"]
