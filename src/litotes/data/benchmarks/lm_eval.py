"""Tasks of lm-evaluation-harness: the library loads their data from its hub."""

from __future__ import annotations

from litotes.data.records import GENERAL, Benchmark

PREFIX = "lm-eval:"
GENERAL_TASKS = ("mmlu@5", "hellaswag", "gsm8k")
"""HedgeTriple's three, with the shots that its Table 3 prints: the harness's own number for all but MMLU, which has
none."""

BENCHMARKS = (
    Benchmark("lm-eval:NAME", "harness", "a task of lm-eval, or FOLDER/TASK.yaml", "main_score", ability=GENERAL),
    *(
        Benchmark(f"{PREFIX}{name}", "harness", "by lm-eval", "main_score", suites=("llm-general",), ability=GENERAL)
        for name in GENERAL_TASKS
    ),
)
