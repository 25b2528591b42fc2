"""Bi-encoders: one vector a text. One encoder for both sides, or one each, as DPR has."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import InputError, require
from litotes.models.adapter import Adapter, distinct, model_facts, open_model, source_facts, texts_of
from litotes.models.bases import BASES
from litotes.models.loading import Settings, Source, configuration, find, saved_as
from litotes.models.tower.dial import TOWER_CARD, at_default, checked

if TYPE_CHECKING:
    import numpy as np

ROLES = ("", "query", "document")
SIMILARITIES = ("cosine", "dot")


class Dense(Adapter):
    """One or two SentenceTransformers. Under cosine the rows are unit vectors, so that their dot product is the cosine.

    `model` encodes queries and, without `documents`, all else; with `documents`, that encoder takes documents and
    texts without a role. `similarity` is "cosine" or "dot"; where it is empty, what the model says. `dial`
    sets how much the tower of a tower model counts, in all that is encoded. `sources` are where the models were read
    from; those of one made in memory are known by its weights.
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
        self._dial = None if dial is None else checked(dial)
        self._queries, self._documents = model, model if documents is None else documents
        self._batch = batch
        self._sources = list(sources)
        self._similarity = similarity or str(model.similarity_fn_name)
        if self._similarity not in SIMILARITIES:
            raise InputError(f"{name} compares by {self._similarity}; expected {' or '.join(SIMILARITIES)}")
        widths = self._queries.get_embedding_dimension(), self._documents.get_embedding_dimension()
        if widths[0] != widths[1]:
            raise InputError(
                f"{name}: queries have {widths[0]} dimensions and documents {widths[1]}; expected the same"
            )
        self._width = int(widths[0])
        for side in (self._queries, self._documents):
            if dial is not None and tower_config(side) is None:
                raise InputError(f"{name} has no dial; expected a tower, as litotes train makes them")

    def encode(self, texts: Sequence[str], *, role: str = "") -> np.ndarray:
        """One row of float32 a text, in the order given; batches are made of texts of like length."""
        import numpy as np

        found, places = distinct(texts_of(texts))
        if role not in ROLES:
            raise InputError(f"role is {role!r}; expected query, document or nothing")
        if not found:
            return np.zeros((0, self._width), dtype=np.float32)
        model = self._queries if role == "query" else self._documents
        encode = getattr(model, f"encode_{role}" if role else "encode")
        rows: np.ndarray = encode(
            found,
            batch_size=self._batch,
            show_progress_bar=False,
            normalize_embeddings=self._similarity == "cosine",
        )
        found_rows: np.ndarray = self.turned(rows.astype(np.float32, copy=False))[places]
        return found_rows

    @property
    def inner(self) -> Any:
        """The SentenceTransformer that encodes queries."""
        return self._queries

    @property
    def dial(self) -> float | None:
        """The dial that was set; None leaves it to the model."""
        return self._dial

    @property
    def undialled(self) -> Dense:
        """The same model at its own dial: rows that are kept for it serve every other dial, once `turned`."""
        return Dense(
            self._queries,
            self._documents,
            name=self.name,
            batch=self._batch,
            similarity=self._similarity,
            sources=self._sources,
        )

    def turned(self, rows: np.ndarray) -> np.ndarray:
        """Rows of the undialled model as this one makes them."""
        if self._dial is None or not len(rows):
            return rows
        tower = tower_config(self._queries)
        return at_default(rows, self._dial, w0=tower.default_w, width=tower.tower_width)

    def details(self) -> dict[str, Any]:
        models = [self._queries] if self._documents is self._queries else [self._queries, self._documents]
        known = [source_facts(source) for source in self._sources] or [_in_memory(model) for model in models]
        sides = [
            place | model_facts(model) | {"pooling": _pooling(model)}
            for place, model in zip(known, models, strict=True)
        ]
        both = dict(zip(("queries", "documents"), sides, strict=True)) if len(sides) > 1 else sides[0]
        set_by_hand = {} if self._dial is None else {"dial": self._dial}
        return both | {"similarity": self._similarity, "dimensions": self._width} | set_by_hand


def _in_memory(model: Any) -> dict[str, Any]:
    """Weights that may be in training are hashed anew each time."""
    weights = hashlib.sha256()
    for name, values in sorted(model.state_dict().items()):
        weights.update(f"{name} {tuple(values.shape)}\0".encode())
        weights.update(values.detach().float().cpu().numpy().tobytes())
    return {"origin": "memory", "weights": weights.hexdigest()}


def build(
    name: str, settings: Settings, *, similarity: str = "", revision: str = "", dial: float | None = None
) -> Dense:
    """`dense:minilm`, `dense:mpnet`, `dense:name-or-path`, `dense:for-queries+for-documents`; `dense:TOWER@0.2`."""
    family, _, target = name.partition(":")
    target, dial = _at(target, dial)
    sources = [source_of(part, family, revision) for part in _sides(target)]
    for source in sources:
        if saved_as(source.folder) not in ("", "SentenceTransformer"):
            kind = saved_as(source.folder)
            raise InputError(f"{source.folder} is a saved {kind}; expected a SentenceTransformer or a plain encoder")
    models = [_opened(source, settings, family) for source in sources]
    # Two encoders that do not say how they compare were trained as DPR was.
    if len(models) > 1 and not similarity:
        declared = configuration(sources[0].folder, "config_sentence_transformers.json").get("similarity_fn_name")
        similarity = str(declared or "dot")
    return Dense(*models, name=name, batch=settings.batch, similarity=similarity, dial=dial, sources=sources)


def _opened(source: Source, settings: Settings, family: str) -> Any:
    """A saved SentenceTransformer, or a tower saved without its base."""
    if not (source.folder / TOWER_CARD).is_file():
        return open_model("SentenceTransformer", source, settings, family=family)
    from litotes.models.tower.delta import load_tower

    torch = require("torch", extra="models", why=f"{family} models")
    model = load_tower(source.folder, device=settings.device)
    model.max_seq_length = min(model.max_seq_length or settings.max_tokens, settings.max_tokens)
    return model.to(getattr(torch, settings.dtype))


def tower_config(model: Any) -> Any:
    """A tower's shape and own dial; None for a model without one."""
    config = getattr(model.transformers_model, "config", None)
    return config if hasattr(config, "tower_width") else None


def _at(target: str, dial: float | None) -> tuple[str, float | None]:
    """The dial after an @, as in litotes-mini@0.2; a folder may have one in its own name."""
    model, sign, written = target.rpartition("@")
    if not sign or Path(target).expanduser().is_dir():
        return target, dial
    try:
        return model, checked(float(written))
    except ValueError:
        return target, dial


def _sides(target: str) -> list[str]:
    """One model, or two joined by a plus; a folder may have a plus in its own name."""
    if "+" not in target or Path(target).expanduser().is_dir():
        return [target]
    sides = target.split("+")
    if len(sides) != 2 or not all(sides):
        raise InputError(f"dense:{target} is no folder; expected two models joined by one plus, queries first")
    return sides


def source_of(target: str, family: str, revision: str = "") -> Source:
    """The files of a base known by a short name, of a folder, or of a hub name."""
    known = BASES.get(target)
    return known() if known else find(target, family=family, organisation="sentence-transformers", revision=revision)


def _pooling(model: Any) -> str:
    """How token vectors become one."""
    return next((str(module.pooling_mode) for module in model if hasattr(module, "pooling_mode")), "")
