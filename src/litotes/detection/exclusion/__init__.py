"""Find what a query excludes: "… other than Y", "Apart from Y, what …", "… but don't mention Y", "jaguar -car".

A negation that *describes* what is wanted ("countries without a coastline", "dogs that don't shed") is no exclusion:
it asks for documents that say so. An exclusion asks for documents about something else.
"""

from litotes.detection.exclusion.parts import parted, together
from litotes.detection.exclusion.splitter import LONGEST, has_cue_word, linear_splitter, split_query, split_query_all
from litotes.detection.exclusion.syntax import operators

__all__ = [
    "LONGEST",
    "has_cue_word",
    "linear_splitter",
    "operators",
    "parted",
    "split_query",
    "split_query_all",
    "together",
]
