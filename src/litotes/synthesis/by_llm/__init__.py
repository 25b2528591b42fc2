"""Training data made by a language model."""
