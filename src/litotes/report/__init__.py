"""Results → plots."""

from litotes.report.plots import bars, check_path, histograms, matrix

__all__ = ["bars", "check_path", "histograms", "matrix"]
