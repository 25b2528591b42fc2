"""Pair models: a small adapter on a public encoder that reads two texts together."""
