"""From anchors to training data: sources, generators, filters, writers."""

from litotes.synth.run import Config, synthesise
from litotes.synth.sources import Anchor, read

__all__ = ["Anchor", "Config", "read", "synthesise"]
