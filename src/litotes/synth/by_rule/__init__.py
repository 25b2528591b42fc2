"""Generation by the rewriter's rules: triples and their mirrors, contrasts and their queries, exclusions."""
