"""Read the arrays of a safetensors file with NumPy alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

DTYPES = {"U8": "uint8", "I8": "int8", "I16": "<i2", "U32": "<u4", "I64": "<i8", "F16": "<f2", "F32": "<f4"}
"""The types of arrays in a file, by their names in safetensors and in NumPy."""


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """Read a safetensors file without its library: the length of the header, the header as JSON, and the arrays."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    found = {}
    for name, entry in header.items():
        first, last = (start + offset for offset in entry["data_offsets"])
        found[name] = np.frombuffer(content[first:last], dtype=DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return found
