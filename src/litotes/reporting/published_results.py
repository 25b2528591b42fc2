"""The results that papers print, each with its paper. They are copied, not measured by us."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

PAPERS = {
    "HedgeTriple": "Learning Robust Negation Text Representations",
    "NevIR": "NevIR: Negation in Neural Information Retrieval (Weller, Lawrie and Van Durme)",
    "CANNOT": "This is not correct! Negation-aware Evaluation of Language Generation Systems "
    "(Anschütz, Miguel Lozano and Groh)",
    "taxonomy": "A Comprehensive Taxonomy of Negation for NLP and Neural Retrievers "
    "(Petcu, Bhargav, de Rijke and Kanoulas)",
}
FILE = "published_results.tsv"


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A printed value, on the scale of results.json: shares and correlations times 100, ratios unchanged."""

    paper: str
    system: str
    size: str
    task: str
    split: str
    """Empty if the paper does not split the data."""
    slice: str
    measure: str
    value: float

    @property
    def name(self) -> str:
        """The system and its paper, since two papers may print different values for one system."""
        return f"{self.system} ({self.paper})"


@cache
def read_published_results() -> tuple[PublishedResult, ...]:
    """Return all rows of the shipped table, in its order."""
    text = files("litotes.reporting").joinpath(FILE).read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(PublishedResult(**{**row, "value": float(row["value"])}) for row in rows)  # type: ignore[arg-type]
