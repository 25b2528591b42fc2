"""The query splitter: a model that marks what a query excludes (docs/labelling-queries.md)."""
