"""Find what a query excludes: "… other than Y", "Apart from Y, what …", "… but don't mention Y", "jaguar -car".

A negation that *describes* what is wanted ("countries without a coastline", "dogs that don't shed") is no exclusion:
it asks for documents that say so. An exclusion asks for documents about something else.
"""

from litotes.detection.exclusion.splitter import split_query, split_query_all

__all__ = ["split_query", "split_query_all"]
