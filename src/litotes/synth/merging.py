"""Blocks into data: one file a make, in the order of the blocks, and the manifest that says what they are."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from litotes.errors import InputError, require
from litotes.parse import default_pipeline
from litotes.synth.blocks import write_whole
from litotes.synth.config import Config
from litotes.synth.profile import Tables, profile

ROWS = 10_000


def merge(folders: Sequence[Path], out: Path) -> dict[str, Any]:
    """The blocks of a run, or of all its shards, into `out`; the same bytes however the run was cut."""
    config, parts = _agreeing(folders)
    paths = sorted((path for folder in folders for path in (folder / "blocks").glob("*.json")), key=lambda p: p.name)
    tables, anchors = _write(config, paths, out)
    manifest = _manifest(config, out, anchors, parts[0]["reading"], tables)
    if config.format == "parquet":
        for make in config.make:
            _to_parquet(out / f"{make}.jsonl")
    write_whole(out / "config.json", json.dumps(json.loads(json.dumps(asdict(config))), indent=1))
    write_whole(out / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False))
    for rest in (out / "blocks", out / "shards"):
        if rest.exists():
            shutil.rmtree(rest)
    (out / "part.json").unlink(missing_ok=True)
    return manifest


def _agreeing(folders: Sequence[Path]) -> tuple[Config, list[dict[str, Any]]]:
    """The configuration all folders share, after seeing that they are all the parts there are, each finished."""
    configs, parts = [], []
    for folder in folders:
        saved, part = folder / "config.json", folder / "part.json"
        if not saved.is_file():
            raise InputError(f"{folder} holds no run; expected the folder of a shard, made with --shard I/N")
        if not part.is_file():
            raise InputError(f"the run in {folder} is not finished; go on with it by --resume")
        configs.append(_config(json.loads(saved.read_text(encoding="utf-8"))))
        parts.append(json.loads(part.read_text(encoding="utf-8")))
    shared = {replace(config, shard=(0, 1)) for config in configs}
    if len(shared) != 1:
        raise InputError("these shards are of runs with different configurations")
    number = configs[0].shard[1]
    missing = set(range(number)) - {config.shard[0] for config in configs}
    if missing or len(configs) != number:
        names = ", ".join(f"{part}/{number}" for part in sorted(missing)) or "none"
        raise InputError(f"{number} shards make this run, and {len(configs)} were given; missing: {names}")
    return shared.pop(), parts


def _config(saved: dict[str, Any]) -> Config:
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in saved.items()}
    return Config(**values)


def _write(config: Config, paths: Sequence[Path], out: Path) -> tuple[dict[str, Tables], int]:
    """One file a make, and the rejects where they are kept; the blocks' counts are added up on the way."""
    out.mkdir(parents=True, exist_ok=True)
    tables: dict[str, Tables] = {make: {"reasons": Counter()} for make in config.make}
    names = [*config.make, *(["rejects"] if config.rejects else [])]
    partial = {name: out / f"{name}.jsonl.partial" for name in names}
    anchors = 0
    with ExitStack() as stack:
        streams = {name: stack.enter_context(path.open("w", encoding="utf-8")) for name, path in partial.items()}
        for path in paths:
            block = json.loads(path.read_text(encoding="utf-8"))
            anchors += block["anchors"]
            for make in config.make:
                for table, counts in block["tables"][make].items():
                    tables[make].setdefault(table, Counter()).update(counts)
            for name in names:
                streams[name].write(block["lines"][name])
    for name, path in partial.items():
        path.replace(out / f"{name}.jsonl")
    return tables, anchors


def _manifest(
    config: Config, out: Path, anchors: int, reading: dict[str, int], tables: dict[str, Tables]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for make in config.make:
        with (out / f"{make}.jsonl").open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        made[make] = {**profile(make, tables[make]), "sha256": digest}
    versions = {name: version(name) for name in ("litotes", "spacy", "lemminflect")}
    versions["parser"] = default_pipeline()
    return {
        "config": asdict(config),
        "anchors": anchors,
        "not taken": reading,
        "made": made,
        "versions": versions,
    }


def _to_parquet(path: Path) -> None:
    """The same rows as Parquet, some thousand at a time."""
    arrow = require("pyarrow", extra="scale", why="writing Parquet")
    parquet = require("pyarrow.parquet", extra="scale", why="writing Parquet")
    partial = path.with_suffix(".parquet.partial")
    writer = None
    with path.open(encoding="utf-8") as stream:
        while rows := [json.loads(line) for line in islice(stream, ROWS)]:
            table = arrow.Table.from_pylist(rows, schema=writer.schema if writer is not None else None)
            writer = writer or parquet.ParquetWriter(partial, table.schema)
            writer.write_table(table)
    if writer is None:
        parquet.write_table(arrow.table({}), partial)
    else:
        writer.close()
    partial.replace(path.with_suffix(".parquet"))
    path.unlink()
