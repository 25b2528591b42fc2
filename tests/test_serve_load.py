"""Many clients at once: no request is lost, none gets another's vector, and SIGTERM loses none that was accepted.

`make soak` runs the long form: LITOTES_SERVE_REQUESTS=2000.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import litotes

REQUESTS = int(os.environ.get("LITOTES_SERVE_REQUESTS", "192"))
CLIENTS = 64
BAD_SHARE = 0.05
SUBJECTS = ("drug", "bridge", "shop", "soup", "door", "contract", "train", "lamp")
STATES = ("safe", "open", "cheap", "hot", "closed", "valid", "late", "broken")
TEXTS = [f"The {subject} is {'not ' * no}{state}." for subject in SUBJECTS for state in STATES for no in (0, 1)]
MEGABYTE = 1_000_000
BAD: list[tuple[bytes, int]] = [
    (b"{", 400),
    (b'{"input": [1]}', 400),
    (b'{"input": "\xff"}', 400),
    (b'{"input": "a", "model": "b"}', 404),
    (b'{"input": "a", "input_type": "query", "dial": 3}', 422),
    (b" " * 2_100_000, 413),
]


class Process:
    """`litotes serve` as a process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self.url = ""

    def start(self) -> None:
        """Wait until the models are loaded."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            found = re.search(r"listening on (\S+)", line)
            self.url = found[1] if found else self.url
            if "serving" in line:
                break
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.lines += self.process.stderr

    def stop(self) -> str:
        """Send SIGTERM, and return what the server said once it has ended."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(120)
        self._reader.join(10)
        return "".join(self.lines)


@contextmanager
def process(*options: str) -> Iterator[Process]:
    command = [sys.executable, "-m", "litotes", "serve", "--port", "0", *options]
    running = Process(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
    try:
        running.start()
        assert running.url, "".join(running.lines)
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()


def requests(count: int, seed: int = 0) -> list[tuple[str, Any, int]]:
    """Mixed requests with the status of their answers: one text, several, queries, reranking, verdicts, bad ones."""
    draw = random.Random(seed)
    rows: list[tuple[str, Any, int]] = []
    for number in range(count):
        if number < round(count * BAD_SHARE):
            body, status = BAD[number % len(BAD)]
            rows.append(("/v1/embeddings", body, status))
            continue
        kind = draw.choices(["one", "many", "query", "rerank", "guard"], [60, 10, 20, 5, 5])[0]
        texts = draw.sample(TEXTS, 4)
        bodies: dict[str, tuple[str, Any]] = {
            "one": ("/v1/embeddings", {"input": texts[0]}),
            "many": ("/v1/embeddings", {"input": texts}),
            "query": ("/v1/embeddings", {"input": texts[0], "input_type": "query", "dial": 0}),
            "rerank": ("/rerank", {"query": texts[0], "texts": texts[1:]}),
            "guard": ("/guard", {"new": texts[0], "cached": texts[0]}),
        }
        rows.append((*bodies[kind], 200))
    draw.shuffle(rows)
    return rows


class Load:
    """Sends requests from many clients, and checks each answer by its content."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.counts: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.answered = asyncio.Event()
        """set with the first answer"""
        model = litotes.load("litotes-mini", device="cpu")
        rows = (model.encode_document(TEXTS), model.encode_query(TEXTS, dial=0))
        self._documents, self._queries = (dict(zip(TEXTS, found, strict=True)) for found in rows)

    async def send(self, rows: list[tuple[str, Any, int]]) -> None:
        waiting = iter(rows)
        await asyncio.gather(*(self._client(waiting) for _ in range(CLIENTS)))

    async def _client(self, waiting: Iterator[tuple[str, Any, int]]) -> None:
        loop = asyncio.get_running_loop()
        async with httpx.AsyncClient(base_url=self.url, timeout=300) as client:
            for path, body, status in waiting:
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                began = loop.time()
                try:
                    answer = await client.post(path, content=content)
                except httpx.TransportError:
                    self.counts["not accepted"] += 1
                    return
                self.seconds.append(loop.time() - began)
                self.counts["accepted"] += 1
                self.answered.set()
                good = answer.status_code == status and (status != 200 or self._is_own(path, body, answer.json()))
                self.counts["right" if good else f"wrong: {path} {answer.status_code}"] += 1

    def _is_own(self, path: str, body: Any, answer: Any) -> bool:
        if path == "/guard":
            return bool(answer["new"] == body["new"] and answer["same"])
        if path == "/rerank":
            return sorted(row["index"] for row in answer) == [0, 1, 2]
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        expected = self._queries if "dial" in body else self._documents
        rows = zip(texts, answer["data"], strict=True)
        return all(np.allclose(expected[text], row["embedding"], atol=1e-4) for text, row in rows)


def resident(process_id: int) -> int:
    """The memory of a process, in bytes."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])


@pytest.mark.slow
def test_no_request_is_lost_and_none_gets_the_vector_of_another(capsys: pytest.CaptureFixture[str]) -> None:
    with process("--preload") as server:
        load = Load(server.url)
        quarter = REQUESTS // 4
        asyncio.run(load.send(requests(quarter)))
        warm = resident(server.process.pid)
        for seed in (1, 2, 3):
            asyncio.run(load.send(requests(quarter, seed)))
        grown = resident(server.process.pid) - warm
        said = server.stop()
    assert server.process.returncode == 0, said
    total = 4 * quarter
    assert load.counts == {"accepted": total, "right": total}
    assert f"{total} requests were answered" in said
    # the same requests three times over: what is kept per request would show
    assert grown < 50 * MEGABYTE, grown
    with capsys.disabled():
        p50, p99 = np.percentile(load.seconds, [50, 99])
        times = f"p50 {p50:.2f} s, p99 {p99:.2f} s, memory {grown / MEGABYTE:+.0f} MB"
        sys.stdout.write(f"\n{total} requests from {CLIENTS} clients: {times}\n")


@pytest.mark.slow
def test_sigterm_in_the_midst_loses_no_accepted_request() -> None:
    with process() as server:
        load = Load(server.url)

        async def interrupted() -> None:
            sending = asyncio.create_task(load.send([row for row in requests(REQUESTS) if row[2] == 200]))
            await load.answered.wait()
            server.process.send_signal(signal.SIGTERM)
            await sending

        asyncio.run(interrupted())
        said = server.stop()
    assert server.process.returncode == 0, said
    assert load.counts["not accepted"] > 0, "the signal came after the last request"
    assert load.counts["right"] == load.counts["accepted"], load.counts
    # What the server accepted is what the clients have answers to.
    assert f"{load.counts['accepted']} requests were answered" in said


@pytest.mark.slow
def test_sigterm_while_the_models_are_loaded_ends_the_server() -> None:
    command = [sys.executable, "-m", "litotes", "serve", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    assert "listening on" in server.stderr.readline()
    server.terminate()
    said = server.stderr.read()
    assert server.wait(120) == 0, said
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_named() -> None:
    from litotes.serve.run import listen

    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(litotes.InputError, match=f"port {port}: Address already in use. Choose others with --host"):
            listen("127.0.0.1", port)
