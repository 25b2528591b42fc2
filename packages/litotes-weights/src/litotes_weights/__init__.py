"""The trained weights of litotes: one folder per model, named after the model. litotes checks their hashes."""

__version__ = "0.1.0"
