"""`litotes.beside`: an encoder of the user's own, with a polarity block beside its vectors."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litotes.errors import InputError, MissingError
from litotes.models.adapter import check_texts, distinct
from litotes.models.bases import MINI
from litotes.models.beside import combine, dial_by_spread
from litotes.models.polarity_block import Polarity, block_of
from litotes.models.tower.scaling import block_weights, check_default_dial, check_dial, other_dial
from litotes.models.tower.shape import TowerShape, tower_config
from litotes.models.vectors import float_rows, unit_rows
from litotes.query.exclusion import (
    BETA,
    EXCLUSION_DIAL_SHARE,
    WHOLE_QUERY_WEIGHT,
    Exclude,
    QueryParts,
    check_exclude,
    combine_parts,
    split_queries,
    text_of,
)
from litotes.types import Exclusion

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

BATCH = 128
"""How many texts an encoder gets at once."""
METHODS = {
    "document": ("encode_document", "encode", "embed_documents", "get_text_embedding_batch"),
    "query": ("encode_query", "encode", "embed_query", "get_query_embedding"),
}
"""role → the methods of sentence-transformers, of other encoders, of LangChain and of LlamaIndex"""
ONE_AT_A_TIME = ("embed_query", "get_query_embedding")
EXCLUDES = "exclude"
"""the option of our own encoders that splits queries"""
DIAL_FORMAT = "litotes dial 1"
"""the format of the files that `litotes dial fit` writes"""
Function = Callable[[list[str]], Any]


def beside(
    encoder: Any,
    *,
    queries: Any = None,
    query_prompt: str = "",
    document_prompt: str = "",
    block: str | Polarity | TowerShape = MINI,
    dial: float | str | Path | None = None,
    similarity: str = "",
    batch: int = BATCH,
) -> BesideEncoder:
    """Put a polarity block beside the vectors of any encoder. Nothing is trained, and the encoder stays as it is.

    - `encoder` is a SentenceTransformer, another object with `encode` or with `encode_document` and `encode_query`, an
      embedding of LangChain or LlamaIndex, or a function from a list of texts to vectors, such as a call to an API.
    - `queries` is an encoder for queries, if they have one of their own.
    - `query_prompt` and `document_prompt` are put before each text that the encoder reads. The block needs no prompt.
    - `block` is a tower whose block is used: its name, its folder, or `litotes.polarity(…)`. A `TowerShape` stands for
      a block that is not on this machine; then only queries at dial 0 can be encoded.
    - `dial` is how much the block counts, or a file that `litotes dial fit` wrote. The default is fitted to the encoder
      when it is first needed, by encoding 250 short passages that come with litotes.
    - `similarity` is how your index compares the encoder's vectors: "cosine", or "dot" for the raw dot product, which
      needs vectors of unit length. The default is that of the encoder, or "cosine".
    - `batch` is how many texts the encoder gets at once.
    """
    chosen = similarity or str(getattr(encoder, "similarity_fn_name", None) or "cosine")
    if chosen not in ("cosine", "dot"):
        raise InputError(f"the vectors are compared by {chosen!r}; expected similarity='cosine' or similarity='dot'")
    for each in (encoder, queries):
        _refuse_towers(each)
    if batch < 1:
        raise InputError(f"batch is {batch}; expected 1 or more")
    return BesideEncoder(
        _Side(_function(encoder, "document"), document_prompt, batch, chosen == "dot"),
        _Side(_function(encoder if queries is None else queries, "query"), query_prompt, batch, chosen == "dot"),
        _opened(block),
        dial=read_dial(dial) if isinstance(dial, str | Path) else dial,
    )


class BesideEncoder:
    """An encoder with a polarity block beside its vectors. Documents are stored at its dial; a query can have another.

    Its vectors are float32 arrays: [√(1−w₀)·f ; √w₀·g], with the encoder's unit vector f and the block g.
    """

    def __init__(
        self, documents: _Side, queries: _Side, block: Polarity | TowerShape, *, dial: float | None = None
    ) -> None:
        self._documents, self._queries, self._block = documents, queries, block
        self._given = None if dial is None else check_default_dial(dial)

    @cached_property
    def dial(self) -> float:
        """The dial that documents are stored at, w₀."""
        if self._given is not None:
            return self._given
        if isinstance(self._block, TowerShape):
            return self._block.default_dial
        return dial_by_spread(self._documents.encode, self._block)

    def __repr__(self) -> str:
        dial = "not fitted yet" if self._given is None and "dial" not in self.__dict__ else f"{self.dial:g}"
        return f"<encoder with a polarity block of {self._block.width} columns, dial {dial}>"

    @property
    def shape(self) -> TowerShape:
        """The dial and the number of columns of the block, for `litotes.dial`."""
        return TowerShape(self.dial, self._block.width)

    @property
    def polarity(self) -> Polarity:
        """The polarity model of the block."""
        if isinstance(self._block, TowerShape):
            raise MissingError(
                "the polarity model is not on this machine, so only queries at dial 0 can be encoded: "
                "encode_query(…, dial=0). Pass block='litotes-mini' to use it"
            )
        return self._block

    @cached_property
    def tower(self) -> Encoder:
        """The tower of the block with its own base, as `litotes.load` returns it."""
        from litotes.query.encoder import Encoder

        return Encoder.of(self.polarity.model)

    def encode_document(self, texts: Sequence[str] | str) -> np.ndarray:
        """Return the vectors to store: one row per text, or one vector for a single text."""
        if isinstance(texts, str):
            row: np.ndarray = self.encode_document([texts])[0]
            return row
        read, dial = check_texts(texts), self.dial
        return combine(self._documents.encode(read), self._blocks(read), dial) if read else self._none()

    def encode(self, texts: Sequence[str] | str) -> np.ndarray:
        """Return the same as `encode_document`."""
        return self.encode_document(texts)

    def encode_query(
        self,
        texts: Sequence[str | Exclusion] | str | Exclusion,
        *,
        dial: float | None = None,
        exclude: Exclude = "auto",
        beta: float = BETA,
    ) -> np.ndarray:
        """Return the vectors to search with; the dot product with a stored vector is (1−w)·cos f + w·cos g.

        `dial` is w. The default is that of the documents, and half of it for a query that excludes something. At 0 the
        block is not computed. `exclude` and `beta` are those of `litotes.load(…).encode_query`: a query such as "films
        with X, excluding Y" is split, and a little of the vector of Y is subtracted.
        """
        if isinstance(texts, (str, Exclusion)):
            row: np.ndarray = self.encode_query([texts], dial=dial, exclude=exclude, beta=beta)[0]
            return row
        queries = check_texts(list(map(text_of, texts)), "queries")
        check_exclude(exclude)
        if not queries:
            return self._none()
        w = self.dial if dial is None else check_dial(dial)
        parts = split_queries(texts, exclude=exclude, whole=WHOLE_QUERY_WEIGHT > 0)
        excluding = [number for number, excluded in enumerate(parts.excluded) if excluded]
        plain = [number for number, excluded in enumerate(parts.excluded) if not excluded]
        rows: dict[int, np.ndarray] = {}
        if plain:
            rows |= zip(plain, self._query_rows([queries[number] for number in plain], w), strict=True)
        if excluding:
            needed = _only(parts, excluding)
            vectors = self._query_rows(needed.texts, EXCLUSION_DIAL_SHARE * self.dial if dial is None else w)
            combined = combine_parts(needed, vectors, beta=beta, whole=WHOLE_QUERY_WEIGHT)
            # All queries at a dial have the same length.
            length = np.hypot(*block_weights(w, self.dial))
            scaled = combined * (length / np.linalg.norm(combined, axis=1, keepdims=True))
            rows |= zip(excluding, scaled.astype(np.float32), strict=True)
        return np.stack([rows[number] for number in range(len(queries))])

    def similarity(self, queries: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """Return the score of each query (row) with each stored document (column). The documents' dial is checked."""
        stored = np.atleast_2d(np.asarray(documents, dtype=np.float32))
        self.check_stored(stored)
        scores: np.ndarray = np.atleast_2d(np.asarray(queries, dtype=np.float32)) @ stored.T
        return scores

    def check_stored(self, vectors: np.ndarray) -> None:
        """Raise an InputError for stored vectors that were made at another dial, or without a block."""
        if vectors.shape[1] <= self._block.width:
            raise InputError(
                f"the stored vectors have {vectors.shape[1]} columns; expected more than the {self._block.width} of "
                "the block. Add the block to vectors of the encoder alone with litotes.upgrade"
            )
        found = other_dial(vectors, self.dial, self._block.width)
        if found is not None:
            raise InputError(
                f"the stored vectors have {found}; expected the length 1 and the dial {self.dial:g}. Pass the dial "
                "that the index was made with: beside(…, dial=…)"
            )

    def base_vectors(self, texts: Sequence[str], *, role: str = "document") -> np.ndarray:
        """Return the encoder's own unit vectors of documents, or with the role "query" of queries."""
        return (self._queries if role == "query" else self._documents).encode(texts)

    def blocks(self, texts: Sequence[str]) -> np.ndarray:
        """Return the polarity blocks of some texts, as unit vectors."""
        return self._blocks(check_texts(texts))

    def _query_rows(self, texts: Sequence[str], w: float) -> np.ndarray:
        base = self._queries.encode(texts)
        if self._documents.width not in (None, base.shape[1]):
            raise InputError(
                f"queries have {base.shape[1]} columns and documents {self._documents.width}; expected the same number"
            )
        if w == 0:
            scaled: np.ndarray = base / np.float32((1 - self.dial) ** 0.5)
            return np.concatenate([scaled, np.zeros((len(base), self._block.width), dtype=np.float32)], axis=1)
        return combine(base, self._blocks(texts), w, stored=self.dial)

    def _blocks(self, texts: Sequence[str]) -> np.ndarray:
        return self.polarity.encode(texts)

    def _none(self) -> np.ndarray:
        return np.zeros((0, (self._documents.width or 0) + self._block.width), dtype=np.float32)


