"""The command line. Each command parses its arguments, calls one function and prints."""

from litotes.cli.app import main

__all__ = ["main"]
