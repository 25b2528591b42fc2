"""Measure what torch adds to the start-up of a text command.

python benchmarks/startup.py [--runs 7]

Runs `litotes negate "The bridge is open." --plain` in fresh processes, in turns: as it is, and with torch,
transformers and sentence-transformers made impossible to import, as in an environment without them. Prints the median
CPU seconds (user and system) of both and their ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys

COMMAND = ["negate", "The bridge is open.", "--plain"]
WITHOUT_TORCH = """
import runpy
import sys

for library in ("torch", "transformers", "sentence_transformers"):
    sys.modules[library] = None
runpy.run_module("litotes", run_name="__main__", alter_sys=True)
"""


def cpu_seconds(arguments: list[str]) -> float:
    """Return the user and system seconds of one child process."""
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{arguments} exited with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=7, help="how often each of the two is run (default: 7)")
    runs = options.parse_args().runs
    variants = {"with_torch": ["-m", "litotes", *COMMAND], "without_torch": ["-c", WITHOUT_TORCH, *COMMAND]}
    for arguments in variants.values():
        cpu_seconds(arguments)  # the first run writes Python's byte code and fills the disk cache
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(runs):
        for name, arguments in variants.items():
            seconds[name].append(cpu_seconds(arguments))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    ratio = medians["with_torch"] / medians["without_torch"]
    rounded = {f"{name}_cpu_s": round(value, 2) for name, value in medians.items()}
    print(json.dumps({"runs": runs, **rounded, "with_over_without": round(ratio, 3)}, indent=2))


if __name__ == "__main__":
    main()
