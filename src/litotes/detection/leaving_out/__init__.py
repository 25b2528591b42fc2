"""What a query asks to leave out: "… other than Y", "Apart from Y, what …", "… but don't mention Y", "jaguar -car".

A negation that *describes* what is wanted ("countries without a coastline", "dogs that don't shed") is none of these:
it asks for documents that say so. An exclusion asks for documents that are about something else.
"""

from litotes.detection.leaving_out.split import exclusion, exclusions

__all__ = ["exclusion", "exclusions"]
