"""From anchors to training data: sources, generators, filters, writers."""

from litotes.synth.blocks import Hands
from litotes.synth.config import Config
from litotes.synth.merging import merge
from litotes.synth.run import Progress, on_ray, synthesise
from litotes.synth.sources import Anchor, read

__all__ = ["Anchor", "Config", "Hands", "Progress", "merge", "on_ray", "read", "synthesise"]
