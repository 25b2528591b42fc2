"""The weights of all-MiniLM-L6-v2 in 20 bits, for litotes without torch, and its tokenizer."""

__version__ = "0.1.0"
