"""The run: blocks worked in order, by one process or several, or shard by shard on a Ray cluster.

A run that was killed goes on where it stopped, nothing is lost and nothing comes twice; and the bytes are the same for
any number of workers, shards and machines.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from litotes.errors import InputError, LitotesError, require
from litotes.parse import parser
from litotes.synth.blocks import Hands, blocks, work, write_whole
from litotes.synth.config import Config
from litotes.synth.merging import merge
from litotes.synth.sources import Anchor


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    anchors: int
    blocks: int
    made: dict[str, int]


ANSWERS = "answers"
"""where a language model's answers are kept: they may be there before the run"""
RENEWED = 140
"""tasks a worker does before a fresh one takes over: the parser remembers every word it meets"""
Watch = Callable[[Progress], None]


def synthesise(
    config: Config,
    out: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    watch: Watch | None = None,
    hands: Hands | None = None,
) -> dict[str, Any]:
    """Run a configuration into a folder; the manifest comes back and stands there as manifest.json.

    One shard of several leaves its blocks there, to be merged with those of the others.
    """
    folder = _prepare(config, out, resume)
    reading: Counter[str] = Counter()
    made: Counter[str] = Counter()
    anchors = number = 0
    for number, (count, found) in enumerate(_finished(config, folder, workers, reading, hands), start=1):
        anchors += count
        made.update(found)
        if watch is not None:
            watch(Progress(anchors, number, dict(made)))
    part = {"blocks": number, "anchors": anchors, "reading": dict(sorted(reading.items())), "made": dict(made)}
    write_whole(out / "part.json", json.dumps(part, indent=1))
    if config.shard[1] > 1:
        return {"anchors": anchors, "made": {make: {"kept": made[make]} for make in config.make}}
    return merge([out], out)


def _prepare(config: Config, out: Path, resume: bool) -> Path:
    """The folder of blocks; a run of another configuration, or one that is not to be resumed, is not overwritten."""
    saved, wanted = out / "config.json", json.loads(json.dumps(asdict(config)))
    if saved.exists():
        if json.loads(saved.read_text(encoding="utf-8")) != wanted:
            raise InputError(f"{out} holds a run with another configuration; choose another folder")
        if not resume:
            raise InputError(f"{out} already holds this run; go on with --resume, or choose another folder")
    elif out.exists() and (not out.is_dir() or any(path.name != ANSWERS for path in out.iterdir())):
        raise InputError(f"{out} is not empty and holds no run; choose another folder")
    folder = out / "blocks"
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(saved, json.dumps(wanted, indent=1))
    return folder


def _finished(
    config: Config, folder: Path, workers: int, reading: Counter[str], hands: Hands | None
) -> Iterator[tuple[int, dict[str, int]]]:
    """Work the blocks off, in order; a block whose file is there is not worked again."""
    if workers < 2 or hands is not None:
        for number, block in blocks(config, reading):
            yield len(block), work(config, folder, number, block, hands)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(
        workers, mp_context=context, max_tasks_per_child=RENEWED, initializer=_load_parser
    ) as pool:

        def spread(one: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
            waiting: deque[Future[Any]] = deque()
            for item in items:
                waiting.append(pool.submit(one, item))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield from spread(partial(_worked, config, folder), blocks(config, reading, spread=spread))


def _worked(config: Config, folder: Path, numbered: tuple[int, Sequence[Anchor]]) -> tuple[int, dict[str, int]]:
    number, block = numbered
    return len(block), work(config, folder, number, block)


def _load_parser() -> None:
    """While the sources are still read; if there is none, the first block says so."""
    with suppress(LitotesError):
        parser()


def on_ray(
    config: Config, out: Path, *, shards: int = 0, resume: bool = False, watch: Watch | None = None
) -> dict[str, Any]:
    """The same run as shards that Ray Data schedules over a cluster whose machines share the folder."""
    ray = require("ray", extra="scale", why="--engine ray")
    data = require("ray.data", extra="scale", why="--engine ray")
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    shards = shards or max(2, int(ray.cluster_resources().get("CPU", 2)))
    folders = [out / "shards" / f"{part:04}" for part in range(shards)]
    _prepare(config, out, resume)
    items = [{"part": part, "folder": str(folder.absolute())} for part, folder in enumerate(folders)]

    def one(item: dict[str, Any]) -> dict[str, Any]:
        shard = replace(config, shard=(item["part"], shards))
        done = synthesise(shard, Path(item["folder"]), resume=True)
        return {"anchors": done["anchors"], **{make: done["made"][make]["kept"] for make in config.make}}

    total: Counter[str] = Counter()
    finished = data.from_items(items, override_num_blocks=shards).map(one)
    for number, row in enumerate(finished.iter_rows(), start=1):
        total.update(row)
        if watch is not None:
            watch(Progress(total["anchors"], number, {make: total[make] for make in config.make}))
    return merge(folders, out)
