"""Graphs that are made once on the user's machine, and kept in the cache folder."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from litotes.errors import CheckError, MissingError
from litotes.models.bases import COMPACT, COMPACT_PINS, MINILM_PINS, cache_folder, uses_compact_minilm
from litotes.models.loading import configuration, fingerprint
from litotes.models.onnx.artefact import CARD, write_artefact
from litotes.models.onnx.encoder_graph import VECTOR
from litotes.models.onnx.graph import FORMAT
from litotes.models.onnx.making import ENCODER, MINILM, make, model_folder
from litotes.models.onnx.session import OnnxModel, padded_ids
from litotes.models.pair.card import CARD as PAIR_CARD
from litotes.models.splitter.tagger import CARD as SPLITTER_CARD
from litotes.models.tower.shape import TOWER_CARD

TOLERANCE = 1e-3
PROBES = ("The drug is safe.", "The bridge was not closed when the river rose last spring, the mayor said.")
"""two texts of different length, so that one of them is padded"""


def made(name: str, *, int8: bool = False) -> Path:
    """Return the folder of a model's graph: an exported folder as it is, and else the one in the cache.

    The graph is made if it is not there. Its folder is named after the hashes of the weights, so another version of a
    model gets a graph of its own.
    """
    if name != MINILM and (model_folder(name) / CARD).is_file():
        return model_folder(name)
    folder = cache_folder() / "onnx" / f"{Path(name).name}-{_key(name, int8=int8)}"
    if (folder / CARD).is_file():
        return folder
    sys.stderr.write(f"litotes: making the ONNX graph of {Path(name).name} in {folder.parent}, once\n")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        new = Path(scratch) / folder.name
        write_artefact(new, make(name, int8=int8))
        check_itself(OnnxModel(new))
        # Another process may have made the same graph in the meantime, or a broken one may be in the way.
        shutil.rmtree(folder, ignore_errors=True)
        new.replace(folder)
    return folder


def has_graph(name: str) -> bool:
    """Return whether a graph can be made of a model: MiniLM, a model trained on it, or an exported folder."""
    if name == MINILM:
        return True
    folder = model_folder(name)
    base = _trained_card(folder).get("base")
    return (folder / CARD).is_file() or (isinstance(base, dict) and base.get("name") == MINILM)


def _trained_card(folder: Path) -> dict[str, Any]:
    """Return the card of a trained model, or an empty one."""
    cards = (configuration(folder, card) for card in (TOWER_CARD, PAIR_CARD, SPLITTER_CARD))
    return next((dict(found) for found in cards if found), {})


def check_itself(model: OnnxModel) -> None:
    """Refuse a graph that this runtime computes wrongly: numbers that are not finite, or that depend on padding.

    In eight bits, all token vectors of a batch have one step, so texts do affect each other, and only the first counts.
    """
    ids = [encoding.ids for encoding in model.tokenizer.encode_batch(list(PROBES))]
    together = model.run_tokens(*padded_ids(ids, model.card.padding))
    for number, row in enumerate(ids):
        alone = model.run_tokens(*padded_ids([row], model.card.padding))
        for name, found in alone.items():
            batched = together[name][number]
            expected = batched[: len(row)] if batched.ndim == 2 else batched
            if not np.isfinite(found).all():
                raise _wrong(model, f"{name} has numbers that are not finite")
            if not model.card.int8 and not np.allclose(found[0], expected, rtol=0, atol=TOLERANCE):
                raise _wrong(model, f"{name} depends on the other texts of a batch")
    if model.card.kind == ENCODER and not np.allclose(np.linalg.norm(together[VECTOR], axis=1), 1, atol=TOLERANCE):
        raise _wrong(model, "vectors do not have the length 1")


def _wrong(model: OnnxModel, what: str) -> CheckError:
    return CheckError(
        f"the installed onnxruntime computes the graph of {model.card.model} wrongly: {what}. Install another version "
        "of onnxruntime, or use torch: pip install 'litotes[models]'"
    )


def _key(name: str, *, int8: bool) -> str:
    """Return a short hash of what a graph is made from."""
    facts: dict[str, Any] = {"format": FORMAT, "int8": int8}
    if uses_compact_minilm():
        facts["base"] = COMPACT_PINS[COMPACT]
    if name == MINILM:
        return fingerprint({**facts, "weights": MINILM_PINS})[:16]
    card = _trained_card(model_folder(name))
    base = card.get("base")
    if isinstance(base, dict) and base.get("name") == "mpnet":
        raise MissingError(
            f"{name} is a model on MPNet, which needs torch. Install it with: pip install 'litotes[models]'"
        )
    return fingerprint({**facts, "card": card})[:16]
