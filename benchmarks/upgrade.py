"""Measure upgrading a folder of Parquet files with Ray workers that are killed once and resume.

python benchmarks/upgrade.py --folder DIR [--rows 20000] [--files 20] [--workers 2]

The rows are short sentences of written:quadruples with vectors of all-MiniLM-L6-v2. They are made once, in DIR/old. The
first run kills itself with SIGKILL after two fifths of the rows, and the second one resumes. It prints a JSON object:

- `seconds` of both runs, with the start of Ray and of the workers, and the `rows` that each made;
- `rows per second and worker`, and `rows per CPU second` of a worker, both from the resumed run without its start. If
  the machine does other work, too, the second is the one to compare;
- `rows per second without the model`: reading, checking, scaling and writing, in one process;
- `worker MB`: the peak memory of a worker, with what it shares with the others;
- `bytes per row` of the files before and after.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

KILLED_AT = 0.4
WORKER = "ray::Map"
"""the beginning of the name of a worker's process"""


def short_texts(count: int) -> list[str]:
    """Return distinct sentences that come with litotes."""
    from litotes.data.written import written_file

    texts: dict[str, None] = {}
    with gzip.open(written_file("written:quadruples"), "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            texts |= dict.fromkeys(row[name] for name in ("a1", "a2", "b1", "b2"))
    if len(texts) < count:
        raise SystemExit(f"there are {len(texts)} texts; expected --rows of at most that")
    return list(texts)[:count]


def make(folder: Path, rows: int, files: int) -> None:
    """Write the vectors of the base."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from litotes.query import load

    folder.mkdir(parents=True, exist_ok=True)
    texts, base, size = short_texts(rows), load("minilm", device="cpu"), -(-rows // files)
    for number, start in enumerate(range(0, rows, size)):
        part = texts[start : start + size]
        flat = pa.array(base.encode(part).reshape(-1))
        vectors = pa.FixedSizeListArray.from_arrays(flat, base.get_embedding_dimension())
        ids = list(range(start, start + len(part)))
        pq.write_table(pa.table({"id": ids, "text": part, "vector": vectors}), folder / f"{number:04}.parquet")
        print(f"made {start + len(part)} rows", file=sys.stderr, flush=True)


def worker_processes() -> Iterator[tuple[str, float, float]]:
    """Yield the process, the CPU seconds and the peak megabytes of each worker that is running."""
    ticks = os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if not (folder / "cmdline").read_text(errors="replace").startswith(WORKER):
                continue
            # the fields after the name of the process, which is in brackets
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
            yield folder.name, (int(fields[11]) + int(fields[12])) / ticks, int(status["VmHWM"].split()[0]) / 1000
        except (OSError, KeyError):
            continue  # the process has ended


def run(old: Path, new: Path, workers: int, kill_at: int) -> None:
    """Upgrade, and write one line of figures per finished file; kill this process after `kill_at` rows if not 0."""
    from litotes.query import upgrade_parquet

    cpu: dict[str, float] = {}
    memory = 0.0
    for done in upgrade_parquet(old, new, model="litotes-mini", workers=workers):
        for process, seconds, peak in worker_processes():
            cpu[process], memory = seconds, max(memory, peak)
        line = {"rows": done, "time": time.time(), "cpu": sum(cpu.values()), "memory": memory}
        print(json.dumps(line), flush=True)
        print(f"{done:,} rows are finished", file=sys.stderr, flush=True)
        if kill_at and done >= kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def timed_run(arguments: argparse.Namespace, new: Path, kill_at: int) -> tuple[float, list[dict[str, float]]]:
    """Run this script again, and return the seconds and the lines that it wrote."""
    options = ["--run", str(new), "--workers", str(arguments.workers), "--kill-at", str(kill_at)]
    command = [sys.executable, __file__, "--folder", str(arguments.folder), *options]
    started = time.time()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != (-signal.SIGKILL if kill_at else 0):
        raise SystemExit(f"the run ended with {done.returncode}")
    return time.time() - started, [json.loads(line) for line in done.stdout.splitlines()]


class NoModel:
    """A polarity model that takes no time."""

    width = 128

    def encode(self, texts: Sequence[str], *, batch: int) -> Any:
        """Return rows that are all the same."""
        import numpy as np

        return np.ones((len(texts), self.width), dtype=np.float32)


def without_the_model(old: Path, new: Path) -> float:
    """Return the seconds of everything but encoding."""
    from litotes.query.parquet_files import Columns
    from litotes.query.upgrading import Upgrade
    from litotes.query.upgrading_folder import check_part, upgrade_part
    from litotes.query.upgrading_workers import Part

    model: Any = NoModel()
    how, columns = Upgrade(0.2, None, model, 32, None), Columns("text", "vector")
    started = time.perf_counter()
    for file in sorted(old.iterdir()):
        part = Part(file, new / file.name, 0)
        check_part(columns, None, 4096, part)
        upgrade_part(how, columns, 4096, "", part)
    seconds = time.perf_counter() - started
    shutil.rmtree(new)
    return seconds


def size(folder: Path) -> int:
    """Return the bytes of the Parquet files."""
    return sum(file.stat().st_size for file in folder.glob("*.parquet"))


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Make the rows if they are not there, upgrade them in two runs, and return the figures."""
    old, new = arguments.folder / "old", arguments.folder / "new"
    if new.exists():
        raise SystemExit(f"{new} exists; remove it first")
    if not old.exists():
        make(old, arguments.rows, arguments.files)
    (killed_after, killed), (resumed_for, resumed) = (
        timed_run(arguments, new, round(share * arguments.rows)) for share in (KILLED_AT, 0)
    )
    # Each worker has finished a file by then.
    start, end = resumed[arguments.workers - 1], resumed[-1]
    rows, steady = int(end["rows"]), end["rows"] - start["rows"]
    kept = int(resumed[0]["rows"]) - rows // arguments.files
    return {
        "seconds": [round(killed_after), round(resumed_for)],
        "rows": [kept, rows - kept],
        "rows per second and worker": round(steady / (end["time"] - start["time"]) / arguments.workers),
        "rows per CPU second": round(steady / (end["cpu"] - start["cpu"])),
        "rows per second without the model": round(rows / without_the_model(old, arguments.folder / "none")),
        "worker MB": round(max(line["memory"] for line in (*killed, *resumed))),
        "bytes per row": [round(size(folder) / rows) for folder in (old, new)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--kill-at", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run(arguments.folder / "old", arguments.run, arguments.workers, arguments.kill_at)
    else:
        print(json.dumps(measure(arguments)))


if __name__ == "__main__":
    main()
