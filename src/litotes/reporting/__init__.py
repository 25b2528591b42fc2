"""Turn results into tables, plots and one HTML page."""

from litotes.reporting.page import Report, report
from litotes.reporting.plots import bars, check_plot_path, confusion_matrix, histograms

__all__ = ["Report", "bars", "check_plot_path", "confusion_matrix", "histograms", "report"]
