"""Results → plots."""

from litotes.report.plots import bars, histograms, matrix

__all__ = ["bars", "histograms", "matrix"]
