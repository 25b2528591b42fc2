"""Training a model on a frozen base: a module with a loss for transformers' Trainer, and the trainer itself.

Every process gets the same batch of all processes together and computes its share of it, so that several processes
with a batch of n take the same steps as one process with a batch of n times as many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import torch
from torch import Tensor, distributed, nn
from transformers import Trainer, TrainingArguments

from litotes.training.batches import EpochSampler
from litotes.training.loop import with_sampler
from litotes.training.run import Run, RunSettings

Item = TypeVar("Item")


class FrozenBaseLoss(nn.Module):
    """A model with its loss, as a trainer calls it: indices of a batch in, loss out.

    Its state dict has the trained weights only: a checkpoint is as small as they are.
    """

    def __init__(self, model: Any) -> None:
        """`model` has `own_parameters`, which are trained; its other parameters are frozen."""
        super().__init__()
        self.model = model
        own = {name for name, _ in model.own_parameters()}
        for name, value in model.named_parameters():
            value.requires_grad_(name in own)

    def forward(self, indices: list[int]) -> dict[str, Tensor]:
        """Return the loss of a batch under the name that a trainer looks for."""
        return {"loss": self.loss(indices)}

    def loss(self, indices: Sequence[int]) -> Tensor:
        """Return the loss of a batch; the processes' gradients, averaged, are its gradient."""
        raise NotImplementedError

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Tensor]:  # type: ignore[override]
        """Return the trained weights."""
        return {name: value.detach().contiguous() for name, value in self.model.own_parameters()}

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Load trained weights; the frozen ones are not missing."""
        return self.model.load_state_dict(dict(state_dict), strict=False)._replace(missing_keys=[])

    def half_precision(self) -> AbstractContextManager[Any]:
        """Return a context for the model's layers: bfloat16 on a GPU. Losses are always computed in float32."""
        on_gpu = self.model.device.type == "cuda"
        return torch.autocast("cuda", dtype=torch.bfloat16) if on_gpu else nullcontext()


def frozen_base_trainer(run: Run, module: FrozenBaseLoss, sampler: EpochSampler, *, items: int, seed: int) -> Any:
    """Return a trainer that draws indices of `items` items by the sampler.

    The optimizer decays all weights and starts above a learning rate of 0; the library's own does neither.
    """
    config = run.config
    # cuDNN's attention compiles a plan for every new shape of a batch, and almost every batch has a new one.
    torch.backends.cuda.enable_cudnn_sdp(False)
    steps = config.epochs * len(sampler)
    parameters = [value for _, value in module.model.own_parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=config.lr, weight_decay=config.weight_decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: learning_rate_share(config, done + 1, steps))
    return with_sampler(Trainer, sampler, split=False)(
        model=module,
        args=run.arguments(
            TrainingArguments,
            seed=seed,
            # The module chooses the precision itself, and its batches need no preparation.
            bf16=False,
            fp16=False,
            dataloader_num_workers=0,
            ddp_find_unused_parameters=False,
        ),
        train_dataset=range(items),
        data_collator=_as_indices,
        optimizers=(optimizer, schedule),
    )


def learning_rate_share(config: RunSettings, step: int, steps: int) -> float:
    """Return the share of `lr` at a step, counted from 1: it rises linearly, then falls to 0 after the last step."""
    rising = max(1, round(config.warmup * steps))
    return step / rising if step <= rising else (steps + 1 - step) / (steps + 1 - rising)


def process_count() -> int:
    """Return the number of processes that train together."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


def process_number() -> int:
    """Return the number of this process, counted from 0."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def process_share(items: Sequence[Item]) -> list[Item]:
    """Return this process's part of some items. All parts have the same length; the last ones repeat the first item."""
    size = math.ceil(len(items) / process_count())
    start = process_number() * size
    part = list(items[start : start + size])
    return part + [items[0]] * (size - len(part))


def gather_rows(rows: Tensor, total: int) -> Tensor:
    """Return the first `total` rows of all processes, in their order; each process's own rows carry a gradient."""
    count = process_count()
    if count == 1:
        return rows
    parts = [torch.empty_like(rows) for _ in range(count)]
    distributed.all_gather(parts, rows.detach().contiguous())
    parts[process_number()] = rows
    # The trainer averages the gradients of the processes; here they are parts of one sum.
    rows.register_hook(lambda gradient: gradient * count)  # type: ignore[no-untyped-call]
    return torch.cat(parts)[:total]


def _as_indices(rows: Sequence[int]) -> dict[str, list[int]]:
    return {"indices": list(rows)}
