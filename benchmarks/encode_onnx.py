"""Compare litotes-mini on onnxruntime with litotes-mini on torch: vectors, speed, and the first encode of a process.

python benchmarks/encode_onnx.py vectors --data DIR [--texts 1000]
python benchmarks/encode_onnx.py speed [--texts 200] [--rounds 5]
python benchmarks/encode_onnx.py start [--runs 5]

`vectors` encodes real texts: documents of SciFact and Cranfield, contrasts of NevIR, sentences of STS-B. `speed`
encodes passages and queries of general-mini in turns within one process, on two cores, and prints the ratio of the best
times. `start` prints the median CPU seconds (user and system) of fresh processes that load the model and encode a text.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

CORES = 2
PLACES = (("scifact", 0.3), ("cranfield", 0.2), ("nevir", 0.25), ("stsb", 0.25))
"""data set → its share of the texts"""
FIRST_ENCODE = "import litotes; litotes.load('litotes-mini', backend={!r}).encode('The bridge is not open.')"


def real_texts(folder: Path, count: int) -> list[str]:
    """Return distinct texts of the public data sets."""
    from litotes.data import beir
    from litotes.data.benchmarks import nevir, stsb

    pairs = nevir.load(folder / "nevir")
    found: dict[str, list[str]] = {
        "scifact": [passage.text for passage in beir.load(folder / "scifact", "dev").passages],
        "cranfield": [passage.text for passage in beir.load(folder / "cranfield").passages],
        "nevir": [text for one in pairs for text in (one.q1, one.q2, one.doc1, one.doc2) if text],
        "stsb": [text for pair in stsb.load(folder / "stsb") for text in (pair.first, pair.second)],
    }
    texts: list[str] = []
    for name, share in PLACES:
        texts += list(dict.fromkeys(found[name]))[: round(count * share)]
    return texts


def vectors(folder: Path, count: int) -> dict[str, Any]:
    """Compare vectors of documents and of queries at another dial."""
    from litotes.models.onnx.encoder import onnx_vectors
    from litotes.query import load

    texts = real_texts(folder, count)
    torch_model, graph = load(device="cpu", backend="torch"), load(backend="onnx")
    expected, found = np.asarray(torch_model.encode(texts)), graph.encode(texts)
    queries = [np.asarray(one.encode_query(texts[-100:], dial=0.4, exclude=False)) for one in (torch_model, graph)]
    cosines = (onnx_vectors("litotes-mini", int8=True).vectors(texts) * found).sum(axis=1)
    return {
        "texts": len(texts),
        "largest difference from torch": float(np.abs(found - expected).max()),
        "largest difference of queries at dial 0.4": float(np.abs(queries[0] - queries[1]).max()),
        "int8, mean cosine with fp32": round(float(cosines.mean()), 4),
        "int8, lowest cosine with fp32": round(float(cosines.min()), 4),
    }


def speed(count: int, rounds: int) -> dict[str, Any]:
    """Return the best seconds of each, and torch's divided by them."""
    import torch

    from litotes.data.benchmarks.general_mini import general_retrieval
    from litotes.models.onnx.encoder import OnnxVectors
    from litotes.models.onnx.making_once import made
    from litotes.query import load

    torch.set_num_threads(CORES)
    collection = general_retrieval()
    plain = load(device="cpu", backend="torch")
    graphs = {name: OnnxVectors(made("litotes-mini", int8=name == "int8"), threads=CORES) for name in ("fp32", "int8")}
    found: dict[str, Any] = {}
    for kind, items in (("passages", collection.passages), ("queries", collection.queries)):
        texts = [item.text for item in items][:count]
        tasks: dict[str, Callable[[], Any]] = {"torch": partial(plain.encode, texts)}
        for name, graph in graphs.items():
            tasks[name] = partial(graph.vectors, texts)
        best = best_seconds(tasks, rounds)
        ratios = {f"torch / {name}": round(best["torch"] / best[name], 2) for name in graphs}
        found[kind] = {"texts": len(texts), **{name: round(value, 3) for name, value in best.items()}, **ratios}
    return found


def best_seconds(tasks: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Run the tasks in turns, once more than `rounds`; leave the first round out."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            seconds[name].append(time.perf_counter() - start)
    return {name: min(times[1:]) for name, times in seconds.items()}


def start(runs: int) -> dict[str, Any]:
    """Compare the CPU seconds of fresh processes. The graph was made before, as on a user's machine."""
    seconds: dict[str, list[float]] = {"torch": [], "onnx": []}
    for _ in range(runs + 1):
        for backend, times in seconds.items():
            times.append(cpu_seconds(FIRST_ENCODE.format(backend)))
    medians = {backend: statistics.median(times[1:]) for backend, times in seconds.items()}
    rounded = {f"{backend}_cpu_s": round(value, 2) for backend, value in medians.items()}
    return {"runs": runs, **rounded, "onnx_over_torch": round(medians["onnx"] / medians["torch"], 3)}


def cpu_seconds(code: str) -> float:
    """Return the user and system seconds of one child process."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"the process exited with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("vectors")
    one.add_argument("--data", type=Path, required=True)
    one.add_argument("--texts", type=int, default=1000)
    two = commands.add_parser("speed")
    two.add_argument("--texts", type=int, default=200)
    two.add_argument("--rounds", type=int, default=5)
    commands.add_parser("start").add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if options.command == "vectors":
        found = vectors(options.data, options.texts)
    else:
        found = speed(options.texts, options.rounds) if options.command == "speed" else start(options.runs)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
