"""The trained weights of litotes for all-MiniLM-L6-v2: one folder per model, named after the model."""

__version__ = "0.1.0"
