"""Files of long runs: atomic writes, and the manifest that says which run a folder belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from litotes.errors import InputError
from litotes.types import MALFORMED

MANIFEST = "manifest.json"
UNFINISHED = ".partial"
"""the suffix of a file that is being written"""
NAMED = 3
"""how many differences between two manifests an error message names"""


def write_atomically(path: Path | str, content: str | bytes) -> None:
    """Write text (as UTF-8) or bytes to `path`. An interrupted write leaves the old file unchanged."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path beside `path`; when the block ends without an error, it replaces `path`.

    Missing parent folders are created. After an error the temporary file is removed.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(uuid4().hex + UNFINISHED)
    try:
        yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def open_run_folder(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Make the folder of a run, or resume the run in it; refuse the parts of another run."""
    if not has_run(folder, manifest):
        write_atomically(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")


def has_run(folder: Path, manifest: Mapping[str, Any]) -> bool:
    """Return whether the folder has a run with this manifest; refuse those of another run, and other files."""
    path = folder / MANIFEST
    if not path.is_file():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} has other files than the parts of a run; choose another folder")
        return False
    wanted = json.loads(json.dumps(manifest))
    try:
        found = dict(json.loads(path.read_text(encoding="utf-8")))
    except MALFORMED as error:
        raise InputError(f"{path} cannot be read ({error}); remove {folder} to start again") from error
    other = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
    if other:
        named = [f"{name} is {found.get(name)!r} there and {wanted.get(name)!r} now" for name in other[:NAMED]]
        more = [f"{len(other) - NAMED} more differences"] if len(other) > NAMED else []
        listed = "; ".join(named + more)
        raise InputError(f"{folder} has the parts of another run: {listed}. Choose another folder or remove it")
    return True
