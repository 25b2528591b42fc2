"""Bi-encoders: one vector per text, from one encoder for queries and documents or from two, as in DPR."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError
from litotes.models.adapter import Adapter, check_texts, distinct, model_facts, source_facts
from litotes.models.bases import SHIPPED, find_encoder
from litotes.models.beside import Beside
from litotes.models.encoder_loading import load_encoder
from litotes.models.encoder_names import parse_encoder_name
from litotes.models.loading import Settings, Source, configuration, saved_as
from litotes.models.polarity_block import polarity
from litotes.models.tower.scaling import check_dial, rescale_default_dial
from litotes.models.tower.shape import TowerShape, is_tower, tower_config, tower_shape

if TYPE_CHECKING:
    import numpy as np

ROLES = ("", "query", "document")
SIMILARITIES = ("cosine", "dot")
KINDS = {"CrossEncoder": "cross", "SparseEncoder": "sparse", "MultiVectorEncoder": "late"}
"""classes of sentence-transformers that other families load"""


class Dense(Adapter):
    """One or two SentenceTransformers. For cosine similarity the rows are unit vectors.

    `model` encodes queries and, if `documents` is None, everything else. Otherwise `documents` encodes documents and
    texts without a role. `similarity` is "cosine" or "dot"; the default is the model's own. `dial` is the dial of a
    tower model, for everything that is encoded. `sources` are the models' files; a model without any is identified by
    the hash of its weights.
    """

    family = "dense"
    libraries = ("sentence-transformers", "transformers", "torch")

    def __init__(
        self,
        model: Any,
        documents: Any = None,
        *,
        name: str = "dense",
        batch: int = 32,
        similarity: str = "",
        dial: float | None = None,
        sources: Sequence[Source] = (),
    ) -> None:
        super().__init__(name)
        self._dial = None if dial is None else check_dial(dial)
        self._queries, self._documents = model, model if documents is None else documents
        self._batch = batch
        self._sources = list(sources)
        self._similarity = similarity or str(model.similarity_fn_name)
        if self._similarity not in SIMILARITIES:
            raise InputError(f"{name} has the similarity {self._similarity}; expected {' or '.join(SIMILARITIES)}")
        widths = self._queries.get_embedding_dimension(), self._documents.get_embedding_dimension()
        if widths[0] != widths[1]:
            raise InputError(
                f"{name}: queries have {widths[0]} dimensions and documents {widths[1]}; expected the same number"
            )
        self._width = int(widths[0])
        for side in (self._queries, self._documents):
            if dial is not None and tower_config(side) is None:
                raise InputError(f"{name} has no tower, so it has no dial; expected litotes-mini or another tower")

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """Return one float32 row per text, in the order of the texts."""
        import numpy as np

        unique, places = distinct(check_texts(texts))
        if role not in ROLES:
            raise InputError(f"role is {role!r}; expected 'query', 'document' or ''")
        if not unique:
            return np.zeros((0, self._width), dtype=np.float32)
        model = self._queries if role == "query" else self._documents
        encode = getattr(model, f"encode_{role}" if role else "encode")
        rows: np.ndarray = encode(
            unique,
            batch_size=self._batch,
            show_progress_bar=False,
            normalize_embeddings=self._similarity == "cosine",
        )
        rescaled: np.ndarray = self.rescale_to_dial(rows.astype(np.float32, copy=False))[places]
        return rescaled

    @property
    def model(self) -> Any:
        """Return the SentenceTransformer that encodes queries."""
        return self._queries

    @property
    def similarity(self) -> str:
        """Return how two vectors are compared: "cosine" or "dot"."""
        return self._similarity

    @property
    def shape(self) -> TowerShape | None:
        """Return the default dial and the width of the tower's block; None for a model without a tower."""
        return None if tower_config(self._queries) is None else tower_shape(self._queries)

    @property
    def dial(self) -> float | None:
        """Return the dial that was set; None means the model's default."""
        return self._dial

    @property
    def at_default_dial(self) -> Dense:
        """Return the same model at its default dial: its cached rows can be rescaled to any dial."""
        return Dense(
            self._queries,
            self._documents,
            name=self.name,
            batch=self._batch,
            similarity=self._similarity,
            sources=self._sources,
        )

    def rescale_to_dial(self, rows: np.ndarray) -> np.ndarray:
        """Rescale rows of `at_default_dial` to the dial of this model."""
        if self._dial is None or not len(rows):
            return rows
        tower = tower_shape(self._queries)
        return rescale_default_dial(rows, self._dial, w0=tower.default_dial, width=tower.width)

    def details(self) -> dict[str, Any]:
        models = [self._queries] if self._documents is self._queries else [self._queries, self._documents]
        known = [source_facts(source) for source in self._sources] or [_in_memory(model) for model in models]
        sides = [
            place | model_facts(model) | {"pooling": _pooling(model)}
            for place, model in zip(known, models, strict=True)
        ]
        both = dict(zip(("queries", "documents"), sides, strict=True)) if len(sides) > 1 else sides[0]
        dial = {} if self._dial is None else {"dial": self._dial}
        return both | {"similarity": self._similarity, "dimensions": self._width} | dial


