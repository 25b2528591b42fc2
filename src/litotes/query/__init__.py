"""The query's side: what a query excludes is taken out of its vector; stored documents stay as they are."""

from litotes.query.excluding import BETA, Parts, encode, exclude, joined, parts_of

__all__ = ["BETA", "Parts", "encode", "exclude", "joined", "parts_of"]
