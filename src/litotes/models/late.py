"""Late interaction: a vector a token, and the sum of each query token's best match, as ColBERT's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import Adapter, distinct, model_facts, open_model, pairs_of, source_facts, texts_of
from litotes.models.loading import Settings, Source, architectures, find, saved_as
from litotes.types import Maxsim

if TYPE_CHECKING:
    import numpy as np

_SAVED_AS = ("MultiVectorEncoder", "ColBERT")
# Token vectors of a whole collection would not fit in memory: this many documents are held at a time.
_HELD = 1024
_MEAN = "meanmaxsim"
_NO_LETTER = "\ufffd"


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
        """The library's own model: what a recipe trains."""
        return self._model

    def score(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity of each query and the document beside it."""
        import numpy as np

        left, right = pairs_of(queries, documents)
        found = np.zeros(len(left))
        for start in range(0, len(left), _HELD):
            part = slice(start, start + _HELD)
            (asked, query_at), (answers, document_at) = distinct(left[part]), distinct(right[part])
            query_tokens, document_tokens = self._tokens(asked, "query"), self._tokens(answers, "document")
            found[part] = _numbers(
                self._model.similarity_pairwise(
                    [query_tokens[at] for at in query_at], [document_tokens[at] for at in document_at]
                )
            )
        return found

    def matrix(self, queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
        """The similarity of every query and every document."""
        import numpy as np

        left, right = texts_of(queries, "queries"), texts_of(documents, "documents")
        found = np.zeros((len(left), len(right)))
        if not left or not right:
            return found
        query_tokens = self._tokens(left, "query")
        for start in range(0, len(right), _HELD):
            part = slice(start, start + _HELD)
            found[:, part] = _numbers(self._model.similarity(query_tokens, self._tokens(right[part], "document")))
        return found

    def maxsim(self, query: str, document: str, *, pair: str = "") -> Maxsim:
        """How each token of the query matches each of the document: the rows' maxima add up to the pair's score.

        The tokens are those the model scores: markers and mask expansions are among them, padding and the words it
        skips are not. Where the score is a mean over query tokens, a cell is divided by how many there are.
        """
        (asked,), (answer,) = pairs_of([query], [document])
        query_tokens, left = self._named(asked, "query")
        document_tokens, right = self._named(answer, "document")
        cells = _numbers(left @ right.T)
        if self._model.similarity_fn_name == _MEAN:
            cells /= len(query_tokens)
        matrix = tuple(tuple(map(float, row)) for row in cells)
        return Maxsim(self.name, pair, query_tokens, document_tokens, matrix, self.fingerprint)

    def details(self) -> dict[str, Any]:
        similarity = str(self._model.similarity_fn_name)
        return source_facts(self._source) | model_facts(self._model) | {"similarity": similarity}

    def _tokens(self, texts: list[str], role: str) -> list[Any]:
        found: list[Any] = self._encode(texts, role)
        return found

    def _named(self, text: str, role: str) -> tuple[tuple[str, ...], Any]:
        """The tokens of a text that are scored, as a person reads them, and their vectors."""
        if any(hasattr(module, "pool_one") and module.applies_to(role) for module in self._model.modules()):
            raise InputError(f"{self.name} pools the tokens of a {role}: its vectors are no single tokens' to be shown")
        (features,) = self._encode([text], role, output_value=None)
        scored = features["attention_mask"].bool()
        if not scored.any():
            raise InputError(f"{self.name} scores no token of the {role} {text[:40]!r}. Give a text with words in it")
        names = _readable(self._model.tokenizer, features["input_ids"][scored].tolist())
        return names, features["token_embeddings"][scored]

    def _encode(self, texts: list[str], role: str, **options: Any) -> Any:
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        return encode(texts, batch_size=self._settings.batch, show_progress_bar=False, **options)


def _numbers(scores: Any) -> np.ndarray:
    found: np.ndarray = scores.double().cpu().numpy()
    return found


def _readable(tokenizer: Any, ids: Sequence[int]) -> tuple[str, ...]:
    """Word pieces as text; a piece that is no whole letter, or blank, as the vocabulary spells it."""
    texts = [tokenizer.decode([one], clean_up_tokenization_spaces=False).strip() for one in ids]
    spelled = tokenizer.convert_ids_to_tokens(ids)
    return tuple(text if text and _NO_LETTER not in text else own for text, own in zip(texts, spelled, strict=True))


def _refuse_untrained(name: str, source: Source) -> None:
    """The library would put a fresh, random projection on any encoder: figures of no one's model."""
    saved = saved_as(source.folder)
    native = any(kind == "HF_ColBERT" or kind.endswith("ForRetrieval") for kind in architectures(source.folder))
    if saved not in _SAVED_AS and not native:
        raise InputError(f"{name} is no late-interaction model. Expected a saved MultiVectorEncoder or a ColBERT")


def build(name: str, settings: Settings, *, revision: str = "") -> Late:
    """`late:name-or-path`."""
    family, _, target = name.partition(":")
    return Late(name, find(target, family=family, revision=revision), settings)
