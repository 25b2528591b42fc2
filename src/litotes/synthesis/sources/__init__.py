"""The sources of anchors: files, folders, standard input, the Hugging Face hub, Wikipedia, and the built-in seeds."""

from litotes.synthesis.sources.anchor import Anchor
from litotes.synthesis.sources.reading import WIKIPEDIA, default_sources, pinned, read

__all__ = ["WIKIPEDIA", "Anchor", "default_sources", "pinned", "read"]
