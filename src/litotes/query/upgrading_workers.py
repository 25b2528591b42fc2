"""Workers of Ray Data: each is an actor that works on one file of a folder after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.errors import InputError, LitotesError, require

WHY = "upgrading with workers"


@dataclass(frozen=True, slots=True)
class Part:
    """A file to upgrade. Its paths are absolute, so that every worker finds them."""

    source: Path
    out: Path
    rows: int

    @property
    def is_made(self) -> bool:
        """Whether the new file is complete; after a power cut it may be damaged."""
        parquet = require("pyarrow.parquet", extra="scale", why="Parquet files")
        try:
            return bool(parquet.read_metadata(self.out).num_rows == self.rows)
        except (OSError, ValueError):
            return False


Work = Callable[[Part], int]


def connect(*, workers: int, gpus_per_worker: float) -> None:
    """Join the cluster that RAY_ADDRESS names, or start a local Ray; refuse more workers than it has resources for."""
    ray = require("ray", extra="scale", why=WHY)
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)
    found = ray.cluster_resources()
    cpus, gpus = found.get("CPU", 0), found.get("GPU", 0)
    if workers > cpus or workers * gpus_per_worker > gpus:
        raise InputError(
            f"{workers} workers need {workers} CPUs and {workers * gpus_per_worker:g} GPUs, and the Ray cluster has "
            f"{cpus:g} and {gpus:g}; expected fewer workers or a larger cluster"
        )


def on_ray(
    work: Work, parts: Sequence[Part], *, workers: int, gpus_per_worker: float = 0
) -> Iterator[tuple[Part, int]]:
    """Yield each part when the work on it is done, in any order, and what the work returned.

    Ray Data gives the parts to the workers, and repeats a part if its worker died.
    """
    if not parts:
        return
    ray = require("ray", extra="scale", why=WHY)
    data = require("ray.data", extra="scale", why=WHY)
    # Ray stores the work once, and each worker fetches it. Ray Data would send the model with every worker.
    reference = ray.put(work)
    numbers = data.from_items([{"number": number} for number in range(len(parts))], override_num_blocks=len(parts))
    rows = numbers.map(
        RayWorker,
        fn_constructor_args=([reference], list(parts)),
        compute=data.ActorPoolStrategy(size=min(workers, len(parts))),
        num_cpus=1,
        num_gpus=gpus_per_worker,
    )
    for row in rows.iter_rows():
        if row["error"]:
            raise InputError(row["error"])
        yield parts[row["number"]], row["result"]


class RayWorker:
    """An actor. It returns the message of an error in the input, which Ray would raise without its type."""

    def __init__(self, reference: list[Any], parts: list[Part]) -> None:
        self._work: Work = require("ray", extra="scale", why=WHY).get(reference[0])
        self._parts = parts

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Work on the part with this number."""
        try:
            return {**row, "result": self._work(self._parts[row["number"]]), "error": ""}
        except LitotesError as error:
            return {**row, "result": 0, "error": str(error)}
