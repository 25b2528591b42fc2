"""Training data made by rules."""
