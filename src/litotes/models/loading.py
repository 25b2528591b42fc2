"""Find the files of a model, hash them, and load them with a library."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from litotes.errors import InputError, MissingError, require

DTYPES = ("float32", "float16", "bfloat16")
FEWEST_TOKENS = 8
_HUB_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)?")
_MODEL_FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.jinja", "*.metadata")
_OLD_WEIGHTS = "*.bin"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a neural model is run, for all families."""

    device: str | None = None
    """None uses an accelerator if there is one"""
    batch: int = 32
    dtype: str = "float32"
    max_tokens: int = 256
    """longer texts are truncated; the model's own limit applies if it is lower"""

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise InputError(f"dtype is {self.dtype!r}; expected one of {', '.join(DTYPES)}")
        if self.batch < 1:
            raise InputError(f"batch is {self.batch}; expected 1 or more")
        if self.max_tokens < FEWEST_TOKENS:
            raise InputError(f"max_tokens is {self.max_tokens}; expected {FEWEST_TOKENS} or more")


@dataclass(frozen=True, slots=True)
class Source:
    """The folder of a model, and where it came from."""

    folder: Path
    origin: str
    """a hub name, a package with its version, or the folder as the caller wrote it"""
    revision: str = ""
    """the commit on the hub"""


def find(target: str, *, family: str, organisation: str = "", revision: str = "") -> Source:
    """Find a model by its folder or hub name, and download it from the hub if necessary.

    `organisation` is the owner of hub names without one.
    """
    folder = Path(target).expanduser()
    if folder.is_dir():
        if revision:
            raise InputError(f"{target} is a folder; expected a revision only for a name on the Hugging Face hub")
        return Source(folder, target)
    if folder.exists() or not _HUB_NAME.fullmatch(target) or target.startswith("."):
        raise InputError(f"{family}:{target} is not a folder. Expected a folder with a saved model, or a hub name")
    name = target if "/" in target or not organisation else f"{organisation}/{target}"
    return fetch(name, family=family, revision=revision)


def fetch(name: str, *, family: str, revision: str = "") -> Source:
    """Return a model of the Hugging Face hub, downloaded if it is not in the hub's local cache."""
    hub = require("huggingface_hub", extra="models", why=f"{family}:{name}")
    try:
        folder = Path(hub.snapshot_download(name, revision=revision or None, allow_patterns=list(_MODEL_FILES)))
        if not any(folder.rglob("*.safetensors")):
            patterns = [*_MODEL_FILES, _OLD_WEIGHTS]
            folder = Path(hub.snapshot_download(name, revision=revision or None, allow_patterns=patterns))
    except hub.errors.HFValidationError as error:
        raise InputError(f"{family}:{name} is neither a folder nor a hub name ({error})") from error
    except hub.errors.GatedRepoError as error:
        raise MissingError(
            f"{name} is gated. Accept its terms on its page on the Hugging Face hub, sign in with hf auth login, and "
            f"run this again"
        ) from error
    except (hub.errors.HfHubHTTPError, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MissingError(
            f"{name} is not a folder and could not be downloaded from the Hugging Face hub ({reason}). On a machine "
            f"with access to the hub, run: hf download {name} --local-dir FOLDER; then use {family}:FOLDER"
        ) from error
    return Source(folder, name, folder.name)


def sha256(path: Path) -> str:
    """Return the hash of a file. It is cached until the file changes."""
    state = path.stat()
    return _sha256(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest(folder: Path) -> str:
    """Return one hash over the weights, configurations and vocabulary of a saved model."""
    hashes = {
        path.relative_to(folder).as_posix(): sha256(path)
        for pattern in (*_MODEL_FILES, _OLD_WEIGHTS)
        for path in folder.rglob(pattern)
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
    return fingerprint(hashes)


def fingerprint(facts: Mapping[str, Any]) -> str:
    """Return one hash over plain facts, independent of their order."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def refuse_other_files(source: Source, pins: Mapping[str, str]) -> None:
    """Refuse files that differ from the pinned ones: a package can be uploaded again with other contents."""
    for name, expected in pins.items():
        path = source.folder / name
        got = sha256(path) if path.is_file() else "no file"
        if got != expected:
            raise InputError(
                f"{path} is not the file that litotes was tested with: expected sha256 {expected}, got {got}. "
                f"Remove that folder and install {source.origin} again, or use a folder of your own: dense:FOLDER"
            )


def configuration(folder: Path, name: str) -> dict[str, Any]:
    """Read a JSON file of a saved model; return {} if the model has no such file."""
    path = folder / name
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid JSON ({error})") from error
    return content if isinstance(content, dict) else {}


def saved_as(folder: Path) -> str:
    """Return the sentence-transformers class that saved a model; "" if it does not say."""
    return str(configuration(folder, "config_sentence_transformers.json").get("model_type") or "")


def architectures(folder: Path) -> tuple[str, ...]:
    """Return the classes that transformers would use for a saved model."""
    named = configuration(folder, "config.json").get("architectures")
    return tuple(map(str, named)) if isinstance(named, list) else ()


def device_of(device: str | None, torch: Any) -> str | None:
    """Return the device after a check that torch can use it; None lets the library choose."""
    if device is None:
        return None
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"device {device!r} cannot be used ({reason}). Expected cpu, cuda or mps") from error
    return device


@contextmanager
def loading(source: Source, family: str) -> Iterator[None]:
    """Hide progress bars while a library loads a model; turn its errors into an InputError that names the folder."""
    logging = require("transformers", extra="models", why=family).utils.logging
    broken_file = require("safetensors", extra="models", why=family).SafetensorError
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    except (broken_file, OSError, ValueError, KeyError, TypeError, RuntimeError, AttributeError, ImportError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{source.folder} cannot be read as a {family} model: {reason}") from error
    finally:
        if shown:
            logging.enable_progress_bar()
