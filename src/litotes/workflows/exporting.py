"""Export a model as an ONNX graph. The graph is checked before it is put in place."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.errors import CheckError, InputError
from litotes.files import replacing

if TYPE_CHECKING:
    from litotes.models.onnx.artefact import OnnxCard
    from litotes.models.onnx.checking import Agreement

CHECKED = 60
"""the number of texts in a comparison"""


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported model, and what its checks found."""

    folder: Path
    card: OnnxCard
    checks: tuple[Agreement, ...]

    @property
    def graph(self) -> Path:
        """The file of the graph."""
        return self.folder / self.card.graph

    def line(self) -> dict[str, Any]:
        """Return the JSON object of this export."""
        return {
            "model": self.card.model,
            "graph": str(self.graph),
            "bytes": self.graph.stat().st_size,
            "sha256": self.card.graph_sha256,
            "checks": [check.line() for check in self.checks],
        }


def export_onnx(model: str, out: Path | str, *, int8: bool = False) -> Exported:
    """Export a model to a folder: an ONNX graph, its tokenizer and a card.

    The graph is compared with the model if torch is installed, and a graph in eight bits with that in full precision.
    If they do not agree, a CheckError is raised, and nothing is written.

    Args:
        model: A shipped model, such as "litotes-mini", or the folder of a model of the same kind.
        out: The folder for the files. It is created.
        int8: Whether linear layers multiply eight-bit numbers, which is smaller and faster.
    """
    from litotes.models.onnx.artefact import CARD, write_artefact
    from litotes.models.onnx.making import make

    target = Path(out)
    made = make(model, int8=int8)
    card = made.card
    _refuse_another(target, card)
    with tempfile.TemporaryDirectory(prefix="litotes-onnx-") as scratch:
        new = Path(scratch) / "new"
        write_artefact(new, made)
        checks = tuple(_checks(new, model, card.kind, int8=int8))
        failed = [str(check) for check in checks if not check.passed]
        if failed:
            raise CheckError(f"the graph of {model} was not written: {'; '.join(failed)}")
        # The card says that the folder is complete, so it comes last.
        for path in sorted(new.iterdir(), key=lambda path: path.name == CARD):
            with replacing(target / path.name) as temporary:
                shutil.copyfile(path, temporary)
    return Exported(target, card, checks)


def _checks(new: Path, model: str, kind: str, *, int8: bool) -> Iterator[Agreement]:
    """Compare a graph with what is known to be right."""
    from litotes.data.benchmarks.general_mini import general_retrieval
    from litotes.models.onnx.artefact import write_artefact
    from litotes.models.onnx.checking import with_full_precision, with_torch
    from litotes.models.onnx.making import make

    collection = general_retrieval()
    texts = [text.text for text in (*collection.passages[: CHECKED // 2], *collection.queries[: CHECKED // 2])]
    full = new
    if int8:
        full = new.with_name("full")
        write_artefact(full, make(model, int8=False))
        yield with_full_precision(new, full, kind, texts)
    if find_spec("torch") and find_spec("sentence_transformers"):
        yield with_torch(full, model, kind, texts)


def _refuse_another(folder: Path, card: OnnxCard) -> None:
    """Refuse a folder that has another model: its tokenizer and card would be replaced, and its graph would stay."""
    from litotes.models.onnx.artefact import CARD, read_card

    if not (folder / CARD).is_file():
        return
    found = read_card(folder)
    if (found.model, found.graph) != (card.model, card.graph):
        raise InputError(
            f"{folder} has {found.graph} of {found.model}; choose another folder for {card.graph} of {card.model}"
        )