def _in_memory(model: Any) -> dict[str, Any]:
    """Hash the weights of a model without files; they can change while it is trained, so the hash is not cached."""
    weights = hashlib.sha256()
    for name, values in sorted(model.state_dict().items()):
        weights.update(f"{name} {tuple(values.shape)}\0".encode())
        weights.update(values.detach().float().cpu().numpy().tobytes())
    return {"origin": "memory", "weights": weights.hexdigest()}


def build(
    name: str, settings: Settings, *, similarity: str = "", revision: str = "", dial: float | None = None
) -> Dense | Beside:
    """Load `NAME-OR-PATH`, `TOWER@DIAL` or `FOR-QUERIES+FOR-DOCUMENTS`; encoders may be followed by `+TOWER@DIAL`."""
    parsed = parse_encoder_name(name.partition(":")[2], dial)
    # A revision is for encoders on the hub, not for a shipped tower beside them.
    beside = len(parsed.parts) > 1 and parsed.parts[-1] in SHIPPED
    names = parsed.parts[:-1] if beside else parsed.parts
    sources = [find_encoder(part, revision=revision) for part in names]
    sources += [find_encoder(parsed.parts[-1])] if beside else []
    tower = sources.pop() if len(sources) > 1 and is_tower(sources[-1].folder) else None
    if len(sources) > 2:
        raise InputError(f"{name}: {parsed.parts[-1]} is not a tower; expected one, such as litotes-mini, at the end")
    for source in sources:
        refuse_other_kinds(source)
    models = [load_encoder(source, settings) for source in sources]
    if len(models) > 1 and not similarity:
        similarity = pair_similarity(sources[0])
    own_dial = parsed.dial if tower is None else None
    dense = Dense(*models, name=name, batch=settings.batch, similarity=similarity, dial=own_dial, sources=sources)
    if tower is None:
        return dense
    block = polarity(parsed.parts[-1], device=settings.device, max_tokens=settings.max_tokens)
    return Beside(dense, block, name=name, dial=parsed.dial)


def refuse_other_kinds(source: Source) -> None:
    """Refuse a folder that sentence-transformers saved from another class, such as CrossEncoder."""
    kind = saved_as(source.folder)
    if kind not in ("", "SentenceTransformer"):
        hint = f". Load it with litotes.models.load('{KINDS[kind]}:{source.folder}')" if kind in KINDS else ""
        raise InputError(f"{source.folder} is a saved {kind}; expected a SentenceTransformer or a plain encoder{hint}")


def pair_similarity(source: Source) -> str:
    """Return how two encoders are compared. Those that do not say are compared by dot product, as in DPR."""
    declared = configuration(source.folder, "config_sentence_transformers.json").get("similarity_fn_name")
    return str(declared or "dot")


def _pooling(model: Any) -> str:
    """Return how the token vectors are pooled into one."""
    return next((str(module.pooling_mode) for module in model if hasattr(module, "pooling_mode")), "")
