"""The recipe for language models: LoRA on questions with short answers, the loss on the answer alone."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from litotes.errors import InputError, require
from litotes.models.causal import ADAPTER, BASE, CausalModel, Weights, find_causal, open_causal
from litotes.models.llm import build
from litotes.models.loading import Settings, configuration
from litotes.models.tower.build import Base
from litotes.train.asking import IGNORED, OPPOSITES, TASKS, Tokens, asks, tokens_of
from litotes.train.config import check_settings
from litotes.train.examples import Example
from litotes.train.runs import Evaluate, Trained, Watch, facts_of, usable
from litotes.train.trainer import Run, running

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class LlmTraining:
    """One run's settings. The hedging paper tuned Llama-3-8B with rank 16, alpha 16 and no dropout on these layers."""

    base: str = "smollm2"
    """smollm2, a folder, a GGUF file or a hub name; it must have a chat template"""
    task: str = OPPOSITES
    """opposites asks for yes or no about two sentences; choice for the better of two documents"""
    only: str = ""
    """negation leaves hedges out; hedging has hedges against plain denials"""
    positive_kinds: tuple[str, ...] = ()
    """the kinds of positives to keep; none named keeps all"""

    rank: int = 16
    alpha: float = 16.0
    dropout: float = 0.0
    layers: tuple[str, ...] = PROJECTIONS
    """the projections that get an adapter, by the ends of their names"""
    four_bit: bool = False
    """the base in 4 bits; needs bitsandbytes and a GPU"""
    checkpointing: bool = False
    """works activations out twice instead of keeping them: slower, in far less memory"""
    packing: bool = True
    """the questions of a batch in one row, each seeing itself alone: no padding"""
    merge: bool = False
    """writes the whole model with the adapter in it as well"""

    lr: float = 2e-4
    warmup: float = 0.05
    weight_decay: float = 0.0
    clip: float = 1.0
    epochs: int = 1
    batch: int = 16
    """questions at once, on each device"""
    max_tokens: int = 512
    """longer questions are left out: an answer to half a question teaches nothing"""
    precision: str = "auto"
    max_general_loss: float | None = None
    seed: int = 0

    in_batch: ClassVar[bool] = False
    distance_weight: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        check_settings(self)
        if self.task not in TASKS:
            raise InputError(f"task is {self.task!r}; expected {' or '.join(TASKS)}")
        if self.rank < 1 or self.alpha <= 0 or not 0 <= self.dropout < 1 or not self.layers:
            raise InputError(
                f"rank is {self.rank}, alpha {self.alpha}, dropout {self.dropout}, layers {list(self.layers)}; "
                "expected a rank of 1 or more, an alpha above 0, a dropout from 0 to 1 and one layer at least"
            )

    def plain(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds), "layers": list(self.layers)}


def train_llm(
    config: LlmTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    out: Path | str | None = None,
    manifest: Sequence[Mapping[str, Any]] = (),
    evaluate: Evaluate | None = None,
    watch: Watch | None = None,
    device: str | None = None,
    checkpoint_every: int = 500,
) -> Trained:
    """Tunes a language model with LoRA on the library's Trainer; on one device, or several through accelerate.

    The folder's `adapter` is what `load("llm:…")` reads, and names its base; with `merge`, `merged` is a model of its
    own. `evaluate` is called with an adapter of the family llm, whose name is the base's.
    """
    if replay:
        raise InputError("the recipe llm replays nothing; expected no --replay")
    kept = usable(config, examples)
    asked = asks(kept, task=config.task, only=config.only, seed=config.seed)
    weights = find_causal(config.base)
    base = Base(config.base, weights.sha256, weights.source)
    with running(
        config,
        facts_of(config, base, kept),
        out=out,
        manifest=manifest,
        evaluate=evaluate,
        watch=watch,
        device=device,
        checkpoint_every=checkpoint_every,
    ) as run:
        model, tokenizer = _with_adapter(config, weights, run)
        causal = CausalModel(config.base, model, tokenizer)
        rows = [one for one in (tokens_of(ask, tokenizer) for ask in asked) if len(one.ids) <= config.max_tokens]
        if not rows:
            raise InputError(f"every question is longer than max_tokens, {config.max_tokens}; expected more")
        seen = build(f"llm:{config.base}", Settings(), generator=causal)
        run.evaluate = evaluate and (lambda _: evaluate(seen))
        run.save_weights, run.load_weights = _save_adapter, _load_adapter
        trained = run.fit(_trainer(config, run, model, tokenizer, rows))
        if run.folder and run.saves:
            _leave(config, model, tokenizer, run.folder)
    return replace(trained, model=seen)


def count(config: LlmTraining, examples: Sequence[Example]) -> int:
    """How many questions an epoch has."""
    return len(asks(examples, task=config.task, only=config.only, seed=config.seed))


