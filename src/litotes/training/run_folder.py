"""The files that describe a run: run.json (what was trained on what) and curves.jsonl (losses and scores by step)."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from litotes.data.result_files import CURVES, RUN, read_curves
from litotes.errors import InputError
from litotes.files import write_atomically
from litotes.models.adapter import versions
from litotes.models.loading import fingerprint

LIBRARIES = ("litotes", "torch", "transformers", "sentence-transformers", "numpy")


def write_run(folder: Path, facts: Mapping[str, Any], manifest: Sequence[Mapping[str, Any]], device: str) -> None:
    """Write run.json: what decides the outcome of the run, its data files, and the versions that ran it."""
    environment = {"device": device, "python": platform.python_version(), "libraries": versions(LIBRARIES)}
    record = {"run": fingerprint(facts), **facts, "files": list(manifest), **environment}
    write_atomically(folder / RUN, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def other_run_error(folder: Path) -> InputError:
    """Return the error for a folder that another run was written to."""
    return InputError(
        f"{folder} holds a run with other settings, examples or base. Use another folder, or remove {folder}"
    )


class Curves:
    """The curves of a run: one JSON line per logged loss or evaluation."""

    def __init__(self, folder: Path | None, *, until: int) -> None:
        """Keep the lines up to step `until`, from which the run resumes; later lines will be written again."""
        self.lines: list[dict[str, Any]] = []
        self._path = folder / CURVES if folder else None
        if folder and self._path:
            self.lines = [line for _, line in read_curves(folder) if line["step"] <= until]
            write_atomically(self._path, "".join(json.dumps(line) + "\n" for line in self.lines))

    def add(self, line: dict[str, Any]) -> None:
        """Append a line, also to the file."""
        self.lines.append(line)
        if self._path:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
