"""Which library runs a model: torch, or onnxruntime where torch is not installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from litotes.errors import InputError

TORCH: Final = "torch"
ONNX: Final = "onnx"
BACKENDS = (TORCH, ONNX)
_LIBRARIES = {TORCH: ("torch", "transformers", "sentence_transformers"), ONNX: ("onnxruntime", "tokenizers")}


def is_installed(backend: str) -> bool:
    """Return whether all libraries of a backend are installed, without importing them."""
    return all(find_spec(library) is not None for library in _LIBRARIES[backend])


def has_gpu() -> bool:
    """Return whether torch has a GPU to run on. This imports torch, which must be installed."""
    import torch

    return torch.cuda.is_available() or torch.backends.mps.is_available()


def choose_backend(backend: str | None = None) -> str:
    """Return the backend that was asked for, or else torch if it is installed, or else onnx if that is."""
    if backend is None:
        return ONNX if not is_installed(TORCH) and is_installed(ONNX) else TORCH
    if backend not in BACKENDS:
        raise InputError(f"the backend is {backend!r}; expected {' or '.join(BACKENDS)}")
    return backend


def use_onnx(device: str | None) -> bool:
    """Return whether a model runs on onnxruntime because torch is not installed; refuse a device other than the CPU."""
    if choose_backend() == TORCH:
        return False
    if device not in (None, "cpu"):
        raise InputError(f"the device is {device!r}; expected cpu, because torch is not installed")
    return True
