"""Where a model's files lie, what they hash to, and how a library is made to read them."""

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
    """How a neural model is run, whatever its family."""

    device: str | None = None
    """None takes an accelerator where there is one"""
    batch: int = 32
    dtype: str = "float32"
    max_tokens: int = 256
    """longer texts are cut; a model's own limit holds where it is lower"""

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise InputError(f"dtype is {self.dtype!r}; expected one of {', '.join(DTYPES)}")
        if self.batch < 1:
            raise InputError(f"batch is {self.batch}; expected 1 or more")
        if self.max_tokens < FEWEST_TOKENS:
            raise InputError(f"max_tokens is {self.max_tokens}; expected {FEWEST_TOKENS} or more")


@dataclass(frozen=True, slots=True)
class Source:
    """A model's folder, and where it came from."""

    folder: Path
    origin: str
    """a hub name, a package with its version, or the folder as it was given"""
    revision: str = ""
    """the hub's commit"""


def find(target: str, *, family: str, organisation: str = "", revision: str = "") -> Source:
    """The model of that folder or hub name; a hub name that was not fetched before is fetched.

    `organisation` owns the hub names that are given without an owner.
    """
    folder = Path(target).expanduser()
    if folder.is_dir():
        return Source(folder, target)
    if folder.exists() or not _HUB_NAME.fullmatch(target) or target.startswith("."):
        raise InputError(f"{family}:{target} is no folder. Expected a folder with a saved model, or a hub name")
    name = target if "/" in target or not organisation else f"{organisation}/{target}"
    return fetch(name, family=family, revision=revision)


def fetch(name: str, *, family: str, revision: str = "") -> Source:
    """A model of the Hugging Face hub, from the hub's local cache where it lies there."""
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
            f"{name} is gated: its owner gives it to those who ask. Accept its terms on its page at the hub, sign in "
            f"with hf auth login, and run this again"
        ) from error
    except (hub.errors.HfHubHTTPError, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MissingError(
            f"{name} is no folder here and could not be fetched from the Hugging Face hub ({reason}). "
            f"Where the hub can be reached, run: hf download {name} --local-dir FOLDER; then use {family}:FOLDER"
        ) from error
    return Source(folder, name, folder.name)


def sha256(path: Path) -> str:
    """The hash of a file's bytes; read again only when the file changed."""
    state = path.stat()
    return _sha256(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest(folder: Path) -> str:
    """One hash over the files that make a saved model: weights, configurations, vocabulary."""
    hashes = {
        path.relative_to(folder).as_posix(): sha256(path)
        for pattern in (*_MODEL_FILES, _OLD_WEIGHTS)
        for path in folder.rglob(pattern)
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
    return fingerprint(hashes)


def fingerprint(facts: Mapping[str, Any]) -> str:
    """One hash over plain facts, whatever their order."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def refuse_other_files(source: Source, pins: Mapping[str, str]) -> None:
    """Re-uploaded weights are believed only where they are the bytes that were checked."""
    for name, wanted in pins.items():
        path = source.folder / name
        got = sha256(path) if path.is_file() else "no file"
        if got != wanted:
            raise InputError(
                f"{path} is not the file litotes was checked with: expected sha256 {wanted}, got {got}. "
                f"Remove that folder and install {source.origin} again, or name a folder of your own: dense:FOLDER"
            )


def configuration(folder: Path, name: str) -> dict[str, Any]:
    """A JSON file of a saved model; empty where the model has none."""
    path = folder / name
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON ({error})") from error
    return found if isinstance(found, dict) else {}


def saved_as(folder: Path) -> str:
    """The sentence-transformers class a model was saved by; "" where it does not say."""
    return str(configuration(folder, "config_sentence_transformers.json").get("model_type") or "")


def architectures(folder: Path) -> tuple[str, ...]:
    """The classes transformers would build for a saved model."""
    named = configuration(folder, "config.json").get("architectures")
    return tuple(map(str, named)) if isinstance(named, list) else ()


def device_of(device: str | None, torch: Any) -> str | None:
    """The device as torch spells it, or None where the library is to choose; InputError where it is not there."""
    if device is None:
        return None
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"device {device!r} cannot be used ({reason}). Expected cpu, cuda or mps") from error
    return device


@contextmanager
def reading(source: Source, family: str) -> Iterator[None]:
    """Loading without progress bars; what a library cannot read is an InputError that names the folder."""
    logging = require("transformers", extra="models", why=family).utils.logging
    broken = require("safetensors", extra="models", why=family).SafetensorError
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    except (broken, OSError, ValueError, KeyError, TypeError, RuntimeError, AttributeError, ImportError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{source.folder} cannot be read as a {family} model: {reason}") from error
    finally:
        if shown:
            logging.enable_progress_bar()
