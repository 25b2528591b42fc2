"""`litotes.load`: an encoder by name, ready for queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litotes.errors import require
from litotes.models.dense import source_of
from litotes.models.loading import reading
from litotes.models.tower.dial import TOWER_CARD

if TYPE_CHECKING:
    from litotes.query.encoder import Encoder

MINI = "litotes-mini"


def load(name: str = MINI, *, device: str | None = None, dial: float | None = None, **options: Any) -> Encoder:
    """An encoder by name, folder or hub name, as a SentenceTransformer whose queries hear "not" and "without".

    "litotes-mini" comes with the package; any other SentenceTransformer serves as well, and then without a dial. `dial`
    sets the model's default dial, with which documents are encoded and stored; a query may have its own, and one that
    leaves something out has half of it. `options` are
    the library's own.
    """
    library = require("sentence_transformers", extra="models", why="loading an encoder")
    from litotes.models.tower.build import tower_of
    from litotes.models.tower.delta import load_tower
    from litotes.models.tower.dial import default_checked
    from litotes.query.encoder import Encoder

    source = source_of(name, "dense")
    if (source.folder / TOWER_CARD).is_file():
        return Encoder.of(load_tower(source.folder, device=device, default_w=dial))
    with reading(source, "dense"):
        model = library.SentenceTransformer(str(source.folder), device=device, local_files_only=True, **options)
    if dial is not None:
        tower_of(model).config.default_w = default_checked(dial)
    return Encoder.of(model)
