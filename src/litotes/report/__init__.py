"""Results → tables, plots, one page."""

from litotes.report.page import Report, report
from litotes.report.plots import bars, check_path, histograms, matrix

__all__ = ["Report", "bars", "check_path", "histograms", "matrix", "report"]
