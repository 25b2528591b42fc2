"""Sequence-to-sequence rankers: asked whether a document is relevant, they say true or false, as monoT5 does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import Adapter, pairs_of, source_facts
from litotes.models.loading import Settings, Source, device_of, find, reading

if TYPE_CHECKING:
    import numpy as np

PROMPT = "Query: {query} Document: {document}"
QUESTION = "Relevant:"


class Seq2Seq(Adapter):
    """A model that answers `true` or `false`; the score is the log-probability of true among the two."""

    family = "seq2seq"
    libraries = ("transformers", "torch")

    def __init__(
        self, name: str, source: Source, settings: Settings, *, answers: tuple[str, str] = ("true", "false")
    ) -> None:
        super().__init__(name)
        transformers = require("transformers", extra="models", why="seq2seq models")
        self._torch = require("torch", extra="models", why="seq2seq models")
        self._source, self._settings = source, settings
        self._device = device_of(settings.device, self._torch) or ("cuda" if self._torch.cuda.is_available() else "cpu")
        with reading(source, self.family):
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(source.folder, local_files_only=True)
            self.model = transformers.AutoModelForSeq2SeqLM.from_pretrained(
                source.folder, local_files_only=True, dtype=getattr(self._torch, settings.dtype)
            )
        self.model.to(self._device).eval()
        self._answers = answers
        self.answer_ids = [self._only_token(name, answer) for answer in answers]

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The log-probability that the document beside each query is relevant to it."""
        import numpy as np

        left, right = pairs_of(queries, documents)
        found = np.zeros(len(left))
        asked = self.prompts(left, right)
        order = sorted(range(len(asked)), key=lambda at: -len(asked[at]))
        for start in range(0, len(order), self._settings.batch):
            places = order[start : start + self._settings.batch]
            found[places] = self._true([asked[at] for at in places])
        return found

    def details(self) -> dict[str, Any]:
        return source_facts(self._source) | {
            "dtype": self._settings.dtype,
            "max_tokens": self._settings.max_tokens,
            "prompt": f"{PROMPT} {QUESTION}",
            "answers": list(self._answers),
        }

    def prompts(self, queries: list[str], documents: list[str]) -> list[list[int]]:
        """The prompts as token ids; a document too long is cut, and the question after it never is."""
        if not queries:
            return []
        question = self._ids(QUESTION) + [self.tokenizer.eos_token_id] * (self.tokenizer.eos_token_id is not None)
        texts = [PROMPT.format(query=q, document=d) for q, d in zip(queries, documents, strict=True)]
        room = self._settings.max_tokens - len(question)
        found = self.tokenizer(texts, add_special_tokens=False, truncation=True, max_length=room)
        return [ids + question for ids in found["input_ids"]]

    def _true(self, prompts: list[list[int]]) -> np.ndarray:
        """One step of decoding: how likely the model is to begin with true."""
        torch = self._torch
        padded = self.tokenizer.pad({"input_ids": prompts}, return_tensors="pt").to(self._device)
        start = torch.full((len(prompts), 1), self.model.config.decoder_start_token_id, device=self._device)
        with torch.inference_mode():
            logits = self.model(
                input_ids=padded["input_ids"], attention_mask=padded["attention_mask"], decoder_input_ids=start
            ).logits[:, 0, self.answer_ids]
        found: np.ndarray = torch.log_softmax(logits.double(), dim=-1)[:, 0].cpu().numpy()
        return found

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def _only_token(self, name: str, answer: str) -> int:
        ids = self._ids(answer)
        if len(ids) != 1:
            raise InputError(f"{name} writes {answer!r} in {len(ids)} tokens; expected answers of one token each")
        return ids[0]


def build(
    name: str, settings: Settings, *, answers: tuple[str, str] = ("true", "false"), revision: str = ""
) -> Seq2Seq:
    """`seq2seq:name-or-path`; `answers` are the words for relevant and not."""
    family, _, target = name.partition(":")
    return Seq2Seq(name, find(target, family=family, revision=revision), settings, answers=answers)
