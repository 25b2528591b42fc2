"""A file in pieces and whole again: for places that carry or keep small files only."""

from __future__ import annotations

import json
from pathlib import Path

from litotes.errors import InputError
from litotes.models.loading import configuration, sha256

SHARD_BYTES = 15_000_000


def split(file: Path | str, folder: Path | str, *, shard_bytes: int = SHARD_BYTES) -> list[Path]:
    """Cuts a file into pieces of at most `shard_bytes` in a folder, beside a list that says how to join them."""
    source, home = Path(file), Path(folder)
    if not source.is_file():
        raise InputError(f"there is no file {str(file)!r} to split")
    if shard_bytes < 1:
        raise InputError(f"shard_bytes is {shard_bytes}; expected 1 or more")
    home.mkdir(parents=True, exist_ok=True)
    pieces: list[Path] = []
    with source.open("rb") as stream:
        while content := stream.read(shard_bytes):
            pieces.append(home / f"{source.name}.{len(pieces) + 1:03}")
            pieces[-1].write_bytes(content)
    names = [piece.name for piece in pieces]
    listed = json.dumps({"file": source.name, "sha256": sha256(source), "pieces": names}, indent=2)
    (home / f"{source.name}.pieces.json").write_text(listed + "\n", encoding="utf-8")
    return pieces


def join(folder: Path | str, file: Path | str) -> Path:
    """The file that `split` cut, from the folder with its pieces; InputError where it is not the same, byte by byte."""
    home, target = Path(folder), Path(file)
    listed = configuration(home, f"{target.name}.pieces.json")
    pieces = [home / Path(str(name)).name for name in listed.get("pieces", [])]
    missing = [piece.name for piece in pieces if not piece.is_file()]
    if not listed or missing:
        what = f"has no {', '.join(missing)}" if missing else f"has no {target.name}.pieces.json"
        raise InputError(f"{home} {what}; expected the folder that split made for a file {target.name}")
    target.parent.mkdir(parents=True, exist_ok=True)
    joined = target.with_name(f"{target.name}.part")
    with joined.open("wb") as stream:
        for piece in pieces:
            stream.write(piece.read_bytes())
    if sha256(joined) != listed["sha256"]:
        joined.unlink()
        raise InputError(f"the pieces in {home} do not make {target.name}: its sha256 differs. Split it again")
    joined.replace(target)
    return target
