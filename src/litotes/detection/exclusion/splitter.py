"""Split a query by its operators and the linear model, which need no torch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import as_file, files

from litotes.detection.exclusion.linear import LinearTagger
from litotes.detection.exclusion.parts import parted, together
from litotes.detection.exclusion.syntax import operators
from litotes.detection.exclusion.words import forms_of
from litotes.types import Exclusion

LONGEST = 2_000
"""The most characters of a query; a longer text is no query, and is kept whole."""


def split_query(query: str) -> Exclusion:
    """Split a query into what it asks for and what it excludes. A query that excludes nothing is kept whole."""
    if len(query) > LONGEST:
        return Exclusion(query, query)
    return parted(query, together(operators(query), linear_splitter().marks(query)))


def split_query_all(queries: Iterable[str]) -> Iterator[Exclusion]:
    """Split many queries: one result per query, in order, as a stream."""
    return map(split_query, queries)


def has_cue_word(query: str) -> bool:
    """Return whether a query has a word that often excludes something. Other queries need not be read."""
    cue_words = linear_splitter().cue_words
    forms = forms_of(query)
    # "non-alcoholic" begins with the cue word "non".
    return not cue_words.isdisjoint(forms) or any(form.partition("-")[0] in cue_words for form in forms if "-" in form)


@cache
def linear_splitter() -> LinearTagger:
    """Return the linear model that comes with the package."""
    with as_file(files("litotes.detection.exclusion").joinpath("linear.safetensors")) as path:
        return LinearTagger.load(path)
