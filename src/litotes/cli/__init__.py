"""The shell face: each command parses, calls one function, prints."""

from litotes.cli.app import main

__all__ = ["main"]
