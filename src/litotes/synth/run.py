"""The run: anchors in blocks, blocks as files, files merged in order.

A block is the unit of work: some hundred anchors, turned into output by nothing but their texts and the seed. A
finished block is a file that appears whole or not at all, so a run that was killed goes on where it stopped, nothing is
lost and nothing comes twice; and the bytes are the same for any number of workers.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from litotes.errors import InputError
from litotes.synth.contrasts import contrasts
from litotes.synth.sources import Anchor, read
from litotes.synth.triples import triples

BLOCK = 200
MAKES = ("triples", "contrasts")


@dataclass(frozen=True, slots=True)
class Config:
    """What the output depends on, and nothing else."""

    sources: tuple[str, ...]
    make: tuple[str, ...] = ("triples",)
    column: str = "text"
    seed: int = 0
    limit: int = 0
    """how many anchors at most; 0 for all"""
    shard: tuple[int, int] = (0, 1)
    """this part of so many: block b belongs to part b mod n"""

    def __post_init__(self) -> None:
        unknown = [make for make in self.make if make not in MAKES]
        if unknown or not self.make:
            raise InputError(f"cannot make {', '.join(unknown) or 'nothing'}; expected {', '.join(MAKES)}")
        part, parts = self.shard
        if not 0 <= part < parts:
            raise InputError(f"shard {part}/{parts}: expected a part from 0 to {parts - 1}")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    anchors: int
    blocks: int
    made: dict[str, int]


def synthesise(
    config: Config,
    out: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    watch: Callable[[Progress], None] | None = None,
) -> dict[str, Any]:
    """Run a configuration into a folder; the manifest comes back and stands there as manifest.json."""
    blocks = _prepare(config, out, resume)
    made: Counter[str] = Counter()
    anchors = number = 0
    for number, (count, found) in enumerate(_finished(config, blocks, workers), start=1):
        anchors += count
        made.update(found)
        if watch is not None:
            watch(Progress(anchors, number, dict(made)))
    return _merge(config, out, blocks)


def _prepare(config: Config, out: Path, resume: bool) -> Path:
    """The folder of blocks; a run of another configuration, or one that is not to be resumed, is not overwritten."""
    saved, wanted = out / "config.json", json.loads(json.dumps(asdict(config)))
    if saved.exists():
        if json.loads(saved.read_text(encoding="utf-8")) != wanted:
            raise InputError(f"{out} holds a run with another configuration; choose another folder")
        if not resume:
            raise InputError(f"{out} already holds this run; go on with --resume, or choose another folder")
    elif out.exists() and any(out.iterdir()):
        raise InputError(f"{out} is not empty and holds no run; choose another folder")
    blocks = out / "blocks"
    blocks.mkdir(parents=True, exist_ok=True)
    _write(saved, json.dumps(wanted, indent=1))
    return blocks


def _anchors(config: Config, counts: Counter[str]) -> Iterator[Anchor]:
    """The anchors, each text once."""
    seen: set[bytes] = set()
    for anchor in islice(read(config.sources, column=config.column), config.limit or None):
        key = hashlib.blake2b(" ".join(anchor.text.lower().split()).encode(), digest_size=8).digest()
        if not anchor.text or key in seen:
            counts["duplicate anchor" if anchor.text else "empty anchor"] += 1
            continue
        seen.add(key)
        yield anchor


def _blocks(config: Config) -> Iterator[tuple[int, list[Anchor]]]:
    counts: Counter[str] = Counter()
    remaining = _anchors(config, counts)
    part, parts = config.shard
    number = 0
    while block := list(islice(remaining, BLOCK)):
        if number % parts == part:
            yield number, block
        number += 1


def _finished(config: Config, folder: Path, workers: int) -> Iterator[tuple[int, dict[str, int]]]:
    """Work the blocks off, in order; a block whose file is there is not worked again."""
    if workers < 2:
        for number, block in _blocks(config):
            yield len(block), _work(config, folder, number, block)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: list[tuple[int, Future[dict[str, int]]]] = []
        for number, block in _blocks(config):
            waiting.append((len(block), pool.submit(_work, config, folder, number, block)))
            if len(waiting) > 2 * workers:
                count, first = waiting.pop(0)
                yield count, first.result()
        for count, future in waiting:
            yield count, future.result()


def _work(config: Config, folder: Path, number: int, block: Sequence[Anchor]) -> dict[str, int]:
    """One block into its file: {"lines": {make: [...]}, "counts": {make: {...}}}."""
    path = folder / f"{number:06}.json"
    if path.exists():
        done = json.loads(path.read_text(encoding="utf-8"))
        return {make: len(lines) for make, lines in done["lines"].items()}
    lines: dict[str, list[Any]] = {}
    counts: dict[str, dict[str, int]] = {}
    for make in config.make:
        tally: Counter[str] = Counter()
        maker = triples if make == "triples" else contrasts
        lines[make] = [made.line() for made in maker(block, seed=config.seed, counts=tally)]
        counts[make] = dict(sorted(tally.items()))
    _write(path, json.dumps({"anchors": len(block), "lines": lines, "counts": counts}, ensure_ascii=False))
    return {make: len(found) for make, found in lines.items()}


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    partial = path.with_suffix(path.suffix + ".partial")
    with partial.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def _merge(config: Config, out: Path, blocks: Path) -> dict[str, Any]:
    """The blocks' lines into one file a make, and the manifest."""
    counts: dict[str, Counter[str]] = {make: Counter() for make in config.make}
    kinds: dict[str, Counter[str]] = {make: Counter() for make in config.make}
    partial = {make: out / f"{make}.jsonl.partial" for make in config.make}
    streams = {make: path.open("w", encoding="utf-8") for make, path in partial.items()}
    anchors = 0
    try:
        for path in sorted(blocks.glob("*.json")):
            block = json.loads(path.read_text(encoding="utf-8"))
            anchors += block["anchors"]
            for make in config.make:
                counts[make].update(block["counts"][make])
                for line in block["lines"][make]:
                    kinds[make][line.get("negative_kind") or line.get("kind", "")] += 1
                    streams[make].write(json.dumps(line, ensure_ascii=False) + "\n")
    finally:
        for stream in streams.values():
            stream.close()
    for make, path in partial.items():
        path.replace(out / f"{make}.jsonl")
    manifest = _manifest(config, out, anchors, counts, kinds)
    _write(out / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False))
    shutil.rmtree(blocks)
    return manifest


def _manifest(
    config: Config, out: Path, anchors: int, counts: dict[str, Counter[str]], kinds: dict[str, Counter[str]]
) -> dict[str, Any]:
    from importlib.metadata import version

    from litotes.parse import default_pipeline

    made = {}
    for make in config.make:
        digest = hashlib.sha256((out / f"{make}.jsonl").read_bytes()).hexdigest()
        dropped = {reason: n for reason, n in sorted(counts[make].items()) if reason != "kept"}
        made[make] = {"kept": counts[make]["kept"], "by kind": dict(kinds[make].most_common()), "sha256": digest}
        made[make]["dropped"] = dropped
    versions = {"litotes": version("litotes"), "spacy": version("spacy"), "parser": default_pipeline()}
    return {"config": asdict(config), "anchors": anchors, "made": made, "versions": versions}
