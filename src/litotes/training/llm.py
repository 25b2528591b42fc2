"""The recipe for language models: LoRA on questions with short answers; only the answer has a loss."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Unpack

from litotes.errors import InputError, require
from litotes.models.base_encoder import Base
from litotes.models.causal import ADAPTER_CONFIG, BASE_KEY, CausalModel, CausalWeights, find_causal, open_causal
from litotes.models.llm import build
from litotes.models.loading import Settings, configuration
from litotes.training.config import check_settings
from litotes.training.examples import Example
from litotes.training.llm_questions import (
    IGNORED,
    OPPOSITES,
    TASKS,
    QuestionTokens,
    questions_of,
    tokenize_question,
)
from litotes.training.loop import fit, open_run
from litotes.training.run import Run, RunOptions, Trained, run_facts, select_examples

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class LlmTraining:
    """The settings of one run. The hedging paper tuned Llama-3-8B with rank 16, alpha 16 and no dropout."""

    base: str = "smollm2"
    """smollm2, a folder, a GGUF file or a hub name; the model needs a chat template."""
    task: str = OPPOSITES
    """opposites asks whether two sentences are opposites; choice asks for the better of two documents."""
    only: str = ""
    """negation leaves out hedges; hedging pairs hedges with plain denials."""
    positive_kinds: tuple[str, ...] = ()
    """The kinds of positives to use; the default is all."""

    rank: int = 16
    alpha: float = 16.0
    dropout: float = 0.0
    layers: tuple[str, ...] = PROJECTIONS
    """The projections that get an adapter, by the ends of their names."""
    four_bit: bool = False
    """Whether to load the base in 4 bits; needs bitsandbytes and a GPU."""
    checkpointing: bool = False
    """Whether to recompute activations instead of storing them: slower, with much less memory."""
    packing: bool = True
    """Whether to put the questions of a batch into one row, without padding; each attends only to itself."""
    merge: bool = False
    """Whether to write the whole model with the merged adapter as well."""

    lr: float = 2e-4
    warmup: float = 0.05
    weight_decay: float = 0.0
    clip: float = 1.0
    epochs: int = 1
    batch: int = 16
    """Questions per step and device."""
    max_tokens: int = 512
    """Longer questions are left out."""
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
                "expected a rank of 1 or more, an alpha above 0, a dropout from 0 to 1 and at least one layer"
            )

    def plain(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self) | {"positive_kinds": list(self.positive_kinds), "layers": list(self.layers)}


def train_llm(
    config: LlmTraining,
    examples: Sequence[Example],
    *,
    replay: Sequence[Example] = (),
    **options: Unpack[RunOptions],
) -> Trained:
    """Tune a language model with LoRA on transformers' Trainer; on one device or, with accelerate, several.

    `load("llm:…")` loads the folder `adapter` of the run, which names its base; with `merge`, the folder `merged` has a
    whole model. The evaluator is called with an adapter of the family llm, whose name is the base's.
    """
    if replay:
        raise InputError("the recipe llm has no replay; expected no --replay")
    selected = select_examples(config, examples)
    questions = questions_of(selected, task=config.task, only=config.only, seed=config.seed)
    weights = find_causal(config.base)
    base = Base(config.base, weights.sha256, weights.source)
    with open_run(config, run_facts(config, base, selected), **options) as run:
        model, tokenizer = _with_adapter(config, weights, run)
        causal = CausalModel(config.base, model, tokenizer)
        tokenized = [tokenize_question(question, tokenizer) for question in questions]
        rows = [tokens for tokens in tokenized if len(tokens.ids) <= config.max_tokens]
        if not rows:
            raise InputError(f"every question is longer than max_tokens, {config.max_tokens}; expected a higher value")
        adapter = build(f"llm:{config.base}", Settings(), generator=causal)
        evaluate = options.get("evaluate")
        run.evaluate = run.evaluate_start = evaluate and (lambda _: evaluate(adapter))
        run.save_weights, run.load_weights = _save_adapter, _load_adapter
        trained = fit(run, _trainer(config, run, model, tokenizer, rows))
        if run.folder and run.saves:
            _save(config, model, tokenizer, run.folder)
    return replace(trained, model=adapter)


def count(config: LlmTraining, examples: Sequence[Example], replay: Sequence[Example] = ()) -> int:
    """Return the number of questions per epoch."""
    return len(questions_of(examples, task=config.task, only=config.only, seed=config.seed))


class QuestionCollator:
    """Collator for tokenized questions: all in one row, or one per row and padded."""

    def __init__(self, padding: int, *, packing: bool) -> None:
        self._padding, self._packing = padding, packing

    def __call__(self, rows: Sequence[QuestionTokens]) -> dict[str, Any]:
        import torch

        if self._packing:
            ids = [token for row in rows for token in row.ids]
            # The first token of a question does not continue the question before it; positions start again at 0.
            labels = [label for row in rows for label in (IGNORED, *row.labels[1:])]
            positions = [position for row in rows for position in range(len(row.ids))]
            packed = {"input_ids": ids, "labels": labels, "position_ids": positions}
            return {name: torch.tensor([values]) for name, values in packed.items()}
        width = max(len(row.ids) for row in rows)
        padded = [(row, width - len(row.ids)) for row in rows]
        return {
            "input_ids": torch.tensor([[*row.ids, *[self._padding] * gap] for row, gap in padded]),
            "attention_mask": torch.tensor([[1] * len(row.ids) + [0] * gap for row, gap in padded]),
            "labels": torch.tensor([[*row.labels, *[IGNORED] * gap] for row, gap in padded]),
        }


def _with_adapter(config: LlmTraining, weights: CausalWeights, run: Run) -> tuple[Any, Any]:
    """Load the base and add fresh adapters."""
    peft = require("peft", extra="train", why="tuning a language model")
    torch = require("torch", extra="train", why="training")
    if weights.adapter:
        raise InputError(
            f"{config.base} is an adapter; expected a whole model. Merge the adapter first (--set merge=true)"
        )
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
            "Name its layers with --set layers=A,B"
        ) from error
    # If the base is named, the library looks it up on the hub at every checkpoint.
    model.peft_config["default"].base_model_name_or_path = None
    if config.checkpointing:
        model.enable_input_require_grads()
    # With a cache, the library would treat a packed row as one text.
    model.config.use_cache = False
    return model, tokenizer


def _quantised(config: LlmTraining, device: str) -> dict[str, Any]:
    """Return the options that load a base in 4 bits; raise InputError if this machine cannot do so."""
    if not config.four_bit:
        return {}
    if device != "cuda" or importlib.util.find_spec("bitsandbytes") is None:
        raise InputError(
            "four_bit needs a GPU and bitsandbytes (pip install bitsandbytes); expected four_bit=false on this machine"
        )
    torch = require("torch", extra="train", why="training")
    transformers = require("transformers", extra="train", why="training")
    four_bit = transformers.BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16
    )
    return {"quantization_config": four_bit, "device_map": {"": 0}}


def _trainer(config: LlmTraining, run: Run, model: Any, tokenizer: Any, rows: Sequence[QuestionTokens]) -> Any:
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
        data_collator=QuestionCollator(tokenizer.pad_token_id or 0, packing=config.packing),
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


def _save(config: LlmTraining, model: Any, tokenizer: Any, folder: Path) -> None:
    """Save the adapter and, if configured, the merged model; each folder appears when it is complete."""
    partial = folder / "adapter.part"
    # `load` looks up the base by this name.
    model.peft_config["default"].base_model_name_or_path = config.base
    # The embeddings are unchanged; without this option the library would look for the base on the hub.
    model.save_pretrained(str(partial), save_embedding_layers=False)
    # The run's card replaces the library's.
    (partial / "README.md").unlink(missing_ok=True)
    if configuration(partial, ADAPTER_CONFIG).get(BASE_KEY) != config.base:
        raise InputError(f"{partial / ADAPTER_CONFIG} names another base than {config.base}")
    _replace_folder(partial, folder / "adapter")
    if config.merge:
        partial = folder / "merged.part"
        model.merge_and_unload().save_pretrained(str(partial))
        tokenizer.save_pretrained(str(partial))
        _replace_folder(partial, folder / "merged")


def _replace_folder(source: Path, target: Path) -> None:
    if target.exists():
        shutil.rmtree(target)
    source.replace(target)