def _only(parts: QueryParts, numbers: Sequence[int]) -> QueryParts:
    """Return the parts of some of the queries, with the texts that these need."""
    used = sorted({at for n in numbers for at in (parts.whole[n], parts.kept[n], *parts.excluded[n])})
    place = {at: number for number, at in enumerate(used)}
    return QueryParts(
        [parts.texts[at] for at in used],
        [place[parts.whole[n]] for n in numbers],
        [place[parts.kept[n]] for n in numbers],
        [tuple(place[at] for at in parts.excluded[n]) for n in numbers],
    )


class _Side:
    """An encoder as it reads documents or queries; its answers are checked."""

    def __init__(self, function: Function, prompt: str, batch: int, by_dot_product: bool) -> None:
        self._function, self._prompt, self._batch, self._by_dot_product = function, prompt, batch, by_dot_product
        self.width: int | None = None
        """the number of columns, as soon as it is known"""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return one unit vector per text."""
        unique, places = distinct(check_texts(texts))
        read = [self._prompt + text for text in unique]
        found = []
        for start in range(0, len(read), self._batch):
            part = read[start : start + self._batch]
            rows = float_rows(self._function(part), who="the encoder", count=len(part), width=self.width)
            self.width = rows.shape[1]
            found.append(unit_rows(rows, who="the encoder", by_dot_product=self._by_dot_product))
        rows = np.concatenate(found) if found else np.zeros((0, self.width or 0), dtype=np.float32)
        in_order: np.ndarray = rows[places]
        return in_order


def _function(encoder: Any, role: str) -> Function:
    """Return how an encoder reads texts of a role."""
    if isinstance(encoder, str):
        raise InputError(
            f"the encoder is the text {encoder!r}; expected a loaded one, such as litotes.load({encoder!r})"
        )
    if role == "query" and hasattr(encoder, "encode_query") and EXCLUDES in signature(encoder.encode_query).parameters:
        # Exclusions are handled here, for both parts of a vector.
        unsplit: Function = partial(encoder.encode_query, **{EXCLUDES: False})
        return unsplit
    for method in METHODS[role]:
        function = getattr(encoder, method, None)
        if callable(function):
            return partial(_one_by_one, function) if method in ONE_AT_A_TIME else function
    if callable(encoder):
        called: Function = encoder
        return called
    raise InputError(
        f"the encoder is {type(encoder).__name__}; expected an object with encode, or a function from texts to vectors"
    )


def _one_by_one(function: Callable[[str], Any], texts: list[str]) -> list[Any]:
    return [function(text) for text in texts]


def _opened(block: Any) -> Polarity | TowerShape:
    try:
        return block_of(block)
    except MissingError as error:
        raise MissingError(
            f"{error}. Without the polarity model, queries can be encoded at dial 0: pass "
            "block=litotes.models.TowerShape(dial, columns)"
        ) from error


def _refuse_towers(encoder: Any) -> None:
    has_tower = hasattr(encoder, "transformers_model") and tower_config(encoder) is not None
    if has_tower or isinstance(encoder, BesideEncoder):
        raise InputError("the encoder has a polarity block of its own; expected one without, such as the tower's base")


def read_dial(file: str | Path) -> float:
    """Read the dial from a file that `litotes dial fit` wrote."""
    path = Path(file)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is not a file of `litotes dial fit` ({error}); expected a number or such a file"
        ) from None
    found = content.get("format") if isinstance(content, dict) else None
    if found != DIAL_FORMAT or "dial" not in content:
        raise InputError(
            f"{path} is not a file of `litotes dial fit` (its format is {found!r}, not {DIAL_FORMAT!r}); expected a "
            "number or such a file"
        )
    return check_default_dial(content["dial"])
