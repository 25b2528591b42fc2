"""Sequence-to-sequence rankers, such as monoT5: they answer whether a document is relevant with true or false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import Adapter, check_pairs, source_facts
from litotes.models.loading import Settings, Source, device_of, find, loading

if TYPE_CHECKING:
    import numpy as np

PROMPT = "Query: {query} Document: {document}"
QUESTION = "Relevant:"


class Seq2Seq(Adapter):
    """A model that answers `true` or `false`. The score is the log-probability of true, normalised over the two."""

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
        with loading(source, self.family):
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(source.folder, local_files_only=True)
            self.model = transformers.AutoModelForSeq2SeqLM.from_pretrained(
                source.folder, local_files_only=True, dtype=getattr(self._torch, settings.dtype)
            )
        self.model.to(self._device).eval()
        self._answers = answers
        self.answer_ids = [self._only_token(name, answer) for answer in answers]

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the log-probability that each document is relevant to the query at the same position."""
        import numpy as np

        left, right = check_pairs(queries, documents)
        scores = np.zeros(len(left))
        prompts = self.prompts(left, right)
        order = sorted(range(len(prompts)), key=lambda at: -len(prompts[at]))
        for start in range(0, len(order), self._settings.batch):
            batch = order[start : start + self._settings.batch]
            scores[batch] = self._log_probability_of_true([prompts[at] for at in batch])
        return scores

    def details(self) -> dict[str, Any]:
        return source_facts(self._source) | {
            "dtype": self._settings.dtype,
            "max_tokens": self._settings.max_tokens,
            "prompt": f"{PROMPT} {QUESTION}",
            "answers": list(self._answers),
        }

    def prompts(self, queries: list[str], documents: list[str]) -> list[list[int]]:
        """Return the prompts as token ids. A long document is truncated, but not the question after it."""
        if not queries:
            return []
        question = self._ids(QUESTION) + [self.tokenizer.eos_token_id] * (self.tokenizer.eos_token_id is not None)
        texts = [PROMPT.format(query=q, document=d) for q, d in zip(queries, documents, strict=True)]
        limit = self._settings.max_tokens - len(question)
        tokens = self.tokenizer(texts, add_special_tokens=False, truncation=True, max_length=limit)
        return [ids + question for ids in tokens["input_ids"]]

    def _log_probability_of_true(self, prompts: list[list[int]]) -> np.ndarray:
        """Run one decoding step, and compare the probabilities of the two answers."""
        torch = self._torch
        padded = self.tokenizer.pad({"input_ids": prompts}, return_tensors="pt").to(self._device)
        start = torch.full((len(prompts), 1), self.model.config.decoder_start_token_id, device=self._device)
        with torch.inference_mode():
            logits = self.model(
                input_ids=padded["input_ids"], attention_mask=padded["attention_mask"], decoder_input_ids=start
            ).logits[:, 0, self.answer_ids]
        scores: np.ndarray = torch.log_softmax(logits.double(), dim=-1)[:, 0].cpu().numpy()
        return scores

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _only_token(self, name: str, answer: str) -> int:
        ids = self._ids(answer)
        if len(ids) != 1:
            raise InputError(f"{name} splits {answer!r} into {len(ids)} tokens; expected answers of one token each")
        return ids[0]


def build(
    name: str, settings: Settings, *, answers: tuple[str, str] = ("true", "false"), revision: str = ""
) -> Seq2Seq:
    """Load `seq2seq:NAME-OR-PATH`. `answers` are the words for relevant and for not relevant."""
    family, _, target = name.partition(":")
    return Seq2Seq(name, find(target, family=family, revision=revision), settings, answers=answers)