class Batches:
    """Questions of a batch as tensors: in one row, or one below the other and padded."""

    def __init__(self, padding: int, *, packing: bool) -> None:
        self._padding, self._packing = padding, packing

    def __call__(self, rows: Sequence[Tokens]) -> dict[str, Any]:
        import torch

        if self._packing:
            ids = [token for row in rows for token in row.ids]
            # the first token of each is no continuation of the one before; its place begins again at 0
            labels = [label for row in rows for label in (IGNORED, *row.labels[1:])]
            places = [place for row in rows for place in range(len(row.ids))]
            found = {"input_ids": ids, "labels": labels, "position_ids": places}
            return {name: torch.tensor([values]) for name, values in found.items()}
        width = max(len(row.ids) for row in rows)
        gaps = [width - len(row.ids) for row in rows]
        pairs = list(zip(rows, gaps, strict=True))
        return {
            "input_ids": torch.tensor([[*row.ids, *[self._padding] * gap] for row, gap in pairs]),
            "attention_mask": torch.tensor([[1] * len(row.ids) + [0] * gap for row, gap in pairs]),
            "labels": torch.tensor([[*row.labels, *[IGNORED] * gap] for row, gap in pairs]),
        }


def _with_adapter(config: LlmTraining, weights: Weights, run: Run) -> tuple[Any, Any]:
    """The base with fresh adapters, ready to learn."""
    peft = require("peft", extra="train", why="tuning a language model")
    torch = require("torch", extra="train", why="training")
    if weights.adapter:
        raise InputError(f"{config.base} is an adapter; expected a whole model. Merge it first (--set merge=true)")
    torch.manual_seed(config.seed)
    model, tokenizer = open_causal(weights, run.device, "float32", **_quantised(config, run.device))
    if config.four_bit:
        model = peft.prepare_model_for_kbit_training(model, use_gradient_checkpointing=config.checkpointing)
    lora = peft.LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules=list(config.layers),
        task_type="CAUSAL_LM",
    )
    try:
        model = peft.get_peft_model(model, lora)
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{config.base} has none of the layers {', '.join(config.layers)} ({reason}). "
            "Name its own with --set layers=A,B"
        ) from error
    # while it is named, the library asks the hub about it at every checkpoint
    model.peft_config["default"].base_model_name_or_path = None
    if config.checkpointing:
        model.enable_input_require_grads()
    # with a cache the library would take a packed row for one text
    model.config.use_cache = False
    return model, tokenizer


def _quantised(config: LlmTraining, device: str) -> dict[str, Any]:
    """What the library is told for a base in 4 bits; InputError where the machine cannot have one."""
    if not config.four_bit:
        return {}
    if device != "cuda" or importlib.util.find_spec("bitsandbytes") is None:
        raise InputError(
            "four_bit needs a GPU and bitsandbytes (pip install bitsandbytes); expected four_bit=false here"
        )
    torch = require("torch", extra="train", why="training")
    transformers = require("transformers", extra="train", why="training")
    how = transformers.BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16
    )
    return {"quantization_config": how, "device_map": {"": 0}}


def _trainer(config: LlmTraining, run: Run, model: Any, tokenizer: Any, rows: Sequence[Tokens]) -> Any:
    transformers = require("transformers", extra="train", why="training")
    arguments = run.arguments(
        transformers.TrainingArguments,
        gradient_checkpointing=config.checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": False} if config.checkpointing else None,
        label_names=["labels"],
        dataloader_drop_last=False,
    )
    return transformers.Trainer(
        model=model,
        args=arguments,
        train_dataset=list(rows),
        data_collator=Batches(tokenizer.pad_token_id or 0, packing=config.packing),
    )


def _save_adapter(model: Any, path: str) -> None:
    peft = require("peft", extra="train", why="tuning a language model")
    weights = {
        name: value.detach().cpu().contiguous()
        for name, value in peft.get_peft_model_state_dict(model, save_embedding_layers=False).items()
    }
    require("safetensors.torch", extra="train", why="training").save_file(weights, path)


def _load_adapter(model: Any, path: str, device: str) -> None:
    peft = require("peft", extra="train", why="tuning a language model")
    weights = require("safetensors.torch", extra="train", why="training").load_file(path, device=device)
    peft.set_peft_model_state_dict(model, weights)


def _leave(config: LlmTraining, model: Any, tokenizer: Any, folder: Path) -> None:
    """The adapter, and the merged model where it was asked for; each folder appears when it is whole."""
    part = folder / "adapter.part"
    # what an adapter's folder says of its base is what `load` looks for
    model.peft_config["default"].base_model_name_or_path = config.base
    # no embedding was touched: without this the library would look for the base on the hub
    model.save_pretrained(str(part), save_embedding_layers=False)
    # the library's own card says nothing; the run's does
    (part / "README.md").unlink(missing_ok=True)
    if configuration(part, ADAPTER).get(BASE) != config.base:
        raise InputError(f"{part / ADAPTER} names another base than {config.base}")
    _put(part, folder / "adapter")
    if config.merge:
        part = folder / "merged.part"
        model.merge_and_unload().save_pretrained(str(part))
        tokenizer.save_pretrained(str(part))
        _put(part, folder / "merged")


def _put(part: Path, place: Path) -> None:
    if place.exists():
        shutil.rmtree(place)
    part.replace(place)
