"""Measure the throughput of `litotes serve`: 32 clients that send one text at a time, relative to plain `encode`.

python benchmarks/serve.py [--model litotes-mini] [--backend onnx] [--texts 640] [--clients 32] [--rounds 5]

`encode` reads the same texts in this process, sorted by length, with torch (in batches of 32) and with onnxruntime.
The server is a process of its own, and the clients share this process, so that all share the machine's cores. Rounds
alternate. The ratios are those of the medians of texts per second, for passages (about 49 tokens) and for queries
(about 10), encoded as documents.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

HOST = "127.0.0.1"
SERVED = "served"


@contextmanager
def running_server(model: str, backend: str, port: int) -> Iterator[None]:
    command = [sys.executable, "-m", "litotes", "serve", "--model", model, "--port", str(port), "--backend", backend]
    process = subprocess.Popen(command)
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://{HOST}:{port}/health")
                break
            except OSError:
                if process.poll() is not None:
                    raise SystemExit("the server did not start") from None
                time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait()


async def ask(texts: Iterator[tuple[int, str]], model: str, port: int, found: dict[int, np.ndarray]) -> None:
    """Send texts one after the other on one connection, and decode the vectors."""
    reader, writer = await asyncio.open_connection(HOST, port)
    for number, text in texts:
        body = json.dumps({"model": model, "input": text, "encoding_format": "base64"}).encode()
        writer.write(b"POST /v1/embeddings HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        answer = json.loads(await reader.readexactly(length))
        found[number] = np.frombuffer(base64.b64decode(answer["data"][0]["embedding"]), dtype="<f4")
    writer.close()


async def served(texts: Sequence[str], model: str, port: int, clients: int) -> np.ndarray:
    found: dict[int, np.ndarray] = {}
    waiting = iter(enumerate(texts))
    await asyncio.gather(*(ask(waiting, model, port, found) for _ in range(clients)))
    return np.stack([found[number] for number in range(len(texts))])


def texts_of(kind: str, number: int) -> list[str]:
    """Return different texts: those of a second pass have another first word."""
    from litotes.data.benchmarks.general_mini import general_retrieval

    collection = general_retrieval()
    rows = collection.passages if kind == "passages" else collection.queries
    first = [row.text for row in rows]
    return [f"{'again ' * (at // len(first))}{first[at % len(first)]}" for at in range(number)]


def measure(encoders: Mapping[str, Any], texts: Sequence[str], arguments: argparse.Namespace) -> dict[str, Any]:
    speeds: dict[str, list[float]] = {name: [] for name in (*encoders, SERVED)}
    for _ in range(arguments.rounds + 1):
        found = []
        for name, encoder in encoders.items():
            started = time.perf_counter()
            found.append(encoder.encode_document(list(texts), batch_size=32, show_progress_bar=False))
            speeds[name].append(len(texts) / (time.perf_counter() - started))
        started = time.perf_counter()
        found.append(asyncio.run(served(texts, arguments.model, arguments.port, arguments.clients)))
        speeds[SERVED].append(len(texts) / (time.perf_counter() - started))
        if not all(np.allclose(vectors, found[0], atol=1e-4) for vectors in found):
            raise SystemExit("the server's vectors differ from those of encode")
    # The first round warms up.
    medians = {name: statistics.median(values[1:]) for name, values in speeds.items()}
    rounds = {
        name: [round(one / plain, 2) for one, plain in zip(speeds[SERVED][1:], speeds[name][1:], strict=True)]
        for name in encoders
    }
    return {
        "texts per second": {name: round(value, 1) for name, value in medians.items()},
        "ratios": {name: round(medians[SERVED] / medians[name], 2) for name in encoders},
        "ratios per round": rounds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="litotes-mini")
    parser.add_argument("--backend", choices=["onnx", "torch"], default="onnx", help="of the server")
    parser.add_argument("--texts", type=int, default=640)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--threads", type=int, default=2, help="of torch, here and in the server; onnxruntime uses all cores"
    )
    parser.add_argument("--port", type=int, default=8123)
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)  # read when torch is imported
    from litotes.query import load

    encoders = {
        "encode with torch": load(arguments.model, device="cpu"),
        "encode with onnxruntime": load(arguments.model, backend="onnx"),
    }
    with running_server(arguments.model, arguments.backend, arguments.port):
        kinds = ("passages", "queries")
        found = {kind: measure(encoders, texts_of(kind, arguments.texts), arguments) for kind in kinds}
    print(json.dumps({"threads": arguments.threads, "backend": arguments.backend, **found}))


if __name__ == "__main__":
    main()
