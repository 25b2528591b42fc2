"""What a user does in one step: train and measure, sweep, blend, synthesise, bench, check, report.

The command line and the public functions `litotes.train`, `litotes.bench`, `litotes.synth`, `litotes.check` and
`litotes.report` are thin faces over this package.
"""

from litotes.workflows.benchmarking import Benchmarks, ModelOptions, bench
from litotes.workflows.blending import Blend, Blends, average, blend
from litotes.workflows.checking import check
from litotes.workflows.dial_fitting import DialFit, fit_dial
from litotes.workflows.language_model import LanguageModelOptions
from litotes.workflows.progress import Progress, Step
from litotes.workflows.reporting import WrittenReport, report
from litotes.workflows.sweeps import Sweep, sweep
from litotes.workflows.synthesising import Synthesis, estimate_cost, merge_shards, synth
from litotes.workflows.training import TrainingOptions, TrainingRun, train

__all__ = [
    "Benchmarks",
    "Blend",
    "Blends",
    "DialFit",
    "LanguageModelOptions",
    "ModelOptions",
    "Progress",
    "Step",
    "Sweep",
    "Synthesis",
    "TrainingOptions",
    "TrainingRun",
    "WrittenReport",
    "average",
    "bench",
    "blend",
    "check",
    "estimate_cost",
    "fit_dial",
    "merge_shards",
    "report",
    "sweep",
    "synth",
    "train",
]
