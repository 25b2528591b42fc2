"""Merge blocks: one data file per type, in the order of the blocks, and the manifest that describes them."""

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
from litotes.files import replacing, write_atomically
from litotes.parse import default_pipeline
from litotes.synthesis.config import SynthesisConfig
from litotes.synthesis.profile import Tables, profile
from litotes.synthesis.result import SynthesisResult

ROWS = 10_000


def merge_shards(folders: Sequence[Path], out: Path) -> SynthesisResult:
    """Merge the blocks of a run, or of all its shards, into `out`. The bytes do not depend on the number of shards."""
    config, parts = _shared_config(folders)
    paths = sorted((path for folder in folders for path in (folder / "blocks").glob("*.json")), key=lambda p: p.name)
    tables, anchors = _write(config, paths, out)
    manifest = _manifest(config, out, anchors, parts[0]["skipped"], tables)
    if config.format == "parquet":
        for name in config.types:
            _to_parquet(out / f"{name}.jsonl")
    write_atomically(out / "config.json", json.dumps(asdict(config), indent=1))
    write_atomically(out / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False))
    for folder in (out / "blocks", out / "shards"):
        if folder.exists():
            shutil.rmtree(folder)
    (out / "part.json").unlink(missing_ok=True)
    return SynthesisResult.from_manifest(out, manifest)


def _shared_config(folders: Sequence[Path]) -> tuple[SynthesisConfig, list[dict[str, Any]]]:
    """Return the configuration that all folders share, if they are all the shards of one run and each is finished."""
    configs, parts = [], []
    for folder in folders:
        saved, part = folder / "config.json", folder / "part.json"
        if not saved.is_file():
            raise InputError(f"{folder} has no run; expected the folder of a shard, made with --shard I/N")
        if not part.is_file():
            raise InputError(f"the run in {folder} is not finished; resume it with --resume")
        configs.append(_read_config(json.loads(saved.read_text(encoding="utf-8"))))
        parts.append(json.loads(part.read_text(encoding="utf-8")))
    shared = {replace(config, shard=(0, 1)) for config in configs}
    if len(shared) != 1:
        raise InputError("these shards belong to runs with different configurations")
    number = configs[0].shard[1]
    missing = set(range(number)) - {config.shard[0] for config in configs}
    if missing or len(configs) != number:
        names = ", ".join(f"{part}/{number}" for part in sorted(missing)) or "none"
        raise InputError(f"this run has {number} shards, but {len(configs)} were given; missing: {names}")
    return shared.pop(), parts


def _read_config(saved: dict[str, Any]) -> SynthesisConfig:
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in saved.items()}
    return SynthesisConfig(**values)


def _write(config: SynthesisConfig, paths: Sequence[Path], out: Path) -> tuple[dict[str, Tables], int]:
    """Write one file per type, and the rejects if they are kept. Return the sums of the blocks' counts."""
    tables: dict[str, Tables] = {name: {"reasons": Counter()} for name in config.types}
    names = [*config.types, *(["rejects"] if config.rejects else [])]
    anchors = 0
    with ExitStack() as stack:
        files = {name: stack.enter_context(replacing(out / f"{name}.jsonl")) for name in names}
        streams = {name: stack.enter_context(path.open("w", encoding="utf-8")) for name, path in files.items()}
        for path in paths:
            block = json.loads(path.read_text(encoding="utf-8"))
            anchors += block["anchors"]
            for name in config.types:
                for table, counts in block["tables"][name].items():
                    tables[name].setdefault(table, Counter()).update(counts)
            for name in names:
                streams[name].write(block["lines"][name])
    return tables, anchors


def _manifest(
    config: SynthesisConfig, out: Path, anchors: int, skipped: dict[str, int], tables: dict[str, Tables]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name in config.types:
        with (out / f"{name}.jsonl").open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        made[name] = {**profile(name, tables[name]), "sha256": digest}
    versions = {name: version(name) for name in ("litotes", "spacy", "lemminflect")}
    versions["parser"] = default_pipeline()
    return {
        "config": asdict(config),
        "anchors": anchors,
        "not taken": skipped,
        "made": made,
        "versions": versions,
    }


def _to_parquet(path: Path) -> None:
    """Convert a file of JSON lines to Parquet, some thousand rows at a time."""
    arrow = require("pyarrow", extra="scale", why="writing Parquet")
    parquet = require("pyarrow.parquet", extra="scale", why="writing Parquet")
    writer = None
    with replacing(path.with_suffix(".parquet")) as temporary:
        with path.open(encoding="utf-8") as stream:
            while rows := [json.loads(line) for line in islice(stream, ROWS)]:
                table = arrow.Table.from_pylist(rows, schema=writer.schema if writer is not None else None)
                writer = writer or parquet.ParquetWriter(temporary, table.schema)
                writer.write_table(table)
        if writer is None:
            parquet.write_table(arrow.table({}), temporary)
        else:
            writer.close()
    path.unlink()
