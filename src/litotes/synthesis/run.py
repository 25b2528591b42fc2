"""Run a synthesis: block by block in one process or several, or in shards on a Ray cluster.

An interrupted run resumes with the first block that is not finished. The output has the same bytes for any number of
workers, shards and machines.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from litotes.errors import InputError, LitotesError, require
from litotes.files import write_atomically
from litotes.parse import load_parser
from litotes.synthesis.blocks import Generators, blocks, process_block
from litotes.synthesis.config import SynthesisConfig
from litotes.synthesis.merging import merge_shards
from litotes.synthesis.result import SynthesisProgress, SynthesisResult
from litotes.synthesis.sources import Anchor

ANSWERS = "answers"
"""The folder of a language model's cached answers; it may exist before the run."""
TASKS_PER_WORKER = 140
"""A worker is replaced after this many tasks, because the parser remembers every word that it has seen."""
ProgressCallback = Callable[[SynthesisProgress], None]


def synthesise(
    config: SynthesisConfig,
    out: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    progress: ProgressCallback | None = None,
    generators: Generators | None = None,
) -> SynthesisResult:
    """Run a configuration and write the data and manifest.json to the folder `out`.

    One shard of several leaves its blocks in the folder, for `merge_shards`. `progress` is called after each block. The
    models in `generators` are used in this process only, so `workers` has no effect with them.
    """
    if config.fluency and (generators is None or generators.fluency is None):
        raise InputError("the configuration has a fluency check; pass its language model: Generators(fluency=…)")
    folder = _prepare(config, out, resume)
    skipped: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    anchors = number = 0
    for number, (size, lines) in enumerate(_processed(config, folder, workers, skipped, generators), start=1):
        anchors += size
        counts.update(lines)
        if progress is not None:
            progress(SynthesisProgress(anchors, number, dict(counts)))
    part = {"blocks": number, "anchors": anchors, "skipped": dict(sorted(skipped.items())), "counts": dict(counts)}
    write_atomically(out / "part.json", json.dumps(part, indent=1))
    if config.shard[1] > 1:
        return SynthesisResult.of_shard(out, anchors, {name: counts[name] for name in config.types})
    return merge_shards([out], out)


def _prepare(config: SynthesisConfig, out: Path, resume: bool) -> Path:
    """Return the folder for the blocks. Refuse a folder with another run, or with this run unless it is resumed."""
    saved, wanted = out / "config.json", json.loads(json.dumps(asdict(config)))
    if saved.exists():
        if json.loads(saved.read_text(encoding="utf-8")) != wanted:
            raise InputError(f"{out} has a run with another configuration; choose another folder")
        if not resume:
            raise InputError(f"{out} already has this run; resume it with --resume, or choose another folder")
    elif out.exists() and (not out.is_dir() or any(path.name != ANSWERS for path in out.iterdir())):
        raise InputError(f"{out} is not empty and has no run to resume; choose another folder")
    folder = out / "blocks"
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(saved, json.dumps(wanted, indent=1))
    return folder


def _processed(
    config: SynthesisConfig, folder: Path, workers: int, skipped: Counter[str], generators: Generators | None
) -> Iterator[tuple[int, dict[str, int]]]:
    """Process the blocks in order. Yield the number of anchors and the number of lines per type of each block."""
    if workers < 2 or generators is not None:
        for number, block in blocks(config, skipped):
            yield len(block), process_block(config, folder, number, block, generators)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(
        workers, mp_context=context, max_tasks_per_child=TASKS_PER_WORKER, initializer=_load_parser
    ) as pool:

        def parallel_map(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
            pending: deque[Future[Any]] = deque()
            for item in items:
                pending.append(pool.submit(function, item))
                if len(pending) > 2 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

        numbered = blocks(config, skipped, parallel_map=parallel_map)
        yield from parallel_map(partial(_process_numbered, config, folder), numbered)


def _process_numbered(
    config: SynthesisConfig, folder: Path, numbered: tuple[int, Sequence[Anchor]]
) -> tuple[int, dict[str, int]]:
    number, block = numbered
    return len(block), process_block(config, folder, number, block)


def _load_parser() -> None:
    """Load the parser while the sources are still being read. If it is missing, the first block raises the error."""
    with suppress(LitotesError):
        load_parser()


def synthesise_on_ray(
    config: SynthesisConfig,
    out: Path,
    *,
    shards: int = 0,
    resume: bool = False,
    progress: ProgressCallback | None = None,
) -> SynthesisResult:
    """Run the same in shards that Ray Data schedules on a cluster whose machines share the folder `out`."""
    ray = require("ray", extra="scale", why="--engine ray")
    data = require("ray.data", extra="scale", why="--engine ray")
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    shards = shards or max(2, int(ray.cluster_resources().get("CPU", 2)))
    folders = [out / "shards" / f"{part:04}" for part in range(shards)]
    _prepare(config, out, resume)
    items = [{"part": part, "folder": str(folder.absolute())} for part, folder in enumerate(folders)]

    def run_shard(item: dict[str, Any]) -> dict[str, Any]:
        shard = replace(config, shard=(item["part"], shards))
        result = synthesise(shard, Path(item["folder"]), resume=True)
        return {"anchors": result.anchors, **result.counts}

    total: Counter[str] = Counter()
    finished = data.from_items(items, override_num_blocks=shards).map(run_shard)
    for number, row in enumerate(finished.iter_rows(), start=1):
        total.update(row)
        if progress is not None:
            counts = {name: total[name] for name in config.types}
            progress(SynthesisProgress(total["anchors"], number, counts))
    return merge_shards(folders, out)
