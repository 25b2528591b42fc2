"""The papers' own figures: facts carried over, each with the paper it stands in, never measured here."""

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
FILE = "published.tsv"


@dataclass(frozen=True, slots=True)
class Published:
    """One printed figure; shares and correlations times 100, ratios as they are, as in results.json."""

    paper: str
    system: str
    size: str
    task: str
    split: str
    """"" where the paper does not divide its data"""
    slice: str
    measure: str
    value: float

    @property
    def name(self) -> str:
        """The system and the paper that measured it: two papers may print two figures of one system."""
        return f"{self.system} ({self.paper})"


@cache
def published() -> tuple[Published, ...]:
    """Every figure of the shipped table, in its order."""
    text = files("litotes.report").joinpath(FILE).read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(Published(**{**row, "value": float(row["value"])}) for row in rows)  # type: ignore[arg-type]
