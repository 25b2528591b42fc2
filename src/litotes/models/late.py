"""Late interaction, as in ColBERT: one vector per token; a score is the sum of the best match of each query token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import Adapter, check_pairs, check_texts, distinct, model_facts, open_model, source_facts
from litotes.models.loading import Settings, Source, architectures, find, saved_as
from litotes.types import Maxsim

if TYPE_CHECKING:
    import numpy as np

_SAVED_AS = ("MultiVectorEncoder", "ColBERT")
# The token vectors of a whole collection would not fit in memory, so documents are encoded in blocks.
_BLOCK = 1024
_MEAN_SIMILARITY = "meanmaxsim"
_REPLACEMENT_CHARACTER = "\ufffd"


class Late(Adapter):
    """A MultiVectorEncoder."""

    family = "late"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(self, name: str, source: Source, settings: Settings) -> None:
        super().__init__(name)
        _refuse_untrained(name, source)
        self._source, self._settings = source, settings
        self._model = open_model("MultiVectorEncoder", source, settings, family=self.family)

    @property
    def model(self) -> Any:
        """Return the MultiVectorEncoder, which training changes."""
        return self._model

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the similarity of each query with the document at the same position."""
        import numpy as np

        left, right = check_pairs(queries, documents)
        scores = np.zeros(len(left))
        for start in range(0, len(left), _BLOCK):
            block = slice(start, start + _BLOCK)
            (queries, query_at), (documents, document_at) = distinct(left[block]), distinct(right[block])
            query_tokens, document_tokens = self._tokens(queries, "query"), self._tokens(documents, "document")
            scores[block] = _numbers(
                self._model.similarity_pairwise(
                    [query_tokens[at] for at in query_at], [document_tokens[at] for at in document_at]
                )
            )
        return scores

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """Return the similarity of every query with every document."""
        import numpy as np

        left, right = check_texts(queries, "queries"), check_texts(documents, "documents")
        scores = np.zeros((len(left), len(right)))
        if not left or not right:
            return scores
        query_tokens = self._tokens(left, "query")
        for start in range(0, len(right), _BLOCK):
            block = slice(start, start + _BLOCK)
            scores[:, block] = _numbers(self._model.similarity(query_tokens, self._tokens(right[block], "document")))
        return scores

    def maxsim(self, query: str, document: str, *, pair: str = "") -> Maxsim:
        """Return the similarity of each query token with each document token.

        The maxima of the rows add up to the score of the pair. Tokens are those that the model scores: with markers and
        mask tokens, without padding and skipped words. If the score is a mean over query tokens, each cell is divided
        by their number.
        """
        check_pairs([query], [document])
        query_tokens, left = self._scored_tokens(query, "query")
        document_tokens, right = self._scored_tokens(document, "document")
        cells = _numbers(left @ right.T)
        if self._model.similarity_fn_name == _MEAN_SIMILARITY:
            cells /= len(query_tokens)
        matrix = tuple(tuple(map(float, row)) for row in cells)
        return Maxsim(self.name, pair, query_tokens, document_tokens, matrix, self.fingerprint)

    def details(self) -> dict[str, Any]:
        similarity = str(self._model.similarity_fn_name)
        return source_facts(self._source) | model_facts(self._model) | {"similarity": similarity}

    def _tokens(self, texts: list[str], role: str) -> list[Any]:
        vectors: list[Any] = self._encode(texts, role)
        return vectors

    def _scored_tokens(self, text: str, role: str) -> tuple[tuple[str, ...], Any]:
        """Return the tokens of a text that are scored, in readable form, and their vectors."""
        if any(hasattr(module, "pool_one") and module.applies_to(role) for module in self._model.modules()):
            raise InputError(f"{self.name} pools the tokens of a {role}, so it has no vectors of single tokens to show")
        (features,) = self._encode([text], role, output_value=None)
        scored = features["attention_mask"].bool()
        if not scored.any():
            raise InputError(f"{self.name} scores no token of the {role} {text[:40]!r}; expected a text with words")
        names = _readable(self._model.tokenizer, features["input_ids"][scored].tolist())
        return names, features["token_embeddings"][scored]

    def _encode(self, texts: list[str], role: str, **options: Any) -> Any:
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        return encode(texts, batch_size=self._settings.batch, show_progress_bar=False, **options)


def _numbers(scores: Any) -> np.ndarray:
    array: np.ndarray = scores.double().cpu().numpy()
    return array


def _readable(tokenizer: Any, ids: Sequence[int]) -> tuple[str, ...]:
    """Return word pieces as text, or as the vocabulary spells them if they are blank or part of a character."""
    texts = [tokenizer.decode([token], clean_up_tokenization_spaces=False).strip() for token in ids]
    spellings = tokenizer.convert_ids_to_tokens(ids)
    return tuple(
        text if text and _REPLACEMENT_CHARACTER not in text else spelling
        for text, spelling in zip(texts, spellings, strict=True)
    )


def _refuse_untrained(name: str, source: Source) -> None:
    """Refuse an encoder without a trained projection: the library would add one with random weights."""
    saved = saved_as(source.folder)
    native = any(kind == "HF_ColBERT" or kind.endswith("ForRetrieval") for kind in architectures(source.folder))
    if saved not in _SAVED_AS and not native:
        raise InputError(f"{name} is not a late-interaction model. Expected a saved MultiVectorEncoder or a ColBERT")


def build(name: str, settings: Settings, *, revision: str = "") -> Late:
    """Load `late:NAME-OR-PATH`."""
    family, _, target = name.partition(":")
    return Late(name, find(target, family=family, revision=revision), settings)
