"""The state of a run on disk, in safetensors: enough to go on after a kill as if nothing had happened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from litotes.errors import require
from litotes.train.runs import other_run

if TYPE_CHECKING:
    from torch import Tensor, device, nn
    from torch.optim import AdamW

FILE = "checkpoint.safetensors"
_MOMENTS = ("exp_avg", "exp_avg_sq")
_CHOSEN = "chosen."


class Trainee(Protocol):
    """A model on a frozen base: what is trained has names."""

    @property
    def device(self) -> device: ...
    def own_parameters(self) -> Iterator[tuple[str, nn.Parameter]]: ...


def save(
    folder: Path,
    model: Trainee,
    optimiser: AdamW,
    *,
    step: int,
    run: str,
    chosen: Mapping[str, Tensor] | None = None,
) -> None:
    """Weights, the optimiser's moments and the random state after `step`; the old file stays until the new is whole.

    `chosen` are the weights of the epoch that is the best so far, where a run chooses.
    """
    torch = require("torch", extra="train", why="training")
    tensors = {"random.cpu": torch.get_rng_state()}
    tensors |= {f"{_CHOSEN}{name}": value.contiguous() for name, value in (chosen or {}).items()}
    if model.device.type == "cuda":
        tensors["random.cuda"] = torch.cuda.get_rng_state(model.device)
    for name, value in model.own_parameters():
        tensors[f"weights.{name}"] = value.detach().cpu().contiguous()
        for moment in _MOMENTS:
            tensors[f"{moment}.{name}"] = optimiser.state[value][moment].detach().cpu().contiguous()
    written = folder / f"{FILE}.part"
    facts = {"step": str(step), "run": run}
    require("safetensors.torch", extra="train", why="training").save_file(tensors, str(written), metadata=facts)
    written.replace(folder / FILE)


def restore(folder: Path, model: Trainee, optimiser: AdamW, *, run: str) -> tuple[int, dict[str, Tensor]]:
    """The step a run had reached, with its state put back, and its chosen weights; 0 where it had not begun."""
    torch = require("torch", extra="train", why="training")
    path = folder / FILE
    if not path.is_file():
        return 0, {}
    with require("safetensors", extra="train", why="training").safe_open(str(path), framework="pt") as kept:
        facts: dict[str, Any] = kept.metadata() or {}
        if facts.get("run") != run:
            raise other_run(folder, path)
        step = int(facts["step"])
        torch.set_rng_state(kept.get_tensor("random.cpu"))
        if model.device.type == "cuda" and "random.cuda" in kept.keys():  # noqa: SIM118 - the file is no mapping
            torch.cuda.set_rng_state(kept.get_tensor("random.cuda"), model.device)
        state = {}
        for number, (name, value) in enumerate(model.own_parameters()):
            with torch.no_grad():
                value.copy_(kept.get_tensor(f"weights.{name}"))
            moments = {moment: kept.get_tensor(f"{moment}.{name}") for moment in _MOMENTS}
            state[number] = moments | {"step": torch.tensor(float(step))}
        names = [name for name in kept.keys() if name.startswith(_CHOSEN)]  # noqa: SIM118 - the file is no mapping
        chosen = {name.removeprefix(_CHOSEN): kept.get_tensor(name) for name in names}
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
    return step, chosen


class Curves:
    """The run's curves: one JSON line for each time the loss was noted or the model was measured."""

    def __init__(self, folder: Path | None, *, until: int) -> None:
        """Lines past the step a run goes on from are taken back: they will be written again."""
        self.lines: list[dict[str, Any]] = []
        self._path = folder / "curves.jsonl" if folder else None
        if self._path and self._path.is_file():
            kept = (json.loads(line) for line in self._path.read_text(encoding="utf-8").splitlines() if line.strip())
            self.lines = [line for line in kept if line["step"] <= until]
        if self._path:
            self._path.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")

    def add(self, line: dict[str, Any]) -> None:
        """Notes a line, on disk at once."""
        self.lines.append(line)
        if self._path:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
