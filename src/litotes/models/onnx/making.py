"""Make the graph of a model from its weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from litotes.errors import InputError, did_you_mean
from litotes.models.bases import GUARD_MINI, MINI, RERANK_MINI, SHIPPED, SPLITTER, shipped
from litotes.models.loading import configuration
from litotes.models.onnx.artefact import GRAPH, GRAPH_INT8, OnnxCard, graph_hash
from litotes.models.onnx.bert import Weights
from litotes.models.onnx.encoder_graph import TowerParts, tower_graph
from litotes.models.onnx.sources import TrainedModel, read_model, with_updates
from litotes.models.tower.shape import TOWER_CARD

EXPORTABLE = (MINI, RERANK_MINI, GUARD_MINI, SPLITTER)
"""the shipped models that can be exported"""
ENCODER = "encoder"


def make(name: str, *, int8: bool) -> tuple[bytes, OnnxCard, Path]:
    """Return the graph of a shipped model or one in a folder, its card, and the folder of its base."""
    folder = shipped(name).folder if name in SHIPPED else Path(name).expanduser()
    if not (folder / TOWER_CARD).is_file():
        raise InputError(
            f"{name!r} cannot be exported; expected {', '.join(EXPORTABLE)}, or the folder of such a model."
            + did_you_mean(name, EXPORTABLE)
        )
    model = read_model(folder, TOWER_CARD)
    parts = _tower_parts(model)
    graph = tower_graph(parts, name=name, int8=int8).content()
    card = OnnxCard(
        model=name,
        kind=ENCODER,
        graph=GRAPH_INT8 if int8 else GRAPH,
        graph_sha256=graph_hash(graph),
        int8=int8,
        max_tokens=int(model.card["max_tokens"]),
        padding=int(model.base_config.get("pad_token_id", 0)),
        weights={model.base.name: model.base.sha256, **model.card["files"]},
        base=model.base.name,
        base_columns=parts.shape.width,
        tower_columns=parts.width,
        default_dial=parts.default_dial,
    )
    return graph, card, model.base.source.folder


def _tower_parts(model: TrainedModel) -> TowerParts:
    """Return the parts of a tower. With a rank, its layers are copies of the base's last ones with updates."""
    card, base, own = model.card, model.base_weights(), dict(model.own)
    own_layers, shape = int(card["own_layers"]), model.shape
    if card.get("rank"):
        own = with_updates({**_last_layers(base, shape.layers, own_layers), **own}, own)
    return TowerParts(
        base=base,
        own=own,
        shape=shape,
        shared_layers=int(card["shared_layers"]),
        own_layers=own_layers,
        width=int(card["width"] or shape.width),
        default_dial=float(card["default_w"]),
        pooling=_pooling(model.base.source.folder),
    )


def _last_layers(base: Weights, layers: int, count: int) -> dict[str, np.ndarray]:
    """Return the weights of the base's last layers under the names of a tower's layers."""
    found = {}
    for name, array in base.items():
        if name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            own = int(number) - (layers - count)
            found |= {f"own.{own}.{rest}": array} if own >= 0 else {}
    return found


def _pooling(base: Path) -> str:
    """Return the pooling of a base: "mean" or "cls"."""
    config = configuration(base, "1_Pooling/config.json")
    for name, setting in (("mean", "pooling_mode_mean_tokens"), ("cls", "pooling_mode_cls_token")):
        if config.get(setting) or config.get("pooling_mode") == name:
            return name
    raise InputError(f"{base} has another pooling than the mean of its tokens or its first token: {config}")
