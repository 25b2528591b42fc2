"""Embedders for Haystack: a polarity block beside the vectors of another embedder.

Importing this module needs haystack-ai; the rest of litotes does not. Saved pipelines contain the name of this module,
so it has to stay.
"""

from dataclasses import asdict, replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Self, TypeVar

from litotes.errors import InputError, require
from litotes.models.bases import MINI
from litotes.models.beside import combine
from litotes.models.polarity_block import Polarity, block_of, polarity
from litotes.models.tower.scaling import check_default_dial, check_dial
from litotes.models.tower.shape import TowerShape
from litotes.query.beside_encoder import BesideEncoder, beside
from litotes.query.exclusion import Exclude, check_exclude

_library: Any = require("haystack", extra="frameworks", why="Haystack's embedders")
_serialization: Any = require("haystack.core.serialization", extra="frameworks", why="Haystack's embedders")
_utilities: Any = require("haystack.utils", extra="frameworks", why="Haystack's embedders")
Component = TypeVar("Component")

# Haystack reads the types of a component's inputs from the annotations of `run`, and does not resolve strings.
if TYPE_CHECKING:
    Document = Any
else:
    Document = _library.Document


@_library.component
class PolarityDocumentEmbedder:
    """A document embedder of Haystack with a polarity block beside its vectors.

    `dial` is how much the block counts. Documents and queries need the same one: use the dial that `litotes dial fit`
    or `litotes.beside(…).dial` found for the embedder. The block reads the content of a document, without metadata.
    `block` is a name, a folder, `litotes.polarity(…)`, or a dict with the arguments of the latter.
    """

    def __init__(self, embedder: Any, *, dial: float, block: str | dict[str, Any] | Polarity = MINI) -> None:
        if isinstance(block, TowerShape):
            raise InputError("the block is a TowerShape, which has no model; documents need litotes-mini or a tower")
        self.embedder, self.dial = embedder, check_default_dial(dial)
        self.block: Any = block

    def to_dict(self) -> dict[str, Any]:
        """Return the class, its options and its embedder, for a file."""
        return _saved(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the embedder that `to_dict` describes."""
        return _restored(cls, data)

    def warm_up(self) -> None:
        """Load the models. A pipeline does this before its first run."""
        _warm_up(self.embedder)
        self.block = _opened(self.block)

    @_library.component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return copies of the documents with their vectors."""
        self.block = _opened(self.block)
        missing = next((document.id for document in documents if document.content is None), None)
        if missing is not None:
            raise InputError(f"document {missing} has no content; expected a text. Remove images before embedding")
        found = self.embedder.run(documents=documents)["documents"]
        if not found:
            return {"documents": []}
        blocks = self.block.encode([document.content for document in found])
        rows = combine([document.embedding for document in found], blocks, self.dial)
        return {
            "documents": [replace(document, embedding=row.tolist()) for document, row in zip(found, rows, strict=True)]
        }


@_library.component
class PolarityTextEmbedder:
    """A text embedder of Haystack, for queries, with a polarity block beside its vectors.

    `dial` is that of the documents, `query_dial` another one for queries. `exclude` is that of `encode_query`. `block`
    is that of the documents, or a `litotes.models.TowerShape` for queries at dial 0 without the polarity model.
    """

    def __init__(
        self,
        embedder: Any,
        *,
        dial: float,
        block: str | dict[str, Any] | Polarity | TowerShape = MINI,
        query_dial: float | None = None,
        exclude: Exclude = "auto",
    ) -> None:
        check_exclude(exclude)
        if query_dial is not None:
            check_dial(query_dial)
        self.embedder = embedder
        self.block: Any = block
        self.dial, self.query_dial, self.exclude = check_default_dial(dial), query_dial, exclude
        self._encoder: BesideEncoder | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the class, its options and its embedder, for a file."""
        return _saved(self, query_dial=self.query_dial, exclude=self.exclude)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the embedder that `to_dict` describes."""
        return _restored(cls, data)

    def warm_up(self) -> None:
        """Load the models. A pipeline does this before its first run."""
        _warm_up(self.embedder)
        self._opened_encoder()

    @_library.component.output_types(embedding=list[float])  # type: ignore[untyped-decorator]
    def run(self, text: str) -> dict[str, list[float]]:
        """Return the vector to search with."""
        encoder = self._opened_encoder()
        return {"embedding": encoder.encode_query(text, dial=self.query_dial, exclude=self.exclude).tolist()}

    def _opened_encoder(self) -> BesideEncoder:
        if self._encoder is None:
            self.block = _opened(self.block)
            self._encoder = beside(self._embedded, block=self.block, dial=self.dial)
        return self._encoder

    def _embedded(self, texts: list[str]) -> list[list[float]]:
        return [self.embedder.run(text=text)["embedding"] for text in texts]


def _opened(block: Any) -> Polarity | TowerShape:
    """Return the block that a constructor was given, loaded."""
    if not isinstance(block, dict):
        return block_of(block)
    try:
        return TowerShape(**block) if "width" in block else polarity(**block)
    except TypeError as error:
        raise InputError(f"the block is {block} ({error}); expected the arguments of litotes.polarity") from None


def _plain(block: Any) -> str | dict[str, Any]:
    """Return a block as a name, or as a dict that `_opened` opens; refuse one that cannot be loaded again."""
    if isinstance(block, str | dict):
        return block
    if isinstance(block, TowerShape):
        return asdict(block)
    if not isinstance(block, Polarity) or block.loaded_with is None:
        raise InputError(
            f"the block is {block!r}, made from a loaded tower, which cannot be saved with a pipeline; expected a "
            "name, a folder or litotes.polarity(…)"
        )
    defaults = {name: each.default for name, each in signature(polarity).parameters.items() if name != "name"}
    options = {name: value for name, value in block.loaded_with.items() if value != defaults.get(name)}
    return block.name if list(options) == ["name"] else options


def _saved(embedder: Any, **options: Any) -> dict[str, Any]:
    block = _plain(embedder.block)
    inner = _serialization.component_to_dict(embedder.embedder, "embedder")
    saved: dict[str, Any] = _library.default_to_dict(
        embedder, embedder=inner, dial=embedder.dial, block=block, **options
    )
    return saved


def _restored(kind: type[Component], data: dict[str, Any]) -> Component:
    _utilities.deserialize_component_inplace(data["init_parameters"], key="embedder")
    embedder: Component = _library.default_from_dict(kind, data)
    return embedder


def _warm_up(embedder: Any) -> None:
    if hasattr(embedder, "warm_up"):
        embedder.warm_up()
