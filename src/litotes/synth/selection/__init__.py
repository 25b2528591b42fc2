"""Which anchors are taken: each text once, none of a benchmark, and rare kinds by weight."""
