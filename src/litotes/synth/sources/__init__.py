"""Where anchors come from: files, folders, standard input, the hub, Wikipedia, our own seeds."""

from litotes.synth.sources.anchor import Anchor
from litotes.synth.sources.files import WIKIPEDIA, default_sources, pinned, read

__all__ = ["WIKIPEDIA", "Anchor", "default_sources", "pinned", "read"]
