"""Which anchors are used."""
