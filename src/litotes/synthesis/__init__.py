"""Make training data from anchors: sources, generators, filters, writers."""

from litotes.synthesis.blocks import Generators, planned_requests
from litotes.synthesis.config import SynthesisConfig
from litotes.synthesis.merging import merge_shards
from litotes.synthesis.result import SynthesisProgress, SynthesisResult
from litotes.synthesis.run import synthesise, synthesise_on_ray
from litotes.synthesis.sources import Anchor, read

__all__ = [
    "Anchor",
    "Generators",
    "SynthesisConfig",
    "SynthesisProgress",
    "SynthesisResult",
    "merge_shards",
    "planned_requests",
    "read",
    "synthesise",
    "synthesise_on_ray",
]
