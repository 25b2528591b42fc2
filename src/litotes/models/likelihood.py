"""How likely a causal language model finds each token of a text. Any family of `models/causal.py` will do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litotes.errors import InputError, require
from litotes.models.causal import find_causal, open_causal
from litotes.models.loading import Settings, device_of

DOCUMENT_ENDS = ("<|endoftext|>", "</s>")
"""Tokens between the documents that a model was trained on. A text is scored as the start of a document."""
ScoredToken = tuple[int, int, float]
"""Where a token starts and ends in its text, and the natural logarithm of its probability."""


class TextLikelihood:
    """A causal language model that scores the tokens of a text. Unlike `CausalModel`, it needs no chat template."""

    def __init__(self, name: str, model: Any, tokenizer: Any, *, batch: int = 16, longest: int = 256) -> None:
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.batch, self.longest = batch, longest
        self._start = _document_start(name, tokenizer)

    def token_log_probabilities(self, texts: Sequence[str]) -> list[list[ScoredToken]]:
        """Return the tokens of each text. What comes after `longest` tokens is not read."""
        encoded = self.tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, truncation=True, max_length=self.longest
        )
        tokens, offsets = encoded["input_ids"], encoded["offset_mapping"]
        rows: list[list[ScoredToken]] = [[] for _ in texts]
        # Texts of similar length are batched together, to keep the padding short.
        order = sorted((at for at in range(len(rows)) if tokens[at]), key=lambda at: len(tokens[at]))
        for first in range(0, len(order), self.batch):
            batch = order[first : first + self.batch]
            for at, values in zip(batch, self._scored([tokens[at] for at in batch]), strict=True):
                spans = zip(offsets[at], values, strict=True)
                rows[at] = [(int(start), int(end), value) for (start, end), value in spans]
        return rows

    def _scored(self, texts: Sequence[list[int]]) -> list[list[float]]:
        """Return the log-probability of each token, given those before it."""
        torch = require("torch", extra="models", why="language models")
        width = max(map(len, texts))
        device = self.model.device
        # The last token is not read, because nothing comes after it. Padding comes last, so nothing reads it.
        read = [[self._start, *text[:-1]] + [self._start] * (width - len(text)) for text in texts]
        mask = [[1] * len(text) + [0] * (width - len(text)) for text in texts]
        rows: list[list[float]] = []
        with torch.inference_mode():
            states = self.model.get_decoder()(
                input_ids=torch.tensor(read, device=device), attention_mask=torch.tensor(mask, device=device)
            ).last_hidden_state
            for state, text in zip(states, texts, strict=True):
                # The head is as wide as the vocabulary, so it is applied to one text at a time.
                logits = self.model.get_output_embeddings()(state[: len(text)]).float()
                chosen = logits.gather(-1, torch.tensor(text, device=device)[:, None])[:, 0]
                rows.append((chosen - logits.logsumexp(-1)).tolist())
        return rows


def load_likelihood(name: str, settings: Settings | None = None) -> TextLikelihood:
    """Load a language model by its name or folder: those of `load_causal`, and base models."""
    settings = settings or Settings(batch=16)
    torch = require("torch", extra="models", why="language models")
    device = device_of(settings.device, torch) or ("cuda" if torch.cuda.is_available() else "cpu")
    model, tokenizer = open_causal(find_causal(name), device, settings.dtype)
    model.eval()
    return TextLikelihood(name, model, tokenizer, batch=settings.batch, longest=settings.max_tokens)


def _document_start(name: str, tokenizer: Any) -> int:
    known = [token for token in DOCUMENT_ENDS if token in tokenizer.get_vocab()]
    token = known[0] if known else tokenizer.bos_token or tokenizer.eos_token
    if token is None:
        raise InputError(f"{name} has no token for the start of a text; expected a bos_token or an eos_token")
    return int(tokenizer.convert_tokens_to_ids(token))
