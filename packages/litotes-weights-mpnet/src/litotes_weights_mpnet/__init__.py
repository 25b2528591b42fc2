"""The trained weights of litotes that need all-mpnet-base-v2: one folder per model, named after the model."""

__version__ = "0.1.0"
